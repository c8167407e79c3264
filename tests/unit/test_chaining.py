"""What one tier says to two parts of a question, as one result."""

from trivium.chaining import both
from trivium.domain.evidence import FactSheet, TierResult, TierStatus
from trivium.domain.question import TierName


def told(*entities: str) -> TierResult:
    sheets = tuple(FactSheet(entity=e, type="Animal", name=e, facts=()) for e in entities)
    return TierResult(tier=TierName.CAG, status=TierStatus.HIT, sheets=sheets)


def test_the_sheets_of_both_parts_stand_beside_each_other_in_order_and_once():
    result = both(told("A-2", "A-3"), told("A-1", "A-2"), is_asked=True)

    assert [sheet.entity for sheet in result.sheets] == ["A-1", "A-2", "A-3"]


def test_the_sheets_of_the_part_that_has_an_answer_stay():
    miss = TierResult(tier=TierName.CAG, status=TierStatus.MISS)

    for result in (both(miss, told("A-1"), is_asked=False), both(told("A-1"), miss, is_asked=True)):
        assert [sheet.entity for sheet in result.sheets] == ["A-1"]

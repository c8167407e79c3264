"""The simulated ratings of ``bench.feedback``: what raters say, and a small stream of them."""

from dataclasses import replace

import pytest

from bench.feedback import Sets, run
from bench.raters import Crowd, claims_of, records_of
from feedback.gate import Gate
from router.batch import Batch
from router.model import RouterModel
from router.seen import Seen
from tests.unit.test_trainer import anchors, base, gate, reader

__all__ = ["anchors", "base", "gate", "reader"]


def test_an_honest_rater_says_what_is_right_and_a_wrong_one_the_opposite(
    base: RouterModel, gate: Gate
):
    rows, places = gate.rows[:180], range(180)
    said = Batch([row.seen for row in rows]).routes(base)
    honest = list(Crowd(base.sets, 0.0, 1).rate(base, rows, places))
    wrong = list(Crowd(base.sets, 1.0, 1).rate(base, rows, places))

    for row, route, own, other in zip(rows, said, honest, wrong, strict=True):
        is_right = route == row.tiers
        assert (own.proposal is None, other.proposal is None) == (is_right, not is_right)
        assert own.proposal in {None, row.tiers}
        assert other.proposal != row.tiers


def test_one_report_in_ten_is_decided_and_raters_are_held_to_it(base: RouterModel, gate: Gate):
    ratings = list(
        Crowd(base.sets, 1.0, 1).rate(base, gate.rows, range(len(gate.rows)), "poisoner")
    )
    decided = [rated for rated in ratings if rated.verdict is not None]
    reports = [rated for rated in ratings if rated.proposal is not None]
    confirmed = [claim for claim in claims_of(ratings, gate.rows) if claim.is_confirmed]

    assert 0.05 < len(decided) / len(reports) < 0.15
    assert len(confirmed) == len(decided)
    found = records_of(ratings)["poisoner"]
    assert found.n_right < 0.2 * found.n_decided


@pytest.mark.slow
@pytest.mark.parametrize(("noise", "end"), [(0.1, 1.0), (0.4, 5 / 6)])
def test_a_small_stream_never_ends_worse_and_no_promotion_loses_a_point(
    base: RouterModel, gate: Gate, anchors: list[Seen], noise: float, end: float
):
    sets = Sets(replace(base, version="weak"), anchors, gate.rows, gate, gate)

    stream = run(sets, 0, noise)

    assert stream.curve[0] == gate.right(base)
    assert stream.curve[-1] >= end
    assert max(stream.losses, default=0.0) <= 0.01

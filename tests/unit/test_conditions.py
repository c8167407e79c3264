"""Conditions on properties: what each test asks, and of which values."""

import pytest

from tiers.graphrag.operators.conditions import Condition, Test, meets
from trivium.domain.errors import PlanError
from trivium.domain.knowledge import Value

ABSENT: dict[str, Value] = {}
NULL: dict[str, Value] = {"x": None}


def holds(value: Value, test: Test, wanted: Value | tuple[Value, ...]) -> bool:
    return meets({"x": value}, [Condition(property="x", test=test, value=wanted)])


@pytest.mark.parametrize(
    ("value", "wanted", "is_same"),
    [
        ("Mexico", "mexico", True),
        ("Straße", "STRASSE", True),
        ("Cafe\u0301", "Café", True),
        ("  a  b ", "A b", True),
        (1, 1.0, True),
        (1, "1", True),
        ("1", 1, True),
        (True, True, True),
        ("", "", True),
        (0, False, True),
        (1, 2, False),
        ("a", "b", False),
        ("", None, False),
        (None, None, False),
    ],
)
def test_equality_looks_past_case_and_form(value: Value, wanted: Value, is_same):
    assert holds(value, Test.EQUALS, wanted) is is_same
    assert holds(value, Test.IN, ("other", wanted)) is is_same
    if value is not None:
        assert holds(value, Test.DIFFERS, wanted) is not is_same


@pytest.mark.parametrize(
    ("low", "high"),
    [(1, 2), (-1, 0), (1.5, 2), ("2024-02-16", "2024-02-17"), ("a", "b")],
)
def test_order_is_that_of_numbers_and_of_iso_dates(low: Value, high: Value):
    for below, above in ((Test.BELOW, Test.ABOVE), (Test.AT_MOST, Test.AT_LEAST)):
        assert holds(low, below, high)
        assert holds(high, above, low)
        assert not holds(high, below, low)
        assert not holds(low, above, high)
    for equal in (Test.AT_MOST, Test.AT_LEAST):
        assert holds(low, equal, low)
    for unequal in (Test.BELOW, Test.ABOVE):
        assert not holds(low, unequal, low)


@pytest.mark.parametrize("test", [Test.BELOW, Test.ABOVE, Test.AT_MOST, Test.AT_LEAST])
def test_a_number_and_a_text_have_no_order(test: Test):
    assert not holds("5", test, 4)
    assert not holds(5, test, "4")


def test_a_text_contains_another():
    assert holds("Flight electronics and control", Test.CONTAINS, "ELECTRONICS")
    assert holds(2024, Test.CONTAINS, "02")
    assert not holds("Flight", Test.CONTAINS, "freight")


@pytest.mark.parametrize(
    ("value", "is_within"),
    [
        ("2024-04-01", True),
        ("2024-06-30", True),
        ("2024-06-30T23:59:59Z", True),
        ("2024-05", True),
        ("2024-Q2", True),
        ("Q2 2024", True),
        ("May 2024", True),
        ("2024-03-31", False),
        ("2024-07-01", False),
        ("2024-06-30T23:30:00-02:00", False),
        ("2024", False),
        ("2024-Q3", False),
        ("soon", False),
        ("", False),
    ],
)
def test_a_date_lies_within_a_period(value: str, is_within):
    assert holds(value, Test.WITHIN, "2024-04-01/2024-06-30") is is_within


def test_a_period_may_be_one_day():
    assert holds("2024-02-16", Test.WITHIN, "2024-02-16")
    assert not holds("2024-02-17", Test.WITHIN, "2024-02-16")


@pytest.mark.parametrize("period", ["", "soon", "2024-01-01/soon", "2024-01-01/2024-02-30", "/"])
@pytest.mark.parametrize("value", ["2024-01-01", "soon"])
def test_a_text_that_is_no_period_is_told_of(value: str, period: str):
    with pytest.raises(PlanError):
        holds(value, Test.WITHIN, period)


@pytest.mark.parametrize("properties", [ABSENT, NULL])
@pytest.mark.parametrize("test", Test)
def test_what_is_absent_fails_every_test_but_one(test: Test, properties: dict[str, Value]):
    wanted = "2024-01-01" if test is Test.WITHIN else 1
    condition = Condition(property="x", test=test, value=wanted)
    assert meets(properties, [condition]) is (test is Test.DIFFERS)


@pytest.mark.parametrize("test", [t for t in Test if t is not Test.IN])
def test_only_one_test_takes_several_values(test: Test):
    with pytest.raises(PlanError):
        holds("2024-01-01", test, ("a", "b"))


def test_all_conditions_are_met_or_none():
    tier = Condition(property="tier", value=1)
    country = Condition(property="country", value="Peru")
    assert meets({"tier": 1, "country": "peru"}, [tier, country])
    assert not meets({"tier": 1, "country": "Laos"}, [tier, country])
    assert meets({}, [])

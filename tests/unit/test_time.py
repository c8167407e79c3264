"""Days, instants and validity."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trivium.domain.errors import InputError
from trivium.domain.time import ALWAYS, ANY_TIME, Moment, Validity, parse_instant

HOUR = 3_600_000_000
NOON = "2024-02-16T12:00:00"
PLUS_TWO = timezone(timedelta(hours=2))


def holds(valid_from: str | None, valid_to: str | None, at: str | date | datetime) -> bool:
    return Validity.of(valid_from, valid_to).holds(Moment.of(at))


# --- reading -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "same",
    [
        "2024-02-16T10:00:00Z",
        "2024-02-16T12:00:00+02:00",
        "2024-02-16 10:00",
        "20240216T100000",
        " 2024-02-16T10:00:00.000000+00:00 ",
        datetime(2024, 2, 16, 10),  # noqa: DTZ001  # a naive date-time is UTC
        datetime(2024, 2, 16, 10, tzinfo=UTC),
        datetime(2024, 2, 16, 12, tzinfo=PLUS_TWO),
    ],
)
def test_one_instant_can_be_written_in_many_ways(same: str | datetime):
    assert parse_instant(same) == parse_instant("2024-02-16T10:00:00")
    assert parse_instant(same, ends=True) == parse_instant(same)


@pytest.mark.parametrize("same", ["2024-02-16", "20240216", " 2024-02-16 ", date(2024, 2, 16)])
def test_one_day_can_be_written_in_many_ways(same: str | date):
    assert parse_instant(same) == parse_instant("2024-02-16T00:00:00Z")
    assert parse_instant(same, ends=True) == parse_instant("2024-02-17T00:00:00Z")
    assert Moment.of(same).end - Moment.of(same).start == 24 * HOUR
    assert Moment.of(same).day == Moment.of(same).last_day == "2024-02-16"


@pytest.mark.parametrize(
    "wrong",
    ["", " ", "soon", "2024", "2024-02", "2024-13-01", "2024-02-30", "16.02.2024", "12:00",
     "2024-02-16T25:00", "null", "NaN", "２０２４-02-16x", "2024-02-16\x00"],
)  # fmt: skip
def test_what_is_no_date_is_refused(wrong: str):
    with pytest.raises(InputError, match="ISO date"):
        parse_instant(wrong)
    with pytest.raises(InputError):
        Moment.of(wrong)
    if wrong.strip():
        with pytest.raises(InputError):
            Validity.of(wrong, None)
        with pytest.raises(InputError):
            Validity.of(None, wrong)


@given(st.text(max_size=12))
def test_any_text_is_a_time_or_refused(text: str):
    try:
        start, end = parse_instant(text), parse_instant(text, ends=True)
    except InputError:
        return
    assert end - start in {0, 24 * HOUR}


@given(st.datetimes(), st.integers(-14 * 60, 14 * 60))
def test_the_order_of_instants_is_not_that_of_their_texts(moment: datetime, minutes: int):
    zone = timezone(timedelta(minutes=minutes))
    try:
        there = moment.replace(tzinfo=UTC).astimezone(zone)
    except OverflowError:
        return
    assert parse_instant(there.isoformat()) == parse_instant(moment.isoformat())


@given(st.dates())
def test_a_day_ends_where_the_next_begins(day: date):
    text = day.isoformat()
    assert Moment.of(text).day == Moment.of(text).last_day == Moment.of(day).text == text
    if day < date.max:
        assert parse_instant(day, ends=True) == parse_instant(day + timedelta(days=1))


# --- validity ------------------------------------------------------------------------------------


def test_what_has_no_bounds_always_holds():
    for at in ("0001-01-01", NOON, "9999-12-31"):
        assert holds(None, None, at)
        assert holds("", "  ", at)
    assert Validity.of(None, None) == Validity.of("", " ") == ALWAYS
    assert (ALWAYS.has_start, ALWAYS.has_end) == (False, False)


def test_the_first_and_the_last_day_are_both_valid():
    bounds = "2024-02-10", "2024-02-16"
    assert [holds(*bounds, f"2024-02-{d:02}") for d in (9, 10, 13, 16, 17)] == [
        False, True, True, True, False,
    ]  # fmt: skip
    assert holds(*bounds, "2024-02-10T00:00:00Z")
    assert not holds(*bounds, "2024-02-09T23:59:59.999999Z")
    assert holds(*bounds, "2024-02-16T23:59:59.999999Z")
    assert not holds(*bounds, "2024-02-17T00:00:00Z")


def test_a_date_time_is_the_first_instant_no_longer_valid():
    assert holds(None, NOON, "2024-02-16T11:59:59.999999")
    assert not holds(None, NOON, NOON)
    assert holds(NOON, None, NOON)
    assert not holds(NOON, None, "2024-02-16T11:59:59.999999")


def test_a_day_is_met_by_what_holds_in_a_part_of_it():
    assert holds(None, NOON, "2024-02-16")
    assert holds(NOON, None, "2024-02-16")
    assert not holds(None, "2024-02-16T00:00:00", "2024-02-16")
    assert not holds("2024-02-17T00:00:00", None, "2024-02-16")


def test_one_supplier_follows_the_other_without_gap_or_overlap():
    before, after = Validity.of(None, "2024-02-16"), Validity.of("2024-02-17", None)
    for at, first, second in (("2024-02-16", True, False), ("2024-02-17", False, True)):
        assert (before.holds(Moment.of(at)), after.holds(Moment.of(at))) == (first, second)
    assert before.end == after.start


def test_a_validity_without_a_zone_meets_a_moment_with_one():
    """T01."""
    assert holds("2024-01-01T00:00:00", None, "2024-06-01T00:00:00+00:00")


def test_what_begins_later_does_not_hold_yet():
    """T03."""
    assert holds("2024-01-01", None, "2024-06-01")
    assert not holds("2025-01-01", None, "2024-06-01")


@pytest.mark.parametrize(
    "bounds",
    [
        ("2024-07-01T10:00:00.001Z", "2024-07-01T10:00:00.001Z"),
        ("2024-07-02", "2024-07-01"),
        ("2024-07-01T10:00:00+02:00", "2024-07-01T08:00:00Z"),
        ("2024-07-01", "2024-07-01T00:00:00"),
    ],
)
def test_an_empty_interval_never_holds(bounds: tuple[str, str]):
    """T05."""
    empty = Validity.of(*bounds)
    moments = [Moment.of(bounds[0]), Moment.of(bounds[1]), Moment.of("2024-07-01"), ANY_TIME]
    assert empty.is_empty
    assert not any(empty.holds(moment) or empty.has_begun(moment) for moment in moments)


def test_zones_count():
    """T06."""
    assert holds("2024-06-01T00:30:00+02:00", None, "2024-05-31T23:00:00Z")
    assert not holds("2024-06-01T00:30:00+02:00", None, "2024-05-31T22:29:00Z")
    assert holds(None, "2024-05-31T20:00:00-05:00", "2024-06-01T00:59:00Z")


@pytest.mark.parametrize("forever", ["9999-12-31", "9999-12-31T23:59:59.999999Z"])
def test_the_last_day_of_the_calendar_is_a_bound_like_another(forever: str):
    assert holds("2024-01-01", forever, "2024-06-01")
    assert holds("2024-01-01", forever, "9999-12-31")
    assert Validity.of(None, forever).last_day == "9999-12-31"
    assert holds("0001-01-01", None, "2024-06-01")
    assert Moment.of("9999-12-31").last_day == "9999-12-31"


def test_every_validity_that_is_not_empty_meets_any_time():
    assert Validity.of("2999-01-01", None).holds(ANY_TIME)
    assert Validity.of(None, "1000-01-01").holds(ANY_TIME)
    assert (ANY_TIME.day, ANY_TIME.last_day) == ("0001-01-01", "9999-12-31")


def test_a_period_has_a_first_and_a_last_day():
    period = Moment.between(date(2024, 2, 1), date(2024, 2, 29))
    assert (period.day, period.last_day, period.text) == (
        "2024-02-01", "2024-02-29", "2024-02-01/2024-02-29",
    )  # fmt: skip
    assert Moment.between(date(2024, 2, 1), date(2024, 2, 1)) == Moment.of("2024-02-01")
    assert [Validity.of(*bounds).holds(period) for bounds in [
        (None, "2024-01-31"), (None, "2024-02-01"), ("2024-02-29", None), ("2024-03-01", None),
    ]] == [False, True, True, False]  # fmt: skip


def test_what_has_begun_holds_now_or_held_before():
    june = Moment.of("2024-06-01")
    assert Validity.of("2024-06-01", None).has_begun(june)
    assert Validity.of("2024-06-01T23:00", None).has_begun(june)
    assert Validity.of(None, "2020-01-01").has_begun(june)
    assert not Validity.of("2024-06-02", None).has_begun(june)
    assert Validity.of(NOON, None).has_begun(Moment.of(NOON))


def test_the_days_of_a_validity_are_those_in_utc():
    assert Validity.of("2024-02-10", "2024-02-16").first_day == "2024-02-10"
    assert Validity.of("2024-02-10", "2024-02-16").last_day == "2024-02-16"
    assert Validity.of(None, "2024-02-16T00:00:00Z").last_day == "2024-02-15"
    assert Validity.of("2024-06-01T00:30:00+02:00", None).first_day == "2024-05-31"
    assert (ALWAYS.first_day, ALWAYS.last_day) == (None, None)


@given(st.lists(st.integers(0, 20), min_size=4, max_size=4))
def test_two_intervals_meet_when_they_share_an_instant(ticks: list[int]):
    a, b, c, d = ticks
    validity = Validity(a, b)
    shared = set(range(a, b)) & (set(range(c, d)) if c < d else {c})
    moment = Moment(c, max(c, d), "")
    assert validity.holds(moment) == bool(shared)

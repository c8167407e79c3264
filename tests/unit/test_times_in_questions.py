"""Days and periods in a question."""

from datetime import date
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trivium.domain.question import TimeExpression, TimeRelation
from trivium.language.text import is_word, tokenize, visible
from trivium.language.times import find_times, narrowed, period_of

TODAY = date(2024, 12, 1)


def times(text: str, today: date = TODAY) -> tuple[TimeExpression, ...]:
    seen = visible(text)
    return find_times(tuple(t for t in tokenize(seen) if is_word(t)), today, seen)


def read(text: str, today: date = TODAY) -> list[str]:
    return [time.moment.text for time in times(text, today)]


@pytest.mark.parametrize(
    "written",
    ["2024-02-16", "2024/02/16", "16 February 2024", "16th February 2024", "16th of February 2024",
     "16 of Feb 2024", "the 16th of February, 2024", "February 16, 2024", "February 16th 2024",
     "Feb 16th, 2024", "FEB 16 2024", "16. Feb. 2024", "16\u00a0Feb\u00a02024", "2024-2-16"],
)  # fmt: skip
def test_a_day_is_read_however_it_is_written(written: str):
    assert read(f"Who supplied it on {written}?") == ["2024-02-16"]


@pytest.mark.parametrize(
    ("written", "first", "last"),
    [
        ("2024", "2024-01-01", "2024-12-31"),
        ("February 2024", "2024-02-01", "2024-02-29"),
        ("Feb. 2023", "2023-02-01", "2023-02-28"),
        ("Sept 2024", "2024-09-01", "2024-09-30"),
        ("2024-02", "2024-02-01", "2024-02-29"),
        ("Q1 2024", "2024-01-01", "2024-03-31"),
        ("Q4 2025", "2025-10-01", "2025-12-31"),
        ("2025-Q4", "2025-10-01", "2025-12-31"),
        ("q2 2024", "2024-04-01", "2024-06-30"),
        ("May 2024", "2024-05-01", "2024-05-31"),
        ("march 2024", "2024-03-01", "2024-03-31"),
        ("this summer", "2024-06-01", "2024-08-31"),
        ("last winter", "2023-12-01", "2024-02-29"),
        ("the 1990s", "1990-01-01", "1999-12-31"),
        ("the 90s", "1990-01-01", "1999-12-31"),
        ("the twenties", "2020-01-01", "2029-12-31"),
        ("the twentieth century", "1901-01-01", "2000-12-31"),
        ("the 19th century", "1801-01-01", "1900-12-31"),
    ],
)
def test_a_period_runs_from_its_first_to_its_last_day(written: str, first: str, last: str):
    (time,) = times(f"What began in {written}?")
    assert (time.moment.day, time.moment.last_day) == (first, last)


@pytest.mark.parametrize(
    ("written", "period"),
    [
        ("last year", "2023-01-01/2023-12-31"),
        ("this year", "2024-01-01/2024-12-31"),
        ("last month", "2024-11-01/2024-11-30"),
        ("next quarter", "2025-01-01/2025-03-31"),
        ("this week", "2024-11-25/2024-12-01"),
        ("the last two weeks", "2024-11-18/2024-12-01"),
        ("the past 18 months", "2023-06-02/2024-12-01"),
        ("the next 3 years", "2024-12-02/2027-12-01"),
        ("two years ago", "2022-12-01"),
        ("yesterday", "2024-11-30"),
        ("New Year's Eve 2023", "2023-12-31"),
        ("New Year's Day", "2024-01-01"),
        ("the first of October this year", "2024-10-01"),
        ("2021 or later", "2021-01-01/2021-12-31"),
    ],
)
def test_a_period_is_told_from_today(written: str, period: str):
    (time,) = times(f"What began in {written}?")
    assert time.moment.text == period


@pytest.mark.parametrize(
    "written", ["last 999 years", "999 years ago", "last of the year", "2 years"]
)
def test_what_is_no_time_from_today_is_none(written: str):
    assert times(f"What began {written}?", today=date(900, 1, 1)) == ()


def test_a_month_that_is_too_short_ends_with_its_last_day():
    (time,) = times("two quarters ago", today=date(2024, 8, 31))
    assert time.moment.text == "2024-02-29"


@pytest.mark.parametrize(
    ("text", "today", "day"),
    [
        ("on 30 November", date(2024, 12, 1), "2024-11-30"),
        ("on 1 December", date(2024, 12, 1), "2024-12-01"),
        ("on 25 December", date(2024, 12, 1), "2023-12-25"),
        ("on December 25th", date(2024, 12, 1), "2023-12-25"),
        ("on the 2nd of March", date(2024, 3, 1), "2023-03-02"),
        ("on the 29th of February", date(2024, 12, 1), "2024-02-29"),
        ("on the 29th of February", date(2025, 12, 1), "2024-02-29"),
        ("on 29 Feb", date(2024, 2, 28), "2020-02-29"),
    ],
)
def test_a_day_without_a_year_is_the_last_one(text: str, today: date, day: str):
    assert read(text, today) == [day]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("in November", "2024-11-01"),
        ("in December", "2024-12-01"),
        ("since March", "2024-03-01"),
        ("in May", "2024-05-01"),
        ("until march", "2024-03-01"),
        ("during January", "2024-01-01"),
    ],
)
def test_a_month_without_a_year_is_the_last_one(text: str, first: str):
    (time,) = times(f"Which events began {text}?")
    assert time.moment.day == first


def test_a_month_to_come_is_that_of_last_year():
    assert times("in November", date(2024, 5, 1))[0].moment.day == "2023-11-01"


@pytest.mark.parametrize(
    "text",
    ["Who may sign the contract?", "What does the mar do?", "May I see it?", "march of events",
     "orders of 19 units", "in 1799 or 2150", "10 of 12", "", "?", "version 2.0.1", "7/8",
     "the second day", "how to march", "the seventh of nine"],
)  # fmt: skip
def test_other_words_and_numbers_are_no_times(text: str):
    assert read(text) == []


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("30 February 2024", "2024-02-01/2024-02-29"),
        ("Q5 2024", "2024-01-01/2024-12-31"),
        ("2024-13", "2024-01-01/2024-12-31"),
        ("in 2024 11 suppliers left", "2024-01-01/2024-12-31"),
        ("2024-11", "2024-11-01/2024-11-30"),
    ],
)
def test_what_makes_no_day_may_still_hold_a_period(text: str, moment: str):
    assert read(text) == [moment]


@pytest.mark.parametrize(
    ("text", "relation"),
    [
        ("before 2023", TimeRelation.BEFORE),
        ("until the end of 2023", TimeRelation.BEFORE),
        ("prior to March 2024", TimeRelation.BEFORE),
        ("after 16 February 2024", TimeRelation.AFTER),
        ("since March 2024", TimeRelation.SINCE),
        ("from 2023", TimeRelation.SINCE),
        ("in 2023", TimeRelation.ON),
        ("on 2024-02-16", TimeRelation.ON),
        ("as of 2024-02-16", TimeRelation.ON),
        ("2023", TimeRelation.ON),
        ("Before it failed, in 2023", TimeRelation.ON),
    ],
)
def test_the_word_before_a_time_bounds_it(text: str, relation: TimeRelation):
    (time,) = times(text)
    assert time.relation is relation


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("at the end of 2023", "2023-12-31"),
        ("at the end of February 2024", "2024-02-29"),
        ("at the start of Q2 2024", "2024-04-01"),
        ("at the beginning of 2024", "2024-01-01"),
    ],
)
def test_an_end_or_a_start_is_a_day(text: str, day: str):
    tokens = tuple(t for t in tokenize(text) if is_word(t))
    (time,) = find_times(tokens, TODAY)
    assert narrowed(time, tokens).text == day


def test_a_time_is_as_wide_as_it_is_said():
    tokens = tuple(t for t in tokenize("in 2023") if is_word(t))
    (time,) = find_times(tokens, TODAY)
    assert narrowed(time, tokens) == time.moment


def test_several_times_come_in_their_order():
    text = "Compare 2023 with Q1 2024, and with the 16th of February 2024."
    assert read(text) == ["2023-01-01/2023-12-31", "2024-01-01/2024-03-31", "2024-02-16"]
    spans = [time.span for time in times(text)]
    assert all(a.last <= b.first for a, b in pairwise(spans))


def test_a_time_covers_its_own_words():
    text = "Who supplied it on the 16th of February 2024, please?"
    tokens = tuple(t for t in tokenize(text) if is_word(t))
    (time,) = find_times(tokens, TODAY)
    assert [tokens[i].lower for i in time.span] == ["16", "th", "of", "february", "2024"]


# --- stored values -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("2025-Q4", "2025-10-01/2025-12-31"),
        ("Q4 2025", "2025-10-01/2025-12-31"),
        ("2024-02-16", "2024-02-16"),
        ("2024-02", "2024-02-01/2024-02-29"),
        ("2024", "2024-01-01/2024-12-31"),
        ("May 2024", "2024-05-01/2024-05-31"),
        ("16 February 2024", "2024-02-16"),
    ],
)
def test_a_stored_value_names_a_period(value: str, text: str):
    moment = period_of(value)
    assert moment is not None
    assert moment.text == text


@pytest.mark.parametrize(
    "value",
    [
        "soon",
        "",
        "2024-13",
        "2024-02-30",
        "Q5 2024",
        "2024-02-16 and more",
        "12",
        "-",
        "Q4",
        "16 February",
        "May",
        "May 10",
    ],
)
def test_another_value_names_none(value: str):
    assert period_of(value) is None


@pytest.mark.parametrize(
    ("text", "today"),
    [
        ("how was it yesterday?", date.min),
        ("who joined in February?", date.min),
        ("last year", date.min),
        ("the past 3 months", date.min),
        ("in May", date.min),
        ("next year", date.max),
        ("May next year", date.max),
        ("the next 2 weeks", date.max),
    ],
)
def test_a_time_beyond_the_calendar_is_none(text: str, today: date):
    assert read(text, today) == []


@pytest.mark.parametrize(
    ("value", "moment"),
    [("Q2 2024", "2024-04-01/2024-06-30"), ("May next year 2024", None)],
)
def test_a_value_names_its_own_year_or_no_time(value: str, moment: str | None):
    found = period_of(value)
    assert (found and found.text) == moment


# --- any text ------------------------------------------------------------------------------------

piece = st.sampled_from(
    ["2024", "16", "31", "feb", "May", "march", "of", "th", "Q", "Q4", "-", "/", "before", "end",
     "0", "00", "፩", "²", "①", "٣", "1.5", "1,500", "9999", "yesterday", "last", "next", "year",
     "past", "3", "weeks", "ago", "summer"]
)  # fmt: skip


@given(st.lists(piece | st.text(max_size=4), max_size=8).map(" ".join), st.dates())
def test_any_text_can_be_read(text: str, today: date):
    tokens = tuple(t for t in tokenize(visible(text)) if is_word(t))
    last = 0
    for time in find_times(tokens, today):
        assert last <= time.span.first < time.span.last <= len(tokens)
        assert time.moment.start < time.moment.end
        assert narrowed(time, tokens).start >= time.moment.start
        last = time.span.last


@given(st.lists(piece | st.text(max_size=4), max_size=5).map(" ".join))
def test_any_value_can_be_read(text: str):
    moment = period_of(text)
    assert moment is None or moment.start < moment.end


@given(st.dates(date(1900, 1, 1), date(2099, 12, 31)))
def test_every_day_is_read_as_itself(day: date):
    for text in (day.isoformat(), f"{day:%d %B %Y}", f"{day:%B %d, %Y}", f"{day:%d %b %Y}"):
        assert read(f"on {text}") == [day.isoformat()]


@given(st.dates(date(1950, 1, 1)))
def test_a_day_without_a_year_is_never_ahead(today: date):
    for text in ("on 25 December", "on the 29th of February", "on 1 January", "on June 30th"):
        (day,) = read(text, today)
        assert day <= today.isoformat()

"""Markers, numbers and links of a text that a model wrote."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthesis.citing import check, links_supported, numbers_supported, renumbered

MARKERISH = st.text(alphabet="[]0123456789, .\n", max_size=60)
WORDS = st.text(alphabet="ab .\n[](),-", max_size=30)
MARKERS = st.frozensets(st.integers(0, 12), max_size=5)
COUNTS = st.integers(0, 10**12)


def test_known_markers_stay_and_unknown_ones_go_with_their_space():
    checked = check("Due in 25 days [1]. Late [9][2] now [7].", {1, 2})

    assert checked.text == "Due in 25 days [1]. Late [2] now."
    assert (checked.used, checked.removed) == ((1, 2), (9, 7))


def test_a_list_of_markers_becomes_single_ones():
    assert check("Both [1, 9,2].", {1, 2}).text == "Both [1][2]."


def test_a_marker_at_the_start_leaves_no_space():
    assert check("[9] So it is [1].", {1}).text == "So it is [1]."


def test_a_removal_cannot_form_another_unknown_marker():
    checked = check("Odd [[9]8].", {1})

    assert checked.text == "Odd."
    assert checked.removed == (9, 8)


def test_markers_are_numbered_in_the_order_in_which_they_come():
    checked = check("Old [7][2]. New [4, 7]: a[i], [1234567].", {2, 4, 7})

    assert renumbered(checked.text, checked.used) == "Old [1][2]. New [3][1]: a[i], [1234567]."


def test_brackets_that_are_no_markers_stay():
    text = "a[i], [x], [1.5], [1234567], [] [1]"

    assert check(text, {1}).text == text


@given(MARKERISH, MARKERS)
def test_checking_twice_changes_nothing_more(text: str, markers: frozenset[int]):
    once = check(text, markers)
    twice = check(once.text, markers)

    assert (twice.text, twice.used, twice.removed) == (once.text, once.used, ())


@given(MARKERISH, MARKERS)
def test_only_known_markers_are_used_and_only_unknown_ones_removed(
    text: str, markers: frozenset[int]
):
    checked = check(text, markers)

    assert set(checked.used) <= markers
    assert all(f"[{n}]" in checked.text for n in checked.used)
    assert markers.isdisjoint(checked.removed)


@given(st.text(max_size=60), MARKERS)
def test_a_text_without_brackets_is_left_as_it_is(text: str, markers: frozenset[int]):
    text = text.replace("[", "(")

    assert check(text, markers).text == text


@pytest.mark.parametrize(
    ("text", "evidence"),
    [
        ("1,250 units", "1250"),
        ("1250", "stock: 1,250"),
        ("1\u202f250\u00a0000", "1250000"),
        ("25", "25.0"),
        ("2.50 %", "rose by 2.5 percent"),
        (".5", "0.5"),
        ("from 3 to 5", "3-5 days"),
        ("a fall of 5", "-5"),
        ("\u22125", "-5"),
        ("It ends in 2024.", "ends 2024-02-16"),
        ("On 2024-02-16", "2024-02-16T10:00:00Z"),
        ("CMP-010 is late", "the part CMP-010"),
        ("CMP-010-based", "CMP-010"),
        ("A320-200", "an A320-200 wing"),
        ("Sure [1], and [2, 3].", "nothing"),
        ("1. 2. 3", "1, 2, 3"),
        ("25kg", "25 kg"),
        ("none at all", ""),
    ],
)
def test_numbers_that_the_evidence_has(text: str, evidence: str):
    assert numbers_supported(text, ["other", evidence]) == ()


@pytest.mark.parametrize(
    ("text", "evidence", "missing"),
    [
        ("45 days", "60 days", ("45",)),
        ("500", "12,500", ("500",)),
        ("12", "12,500", ("12",)),
        ("-5", "5", ("-5",)),
        ("2024-02-17", "2024-02-16", ("2024-02-17",)),
        ("16 of them", "2024-02-16", ("16",)),
        ("10", "CMP-010", ("10",)),
        ("CMP-011", "CMP-010, 11", ("CMP-011",)),
        ("1.5 and 1.5 and 7", "15", ("1.5", "7")),
        ("\u0664\u0665", "60", ("\u0664\u0665",)),
        ("[1] 3", "[3]", ("3",)),
        ("0.3", "0.30000000000000000000000000000001", ("0.3",)),
        ("0.30000000000000000000000000000001", "0.3", ("0.30000000000000000000000000000001",)),
    ],
)
def test_numbers_that_the_evidence_has_not(text: str, evidence: str, missing: tuple[str, ...]):
    assert numbers_supported(text, [evidence]) == missing


@given(st.lists(COUNTS, min_size=1, max_size=5), st.data())
def test_a_number_is_the_same_however_it_is_written(numbers: list[int], data: st.DataObject):
    forms = st.sampled_from(["{}", "{:,}", "{}.0", "{:,}.00"])
    written = [data.draw(forms).format(n) for n in numbers]
    evidence = [f"about {data.draw(forms).format(n)} pieces" for n in numbers]

    assert numbers_supported(f"There are {'; '.join(written)} [1].", evidence) == ()


@given(st.sets(COUNTS, min_size=1, max_size=5), COUNTS)
def test_a_number_is_refused_exactly_when_no_evidence_has_it(evidence: set[int], number: int):
    texts = [f"{n:,} pieces" for n in evidence]

    expected = () if number in evidence else (str(number),)
    assert numbers_supported(f"It is {number}.", texts) == expected


@given(st.dates(), st.dates())
def test_a_date_is_refused_exactly_when_it_is_another(one: object, other: object):
    expected = () if one == other else (str(one),)

    assert numbers_supported(f"Since {one}.", [f"since {other}"]) == expected


@given(st.text(max_size=80))
def test_a_text_supports_itself(text: str):
    assert numbers_supported(text, [text]) == ()
    assert links_supported(text, [text]) == ()


@given(WORDS, WORDS, st.integers(0, 999))
def test_markers_do_not_count_as_numbers(before: str, after: str, marker: int):
    assert numbers_supported(f"{before} [{marker}] {after}", []) == ()


@pytest.mark.parametrize(
    "text",
    [
        "See https://evil.example/a.",
        "See HTTPS://evil.example",
        "[here](https://evil.example)",
        "[here](//evil.example)",
        "[here](javascript:alert(1))",
        "[1](evil)",
        "[1]: //evil.example",
        "![x](pixel.png)",
        "![x](https://good.example/doc)",
        "![x][y]",
        '<img src="x">',
        "<script>",
        "<a href=x",
        "www.evil.example",
        "evil.example/path",
        "mailto:me@evil.example",
        "data:text/html,x",
        "https://good.example/doc?secret=1",
        "https://good.example/do",
    ],
)
def test_links_images_and_tags_from_nowhere_are_found(text: str):
    assert links_supported(text, ["Read https://good.example/doc, all of it."])


@pytest.mark.parametrize(
    "text",
    [
        "Read https://good.example/doc.",
        "[the guide](https://good.example/doc)",
        "![plan](plan.png)",
        "Plain [1] (see there) and/or x < y: 3/4, e.g. data: none.",
    ],
)
def test_links_and_images_of_the_evidence_may_be_shown(text: str):
    assert links_supported(text, ["(https://good.example/doc)", "a ![plan](plan.png)"]) == ()


@pytest.mark.parametrize("part", [" ", "A-", "1,111", "[", "![", "<a", "a.", "](", "[1,", "\t[9"])
def test_long_hostile_texts_take_no_long_time(part: str):
    text = part * 20_000
    start = time.monotonic()

    numbers_supported("1", [text])
    links_supported("www.x.example", [text])

    assert time.monotonic() - start < 2.0

"""The paper's measures, against values worked out by hand."""

import pytest

from bench.scoring import (
    Grade,
    causal_coverage,
    completeness,
    entity_f1,
    grade_of,
    kappa,
    ranking_accuracy,
    told_completeness,
)

COMPARED = {
    "a": "p1",
    "b": "p2",
    "depth": [3, 2],
    "counts": {"Maker": [8, 1]},
    "shared": {"Maker": ["m1", "m2"]},
}
"""Two pairs of figures and two shared entities: four parts."""


@pytest.mark.parametrize(
    ("gold", "named", "f1"),
    [
        ("ab", "ab", 1.0),
        ("abc", "ad", 0.4),  # precision 1/2, recall 1/3
        ("ab", "abcdef", 0.5),  # precision 1/3, recall 1
        ("ab", "", 0.0),
        ("", "", 1.0),
        ("", "a", 0.0),
    ],
)
def test_entity_f1_is_the_harmonic_mean_of_precision_and_recall(gold: str, named: str, f1: float):
    assert entity_f1(gold, named) == pytest.approx(f1)


def test_levels_are_those_of_the_paper():
    levels = [grade_of(f1) for f1 in (1.0, 0.9, 0.89, 0.3, 0.29)]
    assert levels == [Grade.CORRECT, Grade.CORRECT, Grade.PARTIAL, Grade.PARTIAL, Grade.FAIL]


@pytest.mark.parametrize(
    ("order", "share"),
    [
        (["a", "b", "c", "d"], 1.0),
        (["a", "c", "b", "d"], 1.0),  # b and c tie in gold: not asked
        (["d", "c", "b", "a"], 0.0),
        (["a"], 3 / 5),  # a before all three; of b, c and d it names none
        (["b", "a", "c", "d"], 4 / 5),
        (["a", "b", "a", "c", "d"], 1.0),  # the first place counts
        ([], 0.0),
    ],
)
def test_ranking_accuracy_is_the_share_of_pairs_in_the_right_order(order: list[str], share: float):
    gold = [("a", 3), ("b", 2), ("c", 2), ("d", 1)]
    assert ranking_accuracy(gold, order) == pytest.approx(share)


def test_causal_coverage_is_a_recall_and_none_is_an_answer():
    assert causal_coverage("abcd", "abx") == 0.5
    assert causal_coverage("", "") == 1.0
    assert causal_coverage("", "x") == 0.0


@pytest.mark.parametrize(
    ("comparison", "share"),
    [
        ({**COMPARED, "values": {"other": [5, 6]}}, 1.0),
        ({"a": "p2", "b": "p1", "counts": {"Maker": [1, 8]}}, 1 / 4),  # the other way round
        ({"a": "p1", "b": "p2", "counts": {"Maker": [1, 8]}}, 0.0),
        ({"a": "p1", "b": "p2", "values": {"depth": [3, 2]}, "shared": {"Maker": ["m2"]}}, 2 / 4),
        ({}, 0.0),
    ],
)
def test_completeness_is_the_share_of_a_comparisons_parts(comparison: dict, share: float):  # type: ignore[type-arg]  # JSON
    assert completeness(COMPARED, comparison) == pytest.approx(share)


@pytest.mark.parametrize(
    ("text", "named", "share"),
    [
        ("depth: 3 against 2\n8 makers for one and 1 for the other", ["m1", "m2"], 1.0),
        ("3 against 2\nmakers: 8\nmakers: 1", [], 0.0),  # no line has a name and both figures
        ("depth: 3 against 2", ["m1"], 2 / 4),
        ("", [], 0.0),
    ],
)
def test_completeness_of_a_text_wants_a_name_and_both_figures_in_a_line(
    text: str, named: list[str], share: float
):
    assert told_completeness(COMPARED, text, named) == pytest.approx(share)


def test_kappa_takes_out_what_chance_explains():
    first = [True] * 25 + [True] * 10 + [False] * 15 + [False] * 50
    second = [True] * 25 + [False] * 10 + [True] * 15 + [False] * 50
    # agreed 0.75; by chance 0.35 × 0.40 + 0.65 × 0.60 = 0.53
    assert kappa(first, second) == pytest.approx((0.75 - 0.53) / 0.47)
    assert kappa("CPF", "CPF") == 1.0
    assert kappa([1, 0], [0, 1]) == -1.0
    assert kappa([1, 1], [1, 0]) == 0.0
    assert kappa([1, 1], [1, 1]) is None
    assert kappa([], []) is None

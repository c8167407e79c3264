"""Measures of an answer as the paper has them, and of how far two scorers agree.

The paper scores by the entities that an answer's text names (Section VI-C), and finds that this
underrates answers about structure; it asks for ranking accuracy, structural completeness and
causal coverage instead (Section VIII) and gives no formula for them. Those here are ours, each in
its docstring; all lie between 0 and 1.
"""

from collections import Counter
from collections.abc import Collection, Hashable, Mapping, Sequence
from enum import StrEnum
from itertools import combinations
from math import inf
from typing import Any, Final

from trivium.app.grading import pairs_of, same_pair, sets_of
from trivium.app.suite import stands

_CORRECT: Final = 0.9
_PARTIAL: Final = 0.3
"""Source: the paper's Section VI-C."""

Json = Any  # whatever JSON holds


class Grade(StrEnum):
    """The paper's three levels."""

    CORRECT = "C"
    PARTIAL = "P"
    FAIL = "F"


def entity_f1(gold: Collection[str], named: Collection[str]) -> float:
    """Return the harmonic mean of precision and recall over sets of entities.

    Where nothing is asked for, an answer that names nothing scores 1, any other 0.
    Source: the paper's Section VI-C.

    >>> entity_f1({"a", "b"}, {"b", "c", "d"}), entity_f1((), ())
    (0.4, 1.0)
    """
    wanted, found = set(gold), set(named)
    if not wanted or not found:
        return float(wanted == found)
    return 2 * len(wanted & found) / (len(wanted) + len(found))


def grade_of(f1: float) -> Grade:
    """Return the level of an entity F1.

    >>> [grade_of(f1).value for f1 in (0.9, 0.3, 0.29)]
    ['C', 'P', 'F']
    """
    if f1 >= _CORRECT:
        return Grade.CORRECT
    return Grade.PARTIAL if f1 >= _PARTIAL else Grade.FAIL


def ranking_accuracy(gold: Sequence[tuple[str, float]], order: Sequence[str]) -> float:
    """Return the share of pairs with different numbers in gold that ``order`` has the right way.

    ``gold`` holds entities with their numbers, the first the highest or the lowest; ``order`` the
    entities of an answer, the first of it first. What it does not name stands below all that it
    does; a pair of which it names neither is wrong. Where gold ties all, any order is right.

    >>> ranking_accuracy([("a", 3), ("b", 2), ("c", 1)], ["a", "c", "b"])
    0.6666666666666666
    """
    place = {key: n for n, key in reversed(list(enumerate(order)))}
    asked = [(a, b) for (a, x), (b, y) in combinations(gold, 2) if x != y]
    right = [place.get(a, inf) < place.get(b, inf) for a, b in asked]
    return sum(right) / len(right) if right else 1.0


def causal_coverage(gold: Collection[str], named: Collection[str]) -> float:
    """Return the share of the causes and effects in gold that an answer names.

    Where there is none, an answer that names none scores 1, any other 0.
    """
    wanted = set(gold)
    return len(wanted & set(named)) / len(wanted) if wanted else float(not named)


def completeness(gold: Mapping[str, Json], comparison: Mapping[str, Json]) -> float:
    """Return the share of a comparison's parts in gold that a structured one has.

    Parts are each pair of figures, and each entity that the two have in common. A pair is found by
    its figures, whatever they are called, as ``trivium.app.grading`` finds it.
    """
    got = list(pairs_of(comparison))
    is_swapped = comparison.get("a") == gold.get("b")
    wanted = [pair[::-1] if is_swapped else pair for pair in pairs_of(gold)]
    held = set().union(*sets_of(comparison.get("shared", {})))
    shared = set().union(*sets_of(gold.get("shared", {})))
    found = [any(same_pair(pair, other) for other in got) for pair in wanted]
    return _share([*found, *(key in held for key in shared)])


def told_completeness(gold: Mapping[str, Json], text: str, named: Collection[str]) -> float:
    """Return the same of a text: a pair is found where one line has its name and both figures."""
    lines = text.splitlines()
    figures = {**gold, **gold.get("counts", {}), **gold.get("values", {})}
    found = [
        any(_is_named(key, line) and all(stands(line, v) for v in pair) for line in lines)
        for key, pair in figures.items()
        if isinstance(pair, list) and list(pairs_of(pair))
    ]
    shared = set().union(*sets_of(gold.get("shared", {})))
    return _share([*found, *(key in named for key in shared)])


def _is_named(key: str, line: str) -> bool:
    return key.casefold().removesuffix("s") in line.casefold()


def _share(found: Sequence[bool]) -> float:
    return sum(found) / len(found) if found else 1.0


def kappa(first: Sequence[Hashable], second: Sequence[Hashable]) -> float | None:
    """Return Cohen's κ of two scorers that judged the same things, 1 for full agreement.

    ``None`` where chance alone explains everything: each gave one and the same verdict throughout.
    Source: Cohen (1960); the paper's Section V-H.

    >>> kappa([1, 1, 0, 0], [1, 0, 0, 0])
    0.5
    """
    n = len(first)
    agreed = sum(a == b for a, b in zip(first, second, strict=True)) / n if n else 1.0
    counts, others = Counter(first), Counter(second)
    by_chance = sum(counts[key] * others[key] for key in counts) / n**2 if n else 1.0
    return (agreed - by_chance) / (1 - by_chance) if by_chance < 1 else None

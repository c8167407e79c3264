"""Grades a structured answer against a row's gold: exact, or wrong.

Counts are exact; 0.01 is allowed on scores and averages. Members of a set come in any order, and so
do members of a ranking that have the same number. A superlative may be answered by a ranking: its
leaders are then the set. A comparison must hold every pair of figures and every shared set of the
gold, in a few pairs: a dump of everything is no answer.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

_TOLERANCE: Final = 0.0101
_ABSENT: Final = frozenset({"unknown_entity", "not_in_schema", "no_evidence"})
"""Reasons that say the same in different words: it is not there."""
_FEW_PAIRS: Final = 9

Json = Any  # whatever JSON holds
Result = Mapping[str, Json]


def is_right(gold: Mapping[str, Json], result: Result, reason: str | None) -> bool:
    """Whether a result, or an abstention for ``reason``, is what ``gold`` asks for."""
    if gold.get("abstain"):
        return _is_right_abstention(gold.get("reason"), reason)
    if reason is not None:
        return False
    for key, grade in _GRADES.items():
        if key in gold:
            verdict = grade(gold, result)
            if verdict is not None:
                return verdict
    return False


def _is_right_abstention(wanted: str | None, reason: str | None) -> bool:
    if reason is None:
        return False
    return wanted is None or reason == wanted or {wanted, reason} <= _ABSENT


def _near(a: Json, b: Json) -> bool:
    try:
        return abs(float(a) - float(b)) <= _TOLERANCE
    except (TypeError, ValueError):
        return False


def members(result: Result) -> list[str] | None:
    """Return the entities that a result stands for, sorted; ``None`` when it names none."""
    kind = result.get("kind")
    if kind in {"nodes", "boolean"}:
        return sorted(set(result.get("ids") or []))
    if kind == "ranking" and result.get("ranking"):
        pairs = result["ranking"]
        return sorted({key for key, value in pairs if _near(value, pairs[0][1])})
    if kind == "values":
        return sorted({value.get("entity") for value in result.get("values", [])})
    return None


def _truth(gold: Mapping[str, Json], result: Result) -> bool:
    is_same = result.get("kind") == "boolean" and result.get("value") is gold["bool"]
    return is_same and (not gold.get("ids") or members(result) == sorted(gold["ids"]))


def _ranking(gold: Mapping[str, Json], result: Result) -> bool | None:
    if result.get("kind") != "ranking":
        return None
    got, wanted = result.get("ranking") or [], gold["ranking"]
    value = dict(map(tuple, wanted))
    is_whole = len(got) == len(wanted) and {key for key, _ in got} == set(value)
    is_same = (
        is_whole
        and all(_near(number, value[key]) for key, number in got)
        and all(_near(value[g[0]], w[1]) for g, w in zip(got, wanted, strict=True))
    )
    return is_same or ("ids" in gold and members(result) == sorted(gold["ids"]))


def _leaders(gold: Mapping[str, Json], result: Result) -> bool | None:
    return members(result) == sorted(gold["top"]) if result.get("kind") == "nodes" else None


def _set(gold: Mapping[str, Json], result: Result) -> bool:
    return members(result) == sorted(set(gold["ids"]))


def _number(gold: Mapping[str, Json], result: Result) -> bool:
    return result.get("kind") == "number" and _near(result.get("number"), gold["number"])


def _path(gold: Mapping[str, Json], result: Result) -> bool:
    wanted = gold["path"]
    ways = wanted if wanted and isinstance(wanted[0], list) else [wanted]
    got = result.get("path") or []
    return result.get("kind") == "path" and (got in ways or got[::-1] in ways)


def _day(gold: Mapping[str, Json], result: Result) -> bool:
    return str(result.get("date") or "")[:10] == str(gold["date"])


def _comparison(gold: Mapping[str, Json], result: Result) -> bool:
    got, wanted = result.get("comparison") or {}, gold["compare"]
    pairs = list(pairs_of(got))
    if not got or len(pairs) > max(_FEW_PAIRS, 3 * len(list(pairs_of(wanted)))):
        return False
    is_swapped = got.get("a") == wanted.get("b")
    figures = [pair[::-1] if is_swapped else pair for pair in pairs_of(wanted)]
    rest = {key: value for key, value in wanted.items() if key not in {"a", "b"}}
    texts = [value for value in rest.values() if isinstance(value, str)]
    said = json.dumps(got).casefold()
    sets = list(sets_of(got))
    return (
        all(any(same_pair(pair, other) for other in pairs) for pair in figures)
        and all(text.casefold() in said for text in texts)
        and all(group in sets for group in sets_of(rest))
    )


def same_pair(a: tuple[Json, Json], b: tuple[Json, Json]) -> bool:
    """Whether two pairs hold the same figures, as near as is allowed."""
    return all(_near(x, y) or x == y for x, y in zip(a, b, strict=True))


def pairs_of(value: Json) -> Iterator[tuple[Json, Json]]:
    """Give every pair of figures in nested JSON."""
    if isinstance(value, dict):
        for item in value.values():
            yield from pairs_of(item)
    elif isinstance(value, list):
        if len(value) == 2 and all(item is None or isinstance(item, int | float) for item in value):
            yield (value[0], value[1])
        for item in value:
            yield from pairs_of(item)


def sets_of(value: Json) -> Iterator[frozenset[str]]:
    """Give every list of texts in the values of nested JSON objects."""
    if isinstance(value, dict):
        for item in value.values():
            yield from sets_of(item)
    elif isinstance(value, list) and value and all(isinstance(item, str) for item in value):
        yield frozenset(value)


_GRADES: Final = {
    "bool": _truth,
    "ranking": _ranking,
    "top": _leaders,
    "ids": _set,
    "number": _number,
    "path": _path,
    "date": _day,
    "compare": _comparison,
}

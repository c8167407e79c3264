"""Says a result of the graph in sentences, with names beside ids."""

from collections.abc import Callable, Sequence
from typing import Final, assert_never

from trivium.domain.result import (
    Comparison,
    Day,
    Nodes,
    Number,
    Paths,
    Prose,
    Ranking,
    Result,
    Truth,
    Values,
    tidy,
)
from trivium.language.text import spoken

_MAX_LISTED: Final = 40

Name = Callable[[str], str]
"""Gives what to call an entity by its id."""


def say(result: Result, name: Name) -> str:  # noqa: C901  # a branch a result kind
    """Return one or more sentences that say ``result``."""
    match result:
        case Nodes():
            return _listed(result.ids, name) if result.ids else "None: nothing fits."
        case Ranking():
            return _ranked(result.pairs, name)
        case Number():
            is_share = result.unit in {"%", "percent"}
            unit = "%" if is_share else f" {result.unit}" if result.unit else ""
            return f"{_figure(result.number)}{unit}."
        case Truth():
            word = "Yes" if result.value else "No"
            return f"{word}: {_listed(result.ids, name)}" if result.ids else f"{word}."
        case Day():
            return f"{result.date}."
        case Paths():
            return _paths(result, name)
        case Comparison():
            return _compared(result, name)
        case Values() | Prose():
            return "The graph holds no value for this."
        case _ as unreachable:
            assert_never(unreachable)


def _figure(number: float) -> str:
    return f"{tidy(number):,}"


def _called(node_id: str, name: Name) -> str:
    label = name(node_id)
    return f"{label} ({node_id})" if label != node_id else node_id


def _listed(ids: Sequence[str], name: Name) -> str:
    shown = [_called(node_id, name) for node_id in ids[:_MAX_LISTED]]
    rest = len(ids) - len(shown)
    if rest > 0:
        return ", ".join(shown) + f", and {rest} more."
    return (", ".join(shown[:-1]) + " and " if shown[1:] else "") + shown[-1] + "."


def _ranked(pairs: Sequence[tuple[str, float]], name: Name) -> str:
    if not pairs:
        return "None: nothing fits."
    lines = [
        f"{place}. {_called(node_id, name)}: {_figure(round(score, 4))}"
        for place, (node_id, score) in enumerate(pairs[:_MAX_LISTED], start=1)
    ]
    return "\n".join(lines)


def _paths(result: Paths, name: Name) -> str:
    if not result.paths:
        return "They are not connected."
    lines = [" → ".join(_called(n, name) for n in path) for path in result.paths[:10]]
    if len(lines) == 1:
        return f"{lines[0]}."
    return f"{len(result.paths)} ways are equally short:\n" + "\n".join(f"- {x}" for x in lines)


def _compared(result: Comparison, name: Name) -> str:
    a, b = name(result.a), name(result.b)
    lines = [f"{a} against {b}:"]
    for key, (x, y) in result.counts.items():
        more = f" (more: {a if x > y else b})" if x != y else ""
        lines.append(f"- {spoken(key)}: {x} against {y}{more}")
    for key, (v, w) in result.values.items():
        lines.append(f"- {spoken(key)}: {_value(v)} against {_value(w)}")
    for key, ids in result.shared.items():
        if key in {"higher", "lower"}:
            lines.append(f"- {key}: {', '.join(_called(n, name) for n in ids)}")
        elif ids:
            shared = ", ".join(_called(n, name) for n in ids[:_MAX_LISTED])
            lines.append(f"- {spoken(key)} in common: {shared}")
    return "\n".join(lines)


def _value(value: object) -> str:
    if value is None:
        return "not known"
    return _figure(round(value, 4)) if isinstance(value, (int, float)) else str(value)

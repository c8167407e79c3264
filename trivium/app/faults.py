"""What is wrong with a value that came in, in words: what is allowed, and what was given."""

from collections.abc import Mapping
from typing import Any, Final

_LONGEST: Final = 40
"""Characters of what was given that are said again."""
_KINDS: Final = {
    "string_type": "a text",
    "bool_type": "true or false",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "finite_number": "a finite number",
    "list_type": "a list",
    "dict_type": "an object",
    "model_type": "an object",
    "model_attributes_type": "an object",
}
_PARSED: Final = {
    "bool_parsing": "true or false",
    "int_parsing": "a whole number",
    "float_parsing": "a number",
}
_BOUNDS: Final = {
    "greater_than_equal": ("ge", "at least"),
    "greater_than": ("gt", "more than"),
    "less_than_equal": ("le", "at most"),
    "less_than": ("lt", "less than"),
}


def said(fault: Mapping[str, Any]) -> str:  # Any: pydantic's own form
    """Return one of pydantic's faults in words; an unknown kind in pydantic's.

    >>> said({"type": "enum", "input": "rags", "ctx": {"expected": "'cag' or 'rag'"}, "msg": ""})
    "must be 'cag' or 'rag', not 'rags'"
    >>> said({"type": "string_too_long", "input": "abc", "ctx": {"max_length": 2}, "msg": ""})
    'has 3 characters; 2 are taken at most'
    """
    kind, given, context = fault["type"], fault.get("input"), fault.get("ctx") or {}
    if kind == "missing":
        return "is missing"
    if kind in {"enum", "literal_error"}:
        return f"must be {context['expected']}, not {shown(given)}"
    if kind in _KINDS or kind in _PARSED:
        return f"must be {_KINDS.get(kind) or _PARSED[kind]}, not {shown(given)}"
    if kind in _BOUNDS:
        key, words = _BOUNDS[kind]
        return f"must be {words} {_number(context[key])}, not {shown(given)}"
    return _of_length(kind, given, context) or str(fault["msg"]).removeprefix("Value error, ")


def _of_length(kind: str, given: object, context: Mapping[str, Any]) -> str | None:
    """Say what is too long or too short, and how long it may be."""
    if not isinstance(given, str | list):
        return None
    what = "characters" if isinstance(given, str) else "items"
    n_given = f"{len(given):,} {what if len(given) != 1 else what[:-1]}"
    if kind in {"string_too_long", "too_long"}:
        most = context["max_length"]
        return f"has {n_given}; {most:,} {'is' if most == 1 else 'are'} taken at most"
    if kind in {"string_too_short", "too_short"}:
        least = context["min_length"]
        return f"has {n_given}; at least {least:,} {'is' if least == 1 else 'are'} needed"
    return None


def shown(given: object) -> str:
    """Return what was given as JSON would say it, cut short; of a list or an object, its kind.

    >>> shown("x" * 50) == repr("x" * 40 + "…"), shown(None), shown([1]), shown(True), shown(2)
    (True, 'null', 'a list', 'true', '2')
    """
    match given:
        case None:
            return "null"
        case bool():
            return str(given).casefold()
        case str():
            return repr(given if len(given) <= _LONGEST else f"{given[:_LONGEST]}…")
        case int() | float():
            return repr(given)[:_LONGEST]
        case list():
            return "a list"
        case _:
            return "an object"


def _number(bound: float) -> str:
    return f"{bound:,g}" if isinstance(bound, float) else f"{bound:,}"

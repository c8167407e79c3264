"""Whether a value is of the kind that an operator's signature names."""

from collections.abc import Sequence
from types import UnionType
from typing import Literal, Union, get_args, get_origin


def fits(value: object, hint: object, *, later: type) -> bool:
    """Return whether ``value`` is of the kind that the annotation ``hint`` names.

    What is of the class ``later`` stands for a value that is not known yet, and fits.

    >>> fits(("a", "b"), tuple[str, ...], later=bytes), fits("ab", tuple[str, ...], later=bytes)
    (True, False)
    """
    if isinstance(value, later) or hint is object:
        return True
    origin, parts = get_origin(hint), get_args(hint)
    if origin in {UnionType, Union}:
        return any(fits(value, part, later=later) for part in parts)
    if origin is Literal:
        return value in parts
    if origin in {tuple, Sequence}:
        return isinstance(value, tuple) and _all_fit(value, parts, later=later)
    if isinstance(value, bool) and hint in {int, float}:
        return False
    if hint is float:
        return isinstance(value, (int, float))
    return isinstance(value, hint) if isinstance(hint, type) else callable(value)


def _all_fit(values: tuple[object, ...], parts: tuple[object, ...], *, later: type) -> bool:
    """Whether each of ``values`` is of its kind: one kind for all, or one each."""
    is_each = len(parts) > 1 and parts[-1] is not Ellipsis
    hints = parts if is_each else parts[:1] * len(values)
    return len(values) == len(hints) and all(
        fits(value, hint, later=later) for value, hint in zip(values, hints, strict=True)
    )

"""What the calls of a model cost together."""

from collections.abc import Mapping, Sequence


def added(usages: Sequence[Mapping[str, object]]) -> dict[str, object]:
    """Return the tokens of all calls, and the model that was called last.

    >>> added([{"model": "a", "input_tokens": 1}, {}, {"model": "b", "input_tokens": 2}])
    {'model': 'b', 'input_tokens': 3}
    """
    total: dict[str, object] = {}
    for usage in usages:
        for key, value in usage.items():
            before = total.get(key)
            is_count = isinstance(before, int) and isinstance(value, int)
            total[key] = before + value if is_count else value  # type: ignore[operator]  # seen above
    return total

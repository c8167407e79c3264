"""Reads YAML that nobody vouches for: plain values alone, and no more of them than were written."""

from typing import Final

import yaml

from trivium.domain.errors import DataError

_MAX_VALUES: Final = 1_000_000
"""Values, with those that aliases repeat: a dozen lines of them can stand for billions."""


def read_yaml(text: str) -> object:
    """Return what ``text`` says.

    Raises:
        DataError: it is not YAML, holds tags, or its aliases unfold without bounds.
    """
    try:
        value: object = yaml.safe_load(text)
        n_values = _size(value, {})
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f"line {mark.line + 1}: " if mark else ""
        raise DataError(f"not YAML: {where}{error.problem or error.context}") from error
    except (yaml.YAMLError, ValueError) as error:
        raise DataError(f"not YAML: {str(error).splitlines()[0]}") from error
    except RecursionError as error:
        raise DataError("not YAML that can be read: it is nested too deep") from error
    if n_values > _MAX_VALUES:
        raise DataError(f"its aliases unfold to more than {_MAX_VALUES:,} values")
    return value


def _size(value: object, known: dict[int, int]) -> int:
    """Count the values in a structure, each as often as an alias repeats it.

    Raises:
        DataError: it holds itself.
    """
    if not isinstance(value, (dict, list)):
        return 1
    if id(value) in known:
        if known[id(value)] == 0:
            raise DataError("an alias in it stands for what it is a part of")
        return known[id(value)]
    known[id(value)] = 0
    parts = value.values() if isinstance(value, dict) else value
    known[id(value)] = 1 + sum(_size(part, known) for part in parts)
    return known[id(value)]

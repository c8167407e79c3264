"""Rows of Markdown tables, told with what their columns are headed with."""

import re
from itertools import zip_longest
from typing import Final

_BAR: Final = re.compile(r"(?<!\\)\|")


def told(head: str, row: str) -> str:
    r"""Return a row as words, each cell behind the head of its column; empty cells are left out.

    >>> told("| Part | Shelf life |", "| Door seal | 36 months |")
    'Part: Door seal; Shelf life: 36 months.'
    >>> told("", "| Door seal | 36 months |")
    'Door seal; 36 months.'
    """
    pairs = zip_longest(cells(head), cells(row), fillvalue="")
    words = [f"{name.rstrip(':')}: {cell}" if name else cell for name, cell in pairs if cell]
    return f"{'; '.join(words).rstrip('.')}." if words else ""


def cells(row: str) -> tuple[str, ...]:
    r"""Return the cells of a row.

    >>> cells(r"| a \| b | c |")
    ('a | b', 'c')
    """
    inner = row.strip().removeprefix("|")
    parts = [part.replace(r"\|", "|").strip() for part in _BAR.split(inner)]
    return tuple(parts[:-1] if parts and not parts[-1] else parts)

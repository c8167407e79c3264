"""Draws charts as SVG, with nothing but text."""

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Final

_ROW: Final = 14
_LEFT: Final = 190
_WIDE: Final = 480


def write_svg(path: Path, shapes: Sequence[str], *, width: int, height: int) -> None:
    """Write shapes as one picture; ``width`` and ``height`` in its own units."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-size="9">'
    body = "\n".join(shapes)
    path.write_text(f"{head}\n{body}\n</svg>\n")


def hue(n: int, of: int) -> str:
    """Return a colour of its own for the ``n``-th of some things.

    >>> hue(1, 4)
    'hsl(90,60%,40%)'
    """
    return f"hsl({360 * n // of},60%,40%)"


def bars(path: Path, rows: Mapping[str, Mapping[str, float | None]], keys: Sequence[str]) -> None:
    """Write a group of bars for each row, one for each key, as SVG.

    Values lie between 0 and 1; for one that is ``None`` a dash stands.
    """
    shapes, y = [], 30
    for n, key in enumerate(keys):
        x = _LEFT + n * 170
        shapes.append(f'<rect x="{x}" y="6" width="9" height="9" fill="{hue(n, len(keys))}"/>')
        shapes.append(f'<text x="{x + 13}" y="14">{escape(key)}</text>')
    for name, values in rows.items():
        middle = y + _ROW * len(keys) // 2 + 2
        shapes.append(f'<text x="{_LEFT - 6}" y="{middle}" text-anchor="end">{escape(name)}</text>')
        for n, key in enumerate(keys):
            value, top = values[key], y + n * _ROW
            wide, fill = round((value or 0) * _WIDE), hue(n, len(keys))
            size = f'width="{wide}" height="{_ROW - 3}"'
            said = "–" if value is None else f"{value:.2f}"
            shapes += [
                f'<rect x="{_LEFT}" y="{top}" {size} fill="{fill}"/>',
                f'<text x="{_LEFT + wide + 4}" y="{top + 9}">{said}</text>',
            ]
        y += _ROW * len(keys) + 10
    write_svg(path, shapes, width=_LEFT + _WIDE + 40, height=y)


def grid(path: Path, names: Sequence[str], counts: Mapping[tuple[str, str], int]) -> None:
    """Write a square table as SVG: a row for each name, darker the larger its share of the row."""
    cell, left, top = 52, 100, 40
    half = cell // 2
    shapes = []
    for n, name in enumerate(names):
        y, across, said = top + n * cell, left + n * cell + half, escape(name)
        shapes.append(f'<text x="{left - 6}" y="{y + half}" text-anchor="end">{said}</text>')
        shapes.append(f'<text x="{across}" y="{top - 8}" text-anchor="middle">{said}</text>')
        total = max(1, sum(counts.get((name, other), 0) for other in names))
        for m, other in enumerate(names):
            count, x = counts.get((name, other), 0), left + m * cell
            fill = f"hsl(210,60%,{100 - round(60 * (count / total) ** 0.5)}%)"
            size = f'width="{cell - 2}" height="{cell - 2}"'
            shapes.append(f'<rect x="{x}" y="{y}" {size} fill="{fill}"/>')
            place = f'x="{x + half}" y="{y + half + 3}" text-anchor="middle"'
            shapes.append(f"<text {place}>{count}</text>")
    side = cell * len(names) + 10
    write_svg(path, shapes, width=left + side, height=top + side)

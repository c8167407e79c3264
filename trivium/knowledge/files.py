"""Reads the files of a data set into rows, reporting each row that cannot be used."""

import codecs
import csv
import io
import json
import math
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Final

from trivium.domain.knowledge import Value
from trivium.language.text import stream_safe

Row = dict[str, object]
_LIST_SEPARATORS: Final = ("|", ";")
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_NO_NUMBER: Final = re.compile(r"[+-]?(?:nan|inf|infinity)", re.IGNORECASE)
_MAX_DIGITS: Final = 4_000
"""A longer run of digits is a text; Python refuses to read it as a number."""
_ESCAPED: Final = re.compile("[\udc80-\udcff]")
"""What bytes that are not UTF-8 become while they are read."""
_UNKEPT: Final = re.compile("[\x00\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Rejected:
    """A row or a file that was left out."""

    file: str
    line: int
    """1-based; 0 for the file as a whole."""
    reason: str


@dataclass(slots=True)
class Report:
    """What was left out of a load, and what was mended on the way."""

    rejected: list[Rejected] = field(default_factory=list)
    warnings: list[Rejected] = field(default_factory=list)

    def reject(self, file: Path, line: int, reason: str) -> None:
        """Note that a row was left out."""
        self.rejected.append(Rejected(file.name, line, reason))

    def warn(self, file: Path, line: int, reason: str) -> None:
        """Note that a row was taken, but not quite as it stands."""
        self.warnings.append(Rejected(file.name, line, reason))


def find_table(directory: Path, name: str, report: Report) -> Path | None:
    """Return the file that holds a table: JSON Lines, JSON or CSV; the first where there are more.

    What has such a name and is not read goes to the report.
    """
    found: Path | None = None
    for ending in (".jsonl", ".json", ".csv"):
        path = directory / f"{name}{ending}"
        fault = fault_of(path, directory)
        if fault:
            report.reject(path, 0, fault)
        elif path.is_file() and found:
            report.reject(path, 0, f"left out as a whole: {found.name} is there too, and is read")
        elif path.is_file():
            found = path
    return found


def fault_of(path: Path, root: Path, *, is_directory: bool = False) -> str | None:
    """Say why what stands at ``path`` cannot be read; ``None`` where it can, or is not there."""
    if path.is_symlink() and not path.exists():
        return "is a link that leads nowhere"
    if not path.exists():
        return None
    if path.is_symlink() and not path.resolve().is_relative_to(root.resolve()):
        return "is a link out of the data set"
    if is_directory:
        return None if path.is_dir() else "is a file, not a directory"
    if path.is_dir():
        return "is a link to a directory" if path.is_symlink() else "is a directory, not a file"
    return None if path.is_file() else "is not a file"


def read_table(path: Path, report: Report) -> Iterator[tuple[int, Row]]:
    """Give ``(line, row)`` for each good row of a table; bad ones go to the report."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        report.reject(path, 0, f"cannot be read: {error.strerror}")
        return
    if raw[:2] in {codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE}:
        report.reject(path, 0, "is UTF-16; save it as UTF-8")
        return
    text = raw.decode("utf-8-sig", "surrogateescape")
    if not text.strip() and path.suffix != ".json":
        report.warn(path, 0, "is empty")
    reader: dict[str, Callable[[Path, str, Report], Iterator[tuple[int, Row]]]] = {
        ".jsonl": _json_lines,
        ".json": _json_array,
        ".csv": _csv,
    }
    yield from reader[path.suffix](path, text, report)


def _json_lines(path: Path, text: str, report: Report) -> Iterator[tuple[int, Row]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        if _ESCAPED.search(line):
            report.reject(path, number, "not UTF-8")
            continue
        try:
            row = json.loads(line)
            if isinstance(row, dict):
                yield number, _finite_row(row, path, number, report)
            else:
                report.reject(path, number, "not a JSON object")
        except (ValueError, RecursionError) as error:
            report.reject(path, number, f"not JSON: {short(error)}")


def _json_array(path: Path, text: str, report: Report) -> Iterator[tuple[int, Row]]:
    if stray := _ESCAPED.search(text):
        line = text.count("\n", 0, stray.start()) + 1
        report.reject(path, 0, f"not UTF-8, first in line {line}")
        return
    try:
        rows = json.loads(text)
    except (ValueError, RecursionError) as error:
        report.reject(path, 0, f"not JSON: {short(error)}")
        return
    if not isinstance(rows, list):
        report.reject(path, 0, "not a JSON array of objects")
        return
    for number, row in enumerate(rows, start=1):
        if isinstance(row, dict):
            yield number, _finite_row(row, path, number, report)
        else:
            report.reject(path, number, "not a JSON object")


def _finite_row(row: Row, path: Path, number: int, report: Report) -> Row:
    """Return a row with null in the place of what is no number: NaN and infinity."""
    kept = {key: _finite(value) for key, value in row.items()}
    for key, value in kept.items():
        if value is not row[key]:
            report.warn(path, number, f"{key!r}: NaN or infinity is null")
    return kept


def _finite(value: object) -> object:
    """Return ``value`` itself, or what it is with null for NaN and infinity."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, list):
        items = [_finite(item) for item in value]
        return value if all(a is b for a, b in zip(items, value, strict=True)) else items
    if isinstance(value, dict):
        parts = {key: _finite(item) for key, item in value.items()}
        return value if all(parts[key] is item for key, item in value.items()) else parts
    return value


def _csv(path: Path, text: str, report: Report) -> Iterator[tuple[int, Row]]:
    columns: list[str] = []
    for number, cells in _cut_rows(path, text, report):
        if not columns:
            columns = cells
            for name in sorted({name for name in columns if name and columns.count(name) > 1}):
                report.warn(path, number, f"column {name!r} stands twice; the last one is read")
        elif len(cells) > len(columns):
            report.reject(path, number, "more cells than columns")
        elif any(_ESCAPED.search(cell) for cell in cells):
            report.reject(path, number, "not UTF-8")
        else:
            told = zip_longest(columns, cells)
            row: Row = {key: _cell(key, cell) for key, cell in told if key}
            yield number, _finite_row(row, path, number, report)


def _cut_rows(path: Path, text: str, report: Report) -> Iterator[tuple[int, list[str]]]:
    """Give each row of a CSV with its last line; after a bad row, go on with the next line."""
    lines = io.StringIO(text, newline="").readlines()
    at = 0

    def feed() -> Iterator[str]:
        nonlocal at
        while at < len(lines):
            at += 1
            yield lines[at - 1]

    reader = csv.reader(feed(), strict=True)
    while True:
        first = at
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            told = "a quote is not closed" if "unexpected end" in str(error) else str(error)
            report.reject(path, first + 1, f"not CSV: {told}")
            at = first + 1
            reader = csv.reader(feed(), strict=True)
            continue
        if cells:
            yield at, cells


def _cell(column: str, cell: str | None) -> object:
    """Read a CSV cell: numbers and truth values by their look; ids stay texts.

    What a number does not look like stays a text: codes with leading zeros, phone numbers.
    """
    if cell is None or not cell.strip():
        return None
    text = cell.strip()
    if column in {"id", "source", "target", "entity", "name", "type", "aliases", "acl"}:
        return text
    if text.casefold() in {"true", "false"}:
        return text.casefold() == "true"
    if _NO_NUMBER.fullmatch(text):
        return math.nan
    if not _NUMBER.fullmatch(text) or len(text) > _MAX_DIGITS:
        return text
    return int(text) if text.lstrip("-").isdigit() else float(text)


def as_text(value: object) -> str | None:
    """Return a text or a number as a text; ``None`` for anything else or blank."""
    if isinstance(value, bool) or value is None or isinstance(value, (dict, list)):
        return None
    text = str(value).strip()
    return text or None


def as_key(value: object) -> str | None:
    """Return an id as a text, in NFC; ``None`` where it holds what no store can keep."""
    text = as_text(value)
    if not text or _UNKEPT.search(text) or stream_safe(text) != text:
        return None
    return unicodedata.normalize("NFC", text)


def as_texts(value: object) -> tuple[str, ...]:
    """Return a list of texts, or a text cut at ``|`` or ``;``."""
    if isinstance(value, list):
        return tuple(t for t in (as_text(item) for item in value) if t)
    text = as_text(value)
    if text is None:
        return ()
    for mark in _LIST_SEPARATORS:
        if mark in text:
            return tuple(part.strip() for part in text.split(mark) if part.strip())
    return (text,)


def as_value(value: object) -> Value:
    """Return a property value; lists are joined, other structures kept as JSON text."""
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, list) and all(isinstance(v, (str, int, float)) for v in value):
        return ", ".join(str(item) for item in value)
    return json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)


def values(row: Mapping[str, object], without: frozenset[str]) -> dict[str, Value]:
    """Return the properties of a row."""
    return {str(key): as_value(value) for key, value in row.items() if key not in without}


def short(error: Exception) -> str:
    """Return the first line of what an error says."""
    return str(error).split("\n", maxsplit=1)[0][:120] or type(error).__name__

"""Reads the files of a data set into rows, reporting each row that cannot be used."""

import csv
import io
import json
import math
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from trivium.domain.knowledge import Value

Row = dict[str, object]
_LIST_SEPARATORS: Final = ("|", ";")
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_NO_NUMBER: Final = re.compile(r"[+-]?(?:nan|inf|infinity)", re.IGNORECASE)
_MAX_DIGITS: Final = 4_000
"""A longer run of digits is a text; Python refuses to read it as a number."""
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


def find_table(directory: Path, name: str) -> Path | None:
    """Return the file that holds a table: JSON Lines, JSON or CSV."""
    for ending in (".jsonl", ".json", ".csv"):
        path = directory / f"{name}{ending}"
        if path.is_file():
            return path
    return None


def read_table(path: Path, report: Report) -> Iterator[tuple[int, Row]]:
    """Give ``(line, row)`` for each good row of a table; bad ones go to the report."""
    try:
        text = path.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        report.reject(path, 0, f"not UTF-8: {error.reason} at byte {error.start}")
        return
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
        try:
            row = json.loads(line)
            if isinstance(row, dict):
                yield number, _finite_row(row, path, number, report)
            else:
                report.reject(path, number, "not a JSON object")
        except (ValueError, RecursionError) as error:
            report.reject(path, number, f"not JSON: {_short(error)}")


def _json_array(path: Path, text: str, report: Report) -> Iterator[tuple[int, Row]]:
    try:
        rows = json.loads(text)
    except (ValueError, RecursionError) as error:
        report.reject(path, 0, f"not JSON: {_short(error)}")
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
    reader = csv.DictReader(io.StringIO(text, newline=""))
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            report.reject(path, reader.reader.line_num, f"not CSV: {error}")
            continue
        if None in row:
            report.reject(path, reader.line_num, "more cells than columns")
            continue
        cells: Row = {key: _cell(key, cell) for key, cell in row.items() if key}
        yield reader.line_num, _finite_row(cells, path, reader.line_num, report)


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
    return unicodedata.normalize("NFC", text) if text and not _UNKEPT.search(text) else None


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


def _short(error: Exception) -> str:
    return str(error).split("\n", maxsplit=1)[0][:120] or type(error).__name__

"""Reads the files of a data set into rows, reporting each row that cannot be used."""

import csv
import json
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from trivium.domain.knowledge import Value

Row = dict[str, object]
_LIST_SEPARATORS: Final = ("|", ";")


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


def _parse(text: str) -> object:
    """Parse JSON, with NaN and Infinity as null."""
    return json.loads(text, parse_constant=lambda _: None)


def _json_lines(path: Path, text: str, report: Report) -> Iterator[tuple[int, Row]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = _parse(line)
        except (ValueError, RecursionError) as error:
            report.reject(path, number, f"not JSON: {_short(error)}")
            continue
        if isinstance(row, dict):
            yield number, row
        else:
            report.reject(path, number, "not a JSON object")


def _json_array(path: Path, text: str, report: Report) -> Iterator[tuple[int, Row]]:
    try:
        rows = _parse(text)
    except (ValueError, RecursionError) as error:
        report.reject(path, 0, f"not JSON: {_short(error)}")
        return
    if not isinstance(rows, list):
        report.reject(path, 0, "not a JSON array of objects")
        return
    for number, row in enumerate(rows, start=1):
        if isinstance(row, dict):
            yield number, row
        else:
            report.reject(path, number, "not a JSON object")


def _csv(path: Path, text: str, report: Report) -> Iterator[tuple[int, Row]]:
    reader = csv.DictReader(text.splitlines(keepends=True))
    try:
        for row in reader:
            if None in row:
                report.reject(path, reader.line_num, "more cells than columns")
                continue
            yield reader.line_num, {key: _cell(key, cell) for key, cell in row.items() if key}
    except csv.Error as error:
        report.reject(path, reader.line_num, f"not CSV: {error}")


def _cell(column: str, cell: str | None) -> object:
    """Read a CSV cell: numbers and truth values by their look; ids stay texts."""
    if cell is None or not cell.strip():
        return None
    text = cell.strip()
    if column in {"id", "source", "target", "entity", "name", "type", "aliases", "acl"}:
        return text
    if text.casefold() in {"true", "false"}:
        return text.casefold() == "true"
    if text.lstrip("-").isdigit() and (text == "0" or not text.lstrip("-").startswith("0")):
        return int(text)
    try:
        number = float(text)
    except ValueError:
        return text
    return number if math.isfinite(number) and not text.startswith("0" * 2) else text


def as_text(value: object) -> str | None:
    """Return a text or a number as a text; ``None`` for anything else or blank."""
    if isinstance(value, bool) or value is None or isinstance(value, (dict, list)):
        return None
    text = str(value).strip()
    return text or None


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

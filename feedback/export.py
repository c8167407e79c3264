"""The queue as files: CSV for spreadsheets, JSON Lines for programs."""

import csv
import io
import json
import re
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from enum import StrEnum
from typing import Final

from feedback.reports import Json, Report


class ExportForm(StrEnum):
    """What an export is written as."""

    CSV = "csv"
    JSONL = "jsonl"


MEDIA: Final[Mapping[ExportForm, str]] = {
    ExportForm.CSV: "text/csv; charset=utf-8",
    ExportForm.JSONL: "application/x-ndjson",
}
_COLUMNS: Final[Mapping[str, tuple[str, ...]]] = {
    "id": ("id",),
    "state": ("state",),
    "kind": ("analysis", "kind"),
    "question": ("analysis", "question"),
    "answer": ("analysis", "given", "answer"),
    "given": ("analysis", "route", "tiers"),
    "proposed": ("analysis", "proposed"),
    "label": ("verdict", "tiers"),
    "rater": ("rating", "rater"),
    "rated_at": ("rating", "at"),
    "thumb": ("rating", "thumb"),
    "reason": ("rating", "reason"),
    "comment": ("rating", "comment"),
    "rater_tiers": ("rating", "tiers"),
    "rater_answer": ("rating", "answer"),
    "decided_by": ("verdict", "by"),
    "decided_at": ("verdict", "at"),
    "decision_comment": ("verdict", "comment"),
    "model_version": ("analysis", "route", "model_version"),
    "answer_id": ("rating", "answer_id"),
    "tenant": ("rating", "tenant"),
}
"""Each column of the CSV, and where it stands in a report."""
_FORMULA: Final = re.compile("[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
"""How a cell begins that a spreadsheet may run; the wide forms count as well."""
_NUMBER: Final = re.compile(r"[+-]?\d+(\.\d+)?")


async def exported(reports: AsyncIterator[Report], form: ExportForm) -> AsyncIterator[str]:
    """Give reports line by line; the head of a CSV comes with the first of them."""
    line, head = _LINES[form], _csv_line(_COLUMNS) if form is ExportForm.CSV else ""
    async for report in reports:
        yield head + line(report.to_json())
        head = ""
    if head:
        yield head


def neutral(cell: str) -> str:
    """Return a cell that no spreadsheet takes for a formula; numbers stay numbers.

    >>> neutral("=1+1"), neutral("-5"), neutral("a=b")
    ("'=1+1", '-5', 'a=b')
    """
    is_formula = _FORMULA.match(cell) and not _NUMBER.fullmatch(cell)
    return f"'{cell}" if is_formula else cell


def _json_line(told: Json) -> str:
    return json.dumps(told, ensure_ascii=False) + "\n"


def _csv_row(told: Json) -> str:
    return _csv_line([neutral(_cell(told, path)) for path in _COLUMNS.values()])


def _cell(told: object, path: tuple[str, ...]) -> str:
    """Return what stands at a path: tiers joined by ``+`` or ``none``, nothing as an empty cell."""
    for name in path:
        told = told.get(name) if isinstance(told, Mapping) else None
    if isinstance(told, (list, tuple)):
        return "+".join(told) or "none"
    return "" if told is None else str(told)


def _csv_line(cells: Iterable[str]) -> str:
    text = io.StringIO()
    csv.writer(text).writerow(cells)
    return text.getvalue()


_LINES: Final[Mapping[ExportForm, Callable[[Json], str]]] = {
    ExportForm.CSV: _csv_row,
    ExportForm.JSONL: _json_line,
}

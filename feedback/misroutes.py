"""The queue of misroute reports: found, claimed, analysed and decided about."""

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

import numpy as np
import sqlalchemy as sa
from sqlalchemy import ColumnElement, Select
from sqlalchemy.ext.asyncio import AsyncConnection

from feedback.corrections import CORRECTIONS
from feedback.deciding import Step, taken
from feedback.diagnosis import Kind
from feedback.ratings import Thumb
from feedback.reports import Analysis, Event, Report, ReportState, event_of, report_of
from feedback.tables import KEY, MISROUTE_HISTORY, MISROUTES, RATINGS, tiers_text
from trivium.domain.errors import ConflictError, NotFoundError
from trivium.domain.question import TierName, Vector
from trivium.gateway.sql import Database, storable

_PAGE: Final = 500
_N_COMPARED: Final = 5_000
"""The latest reports of a tenant that a question is held against: 8 MB of vectors."""
_N_SIMILAR: Final = 5
_ALIKE: Final = 0.5
"""The least cosine of questions that are told as similar."""
_OWN: Final = (
    "number", "id", "reported_at", "analysis", "claimed_by", "claimed_until", "label", "note",
    "decided_by", "decided_at",
)  # fmt: skip

_IS_JOINED: Final = sa.and_(*(MISROUTES.c[name] == RATINGS.c[name] for name in KEY))
_IS_WITHDRAWN: Final = sa.and_(
    MISROUTES.c.state == ReportState.OPEN.value, RATINGS.c.thumb == Thumb.UP.value
)
_STATE: Final = sa.case(
    (_IS_WITHDRAWN, ReportState.WITHDRAWN.value), else_=MISROUTES.c.state
).label("shown_state")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportFilter:
    """Which reports are looked for; nothing is any."""

    state: ReportState | None = None
    kind: Kind | None = None
    given: TierName | None = None
    """Those whose question went to this tier."""
    proposed: TierName | None = None
    rater: str | None = None
    tenant: str | None = None
    since: str | None = None
    """Those opened at this time or later, ISO in UTC with microseconds."""
    after: int = 0
    """Those with a greater number."""
    limit: int = 100


class Misroutes:
    """Keeps reports, one for each answer that one rater rated down.

    They are opened with their rating, by ``Ratings.rate``. What is decided is durable when it is
    acknowledged. A tenant of ``None`` is any. Every method raises ``DependencyError`` when the
    database does not answer.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, wanted: ReportFilter) -> tuple[Report, ...]:
        """Return reports in the order in which they were opened."""
        query = _reports().where(*_conditions(wanted), MISROUTES.c.number > wanted.after)
        query = query.order_by(MISROUTES.c.number).limit(wanted.limit)
        return tuple(report_of(row) for row in await self._database.rows(query))

    async def all(self, wanted: ReportFilter) -> AsyncIterator[Report]:
        """Give all that ``find`` finds, page by page, whatever its limit."""
        page = replace(wanted, limit=_PAGE)
        while found := await self.find(page):
            for report in found:
                yield report
            page = replace(page, after=found[-1].number)

    async def get(self, id: str, tenant: str | None) -> Report:  # noqa: A002  # the word of the door
        """Return a report.

        Raises:
            NotFoundError: there is none of that id.
        """
        for row in await self._database.rows(_reports().where(*_named([id], tenant))):
            return report_of(row)
        raise _not_found(id)

    async def history(self, id: str) -> tuple[Event, ...]:  # noqa: A002  # the word of the door
        """Return what admins did with a report, in order."""
        table = MISROUTE_HISTORY
        query = sa.select(table).where(table.c.id == storable(id)).order_by(table.c.number)
        return tuple(event_of(row) for row in await self._database.rows(query))

    async def take(
        self, step: Step, ids: Sequence[str], tenant: str | None
    ) -> tuple[Report | NotFoundError | ConflictError, ...]:
        """Take a step with each report; give for each, in order, what it is then, or why not.

        Those that can be taken are taken, together; a step taken before changes nothing.
        """
        return await self._database.write(partial(_take, step, tuple(ids), tenant))

    async def pending(self, limit: int, *, after: int = 0) -> tuple[tuple[Report, bool], ...]:
        """Return open reports whose rating was not analysed yet, oldest first.

        With each comes whether its rater says that words were misread.
        """
        is_misread = sa.exists().where(*(CORRECTIONS.c[name] == MISROUTES.c[name] for name in KEY))
        query = _reports().add_columns(is_misread.label("is_misread"))
        is_new = sa.or_(
            MISROUTES.c.analysed_for.is_(None), MISROUTES.c.analysed_for != RATINGS.c.at
        )
        query = query.where(_STATE.element == ReportState.OPEN.value, is_new)
        query = query.where(MISROUTES.c.number > after)
        rows = await self._database.rows(query.order_by(MISROUTES.c.number).limit(limit))
        return tuple((report_of(row), bool(row["is_misread"])) for row in rows)

    async def keep(self, report: Report, analysis: Analysis, vector: Vector) -> None:
        """Keep what was found out about a report, and the embedding of its question, if any."""
        route = [TierName(name) for name in analysis.route.get("tiers", ())]
        proposed = analysis.proposed
        found = {
            "analysed_for": report.rating.at,
            "analysis": json.dumps(analysis.to_json()),
            "kind": analysis.kind.value,
            "given": tiers_text(route),
            "proposed": None if proposed is None else tiers_text(proposed),
            "vector": np.asarray(vector, np.float32).tobytes() if vector else None,
        }
        update = sa.update(MISROUTES).where(MISROUTES.c.id == report.id).values(found)
        await self._database.write(lambda connection: connection.execute(update))

    async def similar(self, report: Report, vector: Vector) -> tuple[Mapping[str, object], ...]:
        """Return other reports of the tenant whose questions are near in meaning, nearest first."""
        table = MISROUTES
        query = sa.select(table.c.number, table.c.vector).where(
            table.c.tenant == report.rating.tenant,
            table.c.id != report.id,
            sa.func.length(table.c.vector) == 4 * len(vector),
        )
        rows = await self._database.rows(query.order_by(table.c.number.desc()).limit(_N_COMPARED))
        if not (rows and vector):
            return ()
        kept = np.frombuffer(b"".join(row["vector"] for row in rows), np.float32)
        scores = kept.reshape(len(rows), -1) @ np.asarray(vector, np.float32)
        best = [int(at) for at in np.argsort(-scores)[:_N_SIMILAR] if scores[at] >= _ALIKE]
        numbers = {rows[at]["number"]: round(float(scores[at]), 3) for at in best}
        found = await self._database.rows(_reports().where(table.c.number.in_(numbers)))
        told = {row["number"]: _case(report_of(row)) for row in found}
        return tuple({**told[n], "score": score} for n, score in numbers.items() if n in told)

    async def n_labelled(self) -> int:
        """Return how many reports admins gave a label."""
        query = sa.select(sa.func.count()).where(MISROUTES.c.label.is_not(None))
        (row,) = await self._database.rows(query)
        return int(row["count_1"])


def _reports() -> Select[Any]:  # Any: the columns of a row
    own = [MISROUTES.c[name] for name in _OWN]
    return sa.select(*own, _STATE, *RATINGS.c).join_from(MISROUTES, RATINGS, _IS_JOINED)


def _conditions(wanted: ReportFilter) -> list[ColumnElement[bool]]:
    columns = MISROUTES.c
    equal = (
        (_STATE.element, wanted.state),
        (columns.kind, wanted.kind),
        (columns.rater, wanted.rater),
        (columns.tenant, wanted.tenant),
    )
    found = [column == storable(str(value)) for column, value in equal if value is not None]
    holds = ((columns.given, wanted.given), (columns.proposed, wanted.proposed))
    found += [column.contains(f'"{tier}"') for column, tier in holds if tier is not None]
    if wanted.since is not None:
        found.append(columns.reported_at >= wanted.since)
    return found


def _named(ids: Sequence[str], tenant: str | None) -> list[ColumnElement[bool]]:
    found: list[ColumnElement[bool]] = [MISROUTES.c.id.in_([storable(one) for one in ids])]
    if tenant is not None:
        found.append(MISROUTES.c.tenant == storable(tenant))
    return found


async def _take(
    step: Step, ids: Sequence[str], tenant: str | None, connection: AsyncConnection
) -> tuple[Report | NotFoundError | ConflictError, ...]:
    """Take a step with each; all lock reports in one order, so that none waits for another."""
    query = _reports().where(*_named(ids, tenant)).order_by(MISROUTES.c.number)
    locked = await connection.execute(query.with_for_update(of=MISROUTES))
    found = {row["id"]: report_of(row) for row in locked.mappings()}
    refused: dict[str, ConflictError] = {}
    for report in found.values():
        try:
            await _write(report, step, connection)
        except ConflictError as error:
            refused[report.id] = error
    now = {row["id"]: report_of(row) for row in (await connection.execute(query)).mappings()}
    return tuple(refused.get(one) or now.get(one) or _not_found(one) for one in ids)


async def _write(report: Report, step: Step, connection: AsyncConnection) -> None:
    changed = taken(report, step)
    if not changed:
        return
    is_it = MISROUTES.c.id == report.id
    await connection.execute(sa.update(MISROUTES).where(is_it).values(changed))
    event = {
        "id": report.id,
        "action": step.action.value,
        "label": changed.get("label"),
        "note": step.comment and storable(step.comment),
        "by": storable(step.by),
        "at": step.at.isoformat(timespec="microseconds"),
    }
    await connection.execute(sa.insert(MISROUTE_HISTORY), event)


def _not_found(id: str) -> NotFoundError:  # noqa: A002  # the word of the door
    return NotFoundError(f"There is no misroute report {id[:80]!r}.")


def _case(report: Report) -> dict[str, object]:
    """Return what is told of a report beside another one."""
    analysis, verdict = report.analysis, report.verdict
    return {
        "id": report.id,
        "question": analysis and analysis.question,
        "state": report.state,
        "given": list(analysis.route.get("tiers", ())) if analysis else None,
        "tiers": None if verdict is None else verdict.tiers,
    }

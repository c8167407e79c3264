"""The answer journal: every answer is kept, written in batches off the request's path."""

import asyncio
import json
from collections import OrderedDict
from collections.abc import Callable
from datetime import UTC, datetime
from functools import lru_cache, partial
from itertools import islice
from typing import Any, Final, NamedTuple, TypeAlias

import sqlalchemy as sa
import structlog
from sqlalchemy import Column, MetaData, RowMapping, Table, Text
from sqlalchemy.ext.asyncio import AsyncConnection

from trivium.domain.answer import Answer, Remembered
from trivium.domain.door import body_of
from trivium.domain.errors import DependencyError
from trivium.domain.question import Question
from trivium.gateway.sql import Database, insert_new, storable

Render: TypeAlias = Callable[[Answer], dict[str, object]]
"""Gives the door's form of an answer; it is called on a thread."""

_DELAY_S: Final = 0.03
"""How long a batch is gathered; with the batch before and the write it stays under 100 ms. A third
of it took a quarter more of the loop's time at 400 answers a second."""
_LONGEST_DELAY_S: Final = 1.0
"""Between attempts on a database that does not answer."""
_BATCH: Final = 200
_CAPACITY: Final = 5000
_JSON_COLUMNS: Final = ("history", "response", "tiers")

_TABLES: Final = MetaData()
_ANSWERS: Final = Table(
    "answers",
    _TABLES,
    Column("id", sa.String(128), primary_key=True),
    Column("tenant", Text, nullable=False),
    Column("principal", Text, nullable=False),
    Column("at", Text, nullable=False),
    Column("question", Text, nullable=False),
    Column("history", Text, nullable=False),
    Column("as_of", Text),
    Column("response", Text, nullable=False),
    Column("model_version", Text),
    Column("tiers", Text, nullable=False),
    Column("is_cached", sa.Boolean, nullable=False),
)

_log = structlog.get_logger(__name__)


class Asker(NamedTuple):
    """Who asked for an answer."""

    tenant: str
    principal: str


class _Record(NamedTuple):
    question: Question
    answer: Answer | Remembered
    at: datetime


_Row: TypeAlias = dict[str, Any]  # Any: what the columns hold
_Records: TypeAlias = OrderedDict[str, _Record]


class SqlAnswerJournal:
    """Keeps answers in a SQL database.

    While the database does not answer, records wait in memory; past ``capacity`` the oldest
    go first.

    Attributes:
        n_dropped: answers that were given up because the queue was full, or could not be rendered.
    """

    def __init__(
        self, database: Database, *, render: Render, clock: Callable[[], datetime], capacity: int
    ) -> None:
        self.n_dropped = 0
        self._database = database
        self._render = render
        self._clock = clock
        self._capacity = capacity
        self._queued: _Records = OrderedDict()
        self._writing: _Records = OrderedDict()
        self._one_flush = asyncio.Lock()
        self._has_work = asyncio.Event()
        self._closing = asyncio.Event()
        self._is_overflowing = False
        self._writer = asyncio.create_task(self._run(), name="answer journal")

    @classmethod
    async def open(
        cls,
        url: str,
        *,
        render: Render,
        clock: Callable[[], datetime],
        schema: str | None = None,
        capacity: int = _CAPACITY,
    ) -> "SqlAnswerJournal":
        """Open the journal at ``url``, create its table when missing, and start writing.

        Raises:
            InputError: ``url`` or ``schema`` cannot be used.
            DependencyError: the database did not answer.
        """
        database = await Database.open(url, _TABLES, schema=schema)
        return cls(database, render=render, clock=clock, capacity=capacity)

    @property
    def n_pending(self) -> int:
        """How many answers are not written yet."""
        return len(self._queued) + len(self._writing)

    def record(self, question: Question, answer: Answer | Remembered) -> None:
        """Take an answer; it is on disk soon after, and can be looked up at once."""
        self._queued[answer.id] = _Record(question, answer, self._clock())
        self._drop_surplus()
        self._has_work.set()

    async def get(self, answer_id: str, tenant: str) -> dict[str, object] | None:
        """Return what is kept of an answer of ``tenant``, or nothing.

        The keys are ``id, tenant, principal, at, question, history, as_of, response,
        model_version, tiers, is_cached``.

        Raises:
            DependencyError: the database did not answer.
        """
        if record := self._queued.get(answer_id) or self._writing.get(answer_id):
            row = self._row(record)
            return _opened(row) if row["tenant"] == storable(tenant) else None
        query = sa.select(_ANSWERS).where(
            _ANSWERS.c.id == storable(answer_id), _ANSWERS.c.tenant == storable(tenant)
        )
        rows = await self._database.rows(query)
        return _opened(rows[0]) if rows else None

    async def asker_of(self, answer_id: str) -> Asker | None:
        """Return who asked for an answer, of whichever tenant, or nothing.

        Raises:
            DependencyError: the database did not answer.
        """
        if record := self._queued.get(answer_id) or self._writing.get(answer_id):
            asked = record.question
            return Asker(storable(asked.tenant), storable(asked.principal))
        query = sa.select(_ANSWERS.c.tenant, _ANSWERS.c.principal)
        rows = await self._database.rows(query.where(_ANSWERS.c.id == storable(answer_id)))
        return Asker(**rows[0]) if rows else None

    async def flush(self) -> None:
        """Write all that is pending now.

        Raises:
            DependencyError: the database did not answer; what was not written stays pending.
        """
        async with self._one_flush:
            for _ in range(0, len(self._queued), _BATCH):
                await self._write_batch()

    async def close(self) -> None:
        """Write what is pending, and close the connections."""
        self._closing.set()
        self._has_work.set()
        try:
            await self._writer
            await self.flush()
        except DependencyError as error:
            _log.error("answers_lost", n=self.n_pending, error=str(error))
        finally:
            await self._database.close()

    async def _run(self) -> None:
        delay_s = _DELAY_S
        while not self._closing.is_set():
            await self._has_work.wait()
            self._has_work.clear()
            await self._pause(delay_s)
            try:
                await self.flush()
                delay_s = _DELAY_S
            except DependencyError as error:
                delay_s = min(2 * delay_s, _LONGEST_DELAY_S)
                self._has_work.set()
                _log.warning("answers_not_written", n=self.n_pending, error=str(error))

    async def _pause(self, delay_s: float) -> None:
        try:
            await asyncio.wait_for(self._closing.wait(), delay_s)
        except TimeoutError:
            return

    async def _write_batch(self) -> None:
        self._writing = OrderedDict(islice(self._queued.items(), _BATCH))
        for answer_id in self._writing:
            del self._queued[answer_id]
        is_written = False
        try:
            if rows := await asyncio.to_thread(self._rows, tuple(self._writing.values())):
                await self._database.write(partial(_insert, rows))
            is_written = True
        finally:
            self._settle(is_written=is_written)

    def _settle(self, *, is_written: bool) -> None:
        """Forget the batch, or put it back at the head of the queue."""
        if is_written:
            self._is_overflowing = False
        else:
            self._queued = OrderedDict(self._writing | self._queued)
        self._writing = OrderedDict()
        self._drop_surplus()

    def _drop_surplus(self) -> None:
        while len(self._queued) > self._capacity:
            self._queued.popitem(last=False)
            self.n_dropped += 1
            if not self._is_overflowing:  # once for each time that the queue is full
                self._is_overflowing = True
                _log.warning("answers_dropped", capacity=self._capacity)

    def _rows(self, records: tuple[_Record, ...]) -> list[_Row]:
        rows = []
        for record in records:
            try:
                rows.append(self._row(record))
            except Exception:  # noqa: BLE001  # one that cannot be rendered must not hold up the rest
                self.n_dropped += 1
                self._writing.pop(record.answer.id, None)
                _log.exception("answer_not_rendered", id=record.answer.id)
        return rows

    def _row(self, record: _Record) -> _Row:
        question, answer, at = record
        is_cached = isinstance(answer, Remembered) or answer.is_cached
        if isinstance(answer, Remembered):
            response, (version, tiers) = answer.body.decode(), _route_of_kept(answer.kept)
        else:
            response = json.dumps(self._render(answer))
            version = answer.route.model_version
            tiers = tuple(tier.value for tier in answer.route.tiers)
        return {
            "id": answer.id,
            "tenant": storable(question.tenant),
            "principal": storable(question.principal),
            "at": at.astimezone(UTC).isoformat(timespec="milliseconds"),
            "question": storable(question.text),
            "history": json.dumps(
                [{"role": turn.role, "content": turn.content} for turn in question.history]
            ),
            "as_of": None if question.as_of is None else storable(question.as_of),
            "response": response,
            "model_version": None if version is None else storable(version),
            "tiers": json.dumps(tiers),
            "is_cached": is_cached,
        }


@lru_cache(maxsize=256)
def _route_of_kept(kept: bytes) -> tuple[str | None, tuple[str, ...]]:
    """Return the router's version and the tiers of a remembered answer; many are given often."""
    route = body_of(kept)["route"]
    return route["model_version"], tuple(route["tiers"])


async def _insert(rows: list[_Row], connection: AsyncConnection) -> None:
    await connection.execute(insert_new(connection, _ANSWERS), rows)


def _opened(row: _Row | RowMapping) -> dict[str, object]:
    return {key: json.loads(value) if key in _JSON_COLUMNS else value for key, value in row.items()}

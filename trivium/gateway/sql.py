"""One SQL database, SQLite or Postgres: opened, transacted with, its errors translated."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias, TypeVar

from sqlalchemy import (
    URL,
    Connection,
    Executable,
    MetaData,
    RowMapping,
    Table,
    event,
    make_url,
    text,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from trivium.domain.errors import DependencyError, InputError

_T = TypeVar("_T")

_DRIVERS: Final = {
    "sqlite": "sqlite+aiosqlite",
    "postgres": "postgresql+psycopg",
    "postgresql": "postgresql+psycopg",
}
_PRAGMAS: Final = (
    "PRAGMA busy_timeout = 10000",  # first, because the next one may have to wait
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",  # a commit is on disk when it returns
)
_POSTGRES_LIMITS: Final = {"connect_timeout": 5, "tcp_user_timeout": 10_000}
"""Seconds to connect, and milliseconds until an unanswered packet ends the connection."""
_CHECKED_BYTES: Final = 16 * 2**20
"""A SQLite file up to this size is checked when it is opened, in 25 ms at most (2 cores)."""
_DAMAGE: Final = re.compile("malformed|not a database")
_NO_ROOM: Final = re.compile("is full|disk I/O error|No space left|File too large")
_CLOSE_S: Final = 10.0
_TRY_EVERY_S: Final = 0.02
_ALONE: Final = "hashtext('trivium ' || current_schema() || ' ' || :what)"
_UNSTORABLE: Final = re.compile("[\x00\ud800-\udfff]")

_OneWriter: TypeAlias = AbstractAsyncContextManager[None]


class Database:
    """A pool of connections to one database."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._writer = engine.execution_options(begin="BEGIN IMMEDIATE")
        self._one_writer: _OneWriter = asyncio.Lock() if _is_sqlite(engine) else nullcontext()
        self._begun: set[asyncio.Task[object]] = set()

    @classmethod
    async def open(cls, url: str, tables: MetaData, *, schema: str | None = None) -> "Database":
        """Connect, and create those of ``tables`` that are missing.

        Args:
            url: ``sqlite:///…`` or ``postgresql://…``; the asynchronous driver is filled in.
            tables: what must be there.
            schema: the Postgres schema to work in, created when missing.

        Raises:
            InputError: ``url`` or ``schema`` cannot be used.
            DependencyError: the database did not answer, or its file is damaged.
        """
        database = cls(_engine(url, schema))
        try:
            await database.write(partial(_create, tables, schema))
        except BaseException:
            await database.close()
            raise
        return database

    async def rows(self, query: Executable) -> Sequence[RowMapping]:
        """Return what ``query`` finds.

        Raises:
            DependencyError: the database did not answer.
        """
        return await self._to_the_end(self._rows(query))

    async def write(self, work: Callable[[AsyncConnection], Awaitable[_T]]) -> _T:
        """Return what ``work`` returns; what it wrote is durable then, or undone by an error.

        A caller that is cancelled goes at once; the work goes on to its end, and takes effect.

        Raises:
            DependencyError: the database did not answer.
        """
        return await self._to_the_end(self._write(work))

    @asynccontextmanager
    async def alone(self, what: str) -> AsyncIterator[None]:
        """Let one process at a time do ``what`` until the end of the block; others wait.

        A process that dies lets go of it. A SQLite database has one process anyway.

        Raises:
            DependencyError: the database did not answer.
        """
        if _is_sqlite(self._engine):
            yield
            return
        connection = await self._apart()
        try:
            tried = partial(self._asked, connection, "pg_try_advisory_lock", what)
            while not await self._to_the_end(tried()):  # noqa: ASYNC110  # others have no event
                await asyncio.sleep(_TRY_EVERY_S)
            yield
        finally:
            await self._to_the_end(self._let_go(connection, what))

    async def close(self) -> None:
        """Close every connection, when what has begun has ended."""
        if self._begun:
            await asyncio.wait(self._begun, timeout=_CLOSE_S)
        await self._engine.dispose()

    async def _to_the_end(self, work: Coroutine[None, None, _T]) -> _T:
        """Return what ``work`` returns; when the caller is cancelled, it goes on without them.

        A driver that is interrupted in a statement keeps its connection, and with it its locks.
        """
        task = asyncio.create_task(work)
        self._begun.add(task)
        task.add_done_callback(self._ended)
        return await asyncio.shield(task)

    def _ended(self, task: asyncio.Task[object]) -> None:
        self._begun.discard(task)
        if not task.cancelled():
            task.exception()  # a caller that left will not look at it

    async def _rows(self, query: Executable) -> Sequence[RowMapping]:
        with self._translated():
            async with self._engine.connect() as connection:
                return (await connection.execute(query)).mappings().all()

    async def _write(self, work: Callable[[AsyncConnection], Awaitable[_T]]) -> _T:
        with self._translated():
            async with self._one_writer, self._writer.begin() as connection:
                return await work(connection)

    async def _apart(self) -> AsyncConnection:
        """Return a connection that is no transaction."""
        with self._translated():
            connection = await self._engine.connect()
            return await connection.execution_options(isolation_level="AUTOCOMMIT")

    async def _asked(self, connection: AsyncConnection, function: str, what: str) -> bool:
        with self._translated():
            query = text(f"SELECT {function}({_ALONE})")
            return bool((await connection.execute(query, {"what": what})).scalar_one())

    async def _let_go(self, connection: AsyncConnection, what: str) -> None:
        """Give a lock back; a connection that cannot is ended, and its lock with it."""
        try:
            await self._asked(connection, "pg_advisory_unlock", what)
        except DependencyError:
            await connection.invalidate()
        finally:
            await connection.close()

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except (SQLAlchemyError, OSError) as error:
            words = str(error.orig if isinstance(error, DBAPIError) else error)
            raise DependencyError(_told(words, self._engine.url.database)) from error


async def lock(connection: AsyncConnection, table: Table) -> None:
    """Let no other transaction write to ``table`` until this one ends; reading goes on."""
    if not _is_sqlite(connection):  # there BEGIN IMMEDIATE has done it
        await connection.execute(text(f"LOCK TABLE {table.name} IN EXCLUSIVE MODE"))


def insert_new(connection: AsyncConnection, table: Table) -> sqlite.Insert | postgresql.Insert:
    """Return an insert that leaves alone the rows whose key is there already."""
    if _is_sqlite(connection):
        return sqlite.insert(table).on_conflict_do_nothing()
    return postgresql.insert(table).on_conflict_do_nothing()


def storable(words: str) -> str:
    r"""Return ``words`` with what no database can hold replaced: NUL and lone surrogates.

    >>> storable("a\x00b")
    'a\ufffdb'
    """
    return _UNSTORABLE.sub("\ufffd", words)


def _is_sqlite(connection: AsyncConnection | AsyncEngine) -> bool:
    return connection.dialect.name == "sqlite"


async def _create(tables: MetaData, schema: str | None, connection: AsyncConnection) -> None:
    if not _is_sqlite(connection):  # two processes that start together would collide
        await connection.execute(text("SELECT pg_advisory_xact_lock(hashtext('trivium'))"))
    if schema:
        await connection.execute(text(f"CREATE SCHEMA IF NOT EXISTS {schema}"))
    else:
        await _check(connection)
    await connection.run_sync(tables.create_all)


async def _check(connection: AsyncConnection) -> None:
    """Look whether a SQLite file is whole, where that takes no time.

    Raises:
        DependencyError: it is damaged.
    """
    pages, size = [
        (await connection.execute(text(f"PRAGMA {name}"))).scalar_one()
        for name in ("page_count", "page_size")
    ]
    if pages * size <= _CHECKED_BYTES:
        found = (await connection.execute(text("PRAGMA quick_check(1)"))).scalar_one()
        if found != "ok":
            raise DependencyError(
                _told(f"malformed: {found.splitlines()[-1]}", connection.engine.url.database)
            )


def _engine(url: str, schema: str | None) -> AsyncEngine:
    try:
        parsed = make_url(url)
        parsed = parsed.set(drivername=_DRIVERS.get(parsed.drivername, parsed.drivername))
        if parsed.get_backend_name() == "sqlite":
            return _sqlite_engine(parsed, schema)
        return _postgres_engine(parsed, schema)
    except (SQLAlchemyError, ImportError) as error:
        raise InputError(f"the database URL cannot be used: {error}") from error


def _sqlite_engine(url: URL, schema: str | None) -> AsyncEngine:
    if schema:
        raise InputError("SQLite has no schemas")
    if url.database and not Path(url.database).parent.is_dir():
        raise DependencyError(f"there is no directory for {url.database}")
    engine = create_async_engine(url, hide_parameters=True)
    event.listen(engine.sync_engine, "connect", _prepare_sqlite)
    event.listen(engine.sync_engine, "begin", _begin_sqlite)
    return engine


def _postgres_engine(url: URL, schema: str | None) -> AsyncEngine:
    if schema and not re.fullmatch("[a-z_][a-z0-9_]{0,62}", schema):
        raise InputError(f"{schema!r} is not a plain schema name")
    options = {"options": f"-csearch_path={schema}"} if schema else {}
    return create_async_engine(
        url,
        hide_parameters=True,
        pool_pre_ping=True,
        connect_args={**_POSTGRES_LIMITS, **options},
    )


def _prepare_sqlite(connection: DBAPIConnection, _record: object) -> None:
    connection.isolation_level = None  # transactions begin where ``_begin_sqlite`` says
    cursor = connection.cursor()
    for pragma in _PRAGMAS:
        cursor.execute(pragma)
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    """Begin; a writer takes its lock at once, since a lock taken later cannot be waited for."""
    connection.exec_driver_sql(connection.get_execution_options().get("begin", "BEGIN"))


def _told(words: str, database: str | None) -> str:
    """Say for a person what a database's error means."""
    if _DAMAGE.search(words):
        return (
            f"the database {database} is damaged ({words}): restore a copy of it, or move it away "
            "together with its -wal and -shm files. Data sets must be loaded again then; what "
            "only it held is lost"
        )
    if _NO_ROOM.search(words):
        return f"nothing was written, because the disk is full or fails ({words})"
    return f"the database did not answer: {words}"

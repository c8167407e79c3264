"""The store of the CAG tier: facts, rankings and remembered answers in Redis.

Keys, each part percent-encoded so that no id can be mistaken for another or for a pattern:

PREFIX:facts:ENTITY            hash: attribute → the rest of the fact, as a JSON list; last in it
                               its earlier versions, where it has any
PREFIX:types                   hash: entity → its type, empty where it has facts alone
PREFIX:n_entities              how many of them there are, to find out that some were lost
PREFIX:ranking:TYPE:ATTRIBUTE  sorted set: the entities of the type by their numeric value
PREFIX:memory:KEY              bytes that expire
PREFIX:watermark               up to which change of the journal all this holds
"""

import asyncio
import math
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Final, cast
from urllib.parse import quote, unquote

import structlog
from redis.asyncio import Redis
from redis.asyncio.client import Pipeline
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError

from tiers.cag.kept import (
    AllKept,
    Kept,
    Ranks,
    edited,
    packed,
    ranks_of,
    to_bytes,
    to_text,
    unpacked,
)
from trivium.domain.errors import DependencyError, InputError
from trivium.domain.knowledge import Fact

_COUNT: Final = "redis.call('SET', KEYS[2], redis.call('HLEN', KEYS[1]))"
_PATIENCE: Final = 8
"""Times as long may a read take that no question waits for: a busy machine pauses for long."""
_SILENCE_LIMIT_S: Final = 5.0  # for each step of a write; as a whole, a large batch takes long

_log = structlog.get_logger(__name__)


_TAKING: Final = """
local time = redis.call('TIME')
local now = time[1] + time[2] / 1000000
local full_at = math.max(now, tonumber(redis.call('GET', KEYS[1]) or '0')) + tonumber(ARGV[1])
local left = full_at - now
if left <= tonumber(ARGV[2]) + 0.000001 then
  redis.call('SET', KEYS[1], string.format('%.6f', full_at), 'PX', math.ceil(left * 1000))
end
return string.format('%.6f', left)
"""
"""The generic cell rate algorithm, by the clock of Redis; see ``trivium.app.rates``."""


class RedisStore:
    """Facts and remembered answers under one prefix; ``open`` makes one.

    Every method raises ``DependencyError`` when Redis does not answer in time.
    """

    def __init__(self, client: Redis, prefix: str, timeout_s: float) -> None:
        self._client = client
        self._prefix = prefix
        self._timeout_s = timeout_s
        self._take_token = client.register_script(_TAKING)
        self._has_told = False

    @classmethod
    async def open(cls, url: str, *, prefix: str, timeout_s: float = 1.0) -> "RedisStore":
        """Return a store over the Redis at ``url``, which is not asked yet.

        ``prefix`` keeps this store apart from others in the same Redis. A read, connecting
        included, may take ``timeout_s``.

        Raises:
            InputError: ``url`` is not one of ``redis://``, ``rediss://`` or ``unix://``.
        """
        try:
            # The library's limits bound single steps, and by default it tries again after them;
            # `_answering` bounds a read as a whole.
            # One more try, at once, is for a connection that was cut while it was idle.
            client = Redis.from_url(
                url,
                retry=Retry(NoBackoff(), 1, supported_errors=(RedisConnectionError,)),
                socket_connect_timeout=timeout_s,
                socket_timeout=_SILENCE_LIMIT_S,
            )
        except ValueError as error:
            raise InputError("not the URL of a Redis") from error
        return cls(client, prefix, timeout_s)

    async def close(self) -> None:
        """Close all connections."""
        await self._client.aclose()

    def patient(self) -> "RedisStore":
        """Return the same store for work that no question waits for."""
        return RedisStore(self._client, self._prefix, _PATIENCE * self._timeout_s)

    async def ping(self) -> None:
        """Return if Redis answers."""
        async with _answering(self._timeout_s):
            await self._client.ping()

    async def apply(
        self,
        *,
        puts: Sequence[Fact] = (),
        drops: Sequence[tuple[str, str]] = (),
        dropped_entities: Sequence[str] = (),
        types: Mapping[str, str] | None = None,
        watermark: int,
    ) -> None:
        """Change facts, types and rankings and set the watermark, all of it or nothing.

        Whole entities are dropped first, then single facts, then facts are put. About a
        thousand facts at a time keep Redis and the event loop free for others.

        Args:
            puts: replace what is known of the same entity and attribute.
            drops: ``(entity, attribute)``.
            dropped_entities: everything of them is forgotten, their types included.
            types: of entities, where new or changed; without a type, an entity is not ranked.
            watermark: the number of the last change that this holds.

        Raises:
            DependencyError: Redis did not answer, or another writer came between.
        """
        types = types or {}
        touched = {f.entity for f in puts} | {e for e, _ in drops} | {*dropped_entities, *types}
        async with _answering(None), self._client.pipeline() as transaction:
            async with asyncio.timeout(self._timeout_s):
                await transaction.watch(self._key("watermark"))
            before = await self._sheets(sorted(touched))
            after = edited(before, puts, drops, dropped_entities, types)
            transaction.multi()  # type: ignore[no-untyped-call]  # the library forgot its type
            self._write_sheets(transaction, before, after)
            self._write_rankings(transaction, ranks_of(before), ranks_of(after))
            transaction.eval(_COUNT, 2, self._key("types"), self._key("n_entities"))
            transaction.set(self._key("watermark"), watermark)
            await transaction.execute()

    async def facts(self, entity: str) -> tuple[Fact, ...]:
        """Return what is known of ``entity``, in the order of the attributes' names."""
        return (await self.sheets([entity]))[0]

    async def sheets(self, entities: Sequence[str]) -> tuple[tuple[Fact, ...], ...]:
        """Return what is known of each of ``entities``, in one round trip; see ``facts``."""
        async with _answering(self._timeout_s), self._client.pipeline(transaction=False) as reads:
            for entity in entities:
                reads.hgetall(self._key("facts", entity))
            stored = await reads.execute()
        return tuple(unpacked(e, sheet) for e, sheet in zip(entities, stored, strict=True))

    async def ranking(
        self, node_type: str, attribute: str, *, limit: int | None = None, ascending: bool = False
    ) -> tuple[tuple[str, float], ...]:
        """Return the entities of a type with their number, ties in the order of their ids.

        The largest come first, or the smallest. Those that tie with the last within ``limit``
        come too. Only finite numbers rank; booleans are none.
        """
        if limit is not None and limit <= 0:
            return ()
        key = self._key("ranking", node_type, attribute)
        low, high = -math.inf, math.inf
        index = -1 if limit is None else limit - 1
        async with _answering(None):  # a long ranking takes long, but Redis must begin in time
            async with asyncio.timeout(self._timeout_s):
                last = await self._rows(key, index, index, desc=not ascending)
            for _, number in last:
                low, high = (low, number) if ascending else (number, high)
            rows = await self._rows(key, low, high, byscore=True)
        sign = 1 if ascending else -1
        pairs = [(to_text(member), number) for member, number in rows]
        return tuple(sorted(pairs, key=lambda pair: (sign * pair[1], pair[0])))

    async def watermark(self) -> int:
        """Return the number of the last change applied; 0 for none, or when some were lost."""
        async with _answering(self._timeout_s), self._client.pipeline() as reads:
            reads.mget(self._key("watermark"), self._key("n_entities"))
            reads.hlen(self._key("types"))
            (sequence, n_noted), n_entities = await reads.execute()
        if n_noted is None or int(n_noted) == n_entities:
            return int(sequence or 0)
        if not self._has_told:
            _log.warning("facts_lost", n_entities=n_entities, n_before=int(n_noted))
            self._has_told = True
        return 0

    async def clear(self) -> None:
        """Forget everything under the prefix; the watermark first, should this be cut short."""
        async with _answering(self._timeout_s):
            await self._client.unlink(self._key("watermark"), self._key("n_entities"))
            self._has_told = False
        cursor, pattern = -1, f"{self._key()}:*"
        while cursor != 0:
            async with _answering(None):
                cursor, keys = await self._client.scan(max(cursor, 0), match=pattern, count=1000)
                if keys:
                    await self._client.unlink(*keys)

    async def get(self, key: str, *, version: int | None = None) -> bytes | None:
        """Return what is remembered under ``key``.

        With ``version``, nothing where the facts are of another one: of a later change, or of an
        earlier one while they are read again.
        """
        async with _answering(self._timeout_s):
            read = await self._client.mget(self._key("memory", key), self._key("watermark"))
        value, watermark = cast("list[bytes | None]", read)  # a str only with decode_responses
        return None if version is not None and int(watermark or 0) != version else value

    async def items(self, start: str) -> dict[str, bytes]:
        """Return all that is remembered under keys that begin with ``start``; it looks at all."""
        head = self._key("memory", "")
        found: dict[str, bytes] = {}
        cursor, pattern = -1, f"{self._key('memory', start)}*"
        while cursor != 0:
            async with _answering(self._timeout_s):
                cursor, keys = await self._client.scan(max(cursor, 0), match=pattern, count=1000)
                read = await self._client.mget(keys) if keys else []
            kept = cast("list[bytes | None]", read)  # a str only with decode_responses
            names = (unquote(to_text(key).removeprefix(head)) for key in keys)
            found |= {n: v for n, v in zip(names, kept, strict=True) if v is not None}
        return found

    async def set(self, key: str, value: bytes, *, ttl_s: int) -> None:
        """Remember ``value`` for ``ttl_s`` seconds from now; 0 or less forgets it."""
        async with _answering(self._timeout_s):
            if ttl_s > 0:
                await self._client.set(self._key("memory", key), value, ex=ttl_s)
            else:
                await self._client.unlink(self._key("memory", key))

    async def set_all(self, values: Mapping[str, bytes], *, ttl_s: int) -> None:
        """Remember several values, in their order and in one round trip; see ``set``."""
        async with _answering(self._timeout_s), self._client.pipeline(transaction=False) as writes:
            for key, value in values.items():
                writes.set(self._key("memory", key), value, ex=ttl_s)
            await writes.execute()

    async def add(self, key: str, value: bytes, *, ttl_s: int) -> bool:
        """Remember ``value`` where nothing is remembered; return whether it was so."""
        async with _answering(self._timeout_s):
            return bool(await self._client.set(self._key("memory", key), value, ex=ttl_s, nx=True))

    async def delete(self, keys: Sequence[str]) -> None:
        """Forget what is remembered under ``keys``."""
        if keys:
            async with _answering(self._timeout_s):
                await self._client.unlink(*(self._key("memory", key) for key in keys))

    async def take_token(self, whose: str, *, interval_s: float, full_s: float) -> float:
        """Take a token from a bucket that all processes share; return the seconds until it is full.

        A token flows in each ``interval_s``, until the bucket is full after ``full_s``. Where the
        seconds returned are more than these, there was no token, and nothing was taken.
        """
        key = self._key("tokens", whose)
        async with _answering(self._timeout_s):
            told = await self._take_token(keys=[key], args=[interval_s, full_s])
        return float(told)

    def _key(self, *parts: str) -> str:
        return ":".join(quote(p, safe="", errors="surrogatepass") for p in (self._prefix, *parts))

    async def _rows(
        self, key: str, first: float, last: float, *, desc: bool = False, byscore: bool = False
    ) -> list[tuple[bytes, float]]:
        rows = await self._client.zrange(key, first, last, desc, withscores=True, byscore=byscore)
        return cast("list[tuple[bytes, float]]", rows)  # of the many shapes in the library's type

    async def _sheets(self, entities: Sequence[str]) -> dict[str, Kept]:
        """Return what is stored of each of ``entities``, in one round trip."""
        if not entities:
            return {}
        async with self._client.pipeline(transaction=False) as reads:
            reads.hmget(self._key("types"), [to_bytes(entity) for entity in entities])
            for entity in entities:
                reads.hgetall(self._key("facts", entity))
            types, *hashes = await reads.execute()
        return {
            entity: Kept(
                type=to_text(node_type) if node_type else None,
                facts={fact.attribute: fact for fact in unpacked(entity, stored)},
            )
            for entity, node_type, stored in zip(entities, types, hashes, strict=True)
        }

    def _write_sheets(self, transaction: Pipeline, before: AllKept, after: AllKept) -> None:
        for entity, sheet in after.items():
            key, old = self._key("facts", entity), before[entity].facts
            if gone := old.keys() - sheet.facts.keys():
                transaction.hdel(key, *map(to_bytes, gone))
            if new := [f for f in sheet.facts.values() if f is not old.get(f.attribute)]:
                rows = [part for f in new for part in (to_bytes(f.attribute), packed(f))]
                transaction.hset(key, items=rows)
            if sheet.type is None and not sheet.facts:
                transaction.hdel(self._key("types"), to_bytes(entity))
            else:
                transaction.hset(self._key("types"), to_bytes(entity), to_bytes(sheet.type or ""))

    def _write_rankings(self, transaction: Pipeline, before: Ranks, after: Ranks) -> None:
        for rank, numbers in before.items():
            if gone := numbers.keys() - after.get(rank, {}).keys():
                transaction.zrem(self._key("ranking", *rank), *gone)
        for rank, numbers in after.items():
            transaction.zadd(self._key("ranking", *rank), numbers)


@asynccontextmanager
async def _answering(limit_s: float | None) -> AsyncIterator[None]:
    """Bound what is asked of Redis, and translate the errors."""
    try:
        async with asyncio.timeout(limit_s):
            yield
    except (RedisError, OSError) as error:
        if "MISCONF" in str(error):
            why = "Redis keeps facts but takes none: its disk is full or fails"
            raise DependencyError(why) from error
        raise DependencyError("Redis did not answer") from error

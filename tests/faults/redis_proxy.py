"""A proxy before a Redis that breaks the connection in the ways in which networks do."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from enum import StrEnum
from pathlib import Path


class Network(StrEnum):
    """How the way to Redis is."""

    FINE = "fine"
    HANG = "hang"
    """Connections are taken, and nothing comes back."""
    SLOW = "slow"
    CUT = "cut"
    """Every answer ends in its middle."""
    REFUSED = "refused"
    """Connections are closed at once."""
    GARBAGE = "garbage"
    """What comes back is not Redis's protocol."""


class RedisProxy:
    """Listens on loopback and speaks to the Redis at a unix socket; ``proxy`` opens one."""

    def __init__(self, socket: Path, slow_s: float) -> None:
        self._socket = socket
        self._slow_s = slow_s
        self._network = Network.FINE
        self._changed = asyncio.Event()
        self._writers: set[asyncio.StreamWriter] = set()
        self.port = 0

    @property
    def url(self) -> str:
        """Where clients find it."""
        return f"redis://127.0.0.1:{self.port}/0"

    def set(self, network: Network) -> None:
        """Behave so from now on; what hangs is let go, and its connections are closed."""
        self._network = network
        self._changed.set()
        self._changed = asyncio.Event()
        if network is not Network.SLOW:
            for writer in self._writers:
                writer.close()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry one connection."""
        self._writers.add(writer)
        try:
            if self._network is not Network.REFUSED:
                await self._carry(reader, writer)
        finally:
            self._writers.discard(writer)
            writer.close()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            back, forth = await asyncio.open_unix_connection(self._socket)
            try:
                done, rest = await asyncio.wait(
                    [
                        asyncio.create_task(self._pump(reader, forth, is_answer=False)),
                        asyncio.create_task(self._pump(back, writer, is_answer=True)),
                    ],
                    return_when=asyncio.FIRST_COMPLETED,
                )
                for task in rest:
                    task.cancel()
                await asyncio.gather(*done, *rest, return_exceptions=True)
            finally:
                forth.close()

    async def _pump(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, is_answer: bool
    ) -> None:
        while part := await reader.read(65_536):
            if is_answer:
                part = await self._spoilt(part)
            writer.write(part)
            await writer.drain()
            if is_answer and self._network is Network.CUT:
                return

    async def _spoilt(self, part: bytes) -> bytes:
        match self._network:
            case Network.HANG:
                await self._changed.wait()
            case Network.SLOW:
                await asyncio.sleep(self._slow_s)
            case Network.CUT:
                return part[: len(part) // 2]
            case Network.GARBAGE:
                return b"HTTP/1.1 400 Bad Request\r\n\r\n"
            case _:
                pass
        return part


@asynccontextmanager
async def proxy(socket: Path, *, slow_s: float = 0.02) -> AsyncIterator[RedisProxy]:
    """Open a proxy before the Redis at ``socket``."""
    opened = RedisProxy(socket, slow_s)
    server = await asyncio.start_server(opened.serve, "127.0.0.1", 0)
    opened.port = server.sockets[0].getsockname()[1]
    try:
        yield opened
    finally:
        opened.set(Network.REFUSED)
        server.close()

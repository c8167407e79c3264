"""A real server process with a home of its own, to be killed and started again."""

import asyncio
import contextlib
import os
import re
import signal
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections import deque
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import httpx

from trivium.app.home import owner_of

ROOT = Path(__file__).parents[2]
_LINES = 200
_SERVES = re.compile(r"^Trivium serves at (http://\S+) ")


class EndedError(Exception):
    """The process ended before it served; the message is what it said."""


class Server:
    """A running ``trivium serve``.

    Attributes:
        url: where it serves.
        ready_s: from the start of the process until ``/readyz`` said 200.
        cpu_s: what the process computed until then.
        redis_pids: the embedded stores that it runs.
    """

    def __init__(self, home: Path, process: Process) -> None:
        self.home = home
        self.url = ""
        self.ready_s = 0.0
        self.cpu_s = 0.0
        self.redis_pids: tuple[int, ...] = ()
        self.said: deque[str] = deque(maxlen=_LINES)
        self._process = process
        self._url: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def launch(cls, home: Path, *, load: Path | None = None, **env: str) -> "Server":
        """Start the process, and do not wait until it serves."""
        more = ("--load", str(load)) if load else ()
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "trivium.app.cli", "serve", "--port", "0", *more),
            cwd=ROOT,
            env=environment(home, env),
            stdin=DEVNULL,
            stdout=DEVNULL,
            stderr=PIPE,
        )
        return cls(home, process)

    @classmethod
    async def start(cls, home: Path, *, load: Path | None = None, **env: str) -> "Server":
        """Start the process, and wait until it is ready.

        Raises:
            EndedError: it ended instead.
        """
        begin = time.monotonic()
        server = await cls.launch(home, load=load, **env)
        try:
            await server.ready()
        except BaseException:
            await server.kill()
            raise
        server.ready_s = time.monotonic() - begin
        server.cpu_s = cpu_s(server.pid)
        return server

    async def ready(self) -> None:
        """Wait until it says where it serves, and it does."""
        self.url = await self._url
        async with self.client() as client:
            state = await client.get("/readyz")
        assert state.status_code == 200, state.text
        self.redis_pids = tuple(children(self.pid))
        owner = owner_of(self.home)
        assert owner is not None
        assert (owner.pid, owner.url) == (self.pid, self.url)

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    @property
    def log(self) -> str:
        """What it said last on standard error."""
        return "".join(self.said)

    def client(self) -> httpx.AsyncClient:
        """Return a client of its door."""
        return httpx.AsyncClient(base_url=self.url, timeout=60)

    def signal(self, number: signal.Signals) -> None:
        """Send it a signal, if it is there."""
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(number)

    async def kill(self) -> None:
        """End it at once, as a power cut would."""
        self.signal(signal.SIGKILL)
        await self.ended()

    async def stop(self) -> None:
        """End it in order, also when it was stopped."""
        self.signal(signal.SIGTERM)
        self.signal(signal.SIGCONT)
        await self.ended()

    async def ended(self) -> int:
        """Wait until it has ended; return its status."""
        status = await self._process.wait()
        await self._reading
        return status

    async def _read(self) -> None:
        assert self._process.stderr
        async for line in self._process.stderr:
            text = line.decode("utf-8", "replace")
            self.said.append(text)
            if (found := _SERVES.search(text)) and not self._url.done():
                self._url.set_result(found[1])
        if not self._url.done():
            self._url.set_exception(EndedError(self.log))
            self._url.exception()  # nobody may be waiting


@asynccontextmanager
async def serving(home: Path, *, load: Path | None = None, **env: str) -> AsyncIterator[Server]:
    """Run a server until the end of the block, and end it in order."""
    server = await Server.start(home, load=load, **env)
    try:
        yield server
    finally:
        await server.stop()


def environment(home: Path, more: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment of a process that has nothing to do with the developer's own."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("TRIVIUM_")}  # noqa: TID251
    return {**kept, "TRIVIUM_HOME": str(home), **(more or {})}


def children(pid: int) -> list[int]:
    """Return the processes that ``pid`` started and that are there."""
    found: list[int] = []
    for file in Path(f"/proc/{pid}/task").glob("*/children"):
        found += [int(child) for child in file.read_text().split()]
    return found


def cpu_s(pid: int) -> float:
    """Return the processor time of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def is_running(pid: int) -> bool:
    """Say whether a process is there and not just waiting to be counted."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


async def gone(pid: int) -> None:
    """Wait until a process that is no child of ours has ended."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    loop, readable = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(descriptor, readable.set)
    try:
        async with asyncio.timeout(10):
            await readable.wait()
    finally:
        loop.remove_reader(descriptor)
        os.close(descriptor)

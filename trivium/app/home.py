"""The home: the state of one installation, owned by one process at a time."""

import fcntl
import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from trivium.domain.errors import HomeError


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """The process that owns a home, and where it serves, if it does."""

    pid: int
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

    def sqlite(self, name: str) -> str:
        """Return the URL of a SQLite file of the home."""
        return f"sqlite+aiosqlite:///{self.path / name}.sqlite"

    def secret(self) -> bytes:
        """Return the home's own secret, made at its first use."""
        path = self.path / "secret"
        if not path.exists():
            fresh = self.path / "secret.new"
            fresh.write_text(secrets.token_hex(32))
            fresh.chmod(0o600)
            fresh.replace(path)
        text = path.read_text().strip()
        if len(text) < 32:
            raise HomeError(f"{path} is damaged: remove it, and ratings of old answers end")
        return text.encode()

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
            (path / "owner.json").unlink(missing_ok=True)


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
    with suppress(OSError, ValueError, TypeError):
        return Owner(**json.loads((path / "owner.json").read_text()))
    return Owner(pid=0)


def _note(path: Path, owner: Owner) -> None:
    fresh = path / "owner.json.new"
    fresh.write_text(json.dumps({"pid": owner.pid, "url": owner.url}))
    fresh.replace(path / "owner.json")


def _taken(path: Path) -> str:
    owner = _noted(path)
    where = f", which serves at {owner.url}" if owner.url else ""
    return (
        f"the home {path} is owned by process {owner.pid}{where}. "
        "Use that one, end it, or set TRIVIUM_HOME to another folder."
    )

"""API keys: who may come in, as what, for which tenant. A file keeps their digests alone."""

import fcntl
import hashlib
import hmac
import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final, Self

import structlog
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from trivium.app.settings import Settings
from trivium.domain.errors import ConflictError, HomeError, InputError, NotFoundError
from trivium.domain.question import HOME_TENANT

_FILE: Final = "keys.json"
_PREFIX: Final = "trv_"
"""By it a key is known for one, also by programs that look for secrets."""
_N_RANDOM_BYTES: Final = 32

Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._@+-]{0,63}$")]

_log = structlog.get_logger(__name__)


class Role(StrEnum):
    """What the holder of a key may do; each role may do what those before it may."""

    ASKER = "asker"
    ANALYST = "analyst"
    ADMIN = "admin"

    def covers(self, needed: "Role") -> bool:
        """Whether this role may do what needs another.

        >>> Role.ADMIN.covers(Role.ASKER), Role.ASKER.covers(Role.ANALYST)
        (True, False)
        """
        order = tuple(Role)
        return order.index(self) >= order.index(needed)


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Key(_Model):
    """What is kept of a key: all but the key."""

    name: Name
    role: Role
    tenant: Name = HOME_TENANT
    created: str
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$", repr=False)]
    """The digest of a random key of 256 bits, which nobody can guess; so it needs no salt."""


class Keys(_Model):
    """The keys of an installation."""

    keys: tuple[Key, ...] = ()

    @model_validator(mode="after")
    def _has_each_once(self) -> Self:
        for what, found in (
            ("name", [key.name for key in self.keys]),
            ("sha256", [key.sha256 for key in self.keys]),
        ):
            if len(set(found)) < len(found):
                raise ValueError(f"two keys have the same {what}")
        return self

    def of(self, text: str) -> Key | None:
        """Return what is kept of the key ``text``; how long that takes tells nothing of any."""
        digest = _digest(text)
        found = [key for key in self.keys if hmac.compare_digest(key.sha256, digest)]
        return found[0] if found else None

    @property
    def has_admin(self) -> bool:
        """Whether somebody may look after the installation."""
        return any(k.role is Role.ADMIN and k.tenant == HOME_TENANT for k in self.keys)


@dataclass(frozen=True, slots=True)
class KeyFile:
    """The file of keys; processes that change it do so one after the other."""

    path: Path

    @classmethod
    def of(cls, settings: Settings) -> "KeyFile":
        """Return the file that the settings name, or the home's own."""
        return cls((settings.keys or settings.home / _FILE).absolute())

    def read(self) -> Keys:
        """Return the keys; a file that is not there holds none.

        Raises:
            InputError: it cannot be read, or is no file of keys.
        """
        try:
            return Keys.model_validate_json(self.path.read_bytes())
        except FileNotFoundError:
            return Keys()
        except OSError as error:
            raise InputError(f"the keys {self.path} cannot be read: {error.strerror}") from error
        except ValidationError as error:  # its text quotes what was read
            fault = error.errors(include_url=False, include_context=False, include_input=False)[0]
            where = ".".join(map(str, fault["loc"]))
            told = ": ".join(filter(None, (where, fault["msg"].removeprefix("Value error, "))))
            raise InputError(f"{self.path} is no file of keys: {told}") from None

    def add(self, name: str, role: Role, *, tenant: str, created: str) -> str:
        """Make a key, keep its digest, and return the key, which is kept nowhere.

        Raises:
            ConflictError: there is a key of that name.
            InputError: the name cannot be one, or the file cannot be used.
            HomeError: the file cannot be written.
        """
        text = _PREFIX + secrets.token_urlsafe(_N_RANDOM_BYTES)
        try:
            fresh = Key(name=name, role=role, tenant=tenant, created=created, sha256=_digest(text))
        except ValidationError as error:
            where = error.errors()[0]["loc"][0]
            told = "letters, digits and . _ @ + -, 64 at most, a letter or digit first"
            raise InputError(f"the {where} of a key has {told}") from error
        with self._alone():
            held = self.read().keys
            if any(key.name == name for key in held):
                raise ConflictError(
                    f"there is a key {name}; remove it first (trivium keys remove {name}), "
                    "or choose another name"
                )
            self._write(Keys(keys=(*held, fresh)))
        return text

    def remove(self, name: str) -> Keys:
        """Take a key away; return those that are left.

        Raises:
            NotFoundError: there is no key of that name.
            InputError: the file cannot be used.
            HomeError: the file cannot be written.
        """
        with self._alone():
            held = self.read().keys
            left = Keys(keys=tuple(key for key in held if key.name != name))
            if len(left.keys) == len(held):
                raise NotFoundError(f"there is no key {name}; trivium keys list shows all")
            self._write(left)
        return left

    def stamp(self) -> tuple[int, ...]:
        """Return what differs when the file does."""
        try:
            found = self.path.stat()
        except OSError:
            return ()
        return found.st_mtime_ns, found.st_ino, found.st_size

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Keep other processes from changing the file meanwhile."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            lock = os.open(f"{self.path}.lock", os.O_RDWR | os.O_CREAT, 0o600)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX)
                yield
            finally:
                os.close(lock)
        except OSError as error:
            raise HomeError(f"the keys {self.path} cannot be written: {error.strerror}") from error

    def _write(self, keys: Keys) -> None:
        """Put the file in place whole, for its owner's eyes alone."""
        fresh = self.path.with_name(f"{self.path.name}.new")
        fresh.unlink(missing_ok=True)
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(json.dumps(keys.model_dump(mode="json"), indent=1) + "\n")
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self.path)


class Keyring:
    """The keys that hold now: read at the start, and again when their file has changed."""

    def __init__(self, file: KeyFile | None = None) -> None:
        """Read the keys; without a file there are none, and never will be.

        Raises:
            InputError: the file cannot be read, or is no file of keys.
        """
        self._file = file
        self._stamp = file.stamp() if file else ()
        self._keys = file.read() if file else Keys()
        self._are_there = bool(self._keys.keys)

    @classmethod
    def open(cls, settings: Settings) -> "Keyring":
        """Return the keys that the settings name.

        Raises:
            InputError: their file cannot be used, or is named and not there.
        """
        file = KeyFile.of(settings)
        if settings.keys is not None and not file.path.exists():
            raise InputError(
                f"TRIVIUM_KEYS names {file.path}, which is not there; "
                "make it with: trivium keys add NAME --role admin"
            )
        return cls(file)

    @property
    def are_there(self) -> bool:
        """Whether there are keys, or were since the start: then nobody comes in without one."""
        self._look()
        return self._are_there

    @property
    def has_admin(self) -> bool:
        """Whether somebody may look after the installation."""
        self._look()
        return self._keys.has_admin

    def holder(self, text: str) -> Key | None:
        """Return what is kept of a key that was given."""
        self._look()
        return self._keys.of(text)

    def _look(self) -> None:
        """Read the file again if it has changed; while it cannot be used, what was read holds."""
        if self._file is None or (stamp := self._file.stamp()) == self._stamp:
            return
        self._stamp = stamp
        try:
            self._keys = self._file.read()
        except InputError as error:
            _log.error("keys_not_read", why=str(error))
            return
        self._are_there = self._are_there or bool(self._keys.keys)
        _log.info("keys_read", n_keys=len(self._keys.keys))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

"""Changing the home from the command line: through its running owner, or by opening it."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, Protocol

import httpx

from trivium.app.administration import Administration
from trivium.app.bootstrap import open_service
from trivium.app.home import owner_of
from trivium.app.models import parse
from trivium.app.mutating import ChangesQuery, LoadRequest, MutationsRequest, UndoRequest
from trivium.app.owner import client_of
from trivium.app.settings import Settings
from trivium.app.terminal import Bars, report, say
from trivium.domain.errors import (
    ConflictError,
    DependencyError,
    HomeError,
    InputError,
    NotFoundError,
    TriviumError,
)

_Json = dict[str, Any]  # Any: JSON
_ERRORS: Final[Mapping[int, type[TriviumError]]] = {404: NotFoundError, 503: DependencyError}
_AUTHOR: Final = "command line"
_LOAD_S: Final = 24 * 3600
"""A load takes what it takes."""


class Door(Protocol):
    """The way to the knowledge of a home."""

    async def mutate(self, asked: MutationsRequest) -> _Json:
        """Make mutations; see ``Administration``."""
        ...

    async def changes(self, asked: ChangesQuery) -> _Json:
        """Read the changelog."""
        ...

    async def undo(self, sequence: int, asked: UndoRequest) -> _Json:
        """Take a change back."""
        ...

    async def load(self, asked: LoadRequest) -> _Json:
        """Load a data set."""
        ...

    async def graph(self) -> _Json:
        """Return the graph in node-link form."""
        ...

    async def retrain(self) -> _Json:
        """Train the router; see ``Retraining``."""
        ...


async def load(settings: Settings, directory: Path, *, is_accepted: bool) -> int:
    """Load a data set into the home."""
    asked = LoadRequest(directory=str(directory.absolute()), accept=is_accepted)  # noqa: ASYNC240  # asks the disk nothing
    async with _door(settings) as door:
        report(await door.load(asked))
    return 0


async def mutate(settings: Settings, name: str) -> int:
    """Make the mutations of a file of JSON Lines: all of them, or none."""
    asked = parse(MutationsRequest, _request(_text(name)))
    async with _door(settings) as door:
        outcome = await door.mutate(asked)
    for change in outcome["changes"]:
        print(_line(change))
    say(f"{len(outcome['changes'])} changes; the knowledge version is {outcome['version']}.")
    return 0


async def changes(settings: Settings, asked: ChangesQuery, *, as_json: bool) -> int:
    """Print the changelog."""
    async with _door(settings) as door:
        outcome = await door.changes(asked)
    for change in outcome["changes"]:
        print(json.dumps(change, ensure_ascii=False) if as_json else _line(change))
    return 0


async def undo(settings: Settings, sequence: int) -> int:
    """Take a change back."""
    async with _door(settings) as door:
        outcome = await door.undo(sequence, UndoRequest(author=_AUTHOR))
    for change in outcome["changes"]:
        print(_line(change))
    say(f"{len(outcome['changes'])} changes; the knowledge version is {outcome['version']}.")
    return 0


async def train(settings: Settings, *, as_json: bool) -> int:
    """Train the router from what was confirmed; 1 when the challenger was refused."""
    async with _door(settings) as door:
        report = await door.retrain()
    if as_json:
        print(json.dumps(report))
    else:
        for line in _trained(report):
            print(line)
    return 0 if report["is_promoted"] else 1


def _trained(report: _Json) -> Iterator[str]:
    """Tell what became of a training, line by line."""
    if report["is_promoted"]:
        yield f"promoted: {report['challenger']} serves instead of {report['champion']}"
    else:
        yield f"refused: {report['champion']} goes on serving, since {report['reason']}"
    for row in report["gate"]:
        yield (
            f"  {row['of']:6s}{row['champion']:7.3f} -> {row['challenger']:.3f}, "
            f"{row['n_won']} won, {row['n_lost']} lost, at least {row['least']:+.4f}"
        )
    if report["suspicious"]:
        yield f"set aside for review: {', '.join(report['suspicious'])}"


async def export(settings: Settings, name: str) -> int:
    """Write the graph to a file as node-link JSON, or to standard output."""
    async with _door(settings) as door:
        outcome = await door.graph()
    text = json.dumps(outcome, ensure_ascii=False, allow_nan=False)
    if name == "-":
        print(text)
    else:
        await asyncio.to_thread(_write, Path(name), text)
    say(f"{len(outcome['nodes'])} entities, {len(outcome['edges'])} relations.")
    return 0


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text + "\n", "utf-8", "replace")
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}") from error


def _line(change: Mapping[str, Any]) -> str:  # Any: JSON
    who = f"{change['author']} ({change['source'] or 'no source'})"
    return f"{change['sequence']}  {change['at']}  {change['kind']}  {change['key']}  {who}"


def _text(name: str) -> str:
    try:
        raw = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise InputError(f"{name} cannot be read: {error.strerror}") from error
    return raw.decode("utf-8-sig", "replace")


def _request(text: str) -> bytes:
    """Return lines of mutations as one request; a line that is not JSON is told by its number."""
    lines = [line for line in text.split("\n") if line.strip()]
    faults = []
    for number, line in enumerate(lines):
        try:
            json.loads(line)
        except (ValueError, RecursionError) as error:
            faults.append((f"mutations.{number}", f"not JSON: {error}"))
    if faults:
        raise InputError(f"{faults[0][0]}: {faults[0][1]}", faults)
    return f'{{"mutations": [{",".join(lines)}], "author": "{_AUTHOR}"}}'.encode()


@asynccontextmanager
async def _door(settings: Settings) -> AsyncIterator[Door]:
    """Give the way to the home: its running owner, or the home itself."""
    owner = owner_of(settings.home)
    if owner is None:
        with Bars() as bars:
            async with open_service(settings, bars) as service:
                yield Administration(service, bars)
    elif owner.url:
        async with client_of(owner.url, settings, timeout_s=_LOAD_S) as client:
            yield _Remote(client)
    else:
        raise HomeError(f"the home {settings.home} is in use by process {owner.pid}")


class _Remote:
    """The running owner of the home, asked over HTTP."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self._client = client

    async def mutate(self, asked: MutationsRequest) -> _Json:
        """Make mutations."""
        return await self._asked("POST", "/admin/mutations", body=asked.model_dump_json())

    async def changes(self, asked: ChangesQuery) -> _Json:
        """Read the changelog."""
        wanted = asked.model_dump(mode="json", exclude_none=True)
        return await self._asked("GET", "/admin/changes", wanted=wanted)

    async def undo(self, sequence: int, asked: UndoRequest) -> _Json:
        """Take a change back."""
        path = f"/admin/changes/{sequence}/undo"
        return await self._asked("POST", path, body=asked.model_dump_json())

    async def load(self, asked: LoadRequest) -> _Json:
        """Load a data set."""
        return await self._asked("POST", "/admin/load", body=asked.model_dump_json())

    async def graph(self) -> _Json:
        """Return the graph in node-link form."""
        return await self._asked("GET", "/admin/graph")

    async def retrain(self) -> _Json:
        """Train the router."""
        return await self._asked("POST", "/admin/router/retrain")

    async def _asked(
        self, method: str, path: str, *, body: str | None = None, wanted: _Json | None = None
    ) -> _Json:
        headers = {"content-type": "application/json"}
        try:
            response = await self._client.request(
                method, path, content=body, params=wanted, headers=headers
            )
            answer: _Json = response.json()
        except (httpx.HTTPError, ValueError) as error:
            raise DependencyError(f"the running service did not answer: {error}") from error
        if response.status_code == 200:
            return answer
        raise _error(response.status_code, answer)


def _error(status: int, problem: _Json) -> TriviumError:
    """Return the error that a problem stands for."""
    detail = str(problem.get("detail"))
    faults = [(e["where"], e["what"]) for e in problem.get("errors") or ()]
    if status == 409:
        return ConflictError(detail, faults)
    kind = _ERRORS.get(status)
    return InputError(detail, faults) if kind is None else kind(detail)

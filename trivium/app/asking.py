"""Asking and routing from the command line: one question, or a batch of them."""

import asyncio
import json
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx
from tqdm import tqdm

from trivium.app.home import owner_of
from trivium.app.loading import alone, load_into
from trivium.app.models import AskRequest, parse
from trivium.app.problems import status_of
from trivium.app.service import Service, open_routing, open_service, rendered, routing
from trivium.app.settings import Settings
from trivium.app.terminal import Bars, report, show
from trivium.domain import door
from trivium.domain.errors import DependencyError, HomeError, InputError, TriviumError
from trivium.knowledge.dataset import read_dataset
from trivium.knowledge.lexicon import lexicon_of

_TENANT: Final = "default"
_PRINCIPAL: Final = "command line"
_Row = dict[str, Any]  # Any: JSON


@dataclass(frozen=True, slots=True)
class Rows:
    """Questions as JSON lines, and how many there are."""

    lines: Sequence[str]

    @classmethod
    def of_one(cls, line: str) -> "Rows":
        """Return the rows of one question."""
        return cls((line,))

    @classmethod
    def of_batch(cls, name: str) -> "Rows":
        """Return the rows of a file, or of standard input; blank lines are none.

        Raises:
            InputError: the file cannot be read.
        """
        try:
            raw = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        except OSError as error:
            raise InputError(f"{name} cannot be read: {error.strerror}") from error
        text = raw.decode("utf-8-sig", errors="replace")
        return cls(tuple(line for line in text.split("\n") if line.strip()))


Asker = Callable[[AskRequest], Awaitable[Mapping[str, object]]]


async def answer(
    settings: Settings, rows: Rows, *, only_route: bool, data: Path | None, as_text: bool
) -> int:
    """Answer, or route, each row; print one line for each, in order."""
    async with _asker(settings, data, only_route=only_route) as ask:
        hidden = len(rows.lines) < 2 or not sys.stderr.isatty()
        for number, line in enumerate(tqdm(rows.lines, disable=hidden), start=1):
            outcome = await _one(line, number, ask)
            if as_text:
                return show(outcome)
            print(json.dumps(outcome, ensure_ascii=False, allow_nan=False), flush=True)
    return 0


async def _one(line: str, number: int, ask: Asker) -> _Row:
    """Return the outcome of a row: an answer, a route, or a problem in its place."""
    row: object = number
    try:
        raw = _parsed(line)
        row = raw.get("id", number)
        asked = parse(AskRequest, json.dumps(_request(raw)).encode("utf-8", "surrogatepass"))
        return {**await ask(asked), "row": row}
    except TriviumError as error:
        told = error.errors if isinstance(error, InputError) else ()
        errors = [{"where": where, "what": what} for where, what in told]
        problem = {"status": status_of(error), "detail": str(error), "errors": errors}
        return {"row": row, "error": problem}


def _parsed(line: str) -> _Row:
    try:
        raw = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(f"the line is not JSON: {error}") from error
    if not isinstance(raw, dict):
        raise InputError("the line is not a JSON object")
    return raw


def _request(raw: _Row) -> _Row:
    question = raw["question"] if "question" in raw else raw.get("query")
    kept = {key: raw[key] for key in ("history", "as_of", "tiers") if raw.get(key) is not None}
    return {"question": question, **kept}


@asynccontextmanager
async def _asker(
    settings: Settings, data: Path | None, *, only_route: bool
) -> AsyncIterator[Asker]:
    """Give what answers: the home's running owner, the home itself, or a data set of its own."""
    if only_route:
        async with _own_routing(settings, data) as ask:
            yield ask
    elif data is not None:
        with tempfile.TemporaryDirectory(prefix="trivium-") as folder:
            async with _own_service(settings, data, Path(folder)) as service:
                yield _local(service)
    elif (owner := owner_of(settings.home)) is None:
        async with open_service(settings) as service:
            yield _local(service)
    elif owner.url:
        async with httpx.AsyncClient(base_url=owner.url, timeout=settings.deadline_s + 5) as client:
            yield _remote(client)
    else:
        raise HomeError(f"the home {settings.home} is in use by process {owner.pid}")


@asynccontextmanager
async def _own_routing(settings: Settings, data: Path | None) -> AsyncIterator[Asker]:
    """Give what routes: it needs names and a schema alone, so no store is opened."""
    async with AsyncExitStack() as stack:
        if data is None:
            if not settings.home.is_dir():
                raise HomeError(f"there is no home at {settings.home}: load a data set first")
            reader, router = await stack.enter_async_context(open_routing(settings))
        else:
            dataset = await asyncio.to_thread(read_dataset, data)
            reader, router = routing(settings, lexicon_of(dataset.changes))

        async def ask(asked: AskRequest) -> Mapping[str, object]:
            question = asked.to_question(tenant=_TENANT, principal=_PRINCIPAL)
            return door.route(router.route(await reader.encoded(question)))

        yield ask


@asynccontextmanager
async def _own_service(settings: Settings, data: Path, folder: Path) -> AsyncIterator[Service]:
    """Open a fresh home with a data set in it; servers of the settings are left alone."""
    with Bars() as bars:
        async with open_service(alone(settings, folder)) as service:
            report((await load_into(service, data, progress=bars)).to_json())
            yield service


def _local(service: Service) -> Asker:
    async def ask(asked: AskRequest) -> Mapping[str, object]:
        question = asked.to_question(tenant=_TENANT, principal=_PRINCIPAL)
        answered: _Row = json.loads(rendered(await service.ask(question, asked.deadline_s)))
        return answered

    return ask


def _remote(client: httpx.AsyncClient) -> Asker:
    async def ask(asked: AskRequest) -> Mapping[str, object]:
        try:
            response = await client.post("/ask", json=asked.model_dump(mode="json"))
        except httpx.HTTPError as error:
            raise DependencyError(f"the running service did not answer: {error}") from error
        body: _Row = response.json()
        if response.status_code != 200:
            raise InputError(str(body.get("detail")))
        return body

    return ask

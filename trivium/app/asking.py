"""Asking and routing from the command line: one question, or a batch of them."""

import asyncio
import codecs
import json
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx
import structlog
from tqdm import tqdm

from trivium.app.bootstrap import open_service
from trivium.app.home import owner_of
from trivium.app.loading import alone, load_into
from trivium.app.models import AskRequest, NotJsonError, parse
from trivium.app.owner import client_of
from trivium.app.problems import described, problem_of
from trivium.app.routing import open_routing, routing
from trivium.app.service import Service, rendered
from trivium.app.settings import Settings
from trivium.app.terminal import Bars, report, show
from trivium.domain import door
from trivium.domain.errors import DependencyError, HomeError, InputError, TriviumError
from trivium.domain.question import HOME_TENANT
from trivium.knowledge.dataset import read_dataset
from trivium.knowledge.lexicon import lexicon_of

_PRINCIPAL: Final = "command line"
_Row = dict[str, Any]  # Any: JSON

_log = structlog.get_logger(__name__)


class _PassedOnError(TriviumError):
    """A problem of the running service, to be told as it is."""

    def __init__(self, problem: Mapping[str, object]) -> None:
        super().__init__(str(problem.get("detail")))
        self.problem = problem


@dataclass(frozen=True, slots=True)
class Rows:
    """Questions as JSON lines, and how many there are."""

    lines: Sequence[bytes]

    @classmethod
    def of_one(cls, line: str) -> "Rows":
        """Return the rows of one question."""
        return cls((line.encode(),))

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
        lines = raw.removeprefix(codecs.BOM_UTF8).split(b"\n")
        return cls(tuple(line for line in lines if line.strip()))


Asker = Callable[[AskRequest], Awaitable[Mapping[str, object]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """How outcomes are printed."""

    as_text: bool = False
    """For a person, not as JSON."""
    is_explained: bool = False
    """Whether the text tells how each word was understood."""


async def answer(
    settings: Settings, rows: Rows, shown: Shown, *, only_route: bool, data: Path | None
) -> int:
    """Answer, or route, each row; print one line for each, in order."""
    async with _asker(settings, data, only_route=only_route) as ask:
        hidden = len(rows.lines) < 2 or not sys.stderr.isatty()
        for number, line in enumerate(tqdm(rows.lines, disable=hidden), start=1):
            outcome = await _one(line, number, ask)
            if shown.as_text:
                return show(outcome, is_explained=shown.is_explained)
            print(_printable(outcome), flush=True)
    return 0


def _printable(outcome: _Row) -> str:
    """Return JSON that standard output can take: escaped where its encoding lacks a character."""
    text = json.dumps(outcome, ensure_ascii=False, allow_nan=False)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return json.dumps(outcome, allow_nan=False)
    return text


async def _one(line: bytes, number: int, ask: Asker) -> _Row:
    """Return the outcome of a row: an answer, a route, or a problem in its place."""
    row: object = number
    try:
        raw = _parsed(line)
        row = number if raw.get("id") is None else raw["id"]
        asked = parse(AskRequest, json.dumps(_request(raw)).encode())
        return {**await ask(asked), "row": row}
    except _PassedOnError as error:
        return {"row": row, "error": error.problem}
    except TriviumError as error:
        return {"row": row, "error": problem_of(error)}
    except Exception as error:  # noqa: BLE001  # a fault of ours costs this row, not the others
        _log.error("row_crashed", row=number, exc_info=error)
        return {"row": row, "error": described(500, "This should not happen. The log has more.")}


def _parsed(line: bytes) -> _Row:
    """Return the object that a line holds, if it can be printed again.

    Raises:
        NotJsonError: it is not JSON.
        InputError: it is, and no object.
    """
    try:
        raw = json.loads(line.decode(), parse_constant=_refuse)
        json.dumps(raw, allow_nan=False)
    except RecursionError as error:
        raise NotJsonError("The line is not JSON: it is nested too deep.") from error
    except UnicodeDecodeError as error:
        told = f"byte {error.start + 1} of it is not UTF-8"
        raise NotJsonError(f"The line is not JSON: {told}.") from error
    except ValueError as error:
        raise NotJsonError(f"The line is not JSON: {error}.") from error
    if not isinstance(raw, dict):
        raise InputError("The line is not a JSON object.")
    return raw


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no number")


def _request(raw: _Row) -> _Row:
    question = raw.get("query") if raw.get("question") is None else raw["question"]
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
            async with own_service(settings, data, Path(folder)) as service:
                yield _local(service)
    elif (owner := owner_of(settings.home)) is None:
        async with open_service(settings) as service:
            yield _local(service)
    elif owner.url:
        timeout_s = settings.deadline_s + 5
        async with client_of(owner.url, settings, timeout_s=timeout_s) as client:
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
            question = asked.to_question(tenant=HOME_TENANT, principal=_PRINCIPAL)
            return door.route(router.route(await reader.encoded(question)))

        yield ask


@asynccontextmanager
async def own_service(settings: Settings, data: Path, folder: Path) -> AsyncIterator[Service]:
    """Open a fresh home with a data set in it; servers of the settings are left alone."""
    with Bars() as bars:
        async with open_service(alone(settings, folder)) as service:
            report((await load_into(service, data, progress=bars)).to_json())
            yield service


def _local(service: Service) -> Asker:
    async def ask(asked: AskRequest) -> Mapping[str, object]:
        question = asked.to_question(tenant=HOME_TENANT, principal=_PRINCIPAL)
        answered: _Row = json.loads(rendered(await service.ask(question, asked.deadline_s)))
        return answered

    return ask


def _remote(client: httpx.AsyncClient) -> Asker:
    async def ask(asked: AskRequest) -> Mapping[str, object]:
        try:
            response = await client.post("/ask", json=asked.model_dump(mode="json"))
        except httpx.HTTPError as error:
            raise DependencyError(f"the running service did not answer: {error}") from error
        try:
            body: object = response.json()
        except ValueError:
            body = None
        if not isinstance(body, dict):
            told = f"{response.status_code} without JSON"
            raise DependencyError(f"the running service answered with {told}")
        if response.status_code != 200:
            raise _PassedOnError(body)
        return body

    return ask

"""Loads data sets into a service, once the answers that a changed schema changes are accepted."""

import asyncio
import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from trivium.app.bootstrap import open_service
from trivium.app.models import AskRequest, parse
from trivium.app.service import Service
from trivium.app.settings import Settings
from trivium.domain import door
from trivium.domain.deadline import Deadline
from trivium.domain.errors import ConflictError, InputError
from trivium.domain.payloads import schema_payload
from trivium.domain.question import HOME_TENANT
from trivium.knowledge.dataset import DataSet, read_dataset
from trivium.knowledge.files import Rejected
from trivium.knowledge.service import Progress
from trivium.knowledge.tables import ItemKind

SUITE: Final = "questions.jsonl"
"""The questions of a data set, where it has them."""
_COMPARED: Final = ("status", "reason", "answer", "result")
_MAX_TOLD: Final = 100
_Json = Mapping[str, Any]  # Any: JSON


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """What a load did."""

    name: str
    counts: Mapping[str, int]
    n_changes: int
    n_kept: int
    version: int
    rejected: Sequence[Rejected]
    warnings: Sequence[Rejected]

    def to_json(self) -> dict[str, object]:
        """Return its JSON form; long lists are cut, and counted."""
        return {
            "name": self.name,
            "version": self.version,
            "counts": dict(self.counts),
            "n_changes": self.n_changes,
            "n_kept": self.n_kept,
            "n_rejected": len(self.rejected),
            "rejected": [asdict(row) for row in self.rejected[:_MAX_TOLD]],
            "n_warnings": len(self.warnings),
            "warnings": [asdict(row) for row in self.warnings[:_MAX_TOLD]],
        }


async def load_into(
    service: Service,
    directory: Path,
    *,
    is_accepted: bool = False,
    progress: Progress | None = None,
) -> Loaded:
    """Load the data set in ``directory``.

    Raises:
        ConflictError: its schema changed, and answers of its suite with it; with each of them.
        DataError: there is no data set.
        DependencyError: a store did not answer.
    """
    dataset = await asyncio.to_thread(read_dataset, directory)
    if not is_accepted:
        await _see_that_answers_stay(service, dataset, directory / SUITE)
    done = await service.knowledge.load(dataset, progress)
    return Loaded(
        name=dataset.name,
        counts=dataset.counts,
        n_changes=done.n_changes,
        n_kept=done.n_kept,
        version=done.version,
        rejected=dataset.report.rejected,
        warnings=dataset.report.warnings,
    )


async def _see_that_answers_stay(service: Service, dataset: DataSet, suite: Path) -> None:
    held = await service.knowledge.changelog.item(ItemKind.SCHEMA, dataset.name, "schema")
    is_changed = held is not None and _bare(held) != _bare(schema_payload(dataset.schema))
    if not is_changed or not await asyncio.to_thread(suite.is_file):
        return
    rows = suite_of(await asyncio.to_thread(suite.read_text, "utf-8-sig"))
    differing = await _differing(service, dataset, rows)
    if differing:
        raise ConflictError(
            f"The schema of {dataset.name} changed, and {len(differing)} of {len(rows)} answers of "
            "its suite with it. Look at them, and load again saying that they are accepted.",
            differing,
        )


def _bare(schema: Mapping[str, object]) -> object:
    """Return a schema without what changes with every new entity: the values of categories."""
    return _without_values(json.loads(json.dumps(schema)))


def _without_values(part: object) -> object:
    if isinstance(part, dict):
        return {key: _without_values(item) for key, item in part.items() if key != "values"}
    return part


def suite_of(text: str) -> list[tuple[str, AskRequest]]:
    """Return the questions of a suite with their ids; rows that are none are left out."""
    found: list[tuple[str, AskRequest]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        try:
            row = json.loads(line)
            kept = {key: row[key] for key in ("history", "as_of") if row.get(key) is not None}
            asked = {"question": row.get("query") or row.get("question"), **kept}
            request = parse(AskRequest, json.dumps(asked).encode())
        except (ValueError, AttributeError, InputError):
            continue
        found.append((str(row.get("id", number)), request))
    return found


async def _differing(
    service: Service, dataset: DataSet, rows: Sequence[tuple[str, AskRequest]]
) -> list[tuple[str, str]]:
    """Answer a suite in a home of its own, before and after the load; give what differs."""
    state = [change async for change in service.knowledge.state()]
    changes = await service.knowledge.changes_of(dataset)
    with tempfile.TemporaryDirectory(prefix="trivium-") as folder:
        async with open_service(for_trial(service.settings, Path(folder))) as trial:
            await trial.knowledge.commit(state)
            before = await answers_of(trial, rows)
            await trial.knowledge.commit(changes)
            after = await answers_of(trial, rows)
    return differences(rows, before, after)


async def answers_of(service: Service, rows: Sequence[tuple[str, AskRequest]]) -> list[_Json]:
    """Answer the questions of a suite, each as far as answers are compared."""
    return [await _answer(service, asked) for _, asked in rows]


def differences(
    rows: Sequence[tuple[str, AskRequest]], before: Sequence[_Json], after: Sequence[_Json]
) -> list[tuple[str, str]]:
    """Return each question of a suite whose answer differs: its id, and what was and is said."""
    return [
        (key, f"{asked.question}: {_short(old)} is now {_short(new)}")
        for (key, asked), old, new in zip(rows, before, after, strict=True)
        if old != new
    ]


async def _answer(service: Service, asked: AskRequest) -> _Json:
    question = asked.to_question(tenant=HOME_TENANT, principal="load")
    answer = await service.pipeline.ask(question, Deadline.after(service.settings.deadline_s))
    body = door.body(answer)
    return {name: body[name] for name in _COMPARED}


def _short(answer: _Json) -> str:
    """Return an answer in a few words."""
    told = json.dumps(answer["result"], ensure_ascii=False)
    said = answer["reason"] or (answer["answer"] if answer["result"]["kind"] == "none" else told)
    return f"{said[:200]!s}"


def for_trial(settings: Settings, folder: Path) -> Settings:
    """Return settings of a trial: a model writes differently each time, so it writes nothing."""
    return alone(settings, folder).model_copy(update={"anthropic_api_key": None})


def alone(settings: Settings, folder: Path) -> Settings:
    """Return settings of a home of its own in ``folder``; its servers are left alone."""
    stores = ("redis_url", "qdrant_url", "database_url", "graph_url")
    return settings.model_copy(update={"home": folder / "home", **dict.fromkeys(stores)})

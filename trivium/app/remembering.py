"""The answer memory of an open service, looked into and made to forget: requests in, JSON out."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, model_validator

from tiers.cag.gist import gist, is_personal
from tiers.cag.memory import CARD, VerifiedMemory
from trivium.app.models import When
from trivium.app.service import Service
from trivium.domain.deadline import Deadline
from trivium.domain.door import body_of
from trivium.domain.errors import NotFoundError
from trivium.domain.question import HOME_TENANT, Question

_NEAR: Final = 5
"""Remembered questions that an explanation sets beside the one asked about."""

_COUNTED: Final = ("exact", "alike", "missed", "kept", "audited", "wrong")

Card = Mapping[str, Any]  # Any: JSON
Name = Annotated[str, Field(max_length=1_000)]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class MemoryQuery(_Model):
    """Which remembered answers are asked for."""

    entity: Name | None = Field(None, description="Those that show this entity, by its id.")
    document: Name | None = Field(None, description="Those that cite this document.")
    text: Name | None = Field(None, description="Those whose question holds this.")
    limit: int = Field(100, ge=1, le=1_000)

    def fits(self, card: Card) -> bool:
        """Whether an answer is one of those."""
        rests_on = card["rests_on"]
        return (
            (self.entity is None or f"entity:{self.entity}" in rests_on)
            and (self.document is None or f"document:{self.document}" in rests_on)
            and (self.text is None or self.text.casefold() in card["question"].casefold())
        )


class ExplainRequest(_Model):
    """A question of which is asked why it is recalled, or is not."""

    question: Annotated[str, Field(min_length=1, max_length=100_000)]
    as_of: When | None = None
    tenant: Name = HOME_TENANT
    principal: Name = "anonymous"

    def to_question(self) -> Question:
        """Return the domain's question."""
        return Question(
            text=self.question, as_of=self.as_of, tenant=self.tenant, principal=self.principal
        )


class InvalidateRequest(_Model):
    """What is to be forgotten: what shows an entity, or cites a document, or all."""

    entity: Name | None = None
    document: Name | None = None
    everything: bool = False
    dry_run: bool = Field(default=False, description="Say what would go, and leave it.")

    @model_validator(mode="after")
    def _says_one_thing(self) -> "InvalidateRequest":
        if (self.entity is not None) + (self.document is not None) + self.everything != 1:
            raise ValueError("say one of entity, document and everything")
        return self


@dataclass(frozen=True, slots=True)
class Remembering:
    """What admins may do with remembered answers."""

    service: Service

    @property
    def _memory(self) -> VerifiedMemory:
        return self.service.memory

    async def find(self, asked: MemoryQuery) -> dict[str, object]:
        """Return remembered answers, without what they say."""
        cards = {key: card for key, card in (await self._cards()).items() if asked.fits(card)}
        told = [self._told(key, card) for key, card in sorted(cards.items())[: asked.limit]]
        return {"n_found": len(cards), "answers": told}

    async def show(self, key: str) -> dict[str, object]:
        """Return one remembered answer as it would be given.

        Raises:
            NotFoundError: nothing is remembered under ``key``.
        """
        store = self.service.redis
        card, kept = await store.get(f"{CARD}{key}"), await store.get(key)
        if card is None or kept is None:
            raise _nothing(key)
        return {**self._told(key, json.loads(card)), "response": body_of(kept)}

    async def forget(self, key: str) -> dict[str, object]:
        """Forget one answer.

        Raises:
            NotFoundError: nothing is remembered under ``key``.
        """
        if await self.service.redis.get(f"{CARD}{key}") is None:
            raise _nothing(key)
        await self._delete([key])
        return {"n_forgotten": 1}

    async def invalidate(self, asked: InvalidateRequest) -> dict[str, object]:
        """Forget what shows an entity or cites a document; with ``dry_run`` say what that is."""
        wanted = MemoryQuery(entity=asked.entity, document=asked.document)
        cards = {key: card for key, card in (await self._cards()).items() if wanted.fits(card)}
        if not asked.dry_run:
            await self._delete(list(cards))
        told = [self._told(key, card) for key, card in sorted(cards.items())]
        return {"dry_run": asked.dry_run, "n_forgotten": len(cards), "answers": told}

    async def explain(self, asked: ExplainRequest) -> dict[str, object]:
        """Say whether a question is recalled, by what, and in what others differ from it."""
        question, service = asked.to_question(), self.service
        version = service.knowledge.version
        deadline = Deadline.after(service.settings.deadline_s)
        understood = await service.pipeline.reader.understand(question, deadline)
        key = self._memory.key(question, version)
        alike = await self._memory.find_alike(understood, version)
        meant = gist(understood)
        return {
            "key": key,
            "is_exact": await service.redis.get(key, version=version) is not None,
            "is_personal": is_personal(question.text),
            "gist": meant,
            "alike": alike and {"question": alike.question, "similarity": alike.similarity},
            "others": _beside(meant or (), (await self._cards()).values()),
        }

    async def statistics(self) -> dict[str, object]:
        """Return how many answers are remembered, and how often one was recalled since the start.

        Answers of an earlier state of knowledge are never recalled, and go when their time is up.
        """
        cards = (await self._cards()).values()
        version, counts = self.service.knowledge.version, self._memory.counts
        n_asked = counts["exact"] + counts["alike"] + counts["missed"]
        return {
            "n_answers": len(cards),
            "n_current": sum(card["version"] == version for card in cards),
            "ttl_s": self.service.settings.memory_ttl_s,
            "counts": {name: counts[name] for name in _COUNTED},
            "hit_rate": (n_asked - counts["missed"]) / n_asked if n_asked else None,
        }

    async def _cards(self) -> dict[str, Card]:
        kept = await self.service.redis.items(CARD)
        return {key.removeprefix(CARD): json.loads(card) for key, card in kept.items()}

    async def _delete(self, keys: list[str]) -> None:
        await self.service.redis.delete([name for key in keys for name in (key, f"{CARD}{key}")])

    def _told(self, key: str, card: Card) -> dict[str, object]:
        is_current = card["version"] == self.service.knowledge.version
        return {"key": key, **card, "is_current": is_current}


def _nothing(key: str) -> NotFoundError:
    return NotFoundError(f"Nothing is remembered under {key[:80]!r}.")


def _beside(meant: Sequence[str], cards: Iterable[Card]) -> list[dict[str, object]]:
    """Return the remembered questions that are nearest in their gist, and what differs."""
    known = [card for card in cards if card["gist"]]
    known.sort(key=lambda card: -len(set(meant) & set(card["gist"])))
    return [
        {
            "question": card["question"],
            "only_asked": [word for word in meant if word not in card["gist"]],
            "only_remembered": [word for word in card["gist"] if word not in meant],
            "is_same_gist": card["gist"] == list(meant),
        }
        for card in known[:_NEAR]
    ]

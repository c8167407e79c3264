"""Deciding about corrections: what raters say was misread becomes an alias, or is dismissed."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, assert_never

from pydantic import BaseModel, ConfigDict, Field

from feedback.corrections import Correction, CorrectionState, see_that_it_agrees
from trivium.app.service import Service
from trivium.domain.errors import ConflictError, InputError
from trivium.domain.mutation import AddAlias
from trivium.knowledge.service import Committed


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Decision(StrEnum):
    """What an admin makes of a correction."""

    CONFIRM = "confirm"
    DISMISS = "dismiss"


class DecisionRequest(_Model):
    """Whether a correction becomes an alias, and who says so."""

    decision: Decision
    author: Annotated[str, Field(min_length=1, max_length=200)] = "admin"


class CorrectionsQuery(_Model):
    """How many open corrections are asked for."""

    limit: int = Field(100, ge=1, le=1_000)


class CorrectionResponse(_Model):
    """A correction, and what became of it."""

    id: str
    answer_id: str
    question: str | None = Field(description="None where the trace of its answer was lost.")
    rater: str
    words: str
    means: dict[str, str]
    at: str
    state: CorrectionState
    decided_by: str | None
    decided_at: str | None


class CorrectionsResponse(_Model):
    """Open corrections, oldest first."""

    corrections: list[CorrectionResponse]


class DecisionResponse(CorrectionResponse):
    """A decided correction, and the changes of the knowledge that the decision made."""

    version: int
    changes: list[int] = Field(description="Their numbers; none where it was decided before.")


@dataclass(frozen=True, slots=True)
class Correcting:
    """Lists a tenant's corrections and decides; feedback keeps them, the knowledge learns."""

    service: Service
    tenant: str

    async def open_ones(self, asked: CorrectionsQuery) -> dict[str, object]:
        """Return the open corrections, with the questions that they are about."""
        found = await self.service.ratings.corrections.open_ones(self.tenant, limit=asked.limit)
        return {"corrections": [await self._told(correction) for correction in found]}

    async def decide(self, correction_id: str, asked: DecisionRequest) -> dict[str, object]:
        """Make an alias of a correction, or dismiss it; the same again changes nothing.

        Raises:
            NotFoundError: there is no such correction.
            ConflictError: it was decided otherwise, or the alias cannot be.
            DependencyError: a store did not answer; it stays open.
        """
        found = await self.service.ratings.corrections.get(correction_id, self.tenant)
        match asked.decision:
            case Decision.DISMISS:
                decided, done = await self._closed(found, CorrectionState.DISMISSED, asked), None
            case Decision.CONFIRM:
                decided, done = await self._confirmed(found, asked)
            case _:
                assert_never(asked.decision)
        version = self.service.knowledge.version
        numbers = [change.sequence for change in done.changes] if done else []
        return {**await self._told(decided), "version": version, "changes": numbers}

    async def _confirmed(
        self, found: Correction, asked: DecisionRequest
    ) -> tuple[Correction, Committed | None]:
        """Learn the alias first, so that a confirmed correction is one that was learned."""
        state = CorrectionState.CONFIRMED
        see_that_it_agrees(found, state)
        if found.state is state:
            return found, None
        done = await self._learned(found, asked)
        try:
            return await self._closed(found, state, asked), done
        except ConflictError:  # somebody dismissed it meanwhile
            for change in done.changes:
                await self.service.knowledge.undo(change.sequence, author=asked.author)
            raise

    async def _learned(self, found: Correction, asked: DecisionRequest) -> Committed:
        alias = AddAlias(words=found.alias.words, means=found.alias.means)
        try:
            return await self.service.knowledge.mutate([alias], author=asked.author)
        except InputError as error:
            faults = [(where.removeprefix("mutations.0."), what) for where, what in error.errors]
            told = "; ".join(f"{where}: {what}" for where, what in faults)
            raise ConflictError(f"This cannot be learned: {told}", faults) from error

    async def _closed(
        self, found: Correction, state: CorrectionState, asked: DecisionRequest
    ) -> Correction:
        at = self.service.now().isoformat()
        return await self.service.ratings.corrections.decide(found, state, by=asked.author, at=at)

    async def _told(self, correction: Correction) -> dict[str, object]:
        answer = await self.service.answers.get(correction.answer_id, self.tenant)
        return {
            "id": correction.id,
            "answer_id": correction.answer_id,
            "question": answer["question"] if answer else None,
            "rater": correction.rater,
            "words": correction.alias.words,
            "means": correction.alias.means.to_json(),
            "at": correction.at,
            "state": correction.state.value,
            "decided_by": correction.decided_by,
            "decided_at": correction.decided_at,
        }

"""What the analyst of misroutes asks: the pipeline without a model, and without a memory."""

from collections.abc import Mapping
from dataclasses import replace

from synthesis.composer import Composer
from trivium.domain.answer import Alike, Answer, Known, Remembered
from trivium.domain.ports import Tier
from trivium.domain.question import Question, TierName, Understood
from trivium.pipeline import Pipeline
from trivium.stages import Unwatched


class Forgetful:
    """An ``AnswerMemory`` that remembers nothing."""

    async def recall(self, _question: Question, _version: int) -> bytes | None:
        """Return nothing."""
        return None

    async def recall_alike(self, _question: Understood, _version: int) -> Alike | None:
        """Return nothing."""
        return None

    async def remember(self, _known: Known, _answer: bytes) -> None:
        """Let it go."""


class Unrecorded:
    """An ``AnswerJournal`` that keeps nothing."""

    def record(self, _question: Question, _answer: Answer | Remembered) -> None:
        """Let it go."""


def aside(pipeline: Pipeline, tiers: Mapping[TierName, Tier]) -> Pipeline:
    """Return a pipeline over ``tiers`` that answers as this one, and leaves no trace of it."""
    return replace(
        pipeline,
        tiers=tiers,
        synthesizer=Composer(pipeline.new_id),
        memory=Forgetful(),
        journal=Unrecorded(),
        watcher=Unwatched(),
        tracer=None,
    )

"""What the stages need from each other and from outside, each stated by the side that needs it."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from trivium.domain.answer import Alike, Answer, Known, Remembered
from trivium.domain.deadline import Deadline
from trivium.domain.evidence import TierResult
from trivium.domain.knowledge import Change
from trivium.domain.question import Question, TierName, Understood, Vector
from trivium.domain.route import RouteDecision
from trivium.domain.schema import Schema


class Encoder(Protocol):
    """Turns texts into embeddings."""

    async def encode(self, texts: Sequence[str]) -> tuple[Vector, ...]:
        """Return one vector of unit length for each text, in order.

        Raises:
            DependencyError: the model did not answer.
        """
        ...


class Tier(Protocol):
    """Finds evidence for a question."""

    async def retrieve(self, question: Understood, deadline: Deadline) -> TierResult:
        """Return what this tier knows; an empty result is a miss, not an error.

        Raises:
            DependencyError: the tier's store did not answer.
        """
        ...


class Reader(Protocol):
    """Reads a question once, for every stage."""

    async def understand(self, question: Question, deadline: Deadline) -> Understood:
        """Complete it from its history, link its mentions, and encode it.

        An encoder that does not answer in time costs the vector, not the question.
        """
        ...

    def read(self, question: Question) -> Understood:
        """Do the same without encoding it: the vector is empty."""
        ...

    @property
    def schema(self) -> Schema:
        """The schema whose words it knows."""
        ...

    def name(self, entity: str) -> tuple[str, str | None]:
        """Return a name, or else the id, by which an entity alone is meant, and its type."""
        ...


class Router(Protocol):
    """Chooses the tiers."""

    def route(self, question: Understood) -> RouteDecision:
        """Return the tiers to ask, maybe none, with reasons."""
        ...


class Synthesizer(Protocol):
    """Joins what the tiers found into one answer."""

    async def compose(
        self,
        question: Understood,
        decision: RouteDecision,
        results: Mapping[TierName, TierResult],
        deadline: Deadline,
    ) -> Answer:
        """Return an answer that says only what the evidence says."""
        ...


class AnswerMemory(Protocol):
    """Remembers whole answers."""

    async def recall(self, question: Question, version: int) -> bytes | None:
        """Return the answer remembered for exactly this question at this knowledge version.

        The bytes are what ``remember`` was given.
        """
        ...

    async def recall_alike(self, question: Understood, version: int) -> Alike | None:
        """Return the answer remembered for other words that ask the same."""
        ...

    async def remember(self, known: Known, answer: bytes) -> None:
        """Keep ``answer`` for the next time; failing to is not an error."""
        ...


class AnswerJournal(Protocol):
    """Keeps every answer, off the request's path."""

    def record(self, question: Question, answer: Answer | Remembered) -> None:
        """Take an answer; it is on disk soon after, and can be looked up at once."""
        ...


class Projection(Protocol):
    """Something that is derived from the knowledge journal."""

    name: str

    async def watermark(self) -> int:
        """Return the sequence number up to which changes are applied; 0 for none.

        Raises:
            DependencyError: its store did not answer.
        """
        ...

    async def apply(self, changes: Sequence[Change], upto: int) -> None:
        """Apply ``changes`` in order and move the watermark to ``upto``.

        Applying a change twice is the same as applying it once.

        Raises:
            DependencyError: its store did not answer; the watermark stays.
        """
        ...

    async def clear(self) -> None:
        """Forget everything; the watermark is 0."""
        ...


class Watcher(Protocol):
    """Hears how the stages and the tiers of questions do."""

    def tier(self, name: str, outcome: str) -> None:
        """Take note that a tier was asked: ``ok, miss, failed, timeout`` or ``refused``."""
        ...

    def stage(self, name: str, seconds: float) -> None:
        """Take note of how long a stage took."""
        ...

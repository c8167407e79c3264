"""A question, as it was asked and as it was read once for every stage."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal, TypeAlias

from trivium.domain.time import Moment

HOME_TENANT: Final = "default"
"""The tenant that the knowledge of a home belongs to."""
Vector: TypeAlias = tuple[float, ...]
"""An embedding of unit length."""


class TierName(StrEnum):
    """The three roads, in the order in which answers name them."""

    CAG = "cag"
    RAG = "rag"
    GRAPH = "graph"


class MemoryUse(StrEnum):
    """What an answer may be recalled for; the first is the most."""

    ALIKE = "alike"
    """The same question in other words, too."""
    EXACT = "exact"
    """The same words alone."""
    OFF = "off"
    """Nothing: it is answered anew."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of the conversation before the question."""

    role: Literal["user", "assistant", "system"]
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question, as it came in by the door."""

    text: str
    history: tuple[Turn, ...] = ()
    as_of: str | None = None
    """An ISO date or date-time; ``None`` is now."""
    tiers: tuple[TierName, ...] | None = None
    """The tiers that the caller wants, instead of the router's choice."""
    tenant: str = HOME_TENANT
    principal: str = "anonymous"
    memory: MemoryUse = MemoryUse.ALIKE


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """One word or mark of the text."""

    text: str
    lower: str
    stem: str
    start: int
    """First character in the text."""
    end: int


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Span:
    """Tokens from ``first`` until just before ``last``."""

    first: int
    last: int

    def __contains__(self, index: int) -> bool:
        return self.first <= index < self.last

    def __iter__(self) -> Iterator[int]:
        return iter(range(self.first, self.last))

    def __len__(self) -> int:
        return self.last - self.first

    def overlaps(self, other: "Span") -> bool:
        """Whether the two share a token."""
        return self.first < other.last and other.first < self.last


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """An entity that a mention may mean."""

    id: str
    type: str
    name: str
    score: float
    """From 0 to 1, 1 for the entity's own id, name or alias."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """Words of the question that name an entity.

    ``candidates`` come best first; those that score as high as the first are equally good.
    No candidate at all: the words look like an id or a name, and nothing has it.
    """

    span: Span
    text: str
    candidates: tuple[Candidate, ...]

    @property
    def best(self) -> tuple[Candidate, ...]:
        """The candidates that share the highest score."""
        return tuple(c for c in self.candidates if c.score >= self.candidates[0].score - 1e-9)

    @property
    def is_ambiguous(self) -> bool:
        """Whether more than one entity fits equally well."""
        return len(self.best) > 1


class TermKind(StrEnum):
    """What a word of the schema stands for."""

    TYPE = "type"
    RELATION = "relation"
    PROPERTY = "property"
    VALUE = "value"
    FACT = "fact"
    """An attribute that facts alone have, and no entity of the graph."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """Words of the question that name something of the schema.

    ``name`` is the type, relation or property; for a value it is the property, ``value`` the
    value, and ``owner`` the type or relation type that has the property.
    """

    span: Span
    kind: TermKind
    name: str
    score: float
    """From 0 to 1; 1 for the schema's own word."""
    owner: str | None = None
    value: str | None = None
    ends: tuple[tuple[str, str], ...] = ()
    """Of a relation, of its attributes and their values: the types that it joins."""


class TimeRelation(StrEnum):
    """How a question's time expression bounds what it asks for."""

    ON = "on"
    """At that time: a day, or any day of a period."""
    BEFORE = "before"
    AFTER = "after"
    """From the day after it on."""
    SINCE = "since"
    """From its first day on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeExpression:
    """Words that name a day or a period."""

    span: Span
    moment: Moment
    relation: TimeRelation = TimeRelation.ON


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """A number in the question."""

    span: Span
    number: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Cue:
    """A word or phrase that says what is to be done: count, compare, negate, remove, and so on.

    ``kind`` is a key of the general words (``trivium/language/general_words.yaml``).
    """

    span: Span
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Documented:
    """How many content words of a question neither schema nor names explain."""

    n_unread: int
    n_known: int
    """Those of them that stand in documents."""
    is_duty: bool = False
    """Whether it asks what one may or must do, which documents tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Understood:
    """A question, read once; router, memory and tiers share it."""

    question: Question
    text: str
    """The question, completed from its history where it needs that."""
    moment: Moment
    """The time that the question is about when it names none: its ``as_of``, or now."""
    tokens: tuple[Token, ...] = ()
    mentions: tuple[Mention, ...] = ()
    terms: tuple[Term, ...] = ()
    times: tuple[TimeExpression, ...] = ()
    quantities: tuple[Quantity, ...] = ()
    cues: tuple[Cue, ...] = ()
    vector: Vector = ()
    unencoded: str | None = None
    """Why there is no vector, where there should be one."""
    knowledge_version: int = 0
    documented: Documented | None = None
    """What documents know of its words; nothing where there are none."""
    is_shortened: bool = False
    """Whether only the beginning and the end of ``question`` were read; it holds just these."""

    def has(self, *kinds: str) -> bool:
        """Whether a cue of one of ``kinds`` was read."""
        return any(cue.kind in kinds for cue in self.cues)

    def cues_of(self, *kinds: str) -> tuple[Cue, ...]:
        """Return the cues of ``kinds``, in their order in the text."""
        return tuple(cue for cue in self.cues if cue.kind in kinds)

    def terms_of(self, *kinds: TermKind) -> tuple[Term, ...]:
        """Return the terms of ``kinds``, in their order in the text."""
        return tuple(term for term in self.terms if term.kind in kinds)

    def words(self, span: Span) -> str:
        """Return the text of ``span``, as it was typed."""
        return self.text[self.tokens[span.first].start : self.tokens[span.last - 1].end]

"""What a question names, settled: the pieces that templates read."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from tiers.graphrag.operators.conditions import Condition
from tiers.graphrag.reading.glossary import Glossary
from tiers.graphrag.reading.paths import SchemaPaths
from trivium.domain.evidence import CandidateEntity, Reason
from trivium.domain.question import Span, Term, Token, Understood
from trivium.domain.schema import Schema


class _HasPlace(Protocol):
    """Something that stands in a question."""

    @property
    def span(self) -> Span:
        """The words that it is."""
        ...


_Placed = TypeVar("_Placed", bound=_HasPlace)


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor:
    """Entities that the question names, as one: by name, or by what they are."""

    span: Span
    type: str
    ids: tuple[str, ...] = ()
    conditions: tuple[Condition, ...] = ()
    """For entities named by what they are, such as "the freighter"."""
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeWord:
    """A type of the schema, named."""

    span: Span
    type: str
    is_singular: bool
    score: float
    relation: str = ""
    """The relation whose noun it is, if it is one: "the head of"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PropertyWord:
    """A property of the schema, named, with the types or relations that have it."""

    span: Span
    name: str
    owners: tuple[str, ...]
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueWord:
    """A value of a category, named, with the ``(owner, property)`` pairs that have it."""

    span: Span
    value: str
    owners: tuple[tuple[str, str], ...]
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Sketch:
    """A question, settled against the schema; what the templates read."""

    question: Understood
    schema: Schema
    paths: SchemaPaths
    glossary: Glossary
    anchors: tuple[Anchor, ...]
    types: tuple[TypeWord, ...]
    relations: tuple[Term, ...]
    properties: tuple[PropertyWord, ...]
    values: tuple[ValueWord, ...]
    wanted: tuple[TypeWord, ...]
    """The types asked for, side by side: "products and customers"."""
    breaks: frozenset[int]
    """Words before which a comma or another mark stands."""
    stops: frozenset[int]
    """Words that begin a sentence, or what a colon announces."""
    asks_which: bool = False
    """Whether an end that only asks which one is meant was left out: "any left? Say which."."""
    unread: tuple[Span, ...] = ()
    """Content words that nothing explains."""
    asked_in_vain: str = ""
    """The noun that is asked for, when the schema has nothing of that name."""

    @property
    def focus(self) -> TypeWord | None:
        """The type asked for, when it is named."""
        return self.wanted[0] if self.wanted else None

    @property
    def tokens(self) -> tuple[Token, ...]:
        """The words of the question."""
        return self.question.tokens

    @property
    def named_types(self) -> set[str]:
        """The types that are named, by themselves or by an entity of theirs."""
        return {t.type for t in self.types} | {a.type for a in self.anchors}

    def words(self, first: int, last: int) -> list[str]:
        """Return folded words from ``first`` until just before ``last``."""
        return [t.lower for t in self.question.tokens[max(0, first) : max(0, last)]]

    def has(self, *kinds: str) -> bool:
        """Whether the question has a cue of one of ``kinds``."""
        return self.question.has(*kinds)

    def relation_names(self) -> tuple[str, ...]:
        """Return the relations that the question names, best first, each once."""
        ordered = sorted(self.relations, key=lambda term: -term.score)
        return tuple(dict.fromkeys(term.name for term in ordered))

    def type_after(self, position: int, *, within: int = 4) -> TypeWord | None:
        """Return the first type named at or after a word, a few words on at most."""
        later = (t for t in self.types if position <= t.span.first <= position + within)
        return next(later, None)

    def part(self, first: int, last: int) -> "Sketch":
        """Return what the words from ``first`` until just before ``last`` name alone."""

        def kept(items: Iterable[_Placed]) -> tuple[_Placed, ...]:
            return tuple(i for i in items if first <= i.span.first < last)

        question = replace(
            self.question,
            cues=kept(self.question.cues),
            times=kept(self.question.times),
            quantities=kept(self.question.quantities),
        )
        return replace(
            self,
            question=question,
            anchors=kept(self.anchors),
            types=kept(self.types),
            relations=kept(self.relations),
            properties=kept(self.properties),
            values=kept(self.values),
            wanted=kept(self.wanted),
        )

    def is_parted(self, first: int, last: int) -> bool:
        """Whether a mark stands between two words."""
        return any(first < i <= last for i in self.breaks)


class Refusal(Exception):  # noqa: N818  # a way out of reading, not an error that anyone sees
    """The question has no plan, for a reason."""

    def __init__(
        self, reason: Reason, why: str, candidates: Sequence[CandidateEntity] = ()
    ) -> None:
        super().__init__(why)
        self.reason = reason
        self.why = why
        self.candidates = tuple(candidates)


def gap(a: Span, b: Span) -> int:
    """How many words lie between two spans; 0 when they touch or overlap."""
    return max(0, max(a.first, b.first) - min(a.last, b.last))

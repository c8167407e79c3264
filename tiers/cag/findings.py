"""What was found, or why nothing was; and how it is said."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from tiers.cag.attributes import plain
from tiers.cag.sheets import kind_of
from trivium.domain.evidence import (
    CandidateEntity,
    FactSheet,
    Reason,
    Statement,
    TierResult,
    TierStatus,
    freshness_of,
)
from trivium.domain.knowledge import Fact, Value
from trivium.domain.question import Candidate, Span, TierName
from trivium.domain.result import FactValue, Result, Values, tidy
from trivium.domain.schema import PropertyKind
from trivium.language.plurals import is_plural

MAX_SHOWN: Final = 25
"""Of a long list: how many are said and given as evidence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """An entity that a question names, by name or by what it is."""

    id: str
    type: str
    name: str
    span: Span

    @property
    def label(self) -> str:
        """Its name, and its id where that is another."""
        return label(self.id, self.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Facts that answer, the result that they make, and the sentences that say it."""

    shape: str
    facts: tuple[Fact, ...]
    result: Result
    statements: tuple[Statement, ...]
    also: tuple[Result, ...] = ()
    """The same, or more of it, in other kinds of result."""
    trace: Mapping[str, object] = field(default_factory=dict)
    lacking: tuple[str, ...] = ()
    """Sentences on what was asked too and is not known."""
    words: frozenset[int] = frozenset()
    """Words of the question that the answer has used."""
    is_hinted: bool = False
    """Whether the question names nothing of it, but only hints at it."""
    read_as: str | None = None
    """What is answered, where it was read from the meaning of words that name nothing."""
    sheets: tuple[FactSheet, ...] = ()
    """All that is known of the entities at hand; see ``TierResult``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """Why there is no answer."""

    reason: Reason
    why: str
    candidates: tuple[CandidateEntity, ...] = ()
    entities: tuple[str, ...] = ()
    """The entities that it speaks of."""


Finding: TypeAlias = Found | Refused


def label(entity: str, name: str) -> str:
    """Return a name with its id, unless the name says the id.

    >>> label("CMP-010", "Main Wiring Harness"), label("SO-7", "SO-7")
    ('Main Wiring Harness (CMP-010)', 'SO-7')
    """
    return name if name.casefold() == entity.casefold() else f"{name} ({entity})"


def shown(value: Value, unit: str | None = None) -> str:
    """Return a value as text, with its unit.

    >>> shown(96, "%"), shown(13.5, "million USD"), shown(True), shown("Japan")
    ('96%', '13.5 million USD', 'yes', 'Japan')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = str(tidy(value))
    if unit is None or not isinstance(value, int | float):
        return text
    return f"{text}%" if unit in {"%", "percent"} else f"{text} {unit}"


def dated(as_of: str | None) -> str:
    """Return the date of a fact in brackets, with a space before; nothing where it has none."""
    return f" (as of {as_of})" if as_of else ""


def sentence(fact: Fact, of: str) -> str:
    """Say one fact of what is called ``of``.

    >>> sentence(Fact(entity="F", attribute="capacity", value=60, as_of="2024-12-01"), "Hub (F)")
    'The capacity of Hub (F) is 60 (as of 2024-12-01).'
    """
    name = plain(fact.attribute, fact.unit)
    is_many = is_plural(name) and kind_of(fact.value) is not PropertyKind.DATE
    verb = "are" if is_many else "is"
    return f"The {name} of {of} {verb} {shown(fact.value, fact.unit)}{dated(fact.as_of)}."


def values_of(facts: Sequence[Fact]) -> Values:
    """Return facts as a result."""
    return Values(
        tuple(
            FactValue(
                entity=f.entity, attribute=f.attribute, value=f.value, unit=f.unit, as_of=f.as_of
            )
            for f in facts
        )
    )


def ambiguous(text: str, candidates: Sequence[Candidate | Entity]) -> Refused:
    """Return the refusal to choose among entities that fit equally well."""
    listed = ", ".join(label(c.id, c.name) for c in candidates[:6])
    return Refused(
        reason=Reason.AMBIGUOUS,
        why=f"{text!r} may mean {listed}.",
        candidates=tuple(CandidateEntity(id=c.id, type=c.type, name=c.name) for c in candidates),
    )


def unknown(text: str) -> Refused:
    """Return the refusal for a name that nothing has."""
    return Refused(reason=Reason.UNKNOWN_ENTITY, why=f"Nothing is called {text!r}.")


def miss(refused: Refused, trace: Mapping[str, object]) -> TierResult:
    """Return the tier's result where there is no answer."""
    return TierResult(
        tier=TierName.CAG,
        status=TierStatus.MISS,
        reason=refused.reason,
        why=refused.why,
        candidates=refused.candidates,
        trace={**trace, "refused": refused.why},
    )


def hit(found: Found, whys: Sequence[str]) -> TierResult:
    """Return the tier's result for what was found; ``whys`` say what is not whole about it."""
    return TierResult(
        tier=TierName.CAG,
        status=TierStatus.PARTIAL if whys else TierStatus.HIT,
        evidence=found.facts,
        result=found.result,
        also=found.also,
        statements=found.statements,
        why=" ".join(whys) or None,
        sheets=found.sheets,
        freshness=freshness_of(found.facts),
        is_hinted=found.is_hinted,
        read_as=found.read_as,
        trace={"shape": found.shape, **found.trace},
    )

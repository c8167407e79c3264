"""The type that a question is about, and what it asks and says of its entities."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from tiers.cag.attributes import title, weight
from tiers.cag.conditions import Condition, conditions
from tiers.cag.findings import Refused
from tiers.cag.forms import degrees
from tiers.cag.matching import Match, match
from tiers.cag.sheets import MAX_SCANNED, Sheets
from tiers.cag.wording import Wording
from trivium.domain.evidence import Reason
from trivium.domain.knowledge import Fact
from trivium.domain.question import Term, TermKind
from trivium.domain.schema import Property
from trivium.language.plurals import plural
from trivium.language.text import spoken

_ENOUGH: Final = 0.6
_MAX_TYPES: Final = 8
"""Named types that are looked at; a question about more is about none of them in particular."""
_WITHIN: Final = frozenset({"in", "from", "at", "near", "called", "named"})
_OF: Final = frozenset({"of", "for", "with", "without", "to"})
_ARTICLES: Final = frozenset({"the", "our", "a", "an"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """The type that a question is about, and what it asks and says of it."""

    type: str
    term: Term | None
    """Where the type is named; ``None`` when only its attribute is."""
    attributes: Mapping[str, Property]
    asked: tuple[Match, ...]
    given: tuple[Condition, ...]

    @property
    def taken(self) -> frozenset[int]:
        """The words of the conditions."""
        return frozenset(i for c in self.given for i in c.words)

    @property
    def wanted(self) -> tuple[Match, ...]:
        """The attributes that are asked for, without those that conditions are on."""
        tested = {c.attribute for c in self.given}
        return tuple(m for m in self.asked if m.attribute.name not in tested)

    @property
    def said(self) -> str:
        """The type in the plural, with the conditions."""
        told = ", ".join(c.said for c in self.given)
        return plural(spoken(self.type)) + (f" with {told}" if told else "")


async def subject_of(wording: Wording, sheets: Sheets) -> Subject | None:
    """Return the type that the question is about: a named one, else the one with what it asks."""
    named = [t for t in wording.types() if t.score >= _ENOUGH]
    named = sorted(named, key=lambda t: _place(wording, t))[:_MAX_TYPES]
    first: Subject | None = None
    for term in named:
        subject = await _subject(wording, sheets, term.name, term)
        if subject.asked or subject.given:
            return subject
        first = first or subject
    if first:
        return first
    values = [t for t in wording.question.terms_of(TermKind.VALUE) if t.score >= 1]
    owners = {t.owner for t in values if t.owner in sheets.schema.node_types}
    if len(owners) == 1:
        return await _subject(wording, sheets, str(owners.pop()), None)
    every = [await _subject(wording, sheets, name, None) for name in sheets.schema.node_types]
    told = {s.type: frozenset(i for m in s.asked for i in m.named) for s in every}
    asking = [s for s in every if told[s.type]]
    asking = [s for s in asking if not any(told[s.type] < told[o.type] for o in asking)]
    return asking[0] if len(asking) == 1 else None


async def _subject(wording: Wording, sheets: Sheets, node_type: str, term: Term | None) -> Subject:
    attributes = await sheets.attributes(node_type)
    asked = match(wording, node_type, attributes)
    given = conditions(wording, node_type, term, attributes, asked)
    return Subject(type=node_type, term=term, attributes=attributes, asked=asked, given=given)


def _place(wording: Wording, term: Term) -> tuple[bool, int]:
    """Types after a question word come first, then those that stand first."""
    before = wording.tokens[max(0, term.span.first - 4) : term.span.first]
    is_asked = any(t.lower in {"which", "what", "many"} for t in before)
    return (not is_asked, term.span.first)


def stray_words(wording: Wording, subject: Subject) -> str | None:
    """Return words that seem to say which entities are meant, and that nothing is called."""
    used = {i for m in subject.asked for i in m.words} | subject.taken
    asked = [m.attribute for m in subject.asked]
    unread = [
        i
        for i in wording.unread(subject.type, range(len(wording.tokens)))
        if i not in used
        and not any(weight(a, wording.tokens[i]) for a in asked)
        and not degrees(wording.tokens[i].lower)
    ]
    strays = [i for i in unread if subject.term is None or _says_which(wording, i)]
    return wording.told(strays) or None


def _says_which(wording: Wording, index: int) -> bool:
    is_name = wording.tokens[index].text[0].isupper() and index > 0
    before = [wording.tokens[i].lower for i in range(max(0, index - 2), index)]
    linked = before[-2:-1] if before[-1:] and before[-1] in _ARTICLES else before[-1:]
    return bool(linked) and (linked[0] in _WITHIN or (is_name and linked[0] in _OF) or is_name)


async def chosen(sheets: Sheets, subject: Subject) -> dict[str, dict[str, Fact]] | Refused:
    """Return the facts of the entities that meet the conditions."""
    sheets_of = await sheets.scan(subject.type)
    if sheets_of is None:
        why = f"There are more than {MAX_SCANNED} {plural(spoken(subject.type))} to look through."
        return Refused(reason=Reason.NO_EVIDENCE, why=why)
    known = {e: {f.attribute: f for f in facts} for e, facts in sheets_of.items()}
    return {e: facts for e, facts in known.items() if all(c.holds(facts) for c in subject.given)}


def unrecorded(subject: Subject, attribute: Property) -> Refused:
    """Return the refusal where none of the entities has a value."""
    why = f"No {title(attribute)} is recorded for any of the {subject.said}."
    return Refused(reason=Reason.NOT_IN_SCHEMA, why=why)


def trace_of(subject: Subject, *attributes: Property) -> dict[str, object]:
    """Return what a person needs to check an answer."""
    return {
        "type": subject.type,
        "attributes": [{"name": a.name} for a in attributes],
        "conditions": [c.said for c in subject.given],
    }

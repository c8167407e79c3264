"""What a question says of the entities of a type: the values that they must have."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tiers.cag.attributes import is_state, plain
from tiers.cag.findings import shown
from tiers.cag.matching import Match
from tiers.cag.wording import Wording
from trivium.domain.knowledge import Fact, Value
from trivium.domain.question import Quantity, Span, Term, TermKind
from trivium.domain.schema import Property, PropertyKind
from trivium.language.text import fold, stems
from trivium.language.words import general_words

_NEAR: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """A test that a fact of an entity must pass."""

    attribute: str
    test: str
    """One of ``=``, ``!=``, ``has``, ``>``, ``>=``, ``<``, ``<=``."""
    values: tuple[Value, ...]
    words: frozenset[int]

    @property
    def said(self) -> str:
        """The condition in words."""
        told = " or ".join(shown(v) for v in self.values)
        test = {"=": "", "!=": "not ", "has": "with "}.get(self.test, f"{self.test} ")
        return f"{plain(self.attribute)} {test}{told}"

    def holds(self, facts: Mapping[str, Fact]) -> bool:
        """Whether the facts of an entity pass."""
        fact = facts.get(self.attribute)
        if fact is None:
            return False
        if self.test in {"=", "!=", "has"}:
            return any(self._is_said(fact.value, v) for v in self.values) != (self.test == "!=")
        return any(_compares(fact.value, self.test, v) for v in self.values)

    def _is_said(self, value: Value, wanted: Value) -> bool:
        if self.test == "has":
            return fold(str(wanted)) in {fold(part) for part in str(value).split(",")}
        if isinstance(value, int | float) and isinstance(wanted, int | float):
            return float(value) == float(wanted)
        return fold(str(value)) == fold(str(wanted))


def conditions(
    wording: Wording,
    node_type: str,
    subject: Term | None,
    attributes: Mapping[str, Property],
    asked: Sequence[Match],
) -> tuple[Condition, ...]:
    """Return the conditions on the entities of a type that the question states.

    ``subject`` is where the type is named.
    """
    found = [*_by_value(wording, node_type, subject, asked)]
    found += _by_state(wording, subject, attributes, {c.attribute for c in found})
    found += _by_part(wording, attributes, {c.attribute for c in found})
    found += _by_number(wording, asked)
    return tuple(found)


def _by_value(
    wording: Wording, node_type: str, subject: Term | None, asked: Sequence[Match]
) -> Iterator[Condition]:
    named = [m.named for m in asked]
    terms = [
        t
        for t in wording.question.terms_of(TermKind.VALUE)
        if t.owner == node_type
        and not (subject and t.span == subject.span)
        and (wording.is_verbatim(t) or not any(set(t.span) <= words for words in named))
    ]
    for attribute in dict.fromkeys(t.name for t in terms):
        said = [t for t in terms if t.name == attribute]
        is_not = any(_is_negated(wording, t.span) for t in said)
        yield Condition(
            attribute=attribute,
            test="!=" if is_not else "=",
            values=tuple(t.value for t in said),
            words=frozenset(i for t in said for i in t.span),
        )


def _by_state(
    wording: Wording, subject: Term | None, attributes: Mapping[str, Property], known: set[str]
) -> Iterator[Condition]:
    """Give the condition that "open" and the like before the type state, where it has states.

    With no state that says so, nothing meets the condition.
    """
    cues = wording.cues("open")
    near = [c for c in cues if subject and 0 <= subject.span.first - c.span.last <= 1]
    for name, attribute in attributes.items():
        has_states = is_state(name) and attribute.kind is PropertyKind.CATEGORY
        if near and has_states and name not in known:
            opens = tuple(v for v in attribute.values if fold(v) in general_words().open_values)
            words = frozenset(near[0].span)
            yield Condition(attribute=name, test="=", values=opens, words=words)


def _is_negated(wording: Wording, span: Span) -> bool:
    cues = wording.cues("negation", "exception")
    return any(0 <= span.first - cue.span.last <= 2 for cue in cues)


def _by_part(
    wording: Wording, attributes: Mapping[str, Property], known: set[str]
) -> Iterator[Condition]:
    """Give conditions on values that are lists, such as languages, by one of their parts."""
    said = [t.stem for t in wording.tokens]
    for name, attribute in attributes.items():
        lists = [v for v in attribute.values if "," in v]
        for part in sorted({p.strip() for v in lists for p in v.split(",")}):
            width = len(stems(part))
            at = [i for i in range(len(said)) if tuple(said[i : i + width]) == stems(part)]
            if at and width and name not in known:
                words = frozenset(range(at[0], at[0] + width))
                yield Condition(attribute=name, test="has", values=(part,), words=words)


def _by_number(wording: Wording, asked: Sequence[Match]) -> Iterator[Condition]:
    """Give conditions such as "tier 1" and "more than 30 beds"."""
    for item in asked:
        if item.attribute.kind is not PropertyKind.NUMBER:
            continue
        for quantity in wording.question.quantities:
            test = _test(wording, item, quantity)
            if test and quantity.span.first not in item.words:
                words = item.words | frozenset(quantity.span)
                values = (quantity.number,)
                yield Condition(
                    attribute=item.attribute.name, test=test, values=values, words=words
                )


def _test(wording: Wording, item: Match, quantity: Quantity) -> str | None:
    """Return how a number is held against an attribute; ``None`` when it is not."""
    first, last = min(item.core), max(item.core)
    for cue in wording.cues("above", "below"):
        is_before = 0 <= quantity.span.first - cue.span.last <= 1
        is_near = min(abs(cue.span.first - last), abs(first - quantity.span.last)) <= _NEAR
        if is_before and is_near:
            is_closed = "at " in wording.question.words(cue.span).casefold() + " "
            return (">" if cue.kind == "above" else "<") + ("=" if is_closed else "")
    return "=" if quantity.span.first == last + 1 and item.is_named else None


def _compares(value: Value, test: str, wanted: Value) -> bool:
    if not isinstance(value, int | float) or not isinstance(wanted, int | float):
        return False
    if value == wanted:
        return test in {">=", "<="}
    return (value > wanted) == (test in {">", ">="})

"""What each piece of a settled question was taken for, in words and ids."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from tiers.graphrag.operators.answers import Form
from tiers.graphrag.plans.plan import Plan
from tiers.graphrag.reading.sketch import Anchor, Sketch
from trivium.domain.question import (
    Cue,
    Mention,
    Quantity,
    Span,
    Term,
    TermKind,
    TimeExpression,
    TimeRelation,
    Understood,
)
from trivium.domain.schema import Schema
from trivium.language.text import fold
from trivium.language.words import general_words

_OUT_OF_SCOPE: Final = frozenset(
    {"document", "narrative", "procedure", "greeting", "thanks", "assistant", "injection"}
)
"""Cues that say where a question belongs, and nothing to a plan."""
_DOES: Final[Mapping[str, str]] = {
    "count": "how many",
    "sum": "the total",
    "average": "the average",
    "most": "the most",
    "least": "the least",
    "rank": "a ranking",
    "ascending": "the least first",
    "remaining": "what is left",
    "single": "only one",
    "plural": "more than one",
    "above": "more than",
    "below": "less than",
    "comparative": "more or less than",
    "equal": "exactly",
    "compare": "a comparison",
    "shared": "in common",
    "unique": "not in common",
    "path": "how they are connected",
    "distance": "how many steps",
    "removal": "its removal",
    "hypothetical": "a supposition",
    "score": "a score",
    "when": "a time",
    "yes_no": "yes or no",
    "direct": "one step",
    "nonzero": "at least one",
    "profile": "all about it",
}
"""What cues do, where the name of their kind does not say it."""
TIMING: Final = frozenset({"after", "before", "since", "until", "till", "following", "past", "by"})
"""Words before a time that say on which side of it."""


class TakenAs(StrEnum):
    """What words of a question were taken for; of one span, the first kind holds."""

    ENTITY = "entity"
    TIME = "time"
    NUMBER = "number"
    VALUE = "value"
    RELATION = "relation"
    PROPERTY = "property"
    TYPE = "type"
    CUE = "cue"
    UNREAD = "unread"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One reading of some words."""

    span: Span
    taken_as: TakenAs
    means: str
    is_used: bool = True
    """Whether the plan rests on it."""
    left: TakenAs | None = None
    """What words that are unread could have been taken for, which the plan does not use."""


@dataclass(slots=True)
class Used:
    """What a plan holds: names, numbers, relations with their directions."""

    names: set[str] = field(default_factory=set)
    """Ids, types, relations, properties and values, as they are; values folded as well."""
    numbers: set[float] = field(default_factory=set)
    hops: dict[str, set[tuple[str, str]]] = field(default_factory=dict)
    """Relation to the directions in which it is followed, each with the type it leads to."""
    is_dated: bool = False
    is_truth: bool = False
    """Whether the answer is yes or no."""

    @classmethod
    def of(cls, plan: Plan) -> "Used":
        """Return what the steps of a plan hold."""
        used = cls(is_truth=plan.form is Form.BOOLEAN)
        for step in plan.steps:
            form = step.to_json()
            used.is_dated |= "as_of" in form
            used._take(form["arguments"])
        return used

    def _take(self, value: object) -> None:
        match value:
            case str():
                self.names |= {value, fold(value)}
                self.is_dated |= value[:4].isdigit() and value[4:5] == "-"
            case int() | float() if not isinstance(value, bool):
                self.numbers.add(float(value))
            case Mapping():
                self._take_hop(value)
                self._take(list(value.values()))
            case list():
                for item in value:
                    self._take(item)

    def _take_hop(self, form: Mapping[str, object]) -> None:
        if "relation" in form:
            hop = (str(form.get("direction", "")), str(form.get("to", "")))
            self.hops.setdefault(str(form["relation"]), set()).add(hop)

    def has_number(self, number: float) -> bool:
        """Whether a number stands in the plan, as it is or as a bound beside it, or scaled."""
        near = {number, number - 1, number + 1, number / 100}
        is_multiple = number != 0 and any(n and n % number == 0 for n in self.numbers)
        return bool(near & self.numbers) or is_multiple


class Claims:
    """Says what the pieces of a question were taken for; without a plan, all of them hold."""

    def __init__(self, schema: Schema, used: Used | None) -> None:
        self._schema = schema
        self._used = used

    def of_sketch(self, sketch: Sketch) -> Iterator[Claim]:
        """Give the readings that a sketch settled on."""
        for anchor in sketch.anchors:
            yield self._anchor(anchor)
        named = {a.span for a in sketch.anchors}
        for word in sketch.types:
            beside = any(abs(word.span.first - s.last) <= 1 for s in named) or any(
                s.first == word.span.last for s in named
            )
            yield self._type(word.span, word.type, is_naming=beside)
        for term in sketch.relations:
            yield self._relation(term.span, term.name)
        for prop in sketch.properties:
            yield self._property(prop.span, prop.name, prop.owners)
        for value in sketch.values:
            yield self._value(value.span, value.value, value.owners)
        yield from self._of_question(sketch.question)
        for mention in sketch.question.mentions:
            if mention.candidates and mention.span not in named:  # an event that tells a time
                is_used = self._used is None or self._used.is_dated
                yield replace(self._mention(mention), is_used=is_used)

    def of_linking(self, question: Understood) -> Iterator[Claim]:
        """Give the readings of the first linking, for a question that nothing settled."""
        for mention in question.mentions:
            yield self._mention(mention)
        for term in question.terms:
            yield self._term(term)
        yield from self._of_question(question)

    def _of_question(self, question: Understood) -> Iterator[Claim]:
        for mention in question.mentions:
            if not mention.candidates:
                yield self._mention(mention)
        for time in question.times:
            yield self._time(time, question)
        for quantity in question.quantities:
            yield self._quantity(quantity, question)
        yield from map(self._cue, question.cues)

    def _anchor(self, anchor: Anchor) -> Claim:
        if anchor.ids:
            means = f"{anchor.label} ({', '.join(anchor.ids)})"
            return self._claim(anchor.span, TakenAs.ENTITY, means, anchor.ids)
        told = [f"{c.property} {c.test.value} {c.value}" for c in anchor.conditions]
        values = [str(c.value) for c in anchor.conditions]
        means = f"{' and '.join(told)}, of {anchor.type}"
        return self._claim(anchor.span, TakenAs.VALUE, means, values)

    def _mention(self, mention: Mention) -> Claim:
        if not mention.candidates:
            return Claim(span=mention.span, taken_as=TakenAs.UNREAD, means="nothing has this name")
        means = " or ".join(f"{c.name} ({c.id})" for c in mention.best)
        return self._claim(mention.span, TakenAs.ENTITY, means, [c.id for c in mention.best])

    def _term(self, term: Term) -> Claim:
        owners = (term.owner,) if term.owner else ()
        match term.kind:
            case TermKind.TYPE:
                return self._type(term.span, term.name)
            case TermKind.RELATION:
                return self._relation(term.span, term.name)
            case TermKind.PROPERTY:
                return self._property(term.span, term.name, owners)
            case TermKind.VALUE:
                pairs = [(owner, term.name) for owner in owners]
                return self._value(term.span, term.value or "", pairs)
            case TermKind.FACT:
                means = "an attribute that facts alone have"
                return Claim(span=term.span, taken_as=TakenAs.UNREAD, means=means)

    def _type(self, span: Span, name: str, *, is_naming: bool = False) -> Claim:
        is_used = is_naming or self._is_end(name) or self._holds([name])
        return Claim(span=span, taken_as=TakenAs.TYPE, means=name, is_used=is_used)

    def _is_end(self, node_type: str) -> bool:
        """Whether a relation that the plan names joins a type to anything."""
        relations = self._schema.relation_types
        names = relations.keys() & (self._used.names if self._used else set())
        return any(relations[name].joins(node_type) for name in names)

    def _relation(self, span: Span, name: str) -> Claim:
        return self._claim(span, TakenAs.RELATION, self.followed(name), [name])

    def followed(self, name: str) -> str:
        """Say a relation with the direction in which the plan follows it, where it is one."""
        hops = self._used.hops.get(name, set()) if self._used else set()
        directions = {direction for direction, _ in hops}
        known = self._schema.relation_types.get(name)
        if len(directions) != 1 or known is None or not directions <= {"out", "in"}:
            return name
        is_out = directions == {"out"}
        wanted = {to for _, to in hops if to}
        ends = {e for e in known.ends if not wanted or e[1 if is_out else 0] in wanted}
        if len(ends) != 1:
            return f"{name}, {'outgoing' if is_out else 'incoming'}"
        ((source, target),) = ends
        return f"{source} –{name}→ {target}" if is_out else f"{target} ←{name}– {source}"

    def _property(self, span: Span, name: str, owners: Sequence[str]) -> Claim:
        means = f"{name} of {' or '.join(self._meant(owners))}" if owners else name
        return self._claim(span, TakenAs.PROPERTY, means, [name])

    def _value(self, span: Span, value: str, owners: Sequence[tuple[str, str]]) -> Claim:
        pairs = [(o, p) for o, p in owners if self._holds([p])] or list(owners)
        kept = self._meant([o for o, _ in pairs])
        told = dict.fromkeys(f"{p} = {value}, of {o}" for o, p in pairs if o in kept)
        is_open = self._used is not None and "open" in self._used.names
        return Claim(
            span=span,
            taken_as=TakenAs.VALUE,
            means=" or ".join(told),
            is_used=self._holds([value, fold(value)]) or is_open,
        )

    def _meant(self, owners: Sequence[str]) -> Sequence[str]:
        """Return the owners that the plan is about, or all where that does not tell."""
        return [o for o in owners if self._is_end(o) or self._holds([o])] or owners

    def _time(self, time: TimeExpression, question: Understood) -> Claim:
        """Return what a time was taken for, with the word before it that bounds."""
        day, last = time.moment.day, time.moment.last_day
        match time.relation:
            case TimeRelation.ON:
                means = day if day == last else f"{day} to {last}"
            case TimeRelation.AFTER:
                means = f"after {last}"
            case TimeRelation.BEFORE | TimeRelation.SINCE:
                means = f"{time.relation} {day}"
        before = question.tokens[max(0, time.span.first - 1) : time.span.first]
        n_before = sum(token.lower in TIMING for token in before)
        span = Span(first=time.span.first - n_before, last=time.span.last)
        is_used = self._used is None or self._used.is_dated
        return Claim(span=span, taken_as=TakenAs.TIME, means=means, is_used=is_used)

    def _quantity(self, quantity: Quantity, question: Understood) -> Claim:
        """Return what a number was taken for, with the unit after it."""
        after = question.tokens[quantity.span.last : quantity.span.last + 1]
        n_units = sum(token.lower in general_words().units for token in after)
        span = Span(first=quantity.span.first, last=quantity.span.last + n_units)
        is_used = self._used is None or self._used.has_number(quantity.number)
        means = f"{quantity.number:g}"
        return Claim(span=span, taken_as=TakenAs.NUMBER, means=means, is_used=is_used)

    def _cue(self, cue: Cue) -> Claim:
        means = _DOES.get(cue.kind, cue.kind.replace("_", " "))
        is_truth = cue.span.first == 0 if self._used is None else self._used.is_truth
        is_used = is_truth if cue.kind == "yes_no" else cue.kind not in _OUT_OF_SCOPE
        return Claim(span=cue.span, taken_as=TakenAs.CUE, means=means, is_used=is_used)

    def _claim(self, span: Span, taken_as: TakenAs, means: str, names: Iterable[str]) -> Claim:
        return Claim(span=span, taken_as=taken_as, means=means, is_used=self._holds(names))

    def _holds(self, names: Iterable[str]) -> bool:
        """Whether the plan holds one of some names; without a plan, all is held."""
        return self._used is None or not self._used.names.isdisjoint(names)

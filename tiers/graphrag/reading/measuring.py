"""The number that a question goes by: a property of a type, of a relation, or of what is joined."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from tiers.graphrag.operators.conditions import Test
from tiers.graphrag.plans.plan import Ref
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.growing import grow
from tiers.graphrag.reading.members import resolve
from tiers.graphrag.reading.rates import is_rate
from tiers.graphrag.reading.sketch import Anchor, PropertyWord, Sketch
from tiers.graphrag.reading.statement import (
    described_numbers,
    number_owners,
    property_of,
)
from tiers.graphrag.reading.units import units_of
from trivium.domain.question import Span
from trivium.domain.schema import RelationType
from trivium.language.text import spoken, stems
from trivium.language.words import (
    asked_by_adjective,
    asked_by_verb,
    ends_asked,
    general_words,
    name_phrases,
)

_SURE: Final = 0.8
_NAMED: Final = 0.95
"""How well a word must name a number to go before those that are only asked for."""
_YEAR: Final = stems("year")
_PAIR: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A number property, and how it belongs to the entities that are measured."""

    name: str
    node_type: str
    """The type whose entities are measured."""
    span: Span
    relation: RelationType | None = None
    """The relation that has it."""
    holder: str | None = None
    """The type that has it, when it is another one."""

    @property
    def is_own(self) -> bool:
        """Whether the entities that are measured have it themselves."""
        return self.relation is None and self.holder is None

    def scores(
        self, draft: Draft, nodes: Ref, how: str, *, without: Iterable[Anchor] = ()
    ) -> Ref | None:
        """Return the numbers of ``nodes``, each reduced to one; ``None``: no way leads there."""
        if self.relation is not None:
            return self._of_relation(draft, nodes, how)
        if self.holder is None:
            return draft.plan.add("node_values", nodes=nodes, property=self.name)
        path = draft.way(self.node_type, self.holder)
        if path is None:
            return None
        tree = grow(draft, self.node_type, without=without)
        word = next((t for t in draft.sketch.types if t.type == self.holder), None)
        child = tree.take(word.span) if word else None
        within = resolve(draft, child) if child and not child.is_bare else None
        return draft.plan.add(
            "path_values",
            nodes=nodes,
            path=draft.hops(path),
            property=self.name,
            how=how,
            within=within,
            as_of=draft.when,
        )

    def _of_relation(self, draft: Draft, nodes: Ref, how: str) -> Ref:
        assert self.relation is not None
        outgoing = any(source == self.node_type for source, _ in self.relation.ends)
        return draft.plan.add(
            "group_by",
            nodes=nodes,
            relation=self.relation.name,
            property=self.name,
            how=how,
            outgoing=outgoing,
            where=draft.relation_conditions(self.relation.name),
            within=self._other_end(draft),
            as_of=draft.when,
        )

    def _other_end(self, draft: Draft) -> Ref | None:
        """Return what the question says of the other end of the relation."""
        assert self.relation is not None
        for branch in grow(draft, self.node_type).branches:
            is_it = [h.relation for h in branch.path.hops] == [self.relation.name]
            is_one_of = len({e for pair in self.relation.ends for e in pair}) > _PAIR
            if is_it and not branch.is_negated and (is_one_of or not branch.child.is_bare):
                return resolve(draft, branch.child)
        return None


def named_numbers(draft: Draft, node_type: str) -> Iterator[Measure]:
    """Give the numbers that a question names for a type, best first."""
    sketch = draft.sketch
    words = [w for w in sketch.properties if not is_rate(sketch.tokens, w.span.first)]
    words.sort(key=lambda w: -w.score)
    for word in (w for w in words if w.score >= _SURE):
        yield from measures_named(draft, node_type, word)
    for cue in draft.cues("comparative", "most", "least"):
        after = sketch.tokens[cue.span.last : cue.span.last + 4]
        for owner, name in described_numbers(sketch, frozenset(t.stem for t in after)):
            yield from measures_of(draft, node_type, [owner], name, cue.span)
        described = described_by_adjective(draft, node_type, cue.span)
        yield from sorted(described, key=lambda m: m.holder is not None)
    yield from described_by_verb(draft, node_type)
    for word in (w for w in words if w.score < _SURE):
        yield from measures_named(draft, node_type, word)
    said = frozenset(t.stem for t in sketch.tokens)
    for owner, name in described_numbers(sketch, said, enough=1.4):
        yield from measures_of(draft, node_type, [owner], name, Span(first=0, last=0))


def numbers_in_unit(draft: Draft, node_type: str, at: int) -> Iterator[Measure]:
    """Give the one number of a type in the unit said at a place: "how many metres"."""
    said = draft.sketch.words(at, at + 1)
    unit = general_words().units.get(said[0]) if said else None
    held = [n for o, n in draft.sketch.glossary.numbers() if o == node_type]
    found = [n for n in held if unit in units_of(n)]
    if len(found) == 1:
        yield Measure(name=found[0], node_type=node_type, span=Span(first=at, last=at + 1))


def numbers_said(
    draft: Draft, node_type: str, near: Span, comparative: Span | None
) -> Iterator[Measure]:
    """Give the numbers of a type that some words name or describe: its own, then others.

    Args:
        draft: the draft that it is for.
        node_type: whose numbers.
        near: the words that may name them.
        comparative: the words of a comparative, which may ask for one: "heavier", "cost more".
    """
    found = list(_numbers_said(draft, node_type, near, comparative))
    named = {w.span for w in draft.sketch.properties if w.score >= _NAMED}
    yield from sorted(found, key=lambda m: m.holder is not None and m.span not in named)


def _numbers_said(
    draft: Draft, node_type: str, near: Span, comparative: Span | None
) -> Iterator[Measure]:
    sketch = draft.sketch
    named = [w for w in sketch.properties if near.first <= w.span.first < near.last]
    for word in sorted(named, key=lambda w: -w.score):
        yield from measures_named(draft, node_type, word)
    if comparative is not None:
        yield from described_by_adjective(draft, node_type, comparative)
        verb = Span(first=max(0, comparative.first - 2), last=comparative.last)
        yield from (m for m in described_by_verb(draft, node_type) if m.span.overlaps(verb))
    typed = {i for t in sketch.types for i in t.span}
    said = frozenset(
        t.stem
        for i, t in enumerate(sketch.tokens)
        if near.first <= i < near.last and i not in typed
    )
    for owner, name in described_numbers(sketch, said):
        yield from measures_of(draft, node_type, [owner], name, near)
    if comparative is not None:
        yield from defined_by_adjective(draft, node_type, comparative)


def described_by_adjective(draft: Draft, node_type: str, at: Span) -> Iterator[Measure]:
    """Give the numbers that an adjective asks for: "expensive" for a price, a fee, a cost."""
    sketch = draft.sketch
    said = {t.stem for t in sketch.tokens[at.first : at.last]}
    wanted = {phrase for word in said for m, _ in asked_by_adjective(word) for phrase in m.of}
    for owner, name in sketch.glossary.numbers():
        parts = stems(spoken(name))
        told = parts[:-1] if len(parts) > 1 and parts[-1] in general_words().periods else parts
        head = _head(sketch, owner, name)
        if wanted & {(part,) for part in told[:2]} or (head == _YEAR and _YEAR in wanted):
            yield from measures_of(draft, node_type, [owner], name, at)


def defined_by_adjective(draft: Draft, node_type: str, at: Span) -> Iterator[Measure]:
    """Give the numbers of a type that are said to be what an adjective asks for.

    Of "longer", a number whose description begins with a length.
    """
    sketch = draft.sketch
    said = (sketch.tokens[i].stem for i in at)
    wanted = {phrase for word in said for m, _ in asked_by_adjective(word) for phrase in m.of}
    for owner, name in sketch.glossary.numbers() if wanted else ():
        if owner == node_type and _head(sketch, owner, name) in wanted:
            yield Measure(name=name, node_type=node_type, span=at)


def _head(sketch: Sketch, owner: str, name: str) -> tuple[str, ...]:
    """Return the first word of what is said of a number: "year of first light"."""
    item = property_of(sketch, owner, name)
    return stems(item.description)[:1] if item is not None else ()


def described_by_verb(draft: Draft, node_type: str) -> Iterator[Measure]:
    """Give the numbers that a verb asks for: "costs more" for a price, a fee, a rate."""
    sketch = draft.sketch
    for index, token in enumerate(sketch.tokens):
        pair = tuple(t.stem for t in sketch.tokens[index : index + 2])
        wanted = asked_by_verb({(token.stem,), pair})
        for owner, name in sketch.glossary.numbers() if wanted else ():
            if owner == node_type and wanted & name_phrases(name):
                span = Span(first=index, last=index + 1)
                yield Measure(name=name, node_type=node_type, span=span)


def measures_named(draft: Draft, node_type: str, word: PropertyWord) -> Iterator[Measure]:
    """Give the ways in which a number that is named belongs to a type, nearest first."""
    owners = number_owners(draft.sketch, word)
    return measures_of(draft, node_type, owners, word.name, word.span)


def measures_of(
    draft: Draft, node_type: str, owners: list[str], name: str, span: Span
) -> Iterator[Measure]:
    """Give the ways in which a number belongs to a type, nearest first."""
    schema = draft.sketch.schema
    if node_type in owners:
        yield Measure(name=name, node_type=node_type, span=span)
    for owner in owners:
        relation = schema.relation_types.get(owner)
        if relation and relation.joins(node_type):
            yield Measure(name=name, node_type=node_type, span=span, relation=relation)
    for owner in owners:
        if owner in schema.node_types and owner != node_type:
            yield Measure(name=name, node_type=node_type, span=span, holder=owner)


def towards(word: str, measure: Measure, test: Test) -> Test:
    """Return what an adjective compares towards for one number: a newer house is built later."""
    told = ends_asked(word, measure.name)
    return (Test.BELOW if told[0] else Test.ABOVE) if told else test

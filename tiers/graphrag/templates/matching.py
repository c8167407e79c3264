"""Reads a question that is asked just as an installation's own template says, without a model."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

from tiers.graphrag.plans.steps import Plan
from tiers.graphrag.templates.book import TemplateBook
from tiers.graphrag.templates.filling import instantiate
from tiers.graphrag.templates.form import SLOT, Slot, SlotKind, Template
from trivium.domain.errors import PlanError
from trivium.domain.question import Candidate, Term, TermKind, TimeRelation, Token, Understood
from trivium.domain.schema import Schema
from trivium.language.text import is_word, tokenize

_FUNCTION_WORDS: Final = frozenset(
    {"a", "an", "the", "of", "is", "are", "be", "do", "does", "has", "have", "can", "could",
     "will", "would", "please", "which", "what", "who", "whom", "that", "those", "these", "there",
     "it", "me", "us", "our", "we", "i", "you", "show", "give", "list", "tell", "all", "and"}
)  # fmt: skip
"""Words that tell no two questions apart; "not", "was" and prepositions do."""

_Words: TypeAlias = Sequence["str | Slot"]
"""An ask: the stems of its words, and its slots, in order."""
_Bound: TypeAlias = Mapping[str, object]


class TemplateReader:
    """Matches questions against the asks of an installation's own templates.

    Only an exact match is taken: the same stems in the same order, function words aside, and in
    each slot one thing that the question's reading has there.
    """

    def __init__(self, book: TemplateBook) -> None:
        self._book = book
        self._words: dict[tuple[str, str], list[str | Slot]] = {}

    def read(self, question: Understood, schema: Schema) -> Plan | None:
        """Return the plan of the first template that asks ``question``; ``None`` when none does."""
        own = self._book.own(schema)
        if not own:
            return None
        match = _Match(question)
        named = {c.id: c for m in question.mentions if m.candidates for c in m.best}
        for template in own:
            for bound in (
                b for ask in template.asks for b in match.bindings(self._of(template, ask))
            ):
                try:
                    return instantiate(template, bound, schema, named)
                except PlanError:
                    continue
        return None

    def _of(self, template: Template, ask: str) -> list[str | Slot]:
        key = (template.name, ask)
        if key not in self._words:
            self._words[key] = _words(ask, template)
        return self._words[key]


def _words(ask: str, template: Template) -> list[str | Slot]:
    slots = {slot.name: slot for slot in template.slots}
    found: list[str | Slot] = []
    for n, part in enumerate(SLOT.split(ask)):
        if n % 2:
            found.append(slots[part])
        else:
            found += [t.stem for t in tokenize(part) if is_word(t) and not _is_passed_over(t)]
    return found


def _is_passed_over(token: Token) -> bool:
    return token.lower in _FUNCTION_WORDS


@dataclass
class _Match:
    """A question held against asks."""

    question: Understood

    @cached_property
    def _things(self) -> Mapping[int, Sequence[tuple[int, SlotKind, object]]]:
        """What the reading has, by its first word: where it ends, its kind, and what fills."""
        found: dict[int, list[tuple[int, SlotKind, object]]] = {}
        for first, last, kind, value in _read(self.question):
            found.setdefault(first, []).append((last, kind, value))
        return found

    def bindings(self, words: _Words, at: int = 0, bound: _Bound | None = None) -> Iterator[_Bound]:
        """Give each way of filling the slots so that the words from ``at`` on are those asked."""
        own = bound or {}
        tokens = self.question.tokens
        if at == len(tokens):
            if not words:
                yield own
            return
        if words and not isinstance(words[0], Slot) and tokens[at].stem == words[0]:
            yield from self.bindings(words[1:], at + 1, own)
        if words and isinstance(words[0], Slot):
            yield from self._filling(words[0], words, at, own)
        if _is_passed_over(tokens[at]):
            yield from self.bindings(words, at + 1, own)

    def _filling(self, slot: Slot, words: _Words, at: int, own: _Bound) -> Iterator[_Bound]:
        for last, kind, value in self._things.get(at, ()):
            filled = self._fitting(slot, value) if kind is slot.kind else None
            if filled is None:
                continue
            if not slot.is_many:
                if own.get(slot.name, filled) == filled:
                    yield from self.bindings(words[1:], last, {**own, slot.name: filled})
                continue
            before = own.get(slot.name, [])
            assert isinstance(before, list), "it takes many"
            several = {**own, slot.name: [*before, filled]}
            yield from self.bindings(words[1:], last, several)
            yield from self.bindings(words, last, several)

    def _fitting(self, slot: Slot, value: object) -> object:
        """Return what fills a slot; of the entities that a name may mean, the one of its type."""
        wanted = None if slot.of is None or SLOT.fullmatch(slot.of) else slot.of
        match value:
            case Term():
                return value.value if wanted in {None, value.name} else None
            case tuple():
                meant = [c for c in value if wanted in {None, c.type}]
                return meant[0].id if len(meant) == 1 else None
            case _:
                return value


_TERMS: Final = {
    TermKind.TYPE: SlotKind.TYPE,
    TermKind.RELATION: SlotKind.RELATION,
    TermKind.PROPERTY: SlotKind.PROPERTY,
    TermKind.VALUE: SlotKind.VALUE,
}


def _read(question: Understood) -> Iterator[tuple[int, int, SlotKind, object]]:
    """Give all that was linked in a question: first word, the word after it, kind, what it is."""
    for mention in question.mentions:
        candidates: tuple[Candidate, ...] = mention.best if mention.candidates else ()
        yield mention.span.first, mention.span.last, SlotKind.ENTITY, candidates
    for term in question.terms:
        value = term if term.kind is TermKind.VALUE else term.name
        yield term.span.first, term.span.last, _TERMS[term.kind], value
    for quantity in question.quantities:
        yield quantity.span.first, quantity.span.last, SlotKind.NUMBER, quantity.number
    for time in question.times:
        if time.relation is TimeRelation.ON:
            yield time.span.first, time.span.last, SlotKind.DATE, time.moment.text

"""The words of a schema: what in a question means its types, relations, properties, values."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from trivium.domain.question import Span, Term, TermKind, Token
from trivium.domain.schema import NodeType, Property, PropertyKind, RelationType, Schema
from trivium.language.text import fold, spoken, stem, stems
from trivium.language.words import PhraseIndex, general_words

_OWN: Final = 1.0
_SCHEMA_WORD: Final = 0.95
_PART: Final = 0.85
_SYNONYM: Final = 0.8
_DESCRIPTION: Final = 0.6
_DEFINITION: Final = re.compile(
    r"^(?:an?|the|one of our(?: own)?|some|our|any)?\s*(?P<what>.+?)"
    r"(?:\s+(?:that|who|which|where|whose|we|of|in|on|for|from|with|to|is|was)\b|[,.;(]|$)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Meaning:
    kind: TermKind
    name: str
    score: float
    owner: str | None = None
    value: str | None = None


class Vocabulary:
    """Finds the schema's terms in a question."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self._index: PhraseIndex[_Meaning] = PhraseIndex()
        self._known: set[str] = set()
        for node_type in schema.node_types.values():
            self._add_type(node_type)
            for item in node_type.properties.values():
                self._add_property(item, node_type.name)
        for relation in schema.relation_types.values():
            self._add_relation(relation)
            for item in relation.properties.values():
                self._add_property(item, relation.name)

    def knows(self, token: Token) -> bool:
        """Whether the word begins a schema term that is no value, or carries no content."""
        return token.stem in self._known or not general_words().is_content(token)

    def find(self, tokens: Sequence[Token]) -> tuple[Term, ...]:
        """Return the terms in ``tokens``, in order; a longer one hides what lies within it.

        Several meanings of the same words are all kept, best first.
        """
        found = list(self._index.find(tokens))
        longest = {
            span for span, _ in found
            if not any(len(o) > len(span) and o.first <= span.first and span.last <= o.last
                       for o, _ in found)
        }  # fmt: skip
        best: dict[tuple[Span, _Meaning], Term] = {}
        for span, meaning in found:
            if span in longest:
                best[span, meaning] = Term(
                    span=span,
                    kind=meaning.kind,
                    name=meaning.name,
                    score=meaning.score,
                    owner=meaning.owner,
                    value=meaning.value,
                )
        return tuple(sorted(_strongest(best.values()), key=lambda t: (t.span.first, -t.score)))

    def _add(self, phrase: Sequence[str], meaning: _Meaning) -> None:
        content = tuple(phrase)
        self._index.add(content, meaning)
        if meaning.kind is not TermKind.VALUE and len(content) == 1:
            self._known.add(content[0])

    def _add_type(self, node_type: NodeType) -> None:
        own = stems(spoken(node_type.name))
        self._add(own, _Meaning(TermKind.TYPE, node_type.name, _OWN))
        for word in node_type.words:
            self._add(stems(word), _Meaning(TermKind.TYPE, node_type.name, _SCHEMA_WORD))
        if len(own) > 1:
            self._add(own[-1:], _Meaning(TermKind.TYPE, node_type.name, _PART))
        for other in general_words().synonyms.get(own[-1] if own else "", ()):
            self._add((other,), _Meaning(TermKind.TYPE, node_type.name, _SYNONYM))
        for head in definition_heads(node_type.description):
            self._add(head, _Meaning(TermKind.TYPE, node_type.name, _DESCRIPTION))

    def _add_relation(self, relation: RelationType) -> None:
        for phrase, score in relation_phrases(relation):
            self._add(phrase, _Meaning(TermKind.RELATION, relation.name, score))

    def _add_property(self, item: Property, owner: str) -> None:
        for phrase, score in property_phrases(item):
            self._add(phrase, _Meaning(TermKind.PROPERTY, item.name, score, owner))
        if item.kind is not PropertyKind.CATEGORY:
            return
        parts: dict[tuple[str, ...], set[str]] = defaultdict(set)
        for value in item.values:
            words = stems(value)
            self._add(words, _Meaning(TermKind.VALUE, item.name, _OWN, owner, value))
            for length in range(1, len(words)):
                for first in range(len(words) - length + 1):
                    parts[words[first : first + length]].add(value)
        for part, values in parts.items():
            is_telling = any(len(p) > 2 and not p.isdigit() for p in part) and not (
                part[0] in general_words().stop or part[-1] in general_words().stop
            )
            if len(values) == 1 and is_telling and part not in {stems(v) for v in item.values}:
                meaning = _Meaning(TermKind.VALUE, item.name, _PART, owner, next(iter(values)))
                self._add(part, meaning)


def definition_heads(description: str) -> Iterator[tuple[str, ...]]:
    """Give the nouns that a one-line description defines a type by.

    >>> list(definition_heads("A database or cache."))
    [('databas',), ('cach',)]
    """
    match = _DEFINITION.match(description.strip())
    if not match:
        return
    for part in re.split(r"\s+or\s+|\s+and\s+|/", match.group("what")):
        words = [w for w in stems(part) if w not in general_words().stop]
        if 0 < len(words) <= 3:
            yield tuple(words[-1:])


def relation_phrases(relation: RelationType) -> Iterator[tuple[tuple[str, ...], float]]:
    """Give the phrases that name a relation, as stems, with their scores."""
    own = stems(spoken(relation.name))
    content = tuple(w for w in own if w not in general_words().stop) or own
    yield own, _OWN
    yield content[:1], _OWN
    for word in relation.words:
        yield stems(word), _SCHEMA_WORD
    for other in general_words().synonyms.get(content[0], ()):
        yield (other,), _SYNONYM
    types = {stem(fold(w)) for pair in relation.ends for t in pair for w in spoken(t).split()}
    told = [w for w in stems(relation.description) if w not in general_words().stop]
    for word in told:
        if word not in types and word not in content and len(word) > 2:
            yield (word,), _DESCRIPTION


def property_phrases(item: Property) -> Iterator[tuple[tuple[str, ...], float]]:
    """Give the phrases that name a property, as stems, with their scores."""
    parts = spoken(item.name).split()
    yield stems(" ".join(parts)), _OWN
    bare = parts[:-1] if len(parts) > 1 and parts[-1] in general_words().units else parts
    if bare != parts:
        yield stems(" ".join(bare)), _OWN
    for word in item.words:
        yield stems(word), _SCHEMA_WORD
    if len(bare) == 1:
        for other in general_words().synonyms.get(stem(bare[0]), ()):
            yield (other,), _SYNONYM
    else:
        for part in bare:
            if part not in general_words().stop and len(part) > 2:
                yield stems(part), _DESCRIPTION


def unit_of(name: str, units: Mapping[str, str]) -> str | None:
    """Return the unit that the last part of a property name tells.

    >>> unit_of("lead_time_days", {"days": "days"})
    'days'
    """
    last = spoken(name).split()[-1:]
    return units.get(last[0]) if last and len(spoken(name).split()) > 1 else None


def _strongest(terms: Iterable[Term]) -> list[Term]:
    """Keep, of equal readings of one span, the best scored."""
    best: dict[tuple[Span, TermKind, str, str | None, str | None], Term] = {}
    for term in terms:
        key = (term.span, term.kind, term.name, term.owner, term.value)
        if key not in best or best[key].score < term.score:
            best[key] = term
    return list(best.values())

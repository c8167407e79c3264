"""The words of a schema: what in a question means its types, relations, properties, values."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from trivium.domain.question import Span, Term, TermKind, Token
from trivium.domain.schema import NodeType, Property, PropertyKind, RelationType, Schema
from trivium.language.descriptions import flagged, is_of_people_only, other_nouns
from trivium.language.phrases import (
    DESCRIPTION,
    INITIALS,
    OWN,
    PART,
    SCHEMA_WORD,
    SYNONYM,
    adjectives,
    definition_heads,
    doers,
    initials,
    property_phrases,
    relation_phrases,
    telling_parts,
)
from trivium.language.spelling import Speller
from trivium.language.text import fold, is_past, is_word, spoken, stem, stems, tokenize
from trivium.language.times import MONTHS
from trivium.language.words import PhraseIndex, general_words

_OTHER_FORM: Final = 0.88
"""For a value said in another form than its own: ``critically`` for ``critical``."""
_OTHER_DOER: Final = 0.7
"""For a noun that has no more than the stem of a type's."""


@dataclass(frozen=True, slots=True)
class _Meaning:
    kind: TermKind
    name: str
    score: float
    owner: str | None = None
    value: str | None = None
    written: str = ""
    """The word as the schema has it."""
    ends: tuple[tuple[str, str], ...] = ()


class Vocabulary:
    """Finds the schema's terms in a question, and the attributes that facts alone have."""

    def __init__(self, schema: Schema, recorded: Iterable[Property] = ()) -> None:
        self.schema = schema
        self._index: PhraseIndex[_Meaning] = PhraseIndex()
        self._known: set[str] = set()
        self._type_words: set[str] = set()
        self.speller = Speller((*general_words().every, *MONTHS, *_words_of(schema)))
        for node_type in schema.node_types.values():
            self._add_type(node_type)
            for item in node_type.properties.values():
                self._add_property(item, node_type)
        for relation in schema.relation_types.values():
            self._add_relation(relation)
            for item in relation.properties.values():
                self._add_property(item, relation)
        for noun, end in chain.from_iterable(map(other_nouns, schema.relation_types.values())):
            if stem(noun) not in self._type_words:
                self._add(stems(noun), _Meaning(TermKind.TYPE, end, DESCRIPTION))
        self._add_recorded(recorded)

    def knows(self, token: Token) -> bool:
        """Whether the word begins a schema term that is no value, or carries no content."""
        return token.stem in self._known or not general_words().is_content(token)

    def find(self, tokens: Sequence[Token]) -> tuple[Term, ...]:
        """Return the terms in ``tokens``, in order; a longer one hides what lies within it.

        Several meanings of the same words are all kept, best first.
        """
        found = list(self._index.find(tokens))
        found = [
            (span, m)
            for span, m in found
            if not _is_agent_before_by(tokens, span, m)
            and not _is_verb_form(tokens, span, m)
            and not _is_other_word(tokens, span, m)
            and (m.score != INITIALS or tokens[span.first].text.isupper())
        ]
        longer = {span for span, _ in found if len(span) > 1}
        inside = {
            (first, last)
            for o in longer
            for first in o
            for last in range(first + 1, o.last + 1)
            if last - first < len(o)
        }
        longest = {span for span, _ in found if (span.first, span.last) not in inside}
        terms = [_term(tokens, span, meaning) for span, meaning in found if span in longest]
        near = _by_place(terms)
        meant = [t for t in terms if t.kind is not TermKind.VALUE or _is_meant(tokens, t, near)]
        return tuple(sorted(_strongest(meant), key=lambda t: (t.span.first, -t.score)))

    def _add(self, phrase: Sequence[str], meaning: _Meaning) -> None:
        content = tuple(phrase)
        self._index.add(content, meaning)
        if meaning.kind is not TermKind.VALUE and len(content) == 1:
            self._known.add(content[0])
        if meaning.kind is TermKind.TYPE and len(content) == 1:
            self._type_words.add(content[0])

    def _add_recorded(self, recorded: Iterable[Property]) -> None:
        of_nodes = {name for kind in self.schema.node_types.values() for name in kind.properties}
        for item in recorded:
            if item.name not in of_nodes:
                for phrase, score in property_phrases(item):
                    self._add(phrase, _Meaning(TermKind.FACT, item.name, score))

    def _add_type(self, node_type: NodeType) -> None:
        own = stems(spoken(node_type.name))
        self._add(own, _Meaning(TermKind.TYPE, node_type.name, OWN))
        for word in node_type.words:
            meaning = _Meaning(TermKind.TYPE, node_type.name, SCHEMA_WORD, written=fold(word))
            self._add(stems(word), meaning)
        if len(own) > 1:
            self._add(own[-1:], _Meaning(TermKind.TYPE, node_type.name, PART))
        for other in general_words().synonyms.get(own[-1] if own else "", ()):
            self._add(tuple(other.split()), _Meaning(TermKind.TYPE, node_type.name, SYNONYM))
        for head in definition_heads(node_type.description):
            self._add(head, _Meaning(TermKind.TYPE, node_type.name, DESCRIPTION))

    def _add_relation(self, relation: RelationType) -> None:
        said = relation_phrases(relation, self._type_words)
        types = self.schema.node_types
        doers = [types[s].description for s, _ in relation.ends if s in types]
        for phrase, score in (*said, *initials(relation.description)):
            if score > SYNONYM or not is_of_people_only(phrase, doers):
                meaning = _Meaning(TermKind.RELATION, relation.name, score, ends=relation.ends)
                self._add(phrase, meaning)

    def _add_property(self, item: Property, of: NodeType | RelationType) -> None:
        ends = of.ends if isinstance(of, RelationType) else ()

        def meaning(kind: TermKind, score: float, value: str | None, written: str = "") -> _Meaning:
            return _Meaning(kind, item.name, score, of.name, value, written, ends)

        for phrase, score in property_phrases(item):
            written = item.name if len(phrase) == 1 and score == OWN else ""
            self._add(phrase, meaning(TermKind.PROPERTY, score, None, written))
        if item.kind is not PropertyKind.CATEGORY:
            return
        for value in item.values:
            words = stems(value)
            self._add(words, meaning(TermKind.VALUE, OWN, value))
            for other in (*adjectives(words), *doers(words)):
                self._add(other, meaning(TermKind.VALUE, SCHEMA_WORD, value))
        for noun, value in flagged(item):
            self._add(stems(noun), meaning(TermKind.VALUE, SCHEMA_WORD, value, noun))
        for part, value in telling_parts(item.values):
            self._add(part, meaning(TermKind.VALUE, PART, value))


def _words_of(schema: Schema) -> Iterator[str]:
    """Give all words that a schema says something with."""
    for kind in schema.owners():
        said = [kind.name, kind.description, *kind.words]
        for item in kind.properties.values():
            said += [item.name, item.description, *item.words, *item.values]
        for text in said:
            yield from re.findall(r"[^\W\d_]+", spoken(text))


def _term(tokens: Sequence[Token], span: Span, meaning: _Meaning) -> Term:
    score = meaning.score
    if meaning.kind is TermKind.VALUE and score == OWN:
        said = [tokens[i].lower for i in span]
        written = [t.lower for t in tokenize(meaning.value or "") if is_word(t)]
        is_own = len(said) == len(written) and all(
            w in {s, s[:-1], s[:-2]} or s == w[:-1] for s, w in zip(said, written, strict=True)
        )
        score = score if is_own else _OTHER_FORM
    if _is_other_doer(tokens[span.last - 1].lower, meaning.written):
        score = _OTHER_DOER
    return Term(
        span=span,
        kind=meaning.kind,
        name=meaning.name,
        score=score,
        owner=meaning.owner,
        value=meaning.value,
        ends=meaning.ends,
    )


def _is_other_doer(said: str, written: str) -> bool:
    """Whether a word only shares a stem: an airliner is no airline, a farm no farming."""
    if written.endswith("ing") and not said.endswith(("ing", "ings")):
        return True
    return bool(written) and said.endswith(("er", "ers")) and not written.endswith(("er", "ers"))


def _by_place(terms: Sequence[Term]) -> Mapping[int, Sequence[Term]]:
    """Return values and properties by the words at which they begin."""
    found: dict[int, list[Term]] = defaultdict(list)
    for term in terms:
        if term.kind in {TermKind.VALUE, TermKind.PROPERTY}:
            found[term.span.first].append(term)
    return found


def _is_meant(
    tokens: Sequence[Token],
    term: Term,
    near: Mapping[int, Sequence[Term]],
) -> bool:
    """Whether a value is meant where its word also is a word of the language, or one letter.

    Such a word needs its property beside it; a capital letter will do within a sentence.
    """
    words = [tokens[i] for i in term.span]
    is_letter = all(len(w.text) == 1 and w.text.isalpha() for w in words)
    here = near.get(term.span.first, ())
    is_flag = any(t.kind is TermKind.PROPERTY and t.span == term.span for t in here)
    is_whole = len(words) > 1 and term.score >= OWN and not is_flag  # "under way"
    if not is_letter and (is_whole or any(general_words().is_content(w) for w in words)):
        return True
    is_told = is_letter and words[0].text.isupper() and words[0].text != "I"
    if is_told and term.span.first > 0 and any(not t.text.isupper() for t in tokens):
        return True
    before = [t.lower for t in tokens[max(0, term.span.first - 1) : term.span.first]]
    after = [t.lower for t in tokens[term.span.last : term.span.last + 2]]
    is_predicate = bool(
        set(before) & {"is", "are", "was", "were", "currently", "partly", "not", "t"}
    )
    if (
        not is_letter
        and is_predicate
        and (not after or after[0] in {"of", "and", "or", "now", "yet", "any"})
    ):
        return True
    if not is_letter and (set(before) & _RATED or _is_listed(tokens, term, near)):
        return True
    named = [
        t.span
        for i in range(term.span.first - _FAR_NAMED, term.span.last + 3)
        for t in near.get(i, ())
        if t.kind is TermKind.PROPERTY and t.name == term.name and _gap(t.span, term.span) <= 2
    ]
    if words[0].text in _ARTICLES and not set(before) & _ARTICLES:
        leads_noun = any(general_words().is_content(t) for t in tokens[term.span.last :][:1])
        named = [s for s in named if s.last <= term.span.first and not leads_noun]
    return bool(named)


def _is_listed(tokens: Sequence[Token], term: Term, near: Mapping[int, Sequence[Term]]) -> bool:
    """Whether a value stands beside another one of its property: "high or critical"."""
    at = term.span.first
    for other in (
        o for i in range(at - _FAR_LISTED, at + _FAR_LISTED + 1) for o in near.get(i, ())
    ):
        is_value = other.kind is TermKind.VALUE
        if is_value and other.name == term.name and other.value != term.value:
            first, last = sorted((other.span, term.span), key=lambda s: s.first)
            between = [t.lower for t in tokens[first.last : last.first]]
            if between in (["or"], ["and"]):
                return True
    return False


_ARTICLES: Final = frozenset({"a", "an"})
"""Letters that are a value only right after its property, or after another article."""
_BEFORE_NOUN: Final = frozenset(
    {"a", "the", "any", "each", "every", "no", "which", "what", "this", "that", "of", "one"}
)
_NO_SINGULAR: Final = frozenset({"work"})
"""Verbs, as a noun of which only the plural names a place: "the works"."""
_FAR_NAMED: Final = 8
"""Words from the beginning of a property to a value beside it, at most."""
_FAR_LISTED: Final = 6
"""Words between the beginnings of two values of a list, at most."""
_RATED: Final = frozenset(
    {"rated", "graded", "classed", "classified", "marked", "ranked", "deemed", "considered"}
)
"""Words before a value that is meant as one."""


def _is_verb_form(tokens: Sequence[Token], span: Span, meaning: _Meaning) -> bool:
    """Whether a word is a verb whose stem is that of a noun for a type.

    "Worked" is no work, and what somebody "curates" names no curator.
    """
    if meaning.kind not in {TermKind.TYPE, TermKind.VALUE}:
        return False
    word = tokens[span.last - 1].lower
    before = {t.lower for t in tokens[max(0, span.first - 1) : span.first]}
    is_verb = word in _NO_SINGULAR and not before & _BEFORE_NOUN
    is_noun = not (word.endswith(("ed", "ing")) or is_verb or is_past(word))
    if meaning.kind is TermKind.VALUE:
        value = (meaning.written or meaning.value or "").casefold()
        if len(span) == 1 and value.endswith(("er", "or")) and " " not in value:
            return word.endswith(("es", "ed", "ing")) and not word.startswith(value)
        return word.endswith(("ed", "ing")) and value.endswith("s")
    if is_verb or meaning.score in {SYNONYM, DESCRIPTION}:
        return not is_noun
    noun = spoken(meaning.name).rpartition(" ")[2]
    is_doer = meaning.score in {OWN, PART} and noun.endswith(("er", "or"))
    return is_doer and not word.startswith(noun)


def _is_other_word(tokens: Sequence[Token], span: Span, meaning: _Meaning) -> bool:
    """Whether one word only shares the stem of a part of a value: "units" of United Kingdom."""
    if meaning.kind is not TermKind.VALUE or meaning.score != PART or len(span) > 1:
        return False
    said = tokens[span.first].lower
    words = [t.lower for t in tokenize(meaning.value or "")]
    return not any(said.rstrip("s") == w.rstrip("s") or said[:-3] == w[:-1] for w in words)


def _is_agent_before_by(tokens: Sequence[Token], span: Span, meaning: _Meaning) -> bool:
    """Whether a relation's name is read into a noun: ``PRINTED_BY`` into "printers by number"."""
    words = [tokens[i].lower for i in span]
    is_by = len(words) > 1 and words[-1] == "by" and meaning.kind is TermKind.RELATION
    return is_by and words[0].endswith(("ers", "ors", "er", "or"))


def _gap(a: Span, b: Span) -> int:
    return max(0, max(a.first, b.first) - min(a.last, b.last))


def _strongest(terms: Iterable[Term]) -> list[Term]:
    """Keep, of equal readings of one span, the best scored."""
    best: dict[tuple[Span, TermKind, str, str | None, str | None], Term] = {}
    for term in terms:
        key = (term.span, term.kind, term.name, term.owner, term.value)
        if key not in best or best[key].score < term.score:
            best[key] = term
    return list(best.values())

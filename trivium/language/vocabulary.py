"""The words of a schema: what in a question means its types, relations, properties, values."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from trivium.domain.question import Span, Term, TermKind, Token
from trivium.domain.schema import NodeType, Property, PropertyKind, RelationType, Schema
from trivium.language.spelling import Speller
from trivium.language.text import fold, is_past, is_word, spoken, stem, stems, tokenize
from trivium.language.times import MONTHS
from trivium.language.words import PhraseIndex, general_words

_OWN: Final = 1.0
_SCHEMA_WORD: Final = 0.95
_PART: Final = 0.85
_SYNONYM: Final = 0.8
_DESCRIPTION: Final = 0.6
_MIN_DOER: Final = 4
"""Letters of a word that somebody may be called after."""
_MIN_VERB: Final = 2
_OTHER_FORM: Final = 0.88
"""For a value said in another form than its own: ``critically`` for ``critical``."""
_OTHER_DOER: Final = 0.7
"""For a noun that has no more than the stem of a type's."""
_PERIODS: Final = frozenset({"hour", "day", "week", "month", "year"})
_LINKING: Final = frozenset(
    {"a", "an", "the", "of", "to", "in", "at", "by", "for", "from", "with", "on", "and", "or", "is",
     "are", "was", "be", "has", "have", "had", "us", "our", "we", "into", "out", "up", "it", "its"}
)  # fmt: skip
_LIGHT_VERBS: Final = frozenset(
    {"own", "make", "take", "give", "work", "come", "need", "get", "put"}
)
"""Plain verbs that tell something where a description says a relation with them."""
"""Words that say nothing in a relation's name; its verb does, however plain: ``MADE_BY``."""
_PLAIN_NOUNS: Final = frozenset(stem(w) for w in ("work", "show", "part", "thing", "list", "lot"))
"""Nouns that are everyday verbs or fillers too: read as nouns only where one stands."""
_DEFINITION: Final = re.compile(
    r"^(?:an?|the|one of our(?: own)?|some|our|any)?\s*(?P<what>.+?)"
    r"(?:\s+(?:that|who|which|where|whose|we|of|in|on|at|for|from|with|to|is|was)\b|[.;(]|$)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Meaning:
    kind: TermKind
    name: str
    score: float
    owner: str | None = None
    value: str | None = None
    written: str = ""
    """The word as the schema has it."""


class Vocabulary:
    """Finds the schema's terms in a question."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self._index: PhraseIndex[_Meaning] = PhraseIndex()
        self._known: set[str] = set()
        self._type_words: set[str] = set()
        self.speller = Speller((*general_words().every, *MONTHS, *_words_of(schema)))
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
        found = [
            (span, m)
            for span, m in found
            if not _is_agent_before_by(tokens, span, m)
            and not _is_verb_form(tokens, span, m)
            and not _is_other_word(tokens, span, m)
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

    def _add_type(self, node_type: NodeType) -> None:
        own = stems(spoken(node_type.name))
        self._add(own, _Meaning(TermKind.TYPE, node_type.name, _OWN))
        for word in node_type.words:
            meaning = _Meaning(TermKind.TYPE, node_type.name, _SCHEMA_WORD, written=fold(word))
            self._add(stems(word), meaning)
        if len(own) > 1:
            self._add(own[-1:], _Meaning(TermKind.TYPE, node_type.name, _PART))
        for other in general_words().synonyms.get(own[-1] if own else "", ()):
            self._add(tuple(other.split()), _Meaning(TermKind.TYPE, node_type.name, _SYNONYM))
        for head in definition_heads(node_type.description):
            self._add(head, _Meaning(TermKind.TYPE, node_type.name, _DESCRIPTION))

    def _add_relation(self, relation: RelationType) -> None:
        for phrase, score in relation_phrases(relation, self._type_words):
            self._add(phrase, _Meaning(TermKind.RELATION, relation.name, score))

    def _add_property(self, item: Property, owner: str) -> None:
        for phrase, score in property_phrases(item):
            self._add(phrase, _Meaning(TermKind.PROPERTY, item.name, score, owner))
        if item.kind is not PropertyKind.CATEGORY:
            return
        for value in item.values:
            words = stems(value)
            self._add(words, _Meaning(TermKind.VALUE, item.name, _OWN, owner, value))
            for other in (*_adjectives(words), *_doers(words)):
                self._add(other, _Meaning(TermKind.VALUE, item.name, _SCHEMA_WORD, owner, value))
        for part, value in _telling_parts(item.values):
            self._add(part, _Meaning(TermKind.VALUE, item.name, _PART, owner, value))


def _telling_parts(values: Sequence[str]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Give the parts of values that tell them apart, each with its value.

    A part that leaves out a word of the language tells nothing: ``service`` is not ``in service``.
    """
    stop = general_words().stop_stems
    whole = {stems(value) for value in values}
    parts: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for value in values:
        words = stems(value)
        for length in range(1, len(words)):
            for first in range(len(words) - length + 1):
                parts[words[first : first + length]].add(value)
    yield from _shared_heads(values)
    for part, found in parts.items():
        left_out = set(stems(next(iter(found)))) - set(part)
        is_telling = any(len(p) > 2 and not p.isdigit() for p in part)
        is_cut = bool((left_out | {part[0], part[-1]}) & stop)
        if len(found) == 1 and is_telling and not is_cut and part not in whole:
            yield part, next(iter(found))


def _shared_heads(values: Sequence[str]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Give the last word that some values of several words share, with each of them.

    "The jet" may be a regional or a business jet.
    """
    by_head: dict[str, list[str]] = defaultdict(list)
    for value in values:
        words = stems(value)
        if len(words) > 1 and len(words[-1]) > 2 and not words[-1].isdigit():
            by_head[words[-1]].append(value)
    alone = {stems(value) for value in values} | {(w,) for w in general_words().stop_stems}
    for head, found in by_head.items():
        if len(found) > 1 and (head,) not in alone:
            yield from (((head,), value) for value in found)


def _words_of(schema: Schema) -> Iterator[str]:
    """Give all words that a schema says something with."""
    for kind in schema.owners():
        said = [kind.name, kind.description, *kind.words]
        for item in kind.properties.values():
            said += [item.name, item.description, *item.words, *item.values]
        for text in said:
            yield from re.findall(r"[^\W\d_]+", spoken(text))


def definition_heads(description: str) -> Iterator[tuple[str, ...]]:
    """Give the nouns that a one-line description defines a type by.

    >>> list(definition_heads("A database, store or cache."))
    [('databas',), ('store',), ('cach',)]
    """
    match = _DEFINITION.match(description.strip())
    if not match:
        return
    for part in re.split(r"\s+or\s+|\s+and\s+|/|,", match.group("what")):
        every = stems(part)
        words = [w for w in every if w not in general_words().stop_stems]
        is_plain = not words and every and every[-1] in _PLAIN_NOUNS
        if 0 < len(words) <= 3 or is_plain:
            yield tuple((words or list(every))[-1:])


def relation_phrases(
    relation: RelationType, taken: AbstractSet[str] = frozenset()
) -> Iterator[tuple[tuple[str, ...], float]]:
    """Give the phrases that name a relation, as stems, with their scores.

    Words that are ``taken`` name something else, and tell nothing in its description.
    """
    stop = general_words().stop_stems
    types = {stem(fold(w)) for pair in relation.ends for t in pair for w in spoken(t).split()}
    own = stems(spoken(relation.name))
    content = tuple(w for w in own if w not in _LINKING and w not in types)
    yield own, _OWN
    for word in relation.words:
        yield stems(word), _SCHEMA_WORD
    if content:
        yield content[:1], _OWN
        for other in general_words().verbs.get(content[0], ()):
            yield tuple(other.split()), _SYNONYM
    nouns = [
        *(_agents(content[0]) if content else ()),
        *(d for verb in (content or own)[:1] for d in _deeds(verb)),
    ]
    yield from (((noun,), _SYNONYM) for noun in nouns if noun not in taken | types)
    told = [w for w in stems(relation.description) if w not in stop or w in _LIGHT_VERBS]
    for word in told:
        if word not in types and word not in taken and word not in content and len(word) > 2:
            yield (word,), _DESCRIPTION


def _doers(value: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Give who works with what a value names: ``trawl`` to trawler, ``gillnet`` to gillnetter."""
    last = value[-1] if value else ""
    if len(last) < _MIN_DOER or not last.isalpha() or last.endswith(("er", "or", "ed", "s", "y")):
        return
    for agent in (*_agents(last), stem(f"{last}{last[-1]}er")):
        yield (*value[:-1], agent)


def _deeds(verb: str) -> Iterator[str]:
    """Give the nouns for what a verb says: ``sponsor`` to sponsorship, ``deliver`` to delivery."""
    if len(verb) <= _MIN_VERB or not verb.isalpha():
        return
    for ending in ("ship", "y", "al", "ment"):
        yield stem(f"{verb}{ending}")
    if verb.endswith("scrib"):
        yield f"{verb[:-1]}pt"
    if verb.endswith("tain"):
        yield stem(f"{verb[:-4]}tenance")


def _agents(verb: str) -> Iterator[str]:
    """Give the nouns for who does what a verb says: ``make`` to ``maker``."""
    bare = verb.removesuffix("e")
    if len(bare) > 2 and verb.isalpha():
        yield from (stem(f"{bare}er"), stem(f"{bare}or"))


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
            yield tuple(other.split()), _SYNONYM
    else:
        for before, part in pairwise(["", *bare]):
            if part not in general_words().stop and len(part) > 2 and before != "per":
                yield stems(part), _DESCRIPTION


def unit_of(name: str, units: Mapping[str, str]) -> str | None:
    """Return the unit that the last part of a property name tells, with what it is counted by.

    >>> units = {"days": "days", "day": "days", "usd": "USD"}
    >>> unit_of("lead_time_days", units), unit_of("hire_usd_day", units)
    ('days', 'USD per day')
    """
    parts = spoken(name).split()
    if len(parts) > 1 and parts[-1] in _PERIODS and (len(parts) > 2 or parts[0] in units):
        unit = units.get(parts[-2])
        return f"{unit} per {parts[-1]}" if unit else None
    return units.get(parts[-1]) if len(parts) > 1 else None


def _term(tokens: Sequence[Token], span: Span, meaning: _Meaning) -> Term:
    score = meaning.score
    if meaning.kind is TermKind.VALUE and score == _OWN:
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
    )


def _is_other_doer(said: str, written: str) -> bool:
    """Whether a word only shares the stem of a type's: an airliner is no airline."""
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
    if not is_letter and any(general_words().is_content(w) for w in words):
        return True
    if is_letter and words[0].text.isupper() and words[0].text != "I" and term.span.first > 0:
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
    return any(
        t.kind is TermKind.PROPERTY and t.name == term.name and _gap(t.span, term.span) <= 2
        for i in range(term.span.first - _FAR_NAMED, term.span.last + 3)
        for t in near.get(i, ())
    )


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
        return word.endswith(("ed", "ing")) and (meaning.value or "").casefold().endswith("s")
    if meaning.score in {_SYNONYM, _DESCRIPTION}:
        return not is_noun
    noun = spoken(meaning.name).rpartition(" ")[2]
    is_doer = meaning.score in {_OWN, _PART} and noun.endswith(("er", "or"))
    return is_doer and not word.startswith(noun)


def _is_other_word(tokens: Sequence[Token], span: Span, meaning: _Meaning) -> bool:
    """Whether one word only shares the stem of a part of a value: "units" of United Kingdom."""
    if meaning.kind is not TermKind.VALUE or meaning.score != _PART or len(span) > 1:
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


def _adjectives(value: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Give a place with its last words turned into an adjective: "north american"."""
    for length in (1, 2):
        for other in general_words().demonyms.get(" ".join(value[-length:]), ()):
            if len(value) >= length:
                yield (*value[:-length], *other)


def _strongest(terms: Iterable[Term]) -> list[Term]:
    """Keep, of equal readings of one span, the best scored."""
    best: dict[tuple[Span, TermKind, str, str | None, str | None], Term] = {}
    for term in terms:
        key = (term.span, term.kind, term.name, term.owner, term.value)
        if key not in best or best[key].score < term.score:
            best[key] = term
    return list(best.values())

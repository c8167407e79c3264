"""Lines of a relation of a type with itself: "descendants of X", "teaching goes back to X"."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from tiers.graphrag.reading.sketch import TypeWord
from trivium.domain.question import Cue, Span, Term, TermKind, Understood
from trivium.domain.schema import Effect, RelationType, Schema
from trivium.language.text import spoken, stems
from trivium.language.words import general_words

_LATER: Final = frozenset({"descendant", "descendants", "progeny"})
_EARLIER: Final = frozenset({"ancestor", "ancestors", "forebear", "forebears", "forefather",
                             "forefathers", "forerunner", "forerunners"})  # fmt: skip
_BELOW: Final = frozenset({"subordinate", "subordinates", "underling", "underlings"})
_ABOVE: Final = frozenset({"superior", "superiors"})
_OF_KIN: Final = _LATER | _EARLIER
_NOUNS: Final = _OF_KIN | _BELOW | _ABOVE
_DESCENDING: Final = frozenset({"descend", "descends", "descended", "descending"})
_TRACING: Final = frozenset({"go", "goes", "went", "going", "trace", "traces", "traced", "lead",
                             "leads"})  # fmt: skip
_NEAR_BACK: Final = 4
"""Words from "trace" to "back": "trace their line back"."""
_NEAR_TO: Final = 8
"""Words from "back" to "to": "goes back, directly or through others, to"."""
_PARENTS: Final = frozenset(
    stems("parent mother father sire dam teach train tutor mentor coach instruct supervise manage "
          "manager lead head boss direct foreman feed flow supply precede found")
)  # fmt: skip
"""Words for what comes before, and for what it does to what comes after."""
_CHILDREN: Final = frozenset(
    stems("child offspring son daughter young pup pupil student apprentice follow sequel derive "
          "descend copy report answer depend need require use call cite base learn spin")
)  # fmt: skip
_KIN: Final = frozenset(
    stems("parent mother father sire dam child offspring son daughter young pup breed cross "
          "derive descend copy sequel")
)  # fmt: skip
_RANKS: Final = frozenset(stems("report answer manage manager supervise lead head boss superior"))
_BOTH_WAYS: Final = ("both ways", "either way", "both directions", "either direction")
_JUST: Final = frozenset({"just", "only", "merely"})
"""Words after "not" that leave nothing out of a line: "not just her own children"."""
_DIRECT: Final = frozenset({"direct", "immediate", "directly", "immediately"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A word that tells such a line, and which end a name beside it stands at."""

    span: Span
    noun: str = ""

    @property
    def is_noun(self) -> bool:
        """Whether it stands for what is at an end of the line."""
        return bool(self.noun)


def _lines(words: Sequence[str]) -> Iterator[Line]:
    """Give the words that tell lines: nouns for an end, and verbs that lead back."""
    for at, word in enumerate(words):
        if word in _NOUNS:
            yield Line(span=Span(first=at, last=at + 1), noun=word)
        elif word in _DESCENDING and "from" in words:
            yield Line(span=Span(first=at, last=at + 1))
        elif word in _TRACING and "back" in words[at + 1 : at + 1 + _NEAR_BACK]:
            back = words.index("back", at + 1)
            if "to" in words[back + 1 : back + 1 + _NEAR_TO]:
                yield Line(span=Span(first=back, last=back + 1))


def with_lines(question: Understood, schema: Schema) -> Understood:
    """Return a question in which words for a line name its relation, followed all the way."""
    found = [(line, r) for line, _, r in _told(question, schema)]
    if not found:
        return question
    inside = {i for line, _ in found for i in line.span}
    words = [t.lower for t in question.tokens]
    terms = tuple(t for t in question.terms if not inside & set(t.span))
    terms += tuple(
        Term(span=line.span, kind=TermKind.RELATION, name=r.name, score=1.0) for line, r in found
    )
    cues = tuple(
        c
        for c in question.cues
        if not inside & set(c.span) and not _JUST & set(words[c.span.last : c.span.last + 1])
    )
    cues += tuple(
        Cue(span=line.span, kind="closure")
        for line, _ in found
        if not _DIRECT & set(words[max(0, line.span.first - 1) : line.span.first])
    )
    return replace(question, terms=terms, cues=cues)


def line_nouns(question: Understood, schema: Schema) -> Iterator[TypeWord]:
    """Give the types of nouns such as "descendants"."""
    for line, node_type, relation in _told(question, schema):
        if line.is_noun:
            yield TypeWord(
                span=line.span,
                type=node_type,
                is_singular=not line.noun.endswith("s"),
                score=1.0,
                relation=relation.name,
            )


def is_source_told(relation: RelationType, words: Sequence[str], item: Span) -> bool | None:
    """Whether a name is the source of a relation that a line is told of; ``None``: none is.

    The name beside "descendants" comes before them, and so does what comes after "goes back to".
    """
    line = min(_lines(words), key=lambda n: abs(n.span.first - item.first), default=None)
    if line is None:
        return None
    is_before = line.noun in _LATER | _BELOW if line.is_noun else item.first > line.span.first
    return is_before is _leads_on(relation)


def _told(question: Understood, schema: Schema) -> Iterator[tuple[Line, str, RelationType]]:
    """Give the lines of a question, each with the type and the relation that it is of."""
    named = [m.best[0].type for m in question.mentions if m.best]
    types = [t.name for t in question.terms_of(TermKind.TYPE)]
    spoken_of = {i for t in question.terms_of(TermKind.TYPE) if t.score >= 1 for i in t.span}
    for line in _lines([t.lower for t in question.tokens]):
        if spoken_of & set(line.span):
            continue
        for node_type in dict.fromkeys((*named, *types)):
            relation = _relation(question, schema, node_type, line)
            if relation is not None:
                yield line, node_type, relation
                break


def _relation(
    question: Understood, schema: Schema, node_type: str, line: Line
) -> RelationType | None:
    """Return the relation of a type with itself that a line is of: named, meant, or the only."""
    own = [
        r
        for r in schema.relation_types.values()
        if (node_type, node_type) in r.ends and not _is_mutual(r)
    ]
    if not line.is_noun or line.noun in _OF_KIN:
        said = {t.name for t in question.terms_of(TermKind.RELATION) if not line.is_noun}
        kin = [r for r in own if r.name in said] or [r for r in own if _KIN & _words_of(r)]
    else:
        kin = [r for r in own if _RANKS & _words_of(r)]
    fitting = kin or own
    return fitting[0] if len(fitting) == 1 else None


def _words_of(relation: RelationType) -> set[str]:
    return {*stems(spoken(relation.name)), *stems(relation.description)}


def _is_mutual(relation: RelationType) -> bool:
    told = relation.description.casefold().replace("-", " ")
    is_told = any(phrase in told for phrase in _BOTH_WAYS)
    return is_told or stems(spoken(relation.name))[0] in general_words().mutual


def _leads_on(relation: RelationType) -> bool:
    """Whether the source comes before the target, as a parent does before a child."""
    name = stems(spoken(relation.name))
    ending = spoken(relation.name).split()[-1]
    for part in name:
        if part in _PARENTS:
            return ending not in {"by", "from", "under"}
        if part in _CHILDREN:
            return ending == "by"
    told = stems(relation.description)
    at = {w: told.index(w) for w in ("first", "second") if w in told}
    if len(at) == 2:
        is_first = at["first"] < at["second"]
        if _PARENTS & set(told):
            return is_first
        if _CHILDREN & set(told) or (is_first and "by" in relation.description.split()):
            return not is_first
    return relation.effect is not Effect.BACKWARD

"""The words of a question as facts are asked for: clauses, and which words ask for something."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final

from tiers.cag.forms import degrees, is_typo_of_stop, is_vague
from trivium.domain.question import Cue, Mention, Span, Term, TermKind, Token, Understood
from trivium.language.following import begins_at
from trivium.language.text import fold, stems
from trivium.language.words import general_words

_SENTENCE_END: Final = re.compile(r"[.?!;](?:\s|$)|[\u2022]|\s-\s")
_CLAUSE_END: Final = re.compile(r"[,:;()&+/\u2013\u2014]|\s-\s|\.\s|[?!]")
_JOINTS: Final = frozenset({"and", "plus", "or", "also", "then", "but", "with"})
_STRUCTURE: Final = frozenset(
    {"count", "sum", "average", "most", "least", "rank", "ascending", "compare", "profile", "now",
     "since_when", "until_when", "when", "yes_no", "above", "below", "equal", "greeting", "thanks",
     "assistant", "hypothetical", "negation", "exception", "open", "closed", "plural", "difference",
     "before_now", "ever", "began", "ended", "single", "everything", "shared",
     "comparative"}
)  # fmt: skip
"""Cues that say what to do, not what of."""
TIME_UNITS: Final = frozenset({"ms", "s", "minutes", "hours", "days", "weeks", "months", "years"})
"""What a length of time is counted in."""
_LEADING: Final = frozenset({"since", "until", "till", "throughout", "onwards"})
"""Words that lead to a time and say nothing else."""
_LASTING: Final = frozenset(stems("take last wait need"))
SURE: Final = 0.8
"""A term of the schema that scores less is a guess."""


@dataclass(frozen=True)
class Wording:
    """A question's words, cut up; indexes are those of its tokens."""

    question: Understood

    @property
    def tokens(self) -> tuple[Token, ...]:
        """The words."""
        return self.question.tokens

    @cached_property
    def places(self) -> Mapping[str, Sequence[int]]:
        """Where each stem stands, in order."""
        found: dict[str, list[int]] = {}
        for index, token in enumerate(self.tokens):
            found.setdefault(token.stem, []).append(index)
        return found

    @cached_property
    def own_from(self) -> int:
        """The first word of the question itself, where its history completed it."""
        start = begins_at(self.question)
        return next((i for i, t in enumerate(self.tokens) if t.start >= start), 0) if start else 0

    def cues(self, *kinds: str) -> tuple[Cue, ...]:
        """Return the cues of ``kinds`` that are not words of an attribute's name."""
        names = [
            t.span
            for t in self.question.terms_of(TermKind.PROPERTY, TermKind.FACT)
            if t.score >= SURE
        ]
        return tuple(
            c
            for c in self.question.cues_of(*kinds)
            if not any(c.span.overlaps(name) and len(name) > 1 for name in names)
        )

    def told(self, indexes: Iterable[int]) -> str:
        """Return words as they were typed, with the marks that join them, as in ``AB-12``."""
        parts: list[str] = []
        last: Token | None = None
        for token in (self.tokens[i] for i in indexes):
            between = self.question.text[last.end : token.start] if last else " "
            if " " in between or not between.isprintable():
                parts.append(token.text)
            else:
                parts[-1] += between + token.text
            last = token
        return " ".join(parts)

    @property
    def is_follow_up(self) -> bool:
        """Whether its history completed it, and it asks something itself."""
        own = range(self.own_from, len(self.tokens))
        return self.own_from > 0 and any(self.is_content(i) for i in own)

    @property
    def own(self) -> range:
        """The words to read what is asked from: a follow-up's own, where it asks something."""
        return range(self.own_from if self.is_follow_up else 0, len(self.tokens))

    @cached_property
    def mentions(self) -> tuple[Mention, ...]:
        """The mentions that count: those of a follow-up stand for those before it."""
        own = tuple(m for m in self.question.mentions if m.span.first >= self.own_from)
        return own or self.question.mentions

    @cached_property
    def named(self) -> frozenset[int]:
        """Words of mentions, also of those that do not count."""
        return frozenset(i for m in self.question.mentions for i in m.span)

    @cached_property
    def clauses(self) -> tuple[tuple[int, ...], ...]:
        """The words cut at commas, colons, "and", and ends of sentences."""
        return tuple(self._cut(_CLAUSE_END, _JOINTS))

    @cached_property
    def sentences(self) -> tuple[tuple[int, ...], ...]:
        """The words cut at ends of sentences."""
        return tuple(self._cut(_SENTENCE_END, frozenset()))

    @cached_property
    def asking(self) -> frozenset[int]:
        """The words of the sentences that end with a question mark."""
        return frozenset(i for s in self.sentences if self._is_asked(s) for i in s)

    def _is_asked(self, sentence: Sequence[int]) -> bool:
        return self.question.text[self.tokens[sentence[-1]].end :].lstrip().startswith("?")

    @cached_property
    def structural(self) -> frozenset[int]:
        """Words that say what to do, when, or how many, and ask for nothing by name."""
        spans = [cue.span for cue in self.question.cues if cue.kind in _STRUCTURE]
        spans += [t.span for t in self.question.times]
        spans += [q.span for q in self.question.quantities]
        before = {t.span.first - 1 for t in self.question.times if t.span.first}
        before = {i for i in before if self.tokens[i].lower in _LEADING}
        return frozenset(i for span in spans for i in span) | self.superlatives | before

    @cached_property
    def turning(self) -> Mapping[int, str]:
        """Words that say how a value developed, each with the way that it went.

        The shorter of two that overlap tells less: "get better" is no change of any way.
        """
        terms = self.question.terms_of(TermKind.TYPE, TermKind.VALUE)
        spans = {t.span for t in terms if t.score >= (1 if t.kind is TermKind.VALUE else SURE)}
        named = self.named | {i for span in spans for i in span}
        found: dict[int, str] = {}
        for span, way in sorted(general_words().turns.find(self.tokens), key=lambda f: len(f[0])):
            if not named & set(span):
                found |= dict.fromkeys(span, way)
        return found

    @cached_property
    def superlatives(self) -> frozenset[int]:
        """Words that are superlatives of what can be measured: "fullest", "priciest"."""
        adjectives = {w for m in general_words().measures for w in m.high | m.low}
        return frozenset(
            i
            for i, t in enumerate(self.tokens)
            if t.lower.endswith("est")
            and i not in self.named
            and adjectives & set(degrees(t.lower))
        )

    @cached_property
    def heads(self) -> frozenset[int]:
        """The first content word after each question word: what the question is after."""
        found = set()
        for index, token in enumerate(self.tokens):
            if token.lower in {"what", "which", "how", "whose"}:
                rest = range(index + 1, min(index + 5, len(self.tokens)))
                found.add(next((i for i in rest if self.is_content(i)), -1))
        return frozenset(found - {-1})

    @cached_property
    def asks_duration(self) -> bool:
        """Whether it asks how long something takes or lasts."""
        is_how_long = any(a.lower == "how" and b.lower == "long" for a, b in pairwise(self.tokens))
        return is_how_long and any(t.stem in _LASTING for t in self.tokens)

    @cached_property
    def asks_amount(self) -> bool:
        """Whether it asks how many or how much."""
        return any(word in {"many", "much"} for word in self.degrees_asked)

    @cached_property
    def degrees_asked(self) -> tuple[str, ...]:
        """What follows "how" of what can be counted or measured: "how many", "how far"."""
        measured = {w for m in general_words().measures for w in m.high | m.low}
        return tuple(
            b.lower
            for a, b in pairwise(self.tokens[i] for i in self.own)
            if a.lower == "how" and (b.lower in {"many", "much"} or b.stem in measured)
        )

    @cached_property
    def asks_when(self) -> bool:
        """Whether it asks for a time or how long something takes."""
        is_how_long = any(
            a.lower == "how" and b.lower in {"long", "soon", "late", "early"}
            for a, b in pairwise(self.tokens)
        )
        return is_how_long or self.question.has("when", "since_when", "until_when")

    def is_content(self, index: int) -> bool:
        """Whether a word says something of its own and is no name."""
        token = self.tokens[index]
        is_empty = not general_words().is_content(token) or is_typo_of_stop(token.lower)
        return not (is_empty or is_vague(token.lower) or index in self.named)

    def is_joined(self, index: int) -> bool:
        """Whether only a space is between a word and the next."""
        if not 0 <= index < len(self.tokens) - 1:
            return False
        between = self.question.text[self.tokens[index].end : self.tokens[index + 1].start]
        return between in {" ", "-"}

    def valued(self, node_type: str) -> dict[int, set[str]]:
        """Return the words that are a type's own name or, where no time is asked, values of it.

        With each go the attributes that the word is a value of.
        """
        is_timed = self.asks_when or bool(self.question.times)
        found: dict[int, set[str]] = {}
        for term in self.question.terms:
            is_value = term.kind is TermKind.VALUE and term.owner == node_type and term.score >= 1
            is_type = term.kind is TermKind.TYPE and term.name == node_type
            if is_type or (is_value and not is_timed):
                for index in term.span:
                    found.setdefault(index, set()).update([term.name] if is_value else [])
        return found

    def is_verbatim(self, term: Term) -> bool:
        """Whether a value is said in its own words: "opened" is not "open"."""
        return " ".join(self.tokens[i].lower for i in term.span) == fold(str(term.value))

    def unread(self, node_type: str | None, indexes: Sequence[int]) -> list[int]:
        """Return the content words that neither say what to do nor name a type or its values."""
        known = set(self.structural)
        for term in self.question.terms:
            is_own_type = term.kind is TermKind.TYPE and term.name == node_type
            is_own_value = term.kind is TermKind.VALUE and term.owner == node_type
            if is_own_type or is_own_value:
                known.update(term.span)
        return [i for i in indexes if i not in known and self.is_content(i)]

    def sentence_at(self, index: int) -> int:
        """Return the number of the sentence in which a word stands."""
        return next((n for n, s in enumerate(self.sentences) if index in s), 0)

    def sentence_of(self, spans: Sequence[Span]) -> list[int]:
        """Return the words of the sentences in which ``spans`` stand."""
        inside = {i for span in spans for i in span}
        return [i for s in self.sentences if inside & set(s) for i in s]

    def types(self) -> list[Term]:
        """Return the types that are named, the surest for each span."""
        terms = [t for t in self.question.terms_of(TermKind.TYPE) if t.span.first >= self.own_from]
        terms = terms or list(self.question.terms_of(TermKind.TYPE))
        best: dict[Span, Term] = {}
        for term in terms:
            if term.span not in best or best[term.span].score < term.score:
                best[term.span] = term
        return list(best.values())

    def _cut(self, mark: re.Pattern[str], joints: frozenset[str]) -> Iterator[tuple[int, ...]]:
        part: list[int] = []
        for index, token in enumerate(self.tokens):
            end = self.tokens[index - 1].end if index else 0
            is_cut = bool(mark.search(self.question.text[end : token.start + 1]))
            is_cut = is_cut and not self._is_short_form(index - 1)
            is_cut = is_cut or (0 < index == self.own_from)
            if (is_cut or token.lower in joints) and part and not self._is_within_name(index):
                yield tuple(part)
                part = []
            part.append(index)
        if part:
            yield tuple(part)

    def _is_short_form(self, index: int) -> bool:
        """Whether a stop after a word ends the word only: "Dr.", "J."."""
        token = self.tokens[index]
        has_stop = self.question.text[token.end : token.end + 1] == "."
        return has_stop and (len(token.text) == 1 or token.lower in general_words().titles)

    def _is_within_name(self, index: int) -> bool:
        return any(m.span.first < index < m.span.last for m in self.question.mentions)

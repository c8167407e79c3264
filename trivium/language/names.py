"""The linker: mentions in a question to entities, by id, name, alias, part of a name, or typo."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from trivium.domain.question import Candidate, Mention, Span, Token
from trivium.language.form_index import FormIndex, Hits
from trivium.language.forms import (
    Form,
    fitting,
    is_in_its_form,
    is_written_as,
    is_written_as_id,
    runs,
    spelled_words,
    stands_as_name,
)
from trivium.language.plurals import is_plural
from trivium.language.text import stems, tokenize, unaccented
from trivium.language.words import general_words

_MAX_PARTIAL_SHARE: Final = 6
"""A word that stands in more names than this points to none of them."""
_KNOWN_WORD_SHARE: Final = 0.2
"""What a word of the schema or of the language counts within a part of a name."""
_WITHIN: Final = frozenset({"on", "of", "at", "in", "for", "from"})
_ARTICLES: Final = frozenset({"the", "a", "an", "our"})
_ARTICLE: Final = 0.1
"""What an article counts within a name: "the Ballroom" is less than "Ballroom Restoration"."""


@dataclass(frozen=True, slots=True)
class _Entry:
    id: str
    type: str
    name: str
    forms: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Match:
    span: Span
    node: str
    score: float
    n_words: float
    """How many words it accounts for; in part of a name, words that mean else count little."""


class NameIndex:
    """All names by which entities are known."""

    def __init__(self) -> None:
        self._entries: dict[str, _Entry] = {}
        self._forms = FormIndex()

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, node: str) -> bool:
        return node in self._entries

    def has_word(self, word: str) -> bool:
        """Whether a folded word stands in a name."""
        return self._forms.has_word(word)

    def name(self, node: str) -> str:
        """Return the display name of an entity; its id when it is not known."""
        entry = self._entries.get(node)
        return entry.name if entry else node

    def type(self, node: str) -> str | None:
        """Return the type of an entity."""
        entry = self._entries.get(node)
        return entry.type if entry else None

    def called(self, words: str) -> frozenset[str]:
        """Return the entities that ``words`` are an id, a name or an alias of, in any form."""
        spellings = {stems(words), stems(unaccented(words))}
        return frozenset(f.node for said in spellings for f in self._forms.made_of(said))

    def put(self, node: str, node_type: str, name: str, aliases: Sequence[str] = ()) -> None:
        """Add an entity, or replace what is known of it."""
        self.drop(node)
        forms = [Form(node, stems(node), (), is_id=True)]
        texts = dict.fromkeys(t for text in (name, *aliases) for t in (text, unaccented(text)))
        forms += [Form(node, stems(text), spelled_words(text), is_id=False) for text in texts]
        kept = self._forms.add([form for form in forms if form.stems])
        self._entries[node] = _Entry(node, node_type, name, kept)

    def drop(self, node: str) -> None:
        """Forget an entity."""
        entry = self._entries.pop(node, None)
        if entry is not None:
            self._forms.remove(entry.forms)

    def clear(self) -> None:
        """Forget all."""
        self.__init__()  # type: ignore[misc]  # the state is what the constructor makes

    def tag(self, text: str) -> tuple[str, ...]:
        """Return the entities that ``text`` names in full, each once, in order."""
        words = tuple(t for t in tokenize(text) if t.text[0].isalnum())
        found = (m for m in self.link(words, lambda _: True) if m.candidates)
        return tuple(dict.fromkeys(c.id for m in found for c in m.best if c.score >= 1.0))

    def link(
        self, tokens: Sequence[Token], is_known: Callable[[int], bool], text: str = ""
    ) -> tuple[Mention, ...]:
        """Return the mentions in ``tokens`` (words only, no marks), none overlapping.

        Args:
            text: the question; it tells a hyphen from a space.
            tokens: the words of the question.
            is_known: whether the word at an index means something else (a schema word, a word
                of the language); such a word counts within a longer name, never alone.
        """
        matches = sorted(
            self._matches(tokens, is_known, text),
            key=lambda m: (-min(m.score, 1.0) * m.n_words, -m.score, m.span.first, m.node),
        )
        mentions: list[Mention] = []
        taken: list[Span] = []
        matches = [m for m in matches if m.score >= 0.9 or stands_as_name(tokens, m.span)]
        for match in matches:
            if any(match.span.overlaps(span) for span in taken):
                continue
            rivals = [m for m in matches if m.span == match.span]
            taken.append(match.span)
            mentions.append(self._mention(tokens, match.span, rivals))
        mentions += self._unknown_ids(tokens, taken, text)
        return _rejoined(sorted(mentions, key=lambda m: m.span.first), tokens)

    def _matches(
        self, tokens: Sequence[Token], is_known: Callable[[int], bool], text: str
    ) -> Iterator[_Match]:
        """Give every way in which words of the question match a form."""
        for form, found in self._forms.hits(tokens, is_known):
            for run in runs(sorted(found), tokens):
                kept = fitting(run, found, form)
                match = self._score(form, {i: found[i] for i in kept}, is_known)
                if (
                    match
                    and is_written_as(tokens, kept, form, text)
                    and (match.score >= 0.9 or is_in_its_form(tokens, kept, form))
                ):
                    yield match

    def _score(
        self,
        form: Form,
        found: Hits,
        is_known: Callable[[int], bool],
    ) -> _Match | None:
        span = Span(first=min(found), last=max(found) + 1)
        parts = Counter(part for part, _ in found.values())
        wanted = Counter(form.stems)
        is_full = all(
            parts[p] >= n or p in general_words().company_forms for p, n in wanted.items()
        )
        if form.is_id:
            in_order = tuple(found[i][0] for i in sorted(found)) == form.stems
            return _Match(span, form.node, 1.0, len(found)) if in_order else None
        quality = min(q for _, q in found.values())
        if is_full and any(p not in general_words().company_forms for p in parts):
            n_words = sum(_ARTICLE if p in _ARTICLES else 1.0 for p, _ in found.values())
            return _Match(span, form.node, quality if quality < 1 else 1.0, n_words)
        anchors = [
            i
            for i, (p, _) in found.items()
            if not is_known(i)
            and p not in general_words().company_forms
            and self._forms.n_nodes(p) <= _MAX_PARTIAL_SHARE
            and not p.isdigit()
        ]
        if not anchors:
            return None
        n_telling = sum(1.0 if i in anchors else _KNOWN_WORD_SHARE for i in found)
        return _Match(span, form.node, 0.8 * quality, n_telling)

    def _mention(self, tokens: Sequence[Token], span: Span, rivals: Sequence[_Match]) -> Mention:
        best: dict[str, float] = {}
        for match in rivals:
            best[match.node] = max(best.get(match.node, 0.0), match.score)
        ordered = sorted(best.items(), key=lambda item: (-item[1], item[0]))
        return Mention(
            span=span,
            text=" ".join(tokens[i].text for i in span),
            candidates=tuple(
                Candidate(id=n, type=self._entries[n].type, name=self._entries[n].name, score=s)
                for n, s in ordered
            ),
        )

    def _unknown_ids(
        self, tokens: Sequence[Token], taken: Sequence[Span], text: str
    ) -> Iterator[Mention]:
        """Give the words that look like one of the ids, and are none."""
        for index in range(1, len(tokens)):
            if not tokens[index].lower[0].isdigit():
                continue
            for width in (1, 2):
                first = index - width
                prefix = " ".join(t.stem for t in tokens[max(0, first) : index])
                is_adjacent = tokens[index].start - tokens[index - 1].end <= 1
                span = Span(first=max(0, first), last=index + 1)
                if (
                    first >= 0
                    and is_written_as_id(tokens, tuple(span), text)
                    and is_adjacent
                    and self._forms.is_id_prefix(prefix)
                    and not any(span.overlaps(other) for other in taken)
                ):
                    name = text[tokens[span.first].start : tokens[span.last - 1].end]
                    yield Mention(span=span, text=name, candidates=())


def _rejoined(mentions: Sequence[Mention], tokens: Sequence[Token]) -> tuple[Mention, ...]:
    """Return mentions with the two halves of a name as one: "the gauge on the north tank".

    One half alone may mean several entities; the other says which.
    """
    joined: list[Mention] = []
    for mention in mentions:
        whole = _whole(joined[-1], mention, tokens) if joined else None
        joined[-1:] = [whole] if whole else [*joined[-1:], mention]
    return tuple(joined)


def _whole(a: Mention, b: Mention, tokens: Sequence[Token]) -> Mention | None:
    """Return one mention for two of which one is ambiguous, where the other has one of its own."""
    between = {t.lower for t in tokens[a.span.last : b.span.first]}
    vague, other = (a, b) if a.is_ambiguous else (b, a)
    is_part = bool(between & _WITHIN) and between <= _WITHIN | _ARTICLES
    if not is_part or not vague.is_ambiguous or is_plural(tokens[vague.span.last - 1].lower):
        return None
    common = [c for c in vague.best if c.id in {o.id for o in other.candidates}]
    if len(common) != 1:
        return None
    span = Span(first=a.span.first, last=b.span.last)
    text = " ".join(tokens[i].text for i in span)
    return Mention(span=span, text=text, candidates=tuple(common))

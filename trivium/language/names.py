"""The linker: mentions in a question to entities, by id, name, alias, part of a name, or typo."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from rapidfuzz import process
from rapidfuzz.distance import DamerauLevenshtein

from trivium.domain.question import Candidate, Mention, Span, Token
from trivium.language.forms import (
    MIN_TYPO_LENGTH,
    Form,
    fitting,
    is_in_its_form,
    is_written_as,
    is_written_as_id,
    runs,
    sole_word,
    spelled_words,
    stands_as_name,
)
from trivium.language.text import stem, stems, tokenize, unaccented
from trivium.language.words import general_words

_TYPO_SIMILARITY: Final = 0.8
"""Share of a word that a typo must leave intact; 0.75 took real words for names."""
_MAX_SLIPS: Final = 2
"""How much longer or shorter than a word its misspelling may be."""
_MIN_PREFIX_LENGTH: Final = 5
_MAX_PARTIAL_SHARE: Final = 6
"""A word that stands in more names than this points to none of them."""
_CROWD: Final = 200
"""Names beyond which those of a word are not looked at one by one."""
_COMPANY_FORM_WEIGHT: Final = 0.1
_KNOWN_WORD_SHARE: Final = 0.2
"""What a word of the schema or of the language counts within a part of a name."""


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
    """All names by which entities are known; blocks by word before it compares."""

    def __init__(self) -> None:
        self._entries: dict[str, _Entry] = {}
        self._forms: dict[int, Form] = {}
        self._by_stem: dict[str, set[int]] = defaultdict(set)
        self._alone: dict[str, set[int]] = defaultdict(set)
        """The forms that one word makes up, but for company forms, by that word."""
        self._words: dict[tuple[str, int], Counter[str]] = defaultdict(Counter)
        """First letter and length to the folded words of names, each with its number of uses."""
        self._heads: dict[str, Counter[str]] = defaultdict(Counter)
        """First letters to the stems that begin with them, each with its number of uses."""
        self._n_nodes: Counter[str] = Counter()
        self._id_prefixes: Counter[str] = Counter()
        self._next_form = 0

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, node: str) -> bool:
        return node in self._entries

    def has_word(self, word: str) -> bool:
        """Whether a folded word stands in a name."""
        return bool(word) and word in self._words.get((word[0], len(word)), ())

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
        found: set[str] = set()
        for said in {stems(words), stems(unaccented(words))}:
            keys = [self._by_stem.get(part, set()) for part in said]
            forms = (self._forms[key] for key in set.intersection(*keys)) if keys else ()
            found |= {form.node for form in forms if sorted(form.stems) == sorted(said)}
        return frozenset(found)

    def put(self, node: str, node_type: str, name: str, aliases: Sequence[str] = ()) -> None:
        """Add an entity, or replace what is known of it."""
        self.drop(node)
        forms = [Form(node, stems(node), (), is_id=True)]
        texts = dict.fromkeys(t for text in (name, *aliases) for t in (text, unaccented(text)))
        forms += [Form(node, stems(text), spelled_words(text), is_id=False) for text in texts]
        kept = tuple(self._add(form) for form in forms if form.stems)
        self._entries[node] = _Entry(node, node_type, name, kept)
        self._count(kept, 1)

    def drop(self, node: str) -> None:
        """Forget an entity."""
        entry = self._entries.pop(node, None)
        if entry is None:
            return
        self._count(entry.forms, -1)
        for key in entry.forms:
            self._remove(key)

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
        return tuple(sorted(mentions, key=lambda m: m.span.first))

    def _add(self, form: Form) -> int:
        key = self._next_form
        self._next_form += 1
        self._forms[key] = form
        if (sole := sole_word(form.stems)) is not None:
            self._alone[sole].add(key)
        for part in form.stems:
            self._by_stem[part].add(key)
            self._heads[part[:_MIN_PREFIX_LENGTH]][part] += 1
        for word in form.words:
            self._words[word[0], len(word)][word] += 1
        return key

    def _remove(self, key: int) -> None:
        form = self._forms.pop(key)
        for word in form.words:
            alike = self._words[word[0], len(word)]
            alike[word] -= 1
            if not alike[word]:
                del alike[word]
        if (sole := sole_word(form.stems)) is not None:
            self._alone[sole].discard(key)
        for part in form.stems:
            self._lose_head(part)
        for part in set(form.stems):
            self._by_stem[part].discard(key)
            if not self._by_stem[part]:
                del self._by_stem[part]

    def _lose_head(self, part: str) -> None:
        head = self._heads[part[:_MIN_PREFIX_LENGTH]]
        head[part] -= 1
        if not head[part]:
            del head[part]

    def _count(self, forms: Sequence[int], step: int) -> None:
        for part in {p for key in forms for p in self._forms[key].stems}:
            self._n_nodes[part] += step
        for key in forms:
            form = self._forms[key]
            if len(form.stems) > 1 and form.stems[-1].isdigit():
                self._id_prefixes[" ".join(form.stems[:-1])] += step

    def _weight(self, part: str) -> float:
        rarity = math.log(1 + (1 + len(self._entries)) / (1 + self._n_nodes[part]))
        return rarity * (_COMPANY_FORM_WEIGHT if part in general_words().company_forms else 1.0)

    def _matches(
        self, tokens: Sequence[Token], is_known: Callable[[int], bool], text: str
    ) -> Iterator[_Match]:
        """Give every way in which words of the question match a form."""
        for key, found in self._hits(tokens, is_known).items():
            form = self._forms[key]
            for run in runs(sorted(found), tokens):
                kept = fitting(run, found, form)
                match = self._score(form, {i: found[i] for i in kept}, is_known)
                if (
                    match
                    and is_written_as(tokens, kept, form, text)
                    and (match.score >= 0.9 or is_in_its_form(tokens, kept, form))
                ):
                    yield match

    def _hits(
        self, tokens: Sequence[Token], is_known: Callable[[int], bool]
    ) -> dict[int, dict[int, tuple[str, float]]]:
        """Return the forms that words of the question stand in, with what each stands for there.

        A word of very many names finds those that another word finds too, and those that it alone
        makes up: a part of a name that is no more than such a word points to none.
        """
        hits: dict[int, dict[int, tuple[str, float]]] = defaultdict(dict)
        crowded: list[tuple[int, str, float]] = []
        for index, token in enumerate(tokens):
            for part, quality in self._parts(token, is_known=is_known(index)):
                keys = self._by_stem.get(part, set())
                if len(keys) > _CROWD:
                    crowded.append((index, part, quality))
                    continue
                for key in keys:
                    hits[key][index] = (part, quality)
        told = sorted({part for _, part, _ in crowded})
        near = set(hits).union(*(self._alone.get(part, ()) for part in told))
        near.update(*(self._by_stem[a] & self._by_stem[b] for a, b in combinations(told, 2)))
        for index, part, quality in crowded:
            for key in near & self._by_stem[part]:
                hits[key][index] = (part, quality)
        return hits

    def _parts(self, token: Token, *, is_known: bool) -> Iterator[tuple[str, float]]:
        """Give the index words that a token may stand for, with the quality of the match."""
        if token.stem in self._by_stem:
            yield token.stem, 1.0
            return
        if is_known or token.lower[0].isdigit():
            return
        if len(token.lower) >= _MIN_PREFIX_LENGTH:
            head = self._heads.get(token.stem[:_MIN_PREFIX_LENGTH], Counter[str]())
            longer = [p for p in head if p.startswith(token.stem) and len(p) <= 9]
            if len(longer) == 1:
                yield longer[0], 0.8
                return
        if len(token.lower) >= MIN_TYPO_LENGTH:
            best = process.extractOne(
                token.lower,
                self._alike(token.lower),
                scorer=DamerauLevenshtein.normalized_similarity,
                score_cutoff=_TYPO_SIMILARITY,
            )
            if best:
                yield stem(best[0]), 0.9

    def _alike(self, word: str) -> list[str]:
        """Return the words of names that begin like ``word`` and are about as long."""
        lengths = range(len(word) - _MAX_SLIPS, len(word) + _MAX_SLIPS + 1)
        return [known for n in lengths for known in self._words.get((word[0], n), ())]

    def _score(
        self,
        form: Form,
        found: dict[int, tuple[str, float]],
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
            return _Match(span, form.node, quality if quality < 1 else 1.0, len(found))
        anchors = [
            i
            for i, (p, _) in found.items()
            if not is_known(i)
            and p not in general_words().company_forms
            and self._n_nodes[p] <= _MAX_PARTIAL_SHARE
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
                    and self._id_prefixes[prefix] > 1
                    and not any(span.overlaps(other) for other in taken)
                ):
                    name = " ".join(t.text for t in tokens[span.first : span.last])
                    yield Mention(span=span, text=name, candidates=())

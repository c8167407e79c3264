"""The index of all names: which of them the words of a question stand in."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Final, TypeAlias

from rapidfuzz import process
from rapidfuzz.distance import DamerauLevenshtein

from trivium.domain.question import Token
from trivium.language.forms import MIN_TYPO_LENGTH, Form, sole_word
from trivium.language.spelling import english
from trivium.language.text import stem

_TYPO_SIMILARITY: Final = 0.8
"""Share of a word that a typo must leave intact; 0.75 took real words for names."""
_MAX_SLIPS: Final = 2
"""How much longer or shorter than a word its misspelling may be."""
_MIN_PREFIX_LENGTH: Final = 5
_CROWD: Final = 200
"""Names beyond which those of a word are not looked at one by one."""

Hits: TypeAlias = dict[int, tuple[str, float]]
"""By index, the word of a name that a word of the question stands for, and how well."""


class FormIndex:
    """Forms of names by their words; each entity adds and removes all of its own at once."""

    def __init__(self) -> None:
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

    def add(self, forms: Sequence[Form]) -> tuple[int, ...]:
        """Add the forms of one entity; return the keys to remove them by."""
        keys = tuple(self._add(form) for form in forms)
        self._count(keys, 1)
        return keys

    def remove(self, keys: Sequence[int]) -> None:
        """Remove the forms of one entity."""
        self._count(keys, -1)
        for key in keys:
            self._remove(key)

    def has_word(self, word: str) -> bool:
        """Whether a folded word stands in a name."""
        return bool(word) and word in self._words.get((word[0], len(word)), ())

    def n_nodes(self, part: str) -> int:
        """Return in the names of how many entities a stem stands."""
        return self._n_nodes[part]

    def is_id_prefix(self, prefix: str) -> bool:
        """Whether several ids are these stems, joined by a space, and a number."""
        return self._id_prefixes[prefix] > 1

    def made_of(self, said: Sequence[str]) -> Iterator[Form]:
        """Give the forms that have just these stems, in any order."""
        keys = [self._by_stem.get(part, set()) for part in said]
        forms = (self._forms[key] for key in set.intersection(*keys)) if keys else ()
        return (form for form in forms if sorted(form.stems) == sorted(said))

    def hits(
        self, tokens: Sequence[Token], is_known: Callable[[int], bool]
    ) -> Iterator[tuple[Form, Hits]]:
        """Give the forms that words of the question stand in, with what each stands for there.

        A word of very many names finds those that another word finds too, and those that it alone
        makes up: a part of a name that is no more than such a word points to none. A plain word of
        English is no slip of a name, nor one cut short, where names have their capitals.
        """
        hits: dict[int, Hits] = defaultdict(dict)
        crowded: list[tuple[int, str, float]] = []
        is_mixed = any(t.text[0].isupper() for t in tokens[1:])
        for index, token in enumerate(tokens):
            is_plain = is_mixed and token.text.islower() and token.lower in english()
            for part, quality in self._parts(token, is_known=is_plain or is_known(index)):
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
        return ((self._forms[key], found) for key, found in hits.items())

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

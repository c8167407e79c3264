"""Architectures that retrieve text: TF-IDF RAG, dense RAG, and LightRAG's two levels.

None of them has a model: as in the paper's Section IV, their answer is what they retrieve, so that
retrieval alone is measured.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

from bench.corpus import Corpus, Passage
from bench.judging import Answer
from trivium.domain.ports import Encoder
from trivium.domain.question import Question
from trivium.language.reading import QuestionReader

TOP_K: Final = 5
"""Texts that are retrieved; the paper does not say how many it takes."""

Matrix = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


def best(scores: Matrix, k: int = TOP_K) -> list[int]:
    """Return the places of the highest scores above 0, best first; ``scores`` has the shape (n,).

    >>> best(np.array([0.1, 0.0, 0.5]))
    [2, 0]
    """
    order = np.argsort(-scores, kind="stable")[:k]
    return [int(at) for at in order if scores[at] > 0]


class TfidfIndex:
    """Texts by the cosine of their TF-IDF vectors."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._vectorizer: Any = TfidfVectorizer(stop_words="english")  # scikit-learn has no types
        self._rows = self._vectorizer.fit_transform(texts)

    def search(self, query: str, k: int = TOP_K) -> list[int]:
        """Return the places of the ``k`` nearest texts that share a word with it, best first."""
        row = self._vectorizer.transform([query])
        return best(np.asarray((self._rows @ row.T).todense()).ravel(), k)


class TfidfRag:
    """Architecture 1: the nearest texts by TF-IDF. Source: the paper's Section II-A."""

    def __init__(self, corpus: Corpus) -> None:
        self._texts = corpus.texts
        self._index = TfidfIndex(corpus.texts)

    async def answer(self, question: Question) -> Answer:
        """Return the nearest texts."""
        return Answer(text="\n".join(self._texts[at] for at in self._index.search(question.text)))


class DenseRag:
    """Architecture 2: the nearest texts by embedding. Source: the paper's Section V-D."""

    def __init__(self, corpus: Corpus, encoder: Encoder, rows: Matrix) -> None:
        self._texts = corpus.texts
        self._encoder = encoder
        self._rows = rows

    @classmethod
    async def open(cls, corpus: Corpus, encoder: Encoder) -> "DenseRag":
        """Encode the corpus."""
        return cls(corpus, encoder, np.array(await encoder.encode(corpus.texts)))

    async def answer(self, question: Question) -> Answer:
        """Return the nearest texts."""
        (vector,) = await self._encoder.encode([question.text])
        return Answer(text="\n".join(self._texts[at] for at in best(self._rows @ np.array(vector))))


class DualLevel:
    """Architecture 5: LightRAG's two levels of retrieval, over the graph as it is.

    Low: the entities that the question names or is near to, with their relations; high: the
    relations that the question without its names is near to, with their ends. LightRAG asks a
    model for the keywords of both levels, and another time to write; here the linker finds the
    names, the rest of the question is the theme, and nothing is written.
    Source: Guo et al., LightRAG (2024), the paper's [5]; its Section V-G.
    """

    def __init__(
        self, corpus: Corpus, reader: QuestionReader, encoder: Encoder, rows: Matrix
    ) -> None:
        self._corpus = corpus
        self._reader = reader
        self._encoder = encoder
        self._rows = rows
        self._is_relation = np.array([p.is_relation for p in corpus.passages])
        self._place = {p.entities: n for n, p in enumerate(corpus.passages) if not p.is_relation}

    @classmethod
    async def open(cls, corpus: Corpus, reader: QuestionReader, encoder: Encoder) -> "DualLevel":
        """Encode the corpus."""
        return cls(corpus, reader, encoder, np.array(await encoder.encode(corpus.texts)))

    async def answer(self, question: Question) -> Answer:
        """Return what the two levels find, the low one first."""
        read = self._reader.read(question)
        named = [c.id for mention in read.mentions for c in mention.best]
        theme = question.text
        for mention in read.mentions:
            theme = theme.replace(read.words(mention.span), "")
        whole, rest = await self._encoder.encode([question.text, theme])
        found = [*self._low(named, np.array(whole)), *self._high(np.array(rest))]
        return Answer(text="\n".join(dict.fromkeys(p.text for p in found)))

    def _low(self, named: Sequence[str], vector: Matrix) -> Iterable[Passage]:
        """Give entities, and of each the nearest of its relations."""
        scores = self._rows @ vector
        near = best(np.where(self._is_relation, 0.0, scores))
        keys = dict.fromkeys([*named, *(self._corpus.passages[n].entities[0] for n in near)])
        for key in list(keys)[:TOP_K]:
            yield self._corpus.passages[self._place[key,]]
            touching = [key in p.entities for p in self._corpus.passages]
            yield from self._at(best(np.where(self._is_relation & touching, scores, 0.0)))

    def _high(self, vector: Matrix) -> Iterable[Passage]:
        """Give relations, each with what stands at its ends."""
        for passage in self._at(best(np.where(self._is_relation, self._rows @ vector, 0.0))):
            yield passage
            yield from self._at(self._place[end,] for end in passage.entities)

    def _at(self, places: Iterable[int]) -> Iterable[Passage]:
        return (self._corpus.passages[n] for n in places)

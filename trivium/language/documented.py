"""The words that documents hold, and how much of a question they alone explain."""

import re
from array import array
from collections import Counter
from typing import Final

from trivium.domain.question import Documented, Understood
from trivium.language.duties import asks_of_a_duty
from trivium.language.text import fold, stem
from trivium.language.words import general_words

_WORD: Final = re.compile(r"[^\W_]+")
_SURE: Final = 0.6
"""The least score of a term that explains its words."""


class DocumentWords:
    """The stems of the documents that everybody may read; a bag of words each, no more."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._stems: dict[str, array[int]] = {}
        """The numbers of its stems, by document."""
        self._n_documents: Counter[int] = Counter()

    def put(self, document_id: str, text: str) -> None:
        """Take a document, in place of what it said before."""
        self.drop(document_id)
        found = {stem(word) for word in set(_WORD.findall(fold(text)))}
        numbers = [self._numbers.setdefault(word, len(self._numbers)) for word in found]
        self._stems[document_id] = array("I", numbers)
        self._n_documents.update(numbers)

    def drop(self, document_id: str) -> None:
        """Forget a document."""
        for number in self._stems.pop(document_id, ()):
            self._n_documents[number] -= 1

    def clear(self) -> None:
        """Forget all."""
        self._numbers.clear()
        self._stems.clear()
        self._n_documents.clear()

    def has_word(self, word: str) -> bool:
        """Whether a folded word, in any of its forms, stands in a document."""
        return self._n_documents[self._numbers.get(stem(word), -1)] > 0

    def explain(self, question: Understood) -> Documented | None:
        """Return how many words of a question nothing else explains, and how many stand here.

        ``None`` where there are no documents.
        """
        if not self._stems:
            return None
        general = general_words()
        told = [t.span for t in question.terms if t.score >= _SURE]
        told += [m.span for m in question.mentions if m.candidates]
        told += [t.span for t in question.times]
        told += [q.span for q in question.quantities]
        told += [c.span for c in question.cues]
        explained = {index for span in told for index in span}
        unread = [
            token.stem
            for index, token in enumerate(question.tokens)
            if index not in explained
            and general.is_content(token)
            and token.lower not in general.units
            and token.stem not in general.periods
        ]
        known = sum(self._n_documents[self._numbers.get(word, -1)] > 0 for word in unread)
        return Documented(n_unread=len(unread), n_known=known, is_duty=asks_of_a_duty(question))

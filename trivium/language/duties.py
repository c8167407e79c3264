"""Whether a question asks what one may or must do, which rules tell and facts do not."""

import re
from typing import Final

from trivium.domain.question import Understood
from trivium.language.text import fold

_ONE: Final = (
    r"(?:i|we|you|one|he|she|they|it|this|that|an?|the|my|our|any\w*|every\w*|some\w*|no\w*)\b"
)
"""Words that a subject begins with."""
_ASKING: Final = (
    r"(?:what|when|where|who|whom|how|how \w+|how (?:many|much) \w+|(?:which|what) \w+)"
)
_BOUND: Final = r"(?:allowed|permitted|obliged|entitled|required)"
_BEGINS: Final = rf"(?:^|[,;:.?!-]\s+|\b(?:and|or|so|but|{_ASKING})\s)"
"""Where a clause asks: its start, or behind the words that it asks with."""
_DUTY: Final = re.compile(
    "|".join(
        (
            rf"{_BEGINS}(?:may|must|shall) {_ONE}",
            rf"\b{_ASKING} should (?:i|we|one|it|he|she|they|an?|the|any\w*)\b",
            rf"\b(?:is|are|am|was|were)\b[^,;:.?!]{{1,60}}\b{_BOUND} to\b",
            r"\b(?:are|am) (?:i|we|you|they) supposed to\b",
            r"\b(?:do|does|did) [^,;:.?!]{1,40}\b(?:have|need) to\b",
            r"\b(?:any|every|no)(?:body|one) (?:may|must|has to)\b",
            r"\bhow (?:many|much) \w+ (?:has|have) to\b",
        )
    )
)


_ONESELF: Final = frozenset({"i", "im", "ive", "my", "we", "our"})
_QUESTION: Final = frozenset({"what", "when", "where", "who", "whom", "which", "how", "can", "may"})


def asks_for_oneself(question: Understood) -> bool:
    """Whether somebody asks what holds for himself: "how much do I get towards boots"."""
    words = {t.lower for t in question.tokens}
    return bool(words & _ONESELF) and bool(words & _QUESTION)


def asks_of_a_duty(question: Understood) -> bool:
    """Whether it asks what is allowed or has to be done: "may we …", "how soon do they have to …".

    Who may do what is no such question: that is a relation.
    """
    return bool(_DUTY.search(fold(question.text)))

"""Which neighbours of a sentence are said with it, so that it can be understood."""

import re
from collections.abc import Collection, Sequence
from typing import Final

from tiers.rag.sentences import Sentence

_WHOLE: Final = 45
"""Words up to which a paragraph is said whole around the sentence that was found in it."""
_LONG: Final = 75
"""Words up to which a sentence is followed to the end of its paragraph, where that is wanted."""
_LEANS: Final = re.compile(
    r"\W*(?:it|its|they|them|their|this|that|these|those|he|his|she|her|there|then|therefore|thus"
    r"|so|but|however|otherwise|both|neither|such|and|or|also|after (?:it|that|this|them)"
    r"|in (?:that|this|both|either) cases?|until then|since then|if so|if not|by then|later|even"
    r"|the (?:\w+ )?(?:reason|cause)s?)\b",
    re.IGNORECASE,
)
"""Words by which a sentence leans on the one before it."""


def stretch(
    sentences: Sequence[Sentence],
    place: int,
    chosen: Collection[int],
    *,
    said: Collection[int],
    room: int,
    goes_on: bool = False,
) -> range:
    """Return the places of the sentences to say with the one at ``place``, in one stretch.

    All are of its paragraph and none is ``said`` yet: the whole of a short one; else it, what it
    leans on and what leans on it, and what is ``chosen`` too, with what stands between, while there
    is ``room`` for as many words. Where it ``goes_on``, what follows it is said too, as far.
    """
    own = sentences[place]
    if own.told:
        return range(place, place + 1)
    part = _unsaid(sentences, place, said)
    if _n_words(sentences, part[0], part[-1]) <= min(_WHOLE, room):
        return range(part[0], part[-1] + 1)
    begin, end = _with_leaning(sentences, part, place, place)
    for other in sorted(chosen, key=lambda n: abs(n - place)):
        first, last = min(begin, other), max(end, other)
        if other in part and _n_words(sentences, first, last) <= room:
            begin, end = _with_leaning(sentences, part, first, last)
    while goes_on and end < part[-1] and _n_words(sentences, begin, end + 1) <= min(_LONG, room):
        end += 1
    return range(begin, end + 1)


def _unsaid(sentences: Sequence[Sentence], place: int, said: Collection[int]) -> range:
    """Return what stands around ``place`` in its paragraph, up to what is said already."""
    free = [s.part == sentences[place].part and n not in said for n, s in enumerate(sentences)]
    begin = end = place
    while begin > 0 and free[begin - 1]:
        begin -= 1
    while end + 1 < len(free) and free[end + 1]:
        end += 1
    return range(begin, end + 1)


def _with_leaning(
    sentences: Sequence[Sentence], part: range, begin: int, end: int
) -> tuple[int, int]:
    """Add what the first of a stretch leans on, and what leans on its last."""
    while begin > part[0] and _leans(sentences[begin]):
        begin -= 1
    while (
        end < part[-1]
        and _leans(sentences[end + 1])
        and _n_words(sentences, begin, end + 1) <= _WHOLE
    ):
        end += 1
    return begin, end


def _leans(sentence: Sentence) -> bool:
    return bool(_LEANS.match(sentence.text))


def _n_words(sentences: Sequence[Sentence], first: int, last: int) -> int:
    return sum(len(sentence.text.split()) for sentence in sentences[first : last + 1])

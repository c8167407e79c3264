"""Whether a question asks for a way: "by which chain of depots", "show the route by which"."""

from collections.abc import Sequence
from typing import Final

from tiers.graphrag.reading.sketch import Sketch

_WAYS: Final = frozenset(
    {"way", "ways", "route", "routes", "path", "paths", "chain", "chains", "trail", "line",
     "sequence", "series", "string", "road", "succession", "course"}
)  # fmt: skip
"""Nouns for what leads from one thing to another."""
_LEADING: Final = frozenset(
    {"by", "along", "through", "via", "over", "on", "in", "down", "which", "what", "whose", "is",
     "s", "the", "a", "me", "us", "you", "can", "show", "give", "name", "find", "trace", "tell",
     "spell", "out", "list", "describe", "draw", "i", "want", "need", "see", "to", "shortest",
     "quickest", "direct", "full", "whole", "complete", "exact", "please", "and"}
)  # fmt: skip
"""Words with which a question for a way opens."""
_JOINTS: Final = frozenset({"by", "along", "through", "via", "over", "in", "on", "down"})


def way_asked(words: Sequence[str], taken: frozenset[int] = frozenset()) -> int | None:
    """Return where the noun stands with which a question asks for a way, if it does.

    ``taken`` are the words that name something of the schema or the data.

    >>> way_asked("by which chain of depots does it get there".split())
    2
    >>> way_asked("by way of which depots does it get there".split())
    """
    for index, word in enumerate(words):
        if word in _WAYS and index not in taken:
            is_of_which = list(words[index + 1 : index + 3]) in (["of", "which"], ["of", "what"])
            return None if is_of_which else index
        if word not in _LEADING:
            return None
    return None


def way_clauses(words: Sequence[str]) -> frozenset[int]:
    """Return where "which" only goes on after a way: "the route by which", "the way in which"."""
    return frozenset(
        i
        for i in range(2, len(words))
        if words[i] == "which" and words[i - 1] in _JOINTS and words[i - 2] in _WAYS
    )


def asks_way(sketch: Sketch) -> bool:
    """Whether a question asks for a way, by a noun that is nothing of the schema."""
    taken = {i for a in sketch.anchors for i in a.span} | {i for t in sketch.types for i in t.span}
    taken |= {i for v in sketch.values for i in v.span}
    return way_asked(sketch.words(0, len(sketch.tokens)), frozenset(taken)) is not None


def way_over(sketch: Sketch) -> str | None:
    """Return the type of "by which chain of depots": what a way that is asked for goes over."""
    at = way_asked(sketch.words(0, len(sketch.tokens)))
    if at is None or sketch.words(at + 1, at + 2) != ["of"]:
        return None
    word = sketch.type_after(at + 2, within=1)
    goes_on = word is not None and sketch.words(word.span.last, word.span.last + 1) == ["and"]
    return word.type if word is not None and not goes_on else None

"""Every one of what is named: "uses every part", "each of the pieces of gear", "all our halls"."""

from typing import Final

from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.listing import AUXILIARIES, BE, RELATING
from tiers.graphrag.reading.sketch import Sketch
from trivium.domain.question import Span

PIECES: Final = frozenset({"piece", "pieces", "item", "items", "unit", "units"})
"""Words for single things of a kind: "every piece of equipment"."""
_OWNING: Final = frozenset({"our", "the", "these", "its", "their", "those"})
_REACHING: Final = frozenset({"to", "at", "on", "after", "in", "into"})
"""Words between a verb and what it is done to: "deliver to", "look after"."""
_JOINING: Final = frozenset(
    {"and", "or", "than", "over", "across", "among", "amongst", "between", "through", "under",
     "per", "as", "but"}
)  # fmt: skip


def all_from(draft: Draft, noun: Span) -> int | None:
    """Return where "every", "each of" or "all" begins that asks for every one of what is named.

    It is so beside a verb ("uses every X", "that every X needs"); "the makers of all X" are those
    of any X, and "list all X" asks for them.
    """
    sketch = draft.sketch
    if sketch.focus is None or noun.first < sketch.focus.span.last or _is_own(sketch, noun):
        return None
    start = noun.first
    inside = {i for v in sketch.values for i in v.span}
    inside |= {i for cue in draft.cues("open") for i in cue.span}
    while start and (sketch.tokens[start - 1].lower in _OWNING or start - 1 in inside):
        start -= 1
    start = _before_pieces(sketch, start)
    said = sketch.words(start - 2, start)
    if said == ["one", "of"]:
        said, start = sketch.words(start - 4, start - 2), start - 2
    if said[1:] in (["every"], ["all"]):
        start -= 1
    elif said in (["each", "of"], ["all", "of"]):
        start -= 2
    elif sketch.words(start, start + 2) != ["one", "of"] or said[1:] != ["every"]:
        return None
    does = any(verb.first == noun.last for verb in _verbs(draft))
    is_for_each = sketch.words(start, start + 1) == ["each"] and draft.cues("count")
    if is_for_each and set(sketch.words(start - 1, start)) & AUXILIARIES:
        return None  # "how many parts does each of them make": a number for each
    is_apart = sketch.is_parted(start, noun.first) or _is_added_up(draft, start, noun.last)
    return start if (does or _is_object(draft, start)) and not is_apart else None


def _before_pieces(sketch: Sketch, start: int) -> int:
    """Return where a noun begins with what counts its pieces: "every piece of equipment"."""
    said = sketch.words(start - 2, start)
    return start - 2 if said[1:] == ["of"] and said[0] in PIECES else start


def _is_added_up(draft: Draft, start: int, after: int) -> bool:
    """Whether all are only meant to be added up: "adding up all its flights", "all X together"."""
    sketch = draft.sketch
    if sketch.words(after, after + 1) == ["together"]:
        return True
    if any(c.span.first == after for c in sketch.question.cues_of("sum")):
        return True
    first = max((b for b in sketch.breaks if b <= start), default=0)
    return any(first <= c.span.first <= start for c in sketch.question.cues_of("sum"))


def _verbs(draft: Draft) -> list[Span]:
    """Return where the verbs are that say a relation, or an effect."""
    return [t.span for t in draft.sketch.relations] + [c.span for c in draft.cues("impact")]


def _is_own(sketch: Sketch, noun: Span) -> bool:
    """Whether all that each one has is meant, not all that there are: "their parts"."""
    before, after = sketch.words(noun.first - 1, noun.first), sketch.words(noun.last, noun.last + 1)
    return before in (["their"], ["its"]) or after in (["they"], ["it"], ["he"], ["she"])


def _is_object(draft: Draft, start: int) -> bool:
    """Whether the words from ``start`` on are what a verb before them is done to."""
    sketch = draft.sketch
    before = start - 1
    if sketch.words(before, start) and sketch.tokens[before].lower in _REACHING:
        before -= 1
    named = [s for t in sketch.types if (s := t.span)] + [a.span for a in sketch.anchors]
    if before < 0 or any(before in s for s in named):
        return False
    word = sketch.tokens[before].lower
    if word == "by":
        return any(verb.last == before for verb in _verbs(draft))
    return word not in RELATING | BE | AUXILIARIES | _JOINING

"""What a number is asked for each of: "per hangar", "vendor by vendor", "at each exchange"."""

from itertools import pairwise
from typing import Final

from tiers.graphrag.reading.counting import all_from
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.sketch import Refusal, TypeWord
from trivium.domain.evidence import Reason
from trivium.domain.question import Cue
from trivium.language.words import general_words

_ASKING: Final = frozenset({"which", "what", "who", "whose", "how", "is", "are", "rank", "sort"})


def ranking_cues(draft: Draft) -> tuple[Cue, ...]:
    """Return what asks for an order, or for a number for each; "per day" does neither."""
    cues = draft.cues("rank")
    if per_each(draft):
        return cues
    words = {"each", "per"}
    return tuple(c for c in cues if draft.sketch.question.words(c.span).casefold() not in words)


def per_each(draft: Draft) -> str | None:
    """Return the type after "each" or "per": "how many customers does each event reach"."""
    for one, again in pairwise(draft.sketch.types):
        between = draft.sketch.words(one.span.last, again.span.first)
        if one.type == again.type and between == ["by"]:  # "vendor by vendor"
            return one.type
    divided = divided_by(draft)
    if divided is not None:
        return divided.type
    cues = [c for c in draft.cues("rank") if _says_each(draft, c)]
    return next((owner for c in cues if (owner := _after_each(draft, c))), None)


def _says_each(draft: Draft, cue: Cue) -> bool:
    """Whether a cue says "each", of no unit: "price per kilogram" does not."""
    after = draft.sketch.words(cue.span.last, cue.span.last + 1)
    is_unit = bool(after) and after[0] in general_words().units
    said = draft.sketch.question.words(cue.span).casefold()
    return said in {"each", "per", "for every"} and not is_unit


def _after_each(draft: Draft, cue: Cue) -> str | None:
    word = draft.sketch.type_after(cue.span.last, within=3)
    if word is None:
        return _kind_after(draft, cue.span.last)
    is_parted = draft.sketch.is_parted(cue.span.first, word.span.first)
    return None if is_parted or all_from(draft, word.span) is not None else word.type


def divided_by(draft: Draft) -> TypeWord | None:
    """Return the type of "hours by branch, most first", for each of which a number is told."""
    sketch = draft.sketch
    is_order = bool(draft.cues("rank", "ascending")) or _puts_first(draft)
    is_told = is_order and not set(sketch.words(0, 1)) & _ASKING
    for word in sketch.types:
        before = sketch.words(word.span.first - 1, word.span.first)
        ends = word.span.last >= len(sketch.tokens) or word.span.last in sketch.breaks
        is_by = before == ["by"] and ends and word.is_singular
        if is_by and (sketch.properties or is_told):
            return word
    return None


def _puts_first(draft: Draft) -> bool:
    """Whether a superlative tells an order: "dearest first"."""
    ends = [c.span.last for c in draft.cues("most", "least")]
    return any(draft.sketch.words(e, e + 1) == ["first"] for e in ends)


def _kind_after(draft: Draft, at: int) -> str | None:
    """Return the type of which a kind stands after "each": "how many routers at each exchange"."""
    types = draft.sketch.schema.node_types
    value = next((v for v in draft.sketch.values if v.span.first == at), None)
    owners = {o for o, p in value.owners if o in types} if value else set()
    return owners.pop() if len(owners) == 1 else None


def refuse_first_of_each(draft: Draft, each: str | None) -> None:
    """Refuse "which player earns the most at each club": the first of each is not computed.

    Raises:
        Refusal: it asks for that.
    """
    word, cue = draft.sketch.focus, next(iter(draft.cues("most", "least")), None)
    if word is None or cue is None or each is None or word.type == each or draft.cues("count"):
        return
    before = set(draft.sketch.words(word.span.first - 2, word.span.first))
    if before & {"which", "what"} and word.span.first < cue.span.first and per_each(draft):
        raise Refusal(Reason.NOT_IN_SCHEMA, f"I cannot tell one {word.type} for each {each}.")

"""What a number is asked for each of: "per hangar", "vendor by vendor", "at each exchange"."""

from itertools import pairwise

from tiers.graphrag.reading.counting import all_from
from tiers.graphrag.reading.draft import Draft
from trivium.domain.question import Cue
from trivium.language.words import general_words


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
    grouped = _grouped_by(draft)
    if grouped is not None:
        return grouped
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


def _grouped_by(draft: Draft) -> str | None:
    """Return the type of "hours by branch, most first"."""
    for word in draft.sketch.types:
        before = draft.sketch.words(word.span.first - 1, word.span.first)
        ends = word.span.last >= len(draft.sketch.tokens) or word.span.last in draft.sketch.breaks
        if before == ["by"] and ends and word.is_singular and draft.sketch.properties:
            return word.type
    return None


def _kind_after(draft: Draft, at: int) -> str | None:
    """Return the type of which a kind stands after "each": "how many routers at each exchange"."""
    types = draft.sketch.schema.node_types
    value = next((v for v in draft.sketch.values if v.span.first == at), None)
    owners = {o for o, p in value.owners if o in types} if value else set()
    return owners.pop() if len(owners) == 1 else None

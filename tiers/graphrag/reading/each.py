"""What a number is asked for each of: "per hangar", "vendor by vendor", "at each exchange"."""

from itertools import pairwise

from tiers.graphrag.reading.counting import all_from
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.sketch import Refusal
from trivium.domain.evidence import Reason
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
    for cue in draft.cues("rank"):
        if draft.sketch.question.words(cue.span).casefold() in {"each", "per", "for every"}:
            word = draft.sketch.type_after(cue.span.last, within=3)
            after = draft.sketch.words(cue.span.last, cue.span.last + 1)
            if after and after[0] in general_words().units:
                continue  # "price per kilogram"
            if (
                word
                and all_from(draft, word.span) is None
                and not draft.sketch.is_parted(cue.span.first, word.span.first)
            ):
                return word.type
            if word is None and (owner := _kind_after(draft, cue.span.last)):
                return owner
    return None


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

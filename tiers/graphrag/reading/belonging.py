"""What stands right before the noun that it belongs to: "X's parts"."""

from itertools import pairwise

from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.items import Item
from trivium.domain.question import Span


def pair(draft: Draft, items: list[Item]) -> None:
    """Note what stands right before a type that it belongs to: "X's parts"."""
    for item, after in pairwise(items):
        a, b = item.variable, after.variable
        is_next = b.anchor is None and (
            a.span.last == b.span.first or _joined_by_verb(draft, a.span.last, b.span.first)
        )
        is_parted = draft.sketch.is_parted(a.span.first, b.span.first)
        if is_next and not is_parted and not item.is_again and not after.is_again:
            item.hugs = after


def _joined_by_verb(draft: Draft, last: int, first: int) -> bool:
    """Whether one participle of a relation stands between: "prize-winning books"."""
    verbs = {t.span for t in draft.sketch.relations}
    is_one = first - last == 1 and Span(first=last, last=first) in verbs
    return is_one and draft.sketch.tokens[last].lower.endswith("ing")

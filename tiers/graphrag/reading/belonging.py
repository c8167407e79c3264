"""What belongs to the noun that it stands beside: "X's parts", "the gate that X uses"."""

from itertools import pairwise
from typing import Final

from tiers.graphrag.reading.clauses import DETERMINERS
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.items import Item
from tiers.graphrag.reading.listing import AUXILIARIES, BE, RELATING
from tiers.graphrag.reading.paths import TypedPath
from tiers.graphrag.reading.sketch import Sketch
from tiers.graphrag.reading.tree import Variable
from trivium.domain.question import Span

_OPENING: Final = frozenset({"that", "which", "where", "of", "the", "from"})
"""Words from a noun to the name that opens its clause."""
_SAYING: Final = (["that"], ["which"], ["who"])


def pair(draft: Draft, items: list[Item]) -> None:
    """Note what stands right before a type that it belongs to: "X's parts"."""
    for item, after in pairwise(items):
        a, b = item.variable, after.variable
        is_next = b.anchor is None and (
            a.span.last == b.span.first
            or _joined_by_verb(draft, a.span.last, b.span.first)
            or _owns_further_on(draft, a, b)
        )
        is_parted = draft.sketch.is_parted(a.span.first, b.span.first)
        if is_next and not is_parted and not item.is_again and not after.is_again:
            item.hugs = after


def opens_clause(sketch: Sketch, head: Variable, variable: Variable) -> bool:
    """Whether a name opens the clause, or the genitive, of a noun right before it."""
    between = sketch.words(head.span.last, variable.span.first)
    is_next = bool(head.span) and head.span.last <= variable.span.first
    is_led = bool(between) and set(between) <= _OPENING and between != ["the"]
    is_it = not between and variable.anchor is not None and variable.span != variable.anchor.span
    return variable.anchor is not None and is_next and (is_led or is_it)


def comes_from(sketch: Sketch, variable: Variable) -> bool:
    """Whether a name is where something comes from."""
    return sketch.words(variable.span.first - 1, variable.span.first) == ["from"]


def said_in_clause(sketch: Sketch, head: Variable, path: TypedPath) -> bool:
    """Whether the clause of a noun opens with the verb of a path: "parts that came out of X"."""
    at = head.span.last
    is_led = bool(head.span) and sketch.words(at, at + 1) in _SAYING
    verbs = {t.name for t in sketch.relations if t.span.first == at + 1}
    return is_led and bool(path.hops) and path.hops[0].relation in verbs


def leads(sketch: Sketch, head: Variable, variable: Variable) -> bool:
    """Whether a noun stands right before another one, but for a preposition."""
    between = sketch.words(head.span.last, variable.span.first)
    states = {w for c in sketch.question.cues_of("open", "closed")
              for w in sketch.words(c.span.first, c.span.last)}  # fmt: skip
    is_led = bool(set(between[:1]) & RELATING) and set(between[1:]) <= DETERMINERS | states
    return is_led and bool(head.span) and variable.anchor is None


def _owns_further_on(draft: Draft, owner: Variable, noun: Variable) -> bool:
    """Whether a word that tells nothing stands between: "X's trial fields"."""
    sketch, text = draft.sketch, draft.sketch.question.text
    is_near = owner.anchor is not None and noun.span.first - owner.span.last == 1
    if not is_near:
        return False
    ends = sketch.tokens[owner.span.last - 1].end, sketch.tokens[owner.span.last].start
    is_genitive = text[slice(*ends)].strip().casefold() in {"'s", "\u2019s", "'", "\u2019"}
    between = sketch.words(owner.span.last, noun.span.first)
    return is_genitive and not set(between) & (RELATING | BE | AUXILIARIES | {"and", "or"})


def _joined_by_verb(draft: Draft, last: int, first: int) -> bool:
    """Whether one participle of a relation stands between: "prize-winning books"."""
    verbs = {t.span for t in draft.sketch.relations}
    is_one = first - last == 1 and Span(first=last, last=first) in verbs
    return is_one and draft.sketch.tokens[last].lower.endswith("ing")

"""What a question names, as items on their way into its tree: types, names, and pronouns."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from tiers.graphrag.reading.again import is_fresh, self_relations
from tiers.graphrag.reading.counting import Counted
from tiers.graphrag.reading.describing import either
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.listing import RELATING
from tiers.graphrag.reading.owncount import seconds_denied
from tiers.graphrag.reading.sketch import Anchor, Sketch, TypeWord, gap
from tiers.graphrag.reading.tree import Variable
from trivium.domain.question import Span

_PRONOUNS: Final = frozenset({"it", "its", "them", "their", "theirs", "him", "his", "her", "hers"})
_SUBJECTS: Final = frozenset({"it", "he", "she"})
_SOMEBODY: Final = frozenset({"someone", "somebody", "anyone", "anybody"})
_MERGING: Final = frozenset({"merge", "merged", "merges", "merging", "amalgamated"})
_MERGED: Final = frozenset({"merged", "combined", "joint", "new"})
_LACKING: Final = frozenset({"skips", "misses", "omits", "lacks", "avoids"})
"""Verbs at the end of a question by which a name is without what is asked for."""
_ANYTHING: Final = frozenset(
    {
        "something",
        "anything",
        "things",
        "else",
        "others",
        "someone",
        "anyone",
        "somebody",
        "anybody",
    }
)


@dataclass(slots=True)
class Item:
    """One thing named, on its way into the tree."""

    variable: Variable
    counted: Counted | None = None
    is_again: bool = False
    """Whether it only names again what is in the tree already."""
    is_negated: bool = False
    hugs: "Item | None" = None
    """What it belongs to, because it stands right before it: "X's parts"."""


def named_items(
    draft: Draft, root: Variable, skipped: set[Span], counts: Mapping[Span, Counted]
) -> list[Item]:
    """Return what the question names beside the type asked for, in the order of the text.

    What is excepted is taken out of what it belongs to at once.
    """
    found = [
        *_of_types(draft, root, skipped, counts),
        *_of_none(draft, root),
        *_of_pronouns(draft, root),
        *_of_anchors(draft, root, skipped),
    ]
    found.sort(key=lambda i: i.variable.span.first)
    return _without_excepted(draft, root, found)


def _of_types(
    draft: Draft, root: Variable, skipped: set[Span], counts: Mapping[Span, Counted]
) -> Iterator[Item]:
    seen: dict[str, Variable] = {root.type: root}
    for word in draft.sketch.types:
        if word.span in {root.span, *skipped} or _is_asked_beside(draft, root, word):
            continue
        if _names_beside(draft, root, word) or closes(draft.sketch, word.span.first):
            continue
        if _merges(draft.sketch) and _MERGED & set(
            draft.sketch.words(word.span.first - 1, word.span.first)
        ):
            continue  # "the merged firm": the two that are named
        again = seen.get(word.type)
        if again is not None and not is_fresh(draft, word):
            yield Item(again, counted=counts.get(word.span), is_again=True)
            continue
        seen[word.type] = Variable(type=word.type, span=word.span)
        is_denied = word.type == root.type and _is_no_other(draft.sketch, word.span.first)
        yield Item(seen[word.type], counted=counts.get(word.span), is_negated=is_denied)


def _is_no_other(sketch: Sketch, at: int) -> bool:
    """Whether a noun is denied of all others: "cited by no other ruling"."""
    return sketch.words(at - 2, at) == ["no", "other"]


def closes(sketch: Sketch, at: int) -> bool:
    """Whether the words before a noun only leave no other: "huts, and no other kind of site"."""
    before = sketch.words(at - 5, at)
    return any(before[i : i + 3] == ["and", "no", "other"] for i in range(len(before)))


def _is_asked_beside(draft: Draft, root: Variable, word: TypeWord) -> bool:
    """Whether a type is asked for beside the root: "products and customers"."""
    wanted = draft.sketch.wanted
    is_asked = word.span in {t.span for t in wanted}
    is_listed = len(wanted) > 1 and word.type in {t.type for t in wanted}
    return word.type != root.type and (is_asked or is_listed)


def _names_beside(draft: Draft, root: Variable, word: TypeWord) -> bool:
    """Whether a type only says what the name beside it is: "the customer X"."""
    return any(
        a.type == word.type
        and gap(a.span, word.span) == 0
        and not draft.sketch.is_parted(*sorted((a.span.first, word.span.first)))
        and (a.span.first > word.span.first or word.span != root.span)
        for a in draft.sketch.anchors
    )


def _of_none(draft: Draft, root: Variable) -> Iterator[Item]:
    """Give "but none led by X", said of the last type before it that is not asked for."""
    sketch = draft.sketch
    for index, token in enumerate(sketch.tokens):
        is_turn = sketch.words(index - 1, index) in (["but"], ["and"])
        before = [t for t in sketch.types if root.span.last <= t.span.first < index]
        if token.lower == "none" and is_turn and before and before[-1].type != root.type:
            yield Item(Variable(type=before[-1].type, span=Span(first=index, last=index + 1)))


def _of_pronouns(draft: Draft, root: Variable) -> Iterator[Item]:
    """Give "no other one", where the type asked for has a relation with itself."""
    sketch = draft.sketch
    if not self_relations(draft, root.type):
        return
    own = self_relations(draft, root.type)
    verbs = {t.span.last for t in sketch.relations if t.name in own}
    for index in range(root.span.last, len(sketch.tokens) - 1):
        if sketch.tokens[index].lower in _SOMEBODY and verbs & {index, index - 1}:
            yield Item(Variable(type=root.type, span=Span(first=index, last=index + 1)))
        first, second = sketch.words(index, index + 2)
        if any(index in span for span in seconds_denied(sketch)):
            continue
        if first in {"other", "another", "second"} and second in {"one", "ones"}:
            variable = Variable(type=root.type, span=Span(first=index, last=index + 2))
            yield Item(variable, is_negated=sketch.words(index - 1, index) == ["no"])


def _of_anchors(draft: Draft, root: Variable, skipped: set[Span]) -> Iterator[Item]:
    anchors = [a for a in draft.sketch.anchors if a.span not in skipped]
    for group in _either(draft, anchors):
        first = group[0]
        if len(group) > 1:
            first = replace(either(group), ids=tuple(i for a in group for i in a.ids))
        span = _pointed_at(draft, root, first) or first.span
        yield Item(Variable(type=first.type, span=span, anchor=first))


def _merges(sketch: Sketch) -> bool:
    """Whether two things named are supposed to become one: "if X merged with Y"."""
    words = set(sketch.words(0, len(sketch.tokens)))
    return bool(words & _MERGING) and sketch.has("hypothetical", "removal")


def _either(draft: Draft, anchors: Sequence[Anchor]) -> list[list[Anchor]]:
    """Group names that stand for one another: "X or Y"; so does what fails, or adds up."""
    joining = {"or", "nor", "either", "the"}
    joining |= {"and", "both"} if draft.sketch.has("removal", "sum") else set()
    joining |= {"and", "with", *_MERGING} if _merges(draft.sketch) else set()
    groups: list[list[Anchor]] = []
    for anchor in anchors:
        last = groups[-1][-1] if groups else None
        if last and last.type == anchor.type and bool(last.ids) is bool(anchor.ids):
            between = draft.sketch.words(last.span.last, anchor.span.first)
            if 0 < len(between) <= 2 and set(between) <= joining:
                groups[-1].append(anchor)
                continue
        groups.append([anchor])
    return groups


def _pointed_at(draft: Draft, root: Variable, anchor: Anchor) -> Span | None:
    """Return where a pronoun in the question stands for a name in a clause before it."""
    sketch = draft.sketch
    if len(sketch.anchors) > 1:
        return None
    start = root.span.first
    is_topic = any(anchor.span.last <= b <= anchor.span.last + 1 for b in sketch.breaks)
    own = _clause_of_it(sketch, anchor.span.last)
    if own is not None and (own.first > start or is_topic):
        return own
    if not root.span or not any(anchor.span.last <= b <= start for b in sketch.breaks):
        return None
    later = range(root.span.last, len(sketch.tokens))
    at = next((i for i in later if sketch.tokens[i].lower in _PRONOUNS), None)
    return Span(first=at, last=at + 1) if at is not None else None


def _clause_of_it(sketch: Sketch, start: int) -> Span | None:
    """Return the pronoun that opens the clause of a noun: "the workshops (that) it supplies"."""
    nouns = {t.span.last for t in sketch.types}
    verbs = {t.span.first for t in sketch.relations}
    verbs |= {c.span.first for c in sketch.question.cues_of("impact")}
    for index in range(start, len(sketch.tokens)):
        is_led = sketch.words(index - 1, index)[:1] in (["that"], ["which"])
        is_subject = sketch.tokens[index].lower in _SUBJECTS and index + 1 in verbs
        if is_subject and index - is_led in nouns:
            return Span(first=index, last=index + 1)
    return None


def _without_excepted(draft: Draft, root: Variable, items: list[Item]) -> list[Item]:
    cues = draft.cues("exception")
    hosts = [root, *(i.variable for i in items if i.variable.anchor is None)]
    kept = []
    for item in items:
        anchor = item.variable.anchor
        is_excepted = anchor is not None and (
            any(0 <= anchor.span.first - c.span.last <= 2 for c in cues)
            or _is_lost(draft, root, anchor)
        )
        host = next((h for h in hosts if h.type == item.variable.type), None)
        if anchor is not None and is_excepted and host is not None:
            host.excluded.append(anchor)
        elif anchor is not None and is_excepted and _is_of_anything(draft, anchor):
            other = Variable(type=anchor.type, span=anchor.span, excluded=[anchor])
            kept.append(Item(other))
        else:
            item.is_negated = item.is_negated or _is_but_not(draft, item.variable)
            kept.append(item)
    return kept


def _is_of_anything(draft: Draft, anchor: Anchor) -> bool:
    """Whether a name is excepted from all of its type: "something other than X"."""
    cues = draft.cues("exception")
    near = [c.span.first for c in cues if 0 <= anchor.span.first - c.span.last <= 2]
    return any(_ANYTHING & set(draft.sketch.words(at - 1, at)) for at in near)


def _is_but_not(draft: Draft, variable: Variable) -> bool:
    """Whether a name is denied beside another thing of the same relation: "but not to X"."""
    first = variable.span.first
    before = draft.sketch.words(first - 3, first)
    after = draft.sketch.words(variable.span.last, variable.span.last + 3)
    if variable.anchor is not None and _is_left_out(after):
        left = range(variable.span.last, variable.span.last + 2)
        draft.used |= {c.span for c in draft.cues("exception") if c.span.first in left}
        return True
    is_denied = before[-3:-1] in (["but", "not"], ["and", "not"]) and before[-1] in RELATING
    if variable.anchor is None or not is_denied:
        return False
    draft.used |= {c.span for c in draft.cues("exception", "negation", "unique")
                   if first - 3 <= c.span.first < first}  # fmt: skip
    return True


def _is_left_out(after: Sequence[str]) -> bool:
    """Whether a name does without what is asked for: "that X leaves out", "that X skips"."""
    if list(after) in (["leaves", "out"], ["leave", "out"]):
        return True
    return len(after) == 1 and after[0] in _LACKING


def _is_lost(draft: Draft, root: Variable, anchor: Anchor) -> bool:
    """Whether a name is what is gone, where another one of its type is asked for."""
    sketch = draft.sketch
    words = set(sketch.words(anchor.span.last, len(sketch.tokens)))
    is_other = bool(words & {"another", "other", "else", "others"})
    is_own = anchor.type == root.type and not self_relations(draft, anchor.type)
    return is_own and is_other and sketch.has("removal", "hypothetical")

"""Which things a question counts: "only one supplier", "more than two parts", "single-sourced"."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from tiers.graphrag.operators.conditions import Test
from tiers.graphrag.reading.comparisons import comparison
from tiers.graphrag.reading.cueing import ASIDE
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.listing import BE, RELATING
from tiers.graphrag.reading.owncount import denies_others, seconds_denied
from tiers.graphrag.reading.sketch import TypeWord, gap
from tiers.graphrag.reading.tree import Variable
from tiers.graphrag.reading.universals import PIECES, all_from
from trivium.domain.question import Cue, Span
from trivium.language.words import general_words

_PARTITIVE: Final = frozenset({"of", "the", "its", "our", "their", "these", "those", "different"})
_DENYING: Final = frozenset({"without", "not", "t", "never"})
_FAR_DENIAL: Final = 5
_IT: Final = frozenset({"it", "they", "he", "she", "who"})
_SERVING: Final = frozenset({"for", "of"})
"""Words between "sole source" and what has no other."""
_SURE: Final = 0.8
_MAX_BETWEEN: Final = 3
_NO_OTHER: Final = (["no"], ["nobody"], ["nowhere"], ["not"])
"""Words after "and" or "but" that leave it at the number before: "one contract and no more"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """A count, and what is counted."""

    count: tuple[Test, float]
    at: int
    spans: frozenset[Span]
    is_of_root: bool = False
    """Whether it is the type asked for that is alone: "the only vessel on its service"."""
    is_implied: bool = False
    """Whether what is counted is not named."""
    is_all: bool = False
    """Whether there must be every one of what is counted; ``count`` says nothing then."""


def counted_words(draft: Draft, root: Variable) -> dict[Span, Counted]:
    """Return the counts by the type word that is counted, or by the cue where none is."""
    found = dict(_without_second(draft, root))
    found |= {at: told for at, told in _of_cues(draft, root).items() if at not in found}
    for word, counted in (*_of_all(draft), *_of_comparisons(draft), *_of_numbers(draft)):
        if word.type != root.type:
            found.setdefault(word.span, counted)
    return found


def _without_second(draft: Draft, root: Variable) -> Iterator[tuple[Span, Counted]]:
    """Give what is said to have no second one: "live at one site only, without a second one"."""
    sketch = draft.sketch
    for denied in seconds_denied(sketch):
        before = [t for t in sketch.types if t.span.last <= denied.first]
        told = draft.cues("negation", "left_without", "single")
        spans = frozenset(c.span for c in told if c.span.overlaps(denied))
        if before and before[-1].type != root.type:
            at = before[-1].span
            near = [c.span for c in draft.cues("single") if 0 <= at.first - c.span.last <= 1]
            draft.used |= spans | set(near)
            yield at, Counted(count=(Test.EQUALS, 1.0), at=at.first, spans=spans)


def _of_cues(draft: Draft, root: Variable) -> dict[Span, Counted]:
    """Return "only one X", "several X", "the only X", and "single-sourced"."""
    found: dict[Span, Counted] = {}
    for cue in draft.cues("single", "plural"):
        if draft.sketch.words(cue.span.first - 1, cue.span.last) == ["and", "no", "other"]:
            continue
        if _counts_nothing(draft, cue.span) or denies_others(draft, root, cue.span):
            draft.used.add(cue.span)
            continue
        test = (Test.EQUALS, 1.0) if cue.kind == "single" else (Test.ABOVE, 1.0)
        counted = Counted(count=test, at=cue.span.first, spans=frozenset({cue.span}))
        at, said = _said_of(draft, root, cue, counted)
        if at is not None:
            found[at] = said
    for alone in _alone(draft, root):
        found[alone] = Counted(
            count=(Test.EQUALS, 1.0), at=alone.first, spans=frozenset({alone}), is_of_root=True
        )
    return found


def _said_of(
    draft: Draft, root: Variable, cue: Cue, counted: Counted
) -> tuple[Span | None, Counted]:
    """Return what a count is said of: a type that is named, what is asked for, or neither."""
    word = _counted_type(draft, cue.span)
    if cue.kind == "single" and _is_adjective(draft, cue.span, word):
        return cue.span, replace(counted, is_implied=True)
    if word is not None and word.type != root.type:
        return word.span, counted
    if word is not None or _is_the_only(draft, cue) or _is_said_of_root(draft, root, cue):
        return cue.span, replace(counted, is_of_root=True)
    is_single = cue.kind == "single"
    return (cue.span if is_single else None), replace(counted, is_implied=is_single)


def _is_adjective(draft: Draft, cue: Span, word: TypeWord | None) -> bool:
    """Whether "single-source" stands before what has one source alone."""
    is_sourced = draft.sketch.tokens[cue.last - 1].lower in {"source", "sourced"}
    return is_sourced and word is not None and word.span.first == cue.last


def _alone(draft: Draft, root: Variable) -> Iterator[Span]:
    """Give where what is asked for is said to do something with no other: "does it alone"."""
    for index, token in enumerate(draft.sketch.tokens):
        before = set(draft.sketch.words(index - 1, index))
        if token.lower == "alone" and (before & _IT or root.span.last == index):
            yield Span(first=index, last=index + 1)


def _is_said_of_root(draft: Draft, root: Variable, cue: Cue) -> bool:
    """Whether it is what is asked for that is the one: "who is sole source for"."""
    before = draft.sketch.words(root.span.last, cue.span.first)
    after = draft.sketch.words(cue.span.last, cue.span.last + _MAX_BETWEEN + 1)
    said = draft.sketch.words(cue.span.first, cue.span.last)
    is_sole = cue.kind == "single" and bool({"sole", "single"} & set(said))
    opens = set(before) <= BE | {"our", "we", "who", "that", "which", "a"}
    return is_sole and bool(before) and opens and bool(_SERVING & set(after))


def _counts_nothing(draft: Draft, cue: Span) -> bool:
    """Whether a cue stands for a thing ("no other one"), or strengthens ("every single one")."""
    is_thing = draft.sketch.words(cue.last, cue.last + 1) in (["one"], ["ones"])
    is_every = draft.sketch.words(cue.first - 1, cue.first) == ["every"]
    return is_thing or is_every or _is_denied(draft, cue)


def _is_denied(draft: Draft, cue: Span) -> bool:
    """Whether "a single" only strengthens a denial: "without a single", "don't stock a single"."""
    before = draft.sketch.words(cue.first - _FAR_DENIAL, cue.first)
    said = draft.sketch.words(cue.first - 1, cue.last)
    is_near = bool(set(before[-2:]) & _DENYING)
    return is_near or ("a" in said and "single" in said and bool(set(before) & _DENYING))


def _of_all(draft: Draft) -> Iterator[tuple[TypeWord, Counted]]:
    """Give "every X", "each of the X", "all of our X", where entities of a type are asked."""
    for word in draft.sketch.types:
        start = all_from(draft, word.span)
        if start is not None:
            spans = frozenset(c.span for c in draft.cues("rank") if c.span.first == start)
            count = (Test.AT_LEAST, 1.0)
            yield word, Counted(count=count, at=start, spans=spans, is_all=True)


def _of_comparisons(draft: Draft) -> Iterator[tuple[TypeWord, Counted]]:
    """Give "at least three X" and "more than two of the X"."""
    for cue in draft.cues("above", "below", "equal"):
        numbered = _numbered(draft, cue)
        if numbered:
            word, number, span = numbered
            count = (comparison(draft.sketch, cue), number)
            spans = frozenset({cue.span, span})
            yield word, Counted(count=count, at=cue.span.first, spans=spans)


def _of_numbers(draft: Draft) -> Iterator[tuple[TypeWord, Counted]]:
    """Give "in two X", "one X alone" and "one X and no other"."""
    for quantity in draft.sketch.question.quantities:
        word = draft.sketch.type_after(quantity.span.last, within=1)
        if (
            word is None
            or not _is_described(draft, quantity.span.last, word)
            or _is_told(draft, quantity.span)
        ):
            continue
        if draft.sketch.words(quantity.span.first - 1, quantity.span.first) == ["all"]:
            at, spans = quantity.span.first - 1, frozenset({quantity.span})
            yield word, Counted(count=(Test.AT_LEAST, 1.0), at=at, spans=spans, is_all=True)
            continue
        after = draft.sketch.words(word.span.last, word.span.last + 3)
        is_closed = after[:1] in (["and"], ["but"]) and after[1:2] in _NO_OTHER
        is_alone = bool({"alone", "only"} & set(after)) or is_closed
        is_alone = quantity.number == 1 and (is_alone or _hangs_on(draft, quantity.span))
        cues = (c for c in draft.sketch.question.cues if c.kind not in ASIDE)
        is_free = not any(gap(c.span, quantity.span) == 0 for c in cues)
        if is_alone or (is_free and quantity.number >= 2):
            test = Test.EQUALS if is_alone else Test.AT_LEAST
            denied = (c.span for c in draft.cues("negation") if is_closed)
            near = (s for s in denied if 0 <= s.first - word.span.last <= 1)
            spans = frozenset({quantity.span, *near})
            count = (test, quantity.number)
            yield word, Counted(count=count, at=quantity.span.first, spans=spans)


def _hangs_on(draft: Draft, one: Span) -> bool:
    """Whether "one" follows a word for resting on something: "hang on one maker"."""
    return any(c.span.last == one.first for c in draft.cues("impact", "upstream"))


def _is_described(draft: Draft, at: int, word: TypeWord) -> bool:
    """Whether only an adjective stands between a number and a type: "two long contracts"."""
    between = Span(first=at, last=word.span.first)
    sketch = draft.sketch
    verbs = [t.span for t in sketch.relations if t.score >= _SURE]
    things = verbs + [p.span for p in sketch.properties]
    things += [a.span for a in sketch.anchors] + [q.span for q in sketch.question.quantities]
    is_free = not sketch.is_parted(at - 1, word.span.first)
    words = general_words()
    said = sketch.words(at, word.span.first)
    is_small = any(w in words.stop or w in words.units or w in RELATING or w in BE for w in said)
    return is_free and not (is_small or any(between.overlaps(t) for t in things))


def _is_told(draft: Draft, span: Span) -> bool:
    """Whether a number is said of a property already."""
    return any(span in s.spans or span.overlaps(s.span) for s in draft.stated)


def _counted_type(draft: Draft, cue: Span) -> TypeWord | None:
    """Return the type right after a cue, or within it: "a sole supplier"."""
    for word in draft.sketch.types:
        if word.span.overlaps(cue):
            return word
        is_near = 0 <= word.span.first - cue.last <= _MAX_BETWEEN
        between = draft.sketch.words(cue.last, word.span.first)
        is_of_some = set(between) <= _PARTITIVE | PIECES
        is_joined = is_near and (
            is_of_some or not set(between) & {"on", "in", "at", "by", "from", "of", "for"}
        )
        does = any(cue.last <= r.span.first < word.span.first - 1 for r in draft.sketch.relations)
        is_joined = is_joined and (is_of_some or not does)
        if is_joined and not draft.sketch.is_parted(cue.first, word.span.first):
            return word
    return None


def _is_the_only(draft: Draft, cue: Cue) -> bool:
    """Whether "the only ..." is said of what is asked for."""
    said = draft.sketch.words(cue.span.first - 1, cue.span.last)
    return "the" in said and bool({"only", "sole", "single"} & set(said))


def _numbered(draft: Draft, cue: Cue) -> tuple[TypeWord, float, Span] | None:
    """Return the type that a number counts, with the number: "at least three suppliers"."""
    for quantity in draft.sketch.question.quantities:
        after = 0 <= quantity.span.first - cue.span.last <= 1
        trailing = 0 <= cue.span.first - quantity.span.last <= 0
        end = quantity.span.last if after else cue.span.last
        word = draft.sketch.type_after(end, within=3) if after or trailing else None
        between = set(draft.sketch.words(end, word.span.first)) if word else set()
        is_next = word is not None and (
            word.span.first - end <= 1 or between <= _PARTITIVE | PIECES
        )
        if word and is_next:
            return word, quantity.number, quantity.span
    return None

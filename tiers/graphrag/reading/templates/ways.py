"""Ways between two things: the shortest, how far apart, over some relations, by a number."""

from itertools import pairwise
from typing import Final

from tiers.graphrag.operators.answers import Form
from tiers.graphrag.operators.ways import shortest_path
from tiers.graphrag.plans.plan import Plan, Ref
from tiers.graphrag.reading.again import self_relations
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.listing import BE
from tiers.graphrag.reading.sketch import Anchor, Refusal
from tiers.graphrag.reading.templates.common import (
    counted_or_listed,
    finish,
    settled,
    starts_as_yes_no,
)
from tiers.graphrag.reading.templates.kept import kept_relations
from tiers.graphrag.reading.waywords import asks_way, way_over
from trivium.domain.evidence import Reason
from trivium.domain.question import Span
from trivium.language.text import stem
from trivium.language.words import general_words

_ONLY: Final = frozenset({"only", "solely", "just", "but", "purely", "alone"})
_NAMED: Final = 0.6
_LYING: Final = frozenset({"lies", "lie", "stands", "stand", "sits", "sit", "comes", "come", "is",
                           "are", "in", "located", "found"})  # fmt: skip
_LONGEST: Final = frozenset({"longest", "highest", "largest", "greatest", "biggest", "dearest"})
_LEGS: Final = frozenset({"legs", "hops", "stops", "steps", "links", "changes", "edges", "stages"})
_COMING: Final = frozenset(
    {"get", "gets", "reach", "reaches", "reached", "arrive", "arrives", "end", "ends", "come",
     "comes", "flow", "flows", "travel", "travels", "pass", "passes", "make", "makes"}
)  # fmt: skip
_WAY_WORDS: Final = frozenset({"way", "route", "path", "how", "which", "road", "chain", "through"})


def connection(draft: Draft) -> Plan | None:
    """Read a path between two things, or how far apart they are."""
    cues = draft.cues("path", "distance")
    is_noun = asks_way(draft.sketch)
    if starts_as_yes_no(draft):
        return None
    pair = settled(draft)
    if len(pair) != 2 or any(len(a.ids) != 1 for a in pair):
        return None
    is_way = bool(cues) and (draft.cues("distance") or _asks_for_way(draft, cues[0].span))
    is_way = is_way or is_noun or _asks_how_it_comes(draft, pair)
    if not is_way or _asks_number_between(draft, pair):
        return None
    _refuse_longest(draft)
    a, b = pair
    paths = _shortest(draft, pair)
    if draft.cues("distance") or _counts_fewest(draft):
        draft.plan.add("hops_of", paths=paths)
        return finish(draft, Form.NUMBER, "distance", f"hops between {a.label} and {b.label}")
    if any(0 <= p.span.first - c.span.last <= 2 for p in cues for c in draft.cues("count")):
        draft.plan.add("count_groups", groups=paths)
        said = f"how many shortest ways from {a.label} to {b.label}"
        return finish(draft, Form.NUMBER, "paths, counted", said)
    return finish(draft, Form.PATH, "path", f"the shortest ways from {a.label} to {b.label}")


def _asks_number_between(draft: Draft, pair: list[Anchor]) -> bool:
    """Whether a number of what joins two names is asked for: "what discount does X get from Y"."""
    words = draft.sketch.words(0, 2)
    relations = draft.sketch.schema.relation_types
    ends = {a.type for a in pair}
    return words[:1] == ["what"] and any(
        p.span.first == 1 and o in relations and any(set(e) == ends for e in relations[o].ends)
        for p in draft.sketch.properties
        for o in p.owners
    )


def _counts_fewest(draft: Draft) -> bool:
    """Whether it is asked how few links there are: "how many links are there at the fewest"."""
    words = set(draft.sketch.words(0, len(draft.sketch.tokens)))
    return bool(draft.cues("count") and draft.cues("least", "shortest") and words & _LEGS)


def _refuse_longest(draft: Draft) -> None:
    """Refuse the longest or dearest way: of ways that may go round, there is none.

    Raises:
        Refusal: the most is asked for, not the least.
    """
    said = draft.cue_words("most")
    if said & _LONGEST and not draft.cues("least", "shortest"):
        raise Refusal(Reason.NOT_IN_SCHEMA, "Only the shortest ways are computed.")


def _shortest(draft: Draft, pair: list[Anchor]) -> Ref:
    source, target = (a.ids[0] for a in pair)
    relations = _restricted(draft, pair)
    return draft.plan.add(
        "shortest_path",
        source=source,
        target=target,
        directed=_is_downstream(draft, source, target, relations),
        relations=relations,
        as_of=draft.when,
    )


def _is_downstream(draft: Draft, source: str, target: str, relations: tuple[str, ...]) -> bool:
    """Whether something is said to get from one thing to the other, and effects lead there."""
    if not _COMING & set(draft.sketch.words(0, len(draft.sketch.tokens))):
        return False
    scope = draft.scope.at(draft.when)
    found = shortest_path(scope, source=source, target=target, directed=True, relations=relations)
    return bool(found)


def between(draft: Draft) -> Plan | None:
    """Read "what lies between A and B": what the shortest ways pass, or those of the types."""
    sketch = draft.sketch
    pair = settled(draft)
    if len(pair) != 2 or any(len(a.ids) != 1 for a in pair) or starts_as_yes_no(draft):
        return None
    before = sketch.words(pair[0].span.first - 4, pair[0].span.first)
    is_between = "between" in before and "and" in sketch.words(
        pair[0].span.last, pair[1].span.first
    )
    if not is_between or not set(before) & _LYING or draft.cues("distance", "sum"):
        return None
    inside = draft.plan.add("passed_by", paths=_shortest(draft, pair))
    types = tuple(dict.fromkeys(t.type for t in sketch.types))
    if types:
        kinds = draft.union([draft.everything(t) for t in types])
        inside = draft.plan.add("combine", how="intersection", sets=(inside, kinds))
    said = f"what lies between {draft.names(pair)}"
    return counted_or_listed(draft, inside, "between", said)


def weighed(draft: Draft) -> Plan | None:
    """Read the best way by a number on the relations: "how many minutes is it from A to B"."""
    sketch = draft.sketch
    pair = settled(draft)
    if len(pair) != 2 or any(len(a.ids) != 1 for a in pair):
        return None
    before = set(sketch.words(pair[0].span.first - 3, pair[0].span.first))
    between = set(sketch.words(pair[0].span.last, pair[1].span.first))
    is_way = ("from" in before and "to" in between) or ("between" in before and "and" in between)
    words = sketch.words(0, len(sketch.tokens))
    asks_length = any(
        words[i : i + 2] in (["how", "long"], ["how", "far"]) for i in range(len(words))
    )
    is_asked = asks_length or draft.cues("count", "shortest", "path", "sum", "least", "distance")
    if not is_way or not is_asked or _counts_legs(words):
        return None
    measure = _length(draft, pair)
    if measure is None:
        return None
    _refuse_longest(draft)
    relation, name = measure
    draft.plan.add(
        "weighted_path",
        source=pair[0].ids[0],
        target=pair[1].ids[0],
        property=name,
        relations=(relation,),
        as_of=draft.when,
    )
    counted = {sketch.question.words(c.span).casefold() for c in draft.cues("count")}
    is_counted = bool(draft.cues("distance") or counted & {"how many", "how much", "number of"})
    is_number = asks_length or is_counted or _asks_least(words) or _asks_total(draft, name)
    form = Form.NUMBER if is_number else Form.PATH
    said = f"the way from {pair[0].label} to {pair[1].label} with the least {name}"
    return finish(draft, form, "weighed path", said)


def _asks_least(words: list[str]) -> bool:
    """Whether the least number itself is asked for: "what is the least distance"."""
    return words[:3] == ["what", "is", "the"] and "distance" in words


def _asks_total(draft: Draft, name: str) -> bool:
    """Whether the least of a number is asked for, and no way: "the lowest total latency"."""
    ways = _WAY_WORDS & set(draft.sketch.words(0, len(draft.sketch.tokens)))
    near = [p.span.first for p in draft.sketch.properties if p.name == name]
    least = [c.span.last for c in draft.cues("least")]
    return not ways and any(0 <= at - end <= 2 for at in near for end in least)


def _counts_legs(words: list[str]) -> bool:
    """Whether the way is the one with the fewest steps, whatever they measure."""
    return any(w == "fewest" and set(words[i + 1 : i + 3]) & _LEGS for i, w in enumerate(words))


def _length(draft: Draft, pair: list[Anchor]) -> tuple[str, str] | None:
    """Return the number that a way is measured by, and the relation that has it.

    The relation joins a type to itself, and leads to both ends.
    """
    sketch = draft.sketch
    types = {a.type for a in pair}
    own = {
        r.name
        for r in sketch.schema.relation_types.values()
        if types <= {end for ends in r.ends for end in ends} and any(s == t for s, t in r.ends)
    }
    said = frozenset(t.stem for t in sketch.tokens)
    units = general_words().units
    said |= {stem(units[t.lower]) for t in sketch.tokens if t.lower in units}
    if {"long", "far"} & said:
        said |= {stem("length"), stem("distance")}
    scored = [
        (sketch.glossary.overlap(owner, name, said), owner, name)
        for owner, name in sketch.glossary.numbers()
        if owner in own
    ]
    best = max(scored, default=(0.0, "", ""))
    return best[1:] if best[0] >= _NAMED else None


def _restricted(draft: Draft, pair: list[Anchor]) -> tuple[str, ...]:
    """Return the relations that a way may take, where the question names some for it."""
    sketch = draft.sketch
    named = [t for t in sketch.relations if t.score >= _NAMED and t.span.first > 0]
    is_alike = pair[0].type == pair[1].type
    own = self_relations(draft, pair[0].type) if is_alike else set()
    if is_alike and (_goes_by(draft, pair[0].type) or way_over(sketch) == pair[0].type):
        return tuple(sorted(own))
    kept = kept_relations(draft)
    only = [
        t
        for t in named
        if t.name in kept or _ONLY & set(sketch.words(t.span.first - 3, t.span.first))
    ]
    if not named and is_alike and _counts_legs(sketch.words(0, len(sketch.tokens))):
        return tuple(sorted(own))
    fitting = [t for t in named if t.name in own] or only
    best = max((t.score for t in fitting), default=0.0)
    return tuple(dict.fromkeys(t.name for t in fitting if t.score >= best - 1e-9))


def _goes_by(draft: Draft, node_type: str) -> bool:
    """Whether a way goes over one type alone: "from piste to piste", "piste by piste"."""
    for one, other in pairwise(t for t in draft.sketch.types if t.type == node_type):
        if draft.sketch.words(one.span.last, other.span.first) in (["to"], ["by"], ["after"]):
            return True
    return False


def _asks_how_it_comes(draft: Draft, pair: list[Anchor]) -> bool:
    """Whether it is asked by what way one thing comes to the other: "how does X get to Y"."""
    first, last = sorted((a.span for a in pair), key=lambda s: s.first)
    before = draft.sketch.words(0, first.first)
    between = draft.sketch.words(first.last, last.first)
    opens = any(before[i : i + 1] == ["how"] and before[i + 1 : i + 2] for i in range(len(before)))
    is_plain = not set(before) & {"many", "much", "long", "far", "often"}
    return opens and is_plain and bool(_COMING & set(between))


def _asks_for_way(draft: Draft, cue: Span) -> bool:
    """Whether the way itself is asked for, not a type: no "which TYPE" stands in the question."""
    sketch = draft.sketch
    focus = sketch.focus
    if focus is None or focus.span.overlaps(cue):
        return True
    words = sketch.words(0, focus.span.first)
    asks = {"which", "what", "who", "list", "name"} & set(words[-3:])
    is_many = words[-2:] == ["how", "many"]
    return not (asks or is_many or (words and words[0] in BE and focus.span.first <= 3))

"""Two things side by side: compared, or apart."""

from collections import Counter
from dataclasses import replace
from typing import Final

from tiers.graphrag.operators.answers import Form
from tiers.graphrag.operators.traversal import Hop
from tiers.graphrag.plans.plan import Plan, Ref
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.growing import grow
from tiers.graphrag.reading.listing import AUXILIARIES, BE
from tiers.graphrag.reading.measuring import Measure, named_numbers, numbers_in_unit
from tiers.graphrag.reading.members import resolve
from tiers.graphrag.reading.sketch import Anchor
from tiers.graphrag.reading.templates.common import counts_type, finish, settled, starts_as_yes_no
from tiers.graphrag.reading.templates.focus import asked_type
from tiers.graphrag.reading.tree import Branch

_SURE: Final = 0.9
_MUCH: Final = frozenset({"much", "many"})


def compare(draft: Draft) -> Plan | None:
    """Read a comparison of two things, over all they rest on or over what is named."""
    pair = _two_of_type(draft)
    if len(pair) != 2 or not all(len(a.ids) == 1 for a in pair) or pair[0].type != pair[1].type:
        return None
    types = tuple(dict.fromkeys(t.type for t in draft.sketch.types if t.type != pair[0].type))
    plan = _of_choice(draft, pair, types)
    if plan or not _is_side_by_side(draft):
        return plan
    if types:
        _along(draft, pair, types)
        return finish(draft, Form.COMPARISON, "compare", f"{_names(pair)}: {', '.join(types)}")
    a, b = pair[0].ids[0], pair[1].ids[0]
    hop = _named_step(draft, pair[0].type)
    if hop and hop.to_type:
        draft.plan.add(
            "compare_along", a=a, b=b, types=(hop.to_type,), paths=((hop,),), as_of=draft.when
        )
        return finish(draft, Form.COMPARISON, "compare", f"{_names(pair)}: {hop.relation}")
    draft.plan.add("subgraph_diff", a=a, b=b, types=(), as_of=draft.when)
    what = "all that they rest on and that rests on them"
    return finish(draft, Form.COMPARISON, "compare", f"{_names(pair)}: {what}")


def _of_choice(draft: Draft, pair: list[Anchor], types: tuple[str, ...]) -> Plan | None:
    """Compare by numbers, where two things are offered for a choice, or say how far apart."""
    if draft.cues("path", "distance") and not draft.cues("compare", "shared"):
        return None
    apart = _apart(draft, pair)
    if apart or not _is_choice(draft, pair):
        return apart
    if types and draft.cues("compare", "rank", "count"):
        plan = _by_several(draft, pair, types)
        if plan:
            return plan
    if not _weighs(draft, "sum") or draft.cues("unique") or counts_type(draft):
        return None
    return _numbers(draft, pair) or _sizes(draft, pair)


def _is_side_by_side(draft: Draft) -> bool:
    """Whether two things are to be compared as such: "X against Y", "how many has each"."""
    sketch = draft.sketch
    is_each = bool({"each", "respectively"} & set(sketch.words(0, 99))) and counts_type(draft)
    shared = [c for c in draft.cues("shared") if sketch.question.words(c.span).casefold() != "both"]
    is_alike = not sketch.types and bool(shared) and not starts_as_yes_no(draft)
    if draft.cues("removal") and draft.cues("negation", "left_without", "hypothetical"):
        return False
    return bool(draft.cues("compare")) or is_each or is_alike


def _two_of_type(draft: Draft) -> list[Anchor]:
    """Return the things side by side: all that is named, or the two of one type.

    "Which of the two ...", "how many more hours has X on Z than Y".
    """
    found = settled(draft)
    focus = draft.sketch.focus
    words = draft.sketch.words(0, len(draft.sketch.tokens))
    of_two = any(
        w == "two" and words[max(0, i - 2) : i] == ["of", "the"] for i, w in enumerate(words)
    )
    if focus and of_two and len(found) > 2:
        return [a for a in found if a.type == focus.type]
    if "than" in words and len(found) > 2:
        n_alike = Counter(a.type for a in found)
        two = [a for a in found if n_alike[a.type] == 2]
        return two if len(two) == 2 else found
    return found


def _named_step(draft: Draft, node_type: str) -> Hop | None:
    """Return the step of a relation that alone says what is compared: "their dependencies"."""
    named = {t.name for t in draft.sketch.relations if t.score >= _SURE}
    steps = [h for _, h, _ in draft.sketch.paths.hops_from(node_type) if h.relation in named]
    step = next((h for h in steps if h.outgoing), steps[0] if steps else None)
    if step and step.to_type == node_type and draft.cues("closure"):
        return replace(step, repeat="+")
    return step


def _names(pair: list[Anchor]) -> str:
    return f"{pair[0].label} against {pair[1].label}"


def _is_choice(draft: Draft, pair: list[Anchor]) -> bool:
    """Whether the two are offered for a choice: "X or Y", "than", "versus"."""
    between = set(draft.sketch.words(pair[0].span.last, pair[1].span.first))
    if "and" in between and not _weighs(draft):
        return False  # "add up those of X and Y"
    return bool(between & {"or", "than", "and", "versus", "vs", "against", "with", "to"}) or bool(
        draft.cues("compare")
    )


def _weighs(draft: Draft, *others: str) -> bool:
    """Whether one is held against another: "more than" before a number only bounds that."""
    bounding = draft.cues("above", "below")
    numbers = {q.span.first for q in draft.sketch.question.quantities}
    if any(c.span.last not in numbers for c in bounding):
        return True
    return bool(draft.cues("most", "least", "average", "compare", "comparative", *others))


def _apart(draft: Draft, pair: list[Anchor]) -> Plan | None:
    """Read by how much two things differ: "by how many metres is A higher than B"."""
    words = draft.sketch.words(0, len(draft.sketch.tokens))
    starts = [i for i, w in enumerate(words[:-1]) if w == "how" and words[i + 1] in _MUCH]
    compared = {c.span.first for c in draft.cues("comparative", "above", "below")}
    compared |= {c.span.last - 1 for c in draft.cues("difference")}
    is_asked = any(
        words[i - 1 : i] == ["by"] or (i + 2 in compared and "than" in words) for i in starts
    )
    if not is_asked or not compared:
        return None
    counted = next((t for i in starts if (t := draft.sketch.type_after(i + 3, within=3))), None)
    nodes = draft.plan.add("find_nodes", ids=(pair[0].ids[0], pair[1].ids[0]))
    if counted is not None and counted.type != pair[0].type:
        draft.plan.add("spread", scores=_number_of(draft, pair, nodes, counted.type))
        said = f"how many more {counted.type} one has than the other: {_names(pair)}"
        return finish(draft, Form.NUMBER, "difference of two", said)
    in_unit = [m for i in starts for m in numbers_in_unit(draft, pair[0].type, i + 2)]
    for measure in (*in_unit, *named_numbers(draft, pair[0].type)):
        scores = measure.scores(draft, nodes, "sum", without=pair)
        if scores is not None:
            draft.plan.add("spread", scores=scores)
            said = f"by how much {measure.name} differs: {_names(pair)}"
            return finish(draft, Form.NUMBER, "difference of two", said)
    return None


def _number_of(draft: Draft, pair: list[Anchor], nodes: Ref, node_type: str) -> Ref:
    """Return how many of a type each of two things has, within what is said of these."""
    branch = _branch_to(draft, pair, node_type)
    within = None if branch.child.is_bare else resolve(draft, branch.child)
    path = draft.hops(branch.path)
    return draft.plan.add("count_edges", nodes=nodes, path=path, within=within, as_of=draft.when)


def _by_several(draft: Draft, pair: list[Anchor], types: tuple[str, ...]) -> Plan | None:
    """Compare by numbers and by what belongs to each, both named: "price, and parts of each"."""
    found = []
    nodes = draft.plan.add("find_nodes", ids=(pair[0].ids[0], pair[1].ids[0]))
    for measure in _own_numbers(draft, pair):
        scores = measure.scores(draft, nodes, "sum", without=pair)
        if scores is not None:
            found.append((measure.name, scores))
    if not found:
        return None
    a, b = pair[0].ids[0], pair[1].ids[0]
    sides = [
        draft.plan.add("compare_values", a=a, b=b, name=name, scores=scores)
        for name, scores in found
    ]
    sides.append(_along(draft, pair, types))
    draft.plan.add("merge_comparisons", comparisons=tuple(sides))
    said = f"{_names(pair)}: {', '.join([*types, *(name for name, _ in found)])}"
    return finish(draft, Form.COMPARISON, "compare by several", said)


def _own_numbers(draft: Draft, pair: list[Anchor]) -> list[Measure]:
    """Return the numbers that a question names beside the types, in a clause of their own."""
    sketch = draft.sketch
    typed = [t.span for t in sketch.types]
    found: dict[str, Measure] = {}
    for measure in named_numbers(draft, pair[0].type):
        span = measure.span
        is_apart = all(
            sketch.is_parted(*sorted((span.first, t.first)))
            or "and" in sketch.words(min(span.last, t.last), max(span.first, t.first))
            for t in typed
        )
        is_taken = any(span.overlaps(m.span) for m in found.values())
        is_told = not span and not found and bool(draft.cues("compare")) and not counts_type(draft)
        is_named = bool(span) and not any(a.span.overlaps(span) for a in pair)
        if is_told or (is_named and is_apart and not is_taken and measure.holder is None):
            found.setdefault(measure.name, measure)
    return list(found.values())


def _along(draft: Draft, pair: list[Anchor], types: tuple[str, ...]) -> Ref:
    """Compare what the named types' ways lead to, narrowed by what is said of each."""
    paths, sets = [], []
    for node_type in types:
        branch = _branch_to(draft, pair, node_type)
        paths.append(draft.hops(branch.path))
        sets.append(None if branch.child.is_bare else resolve(draft, branch.child))
    within: tuple[Ref | None, ...] = tuple(sets) if any(sets) else ()
    return draft.plan.add(
        "compare_along",
        a=pair[0].ids[0],
        b=pair[1].ids[0],
        types=types,
        paths=tuple(paths),
        within=within,
        as_of=draft.when,
    )


def _branch_to(draft: Draft, pair: list[Anchor], node_type: str) -> Branch:
    """Return how a type hangs on what is compared, with all that is said of it."""
    tree = grow(draft, pair[0].type, without=pair)
    word = next(t for t in draft.sketch.types if t.type == node_type)
    found = next((b.path for b in tree.branches if b.child.type == node_type), None)
    child = tree.take(word.span)
    path = found or draft.path(pair[0].type, node_type)
    if child is None:
        child = grow(draft, node_type, without=pair)
        child.branches.clear()
    return Branch(child=child, path=path, span=word.span)


def _numbers(draft: Draft, pair: list[Anchor]) -> Plan | None:
    """Compare one number: their own, of their relations, or of what they lead to."""
    for measure in named_numbers(draft, pair[0].type):
        how = "mean" if draft.cues("average") else "sum"
        nodes = draft.plan.add("find_nodes", ids=(pair[0].ids[0], pair[1].ids[0]))
        scores = measure.scores(draft, nodes, how, without=pair)
        if scores is None:
            continue
        shown = _shown(draft, measure)
        draft.plan.add(
            "compare_values", a=pair[0].ids[0], b=pair[1].ids[0], name=shown, scores=scores
        )
        return finish(draft, Form.COMPARISON, "compare values", f"{shown}: {_names(pair)}")
    return None


def _shown(draft: Draft, measure: Measure) -> str:
    return f"average_{measure.name}" if draft.cues("average") else measure.name


def _sizes(draft: Draft, pair: list[Anchor]) -> Plan | None:
    """Compare how many of one type each of two things has: "who has more suppliers, A or B"."""
    types = tuple(dict.fromkeys(t.type for t in draft.sketch.types if t.type != pair[0].type))
    is_which = draft.cues("above", "below", "most", "least", "comparative")
    if draft.cues("compare") or not is_which:
        return None
    hop = _named_step(draft, pair[0].type) if not types else None
    if hop is not None and hop.to_type:
        draft.plan.add(
            "compare_along", a=pair[0].ids[0], b=pair[1].ids[0], types=(hop.to_type,),
            paths=((hop,),), as_of=draft.when,
        )  # fmt: skip
        return finish(draft, Form.COMPARISON, "compare", f"{_names(pair)}: {hop.relation}")
    if not types:
        return None
    _along(draft, pair, types)
    return finish(draft, Form.COMPARISON, "compare", f"{_names(pair)}: {', '.join(types)}")


def _lacks(draft: Draft, pair: list[Anchor]) -> bool:
    """Whether the second thing is said to lack it: "that X doesn't"."""
    words = draft.sketch.words(pair[1].span.last, pair[1].span.last + 2)
    is_not = bool(words) and (words[0].endswith(("n't", "n")) or words[0] in {"lacks", "lack"})
    is_not = is_not or (words[1:] == ["not"] and words[0] in AUXILIARIES | BE)
    before = draft.sketch.words(pair[1].span.first - 2, pair[1].span.first)
    return is_not and "that" in before


def difference(draft: Draft) -> Plan | None:
    """Read "what A has that B does not"."""
    pair = settled(draft)
    is_asked = len(pair) == 2 and bool(draft.cues("unique") or _lacks(draft, pair))
    focus = asked_type(draft) if is_asked else None
    if focus is None or draft.cues("compare"):
        return None
    if pair[0].type != pair[1].type or pair[0].type == focus:
        return None
    sets = []
    for anchor in pair:
        other = [a for a in pair if a is not anchor]
        tree = grow(draft, focus, without=other)
        for _, branch in tree.all_branches():
            branch.is_negated = False
        sets.append(resolve(draft, tree))
    draft.plan.add("combine", how="difference", sets=tuple(sets))
    said = f"{focus} of {pair[0].label} and not of {pair[1].label}"
    return finish(draft, Form.NODES, "difference", said)

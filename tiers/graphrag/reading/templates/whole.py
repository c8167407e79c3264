"""Questions about the graph as a whole: its mean degree, its width, its pieces without something.

And about all links of one thing: how many it has, how many others it touches.
"""

from typing import Final

from tiers.graphrag.operators.answers import Form
from tiers.graphrag.plans.plan import Plan
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.templates.common import finish, settled
from tiers.graphrag.reading.templates.kept import excepted_types, kept_relations, side_of

_TIED: Final = frozenset({"tied", "linked", "connected", "joined", "attached", "related", "tie"})
_LINKS: Final = frozenset(
    {"link", "links", "relation", "relations", "edge", "edges", "connection", "connections",
     "degree", "ties"}
)  # fmt: skip
_THINGS: Final = frozenset(
    {"entities", "nodes", "things", "records", "vertices", "neighbours", "neighbors", "objects"}
)


def whole_graph(draft: Draft) -> Plan | None:
    """Read a question about the whole graph, or about all links of one thing."""
    for read in (_width, _mean_links, _pieces_without, _cut_off, _links_of):
        plan = read(draft)
        if plan:
            return plan
    return None


def _width(draft: Draft) -> Plan | None:
    """Read "how many steps apart are the two most distant nodes"."""
    if draft.sketch.anchors or not draft.cues("diameter"):
        return None
    draft.plan.add(
        "diameter",
        without=excepted_types(draft),
        relations=kept_relations(draft),
        as_of=draft.when,
    )
    return finish(draft, Form.NUMBER, "diameter", "steps between the two farthest apart")


def _mean_links(draft: Draft) -> Plan | None:
    """Read "how many links does a node have on average"."""
    sketch = draft.sketch
    words = set(sketch.words(0, len(sketch.tokens)))
    left_out = excepted_types(draft)
    types = {t.type for t in sketch.types} - set(left_out)
    is_asked = draft.cues("average") and words & _LINKS and not sketch.anchors
    if not is_asked or len(types) > 1:
        return None
    if not types and not words & (_SINGLE_THINGS | _THINGS | {"graph", "network", "degree"}):
        return None
    scores = draft.plan.add(
        "degree",
        type=next(iter(types), None),
        without=left_out,
        relations=kept_relations(draft),
        side=side_of(draft),
        as_of=draft.when,
    )
    draft.plan.add("reduce_scores", scores=scores, how="mean")
    return finish(draft, Form.NUMBER, "mean degree", "how many links one has on average")


_SINGLE_THINGS: Final = frozenset({"node", "entity", "thing", "record", "vertex", "object"})


def _pieces_without(draft: Draft) -> Plan | None:
    """Read "into how many pieces would the rest fall without X"."""
    found = settled(draft)
    is_gone = draft.cues("removal", "hypothetical", "negation", "exception")
    if not (found and is_gone and draft.cues("components") and draft.cues("count")):
        return None
    focus = draft.sketch.focus
    is_other = focus and not any(c.span.overlaps(focus.span) for c in draft.cues("components"))
    if any(len(a.ids) != 1 for a in found) or is_other:
        return None
    gone = tuple(a.ids[0] for a in found)
    groups = draft.plan.add(
        "connected_components",
        without=excepted_types(draft),
        relations=kept_relations(draft),
        removed=gone,
        as_of=draft.when,
    )
    draft.plan.add("count_groups", groups=groups)
    return finish(draft, Form.NUMBER, "pieces", f"pieces without {draft.names(found)}")


def _cut_off(draft: Draft) -> Plan | None:
    """Read "take X out: which nodes are cut off from the rest": all but the largest piece."""
    found = settled(draft)
    words = set(draft.sketch.words(0, len(draft.sketch.tokens)))
    is_gone = draft.cues("removal", "hypothetical") or {"take", "out"} <= words
    is_asked = found and is_gone and draft.cues("components") and not draft.cues("count")
    if not is_asked or any(len(a.ids) != 1 for a in found):
        return None
    groups = draft.plan.add(
        "connected_components",
        without=excepted_types(draft),
        relations=kept_relations(draft),
        removed=tuple(a.ids[0] for a in found),
        as_of=draft.when,
    )
    rest = draft.plan.add("first_groups", groups=groups, largest=False)
    focus = draft.sketch.focus
    if focus is not None and not any(c.span.overlaps(focus.span) for c in draft.cues("components")):
        sets = (rest, draft.everything(focus.type))
        draft.plan.add("combine", how="intersection", sets=sets)
    said = f"what is cut off from the rest without {draft.names(found)}"
    return finish(draft, Form.NODES, "cut off", said)


def _links_of(draft: Draft) -> Plan | None:
    """Read "how many links does X have", "how many entities is X tied to"."""
    sketch = draft.sketch
    found = settled(draft)
    words = set(sketch.words(0, len(sketch.tokens)))
    is_one = len(found) == 1 and len(found[0].ids) == 1 and not sketch.types
    is_counted = bool(draft.cues("count")) or "degree" in words
    if not (is_one and is_counted) or draft.cues("removal", "impact"):
        return None
    thing = found[0]
    if words & _THINGS and (words & _TIED or draft.cues("degree")):
        start = draft.plan.add("find_nodes", ids=thing.ids)
        near = draft.plan.add("get_neighbors", nodes=start, as_of=draft.when)
        draft.plan.add("count_nodes", nodes=near)
        return finish(draft, Form.NUMBER, "neighbours", f"how many {thing.label} is tied to")
    if not words & _LINKS or sketch.relations:
        return None
    start = draft.plan.add("find_nodes", ids=thing.ids)
    scores = draft.plan.add("degree", nodes=start, side=side_of(draft), as_of=draft.when)
    draft.plan.add("reduce_scores", scores=scores, how="sum")
    return finish(draft, Form.NUMBER, "degree", f"how many links {thing.label} has")

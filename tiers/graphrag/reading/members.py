"""From the tree of a question to the steps that compute the entities it asks for."""

from collections.abc import Iterable

from tiers.graphrag.operators.conditions import Test
from tiers.graphrag.plans.plan import Ref
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.growing import grow
from tiers.graphrag.reading.sketch import Anchor
from tiers.graphrag.reading.tree import Branch, Variable, said


def members(draft: Draft, focus: str, *, without: Iterable[Anchor] = ()) -> Ref:
    """Return the entities of ``focus`` that meet all that the question says of them."""
    tree = grow(draft, focus, without=without)
    draft.said.append(said(tree))
    return resolve(draft, tree)


def resolve(draft: Draft, variable: Variable) -> Ref:
    """Return the entities that a variable stands for."""
    if variable.anchor:
        return draft.anchor_set(variable.anchor)
    positive = _offered(draft, variable)
    negative = [_set_of(draft, variable, b) for b in variable.branches if b.is_negated]
    where = tuple(variable.conditions)
    if variable.is_open:
        positive.insert(0, draft.plan.add("open_events", types=(variable.type,), as_of=draft.when))
    if where or not positive:
        positive.insert(0, draft.everything(variable.type, where))
    negative += [draft.anchor_set(anchor) for anchor in variable.excluded]
    result = positive[0]
    if len(positive) > 1:
        result = draft.plan.add("combine", how="intersection", sets=tuple(positive))
    if negative:
        result = draft.plan.add("combine", how="difference", sets=(result, *negative))
    for bound in variable.bounds:
        result = bound.narrow(draft, result)
    return result


def _offered(draft: Draft, variable: Variable) -> list[Ref]:
    """Return the sets that the branches let in; those of which one is enough as one set."""
    found: list[Ref] = []
    for branch in (b for b in variable.branches if not b.is_negated):
        own = _set_of(draft, variable, branch)
        if not (branch.is_or and found):
            found.append(own)
            continue
        other = found.pop()
        either = draft.union([other, own])
        if branch.is_either:
            both = draft.plan.add("combine", how="intersection", sets=(other, own))
            either = draft.plan.add("combine", how="difference", sets=(either, both))
        found.append(either)
    return found


def _set_of(draft: Draft, head: Variable, branch: Branch) -> Ref:
    """Return the entities of the head's type that a branch lets in."""
    if branch.count is None:
        start = resolve(draft, branch.child)
        ways = [draft.lead(start, path.back()) for path in (branch.path, *branch.others)]
        reached = draft.union(ways)
        if branch.is_only:
            others = draft.plan.add(
                "set_complement", type=branch.child.type, nodes=start, as_of=draft.when
            )
            sets = (reached, draft.lead(others, branch.path.back()))
            return draft.plan.add("combine", how="difference", sets=sets)
        if branch.path.types[-1] == head.type and any(h.repeat == "+" for h in branch.path.hops):
            return draft.plan.add("combine", how="difference", sets=(reached, start))
        return reached
    test, value = branch.count
    within = None if branch.child.is_bare else resolve(draft, branch.child)
    nodes = draft.everything(head.type, tuple(head.conditions))
    scores = draft.plan.add(
        "count_edges",
        nodes=nodes,
        path=draft.hops(branch.path),
        within=within,
        as_of=draft.when,
    )
    if branch.is_all:
        every = within or draft.everything(branch.child.type)
        number = draft.plan.add("count_nodes", nodes=every)
        scores = draft.plan.add("rank_scores", scores=scores, above=0.0)
        return draft.plan.add("select", scores=scores, test=Test.AT_LEAST, value=number)
    return draft.plan.add("select", scores=scores, test=test, value=value)

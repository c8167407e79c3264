"""Grows the tree of a question: what is named hangs, in the order of the text, on what fits best.

Each thing named (a type, a name, a value) is hung on one of the things still open before it: the
type asked for, or what was hung last and what that hangs on. A short way in the schema, the words
of relations between the two, and nearness in the text decide.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from tiers.graphrag.operators.conditions import Test
from tiers.graphrag.reading.again import names_somebody, self_relations
from tiers.graphrag.reading.amending import bind, leave_out_itself, offer, tell_of_the_one
from tiers.graphrag.reading.belonging import comes_from, leads, opens_clause, pair, said_in_clause
from tiers.graphrag.reading.counting import Counted, counted_words
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.faults import imply_faults
from tiers.graphrag.reading.implying import (
    STRONG,
    imply_asked,
    imply_counts,
    imply_lacks,
    imply_relations,
    imply_sharing,
)
from tiers.graphrag.reading.items import Item, named_items
from tiers.graphrag.reading.negating import negate
from tiers.graphrag.reading.owncount import count_own
from tiers.graphrag.reading.paths import TypedPath
from tiers.graphrag.reading.placing import place
from tiers.graphrag.reading.sketch import Anchor, Refusal
from tiers.graphrag.reading.supporting import supported
from tiers.graphrag.reading.tree import Branch, Variable
from tiers.graphrag.reading.universals import all_from
from tiers.graphrag.reading.voice import (
    directed,
    disagrees,
    felt,
    is_mutual,
    repeated,
    spread,
    turned,
)
from trivium.domain.evidence import Reason
from trivium.domain.question import Span

_BETWEEN_GAIN: Final = 0.7
"""For a relation named between the two things that it joins."""
_AFTER_GAIN: Final = 0.65
"""For a relation named just after the second: "that X uses"."""
_ELSEWHERE_GAIN: Final = 0.3
_DEPTH_COST: Final = 0.3
"""For each open thing passed over; measured by ``bench.reading``, 0.2 to 0.45 are alike."""
_COORDINATED_COST: Final = 0.6
"""For hanging a thing on what stands before an "and"; it is rather said of what that hangs on."""
_SAME_TYPE_COST: Final = 1.6
"""For hanging a name on its own type without a relation: "is X a Y"."""
_HUG_GAIN: Final = 1.0
"""For hanging a thing on the type that it stands right before: "X's parts"."""
_NOUN_GAIN: Final = 0.3
"""For hanging a thing on the noun right before it: "a permit on equipment"."""
_CLAUSE_GAIN: Final = 0.6
"""For hanging a name on the type whose clause it opens: "the gate that X uses"."""
_FROM_GAIN: Final = 1.2
"""For hanging a name on the noun that comes from there: "parts from X"."""
_DISAGREEING_COST: Final = 1.0
"""For hanging a thing on a noun that its verb is not said of: "at a house get no money"."""
_LEADING_ON: Final = frozenset({"from", "of", "in", "at", "across", "through", "to", "on", "by"})
"""Words between a plural and what is counted beyond it: "matters in more than one court"."""
_RETURNING_COST: Final = 0.5
"""For going on from a thing by what led to it."""
_MAX_BARE_HOPS: Final = 2
"""A type of which nothing is said tells nothing when it is farther away."""


def grow(
    draft: Draft, focus: str, *, without: Iterable[Anchor] = (), is_all: bool = False
) -> Variable:
    """Return the tree of what the question says of the type ``focus``.

    Args:
        draft: the draft that the tree is for.
        focus: the type asked for.
        without: anchors that the caller reads himself.
        is_all: whether the tree is all that the question says, so that a relation which it
            names must tell something.
    """
    plain = [t for t in draft.sketch.types if not (t.relation or names_somebody(draft, t))]
    named = [t for t in (*draft.sketch.wanted, *plain) if t.type == focus]
    root = Variable(type=focus, span=named[0].span if named else Span(first=0, last=0))
    skipped = {a.span for a in without} | draft.used
    counts = counted_words(draft, root)
    items = named_items(draft, root, skipped, counts)
    place(draft, root, items, skipped)
    pair(draft, items)
    _Grower(draft, root, items).hang_all()
    tell_of_the_one(draft, root)
    offer(draft, root)
    bind(draft, root)
    imply_counts(draft, root, counts.values())
    if not draft.sketch.anchors:
        imply_sharing(draft, root)
    imply_relations(draft, root)
    imply_faults(draft, root)
    imply_lacks(draft, root)
    negate(draft, root)
    if is_all and root.is_bare:
        imply_asked(draft, root)
        negate(draft, root)
    count_own(draft, root)
    leave_out_itself(draft, root)
    return root


@dataclass(slots=True)
class _Grower:
    """Hangs items; the frontier is what the next one may hang on, outermost first."""

    draft: Draft
    root: Variable
    items: list[Item]
    frontier: list[Variable] = field(default_factory=list)

    def hang_all(self) -> None:
        """Hang every item; what hugs the next one comes after it."""
        self.frontier = [self.root]
        held: list[Item] = []
        for item in self.items:
            if item.hugs is not None:
                held.append(item)
                continue
            for next_item in (item, *reversed(held)):
                self._hang(next_item)
            held = []

    def _hang(self, item: Item) -> None:
        if item.is_again:
            self._count_again(item)
            self._go_back_to(item.variable)
            return
        options = [
            (cost, index, path)
            for index, head in enumerate(self.frontier)
            for cost, path in self._ways(head, item, len(self.frontier) - 1 - index)
        ]
        if not options and not item.variable.is_bare:
            raise Refusal(
                Reason.NOT_IN_SCHEMA,
                f"No relation of the schema joins {self.root.type} to {item.variable.type}.",
            )
        if options:
            _, index, path = min(options, key=lambda o: (round(o[0], 6), -o[1]))
            self._branch(item, index, path)

    def _count_again(self, item: Item) -> None:
        """Count what was hung before: "have all their work done at a single plant"."""
        hung = (b for _, b in self.root.all_branches() if b.child is item.variable)
        branch = next(hung, None)
        counted = item.counted
        if branch is not None and counted and not (counted.is_all or branch.count):
            branch.count = counted.count
            self.draft.used |= counted.spans

    def _go_back_to(self, variable: Variable) -> None:
        if variable in self.frontier:
            del self.frontier[self.frontier.index(variable) + 1 :]

    def _branch(self, item: Item, index: int, path: TypedPath) -> None:
        variable, counted = item.variable, item.counted
        if variable.is_bare and counted is None and len(path.hops) > _MAX_BARE_HOPS:
            return
        branch = Branch(child=variable, path=path, span=variable.span, is_negated=item.is_negated)
        if self._is_fault(variable) and len(path.hops) > 1 and not self._names_way(path):
            branch.others = self.draft.sketch.paths.likewise(path)
        is_told = bool(variable.conditions or (variable.anchor and variable.anchor.conditions))
        if counted is None and is_told and all_from(self.draft, variable.span) is not None:
            branch.count, branch.is_all = (Test.AT_LEAST, 1.0), True  # "every pool"
        if is_mutual(self.draft.sketch, path):
            branch.others = (*branch.others, turned(path))
        if counted:
            branch.count, branch.is_all = counted.count, counted.is_all
            self.draft.used |= counted.spans
            if self._passes_on(self.frontier[index], counted):
                self._lift(branch, index)
                return
        self.frontier[index].branches.append(branch)
        del self.frontier[index + 1 :]
        if variable.anchor is None or variable.anchor.conditions:
            self.frontier.append(variable)

    def _passes_on(self, head: Variable, counted: Counted) -> bool:
        """Whether a plural only leads to what is counted: "parts from two or more suppliers"."""
        words = self.draft.sketch.words(head.span.last, counted.at)
        own = {t.span: t for t in self.draft.sketch.types}.get(head.span)
        is_plural = own is not None and not own.is_singular
        is_led = len(words) == 1 and words[0] in _LEADING_ON
        return head is not self.root and head.is_bare and is_plural and is_led

    def _lift(self, branch: Branch, index: int) -> None:
        """Hang a count of what lies beyond a plural on what that hangs on."""
        head = self.frontier[index]
        for host, own in list(self.root.all_branches()):
            if own.child is head:
                path = replace(
                    own.path,
                    hops=own.path.hops + branch.path.hops,
                    types=own.path.types + branch.path.types[1:],
                )
                host.branches[host.branches.index(own)] = replace(branch, path=path)
        del self.frontier[index:]
        if branch.child.anchor is None:
            self.frontier.append(branch.child)

    def _ways(self, head: Variable, item: Item, depth: int) -> Iterator[tuple[float, TypedPath]]:
        """Give the way to hang an item on a head, with its cost, where there is one."""
        variable = item.variable
        extra = _DEPTH_COST * depth + self._parted_by_and(head, variable)
        extra -= _HUG_GAIN if item.hugs is not None and item.hugs.variable is head else 0.0
        if opens_clause(self.draft.sketch, head, variable):
            extra -= _FROM_GAIN if comes_from(self.draft.sketch, variable) else _CLAUSE_GAIN
        extra += _DISAGREEING_COST if disagrees(self.draft.sketch, head.span) else 0.0
        is_same = head.type == variable.type and variable.anchor is not None
        if is_same and not self._names_own(head):
            yield _SAME_TYPE_COST + extra, TypedPath(hops=(), types=(head.type,), cost=0)
            return
        gains = self._gains(head.span, variable.span)
        spent = {h.relation for p in self._leading_to(head) for h in p.hops}
        gains = {r: gain for r, gain in gains.items() if r not in spent or gain >= _AFTER_GAIN / 2}
        path = self.draft.way(head.type, variable.type, gains=gains)
        if path is not None:
            path = supported(self.draft, path, head, variable)
            sketch, is_last = self.draft.sketch, head is self.frontier[-1]
            extra -= _NOUN_GAIN if len(path.hops) == 1 and leads(sketch, head, variable) else 0.0
            extra -= _CLAUSE_GAIN if is_last and said_in_clause(sketch, head, path) else 0.0
            extra += _RETURNING_COST if self._returns(head, path) else 0.0
            yield path.cost + extra, self._shaped(path, variable)

    def _returns(self, head: Variable, path: TypedPath) -> bool:
        """Whether a longer way first goes back along that on which its head hangs."""
        led = (p.back().hops[0] for p in self._leading_to(head))
        return len(path.hops) > 1 and path.hops[0] in led

    def _leading_to(self, head: Variable) -> list[TypedPath]:
        """Return the ways on which a thing hangs."""
        return [b.path for _, b in self.root.all_branches() if b.child is head and b.path.hops]

    def _names_own(self, head: Variable) -> bool:
        """Whether a type has a relation with itself, which an unnamed type must name too."""
        own = self_relations(self.draft, head.type)
        named = {t.name for t in self.draft.sketch.relations}
        return bool(own & named) if not head.span else bool(own)

    def _parted_by_and(self, head: Variable, variable: Variable) -> float:
        """Return the cost of an "and" between the last thing hung and the next one."""
        if head is self.root or head is not self.frontier[-1] or not head.span:
            return 0.0
        between = self.draft.sketch.words(head.span.last, variable.span.first)
        return _COORDINATED_COST if set(between) & {"and", "but"} else 0.0

    def _is_fault(self, variable: Variable) -> bool:
        """Whether a name is of what fails, or of what a chain starts from."""
        return variable.anchor is not None and self.draft.sketch.has("removal", "impact", "closure")

    def _names_way(self, path: TypedPath) -> bool:
        """Whether the question names a relation of the path, or a type on it."""
        named = {t.name for t in self.draft.sketch.relations if t.score >= STRONG}
        types = {t.type for t in self.draft.sketch.types}
        return bool(named & {h.relation for h in path.hops} or types & set(path.types[1:-1]))

    def _shaped(self, path: TypedPath, variable: Variable) -> TypedPath:
        """Turn a path as the verb says, and follow chains where the question does."""
        sketch = self.draft.sketch
        path = felt(sketch, path) or directed(sketch, path, variable.span)
        is_chain = sketch.has("closure")
        if is_chain:
            path = repeated(path)
        if self._is_fault(variable) and not sketch.has("direct", "alternatives"):
            path = spread(sketch, path.back(), is_everywhere=is_chain).back()
        return path

    def _gains(self, head: Span, item: Span) -> dict[str, float]:
        """Return what each relation gains for where it is named: between the two, after, else."""
        if len(self.items) == 1:
            return self.draft.gains()
        first, last = sorted((head, item), key=lambda s: s.first)
        end = self._reach(last)
        own = next((t.relation for t in self.draft.sketch.types if t.span == first), "")
        gains: dict[str, float] = {own: _BETWEEN_GAIN} if own else {}
        for term in self.draft.sketch.relations:
            at = term.span.first
            gain = _ELSEWHERE_GAIN
            if first.last <= at < last.first:
                gain = _BETWEEN_GAIN
            elif last.last <= at < end:
                gain = _AFTER_GAIN
            gains[term.name] = max(gains.get(term.name, 0.0), round(gain * term.score, 3))
        return gains

    def _reach(self, span: Span) -> int:
        """Return until where words after a thing are still said of it: the next thing."""
        starts = [i.variable.span.first for i in self.items] + [self.root.span.first]
        later = [s for s in (*starts, *self.draft.sketch.breaks) if s >= span.last]
        return min([*later, len(self.draft.sketch.tokens)])

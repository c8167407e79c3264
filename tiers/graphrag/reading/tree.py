"""The shape of a question: the type asked for, and what hangs on it, as a tree."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tiers.graphrag.operators.conditions import Condition, Test
from tiers.graphrag.reading.paths import TypedPath
from tiers.graphrag.reading.sketch import Anchor
from trivium.domain.question import Span

if TYPE_CHECKING:
    from tiers.graphrag.plans.plan import Ref
    from tiers.graphrag.reading.draft import Draft


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """A number of the entities of a type, held against another number."""

    type: str
    span: Span
    """From what is compared to what it is held against."""
    said: str
    narrow: Callable[["Draft", "Ref"], "Ref"]
    """Keeps those entities that it lets in."""
    values: frozenset[Span] = frozenset()
    """The values that it takes, which say nothing of what is asked for."""


@dataclass(slots=True, kw_only=True)
class Variable:
    """Some entities of one type, and all that the question says of them."""

    type: str
    span: Span
    """Where it is named; empty for what is only implied."""
    anchor: Anchor | None = None
    conditions: list[Condition] = field(default_factory=list)
    is_open: bool = False
    """Whether only events open at the moment are meant."""
    excluded: list[Anchor] = field(default_factory=list)
    bounds: list[Bound] = field(default_factory=list)
    branches: list["Branch"] = field(default_factory=list)

    @property
    def is_bare(self) -> bool:
        """Whether nothing at all is said of it."""
        told = self.conditions or self.is_open or self.excluded or self.bounds or self.branches
        return not (self.anchor or told)

    def walk(self) -> Iterator["Variable"]:
        """Give it and all that hangs on it."""
        yield self
        for branch in self.branches:
            yield from branch.child.walk()

    def all_branches(self) -> Iterator[tuple["Variable", "Branch"]]:
        """Give every branch below, each with the variable that it hangs on."""
        for branch in self.branches:
            yield self, branch
            yield from branch.child.all_branches()

    def take(self, span: Span) -> "Variable | None":
        """Cut off the variable that is named at ``span``, and return it."""
        for head, branch in self.all_branches():
            if branch.child.span == span:
                head.branches.remove(branch)
                return branch.child
        return None


@dataclass(slots=True, kw_only=True)
class Branch:
    """How a variable hangs on another one."""

    child: Variable
    path: TypedPath
    """From the head to the child."""
    span: Span
    """The words that a negation before them is said of."""
    others: tuple[TypedPath, ...] = ()
    """Other ways that a fault takes between the same two, as near as ``path``."""
    is_negated: bool = False
    is_or: bool = False
    """Whether it or the branch before it is enough: "either on X's patch or kept by Y"."""
    is_either: bool = False
    """Whether, with ``is_or``, both are too much: "either X or Y but not both"."""
    count: tuple[Test, float] | None = None
    """How many of the child there must be; ``None``: at least one."""
    is_all: bool = False
    """Whether there must be every one of the child, and one at least."""
    is_only: bool = False
    """Whether there may be no other of the child's type."""


def said_path(path: TypedPath) -> str:
    """Say a path: ``Supplier –SUPPLIES→ Component``."""
    parts = [path.types[0]]
    for hop, node_type in zip(path.hops, path.types[1:], strict=True):
        name = f"{hop.relation}{hop.repeat}"
        mark = f" –{name}→ " if hop.outgoing else f" ←{name}– "
        parts += [mark, node_type]
    return "".join(parts)


def said(variable: Variable) -> str:
    """Say a variable with all that hangs on it."""
    if variable.anchor:
        return variable.anchor.label
    told = [f"{c.property} {c.test.value} {c.value}" for c in variable.conditions]
    told += ["open"] if variable.is_open else []
    told += [f"not {anchor.label}" for anchor in variable.excluded]
    told += [bound.said for bound in variable.bounds]
    for branch in variable.branches:
        joint = branch.is_or and bool(told)
        joined = "or, not both," if branch.is_either else "or"
        told.append(
            f"{told.pop()} {joined} {_said_branch(branch)}" if joint else _said_branch(branch)
        )
    return f"{variable.type} with {' and '.join(told)}" if told else f"all {variable.type}"


def _said_branch(branch: Branch) -> str:
    count = f"number {branch.count[0].value} {branch.count[1]:g} of " if branch.count else ""
    count = "every one of " if branch.is_all else count
    count = "only " if branch.is_only else count
    no = "no " if branch.is_negated else ""
    return f"{no}{count}({said_path(branch.path)}: {said(branch.child)})"

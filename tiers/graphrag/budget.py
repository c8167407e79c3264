"""How much one plan may touch, look at and take, and what was cut for it.

Two kinds of work have two kinds of limit:

- A **walk** starts from entities that the question names and is evidence for its answer. It may
  touch ``max_nodes`` entities, ``max_per_hop`` of them in one hop. Where nothing says how far,
  it goes ``max_hops`` far, or ``max_hops_analytical`` in a plan that follows effects or computes.
  A path says how far it goes, and so does a relation taken "once or more".
- A **scan** starts from a whole type, and a computation looks at all that its definition names.
  Cutting either by entities would make its number wrong, so that they are limited only by
  ``max_relations`` and by the time; what they could not finish is left out whole.

Both end at the deadline. Whatever was cut is noted: which limit, at which step.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import inf
from typing import Final

_STRIDE: Final = 1_000
"""Relations looked at between two looks at the clock: about a millisecond."""


class Limit(StrEnum):
    """What ended a plan's work early."""

    NODES = "nodes"
    PER_HOP = "nodes_per_hop"
    HOPS = "hops"
    RELATIONS = "relations"
    PATHS = "paths"
    TIME = "time"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """Something that was left out."""

    limit: Limit
    why: str
    """The limit in words, to stand after "cut by"."""
    most: int | None = None
    """The limit as a number; ``None`` for the time."""
    step: str | None = None
    operator: str | None = None

    def to_json(self) -> dict[str, object]:
        """Return the form that traces show."""
        return {
            "limit": self.limit.value,
            "most": self.most,
            "step": self.step,
            "operator": self.operator,
            "why": self.why,
        }


@dataclass(slots=True)
class Budget:
    """How much one plan may touch; what was cut is noted, never silent."""

    max_nodes: int = 500
    max_per_hop: int = 500
    max_hops: int = 3
    max_hops_analytical: int = 5
    max_relations: int = 10_000_000
    """Relations that scans and computations may look at, the same one each time anew."""
    max_paths: int = 100
    deadline: float | None = None
    """On ``clock``; ``None`` for no limit."""
    clock: Callable[[], float] = time.monotonic
    touched: set[str] = field(default_factory=set)
    cuts: list[Cut] = field(default_factory=list)
    relations: dict[tuple[str, str, str], None] = field(default_factory=dict)
    """What was walked along, in the order in which it was."""
    notes: list[str] = field(default_factory=list)
    """What a reader should know of a number, such as that it is an estimate."""
    is_relations_cut: bool = False
    """Whether more was walked along than is kept; the outcome is whole all the same."""
    n_looked_at: int = 0
    is_spent: bool = False
    """Whether time or scan is used up; then nothing more is looked at."""
    is_scan: bool = False
    """Whether the step at work is a scan."""
    is_analytical: bool = False
    _at: tuple[str, str] | None = None
    _next_look: int = _STRIDE

    @property
    def is_exhausted(self) -> bool:
        """Whether something was cut."""
        return bool(self.cuts)

    @property
    def hops(self) -> int:
        """How far a walk goes whose length the plan does not say."""
        return self.max_hops_analytical if self.is_analytical else self.max_hops

    def begin(self, step: str, operator: str, *, is_scan: bool, is_analytical: bool) -> None:
        """Say which step is at work from now on."""
        self._at = (step, operator)
        self.is_scan, self.is_analytical = is_scan, is_analytical

    @property
    def room(self) -> float:
        """How many more entities one hop may touch; a scan touches as many as there are."""
        return inf if self.is_scan else min(self.max_nodes - len(self.touched), self.max_per_hop)

    def admit(self, near: Sequence[str], *, hops_left: int = 1) -> list[str]:
        """Return those of ``near`` that a walk may touch, and count them as touched.

        Those that were touched before are free, the others are taken in the order given. A hop
        that reaches more than is left gets an equal share of it with the ``hops_left`` - 1 hops
        that follow, so that a hub does not starve them. What was reached before the time ran out
        is given all the same.
        """
        self.is_late()
        if self.is_scan:
            return list(near)
        new = [node_id for node_id in near if node_id not in self.touched]
        most = self._room(len(new), hops_left)
        if most >= len(new):
            self.touched.update(new)
            return list(near)
        kept = set(new[:most])
        self.touched |= kept
        return [node_id for node_id in near if node_id in self.touched]

    def _room(self, wanted: int, hops_left: int) -> int:
        room = self.max_nodes - len(self.touched)
        if wanted > min(room, self.max_per_hop):
            if wanted > room:
                self.cut(Limit.NODES, f"more than {self.max_nodes} entities", self.max_nodes)
                room = max(min(room, 1), room // max(1, hops_left))
            else:
                why = f"more than {self.max_per_hop} entities in one hop"
                self.cut(Limit.PER_HOP, why, self.max_per_hop)
        return min(room, self.max_per_hop)

    def look(self, n: int) -> bool:
        """Count relations as looked at; ``True`` while there is time and scan left."""
        self.n_looked_at += n
        if self.n_looked_at >= self._next_look:
            self._next_look = self.n_looked_at + _STRIDE
            if self.n_looked_at > self.max_relations:
                why = f"more than {self.max_relations:,} relations looked at"
                self.cut(Limit.RELATIONS, why, self.max_relations)
                self.is_spent = True
            self.is_late()
        return not self.is_spent

    def is_late(self) -> bool:
        """Whether nothing more may be looked at, the clock being read anew."""
        if self.deadline is not None and not self.is_spent and self.clock() > self.deadline:
            self.cut(Limit.TIME, "the time given")
            self.is_spent = True
        return self.is_spent

    def has_time_for(self, seconds: float) -> bool:
        """Whether work that cannot be stopped half-way fits into the time left."""
        if self.deadline is not None and self.clock() + seconds > self.deadline:
            self.cut(Limit.TIME, "the time given")
            self.is_spent = True
        return not self.is_spent

    def cut_hops(self) -> None:
        """Note that a walk would have gone further than it may."""
        self.cut(Limit.HOPS, f"more than {self.hops} hops", self.hops)

    def cut(self, limit: Limit, why: str, most: int | None = None) -> None:
        """Note that something was left out, why, and at which step; each limit once a step."""
        step, operator = self._at or (None, None)
        cut = Cut(limit=limit, why=why, most=most, step=step, operator=operator)
        if cut not in self.cuts:
            self.cuts.append(cut)

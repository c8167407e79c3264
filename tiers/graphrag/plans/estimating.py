"""Estimates what a plan will look at, before it runs: from counts and mean degrees alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tiers.graphrag.budget import Budget
from tiers.graphrag.operators.conditions import Condition, Test
from tiers.graphrag.operators.traversal import Hop
from tiers.graphrag.plans.checking import hops_in, relations_of
from tiers.graphrag.plans.steps import Argument, Plan, Ref, Step, flat
from tiers.graphrag.view import Counted
from trivium.domain.schema import Schema

_PASSES: Final = 1 / 3
"""The share of entities that a test other than for one value of a category lets through."""
_EACH: Final = frozenset({"count_edges", "aggregate_over_type", "path_values"})
"""Operators that walk anew from each entity."""
_WHOLE: Final = frozenset(
    {
        "betweenness", "pagerank", "degree", "diameter", "connected_components", "cut_points",
        "communities", "filter_edges_by_date", "changes_between", "shortest_path", "weighted_path",
        "propagate_risk", "risk_by_event", "subgraph_diff", "count_effects",
    }
)  # fmt: skip
"""Operators that may look at every relation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """What one step will give and look at, in expectation."""

    entities: float
    relations: float

    def to_json(self) -> dict[str, object]:
        """Return the form that traces show."""
        return {"entities": round(self.entities), "relations": round(self.relations)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """The estimate of each step of a plan, and whether together they are past the budget."""

    steps: Mapping[str, Estimate]
    is_beyond: bool

    @property
    def n_relations(self) -> int:
        """How many relations the plan will look at."""
        return round(sum(step.relations for step in self.steps.values()))


def forecast(
    plan: Plan, schema: Schema, counted: Counted, budget: Budget, scans: Mapping[str, bool]
) -> Forecast:
    """Estimate a plan; ``scans`` says which steps no limit on entities holds for."""
    known: dict[str, Estimate] = {}
    estimator = _Estimator(schema, counted, budget)
    is_beyond = False
    for step in plan.steps:
        known[step.name] = estimator.of(step, known)
        touches = step.operator in {"follow", "subgraph", "get_neighbors", "simulate_removal"}
        is_walk = touches and not scans.get(step.name)
        is_beyond |= is_walk and known[step.name].entities > budget.max_nodes
    total = sum(item.relations for item in known.values())
    return Forecast(steps=known, is_beyond=is_beyond or total > budget.max_relations)


@dataclass(frozen=True, slots=True)
class _Estimator:
    schema: Schema
    counted: Counted
    budget: Budget

    def of(self, step: Step, known: Mapping[str, Estimate]) -> Estimate:
        """Return what a step gives and looks at."""
        n = self._start(step, known)
        path = hops_in(step)
        if step.operator in _EACH:
            each = self._walk(1.0, path)
            return Estimate(entities=n, relations=n * each.relations)
        if step.operator in _WHOLE:
            return Estimate(entities=n, relations=self.counted.n_relations())
        if step.operator == "subgraph":
            return self._everything_near(n)
        if path:
            return self._walk(n, path)
        relations = relations_of(step)
        looked_at = sum(self._met(relation, n) for relation in relations)
        if step.operator == "get_neighbors" and not relations:
            looked_at = 2 * self._mean_degree() * n
        entities = looked_at if step.operator == "get_neighbors" else n
        return Estimate(entities=entities, relations=looked_at)

    def _start(self, step: Step, known: Mapping[str, Estimate]) -> float:
        """Return from how many entities a step sets out, or how many it finds."""
        refs = [
            known[value.step].entities
            for value in flat(tuple(step.arguments.values()))
            if isinstance(value, Ref) and value.step in known
        ]
        named = [step.arguments.get(key) for key in ("nodes", "ids", "sources", "targets")]
        sets = [float(len(value)) for value in named if isinstance(value, tuple)]
        if refs or sets:
            return max([*refs, *sets])
        node_type = step.arguments.get("type")
        n = float(self.counted.n_nodes(node_type if isinstance(node_type, str) else None))
        ends = [
            key for key in ("source", "target", "node", "id", "a", "b") if key in step.arguments
        ]
        return float(len(ends)) if ends else n * self._share(step)

    def _share(self, step: Step) -> float:
        share = 1.0
        for test in flat([step.arguments.get("where")]):
            if isinstance(test, Condition):
                share *= self._passes(test, step.arguments.get("type"))
        return share

    def _passes(self, test: Condition, node_type: Argument) -> float:
        known = self.schema.node_types.get(str(node_type))
        item = known.properties.get(test.property) if known else None
        is_one = test.test is Test.EQUALS and item is not None and len(item.values) > 0
        return 1 / len(item.values) if is_one and item else _PASSES

    def _walk(self, n: float, path: Sequence[Hop]) -> Estimate:
        looked_at = 0.0
        for hop in path:
            met = n * self._degree(hop.relation, outgoing=hop.outgoing)
            most = float(self.counted.n_nodes(hop.to_type))
            if hop.repeat:
                grown = self._grown(n, self._degree(hop.relation, outgoing=hop.outgoing))
                met = min(grown, float(self.counted.n_relations(hop.relation)))
            looked_at += met
            n = min(met, most)
        return Estimate(entities=n, relations=looked_at)

    def _everything_near(self, n: float) -> Estimate:
        grown = self._grown(n, self._mean_degree())
        return Estimate(
            entities=min(grown, self.counted.n_nodes()),
            relations=min(2 * grown, 2.0 * self.counted.n_relations()),
        )

    def _grown(self, n: float, degree: float) -> float:
        """Return what as many hops as the budget allows lead to."""
        grown, most = n, float(self.counted.n_relations())
        total = 0.0
        for _ in range(self.budget.hops):
            grown = min(grown * degree, most)
            total += grown
            if grown == most or grown < 1:
                break
        return total

    def _mean_degree(self) -> float:
        return self.counted.n_relations() / max(1, self.counted.n_nodes())

    def _degree(self, relation: str, *, outgoing: bool) -> float:
        """Return how many relations of a type an entity has on average, where it can have any."""
        ends = self.schema.relation_types[relation].ends
        types = {source if outgoing else target for source, target in ends}
        n_nodes = sum(self.counted.n_nodes(node_type) for node_type in types)
        return self.counted.n_relations(relation) / max(1, n_nodes)

    def _met(self, relation: str, n: float) -> float:
        degree = max(self._degree(relation, outgoing=outgoing) for outgoing in (True, False))
        return min(n * degree, float(self.counted.n_relations(relation)))

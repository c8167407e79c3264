"""Plans over the graph that programs make: the same store and bounds as for those of questions."""

from functools import partial

from tiers.graphrag.plans.plan import Plan
from tiers.graphrag.tier import GraphStore, GraphTier
from trivium.app.service import Operate
from trivium.app.settings import Settings
from trivium.domain.deadline import Deadline
from trivium.domain.time import Moment
from trivium.gateway.guarded import GuardedTier
from trivium.gateway.limits import Guard
from trivium.knowledge.service import Knowledge
from trivium.language.reading import Lexicon


def operating(
    settings: Settings, store: GraphStore, lexicon: Lexicon, knowledge: Knowledge, guard: Guard
) -> Operate:
    """Return what runs them; ``guard`` is their own, so that no program shuts out questions."""
    graph = GraphTier(store, lambda: lexicon.schema, max_nodes=settings.graph_max_nodes)
    house = GuardedTier(graph, guard, partial(knowledge.lag, "graph"))

    async def operate(plan: Plan, as_of: Moment | None, deadline: Deadline) -> dict[str, object]:
        return await house.call(lambda: graph.operate(plan, as_of, deadline))

    return operate

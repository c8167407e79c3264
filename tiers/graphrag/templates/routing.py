"""Sends a question that an installation has a plan of its own for to the graph."""

from collections.abc import Callable

from tiers.graphrag.templates.matching import TemplateReader
from trivium.domain.ports import Router
from trivium.domain.question import TierName, Understood
from trivium.domain.route import Decider, RouteDecision
from trivium.domain.schema import Schema


class TemplateRouter:
    """Implements ``Router`` over another one, which routes every other question."""

    def __init__(
        self, router: Router, templates: TemplateReader, schema: Callable[[], Schema]
    ) -> None:
        self._router = router
        self._templates = templates
        self._schema = schema

    def route(self, question: Understood) -> RouteDecision:
        """Return the tiers to ask; see ``Router``. What the caller wants comes first."""
        if question.question.tiers is None:
            plan = self._templates.read(question, self._schema())
            if plan is not None:
                return RouteDecision(
                    tiers=(TierName.GRAPH,),
                    decided_by=Decider.RULE,
                    parts={TierName.GRAPH: question.question.text},
                    reasons=(f"it is asked as the template “{plan.template}” says",),
                )
        return self._router.route(question)

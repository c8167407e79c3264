"""The graph tier with a model that plans: before the reader, or where the reader has no plan."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Final, TypeAlias

import structlog

from tiers.graphrag.briefing import SentBack
from tiers.graphrag.planner import ModelPlanner
from tiers.graphrag.plans.plan import Plan
from tiers.graphrag.tier import ReadsTemplates
from trivium.domain.deadline import Deadline
from trivium.domain.errors import DeadlineError, DependencyError, ModelOutputError, PlanError
from trivium.domain.evidence import ASKS_BACK, TierResult, TierStatus
from trivium.domain.ports import Tier
from trivium.domain.prompting import added
from trivium.domain.question import Understood
from trivium.domain.schema import Schema

_N_DRAFTS: Final = 2
"""A plan that is refused goes back once, with the reason."""
_TO_RUN: Final = 0.3
"""Share of the time that planning leaves, to run the plan or to read the question after all."""
CarriesOut: TypeAlias = Callable[[Plan, Understood, Deadline], Awaitable[TierResult]]

_log = structlog.get_logger(__name__)


class PlanningTier:
    """Implements ``Tier`` over the reader's tier and a model; without the model it goes on."""

    def __init__(
        self,
        tier: Tier,
        planner: ModelPlanner,
        carry_out: CarriesOut,
        schema: Callable[[], Schema],
        templates: ReadsTemplates | None = None,
    ) -> None:
        self._tier = tier
        self._planner = planner
        self._carry_out = carry_out
        self._schema = schema
        self._templates = templates

    async def retrieve(self, question: Understood, deadline: Deadline) -> TierResult:
        """Return what the model's plan or the reader's gives; see ``Tier``.

        A name that the reader asks back about is not for the model to guess, nor is a question
        that the installation has a template of its own for.
        """
        is_first = self._planner.is_first and not self._has_template(question)
        read = None if is_first else await self._tier.retrieve(question, deadline)
        if read is not None and (read.status is not TierStatus.MISS or read.reason in ASKS_BACK):
            return read
        spent: list[Mapping[str, object]] = []
        planned = await self._planned(question, deadline, spent)
        if isinstance(planned, TierResult):
            return replace(planned, usage=added(spent))
        if read is None:
            read = await self._tier.retrieve(question, deadline)
        return replace(read, degraded=planned or read.degraded, usage=added(spent))

    def _has_template(self, question: Understood) -> bool:
        read = self._templates.read(question, self._schema()) if self._templates else None
        return read is not None

    async def _planned(
        self, question: Understood, deadline: Deadline, spent: list[Mapping[str, object]]
    ) -> TierResult | str:
        """Return what the model's plan gives; else what there was to do without, or nothing.

        What its drafts cost is added to ``spent``, whatever comes of them.
        """
        schema, sent_back = self._schema(), None
        until = Deadline.after((1 - _TO_RUN) * deadline.remaining_s)
        try:
            for _ in range(_N_DRAFTS):
                drafted = await self._planner.draft(question, schema, sent_back, until)
                spent.append(drafted.usage)
                if drafted.is_empty:
                    return ""
                try:
                    plan = self._planner.checked(drafted, question, schema)
                    return await self._carry_out(plan, question, deadline)
                except PlanError as error:
                    sent_back = SentBack(text=drafted.text, why=str(error))
        except (DeadlineError, DependencyError, ModelOutputError) as error:
            _log.info("planner_unavailable", error=str(error))
            return f"no model planned it: {error}"
        assert sent_back is not None
        return f"the model's plan was refused: {sent_back.why}"

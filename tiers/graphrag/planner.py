"""Plans with a chat model: it sees the schema and what the question names, never the data."""

import asyncio
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Final, Protocol

from tiers.graphrag.briefing import MAX_STEPS, SentBack, plan_tool, prompt_for, system_for
from tiers.graphrag.plans.checking import see_that_it_ends_well, validate
from tiers.graphrag.plans.decoding import plan_from_json
from tiers.graphrag.plans.steps import NAMING, Plan, Step, flat
from tiers.graphrag.plans.toolbox import OPERATORS, Json
from tiers.graphrag.templates.book import TemplateBook
from tiers.graphrag.templates.filling import instantiate
from tiers.graphrag.templates.form import Template
from trivium.domain.deadline import Deadline
from trivium.domain.errors import PlanError
from trivium.domain.prompting import Reply, usage_of
from trivium.domain.question import Candidate, Understood
from trivium.domain.schema import Schema

_NINE: Final = (
    "find_nodes", "get_node", "get_neighbors", "shortest_path", "subgraph", "count_edges",
    "set_complement", "filter_edges_by_date", "propagate_risk",
)  # fmt: skip
_FIFTEEN: Final = (
    *_NINE, "simulate_removal", "subgraph_diff", "aggregate_over_type", "betweenness", "pagerank",
    "connected_components",
)  # fmt: skip
TELLING: Final = tuple(
    name for name, function in OPERATORS.items() if function.__module__.endswith(".answers")
)
"""What only turns outcomes into an answer; every set of operators has it."""
OPERATOR_SETS: Final[Mapping[str, tuple[str, ...]]] = {
    "nine": _NINE,
    "fifteen": _FIFTEEN,
    "all": tuple(OPERATORS),
}
"""The paper's planner with 9 operators, its planner with 15, and ours."""
_ID_KEYS: Final = (*NAMING, "target", "within")


class ToolChat(Protocol):
    """A chat model that calls a tool."""

    async def use_tool(
        self, *, system: str, prompt: str, tool: Mapping[str, object], deadline: Deadline
    ) -> Reply:
        """Return the arguments with which it calls ``tool``.

        Raises:
            DeadlineError: no whole reply came in time.
            DependencyError: the model's service failed.
            ModelOutputError: it called no such tool.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafted:
    """A plan as a model gave it, not yet checked."""

    text: str
    usage: Mapping[str, object]

    @property
    def is_empty(self) -> bool:
        """Whether the model says that no plan answers it."""
        try:
            form = json.loads(self.text)
            return bool(form.get("steps") == [] and not form.get("template"))
        except (json.JSONDecodeError, AttributeError):
            return False


class ModelPlanner:
    """Drafts plans with a chat model, from templates and a set of operators."""

    def __init__(
        self,
        chat: ToolChat,
        operators: Collection[str] = OPERATOR_SETS["all"],
        *,
        is_first: bool,
        book: TemplateBook | None = None,
    ) -> None:
        self._chat = chat
        self._operators = tuple(n for n in OPERATORS if n in operators or n in TELLING)
        self._book = book or TemplateBook()
        self._tool = plan_tool(self._operators, has_templates=not self._book.is_empty)
        self.is_first = is_first
        """Whether it is asked before the reader, or only where that has no plan."""

    async def draft(
        self, question: Understood, schema: Schema, refused: SentBack | None, deadline: Deadline
    ) -> Drafted:
        """Return the plan that the model has for a question.

        Raises:
            DeadlineError, DependencyError, ModelOutputError: see ``ToolChat``.
        """
        templates = await asyncio.to_thread(self._templates, schema)
        reply = await self._chat.use_tool(
            system=system_for(schema, self._operators, templates),
            prompt=prompt_for(question, refused),
            tool=self._tool,
            deadline=deadline,
        )
        return Drafted(text=reply.text, usage=usage_of(reply))

    def checked(self, drafted: Drafted, question: Understood, schema: Schema) -> Plan:
        """Return the plan of a draft.

        Raises:
            PlanError: it is no plan over this schema, or names what the question does not.
        """
        try:
            form = json.loads(drafted.text)
        except json.JSONDecodeError as error:
            raise PlanError(f"the plan is no JSON: {error}") from error
        named = {c.id: c for mention in question.mentions for c in mention.candidates}
        if isinstance(form, dict) and form.get("template"):
            return self._instance(form, schema, named)
        return self._composition(form, schema, named)

    def _instance(self, form: Json, schema: Schema, named: Mapping[str, Candidate]) -> Plan:
        if form.get("steps"):
            raise PlanError("give a template and its slots, or steps, and not both")
        name, slots = form["template"], form.get("slots") or {}
        template = next((t for t in self._templates(schema) if t.name == name), None)
        if template is None:
            raise PlanError(f"no template is called {name!r:.80}")
        if not isinstance(slots, dict):
            raise PlanError(f"slots are an object, not {slots!r:.80}")
        return instantiate(template, slots, schema, named)

    def _composition(self, form: object, schema: Schema, named: Mapping[str, Candidate]) -> Plan:
        plan = plan_from_json(form)
        if len(plan.steps) > MAX_STEPS:
            raise PlanError(f"it has {len(plan.steps)} steps, more than {MAX_STEPS}")
        for step in plan.steps:
            if step.operator not in self._operators:
                raise PlanError(f"{step.name}: no operator is called {step.operator!r}")
        validate(plan, schema)
        for step in plan.steps:
            unknown = sorted(_ids_in(step) - named.keys())
            if unknown:
                raise PlanError(f"{step.name}: the question names no entity {unknown[0]!r}")
        see_that_it_ends_well(plan)
        return replace(plan, template="model")

    def _templates(self, schema: Schema) -> tuple[Template, ...]:
        """Return the templates that fit the schema and need no other operators."""
        fitting = self._book.fitting(schema).all
        return tuple(t for t in fitting if set(t.operators) <= set(self._operators))


def _ids_in(step: Step) -> set[str]:
    values = flat([step.arguments.get(key) for key in _ID_KEYS])
    return {value for value in values if isinstance(value, str)}

"""The parts of a plan: steps that name operators, and how a plan says itself in JSON."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from tiers.graphrag.operators.answers import Form
from tiers.graphrag.operators.conditions import Condition, Test
from tiers.graphrag.operators.figures import Formula, Group
from tiers.graphrag.operators.traversal import Hop
from trivium.domain.time import Moment

NAMING: Final = ("ids", "nodes", "node", "a", "b", "source", "id", "events")
"""Arguments of operators that are entities to start from."""


@dataclass(frozen=True, slots=True)
class Ref:
    """The outcome of an earlier step, by its name."""

    step: str


Argument: TypeAlias = (
    "str | int | float | bool | Ref | Hop | Condition | Test | Formula | Group | Moment"
    " | tuple[Argument, ...] | None"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One call of an operator; ``as_of`` looks at another moment than the question's."""

    name: str
    operator: str
    arguments: Mapping[str, Argument]
    as_of: Moment | None = None

    @property
    def named(self) -> tuple[str, ...]:
        """The entities that it starts from, by their ids; those of earlier steps are not."""
        given = flat([self.arguments.get(key) for key in NAMING])
        return tuple(value for value in given if isinstance(value, str))

    def to_json(self) -> dict[str, object]:
        """Return the form that answers show."""
        form: dict[str, object] = {
            "step": self.name,
            "operator": self.operator,
            "arguments": {key: plain(value) for key, value in self.arguments.items()},
        }
        if self.as_of:
            form["as_of"] = self.as_of.text
        return form


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Steps in order; ``answer`` turns the outcome of the last one into a result.

    ``also`` names further steps whose outcomes stand beside the answer, each with its form.
    """

    steps: tuple[Step, ...]
    form: Form
    understood: str
    """The question as it was understood, in one sentence."""
    template: str
    """The shape that the plan is an instance of."""
    beside: str | None = None
    """The step whose entities stand beside a yes or no."""
    also: tuple[tuple[str, Form], ...] = ()

    def to_json(self) -> dict[str, object]:
        """Return the form that ``plan_from_json`` reads."""
        return {
            "steps": [step.to_json() for step in self.steps],
            "form": self.form.value,
            "understood": self.understood,
            "template": self.template,
            "beside": self.beside,
            "also": [{"step": name, "form": form.value} for name, form in self.also],
        }


class PlanBuilder:
    """Collects steps and names them."""

    def __init__(self) -> None:
        self.steps: list[Step] = []

    def add(self, operator: str, *, as_of: Moment | None = None, **arguments: Argument) -> Ref:
        """Add a step and return a reference to its outcome; an equal step is used again."""
        for step in self.steps:
            if (step.operator, step.as_of) == (operator, as_of) and step.arguments == arguments:
                return Ref(step.name)
        step = Step(
            name=f"s{len(self.steps) + 1}", operator=operator, arguments=arguments, as_of=as_of
        )
        self.steps.append(step)
        return Ref(step.name)


def flat(values: Sequence[Argument]) -> list[Argument]:
    """Return all arguments with those within tuples in their place."""
    found: list[Argument] = []
    for value in values:
        found += flat(value) if isinstance(value, tuple) else [value]
    return found


def plain(value: object) -> object:
    """Return an argument as JSON; a text that begins like a reference gets a second ``$``."""
    match value:
        case Ref():
            return f"${value.step}"
        case Hop() | Condition() | Formula() | Group():
            return value.to_json()
        case Moment():
            return value.text
        case tuple():
            return [plain(item) for item in value]
        case str() if value.startswith("$") and not isinstance(value, Test):
            return f"${value}"
        case _:
            return value

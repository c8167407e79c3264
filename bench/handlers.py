"""Architecture 3: the paper's eleven handlers, each one fixed plan with holes, chosen by cues.

A handler is a row of a table. Its holes are filled from what the question names: its entities, and
its types and relations in their order. There is no more to it: no filter on properties, no day but
today, no count, no two needs at once; that is what the paper's handlers lack as well.
Source: the paper's Table IV. Its handlers are chosen by a TF-IDF classifier over 60 phrases; here
the first row holds whose cue the question has and whose holes can be filled.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final

from bench.judging import Answer
from tiers.graphrag.plans.plan import Plan, plan_from_json
from tiers.graphrag.reading.paths import SchemaPaths
from tiers.graphrag.tier import GraphTier
from trivium.domain.deadline import Deadline
from trivium.domain.errors import PlanError
from trivium.domain.evidence import Reason, TierResult
from trivium.domain.question import Question, TermKind, Understood
from trivium.domain.schema import Schema
from trivium.domain.time import ANY_TIME
from trivium.language.reading import QuestionReader

_GIVEN_S: Final = 30.0
_NAMED: Final = 0.9
"""How surely a word must stand for a type or a relation."""
_MOST_HOPS: Final = 5

Json = Any  # whatever JSON holds
Holes = Mapping[str, Json]


@dataclass(frozen=True, slots=True, kw_only=True)
class Handler:
    """One kind of question, and the plan for it; a text in angle brackets is a hole."""

    name: str
    cues: frozenset[str]
    """One of them must be there; none for what is left."""
    steps: tuple[tuple[str, Json], ...]
    """Operators with their arguments; the steps are s1, s2, …"""
    form: str = "nodes"
    also: tuple[str, ...] = ()
    """Steps whose entities stand beside the answer."""


def _handler(name: str, cues: str, *steps: tuple[str, Json], **more: Any) -> Handler:  # noqa: ANN401  # fields
    return Handler(name=name, cues=frozenset(cues.split()), steps=steps, **more)


_REACHED: Final = (
    "subgraph",
    {
        "nodes": "<named>", "direction": "downstream", "types": "<types>", "max_hops": _MOST_HOPS,
    },
)  # fmt: skip
HANDLERS: Final = (
    _handler("risk propagation", "score", ("propagate_risk", {"type": "<type>"}), form="ranking"),
    _handler(
        "comparative subgraph", "compare",
        ("subgraph_diff", {"a": "<first>", "b": "<second>"}), form="comparison",
    ),
    _handler(
        "path reasoning", "path",
        ("shortest_path", {"source": "<first>", "target": "<second>"}), form="path",
    ),
    _handler(
        "single point of failure", "single",
        ("aggregate_over_type", {"type": "<type>", "path": ["<support>"]}),
        ("select", {"scores": "$s1", "test": "=", "value": 1.0}),
    ),
    _handler(
        "what-if", "alternatives", ("alternatives", {"node": "<first>", "hop": "<support>"}),
    ),
    _handler("downstream impact", "removal downstream", _REACHED),
    _handler(
        "inverse", "negation",
        ("subgraph", {**_REACHED[1], "types": ["<type>"]}),
        ("set_complement", {"type": "<type>", "nodes": "$s1"}),
    ),
    _handler(
        "graph aggregation", "most least",
        ("find_nodes", {"type": "<type>"}),
        ("count_effects", {"nodes": "$s1", "types": ["<other type>"]}),
        ("rank_scores", {"scores": "$s2"}), form="ranking",
    ),
    _handler(
        "temporal freshness", "now before_now since_when until_when time",
        (
            "filter_edges_by_date",
            {
                "relation": "<relation>", "period": ANY_TIME.text, "change": "ended",
                "targets": "<named>",
            },
        ),
        ("ends_of", {"edges": "$s1", "end": "source"}),
        ("get_neighbors", {"nodes": "<named>", "relation": "<relation>", "direction": "in"}),
        also=("s2",),
    ),
    _handler("multi-hop impact", "impact", _REACHED),
    _handler(
        "simple lookup", "", ("get_neighbors", {"nodes": "<named>", "relation": "<relation>"}),
    ),
)  # fmt: skip
"""In the order in which they are tried."""


class Handlers:
    """Answers by the first handler that fits; where none does, there is no answer."""

    def __init__(self, reader: QuestionReader, schema: Schema, tier: GraphTier) -> None:
        self._reader = reader
        self._schema = schema
        self._tier = tier

    async def answer(self, question: Question) -> Answer:
        """Return what the plan of the first handler that fits gives."""
        read = self._reader.read(question)
        plan = plan_for(read, self._schema)
        if plan is None:
            return Answer(text="", reason=Reason.NOT_IN_SCHEMA.value)
        try:
            result = await self._tier.carry_out(plan, read, Deadline.after(_GIVEN_S))
        except PlanError as error:
            return Answer(text=str(error), reason=Reason.NOT_IN_SCHEMA.value)
        return said(result)


def said(result: TierResult) -> Answer:
    """Return what the graph tier gave as an answer."""
    return Answer(
        text="\n".join(statement.text for statement in result.statements),
        result=None if result.result is None else result.result.to_json(),
        reason=None if result.reason is None else result.reason.value,
    )


def plan_for(question: Understood, schema: Schema) -> Plan | None:
    """Return the plan of the first handler whose cue is there and whose holes can be filled."""
    holes = _holes(question, schema)
    for handler in HANDLERS:
        has_time = "time" in handler.cues and question.times
        if handler.cues and not has_time and not question.has(*handler.cues):
            continue
        try:
            return _filled(handler, holes)
        except KeyError:
            continue
    return None


def _filled(handler: Handler, holes: Holes) -> Plan:
    """Return a handler's plan.

    Raises:
        KeyError: the question does not say what a hole needs.
    """
    steps = [
        {"step": f"s{n}", "operator": name, "arguments": _fill(arguments, holes)}
        for n, (name, arguments) in enumerate(handler.steps, start=1)
    ]
    return plan_from_json(
        {
            "steps": steps,
            "form": handler.form,
            "understood": handler.name,
            "template": handler.name,
            "also": [{"step": step, "form": "nodes"} for step in handler.also],
        }
    )


def _fill(value: Json, holes: Holes) -> Json:
    if isinstance(value, str) and value.startswith("<"):
        return holes[value]
    if isinstance(value, dict):
        return {key: _fill(item, holes) for key, item in value.items()}
    return [_fill(item, holes) for item in value] if isinstance(value, list) else value


def _holes(question: Understood, schema: Schema) -> dict[str, Json]:
    """Return what fills the holes, as far as the question says it."""
    named = [mention.candidates[0] for mention in question.mentions if mention.candidates]
    types = list(dict.fromkeys(_terms(question, TermKind.TYPE)))
    relations = _terms(question, TermKind.RELATION)
    holes: dict[str, Json] = {"<types>": types[:1]}
    if named:
        holes |= {"<named>": [c.id for c in named], "<first>": named[0].id}
    if len(named) > 1:
        holes["<second>"] = named[1].id
    if relations:
        holes["<relation>"] = relations[0]
    if types or named:
        holes["<type>"] = types[0] if types else named[0].type
        holes |= _support(schema, named[0].type if named else types[0], set(types[1:]))
    if len(types) > 1:
        holes["<other type>"] = types[1]
    return holes


def _terms(question: Understood, kind: TermKind) -> list[str]:
    return [term.name for term in question.terms_of(kind) if term.score >= _NAMED]


def _support(schema: Schema, of: str, wanted: Collection[str]) -> dict[str, Json]:
    """Return the hop to what a type rests on, to a type that is wanted where there is one."""
    feeders = SchemaPaths(schema).feeders(of)
    best = sorted(feeders, key=lambda hop: hop.to_type not in wanted)
    return {"<support>": best[0].to_json()} if best else {}

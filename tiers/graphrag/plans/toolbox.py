"""The operators by name, and what each takes, read from its signature: the one truth on it.

Validation, the plans that are read from JSON, the tools that a model is offered and those of MCP
all take their word from here.
"""

import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from enum import StrEnum
from functools import cache
from types import NoneType, UnionType
from typing import Final, Literal, TypeAlias, Union, cast, get_args, get_origin, get_type_hints

from tiers.graphrag.operators import (
    answers,
    clustering,
    comparing,
    counting,
    dated,
    effects,
    grouping,
    removal,
    risk,
    structure,
    traversal,
    trends,
    ways,
)
from tiers.graphrag.operators.conditions import Condition
from tiers.graphrag.operators.figures import At, Formula, Group
from tiers.graphrag.operators.traversal import Hop
from trivium.domain.time import Moment

Operator: TypeAlias = Callable[..., object]
Json: TypeAlias = dict[str, object]

OPERATORS: Final[Mapping[str, Operator]] = {
    function.__name__: function
    for function in (
        traversal.find_nodes,
        traversal.get_node,
        traversal.get_neighbors,
        traversal.follow,
        effects.subgraph,
        effects.count_effects,
        counting.count_edges,
        traversal.set_complement,
        traversal.combine,
        ways.shortest_path,
        ways.weighted_path,
        dated.filter_edges_by_date,
        dated.begun,
        dated.relations_between,
        dated.changes_between,
        risk.open_events,
        risk.propagate_risk,
        risk.risk_by_event,
        risk.severity_weights,
        trends.trend,
        grouping.aggregate_over_type,
        grouping.node_values,
        grouping.node_days,
        grouping.path_values,
        grouping.relation_values,
        grouping.group_by,
        removal.simulate_removal,
        comparing.subgraph_diff,
        comparing.compare_along,
        comparing.alternatives,
        structure.betweenness,
        structure.pagerank,
        structure.degree,
        structure.diameter,
        structure.connected_components,
        structure.cut_points,
        clustering.communities,
        answers.rank_scores,
        answers.select,
        answers.leaders,
        answers.count_nodes,
        answers.reduce_scores,
        answers.spread,
        answers.ends_of,
        answers.left_without,
        answers.compare_values,
        answers.merge_comparisons,
        answers.day_of,
        answers.hops_of,
        answers.passed_by,
        answers.first_groups,
        answers.groups_with,
        answers.count_groups,
        answers.subtract_scores,
        answers.members_of,
    )
}
"""Every operator by its name; the signature of each is the one truth on its arguments."""

_OUTCOME: Final[Json] = {
    "description": "The outcome of an earlier step: $ and its name. A text that begins with $ "
    "itself is written with $$.",
    "type": "string",
    "pattern": r"^\$[^$]",
}
_AN_OUTCOME: Final[Json] = {"$ref": "#/$defs/Outcome"}
MOMENT: Final[Json] = {
    "type": "string",
    "format": "moment",
    "description": "an ISO day, date-time, month, quarter or year, or first/last day",
}
_HOP: Final[Json] = {
    "description": "One step along a type of relation; repeat '+' takes it once or more, '*' "
    "also not at all.",
    "type": "object",
    "properties": {
        "relation": {"type": "string"},
        "direction": {"enum": ["out", "in"]},
        "to": {"type": "string", "description": "the only type of entity that it leads to"},
        "repeat": {"enum": ["", "+", "*"]},
        "where": {"type": "array", "items": {"$ref": "#/$defs/Condition"}},
    },
    "required": ["relation", "direction"],
    "additionalProperties": False,
}
_SHAPES: Final = (Condition, At, Formula, Group)
"""What arguments are made of beside hops; their fields are their JSON."""


@cache
def hints_of(operator: str) -> Mapping[str, object]:
    """Return the kinds of an operator's arguments, without its scope."""
    hints = get_type_hints(OPERATORS[operator])
    return {key: hint for key, hint in hints.items() if key not in {"scope", "return"}}


@cache
def gives(operator: str) -> object:
    """Return the kind of an operator's outcome."""
    return get_type_hints(OPERATORS[operator])["return"]


@cache
def schema_of(operator: str) -> Json:
    """Return the JSON schema of an operator's arguments, with its docstring as the description.

    >>> schema_of("count_nodes")["required"]
    ['nodes']
    """
    function = OPERATORS[operator]
    parameters = inspect.signature(function).parameters
    named = {key: _schema(hint) for key, hint in hints_of(operator).items()}
    form: Json = {
        "title": operator,
        "description": inspect.cleandoc(function.__doc__ or "").replace("``", "`"),
        "type": "object",
        "properties": {key: _or_outcome(schema) for key, schema in named.items()},
        "required": [key for key in named if parameters[key].default is inspect.Parameter.empty],
        "additionalProperties": False,
    }
    return {**form, "$defs": _definitions(form, _known())}


def tools(names: Iterable[str] = tuple(OPERATORS), *, is_alone: bool = False) -> list[Json]:
    """Return operators as tools for a model: name, description and input schema of each.

    Each takes ``as_of`` beside its own arguments: the day, instant or period to look at. One that
    is called alone has no earlier step whose outcome an argument could be.
    """
    found: list[Json] = []
    for name in names:
        schema = dict(schema_of(name))
        if is_alone:
            schema.pop("$defs")
            schema = cast("Json", _without_outcomes(schema))  # an object stays one
            known = {key: cast("Json", _without_outcomes(form)) for key, form in _known().items()}
            schema["$defs"] = _definitions(schema, known)
        properties = schema["properties"]
        assert isinstance(properties, dict)
        schema["properties"] = {**properties, "as_of": MOMENT}
        found.append(
            {"name": name, "description": schema.pop("description"), "input_schema": schema}
        )
    return found


def _without_outcomes(form: object) -> object:
    """Return a schema that no longer offers the outcome of an earlier step."""
    if isinstance(form, list):
        return [_without_outcomes(item) for item in form]
    if not isinstance(form, dict):
        return form
    options = [item for item in form.get("anyOf", ()) if item != _AN_OUTCOME]
    if len(options) == 1:
        return _without_outcomes({**{k: v for k, v in form.items() if k != "anyOf"}, **options[0]})
    kept = {**form, "anyOf": options} if options else form
    return {key: _without_outcomes(item) for key, item in kept.items()}


def _or_outcome(schema: Json) -> Json:
    """Allow a reference to an earlier outcome; any text may be one already."""
    if schema.get("type") == "string" and "format" not in schema:
        return schema
    if schema == _AN_OUTCOME:
        return schema
    options = schema.get("anyOf")
    return {"anyOf": [*(options if isinstance(options, list) else [schema]), _AN_OUTCOME]}


_SIMPLE: Final[Mapping[object, Json]] = {
    str: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    NoneType: {"type": "null"},
    Moment: MOMENT,
}


def _schema(hint: object) -> Json:
    """Return the schema of one kind of argument."""
    origin, parts = get_origin(hint), get_args(hint)
    if isinstance(hint, type) and hint in _SIMPLE:
        return _SIMPLE[hint]
    if origin in {UnionType, Union}:
        return {"anyOf": [_schema(part) for part in parts]}
    if origin is Literal:
        return {"enum": list(parts)}
    if origin in {tuple, Sequence}:
        return _list_schema(parts)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return {"enum": [item.value for item in hint]}
    is_shape = hint is Hop or hint in _SHAPES
    return {"$ref": f"#/$defs/{hint.__name__ if is_shape else 'Outcome'}"}  # type: ignore[attr-defined]  # shapes are classes


def _list_schema(parts: tuple[object, ...]) -> Json:
    if len(parts) > 1 and parts[-1] is not Ellipsis:
        items = [_schema(part) for part in parts]
        return {"type": "array", "prefixItems": items, "minItems": len(items), "items": False}
    inner = _schema(parts[0])
    is_set = get_origin(parts[0]) in {tuple, Sequence, UnionType} and "anyOf" not in inner
    return {"type": "array", "items": _or_outcome(inner) if is_set else inner}


def _shape_schema(shape: type) -> Json:
    """Return the schema of a class whose fields are its JSON."""
    assert is_dataclass(shape)
    hints = get_type_hints(shape)
    return {
        "description": inspect.cleandoc(shape.__doc__ or "").replace("``", "`"),
        "type": "object",
        "properties": {f.name: _schema(hints[f.name]) for f in fields(shape)},
        "required": [f.name for f in fields(shape) if f.default is MISSING],
        "additionalProperties": False,
    }


@cache
def _known() -> Mapping[str, Json]:
    """Return the schemas of what arguments are made of, by their names."""
    shapes = {shape.__name__: _shape_schema(shape) for shape in _SHAPES}
    return {"Outcome": _OUTCOME, "Hop": _HOP, **shapes}


def _definitions(form: Json, known: Mapping[str, Json]) -> Json:
    """Return those of the ``known`` schemas that a schema names, and those that these name."""
    wanted, found = [form], Json()
    while wanted:
        for name in re.findall(r"#/\$defs/(\w+)", str(wanted.pop())):
            if name not in found:
                found[name] = known[name]
                wanted.append(known[name])
    return found

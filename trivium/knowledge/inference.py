"""Completes a declared schema from the data: types, ends, property kinds, effects, risk."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from trivium.domain.knowledge import Edge, Node, Value
from trivium.domain.schema import (
    Effect,
    NodeType,
    Property,
    PropertyKind,
    RelationType,
    RiskModel,
    Schema,
)
from trivium.knowledge.declared import (
    DeclaredRelation,
    DeclaredSchema,
    DeclaredType,
    description_of,
)
from trivium.language.text import fold, spoken, stems
from trivium.language.units import unit_told
from trivium.language.words import general_words

_MAX_CATEGORY_VALUES: Final = 200
_MAX_CATEGORY_WORDS: Final = 4
_RESTING: Final = frozenset({"by", "in", "at", "on", "from"})
"""Last words of relations whose source rests on its target, whatever the verb."""
_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d(?:[T ].*)?$")
VALID_FROM: Final = ("valid_from", "effective_date")
VALID_TO: Final = ("valid_to", "expired_date")


def complete(declared: DeclaredSchema, nodes: Sequence[Node], edges: Sequence[Edge]) -> Schema:
    """Return the schema that a data set declares, with what it leaves open read from the data."""
    node_values = _values_by_owner((node.type, node.properties) for node in nodes)
    edge_values = _values_by_owner((edge.type, edge.properties) for edge in edges)
    types = {entry.name: entry for entry in declared.node_types}
    relations: dict[str, list[DeclaredRelation]] = defaultdict(list)
    for entry in declared.relation_types:
        relations[entry.name].append(entry)
    node_types = {
        name: _node_type(name, types.get(name), node_values.get(name, {}), declared)
        for name in dict.fromkeys([*types, *sorted(node_values)])
    }
    type_of = {node.id: node.type for node in nodes}
    ends = _ends(edges, type_of)
    relation_types = {
        name: _relation_type(
            name, relations.get(name, []), ends.get(name, {}), edge_values.get(name, {}), declared
        )
        for name in dict.fromkeys([*relations, *sorted(edge_values)])
    }
    return Schema(
        name=declared.name or "data",
        as_of=declared.as_of,
        node_types=node_types,
        relation_types=relation_types,
        valid_from=tuple(declared.valid_from) or VALID_FROM,
        valid_to=tuple(declared.valid_to) or VALID_TO,
        risk=_risk(declared, node_types.values()),
    )


def merge(schemas: Sequence[Schema]) -> Schema:
    """Return one schema for all data sets of a home; the first one to say a thing wins."""
    if len(schemas) <= 1:
        return schemas[0] if schemas else Schema()
    node_types: dict[str, NodeType] = {}
    relation_types: dict[str, RelationType] = {}
    for schema in schemas:
        for name, node_type in schema.node_types.items():
            known = node_types.get(name)
            node_types[name] = _joined_types(known, node_type) if known else node_type
        for name, relation in schema.relation_types.items():
            told = relation_types.get(name)
            relation_types[name] = _joined_relations(told, relation) if told else relation
    eventful = [s for s in schemas if any(t.is_event for t in s.node_types.values())]
    return Schema(
        name=" + ".join(s.name for s in schemas),
        as_of=min((s.as_of for s in schemas if s.as_of), default=None),
        node_types=node_types,
        relation_types=relation_types,
        valid_from=tuple(dict.fromkeys(f for s in schemas for f in s.valid_from)),
        valid_to=tuple(dict.fromkeys(f for s in schemas for f in s.valid_to)),
        risk=(eventful or schemas)[0].risk,
    )


def _joined_types(first: NodeType, other: NodeType) -> NodeType:
    return replace(
        first,
        description=first.description or other.description,
        properties=_joined_properties(first.properties, other.properties),
        words=tuple(dict.fromkeys([*first.words, *other.words])),
        is_event=first.is_event or other.is_event,
    )


def _joined_relations(first: RelationType, other: RelationType) -> RelationType:
    return replace(
        first,
        ends=tuple(dict.fromkeys([*first.ends, *other.ends])),
        description=first.description or other.description,
        properties=_joined_properties(first.properties, other.properties),
        words=tuple(dict.fromkeys([*first.words, *other.words])),
    )


def _joined_properties(
    first: Mapping[str, Property], other: Mapping[str, Property]
) -> dict[str, Property]:
    joined = {**first, **other}
    for name in first.keys() & other.keys():
        a, b = first[name], other[name]
        joined[name] = replace(
            a,
            description=a.description or b.description,
            values=tuple(sorted({*a.values, *b.values})),
            words=tuple(dict.fromkeys([*a.words, *b.words])),
        )
    return joined


_Values = Mapping[str, list[Value]]


def _values_by_owner(rows: Iterable[tuple[str, Mapping[str, Value]]]) -> dict[str, _Values]:
    found: dict[str, dict[str, list[Value]]] = defaultdict(lambda: defaultdict(list))
    for owner, properties in rows:
        by_name = found[owner]
        for name, value in properties.items():
            if value is None:
                by_name[name]  # an empty column is a property all the same
            else:
                by_name[name].append(value)
    return {owner: dict(by_name) for owner, by_name in found.items()}


def _node_type(
    name: str, entry: DeclaredType | None, found: _Values, declared: DeclaredSchema
) -> NodeType:
    properties = _properties(entry.properties if entry else {}, found, declared)
    words = [*(entry.words if entry else []), *declared.words.get(name, [])]
    return NodeType(
        name=name,
        description=entry.description if entry else "",
        properties=properties,
        words=tuple(words),
        is_event=severity_of(properties.values()) is not None,
    )


def _relation_type(
    name: str,
    entries: Sequence[DeclaredRelation],
    seen_ends: Mapping[tuple[str, str], None],
    found: _Values,
    declared: DeclaredSchema,
) -> RelationType:
    told_ends = [(s, t) for entry in entries for s in entry.source for t in entry.target]
    told: dict[str, object] = {}
    for entry in entries:
        told.update(entry.properties)
    effects = [entry.effect for entry in entries if entry.effect]
    return RelationType(
        name=name,
        ends=tuple(dict.fromkeys([*told_ends, *seen_ends])),
        description=" ".join(entry.description for entry in entries if entry.description),
        properties=_properties(told, found, declared),
        words=tuple(w for e in entries for w in e.words) + tuple(declared.words.get(name, [])),
        effect=Effect(effects[0])
        if effects and effects[0] in {*map(str, Effect)}
        else effect_of(name),
    )


def effect_of(name: str) -> Effect:
    """Tell from a relation's verb in which direction a fault runs along it.

    >>> effect_of("SUPPLIES"), effect_of("DEPENDS_ON"), effect_of("SERVED_BY")
    (<Effect.FORWARD: 'forward'>, <Effect.BACKWARD: 'backward'>, <Effect.BACKWARD: 'backward'>)
    """
    parts = stems(spoken(name))
    effects = general_words().effects
    for length in (3, 2, 1):
        for first in range(len(parts) - length + 1):
            direction = effects.get(" ".join(parts[first : first + length]))
            if direction and first == 0:
                return Effect(direction)
    return Effect.BACKWARD if parts[-1:] and parts[-1] in _RESTING else Effect.FORWARD


def _properties(
    told: Mapping[str, object], found: _Values, declared: DeclaredSchema
) -> dict[str, Property]:
    return {
        name: _property(name, told.get(name), found.get(name, []), declared)
        for name in dict.fromkeys([*told, *sorted(found)])
    }


def _property(
    name: str, entry: object, found: Sequence[Value], declared: DeclaredSchema
) -> Property:
    kind = _kind(found)
    texts = sorted({str(v) for v in found}) if kind is PropertyKind.CATEGORY else []
    general = declared.properties.get(name)
    description = description_of(entry) or description_of(general)
    return Property(
        name=name,
        description=description,
        kind=kind,
        values=tuple(texts),
        unit=unit_told(name, description) if kind is PropertyKind.NUMBER else None,
        words=tuple(declared.words.get(name, [])),
    )


def _kind(found: Sequence[Value]) -> PropertyKind:
    if not found:
        return PropertyKind.TEXT
    if all(isinstance(v, bool) for v in found):
        return PropertyKind.BOOLEAN
    if all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in found):
        return PropertyKind.NUMBER
    texts = {str(v) for v in found}
    if all(_DATE.match(text) for text in texts):
        return PropertyKind.DATE
    is_short = all(len(text.split()) <= _MAX_CATEGORY_WORDS for text in texts)
    is_few = len(texts) <= _MAX_CATEGORY_VALUES
    return PropertyKind.CATEGORY if is_short and is_few else PropertyKind.TEXT


def _ends(
    edges: Iterable[Edge], type_of: Mapping[str, str]
) -> dict[str, dict[tuple[str, str], None]]:
    found: dict[str, dict[tuple[str, str], None]] = defaultdict(dict)
    for edge in edges:
        source, target = type_of.get(edge.source), type_of.get(edge.target)
        if source and target:
            found[edge.type][source, target] = None
    return found


def severity_of(properties: Iterable[Property]) -> Property | None:
    """Return the property that says how grave an event is, where there is one."""
    names = general_words().severity_properties
    return next((p for p in properties if p.name in names), None)


def _risk(declared: DeclaredSchema, node_types: Iterable[NodeType]) -> RiskModel:
    """Read how risk spreads: what the schema says, then what the event types look like."""
    words = general_words()
    events = [t for t in node_types if t.is_event]
    if not events:
        return RiskModel()
    properties = events[0].properties
    severity = severity_of(properties.values())
    name = severity.name if severity else RiskModel().severity_property
    told = declared.severity or declared.scales.get(name) or {}
    status = _status(properties.values(), words.open_values)
    return RiskModel(
        severity_property=name,
        weights={fold(k): float(v) for k, v in (told or words.severity).items()},
        decay=tuple(declared.decay) or RiskModel().decay,
        status_property=status,
        open_values=words.open_values,
        started_property=_first(words.started_properties, properties),
        ended_property=_first(words.ended_properties, properties),
    )


def _status(properties: Iterable[Property], open_values: Sequence[str]) -> str:
    """Return the property of which one value says that the event is open."""
    for item in properties:
        if item.kind is PropertyKind.CATEGORY and {fold(v) for v in item.values} & set(open_values):
            return item.name
    return RiskModel().status_property


def _first(names: Sequence[str], properties: Mapping[str, Property]) -> str:
    return next((name for name in names if name in properties), names[0])

"""Knowledge to and from the JSON form in which the journal keeps it."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from sys import intern
from typing import Final, cast

from trivium.domain.knowledge import Document, Edge, Fact, Node, Value
from trivium.domain.schema import (
    Effect,
    NodeType,
    Property,
    PropertyKind,
    RelationType,
    RiskModel,
    Schema,
)
from trivium.domain.time import ALWAYS, Validity

Payload = Mapping[str, object]
_EVERYBODY: Final = "*"
"""Stands in ``acl`` of what everyone may read."""


def allowed(payload: Payload) -> tuple[str, ...] | None:
    """Return who alone may see an item; ``None`` for everybody.

    >>> allowed({"acl": ["ann"]}), allowed({"acl": []}), allowed({"acl": ["ann", "*"]})
    (('ann',), None, None)
    """
    names = _texts(payload.get("acl"))
    return None if not names or _EVERYBODY in names else names


def node_payload(node: Node, valid_from: str | None, valid_to: str | None) -> dict[str, object]:
    """Return the JSON form of an entity; validity is kept as it was written."""
    return {
        "id": node.id,
        "type": node.type,
        "name": node.name,
        "aliases": list(node.aliases),
        "properties": dict(node.properties),
        "valid_from": valid_from,
        "valid_to": valid_to,
        "acl": list(node.acl),
    }


def node_from_payload(payload: Payload) -> Node:
    """Return the entity of a ``PUT_NODE``."""
    return Node(
        id=intern(str(payload["id"])),
        type=intern(str(payload["type"])),
        name=str(payload["name"]),
        aliases=_texts(payload.get("aliases")),
        properties=_properties(payload),
        validity=_validity(payload),
        acl=_texts(payload.get("acl")),
    )


def edge_payload(edge: Edge, valid_from: str | None, valid_to: str | None) -> dict[str, object]:
    """Return the JSON form of a relation; validity is kept as it was written."""
    return {
        "source": edge.source,
        "target": edge.target,
        "type": edge.type,
        "properties": dict(edge.properties),
        "valid_from": valid_from,
        "valid_to": valid_to,
        "acl": list(edge.acl),
    }


def edge_from_payload(key: str, payload: Payload) -> Edge:
    """Return the relation of a ``PUT_EDGE``."""
    return Edge(
        key=key,
        source=intern(str(payload["source"])),
        target=intern(str(payload["target"])),
        type=intern(str(payload["type"])),
        properties=_properties(payload),
        validity=_validity(payload),
        acl=_texts(payload.get("acl")),
    )


def fact_payload(fact: Fact) -> dict[str, object]:
    """Return the JSON form of a fact; its version is the change's sequence."""
    form = asdict(replace(fact, earlier=()))
    del form["version"], form["earlier"]
    return form | ({"earlier": earlier_rows(fact)} if fact.earlier else {})


def earlier_rows(fact: Fact) -> list[list[Value]]:
    """Return what was said before a fact as JSON: value, unit, date and source of each."""
    return [[f.value, f.unit, f.as_of, f.source] for f in fact.earlier]


def with_earlier(fact: Fact, rows: object) -> Fact:
    """Return a fact with what ``earlier_rows`` told; the number of the change is the fact's."""
    told = cast("Sequence[tuple[Value, str | None, str | None, str]]", rows)  # our own form
    return replace(
        fact,
        earlier=tuple(
            replace(fact, value=value, unit=unit, as_of=as_of, source=source, earlier=())
            for value, unit, as_of, source in told
        ),
    )


def fact_from_payload(payload: Payload, version: int) -> Fact:
    """Return the fact of a ``PUT_FACT``."""
    fact = Fact(
        entity=str(payload["entity"]),
        attribute=str(payload["attribute"]),
        value=cast("Value", payload["value"]),  # the loader let only values in
        unit=_text(payload.get("unit")),
        as_of=_text(payload.get("as_of")),
        source=str(payload.get("source") or ""),
        version=version,
    )
    return with_earlier(fact, payload.get("earlier") or ())


def document_payload(
    document: Document, valid_from: str | None, valid_to: str | None
) -> dict[str, object]:
    """Return the JSON form of a document."""
    return {
        "id": document.id,
        "title": document.title,
        "text": document.text,
        "date": document.date,
        "valid_from": valid_from,
        "valid_to": valid_to,
        "supersedes": list(document.supersedes),
        "acl": list(document.acl),
        "path": document.path,
    }


def document_from_payload(payload: Payload) -> Document:
    """Return the document of a ``PUT_DOCUMENT``."""
    return Document(
        id=str(payload["id"]),
        title=str(payload["title"]),
        text=str(payload["text"]),
        date=_text(payload.get("date")),
        validity=_validity(payload),
        supersedes=_texts(payload.get("supersedes")),
        acl=_texts(payload.get("acl")),
        path=str(payload.get("path") or ""),
    )


def schema_payload(schema: Schema) -> dict[str, object]:
    """Return the JSON form of a schema."""
    return asdict(schema)


def schema_from_payload(payload: Payload) -> Schema:
    """Return the schema of a ``SET_SCHEMA``."""
    node_types = cast("Mapping[str, Payload]", payload["node_types"])  # as schema_payload made it
    relation_types = cast("Mapping[str, Payload]", payload["relation_types"])
    risk = cast("dict[str, object]", payload["risk"])
    return Schema(
        name=str(payload["name"]),
        as_of=_text(payload.get("as_of")),
        node_types={name: _node_type(item) for name, item in node_types.items()},
        relation_types={name: _relation_type(item) for name, item in relation_types.items()},
        valid_from=_texts(payload["valid_from"]),
        valid_to=_texts(payload["valid_to"]),
        risk=_risk(risk),
    )


def _risk(payload: Payload) -> RiskModel:
    weights = cast("Mapping[str, float]", payload["weights"])
    decay = cast("Sequence[float]", payload["decay"])
    return RiskModel(
        severity_property=str(payload["severity_property"]),
        weights=dict(weights),
        decay=tuple(decay),
        status_property=str(payload["status_property"]),
        open_values=_texts(payload["open_values"]),
        started_property=str(payload["started_property"]),
        ended_property=str(payload["ended_property"]),
    )


def _node_type(payload: Payload) -> NodeType:
    return NodeType(
        name=str(payload["name"]),
        description=str(payload["description"]),
        properties=_property_map(payload),
        words=_texts(payload["words"]),
        is_event=bool(payload["is_event"]),
    )


def _relation_type(payload: Payload) -> RelationType:
    ends = cast("Sequence[Sequence[str]]", payload["ends"])
    return RelationType(
        name=str(payload["name"]),
        ends=tuple((source, target) for source, target in ends),
        description=str(payload["description"]),
        properties=_property_map(payload),
        words=_texts(payload["words"]),
        effect=Effect(str(payload["effect"])),
    )


def _property_map(payload: Payload) -> dict[str, Property]:
    items = cast("Mapping[str, Payload]", payload["properties"])
    return {
        name: Property(
            name=name,
            description=str(item["description"]),
            kind=PropertyKind(str(item["kind"])),
            values=_texts(item["values"]),
            unit=_text(item["unit"]),
            words=_texts(item["words"]),
        )
        for name, item in items.items()
    }


def _validity(payload: Payload) -> Validity:
    first, last = _text(payload.get("valid_from")), _text(payload.get("valid_to"))
    return ALWAYS if first is None and last is None else Validity.of(first, last)


def _properties(payload: Payload) -> dict[str, Value]:
    return dict(cast("Mapping[str, Value]", payload.get("properties") or {}))


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _texts(value: object) -> tuple[str, ...]:
    return tuple(str(item) for item in cast("Sequence[object]", value or ()))

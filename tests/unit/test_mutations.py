"""Mutations as pure functions: what is wanted and what is held give changes, or all the faults."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from trivium.domain.errors import InputError
from trivium.domain.knowledge import Change, ChangeKind, Edge, Node
from trivium.domain.mutation import (
    AddEntity,
    AddEvent,
    AddRelationship,
    ExpireRelationship,
    Mutation,
    RemoveEntity,
)
from trivium.domain.payloads import edge_payload, node_payload, schema_payload
from trivium.domain.schema import NodeType, Property, PropertyKind, RelationType, RiskModel, Schema
from trivium.knowledge.held import Held, completed
from trivium.knowledge.mutations import changes_for

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
SCHEMA = Schema(
    as_of="2026-08-01",
    node_types={
        "Branch": NodeType(
            name="Branch",
            properties={
                "seats": Property(name="seats", kind=PropertyKind.NUMBER),
                "opened": Property(name="opened", kind=PropertyKind.DATE),
                "is_open": Property(name="is_open", kind=PropertyKind.BOOLEAN),
                "note": Property(name="note"),
            },
        ),
        "Title": NodeType(name="Title"),
        "Outage": NodeType(
            name="Outage",
            is_event=True,
            properties={
                "severity": Property(name="severity", kind=PropertyKind.CATEGORY),
                "date": Property(name="date", kind=PropertyKind.DATE),
            },
        ),
    },
    relation_types={
        "HOLDS": RelationType(name="HOLDS", ends=(("Branch", "Title"),)),
        "HITS": RelationType(name="HITS", ends=(("Outage", "Branch"),)),
    },
    risk=RiskModel(),
)


def held(*, edges: tuple[Change, ...] = (), schema: Schema = SCHEMA) -> Held:
    nodes = [("b1", "Branch"), ("b2", "Branch"), ("t1", "Title")]
    puts = [
        Change(kind=ChangeKind.SET_SCHEMA, key="schema", payload=schema_payload(schema)),
        *(
            Change(
                kind=ChangeKind.PUT_NODE,
                key=key,
                source="library",
                payload=node_payload(Node(id=key, type=kind, name=key), None, None),
            )
            for key, kind in nodes
        ),
    ]
    return Held.of([*puts, *edges])


def holds(key: str, start: str | None = None, end: str | None = None) -> Change:
    edge = Edge(key=key, source="b1", target="t1", type="HOLDS")
    payload = edge_payload(edge, start, end)
    return Change(kind=ChangeKind.PUT_EDGE, key=key, source="library", payload=payload)


def made(*mutations: Mutation, on: Held | None = None) -> tuple[Change, ...]:
    return changes_for(mutations, on or held(), author="ann", now=NOW)


def faults(*mutations: Mutation, on: Held | None = None) -> list[tuple[str, str]]:
    with pytest.raises(InputError) as caught:
        made(*mutations, on=on)
    return list(caught.value.errors)


def test_a_mutation_sees_those_before_it():
    changes = made(
        AddEntity(id="t2", type="Title"),
        AddRelationship(source="b1", type="HOLDS", target="t2"),
        RemoveEntity(id="t2"),
    )

    assert [change.kind for change in changes] == [
        ChangeKind.PUT_NODE,
        ChangeKind.PUT_EDGE,
        ChangeKind.DROP_EDGE,
        ChangeKind.DROP_NODE,
    ]
    assert {change.source for change in changes} == {"mutations"}


def test_what_a_data_set_says_is_changed_where_it_is_held():
    (change,) = made(AddEntity(id="b1", type="Branch", properties={"seats": 3}))

    assert (change.source, change.author) == ("library", "ann")
    assert change.payload["properties"] == {"seats": 3}


@pytest.mark.parametrize(
    ("properties", "field"),
    [
        ({"seats": "many"}, "seats"),
        ({"seats": True}, "seats"),
        ({"seats": float("nan")}, "seats"),
        ({"note": ["a", float("inf")]}, "note"),
        ({"note": {"a": 1}}, "note"),
        ({"note": [["a"]]}, "note"),
        ({"opened": "soon"}, "opened"),
        ({"is_open": "yes"}, "is_open"),
        ({"colour": "red"}, "colour"),
        ({"valid_to": "2026-01-01"}, "valid_to"),
    ],
)
def test_a_value_that_does_not_fit_its_property_is_refused(
    properties: dict[str, object], field: str
):
    found = faults(AddEntity(id="b3", type="Branch", properties=properties))

    assert [where for where, _ in found] == [f"mutations.0.properties.{field}"]


def test_values_that_fit_are_kept_and_lists_are_joined():
    given = {"seats": 2.5, "opened": "2026-01-01", "is_open": False, "note": ["a", 1]}
    (change,) = made(AddEntity(id="b3", type="Branch", properties={**given, "seats": None}))

    assert change.payload["properties"] == {**given, "seats": None, "note": "a, 1"}


def test_every_fault_is_told_with_its_place():
    found = faults(
        AddEntity(id=" ", type="Branch"),
        AddEntity(id="b1", type="Title"),
        AddRelationship(source="t1", type="HOLDS", target="b1"),
        AddRelationship(source="b1", type="OWNS", target="x"),
        AddRelationship(
            source="b1", type="HOLDS", target="t1", valid_from="2026-02-01", valid_to="2026-01-01"
        ),
    )

    assert [where for where, _ in found] == [
        "mutations.0.id",
        "mutations.1.type",
        "mutations.2.type",
        "mutations.3.target",
        "mutations.3.type",
        "mutations.4.valid_to",
    ]
    assert "from Branch to Title" in dict(found)["mutations.2.type"]


def test_the_name_of_the_loader_is_nobody_elses():
    with pytest.raises(InputError, match="loader"):
        changes_for([RemoveEntity(id="b1")], held(), author="loader", now=NOW)


def test_an_expired_relation_ends_now_and_keeps_all_else():
    (change,) = made(
        ExpireRelationship(source="b1", type="HOLDS", target="t1"),
        on=held(edges=(holds("h", "2026-01-01"),)),
    )

    assert (change.source, change.key) == ("library", "h")
    assert change.payload["valid_from"] == "2026-01-01"
    assert change.payload["valid_to"] == "2026-08-01T00:00:00+00:00"


def test_now_is_the_clocks_where_the_data_is_not_frozen():
    alive = held(edges=(holds("h"),), schema=replace(SCHEMA, as_of=None))

    (change,) = made(ExpireRelationship(source="b1", type="HOLDS", target="t1"), on=alive)

    assert change.payload["valid_to"] == "2026-05-01T12:00:00+00:00"


def test_a_relation_that_is_over_is_not_ended_again_without_a_date():
    over = held(edges=(holds("h", None, "2026-01-31"),))

    assert made(ExpireRelationship(source="b1", type="HOLDS", target="t1"), on=over) == ()


def test_of_several_alike_the_one_that_is_open_is_meant():
    alike = (holds("h1", None, "2026-01-31"), holds("h2", "2026-02-01"))
    expire = ExpireRelationship(source="b1", type="HOLDS", target="t1", valid_to="2026-03-01")

    (change,) = made(expire, on=held(edges=alike))
    assert change.key == "h2"

    both_open = held(edges=(holds("h1"), holds("h2")))
    assert faults(expire, on=both_open)[0][0] == "mutations.0.key"
    (named,) = made(replace(expire, key="h1"), on=held(edges=alike))
    assert named.key == "h1"


def test_an_end_before_the_beginning_is_refused():
    late = held(edges=(holds("h", "2026-06-01"),))
    expire = ExpireRelationship(source="b1", type="HOLDS", target="t1", valid_to="2026-01-01")

    assert faults(expire, on=late)[0][0] == "mutations.0.valid_to"
    assert faults(replace(expire, valid_to="soon"), on=late)[0][0] == "mutations.0.valid_to"


def test_an_event_finds_its_type_and_its_relation_in_the_schema():
    event = AddEvent(id="o1", severity="High", date="2026-07-01", affects=("b1", "b2"))

    node, *edges = made(event)

    assert node.payload["type"] == "Outage"
    assert node.payload["properties"] == {"severity": "High", "date": "2026-07-01"}
    assert [(edge.payload["type"], edge.payload["target"]) for edge in edges] == [
        ("HITS", "b1"),
        ("HITS", "b2"),
    ]


def test_an_event_that_fits_no_schema_is_refused():
    assert faults(AddEvent(id="o1", severity="odd"))[0][0] == "mutations.0.severity"
    assert faults(AddEvent(id="o1", affects=("t1",)))[0][0] == "mutations.0.relation"
    assert faults(AddEvent(id="o1", affects=("x",)))[0][0] == "mutations.0.affects"
    assert faults(AddEvent(id="o1", type="Branch"))[0][0] == "mutations.0.type"


def test_what_rests_on_a_dropped_entity_is_dropped_before_it():
    drop = Change(kind=ChangeKind.DROP_NODE, key="b1", source="library")

    whole = completed([drop], held(edges=(holds("h"),)))

    assert [(change.kind, change.key) for change in whole] == [
        (ChangeKind.DROP_EDGE, "h"),
        (ChangeKind.DROP_NODE, "b1"),
    ]


def test_another_source_speaks_again_when_the_last_one_to_speak_falls_silent():
    said = Node(id="b1", type="Branch", name="other")
    payload = node_payload(said, None, None)
    other = Change(kind=ChangeKind.PUT_NODE, key="b1", source="other", payload=payload)
    drop = Change(kind=ChangeKind.DROP_NODE, key="b1", source="other")

    whole = completed([drop], held(edges=(holds("h"), other)))

    assert [(change.kind, change.source) for change in whole] == [
        (ChangeKind.DROP_NODE, "library"),
        (ChangeKind.PUT_NODE, "library"),
        (ChangeKind.DROP_NODE, "other"),
    ]

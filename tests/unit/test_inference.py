"""What a schema leaves open, read from the data."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trivium.domain.knowledge import Edge, Node, Value
from trivium.domain.schema import Effect, NodeType, PropertyKind, RelationType, RiskModel, Schema
from trivium.knowledge.declared import DeclaredSchema
from trivium.knowledge.inference import complete, effect_of, merge


def node(node_id: str, node_type: str = "T", **properties: Value) -> Node:
    return Node(id=node_id, type=node_type, name=node_id, properties=properties)


def edge(source: str, target: str, relation: str = "R", **properties: Value) -> Edge:
    key = f"{source}{relation}{target}"
    return Edge(key=key, source=source, target=target, type=relation, properties=properties)


def schema_of(*things: Node | Edge, **declared: object) -> Schema:
    return complete(
        DeclaredSchema.model_validate(declared),
        [t for t in things if isinstance(t, Node)],
        [t for t in things if isinstance(t, Edge)],
    )


def kind_of(*values: Value) -> PropertyKind:
    nodes = [node(f"n{i}", x=value) for i, value in enumerate(values)]
    return schema_of(*nodes).node_types["T"].properties["x"].kind


# --- types and ends ------------------------------------------------------------------------------


def test_nothing_makes_an_empty_schema():
    schema = schema_of()
    assert (schema.name, schema.as_of) == ("data", None)
    assert (dict(schema.node_types), dict(schema.relation_types)) == ({}, {})


def test_types_and_ends_are_read_from_the_data():
    schema = schema_of(
        node("a", "Mill"), node("b", "Part"), node("c", "Mill"),
        edge("a", "b", "MAKES"), edge("c", "b", "MAKES"), edge("a", "c", "MAKES"),
    )  # fmt: skip
    assert list(schema.node_types) == ["Mill", "Part"]
    assert list(schema.relation_types) == ["MAKES"]
    assert set(schema.relation_types["MAKES"].ends) == {("Mill", "Part"), ("Mill", "Mill")}
    assert {(s, t) for s, _, t in schema.triples()} == {("Mill", "Part"), ("Mill", "Mill")}


def test_what_is_declared_and_what_is_found_are_joined():
    schema = schema_of(
        node("a", "Mill", size=3), node("b", "Shop"), edge("a", "b", "SENDS_TO", load=2.5),
        node_types=[{"name": "Mill", "description": "A plant.", "properties": {"age": "years"}}],
        relation_types=[{"name": "SENDS_TO", "source": "Mill", "target": "Mill"}],
    )  # fmt: skip
    mill = schema.node_types["Mill"]
    assert mill.description == "A plant."
    assert {n: p.kind for n, p in mill.properties.items()} == {
        "age": PropertyKind.TEXT, "size": PropertyKind.NUMBER,
    }  # fmt: skip
    assert mill.properties["age"].description == "years"
    assert list(schema.node_types) == ["Mill", "Shop"]
    sends = schema.relation_types["SENDS_TO"]
    assert sends.ends == (("Mill", "Mill"), ("Mill", "Shop"))
    assert sends.properties["load"].kind is PropertyKind.NUMBER


def test_one_relation_may_be_declared_for_several_pairs():
    schema = schema_of(
        relation_types=[
            {"name": "HOLDS", "source": ["A", "B"], "target": "C", "properties": {"n": "count"}},
            {"name": "HOLDS", "source": "C", "target": "A", "description": "Back."},
        ]
    )
    holds = schema.relation_types["HOLDS"]
    assert set(holds.ends) == {("A", "C"), ("B", "C"), ("C", "A")}
    assert (holds.description, list(holds.properties)) == ("Back.", ["n"])


def test_types_with_odd_names_stay_apart():
    """G06."""
    names = ["Person-Name", "Person_Name", "PersonName", "City/State", "Entity@Type#123"]
    nodes = [node(f"n{i}", name) for i, name in enumerate(names)]
    edges = [edge("n0", f"n{i}", name) for i, name in enumerate(names)]
    schema = schema_of(*nodes, *edges)
    assert set(schema.node_types) == set(schema.relation_types) == set(names)


# --- properties ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ((1, 2.5, None), PropertyKind.NUMBER),
        ((0,), PropertyKind.NUMBER),
        ((True, False, None), PropertyKind.BOOLEAN),
        ((True, 1), PropertyKind.CATEGORY),
        (("2024-02-16", "2025-01-01"), PropertyKind.DATE),
        (("2024-02-16T10:00:00Z", "2024-02-16"), PropertyKind.DATE),
        (("2024-02-16", "soon"), PropertyKind.CATEGORY),
        (("high", "low", "high"), PropertyKind.CATEGORY),
        (("makes bolts and panels for the navy", "high"), PropertyKind.TEXT),
        ((None, None), PropertyKind.TEXT),
        ((1, "two"), PropertyKind.CATEGORY),
    ],
)
def test_the_kind_of_a_property_is_that_of_its_values(
    values: tuple[Value, ...], kind: PropertyKind
):
    assert kind_of(*values) is kind


def test_the_values_of_a_category_are_all_known_and_sorted():
    nodes = [node(f"n{i}", x=value) for i, value in enumerate(["low", "high", "low", None])]
    assert schema_of(*nodes).node_types["T"].properties["x"].values == ("high", "low")


def test_a_text_that_is_different_everywhere_is_no_category():
    assert kind_of(*(f"remark {i}" for i in range(500))) is PropertyKind.TEXT


def test_a_number_has_the_unit_that_its_name_tells():
    properties = schema_of(node("a", lead_time_days=3, price_eur=2, note_days="x")).node_types["T"]
    units = {name: p.unit for name, p in properties.properties.items()}
    assert units == {"lead_time_days": "days", "price_eur": "EUR", "note_days": None}


def test_words_and_descriptions_come_from_the_schema():
    schema = schema_of(
        node("a", "Mill", size=1), edge("a", "a", "FEEDS"),
        words={"Mill": ["plant"], "FEEDS": "fill", "size": ["bigness"]},
        properties={"size": {"description": "how big"}},
    )  # fmt: skip
    mill = schema.node_types["Mill"]
    assert mill.words == ("plant",)
    assert schema.relation_types["FEEDS"].words == ("fill",)
    assert (mill.properties["size"].words, mill.properties["size"].description) == (
        ("bigness",), "how big",
    )  # fmt: skip


# --- effects -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "effect"),
    [
        ("SUPPLIES", Effect.FORWARD),
        ("PRODUCES", Effect.FORWARD),
        ("DELIVERS_TO", Effect.FORWARD),
        ("AFFECTS", Effect.FORWARD),
        ("USES", Effect.BACKWARD),
        ("DEPENDS_ON", Effect.BACKWARD),
        ("dependsOn", Effect.BACKWARD),
        ("SUPPLIED_BY", Effect.BACKWARD),
        ("SERVED_BY", Effect.BACKWARD),
        ("LOCATED_IN", Effect.BACKWARD),
        ("REPLACES", Effect.NONE),
        ("CITES", Effect.NONE),
        ("", Effect.FORWARD),
        ("→", Effect.FORWARD),
    ],
)
def test_the_verb_tells_in_which_direction_a_fault_runs(name: str, effect: Effect):
    assert effect_of(name) is effect


def test_the_schema_may_say_the_direction():
    declared = [{"name": "SUPPLIES", "effect": "none"}, {"name": "USES", "effect": "sideways"}]
    relations = schema_of(relation_types=declared).relation_types
    assert relations["SUPPLIES"].effect is Effect.NONE
    assert relations["USES"].effect is Effect.BACKWARD


@given(st.text(max_size=20))
def test_any_name_has_an_effect(name: str):
    assert effect_of(name) in Effect


# --- risk ----------------------------------------------------------------------------------------


def test_what_has_a_severity_is_an_event():
    schema = schema_of(
        node("a", "Mill", size=1),
        node("e", "Outage", severity="sev1", status="ongoing", opened_at="2024-01-01",
             closed_at=None),
        node("f", "Outage", severity="sev3", status="over"),
    )  # fmt: skip
    assert [t.name for t in schema.node_types.values() if t.is_event] == ["Outage"]
    risk = schema.risk
    assert (risk.severity_property, risk.status_property) == ("severity", "status")
    assert (risk.started_property, risk.ended_property) == ("opened_at", "closed_at")
    assert risk.weights["sev1"] > risk.weights["sev3"] > 0
    assert risk.decay == RiskModel().decay


def test_the_schema_may_say_the_weights():
    event = node("e", "Outage", severity="Grave")
    for declared in ({"severity": {"Grave": 2}}, {"scales": {"severity": {"Grave": 2}}}):
        assert schema_of(event, **declared).risk.weights == {"grave": 2.0}
    assert schema_of(event, decay=[1, 0.5]).risk.decay == (1.0, 0.5)


def test_without_events_the_papers_figures_hold():
    assert schema_of(node("a")).risk == RiskModel()
    assert RiskModel().weights == {"critical": 1.0, "high": 0.7, "medium": 0.4, "low": 0.1}
    assert RiskModel().decay == (1.0, 0.6, 0.35, 0.2)


# --- several data sets ---------------------------------------------------------------------------


def test_one_data_set_keeps_its_schema():
    schema = schema_of(node("a"))
    assert merge([schema]) is schema
    assert merge([]) == Schema()


def test_several_data_sets_make_one_schema():
    first = schema_of(
        node("a", "Mill", size=1), node("b", "Part", kind="bolt"), edge("a", "b", "MAKES", n=1),
        name="one", as_of="2024-02-01",
    )  # fmt: skip
    second = schema_of(
        node("c", "Mill", age=2), node("d", "Shop"), node("b", "Part", kind="panel"),
        edge("c", "d", "MAKES", m=2), node("e", "Outage", gravity="high"),
        name="two", as_of="2024-01-01", valid_from="begins",
    )  # fmt: skip
    both = merge([first, second])

    assert both.name == "one + two"
    assert both.as_of == "2024-01-01"
    assert set(both.node_types) == {"Mill", "Part", "Shop", "Outage"}
    assert set(both.node_types["Mill"].properties) == {"size", "age"}
    assert both.node_types["Part"].properties["kind"].values == ("bolt", "panel")
    assert set(both.relation_types["MAKES"].ends) == {("Mill", "Part"), ("Mill", "Shop")}
    assert set(both.relation_types["MAKES"].properties) == {"n", "m"}
    assert both.risk == second.risk
    assert both.valid_from == ("valid_from", "effective_date", "begins")


def test_the_first_data_set_to_say_a_thing_wins():
    one = Schema(
        node_types={"T": NodeType(name="T", description="first")},
        relation_types={"R": RelationType(name="R", ends=(), effect=Effect.NONE)},
    )
    two = Schema(
        node_types={"T": NodeType(name="T", description="second", words=("thing",))},
        relation_types={"R": RelationType(name="R", ends=(), effect=Effect.BACKWARD)},
    )
    both = merge([one, two])
    assert both.node_types["T"].description == "first"
    assert both.node_types["T"].words == ("thing",)
    assert both.relation_types["R"].effect is Effect.NONE

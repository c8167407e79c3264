"""Plans said as Cypher: values are parameters, names are quoted."""

import pytest

from tiers.graphrag.operators.answers import Form
from tiers.graphrag.operators.conditions import Condition, Test
from tiers.graphrag.operators.figures import Formula, Group
from tiers.graphrag.operators.traversal import Hop
from tiers.graphrag.plans.plan import Plan, PlanBuilder
from tiers.graphrag.stores.cypher import facets_of
from tiers.graphrag.stores.dialects import LadybugCypher, Neo4jCypher, quoted
from tiers.graphrag.stores.showing import to_cypher
from trivium.domain.time import Moment

DAY = Moment.of("2026-08-01")
EVIL = "x`) DETACH DELETE n //"


def a_plan(builder: PlanBuilder) -> Plan:
    return Plan(steps=tuple(builder.steps), form=Form.NODES, understood="", template="")


def test_a_walk_is_matched_within_validity_and_returned():
    builder = PlanBuilder()
    start = builder.add("find_nodes", ids=("K-1",))
    builder.add(
        "follow", nodes=start, path=(Hop(relation="FEEDS", outgoing=True, to_type="Animal"),)
    )

    cypher, parameters = to_cypher(a_plan(builder), DAY)

    assert "// s1 = find_nodes\nUNWIND $p1 AS id\nMATCH (n:Entity {id: id})" in cypher
    assert "UNWIND $s1 AS start\nMATCH (n0:Entity {id: start})-[r1:`FEEDS`]->(n1:Entity)" in cypher
    assert "r1.since < $p2 AND r1.until > $p3" in cypher
    assert "n1.type = $p4" in cypher
    assert cypher.endswith("RETURN DISTINCT n0.id AS start, n1.id AS id")
    assert parameters == {"p1": ["K-1"], "p2": DAY.end, "p3": DAY.start, "p4": "Animal"}


def test_a_repeated_relation_runs_until_nothing_is_new():
    builder = PlanBuilder()
    start = builder.add("find_nodes", ids=("P-1",))
    hop = Hop(relation="NEEDS", outgoing=False, repeat="+")
    builder.add("follow", nodes=start, path=(hop,))

    cypher, _ = to_cypher(a_plan(builder), DAY)

    assert "(n0:Entity {id: start})<-[r1:`NEEDS`]-(n1:Entity)" in cypher
    assert cypher.endswith("// again from what is new, until nothing is")


def test_a_count_is_one_query_along_the_path():
    builder = PlanBuilder()
    hops = tuple(Hop(relation=name, outgoing=True) for name in ("OWNS", "FEEDS"))
    builder.add("aggregate_over_type", type="House", path=hops)

    cypher, _ = to_cypher(a_plan(builder), DAY)

    assert "WITH DISTINCT start, n1\nMATCH (n1)-[r2:`FEEDS`]->(n2:Entity)" in cypher
    assert cypher.endswith("RETURN start, count(DISTINCT n2.id) AS n")


def test_a_count_by_a_property_finds_what_it_counts_and_tells_the_group():
    builder = PlanBuilder()
    builder.add("aggregate_over_type", type="House", by=Group(property="region"))

    cypher, parameters = to_cypher(a_plan(builder), DAY)

    told, *query = cypher.splitlines()
    assert told.startswith("// s1 = aggregate_over_type(type: House, by: {'property': 'region'")
    assert query[0] == "MATCH (n:Entity)"
    assert query[-1] == "RETURN DISTINCT n.id AS id"
    assert "House" in parameters.values()


def test_a_sum_by_a_group_reads_the_property_and_never_counts_a_path():
    builder = PlanBuilder()
    start = builder.add("find_nodes", type="House")
    by = Group(property="opened", bucket="year")
    builder.add("aggregate_over_type", type="House", nodes=start, property="size", how="sum", by=by)

    cypher, parameters = to_cypher(a_plan(builder), DAY)

    assert cypher.count("UNWIND $s1 AS id\nMATCH (n:Entity {id: id})") == 1
    assert cypher.endswith(" AS number")
    assert "size" in parameters.values()


@pytest.mark.parametrize("evil", ["size", EVIL])
def test_a_formula_is_told_and_put_into_no_query(evil: str):
    builder = PlanBuilder()
    start = builder.add("find_nodes", type="House")
    formula = Formula(left=evil, how="-", right="limit")
    builder.add("node_values", nodes=start, property=formula)
    builder.add("aggregate_over_type", type="House", nodes=start, property=formula)
    builder.add(
        "group_by", nodes=start, relation="FEEDS", property=formula, how="max", outgoing=True
    )

    cypher, parameters = to_cypher(a_plan(builder), DAY)

    _, values, sums, groups = cypher.split(";\n")
    assert values.startswith("// s2 = node_values(")
    assert sums.startswith("// s3 = aggregate_over_type(")
    assert len(values.splitlines()) == len(sums.splitlines()) == 1
    assert groups.splitlines()[0].startswith("// s4 = group_by(")
    assert groups.endswith("RETURN r1.said AS said")
    assert not any("Formula" in str(value) for value in parameters.values())


def test_a_computation_shows_its_arguments_and_what_it_runs_over():
    builder = PlanBuilder()
    scores = builder.add("betweenness", type="House")
    builder.add("leaders", scores=scores, highest=True)

    cypher, _ = to_cypher(a_plan(builder), DAY)

    assert "// s1 = betweenness(type: House), over\nMATCH (a:Entity)-[r]->(b:Entity)" in cypher
    assert "// s2 = leaders(scores: $s1, highest: True)" in cypher


@pytest.mark.parametrize("value", [EVIL, "a' OR 1=1", "SUPPLIES`\t]->() DELETE n //", "\\u0060"])
def test_values_are_parameters_whatever_they_hold(value: str):
    builder = PlanBuilder()
    where = (Condition(property=value, test=Test.EQUALS, value=value),)
    builder.add("find_nodes", type="Animal", where=where)

    cypher, parameters = to_cypher(a_plan(builder), DAY)

    assert value not in cypher
    assert value in parameters.values()


@pytest.mark.parametrize("value", [EVIL, "\n MATCH (n) DETACH DELETE n", "\u2028CALL {}"])
def test_what_stands_in_a_comment_cannot_leave_it(value: str):
    builder = PlanBuilder()
    builder.add("get_node", id=value)

    cypher, _ = to_cypher(a_plan(builder), DAY)

    assert len(cypher.splitlines()) == 1
    assert cypher.startswith("// s1 = get_node(")


def test_a_back_tick_in_a_name_is_doubled():
    assert quoted(EVIL) == "`x``) DETACH DELETE n //`"
    assert Neo4jCypher().relation("A`\tB") == "`A``\tB`"
    assert LadybugCypher({"A": "a`b"}).relation("A") == "`a``b`"


def test_properties_are_kept_in_the_forms_that_are_compared():
    facets = facets_of({"a": "Ｂolt ", "b": 2, "c": True, "d": None, "e": "2024-02", "f": 10**400})

    assert facets["words"]["a"] == "bolt"
    assert facets["texts"] == {"a": "Ｂolt ", "e": "2024-02"}
    assert facets["numbers"] == {"b": 2.0, "c": 1.0}
    assert facets["firsts"]["e"] == Moment.of("2024-02-01").start
    assert facets["lasts"]["e"] == Moment.of("2024-02-29").end
    assert all("d" not in own for own in facets.values())

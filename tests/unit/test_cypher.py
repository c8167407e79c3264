"""Plans said as Cypher: values are parameters, names are quoted."""

import pytest

from tiers.graphrag.cypher import quoted, to_cypher
from tiers.graphrag.operators.answers import Form
from tiers.graphrag.operators.conditions import Condition, Test
from tiers.graphrag.operators.traversal import Hop
from tiers.graphrag.plan import Plan, PlanBuilder
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

    assert "MATCH (n) WHERE n.id IN $p2" in cypher
    assert "OPTIONAL MATCH (n0)-[r1:`FEEDS`]->(n1:`Animal`)" in cypher
    assert "coalesce(r1.valid_from <= $p1, true)" in cypher
    assert cypher.endswith("RETURN s2")
    assert parameters == {"p1": "2026-08-01", "p2": ["K-1"]}


def test_a_repeated_relation_has_a_length_and_holds_all_the_way():
    builder = PlanBuilder()
    start = builder.add("find_nodes", ids=("P-1",))
    hop = Hop(relation="NEEDS", outgoing=False, repeat="+")
    builder.add("follow", nodes=start, path=(hop,))

    cypher, _ = to_cypher(a_plan(builder), DAY)

    assert "(n0)<-[r1:`NEEDS`*1..]-(n1)" in cypher
    assert "all(r IN r1 WHERE coalesce(r.valid_from" in cypher


def test_what_cypher_has_no_words_for_is_a_comment():
    builder = PlanBuilder()
    scores = builder.add("betweenness", type="House")
    builder.add("leaders", scores=scores, highest=True)

    cypher, _ = to_cypher(a_plan(builder), DAY)

    assert "// s1 = betweenness(type: House)" in cypher


@pytest.mark.parametrize("value", [EVIL, "a' OR 1=1", "SUPPLIES`\t]->() DELETE n //", "\\u0060"])
def test_values_are_parameters_whatever_they_hold(value: str):
    builder = PlanBuilder()
    where = (Condition(property="species", test=Test.EQUALS, value=value),)
    builder.add("find_nodes", type="Animal", where=where)

    cypher, parameters = to_cypher(a_plan(builder), DAY)

    assert value not in cypher
    assert value in parameters.values()


def test_a_back_tick_in_a_name_is_doubled():
    assert quoted(EVIL) == "`x``) DETACH DELETE n //`"

"""Templates: how a file is read, what may fill a slot, and which questions an own one answers."""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.fakes import HashEncoder
from tests.zoo import write_zoo
from tiers.graphrag.plans.decoding import plan_from_json
from tiers.graphrag.plans.steps import Plan
from tiers.graphrag.stores.showing import to_cypher
from tiers.graphrag.templates.book import TemplateBook
from tiers.graphrag.templates.filling import instantiate
from tiers.graphrag.templates.form import Template, template_from
from tiers.graphrag.templates.loading import (
    ReadTemplates,
    general_templates,
    read_directory,
    read_file,
)
from tiers.graphrag.templates.matching import TemplateReader
from tiers.graphrag.templates.routing import TemplateRouter
from tiers.graphrag.templates.sampling import misfit
from trivium.domain.errors import DataError, PlanError
from trivium.domain.question import Candidate, Question, TierName, Understood
from trivium.domain.route import Decider, RouteDecision
from trivium.domain.schema import Schema
from trivium.domain.time import Moment
from trivium.knowledge.dataset import read_dataset
from trivium.knowledge.lexicon import lexicon_of
from trivium.language.reading import Lexicon, QuestionReader

ON_DUTY = """
name: on_duty
says: the keepers on duty for {animal} on {date}
slots:
  animal: {kind: entity, of: Animal}
  date: {kind: date, default: null}
asks:
  - Who is on duty for {animal}?
  - Who is on duty for {animal} on {date}?
form: nodes
plan:
  - step: s1
    operator: follow
    arguments: {nodes: ["{animal}"], path: [{relation: FEEDS, direction: in, to: Keeper}]}
    as_of: "{date}"
"""
HEAVY = """
name: heavy_charges
says: the animals of {keeper} that weigh more than {kilos} kg
slots:
  keeper: {kind: entity, of: Keeper, many: true}
  kilos: {kind: number}
asks:
  - What does {keeper} lift above {kilos}?
  - Above {kilos}, what does {keeper} lift?
form: nodes
plan:
  - {step: s1, operator: follow, arguments: {nodes: "{keeper}", path: [{relation: FEEDS, direction: out}]}}
  - {step: s2, operator: find_nodes, arguments: {type: Animal, where: [{property: weight_kg, test: ">", value: "{kilos}"}]}}
  - {step: s3, operator: combine, arguments: {how: intersection, sets: [$s1, $s2]}}
"""  # noqa: E501  # a step reads best on one line
NAMED = {
    "A-1": Candidate(id="A-1", type="Animal", name="Tembo", score=1.0),
    "K-1": Candidate(id="K-1", type="Keeper", name="Amelia Stone", score=1.0),
}


@pytest.fixture(scope="module")
def lexicon(tmp_path_factory: pytest.TempPathFactory) -> Lexicon:
    data = write_zoo(tmp_path_factory.mktemp("zoo") / "data")
    return lexicon_of(read_dataset(data).changes)


@pytest.fixture(scope="module")
def schema(lexicon: Lexicon) -> Schema:
    return lexicon.schema


@pytest.fixture
def on_duty() -> Template:
    return template_from(yaml.safe_load(ON_DUTY), "zoo.yaml")


def general(name: str) -> Template:
    return next(t for t in general_templates() if t.name == name)


# --- the form -------------------------------------------------------------------------------------


def wrong(change: Callable[[dict[str, Any]], object]) -> str:
    raw = deepcopy(yaml.safe_load(ON_DUTY))
    change(raw)
    with pytest.raises(DataError) as caught:
        template_from(raw, "zoo.yaml")
    return str(caught.value)


def test_a_template_that_cannot_be_one_is_refused_with_file_name_and_place():
    begins = "zoo.yaml: template on_duty: "

    assert wrong(lambda t: t["slots"].pop("animal")).startswith(
        f"{begins}says: there is no slot 'animal'"
    )
    assert wrong(lambda t: t.update(asks=["Who feeds {animal}?"])).startswith(f"{begins}asks: ")
    assert wrong(lambda t: t["asks"].append("Who is on duty?")) == (
        f"{begins}asks: 'Who is on duty?' does not say the slot 'animal'"
    )
    assert wrong(lambda t: t["plan"][0].update(operator="drop_all")) == (
        f"{begins}plan.s1: no operator is called 'drop_all'"
    )
    assert wrong(lambda t: t["slots"].update(spare={"kind": "type", "default": None})) == (
        f"{begins}slots.spare: the plan has no place for it"
    )
    assert wrong(lambda t: t["slots"]["animal"].update(of="{date}")) == (
        f"{begins}slots.animal: no slot 'date' comes before it"
    )
    assert "slots.animal.kind" in wrong(lambda t: t["slots"]["animal"].update(kind="person"))
    assert "plans" in wrong(lambda t: t.update(plans=[]))


def test_what_is_wrong_in_a_folder_is_told_and_the_rest_is_read(tmp_path: Path):
    (tmp_path / "a.yaml").write_text(ON_DUTY)
    (tmp_path / "b.yaml").write_text(f"- {{name: broken}}\n- {yaml.safe_load(HEAVY)!r}")
    (tmp_path / "c.yaml").write_text("just text")
    (tmp_path / "d.yaml").write_text("a: [")
    (tmp_path / "e.yaml").write_text(ON_DUTY)
    (tmp_path / "notes.txt").write_text("not looked at")

    read = read_directory(tmp_path)

    assert [t.name for t in read.templates] == ["on_duty", "heavy_charges"]
    assert sorted(r.place for r in read.refused) == ["b.yaml", "c.yaml", "d.yaml", "e.yaml"]
    told = {r.place: r.why for r in read.refused}
    assert told["e.yaml"] == "e.yaml: template on_duty: one in a.yaml is called so"
    assert read_file(tmp_path / "none.yaml").refused
    with pytest.raises(DataError, match="no folder of templates"):
        read_directory(tmp_path / "none")


def test_the_example_of_the_guide_is_a_template(schema: Schema):
    guide = Path("docs/templates.md").read_text()
    example = guide.split("```yaml\n")[1].split("```")[0]

    template = template_from(yaml.safe_load(example), "duty.yaml")

    assert misfit(template, schema) is None


def test_the_general_ones_have_names_of_their_own_and_name_their_shape():
    names = [template.name for template in general_templates()]

    assert len(set(names)) == len(names) == 45
    assert all(template.shape for template in general_templates())


# --- filling --------------------------------------------------------------------------------------


def test_an_instance_is_a_plan_that_says_itself_and_its_cypher(on_duty: Template, schema: Schema):
    plan = instantiate(on_duty, {"animal": "A-1", "date": "2025-06-01"}, schema, NAMED)

    assert plan.template == "on_duty"
    assert plan.understood == "the keepers on duty for Tembo (A-1) on 2025-06-01"
    assert plan.steps[0].as_of == Moment.of("2025-06-01")
    assert plan_from_json(plan.to_json()) == plan
    text, parameters = to_cypher(plan, Moment.of("2026-08-01"))
    assert "FEEDS" in text
    assert ["A-1"] in parameters.values()
    assert instantiate(on_duty, {"animal": "A-1"}, schema).steps[0].as_of is None


REFUSED: dict[str, tuple[dict[str, object], str]] = {
    "a slot that is missing": ({}, "slot 'animal': it is not filled"),
    "a slot that is not there": ({"animal": "A-1", "x": 1}, "it has no slot 'x'"),
    "an entity that is not named": ({"animal": "A-3"}, "the question names no entity 'A-3'"),
    "an entity of another type": ({"animal": "K-1"}, "'K-1' is a Keeper, not a Animal"),
    "no id": ({"animal": 3}, "3 is no id"),
    "no date": ({"animal": "A-1", "date": "soon"}, "slot 'date': 'soon' is no day"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_wrong_filling_is_refused_with_file_template_and_slot(
    case: str, on_duty: Template, schema: Schema
):
    slots, why = REFUSED[case]

    with pytest.raises(PlanError) as caught:
        instantiate(on_duty, slots, schema, NAMED)

    assert str(caught.value).startswith("zoo.yaml: template on_duty: ")
    assert why in str(caught.value)


WRONG: dict[str, tuple[dict[str, object], str]] = {
    "of_value": ({"type": "Plant"}, "the schema has no type 'Plant'"),
    "of_number": (
        {"type": "Animal", "property": "species", "number": 1},
        "slot 'property': species is a",
    ),
    "top_by_property": ({"type": "Animal", "property": "colour"}, "Animal has no property"),
    "most_related": (
        {"type": "Keeper", "other": "House", "relation": "FEEDS"},
        "FEEDS does not join Keeper and House",
    ),
    "related": (
        {"entity": "A-1", "type": "Keeper", "relation": "FEEDS", "direction": "out"},
        "slot 'direction': FEEDS does not lead that way",
    ),
    "reduced_property": (
        {"type": "Animal", "property": "weight_kg", "how": "product"},
        "'product' is none of sum, mean",
    ),
    "exposed": ({"type": "Animal", "events": "House"}, "House is no type of events"),
    "removal": ({"entities": "A-1"}, "it takes a list"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_the_schema_does_not_allow_cannot_fill_a_slot(name: str, schema: Schema):
    slots, why = WRONG[name]

    with pytest.raises(PlanError, match=f"template {name}: .*{why}"):
        instantiate(general(name), slots, schema)


def test_a_direction_is_told_by_the_schema_where_there_is_one_alone(schema: Schema):
    slots = {"entity": "A-1", "type": "Keeper", "relation": "FEEDS"}

    plan = instantiate(general("related"), slots, schema)

    assert plan.steps[1].to_json()["arguments"] == {
        "nodes": "$s1",
        "path": [{"relation": "FEEDS", "direction": "in", "to": "Keeper"}],
    }


def test_a_value_that_begins_like_a_reference_is_none(schema: Schema):
    by_id = instantiate(general("neighbours"), {"entity": "$s9"}, schema)
    slots = {"type": "Animal", "property": "species", "value": "$s9"}
    by_value = instantiate(general("of_value"), slots, schema)

    assert by_id.steps[0].arguments["ids"] == ("$s9",)
    assert plan_from_json(by_id.to_json()) == by_id
    assert by_value.steps[0].to_json()["arguments"]["where"][0]["value"] == "$s9"  # type: ignore[index]  # JSON


# --- the schema in force --------------------------------------------------------------------------


def test_what_does_not_fit_the_schema_is_left_out_with_its_reason(tmp_path: Path, schema: Schema):
    (tmp_path / "a.yaml").write_text(ON_DUTY)
    (tmp_path / "b.yaml").write_text(HEAVY.replace("weight_kg", "height_m"))
    (tmp_path / "c.yaml").write_text(ON_DUTY.replace("on_duty", "of_value"))
    book = TemplateBook.open(tmp_path)

    fitting, elsewhere = book.fitting(schema), book.fitting(Schema())

    assert [t.name for t in fitting.own] == ["on_duty"]
    assert [r.why for r in fitting.refused if r.place in {"b.yaml", "c.yaml"}] == [
        "c.yaml: template of_value: one in lookups.yaml is called so",
        "b.yaml: template heavy_charges: s2: the schema has no property 'height_m' there",
    ]
    assert elsewhere.own == ()
    assert "the schema has no type 'Animal'" in str(elsewhere.refused)
    assert TemplateBook.open(None).fingerprint == "" != book.fingerprint


def test_one_that_needs_what_the_schema_lacks_does_not_fit(schema: Schema):
    assert misfit(general("related"), schema) is None
    why = misfit(general("exposed"), schema)
    assert why is not None
    assert "is no type of events" in why


# --- matching -------------------------------------------------------------------------------------


def understood(lexicon: Lexicon, text: str) -> Understood:
    return QuestionReader(HashEncoder(), lexicon).read(Question(text=text))


def own_templates() -> TemplateReader:
    raws = [yaml.safe_load(text) for text in (ON_DUTY, HEAVY)]
    read = ReadTemplates(templates=tuple(template_from(raw, "zoo.yaml") for raw in raws))
    return TemplateReader(TemplateBook(read))


def matched(lexicon: Lexicon, text: str) -> Plan | None:
    return own_templates().read(understood(lexicon, text), lexicon.schema)


TODAY = "the keepers on duty for Tembo (A-1) on the day asked about"
SAME = {
    "Who is on duty for Tembo?": TODAY,
    "please show me who is on duty for the Tembo": TODAY,
    "Who is on duty for A-3 on 1 June 2025?": "the keepers on duty for Nanuk (A-3) on 2025-06-01",
    "What does Amelia Stone lift above 300?": (
        "the animals of Amelia Stone (K-1) that weigh more than 300 kg"
    ),
    "What do Amelia Stone and Bruno Falk lift above 300?": (
        "the animals of Amelia Stone (K-1) and Bruno Falk (K-2) that weigh more than 300 kg"
    ),
    "Above 300, what does Bruno Falk lift?": (
        "the animals of Bruno Falk (K-2) that weigh more than 300 kg"
    ),
}


@pytest.mark.parametrize("text", SAME)
def test_a_question_that_is_asked_just_so_is_its_templates(lexicon: Lexicon, text: str):
    plan = matched(lexicon, text)

    assert plan is not None
    assert plan.understood == SAME[text]


@pytest.mark.parametrize(
    "text",
    [
        "Who is not on duty for Tembo?",
        "Who was on duty for Tembo?",
        "Who is on duty for Tembo and Nanuk?",
        "Who is on duty for Tembo before 1 June 2025?",
        "Who is on duty for Amelia Stone?",
        "Who is on duty for the Ice Cave?",
        "Who is on duty?",
        "Who is on duty for Tembo in the Ice Cave?",
        "Who is off duty for Tembo?",
        "What does Amelia Stone lift below 300?",
        "Which animals does Amelia Stone feed?",
    ],
)
def test_a_question_that_is_asked_otherwise_is_none_of_its(lexicon: Lexicon, text: str):
    assert matched(lexicon, text) is None


class _Elsewhere:
    """A router that sends everything to the documents."""

    def route(self, question: Understood) -> RouteDecision:
        return RouteDecision(tiers=(TierName.RAG,), decided_by=Decider.MODEL)


def test_what_a_template_asks_goes_to_the_graph_and_all_else_where_the_router_says(
    lexicon: Lexicon,
):
    router = TemplateRouter(_Elsewhere(), own_templates(), lambda: lexicon.schema)
    asked = understood(lexicon, "Who is on duty for Tembo?")
    wanted = replace(asked, question=replace(asked.question, tiers=(TierName.RAG,)))

    ruled = router.route(asked)

    assert (ruled.tiers, ruled.decided_by) == ((TierName.GRAPH,), Decider.RULE)
    assert ruled.reasons == ("it is asked as the template “on_duty” says",)
    assert router.route(understood(lexicon, "Who feeds Tembo?")).tiers == (TierName.RAG,)
    assert router.route(wanted).tiers == (TierName.RAG,)

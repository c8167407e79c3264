"""What the fact tier answers, and when it does not."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import yaml

from tests.fakes import HashEncoder, MemoryFactStore, NoEncoder
from tiers.cag.projection import FactProjection
from tiers.cag.tier import CagTier
from trivium.domain.deadline import Deadline
from trivium.domain.errors import DependencyError
from trivium.domain.evidence import Reason, TierResult, TierStatus
from trivium.domain.knowledge import Fact
from trivium.domain.question import Question, TierName, Turn
from trivium.domain.result import Day, Number, Ranking, Values
from trivium.knowledge.dataset import read_dataset
from trivium.knowledge.lexicon import lexicon_of
from trivium.language.reading import QuestionReader

SCHEMA = {
    "name": "library",
    "as_of": "2026-08-01",
    "node_types": [
        {
            "name": "Branch",
            "description": "A building that lends books.",
            "properties": {
                "city": "town where it stands",
                "seats": "number of seats",
                "opened": "first day",
                "step_free": "whether a wheelchair gets in",
                "status": "open or closed",
                "phone": "number of the desk",
            },
        },
        {
            "name": "Title",
            "description": "A book or a map that we lend.",
            "properties": {
                "kind": "novel, atlas or manual",
                "price_eur": "what we paid",
                "pages": "number of pages",
                "languages": "languages that it is in",
                "lent_last_year": "loans last year",
            },
        },
        {
            "name": "Member",
            "description": "A person who borrows.",
            "properties": {"fee_eur": "yearly fee", "joined": "first day"},
        },
        {"name": "Author", "description": "A person who writes.", "properties": {"born": "year"}},
        {
            "name": "Sale",
            "description": "Books sold off.",
            "properties": {"date": "first day", "end_date": "last day"},
        },
    ],
    "relation_types": [{"name": "HOLDS", "source": "Branch", "target": "Title"}],
}

NODES: list[Mapping[str, object]] = [
    {"id": "B-1", "type": "Branch", "name": "Riverside Library", "aliases": ["Riverside"],
     "city": "Bern", "seats": 60, "opened": "1998-04-01", "step_free": True, "status": "open",
     "phone": "031 555"},
    {"id": "B-2", "type": "Branch", "name": "Hillcrest Library", "aliases": ["Hillcrest"],
     "city": "Basel", "seats": 24, "opened": "2015-09-01", "step_free": False, "status": "closed"},
    {"id": "B-3", "type": "Branch", "name": "Harbour Library", "city": "Basel", "seats": 60,
     "opened": "2021-05-05", "step_free": True, "status": "open"},
    {"id": "B-4", "type": "Branch", "name": "Old Mill Library", "city": "Bern", "seats": 90,
     "valid_to": "2025-12-31"},
    {"id": "T-1", "type": "Title", "name": "The Salt Ledger", "kind": "novel", "price_eur": 24,
     "pages": 310, "languages": "English, French", "lent_last_year": 120},
    {"id": "T-2", "type": "Title", "name": "Atlas of Tides", "kind": "atlas", "price_eur": 80.5,
     "pages": 120, "languages": "English, German", "lent_last_year": 14},
    {"id": "T-3", "type": "Title", "name": "Pump Repair", "kind": "manual", "price_eur": 12,
     "pages": 64, "languages": "German", "lent_last_year": 33},
    {"id": "T-4", "type": "Title", "name": "Boiler Care", "kind": "manual", "price_eur": 15,
     "pages": 70, "languages": "German", "lent_last_year": 9},
    {"id": "M-1", "type": "Member", "name": "Jordan", "fee_eur": 30, "joined": "2020-02-02"},
    {"id": "A-1", "type": "Author", "name": "Jordan", "born": 1961},
    {"id": "S-1", "type": "Sale", "name": "Spring Sale", "date": "2026-03-01",
     "end_date": "2026-03-09"},
    {"id": "A-2", "type": "Author", "name": "Robert'); DROP <b>", "born": 1970},
    {"id": "A-3", "type": "Author", "name": "Mira Quill", "born": 1980, "acl": ["staff"]},
]  # fmt: skip

FACTS: list[Mapping[str, object]] = [
    {"entity": "T-1", "attribute": "copies_on_shelf", "value": 7, "unit": "copies",
     "as_of": "2026-07-15", "source": "shelf count"},
    {"entity": "T-2", "attribute": "copies_on_shelf", "value": 2, "unit": "copies",
     "as_of": "2026-07-15", "source": "shelf count"},
    {"entity": "B-1", "attribute": "seats", "value": 64, "as_of": "2026-07-20",
     "source": "seat count"},
]  # fmt: skip


@dataclass(frozen=True)
class World:
    """A tier that knows a small library."""

    tier: CagTier
    reader: QuestionReader
    store: MemoryFactStore

    async def ask(self, text: str, **kept: object) -> TierResult:
        question = Question(text=text, **kept)  # type: ignore[arg-type]  # history, as_of, principal
        return await self.tier.retrieve(self.reader.read(question), Deadline.after(5))


@pytest.fixture(scope="module")
def changes(tmp_path_factory: pytest.TempPathFactory):
    directory: Path = tmp_path_factory.mktemp("library")
    (directory / "schema.yaml").write_text(yaml.safe_dump(SCHEMA, sort_keys=False))
    for name, rows in (("nodes", NODES), ("facts", FACTS)):
        (directory / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)))
    found = read_dataset(directory).changes
    return [replace(change, sequence=n) for n, change in enumerate(found, 1)]


@pytest.fixture
async def world(changes) -> World:
    store, lexicon = MemoryFactStore(), lexicon_of(changes)
    await FactProjection(store).apply(changes, len(changes))
    return World(
        CagTier(store, lexicon, NoEncoder()), QuestionReader(HashEncoder(), lexicon), store
    )


def said(result: TierResult) -> list[str]:
    return [statement.text for statement in result.statements]


def pairs(result: TierResult) -> list[tuple[str, object]]:
    (values,) = (r for r in (result.result, *result.also) if isinstance(r, Values))
    return [(v.entity, v.value) for v in values.values]


async def test_a_value_is_said_with_its_unit_and_date(world: World):
    result = await world.ask("What is the price of the Salt Ledger?")

    assert result.tier is TierName.CAG
    assert result.status is TierStatus.HIT
    assert said(result) == ["The price of The Salt Ledger (T-1) is 24 EUR (as of 2026-08-01)."]
    assert result.statements[0].evidence == (0,)
    assert result.result is not None
    assert result.result.to_json()["values"] == [
        {"entity": "T-1", "attribute": "price_eur", "value": 24, "unit": "EUR",
         "as_of": "2026-08-01"}
    ]  # fmt: skip


async def test_each_hit_gives_facts_with_their_source_and_freshness(world: World):
    result = await world.ask("How many copies of Atlas of Tides are on the shelf?")

    (fact,) = result.evidence
    assert isinstance(fact, Fact)
    assert (fact.value, fact.source, fact.as_of) == (2, "shelf count", "2026-07-15")
    (fresh,) = result.freshness
    assert (fresh.source, fresh.as_of, fresh.kind.value) == ("shelf count", "2026-07-15", "batch")
    assert result.trace["entities"] == ["T-2"]


async def test_an_explicit_fact_is_told_rather_than_the_nodes_own_value(world: World):
    result = await world.ask("seats at Riverside?")

    assert said(result) == ["The seats of Riverside Library (B-1) are 64 (as of 2026-07-20)."]


@pytest.mark.parametrize(
    "text",
    [
        "Where is Hillcrest?",
        "What town is Hillcrest in?",
        "In which city does the Hillcrest Library stand?",
        "hillcrest city",
    ],
)
async def test_an_attribute_may_be_said_in_other_words(world: World, text: str):
    assert pairs(await world.ask(text)) == [("B-2", "Basel")]


async def test_an_attribute_may_be_misspelt(world: World):
    assert pairs(await world.ask("whats the prise of Pump Repair")) == [("T-3", 12)]


async def test_several_attributes_and_several_entities(world: World):
    both = await world.ask("Boiler Care: pages and price, please.")
    each = await world.ask("How many pages do Pump Repair and Boiler Care have?")

    assert pairs(both) == [("T-4", 70), ("T-4", 15)]
    assert pairs(each) == [("T-3", 64), ("T-4", 70)]


@pytest.mark.parametrize("text", ["Tell me about Hillcrest.", "hillcrest", "What is Hillcrest?"])
async def test_a_profile_tells_all_facts_in_the_order_of_the_schema(world: World, text: str):
    result = await world.ask(text)

    assert said(result)[0] == "Hillcrest Library (B-2) is a branch."
    assert isinstance(result.result, Values)
    told = [v.attribute for v in result.result.values]
    assert told == ["city", "seats", "opened", "step_free", "status"]
    assert len(result.evidence) == len(told)


async def test_a_profile_tells_what_the_node_says_before_other_facts(world: World):
    result = await world.ask("Tell me about the Salt Ledger")

    assert isinstance(result.result, Values)
    assert result.result.values[-1].attribute == "copies_on_shelf"


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("Is Riverside open?", "Yes: the status of Riverside Library (B-1) is open"),
        ("Is Hillcrest still open?", "No: the status of Hillcrest Library (B-2) is closed"),
        ("Is Riverside step free?", "Yes: the step free of Riverside Library (B-1) is yes"),
        ("Does the Salt Ledger come in French?", "Yes: the languages of The Salt Ledger"),
        ("Is Pump Repair in French?", "No: the languages of Pump Repair (T-3) are German"),
        ("Does Pump Repair have more than 100 pages?", "No: the pages of Pump Repair (T-3) are 64"),
        ("Did Harbour Library open before 2020?", "No: the opened of Harbour Library (B-3) is"),
    ],
)
async def test_yes_or_no_on_a_value(world: World, text: str, begins: str):
    result = await world.ask(text)

    assert said(result)[0].startswith(begins)
    assert isinstance(result.result, Values)


async def test_yes_or_no_comes_with_what_else_is_asked(world: World):
    result = await world.ask("Is Riverside still open, and what is its phone number?")

    assert said(result)[0].startswith("Yes: the status of Riverside Library (B-1) is open")
    assert pairs(result) == [("B-1", "open"), ("B-1", "031 555")]


async def test_a_choice_is_answered_with_the_value_alone(world: World):
    result = await world.ask("Hillcrest: open or closed?")

    assert said(result) == ["The status of Hillcrest Library (B-2) is closed (as of 2026-08-01)."]


async def test_a_ranking_gives_the_first_ones_with_ties(world: World):
    result = await world.ask("Top 2 titles by pages")
    longest = await world.ask("Titles by pages, fewest first")

    assert result.result == Ranking((("T-1", 310.0), ("T-2", 120.0)))
    assert said(result)[0] == "Titles by pages, highest first:\n"
    assert said(result)[1] == "1. The Salt Ledger (T-1): 310 (as of 2026-08-01)"
    assert isinstance(longest.result, Ranking)
    assert [entity for entity, _ in longest.result.pairs] == ["T-3", "T-4", "T-2", "T-1"]


async def test_a_ranking_by_the_number_of_something_is_no_total(world: World):
    found = await world.ask("List the branches by number of seats, largest first.")

    assert found.result == Ranking((("B-1", 64.0), ("B-3", 60.0), ("B-2", 24.0)))


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("When did the Spring Sale start?", "2026-03-01"),
        ("When did the Spring Sale begin?", "2026-03-01"),
        ("When was the Spring Sale over?", "2026-03-09"),
        ("When did the Spring Sale end?", "2026-03-09"),
    ],
)
async def test_a_first_and_a_last_day_are_told_apart(world: World, text: str, day: str):
    found = await world.ask(text)

    assert found.result == Day(day)


async def test_how_long_something_takes_is_no_sum_of_money(world: World):
    assert (await world.ask("What is the price of Pump Repair?")).status is TierStatus.HIT
    assert (await world.ask("How long does the price of Pump Repair last?")).status is (
        TierStatus.MISS
    )


async def test_those_that_tie_with_the_last_come_too(world: World):
    await world.store.apply(puts=[Fact(entity="B-1", attribute="seats", value=60)], watermark=99)

    result = await world.ask("the top branch by seats")

    assert result.result == Ranking((("B-1", 60.0), ("B-3", 60.0)))


@pytest.mark.parametrize(
    ("text", "leader", "words"),
    [
        ("Which branch has the most seats?", "B-1", "has the highest seats of the branches: 64"),
        ("the cheapest title", "T-3", "has the lowest price of the titles: 12 EUR"),
        ("Which title is the most expensive?", "T-2", "has the highest price"),
        ("Which title was lent the least last year?", "T-4", "has the lowest lent last year"),
    ],
)
async def test_a_superlative_gives_the_leader(world: World, text: str, leader: str, words: str):
    result = await world.ask(text)

    assert isinstance(result.result, Ranking)
    assert [entity for entity, _ in result.result.pairs] == [leader]
    assert words in said(result)[0]


async def test_dates_rank_as_values_in_order(world: World):
    result = await world.ask("Which branch opened first?")

    assert pairs(result) == [("B-1", "1998-04-01")]
    assert "has the earliest opened" in said(result)[0]


async def test_a_long_ranking_is_whole_and_says_the_first_ones(world: World):
    puts = [Fact(entity=f"X-{n:02}", attribute="seats", value=1000 + n) for n in range(40)]
    types = {fact.entity: "Branch" for fact in puts}
    await world.store.apply(puts=puts, types=types, watermark=99)

    result = await world.ask("branches by seats")

    assert result.status is TierStatus.HIT
    assert isinstance(result.result, Ranking)
    assert len(result.result.pairs) == 43
    assert len(result.evidence) == 25
    assert said(result)[-1] == "… and 18 more."


async def test_values_of_the_type_filter_a_ranking(world: World):
    result = await world.ask("Branches in Basel by seats")
    other = await world.ask("cheapest manual among our titles")

    assert result.result == Ranking((("B-3", 60.0), ("B-2", 24.0)))
    assert other.result == Ranking((("T-3", 12.0),))


async def test_what_no_longer_holds_is_not_ranked_or_counted(world: World):
    now = await world.ask("How many branches do we have?")
    then = await world.ask("How many branches do we have?", as_of="2025-01-01")

    assert now.result == Number(3)
    assert then.result == Number(4)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("How many titles do we have?", 4),
        ("How many manuals are there among the titles?", 2),
        ("How many open branches are there?", 2),
        ("How many branches are in Basel?", 2),
        ("How many manuals do we have?", 2),
        ("number of titles in French", 1),
        ("How many titles have more than 100 pages?", 2),
    ],
)
async def test_counts_of_a_type_with_conditions(world: World, text: str, number: int):
    result = await world.ask(text)

    assert isinstance(result.result, Number)
    assert result.result.number == number
    assert said(result)[0].startswith(f"There {'is' if number == 1 else 'are'} {number} ")
    assert isinstance(result.evidence[0], Fact)
    assert result.evidence[0].value == number


async def test_totals_and_averages(world: World):
    total = await world.ask("What is the total price of all titles?")
    mean = await world.ask("average pages of our titles")

    assert total.result == Number(131.5, "EUR")
    assert said(total) == ["The total price over 4 titles is 131.5 EUR (as of 2026-08-01)."]
    assert mean.result == Number(141.0)


async def test_values_of_all_that_meet_a_condition(world: World):
    result = await world.ask("What are the prices of the manuals among our titles?")

    assert pairs(result) == [("T-3", 12), ("T-4", 15)]


async def test_a_comparison_says_which_is_greater(world: World):
    result = await world.ask("Which has more pages, Pump Repair or the Salt Ledger?")

    assert pairs(result) == [("T-3", 64), ("T-1", 310)]
    assert said(result)[0] == (
        "The Salt Ledger (T-1) has the greater pages: 310 against 64 for Pump Repair (T-3) "
        "(as of 2026-08-01)."
    )


async def test_equal_values_are_said_to_be_the_same(world: World):
    result = await world.ask("Compare the languages of Pump Repair and Boiler Care")

    assert said(result)[0] == "The languages is the same: German."


async def test_an_entity_may_be_named_by_what_it_is(world: World):
    assert pairs(await world.ask("What does the atlas cost?")) == [("T-2", 80.5)]


async def test_a_description_that_fits_several_is_ambiguous(world: World):
    result = await world.ask("How many pages does the manual have?")

    assert result.reason is Reason.AMBIGUOUS
    assert [c.id for c in result.candidates] == ["T-3", "T-4"]


async def test_one_name_for_two_is_never_guessed(world: World):
    result = await world.ask("Tell me about Jordan")

    assert result.status is TierStatus.MISS
    assert result.reason is Reason.AMBIGUOUS
    assert {(c.id, c.type) for c in result.candidates} == {("M-1", "Member"), ("A-1", "Author")}


@pytest.mark.parametrize(
    "text", ["Tell me about Jordan the member", "member Jordan", "What is the fee of Jordan?"]
)
async def test_the_type_beside_or_what_is_asked_tells_which_is_meant(world: World, text: str):
    result = await world.ask(text)

    assert {entity for entity, _ in pairs(result)} == {"M-1"}


async def test_one_name_means_what_the_shared_linking_says(world: World):
    question = world.reader.read(Question(text="seats of the Riverside Library"))

    result = await world.tier.retrieve(question, Deadline.after(5))

    (mention,) = question.mentions
    assert [entity for entity, _ in pairs(result)] == [c.id for c in mention.best]


@pytest.mark.parametrize(
    "text",
    [
        "What is the price of the Copper Almanac?",
        "Tell me about Zanzibar Holdings",
        "How many seats has the Lakeside branch?",
        "Where is T-99?",
        "Top branches in Narnia by seats",
    ],
)
async def test_what_nothing_is_called_is_unknown(world: World, text: str):
    result = await world.ask(text)

    assert (result.status, result.reason) == (TierStatus.MISS, Reason.UNKNOWN_ENTITY)


@pytest.mark.parametrize(
    "text",
    [
        "What is the weight of Pump Repair?",
        "Riverside wifi password",
        "What is the phone extension of Riverside?",
        "Who borrowed Pump Repair?",
    ],
)
async def test_an_attribute_that_is_none_is_not_in_the_schema(world: World, text: str):
    result = await world.ask(text)

    assert (result.status, result.reason) == (TierStatus.MISS, Reason.NOT_IN_SCHEMA)
    assert result.why is not None
    assert "Near ones:" in result.why
    assert result.evidence == ()


async def test_an_attribute_that_this_entity_lacks_is_said_so(world: World):
    result = await world.ask("What is the phone of Hillcrest?")

    assert result.reason is Reason.NOT_IN_SCHEMA
    assert result.why is not None
    assert result.why.startswith("No phone is recorded for Hillcrest Library (B-2).")


async def test_half_an_answer_is_partial_and_says_what_lacks(world: World):
    result = await world.ask("Phone numbers of Riverside and Hillcrest?")

    assert result.status is TierStatus.PARTIAL
    assert pairs(result) == [("B-1", "031 555")]
    assert result.why == "No phone is recorded for Hillcrest Library (B-2)."


@pytest.mark.parametrize("text", ["hello", "?", "", "why?"])
async def test_what_asks_for_no_fact_is_a_miss(world: World, text: str):
    assert (await world.ask(text)).status is TierStatus.MISS


async def test_a_follow_up_asks_the_same_of_another(world: World):
    history = (Turn("user", "What is the price of Pump Repair?"), Turn("assistant", "12."))

    assert pairs(await world.ask("and Boiler Care?", history=history)) == [("T-4", 15)]


async def test_a_follow_up_asks_something_else_of_the_same(world: World):
    history = (Turn("user", "What is the price of Pump Repair?"), Turn("assistant", "12."))

    assert pairs(await world.ask("and its pages?", history=history)) == [("T-3", 64)]


@pytest.mark.parametrize("text", ["seats of Riverside in 2019", "seats of Riverside last year"])
async def test_a_past_time_is_answered_in_part_with_what_is_known_since(world: World, text: str):
    result = await world.ask(text)

    assert result.status is TierStatus.PARTIAL
    assert result.why is not None
    assert result.why.startswith("This is as of 2026-07-20;")


async def test_a_period_in_an_attributes_name_is_no_past_time(world: World):
    assert (await world.ask("How often was Pump Repair lent last year?")).status is TierStatus.HIT


async def test_an_as_of_before_the_fact_is_answered_in_part(world: World):
    result = await world.ask("seats of Riverside", as_of="2026-01-01")

    assert result.status is TierStatus.PARTIAL


async def test_a_hostile_name_is_a_name(world: World):
    result = await world.ask("When was Robert'); DROP <b> born?")

    assert said(result) == ["The born of Robert'); DROP <b> (A-2) is 1970 (as of 2026-08-01)."]


async def test_what_a_reader_may_not_see_is_not_there(world: World):
    secret = await world.ask("When was Mira Quill born?")
    shown = await world.ask("When was Mira Quill born?", principal="staff")
    count = await world.ask("How many authors are there?")
    youngest = await world.ask("authors by born")

    assert secret.reason is Reason.UNKNOWN_ENTITY
    assert pairs(shown) == [("A-3", 1980)]
    assert count.result == Number(2)
    assert youngest.result == Ranking((("A-2", 1970.0), ("A-1", 1961.0)))


class Counting:
    """Passes reads on to a store, and notes what is read of it."""

    def __init__(self, store: MemoryFactStore) -> None:
        self.watermark, self.ranking = store.watermark, store.ranking
        self._store = store
        self.read: list[str] = []
        self.n_reads = 0

    async def sheets(self, entities: Sequence[str]) -> tuple[tuple[Fact, ...], ...]:
        self.read.extend(entities)
        self.n_reads += 1
        return await self._store.sheets(entities)


async def test_what_is_known_of_all_that_is_named_is_read_at_once(world: World):
    store = Counting(world.store)
    question = Question(text="Compare the seats of Hillcrest and Harbour Library")

    await CagTier(store, world.tier._lexicon, NoEncoder()).retrieve(
        world.reader.read(question), Deadline.after(5)
    )

    assert store.n_reads == 1


async def test_nothing_is_read_twice_for_one_question(world: World):
    store = Counting(world.store)
    question = Question(text="Compare the seats of Hillcrest and Harbour Library")

    await CagTier(store, world.tier._lexicon, NoEncoder()).retrieve(
        world.reader.read(question), Deadline.after(5)
    )

    assert {"B-2", "B-3"} <= set(store.read)
    assert len(store.read) == len(set(store.read))


class Slow(MemoryFactStore):
    async def facts(self, entity: str) -> tuple[Fact, ...]:
        raise TimeoutError


async def test_a_store_that_is_late_is_a_dependency_error(world: World):
    tier = CagTier(Slow(), world.tier._lexicon, NoEncoder())

    with pytest.raises(DependencyError):
        await tier.retrieve(world.reader.read(Question(text="Hillcrest")), Deadline.after(5))


async def test_a_count_that_lists_cites_what_it_lists(world: World):
    result = await world.ask("How many branches are in Basel?")

    listed = "Hillcrest Library (B-2), Harbour Library (B-3)"
    assert said(result) == [f"There are 2 branches with city Basel: {listed}."]
    cited = [result.evidence[i] for i in result.statements[0].evidence]
    assert [getattr(fact, "entity", None) for fact in cited] == ["Branch", "B-2", "B-3"]


async def test_a_figure_says_over_how_many_it_was_computed(world: World):
    result = await world.ask("average pages of our titles")

    assert isinstance(result.evidence[0], Fact)
    assert result.evidence[0].source == "computed over 4 titles"


async def test_a_refusal_says_of_whom_it_speaks(world: World):
    result = await world.ask("What is the wingspan of Riverside?")

    assert result.status is TierStatus.MISS
    assert result.trace["entities"] == ["B-1"]


async def test_beside_an_answer_stand_all_facts_of_the_entities_in_the_order_of_their_ids(
    world: World,
):
    result = await world.ask("Compare the price of Pump Repair and the Salt Ledger")
    described = await world.ask("How many pages does the atlas have?")

    assert [(s.entity, s.type, s.name) for s in result.sheets] == [
        ("T-1", "Title", "The Salt Ledger"),
        ("T-3", "Title", "Pump Repair"),
    ]
    names = [fact.attribute for fact in result.sheets[0].facts]
    assert names == ["copies_on_shelf", "kind", "languages", "lent_last_year", "pages", "price_eur"]
    assert [s.entity for s in described.sheets] == ["T-2"]


async def test_a_sheet_is_the_same_whatever_is_asked_of_its_entity(world: World):
    price = await world.ask("What is the price of the Salt Ledger?")
    pages = await world.ask("How many pages has T-1?")

    assert price.sheets == pages.sheets


@pytest.mark.parametrize(
    "text", ["When was Mira Quill born?", "Which title has the most pages?", "How many titles?"]
)
async def test_what_is_not_for_the_asker_and_what_is_of_no_entity_has_no_sheet(
    world: World, text: str
):
    assert (await world.ask(text)).sheets == ()

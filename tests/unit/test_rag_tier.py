"""The document tier, on the real index with an encoder that hashes words."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.fakes import HashEncoder
from tiers.rag.edge_store import EdgeStore
from tiers.rag.projection import DocumentProjection
from tiers.rag.ranking import need_of
from tiers.rag.tier import RagTier
from trivium.domain.deadline import Deadline
from trivium.domain.errors import DependencyError
from trivium.domain.evidence import Passage, Reason, TierResult, TierStatus
from trivium.domain.knowledge import Change, ChangeKind
from trivium.domain.question import Question, TierName, Turn
from trivium.domain.schema import Schema
from trivium.language.names import NameIndex
from trivium.language.reading import Lexicon, QuestionReader
from trivium.language.vocabulary import Vocabulary

OLD = """# Supply agreement
## Payment
Invoices are paid after 45 days.
## Late delivery
The seller owes 1 per cent of the late goods for every week.
"""
NEW = """# Supply agreement
## Payment
Invoices are paid after 60 days.
## Late delivery
The seller owes 2 per cent of the late goods for every week. It is capped at nine per cent.
"""
MEMO = """# Memo
## Why we switched
- **Quality.** Two lots failed the test.
- **Time.** Seven lots came late.
## Cost
The dies cost three million.
"""
DOCUMENTS: dict[str, dict[str, object]] = {
    "old": {"text": OLD, "date": "2023-01-01", "title": "Agreement with Acme"},
    "new": {
        "text": NEW,
        "date": "2024-01-01",
        "title": "Agreement with Acme",
        "supersedes": ["old"],
    },
    "memo": {"text": MEMO, "date": "2023-06-01", "title": "Memo on Beta Works"},
    "secret": {
        "text": "The board will sell the harbour plant.",
        "title": "Minutes",
        "acl": ["ann"],
    },
}


class World:
    """An index with documents, and questions to it."""

    def __init__(self, index: EdgeStore, encoder: HashEncoder) -> None:
        names = NameIndex()
        names.put("S-1", "Supplier", "Acme Ltd")
        names.put("S-2", "Supplier", "Beta Works")
        lexicon = Lexicon(Vocabulary(Schema(as_of="2024-12-01")), names)
        self.reader = QuestionReader(encoder, lexicon)
        self.projection = DocumentProjection(index, encoder, tag=names.tag)
        self.index = index
        self.tier = RagTier(index, floor=0.3)

    async def load(self, documents: dict[str, dict[str, object]]) -> None:
        changes = [
            Change(kind=ChangeKind.PUT_DOCUMENT, key=key, payload={"id": key, **document})
            for key, document in documents.items()
        ]
        await self.projection.apply(changes, len(changes))

    async def ask(self, text: str, **rest) -> TierResult:
        understood = await self.reader.encoded(Question(text=text, **rest))
        return await self.tier.retrieve(understood, Deadline.after(10))


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    index = await EdgeStore.open(tmp_path, dimension=384)
    made = World(index, HashEncoder(384))
    await made.load(DOCUMENTS)
    yield made
    await index.close()


def passages(result: TierResult) -> list[Passage]:
    return [item for item in result.evidence if isinstance(item, Passage)]


def said(result: TierResult) -> str:
    return " ".join(statement.text for statement in result.statements)


def traced(result: TierResult, key: str) -> list[dict[str, Any]]:
    rows = result.trace[key]
    assert isinstance(rows, list)
    return rows


async def test_a_hit_says_the_sentence_that_answers_and_cites_it(world):
    result = await world.ask("After how many days are the invoices of Acme paid?")
    assert (result.tier, result.status) == (TierName.RAG, TierStatus.HIT)
    first = result.statements[0]
    assert first.text == "Invoices are paid after 60 days."
    (index,) = first.evidence
    cited = result.evidence[index]
    assert isinstance(cited, Passage)
    assert (cited.document, cited.heading) == ("new", "Supply agreement > Payment")


async def test_statements_and_passages_stand_word_for_word_in_their_documents(world):
    result = await world.ask("What does the Acme agreement say about late delivery?")
    spans = traced(result, "statements")
    assert len(spans) == len(result.statements) > 0
    for statement, span in zip(result.statements, spans, strict=True):
        text = str(DOCUMENTS[span["document"]]["text"])
        assert text[span["start"] : span["end"]] == statement.text
    for passage in passages(result):
        text = str(DOCUMENTS[passage.document]["text"])
        assert text[passage.start : passage.end] == passage.text
    cited = [(p.document, *span) for p in passages(result) for span in p.said]
    assert sorted(cited) == sorted((s["document"], s["start"], s["end"]) for s in spans)


async def test_what_is_superseded_comes_after_what_replaced_it_and_is_not_said(world):
    result = await world.ask("After how many days are the invoices of Acme paid?")
    found = [(p.document, p.is_superseded, p.superseded_by) for p in passages(result)]
    assert found.index(("new", False, None)) < found.index(("old", True, "new"))
    assert "45 days" not in said(result)


async def test_at_an_earlier_date_the_older_document_holds(world):
    result = await world.ask(
        "After how many days are the invoices of Acme paid?", as_of="2023-06-01"
    )
    assert "45 days" in said(result)
    assert [p.document for p in passages(result) if p.document == "new"] == []
    assert not any(p.is_superseded for p in passages(result))


async def test_a_date_in_the_question_reaches_back(world):
    result = await world.ask("After how many days were the invoices of Acme paid in May 2023?")
    assert result.statements[0].text == "Invoices are paid after 45 days."


async def test_a_question_for_the_past_may_be_answered_from_superseded_text(world):
    result = await world.ask("After how many days were Acme invoices paid previously?")
    assert "45 days" in said(result)


async def test_an_edition_asked_for_by_its_year_answers_and_what_replaced_it_does_not(world):
    result = await world.ask(
        "Under the agreement from 2023, after how many days are the invoices of Acme paid?"
    )
    assert result.statements[0].text == "Invoices are paid after 45 days."
    assert not any(passages(result)[n].document == "new" for n in result.statements[0].evidence)
    assert "30 days" not in said(result)


async def test_an_old_edition_may_be_asked_for_without_its_year(world):
    result = await world.ask(
        "After how many days are the invoices of Acme paid in the old supply agreement?"
    )
    assert "45 days" in said(result)


async def test_an_old_thing_that_is_no_document_is_not_of_the_past(world):
    result = await world.ask("After how many days are invoices of the old Acme works paid?")
    assert "45 days" not in said(result)


async def test_a_section_is_found_by_its_heading(world):
    result = await world.ask("Why did we switch away from Beta Works?")
    assert passages(result)[0].heading == "Memo > Why we switched"
    assert "**Quality.** Two lots failed the test." in said(result)


async def test_a_follow_up_is_read_with_its_history(world):
    result = await world.ask(
        "and the cost?", history=(Turn("user", "Why did we switch away from Beta Works?"),)
    )
    assert "The dies cost three million." in said(result)


async def test_a_document_is_shown_only_to_those_it_names(world):
    question = "Will the board sell the harbour plant?"
    hidden = await world.ask(question)
    assert "secret" not in {p.document for p in passages(hidden)}
    seen = await world.ask(question, principal="ann")
    assert passages(seen)[0].document == "secret"


async def test_another_tenant_finds_nothing(world):
    result = await world.ask("After how many days are invoices paid?", tenant="other")
    assert (result.status, result.evidence) == (TierStatus.MISS, ())


async def test_nothing_near_is_a_miss_with_its_reason(world):
    result = await world.ask("Who won the football championship yesterday evening?")
    assert (result.status, result.reason) == (TierStatus.MISS, Reason.NO_EVIDENCE)
    assert result.why
    assert result.statements == ()


async def test_at_most_five_passages_and_two_of_a_document(world):
    section = "\n".join(f"## Part {i}\nThe pump of unit {i} leaks oil." for i in range(9))
    await world.load({f"d{i}": {"text": section, "title": f"Log {i}"} for i in range(4)})
    result = await world.ask("Which pump leaks oil?")
    counted = [p.document for p in passages(result)]
    assert len(counted) == 5
    assert max(counted.count(document) for document in counted) <= 2
    assert 1 <= len(result.statements) <= 3


async def test_scores_fall_and_freshness_names_each_dated_document_once(world):
    result = await world.ask("After how many days are the invoices of Acme paid?")
    scores = [p.score for p in passages(result)]
    assert scores == sorted(scores, reverse=True)
    entries = {entry.source: (entry.as_of, entry.kind.value) for entry in result.freshness}
    assert entries["new"] == ("2024-01-01", "batch")
    assert len(entries) == len(result.freshness)


async def test_an_empty_index_is_a_miss(tmp_path):
    index = await EdgeStore.open(tmp_path, dimension=384)
    world = World(index, HashEncoder(384))
    assert (await world.ask("Anything at all?")).status is TierStatus.MISS
    await index.close()


async def test_a_document_of_headings_alone_is_quoted_whole(world):
    await world.load({"plan": {"text": "# Harbour dredging starts in June", "title": "Plan"}})
    result = await world.ask("When does harbour dredging start?")
    assert said(result) == "# Harbour dredging starts in June"


async def test_a_document_without_text_is_never_a_passage(world):
    await world.load({"blank": {"text": "", "title": "Harbour dredging notice"}})
    result = await world.ask("Harbour dredging notice")
    assert "blank" not in {p.document for p in passages(result)}


async def test_a_deadline_that_has_passed_is_a_dependency_error(world):
    understood = await world.reader.encoded(Question(text="invoices"))
    with pytest.raises(DependencyError, match="in time"):
        await world.tier.retrieve(understood, Deadline.after(-1))


async def test_a_question_without_a_vector_is_searched_by_its_words(world):
    understood = await world.reader.encoded(Question(text="invoices paid days Acme payment"))
    result = await world.tier.retrieve(replace(understood, vector=()), Deadline.after(10))
    assert {item["similarity"] for item in traced(result, "passages")} == {0.0}


async def test_a_section_that_lists_what_is_asked_for_is_said_whole(world):
    reasons = "".join(f"- **Ground {n}.** The press {n} failed.\n" for n in range(5))
    await world.load({"case": {"text": f"# Case\n## Grounds\n{reasons}", "title": "Gear case"}})
    result = await world.ask("What were the grounds in the gear case?")
    assert sum("press" in statement.text for statement in result.statements) == 5


async def test_a_section_is_found_by_a_heading_in_other_words(world):
    text = "# Account\n## History\nActon came in 2008.\n## Present mood\nStrained since July."
    await world.load({"acton": {"text": text, "title": "Account Acton"}})
    result = await world.ask("How does our account Acton stand now?")
    assert passages(result)[0].heading == "Account > Present mood"
    assert "Strained since July." in said(result)


async def test_a_gerund_that_may_be_another_thing_weighs_less(world):
    await world.load(
        {
            "booking": {"text": "Guests need training. The training is short.", "title": "Rooms"},
            "travel": {"text": "Guests come by train. The way is short.", "title": "Travel"},
        }
    )
    result = await world.ask("Do guests take the train?")
    assert passages(result)[0].document == "travel"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [("How long is the stay?", True), ("How do guests stay?", False), ("When is it?", True)],
)
async def test_a_number_is_wanted_where_a_measure_is_asked_for(world, text, wanted):
    understood = await world.reader.encoded(Question(text=text))
    assert need_of(understood).wants_number is wanted

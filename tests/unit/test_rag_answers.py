"""What the document tier says: sentences with what they lean on, rows with their heads, no more."""

from collections.abc import AsyncIterator
from itertools import pairwise
from pathlib import Path

import pytest

from tests.fakes import HashEncoder
from tests.unit.test_rag_tier import World, passages, said, traced
from tiers.rag import sparse
from tiers.rag.edge_store import EdgeStore
from tiers.rag.ranking import is_strange, need_of, rank
from tiers.rag.tier import reach_of
from trivium.domain.evidence import TierStatus
from trivium.domain.question import Question, Understood
from trivium.language.reading import Lexicon, QuestionReader

HANDBOOK = """# Handbook
## Floors
Carpets need no consent. Laminate is the cause of most quarrels between the people who live here.
It is therefore refused above the ground floor, whatever it rests on and whoever has laid it there.
Tiles are another matter, and are looked at by the works office before anything may be ordered.
## Storage
Nitric acid is kept apart. The rest goes into the blue cabinet.
## Desk
The continuity desk (ext. 4400) is open day and night.
## Visits

| Priority | Examples | First visit | Finished |
|---|---|---|---|
| Urgent | no hot water | 1 working day | 5 working days |
| Routine | dripping tap | 10 working days | 28 days |
"""


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    index = await EdgeStore.open(tmp_path, dimension=384)
    made = World(index, HashEncoder(384))
    await made.load({"book": {"text": HANDBOOK, "title": "Handbook"}})
    yield made
    await index.close()


async def reworded(world: World, question: Understood, heading: str) -> float:
    need = need_of(question)
    terms = sparse.of_query(need.terms)
    found = await world.index.search(question.vector, terms, reach_of(question, need), limit=40)
    ranked = rank(found, need)
    return next(r.reworded for r in ranked if r.chunk.heading.endswith(heading))


async def test_a_sentence_is_said_with_the_one_that_leans_on_it(world):
    result = await world.ask("Is laminate the cause of quarrels?")
    assert result.statements[0].text == (
        "Laminate is the cause of most quarrels between the people who live here.\n"
        "It is therefore refused above the ground floor, whatever it rests on and whoever has laid "
        "it there."
    )


async def test_a_sentence_that_leans_is_said_with_the_one_before_it(world):
    result = await world.ask("Who has refused it above the ground floor?")
    assert "Laminate is the cause" in result.statements[0].text


async def test_who_proposed_something_is_told_by_the_head_of_the_message(world):
    padding = "The glaze ran on the lower shelf again and we do not know why it did so. " * 8
    await world.load(
        {
            "thread": {
                "title": "E-mails on the kiln",
                "text": f"**From:** Ida Bloom\n**To:** Tom Ray\n\n{padding}\n\n"
                "**From:** Tom Ray\n**To:** Ida Bloom\n\n"
                "Landlord is slow. Why not borrow the kiln of the potters in Elm Yard? "
                "They are a short walk from here and owe us a favour.",
            }
        }
    )
    asked = await world.ask("Who suggested to borrow the kiln of the potters in Elm Yard?")
    assert asked.statements[0].text == "**From:** Tom Ray\n**To:** Ida Bloom"
    assert "borrow the kiln" in asked.statements[1].text
    other = await world.ask("Where could we borrow a kiln of the potters?")
    assert "From:" not in said(other)


MINUTES = """# Minutes of the allotment board
1. **Bonfires.** Wanda Reyes had asked to allow them on Fridays; it was turned down by seven to two.
The smoke drifts into the nursery next door, and the fire brigade came twice last autumn.
Nobody wished to hear of a trial period either, and the matter rests until the spring comes round.
2. **Water.** The butts are filled on Mondays. Nobody may take more than four cans a day from them.
"""


@pytest.mark.parametrize(
    ("question", "is_told"),
    [
        ("Why were bonfires on Fridays turned down?", True),
        ("How come Wanda Reyes may light no bonfires?", True),
        ("Were the bonfires of Wanda Reyes on Fridays turned down by seven to two?", False),
    ],
)
async def test_reasons_are_told_with_what_came_of_them(
    tmp_path: Path,
    question: str,
    is_told: bool,  # noqa: FBT001  # a case
):
    index = await EdgeStore.open(tmp_path, dimension=384)
    world = World(index, HashEncoder(384))
    await world.load({"minutes": {"text": MINUTES, "title": "Minutes of the allotment board"}})

    result = await world.ask(question)

    assert ("smoke drifts" in result.statements[0].text) is is_told
    await index.close()


async def test_a_short_paragraph_is_said_whole(world):
    result = await world.ask("Where is nitric acid kept?")
    assert result.statements[0].text == (
        "Nitric acid is kept apart. The rest goes into the blue cabinet."
    )


async def test_a_row_is_told_with_the_heads_of_its_columns_and_cited_as_it_stands(world):
    result = await world.ask("How soon is the first visit for an urgent priority?")
    first, span = result.statements[0], traced(result, "statements")[0]
    assert first.text == (
        "Priority: Urgent; Examples: no hot water; First visit: 1 working day; "
        "Finished: 5 working days."
    )
    row = HANDBOOK[span["start"] : span["end"]]
    assert row == "| Urgent | no hot water | 1 working day | 5 working days |"


async def test_rows_of_which_another_is_asked_for_are_not_said(world):
    result = await world.ask("When is the first visit for an urgent priority?")
    assert "Routine" not in said(result)


async def test_a_row_far_down_a_long_table_is_told_with_its_heads(world):
    rows = "\n".join(f"| Pump {n} | hall {n} near the north gate | {n} bar |" for n in range(90))
    table = f"| Pump | Place | Pressure |\n|---|---|---|\n{rows}"
    await world.load({"pumps": {"text": f"# Pumps\n{table}", "title": "Pumps"}})
    result = await world.ask("What is the pressure of pump 83?")
    assert result.statements[0].text == (
        "Pump: Pump 83; Place: hall 83 near the north gate; Pressure: 83 bar."
    )


@pytest.mark.parametrize("word", ["extension", "ext"])
async def test_a_word_finds_what_is_written_short(world, word):
    result = await world.ask(f"{word} of the continuity desk")
    assert "ext. 4400" in said(result)


async def test_no_sentence_is_said_twice(world):
    text = "".join(
        f"This is the {word} pump of the harbour works and it was mended in the spring of that "
        "year by the people of the yard. "
        for word in ("first", "second", "third", "fourth")
    )
    await world.load({"log": {"text": text, "title": "Log"}})
    result = await world.ask("Which pump of the harbour works was mended in the spring?")
    spans = sorted(span for p in passages(result) for span in p.said)
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))


async def test_what_has_no_word_of_the_question_is_not_said(world):
    text = "# Fees\n\nThe berth costs 40 euros.\n\nThe chair was painted green by an apprentice."
    await world.load({"fees": {"text": text, "title": "Fees"}})
    result = await world.ask("What does the berth cost?")
    assert said(result) == "The berth costs 40 euros."


async def test_a_name_that_stands_nowhere_asks_for_more_evidence_than_a_word(world):
    as_word = await world.ask("Where does the zorblatt keep acid?")
    as_name = await world.ask("Where does the Zorblatt keep acid?")
    assert (as_word.status, as_name.status) == (TierStatus.HIT, TierStatus.MISS)


async def test_a_heading_in_other_words_is_evidence_and_one_in_the_same_words_only_once(world):
    sections = "## Dangers\nThe mast may fall.\n## Cost\nThe mast is dear."
    await world.load({"mast": {"text": f"# Mast\n{sections}", "title": "Mast"}})
    understood = await world.reader.encoded(Question(text="Is there a risk with the mast?"))
    other = await world.reader.encoded(Question(text="Is there a danger with the mast?"))
    assert [await reworded(world, q, "Dangers") for q in (understood, other)] == [1.0, 0.0]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Is the desk of Zorblatt Amalgam open?", [{"zorblatt", "amalgam"}]),
        ("Is The Desk Of Zorblatt Open?", []),
        ("What is asked? Where is it?", []),
    ],
)
async def test_names_are_known_by_their_capitals(world, text, names):
    understood = await world.reader.encoded(Question(text=text))
    assert [set(name) for name in need_of(understood).names] == names


async def test_what_a_paragraph_is_headed_with_is_said_with_it(tmp_path: Path):
    index = await EdgeStore.open(tmp_path, dimension=384)
    made = World(index, HashEncoder(384))
    text = (
        "# Minutes\n**3. Organ in the north chapel.** The bellows leak. A builder comes in May.\n"
    )
    await made.load({"minutes": {"text": text, "title": "Minutes"}})
    result = await made.ask("What is said of the organ in the north chapel?")
    await index.close()
    assert "The bellows leak." in result.statements[0].text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("When was the fence of Beta Works painted?", False),
        ("What is the pension of Beta Works?", True),
        ("When was S-3 swept in June?", False),
        ("When was S-9 swept in June?", True),
    ],
)
async def test_what_is_asked_of_a_thing_or_its_very_name_stands_in_a_passage(
    tmp_path: Path,
    text: str,
    expected: bool,  # noqa: FBT001  # a case
):
    index = await EdgeStore.open(tmp_path, dimension=384)
    made = World(index, HashEncoder(384))
    notes = "# Notes\nThe fence of Beta Works was painted. S-3 of Beta Works was swept in June.\n"
    await made.load({"notes": {"text": notes, "title": "Notes"}})
    question = await made.reader.encoded(Question(text=text))
    need = need_of(question)
    terms = sparse.of_query(need.terms)
    found = await made.index.search(question.vector, terms, reach_of(question, need), limit=40)
    await index.close()
    assert is_strange(found, need) is expected


def test_a_verb_that_is_denied_in_short_leaves_no_word_behind():
    reader = QuestionReader(HashEncoder(), Lexicon.empty())
    need = need_of(reader.read(Question(text="What if the sums don't agree?")))
    assert list(need.terms) == ["sum", "agre"]


async def told(directory: Path, text: str, question: str) -> str:
    """Return what is said to ``question`` of one document alone."""
    index = await EdgeStore.open(directory, dimension=384)
    made = World(index, HashEncoder(384))
    await made.load({"rules": {"text": text, "title": "Rules"}})
    result = await made.ask(question)
    await index.close()
    return said(result)


async def test_a_short_sentence_with_the_number_that_is_asked_for_is_said(tmp_path: Path):
    fillers = (
        "Nobody of the three clubs on the green brings a dog of any size or lets one off its lead.",
        "One of the stewards walks round the four ponds before the start and again after dusk.",
        "The two gates by the mill stay open, and seven marshals keep the lane behind them clear.",
    )
    text = f"# Rules\n## Races\n{fillers[0]} Riders must be 12 or over. {' '.join(fillers[1:])}\n"
    answer = await told(tmp_path, text, "How old do you have to be to ride in the races?")
    assert "12 or over" in answer


async def test_what_follows_under_a_lead_that_is_asked_for_is_said(tmp_path: Path):
    other = "Meeting times of the choir were moved, since the hall is let to a theatre until May."
    text = (
        "# Minutes\n"
        "**1. Bell of the chapel.** Ida Bloom asked to hang the bell again that was taken down "
        "when the steeple was mended in spring. A beam of the frame had rotted where the rain came "
        "in, "
        "and the carpenter would not answer for the load that a swinging bell puts upon it.\n\n"
        f"**2. Choir.** {other}\n"
    )
    answer = await told(tmp_path, text, "Why did the chapel lose its bell in June?")
    assert "beam of the frame had rotted" in answer

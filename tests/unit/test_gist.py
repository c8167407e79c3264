"""Which questions ask the same for the answer memory, and which do not."""

# ruff: noqa: E501  # rows of a table read best on one line

from dataclasses import replace
from pathlib import Path

import pytest

from bench.memory import paraphrases, swapped_pairs, written_pairs
from tests.fakes import HashEncoder
from tiers.cag.gist import gist, is_personal
from tiers.cag.gist_order import Gist
from trivium.domain.question import Question
from trivium.knowledge.dataset import read_dataset
from trivium.knowledge.lexicon import lexicon_of
from trivium.language.reading import QuestionReader

EXAMPLE = Path(__file__).parents[2] / "examples" / "aerospace"
NAMES = ("Main Wiring Harness", "ThaiRubber Co", "North Clinic", "Selma Dane", "CargoHawk-300")


@pytest.fixture(scope="module")
def reader() -> QuestionReader:
    changes = read_dataset(EXAMPLE).changes
    numbered = [replace(change, sequence=n) for n, change in enumerate(changes, 1)]
    return QuestionReader(HashEncoder(), lexicon_of(numbered))


def gists(reader: QuestionReader, *texts: str) -> list[Gist | None]:
    return [gist(reader.read(Question(text=text))) for text in texts]


@pytest.mark.parametrize("name", ["memory_written.tsv", "memory_blind.tsv", "memory_fresh.tsv"])
def test_no_adversarial_pair_has_one_gist(reader: QuestionReader, name: str):
    wrong = [p for p in written_pairs(name) if len(set(gists(reader, p.first, p.second))) == 1]
    assert wrong == []


def test_no_pair_that_differs_in_one_thing_has_one_gist(reader: QuestionReader):
    pairs = swapped_pairs(400, NAMES)
    assert [p for p in pairs if len(set(gists(reader, p.first, p.second))) == 1] == []


def test_most_paraphrases_have_one_gist(reader: QuestionReader):
    pairs = paraphrases()
    same = [p for p in pairs if len(set(gists(reader, p.first, p.second))) == 1]
    assert len(same) / len(pairs) >= 0.75


@pytest.mark.parametrize(
    "texts",
    [
        ("Who supplies CMP-010?", "By whom is CMP-010 supplied?", "Who is CMP-010 supplied by?",
         "suppliers of CMP-010", "Which vendors supply the Main Wiring Harness?"),
        ("Which factories does ThaiRubber Co supply?",
         "Which factories are supplied by ThaiRubber Co?", "factories supplied by ThaiRubber Co"),
        ("Does FAC-005 use CMP-004?", "Is CMP-004 used by FAC-005?"),
        ("What lead time does CMP-010 have?", "lead time of CMP-010, please",
         "How long is the lead time of CMP-010?"),
        ("Who managed Ann?", "Who was Ann managed by?"),
        ("Which factories use CMP-004?", "CMP-004: which factories use it?"),
        ("What is the lead time of CMP-010?", "CMP-010: what is its lead time?"),
        ("Compare the stock of CMP-004 and CMP-010", "How do the stock of CMP-004 and CMP-010 compare?",
         "Give me a comparison of the stock of CMP-004 with CMP-010"),
        ("What happens if the quay burns down?", "What would happen if the quay burned down?",
         "What happens when the quay burns down?"),
        ("Since when has SUP-001 supplied CMP-006?", "Since when does SUP-001 supply CMP-006?",
         "Since when has CMP-006 been supplied by SUP-001?", "From when on has SUP-001 supplied CMP-006?"),
        ("Why was the contract with SUP-001 changed?", "Why was the SUP-001 contract changed?",
         "For what reason was the contract with SUP-001 changed?"),
        ("What does the leave policy say about Sundays?", "What is in the leave policy about Sundays?",
         "About Sundays, what does the leave policy say?", "What is said about Sundays in the leave policy?"),
        ("What is the fine for late return?", "How high is the fine for late return?"),
        ("Where is SUP-004 based?", "What is the location of SUP-004?"),
        ("Rank the ferries by age", "Ferries ranked by age", "Give me a ranking of the ferries by age"),
        ("How do I reset the badge?", "What are the steps to reset the badge?"),
        ("How many beds does the North Clinic have?", "the number of beds in the North Clinic"),
        ("What was it on 2024-10-01?", "On 1 October 2024, what was it?"),
        ("If the dam breaks, which farms flood?", "Which farms flood if the dam breaks?"),
        ("Under which name does it trade?", "What name does it trade under?"),
        ("In which factories is CMP-004 used?", "Which factories use CMP-004?",
         "Which factories is CMP-004 used in?"),
        ("How are CUS-002 and SUP-004 connected?", "How is CUS-002 linked to SUP-004?",
         "What connects CUS-002 and SUP-004?",
         "connection between CUS-002 and SUP-004"),
        ("What is the criticality of CMP-001?", "How critical is CMP-001?"),
        ("events at FAC-001", "Give me all the events at FAC-001"),
        ("Has CUS-002 got a depot?", "Does CUS-002 have a depot?"),
        ("What phone number does the North Clinic have?", "North Clinic phone number"),
        ("On which day did the strike end?", "When did the strike end?"),
        ("How come the train was late?", "Why was the train late?"),
    ],
)  # fmt: skip
def test_wordings_of_one_question_have_one_gist(reader: QuestionReader, texts: tuple[str, ...]):
    found = gists(reader, *texts)
    assert found[0] is not None
    assert set(found) == {found[0]}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Who supplies CMP-010?", "By whom was CMP-010 supplied?"),
        ("Which factories are supplied?", "Which factories supply?"),
        ("Which valves are closed?", "Which valves close?"),
        ("Which lines are running?", "Which lines are run?"),
        ("Whom did the auditor of Acme fire?", "Who fired the auditor of Acme?"),
        ("List price of the seal", "Price of the seal"),
        ("Is A part of B?", "Is B part of A?"),
        ("Is it -5 degrees?", "Is it 5 degrees?"),
        ("What does SUP-001 deliver?", "What does SUP-0001 deliver?"),
        ("Who runs the building?", "Who runs the build?"),
        ("Which farms flood if the dam breaks?", "If farms flood, which dam breaks?"),
        ("From which port does it sail?", "To which port does it sail?"),
        ("In which factories is CMP-004 used?", "Which factories does CMP-004 use?"),
        ("In which factories is CMP-004 used?", "In which factories was CMP-004 used?"),
        ("How are CUS-002 and SUP-004 connected?", "How well are CUS-002 and SUP-004 connected?"),
        ("What connects CUS-002 and SUP-004?", "Who connects CUS-002 and SUP-004?"),
        ("How critical is CMP-001?", "Is CMP-001 critical?"),
        ("The number of phones of Ann", "The phone number of Ann"),
        ("Is just one valve open?", "Is one valve open?"),
        ("Which parts were made at FAC-001?", "Which parts of FAC-001 were made?"),
        ("All the wards", "The wards with all the beds"),
        ("CMP-004: which factories use it?", "CMP-010: which factories use it?"),
        ("What happens if the quay burns down?", "What happened when the quay burned down?"),
        ("What would happen if the quay had burned down?", "What happens if the quay burns down?"),
        ("Compare CMP-004 with CMP-010", "Compare CMP-010 with FAC-001"),
        (
            "Since when has SUP-001 supplied SUP-004?",
            "Since when has SUP-001 been supplied by SUP-004?",
        ),
        ("Since when does SUP-001 supply CMP-006?", "Until when does SUP-001 supply CMP-006?"),
        ("Which wards are still closed?", "Which wards are no longer closed?"),
        ("How high is the mast?", "What is the mast?"),
        ("How large is the family of Ann?", "Who is the family of Ann?"),
        ("Which plant has the highest output?", "Which plant has the lowest output?"),
        ("The highest crane", "The largest crane"),
        (
            "From which port to the mill, what is the way?",
            "From the mill to which port is the way?",
        ),
        ("What is in the crate about paint?", "What is in the crate?"),
        ("Who is ranked by Ann?", "Rank Ann"),
        ("Does the letter say why?", "Does the state say why not?"),
    ],
)
def test_what_is_near_and_asks_another_thing_has_another_gist(
    reader: QuestionReader, one: str, other: str
):
    first, second = gists(reader, one, other)
    assert first != second


@pytest.mark.parametrize("text", ["Do?", "please do", "The do", "does"])
def test_a_verb_alone_that_helps_others_is_read(reader: QuestionReader, text: str):
    assert gists(reader, text) == [("whether",)]


def test_what_is_too_long_has_none(reader: QuestionReader):
    assert gists(reader, "why " * 41, "?", "") == [None, None, None]


@pytest.mark.parametrize("text", ["Show me my open orders", "Do I have a deadline?", "Am I late?"])
def test_what_is_about_the_asker_is_told(text: str):
    assert is_personal(text)
    assert not is_personal("How do I order a seal for Myers & Sons?")

"""Where a question falls in two because its last part points back, and what is asked then."""

from pathlib import Path

import pytest

from tests.fakes import NoEncoder
from tests.zoo import write_zoo
from trivium.domain.question import Question, Understood
from trivium.knowledge.dataset import read_dataset
from trivium.knowledge.lexicon import lexicon_of
from trivium.language.parting import described
from trivium.language.pointing import pointing
from trivium.language.reading import QuestionReader


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> QuestionReader:
    zoo: Path = write_zoo(tmp_path_factory.mktemp("zoo"))
    return QuestionReader(NoEncoder(), lexicon_of(read_dataset(zoo).changes))


def parted(understood: Understood) -> tuple[str, str] | None:
    found = pointing(understood)
    return (found.lead, found.about(["X", "Y"])) if found else None


@pytest.mark.parametrize(
    ("text", "lead", "rest"),
    [
        ("Who feeds Tembo and what is that keeper's shift?",
         "Who feeds Tembo", "what is X and Y's shift?"),
        ("Which animals live in the Ice Cave, and how heavy are they?",
         "Which animals live in the Ice Cave", "how heavy are X and Y?"),
        ("Which house is Kiki in and how many people come there on a normal day?",
         "Which house is Kiki in", "how many people come at X and Y on a normal day?"),
        ("List the keepers with the most animals; what do the rules say about each of them?",
         "List the keepers with the most animals", "what do the rules say about X and Y?"),
        ("Who feeds Nanuk, with their shifts", "Who feeds Nanuk", "X and Y's shifts"),
        ("Who feeds Kiki, and when does the keeper start?",
         "Who feeds Kiki", "when does X and Y start?"),
    ],
)  # fmt: skip
def test_what_points_back_stands_for_what_the_first_part_finds(
    reader: QuestionReader, text: str, lead: str, rest: str
):
    assert parted(reader.read(Question(text=text))) == (lead, rest)


@pytest.mark.parametrize(
    "text",
    [
        "Who feeds Tembo?",
        "Who feeds Kiki and who feeds Nanuk at their house?",
        "Which animals live in the Ice Cave? Name them.",
        "Which keepers feed Tembo, and who are they?",
        "Who feeds Tembo, and is it true that there are parrots?",
        "Which keepers feed the most animals, with their number",
    ],
)
def test_a_question_that_points_at_nothing_it_asks_for_is_one(reader: QuestionReader, text: str):
    assert parted(reader.read(Question(text=text))) is None


@pytest.mark.parametrize(
    ("text", "lead", "rest"),
    [
        ("What is the shift of the keeper of Nanuk?", "the keeper of Nanuk",
         "What is the shift of X?"),
        ("How heavy are Savannah Hall's animals?", "Savannah Hall's animals", "How heavy are X?"),
    ],
)  # fmt: skip
def test_what_a_relation_describes_is_found_first(
    reader: QuestionReader, text: str, lead: str, rest: str
):
    found = described(reader.read(Question(text=text)))

    assert found is not None
    assert (found.lead, found.about(["X"])) == (lead, rest)


@pytest.mark.parametrize(
    "text",
    [
        "Who is the keeper of Nanuk?",
        "What is the average weight of Savannah Hall's animals?",
        "Which keepers do Savannah Hall's animals have?",  # relations tell them, and no facts
        "What houses are the animals of Nanuk's keeper in?",
    ],
)
def test_a_description_alone_and_what_is_computed_over_it_stay_whole(
    reader: QuestionReader, text: str
):
    assert described(reader.read(Question(text=text))) is None

"""What the router sees in a question: other languages, what of the domain is named, history."""

from pathlib import Path

import pytest

from router.features import describe
from router.glosses import glosses, language_of
from router.structure import structure
from tests.fakes import HashEncoder
from tests.zoo import write_zoo
from trivium.domain.question import Question, Turn
from trivium.knowledge.dataset import read_dataset
from trivium.knowledge.lexicon import lexicon_of
from trivium.language.reading import QuestionReader


@pytest.fixture
def reader(tmp_path: Path) -> QuestionReader:
    dataset = read_dataset(write_zoo(tmp_path / "zoo"))
    return QuestionReader(HashEncoder(), lexicon_of(dataset.changes))


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Wer füttert Tembo?", "German"),
        ("Was steht im Protokoll zu Tembo?", "German"),
        ("Pourquoi Tembo a-t-il changé de gardien ?", "French"),
        ("¿Quién cuida de Tembo?", "Spanish"),
        ("merci beaucoup", "French"),
        ("Which keepers feed Tembo?", None),
        ("the die was cast in the war", None),
        ("thermal limit L-103", None),
        ("yo", None),
        ("", None),
    ],
)
def test_a_language_shows_by_its_own_words(reader: QuestionReader, text: str, language: str | None):
    assert language_of(reader.read(Question(text=text))) == language


def test_a_german_question_has_the_build_of_its_english_twin(reader: QuestionReader):
    german = set(describe(reader.read(Question(text="Warum wurde Tembo ersetzt?"))))

    assert "whi was @entity" in german, "words are stems"
    assert "cue narrative" in german


def test_glosses_are_words(reader: QuestionReader):
    for own in glosses().values():
        assert all(isinstance(w, str) and isinstance(e, str) for w, e in own.items())


def test_an_attribute_of_the_named_entity_is_its_own(reader: QuestionReader):
    own = set(structure(reader.read(Question(text="What is the weight of Tembo?"))))
    other = set(structure(reader.read(Question(text="Which keepers feed Tembo?"))))

    assert "named 1 entities+own attribute" in own
    assert {"other type 1", "relation 1"} <= other


def test_a_follow_up_is_seen_with_its_history(reader: QuestionReader):
    history = (Turn("user", "Which keepers feed Tembo?"), Turn("assistant", "Amelia Stone."))

    found = set(describe(reader.read(Question(text="and Kiki?", history=history))))

    assert {"which @type @relation", "history True"} <= found

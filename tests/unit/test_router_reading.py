"""What the router sees in a question: other languages, what of the domain is named, history."""

from pathlib import Path

import pytest

from router.features import describe
from router.glosses import glosses, language_of
from router.structure import structure
from tests.fakes import HashEncoder
from tests.zoo import write_zoo
from trivium.domain.question import Question, Turn
from trivium.domain.schema import NodeType, Property, PropertyKind, RelationType, Schema
from trivium.knowledge.dataset import read_dataset
from trivium.knowledge.lexicon import lexicon_of
from trivium.language.names import NameIndex
from trivium.language.reading import Lexicon, QuestionReader
from trivium.language.vocabulary import Vocabulary


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


@pytest.mark.parametrize(
    ("text", "features"),
    [
        (
            "At what rent does Reedmoor let Pier House?",
            {"named 2 entities+link attribute+relation", "link property with 2 ends"},
        ),
        ("Is Reedmoor still letting Pier House?", {"link relation with 2 ends"}),
        ("What is the average rent at Reedmoor?", {"cue average with link attribute"}),
        ("Total rent per owner", {"link property with 0 ends, 1 told"}),
        ("How many rooms does Pier House have?", {"own attribute 1", "link attribute 0"}),
        ("Which slips does Gull Yard service?", {"link relation with 1 ends, 2 told"}),
    ],
)
def test_a_figure_between_two_is_no_attribute_of_one(text: str, features: set[str]):
    found = set(structure(_quay().read(Question(text=text))))

    assert features <= found


def _quay() -> QuestionReader:
    """Read about holiday flats and a boat yard, whose relations have figures of their own."""
    rent = Property(name="rent_eur", kind=PropertyKind.NUMBER)
    rooms = Property(name="rooms", kind=PropertyKind.NUMBER)
    kinds = (
        NodeType(name="Owner"),
        NodeType(name="Flat", properties={"rooms": rooms}),
        NodeType(name="Yard"),
        NodeType(name="Slip"),
    )
    links = (
        RelationType(name="LETS", ends=(("Owner", "Flat"),), properties={"rent_eur": rent}),
        RelationType(name="SERVICES", ends=(("Yard", "Slip"),)),
    )
    schema = Schema(
        node_types={kind.name: kind for kind in kinds},
        relation_types={link.name: link for link in links},
    )
    lexicon = Lexicon(Vocabulary(schema), NameIndex())
    for number, (kind, name) in enumerate(
        [
            ("Owner", "Reedmoor"),
            ("Flat", "Pier House"),
            ("Yard", "Gull Yard"),
            ("Slip", "East Slip"),
        ]
    ):
        lexicon.names.put(f"N-{number}", kind, name, ())
    return QuestionReader(HashEncoder(), lexicon)


def test_a_follow_up_is_seen_with_its_history(reader: QuestionReader):
    history = (Turn("user", "Which keepers feed Tembo?"), Turn("assistant", "Amelia Stone."))

    found = set(describe(reader.read(Question(text="and Kiki?", history=history))))

    assert {"which @type @relation", "history True"} <= found

"""What people write around a question is left out; what narrows it is not."""

import pytest

from tests.fakes import HashEncoder
from trivium.domain.question import Question
from trivium.domain.schema import NodeType, Property, PropertyKind, RelationType, Schema
from trivium.language.names import NameIndex
from trivium.language.reading import Lexicon, QuestionReader
from trivium.language.vocabulary import Vocabulary

SCHEMA = Schema(
    node_types={
        "Boat": NodeType(
            name="Boat",
            properties={
                "deck_area_m2": Property(name="deck_area_m2", kind=PropertyKind.NUMBER),
                "state": Property(
                    name="state", kind=PropertyKind.CATEGORY, values=("open", "sunk")
                ),
            },
        ),
        "Harbour": NodeType(name="Harbour"),
    },
    relation_types={"LIES_IN": RelationType(name="LIES_IN", ends=(("Boat", "Harbour"),))},
)
ASKED = "Which boats lie in Port Ellen?"
MAIL = (
    "---- Forwarded ----\nFrom: M. Oduya\nSubject: Re: your call\n\nDear all,\nas agreed on the "
    "phone I come back to you with the point that stayed open since Friday.\nKind regards, M.\n"
    "----\n\n"
)
STORY = (
    "right, so, it has been one of those mornings, the printer jammed twice and nobody took notes. "
    "I would look for it myself but I would not know where to begin. what I am after is this: "
)


@pytest.fixture
def reader() -> QuestionReader:
    names = NameIndex()
    names.put("h", "Harbour", "Port Ellen", ())
    names.put("b", "Boat", "Sea Holly", ())
    return QuestionReader(HashEncoder(), Lexicon(Vocabulary(SCHEMA), names))


def read(reader: QuestionReader, text: str) -> str:
    return " ".join(reader.read(Question(text=text)).text.split())


@pytest.mark.parametrize("before", [MAIL, STORY, "Good morning all! What a day. " + STORY])
def test_what_is_told_before_a_question_is_left_out(reader: QuestionReader, before: str):
    assert read(reader, before + ASKED) == ASKED


@pytest.mark.parametrize(
    "after", [" Any help is much appreciated.", "\n\nBest,\nTolu\nSent from my phone", " Thanks!"]
)
def test_good_wishes_after_it_are_left_out(reader: QuestionReader, after: str):
    assert read(reader, ASKED + after) == ASKED


@pytest.mark.parametrize(
    "text",
    [
        f"{STORY}The Sea Holly is in trouble. {ASKED}",
        f"Nobody told me and I have looked for it all day, all week. The boats are late. {ASKED}",
    ],
)
def test_what_names_something_stays(reader: QuestionReader, text: str):
    kept = read(reader, text)
    assert kept.endswith(ASKED)
    assert kept.startswith(("The Sea Holly", "The boats"))


@pytest.mark.parametrize(
    "text",
    [
        f"{ASKED} Open ones only.",
        f"{ASKED} As of 3 May, please.",
        "We want all that float and that nobody has hired for this whole summer. Which qualify?",
        "It leaks. Who mends it?",
        "Sea Holly: the basics please",
    ],
)
def test_what_narrows_a_question_or_gives_it_sense_stays(reader: QuestionReader, text: str):
    assert read(reader, text) == text


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("I'm taking over Sea Holly on Monday. How old is it, and who owns it?",
         "How old is Sea Holly, and who owns Sea Holly?"),
        ("We work with Port Ellen. I need its fees and the boats they know.",
         "I need Port Ellen's fees and the boats Port Ellen know."),
        ("I visit Port Ellen later: what is their deck area?", "what is Port Ellen's deck area?"),
        ("I visit Port Ellen later: which boats send it their crew?",
         "which boats send Port Ellen their crew?"),
        ("If we sell Sea Holly, who loses it?", "If we sell Sea Holly, who loses it?"),
        ("I saw Sea Holly and Port Ellen. How old is it?",
         "I saw Sea Holly and Port Ellen. How old is it?"),
    ],
)  # fmt: skip
def test_what_is_said_before_tells_what_it_is(reader: QuestionReader, text: str, asked: str):
    assert read(reader, text) == asked

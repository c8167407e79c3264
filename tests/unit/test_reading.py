"""A question, read once for every stage: numbers, follow-ups, and any text at all."""

import math
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import SOAK
from tests.fakes import HashEncoder
from tests.hostile import questions
from tests.zoo import write_zoo
from trivium.domain.question import Question, TermKind, Turn, Understood
from trivium.knowledge.dataset import read_dataset
from trivium.knowledge.lexicon import lexicon_of
from trivium.language.reading import QuestionReader

LEXICON = lexicon_of(read_dataset(Path(__file__).parents[2] / "examples" / "aerospace").changes)
READER = QuestionReader(HashEncoder(), LEXICON)


def read(text: str, *before: str, as_of: str | None = None) -> Understood:
    history = tuple(Turn("user", turn) for turn in before)
    return READER.read(Question(text=text, history=history, as_of=as_of))


# --- numbers -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("lead time above 1,500 days", [1500]),
        ("more than 3.5 or 3,5", [3.5, 3.5]),
        ("at least three", [3]),
        ("a dozen parts", [12]),
        ("the parts of CMP-010", []),
        ("since 16 February 2024", []),
        ("more than " + "9" * 400, []),
    ],
)
def test_a_number_is_read_unless_it_is_part_of_a_name_or_a_time(text: str, numbers: list[float]):
    assert [q.number for q in read(text).quantities] == numbers


# --- time ----------------------------------------------------------------------------------------


def test_the_moment_is_what_the_question_or_the_data_set_says():
    assert read("Who supplies CMP-001?").moment.text == "2024-12-01"
    assert read("Who supplies CMP-001?", as_of="2024-02-16").moment.text == "2024-02-16"


def test_a_month_is_read_as_it_is_written():
    (time,) = read("Which agreements began in 2024-02?").times
    assert (time.moment.day, time.moment.last_day) == ("2024-02-01", "2024-02-29")


# --- follow-ups ----------------------------------------------------------------------------------


def test_two_openers_make_a_follow_up_of_a_longer_question():
    """So "ok and" points back; one opener before many words may begin something new."""
    asked = "ok and who was to blame for the whole of it"
    assert read(asked, "Who supplies CMP-004?").text == f"Who supplies CMP-004? {asked}"
    alone = "what went wrong when people drove home late last week"
    assert read(alone, "Who supplies CMP-004?").text == alone


def test_a_follow_up_is_read_with_the_question_before_it():
    """R06."""
    follow_up = read("and which of them are in Thailand?", "Who supplies CMP-004?")
    assert follow_up.text == "Who supplies CMP-004? and which of them are in Thailand?"
    assert [m.best[0].id for m in follow_up.mentions] == ["CMP-004"]
    assert "Thailand" in {t.value for t in follow_up.terms_of(TermKind.VALUE)}


def test_a_question_that_stands_alone_is_read_alone():
    alone = read("Where is TechChip Inc based?", "Who supplies CMP-004?")
    assert alone.text == "Where is TechChip Inc based?"


# --- any text ------------------------------------------------------------------------------------

words = st.sampled_from(
    ["which", "suppliers", "of", "CMP-010", "CMP-099", "TechChip", "not", "most", "2024-02-16",
     "May", "Q4", "²", "፩", "1,5", "9" * 400, "1e400", "'s", "’", "high", "risk", "and", "them"]
)  # fmt: skip
texts = st.lists(words | st.text(max_size=6), max_size=10).map(" ".join)


@given(texts, st.lists(texts, max_size=2))
def test_any_question_can_be_read(text: str, before: list[str]):
    found = read(text, *before)
    spans = [item.span for items in (found.mentions, found.terms, found.cues) for item in items]
    spans += [item.span for items in (found.times, found.quantities) for item in items]
    for span in spans:
        assert 0 <= span.first < span.last <= len(found.tokens)
        assert found.words(span)
    assert all(math.isfinite(q.number) for q in found.quantities)


@given(questions)
@settings(max_examples=40 * SOAK)
def test_of_a_hostile_question_little_enough_is_read(text: str):
    found = read(text)
    assert len(found.tokens) <= 240
    assert len(found.text) <= 4_001
    assert found.is_shortened or found.question.text == text


def test_of_a_long_question_the_beginning_and_the_end_are_read():
    found = read("Who supplies CMP-004? " + "It is a long story. " * 1_000 + "Where is TechChip?")
    assert found.is_shortened
    assert found.text.startswith("Who supplies CMP-004?")
    assert found.text.endswith("Where is TechChip?")
    assert len(found.tokens) <= 240


@given(texts)
def test_reading_again_gives_the_same(text: str):
    assert read(text) == read(text)


async def test_a_question_is_encoded_once():
    encoder = HashEncoder()
    question = Question(text="Where is TechChip?")
    found = await QuestionReader(encoder, LEXICON).encoded(question)
    assert (encoder.n_encoded, len(found.vector), found.question) == (1, 384, question)


@pytest.mark.parametrize(
    "text",
    [
        "Hi, quick one: who feeds Tembo?",
        "I need this for a report. Who feeds Tembo?",
        "Could you tell me, please: who feeds Tembo? Many thanks in advance.",
    ],
)
def test_what_stands_around_a_question_is_left_out(text, tmp_path):
    lexicon = lexicon_of(read_dataset(write_zoo(tmp_path)).changes)
    read = QuestionReader(HashEncoder(), lexicon).read(Question(text=text))
    assert read.text.casefold() == "who feeds tembo?"
    assert read.question.text == text


@pytest.mark.parametrize(
    "text",
    [
        "Savannah Hall: what have we got living there?",  # a question, though it says "we"
        "We lost Tembo. Who fed it?",  # names something
        "Hello there!",
        "A new house was built. Who works in it?",  # names a type
    ],
)
def test_what_says_something_is_kept(text, tmp_path):
    lexicon = lexicon_of(read_dataset(write_zoo(tmp_path)).changes)
    assert QuestionReader(HashEncoder(), lexicon).read(Question(text=text)).text == text

"""Whether a question asks for what held before now."""

import pytest

from tests.fakes import HashEncoder
from trivium.domain.question import Question
from trivium.language.past import asks_of_the_past
from trivium.language.reading import Lexicon, QuestionReader


@pytest.mark.parametrize(
    ("text", "is_past"),
    [
        ("How many days before an examination does registration close?", False),
        ("May we cancel before the due date?", False),
        ("What do I bring prior to a visit?", False),
        ("Who ran the lab before?", True),
        ("What was the fee before the change?", True),
        (
            "The bell rang and my loan got blocked. How long may I wait before a new one is due?",
            False,
        ),
        ("How long do I have before a new card must be written?", False),
        ("How long did we have to pay before the rules changed?", True),
        ("Which rule did we follow earlier in the year?", True),
        ("Who used to run the lab?", True),
        ("Was the fee ever lower?", True),
        ("What is the fee?", False),
    ],
)
def test_before_is_of_the_past_where_the_question_is(
    text: str,
    is_past: bool,  # noqa: FBT001  # a case
):
    reader = QuestionReader(HashEncoder(), Lexicon.empty())
    assert asks_of_the_past(reader.read(Question(text=text))) is is_past

"""Whether a question asks what one may or must do."""

import pytest

from tests.fakes import HashEncoder
from trivium.domain.question import Question
from trivium.language.duties import asks_of_a_duty
from trivium.language.reading import Lexicon, QuestionReader


@pytest.mark.parametrize(
    ("text", "is_duty"),
    [
        ("As a guest of the choir, may I bring my dog in?", True),
        ("What are we supposed to do with a torn score?", True),
        ("What's the most that the caterer is allowed to charge?", True),
        ("If the lift sticks, how soon do they have to come?", True),
        ("By which door should it be brought in?", True),
        ("How many hours must a member rehearse?", True),
        ("How long may anybody sing in one go?", True),
        ("Nobody may smoke. Is that so?", True),
        ("Who may drive the van?", False),
        ("Which choirs have to cancel if the hall closes?", False),
        ("Who sang on 1 May?", False),
        ("How good is the tenor supposed to be?", False),
        ("Why should the choir pay?", False),
    ],
)
def test_what_is_allowed_or_has_to_be_done_is_asked_of_rules(
    text: str,
    is_duty: bool,  # noqa: FBT001  # a case
):
    reader = QuestionReader(HashEncoder(), Lexicon.empty())
    assert asks_of_a_duty(reader.read(Question(text=text))) is is_duty

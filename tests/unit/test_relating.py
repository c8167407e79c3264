"""What shows that a question may be one of relations."""

import pytest

from tests.fakes import HashEncoder
from trivium.domain.question import Question
from trivium.domain.schema import NodeType, RelationType, Schema
from trivium.language.names import NameIndex
from trivium.language.reading import Lexicon, QuestionReader
from trivium.language.relating import asks_of_graph, counts_time
from trivium.language.vocabulary import Vocabulary

SCHEMA = Schema(
    node_types={name: NodeType(name=name) for name in ("Coach", "Club")},
    relation_types={"TRAINS": RelationType(name="TRAINS", ends=(("Coach", "Club"),))},
)


@pytest.mark.parametrize(
    ("text", "is_asked"),
    [
        ("Who is the coach of Northfield Villa?", True),
        ("Which club does a coach train?", True),
        ("Who is the coach?", False),
        ("Who wrote Northfield Villa?", False),
        ("what is a good coach like", False),
    ],
)
def test_a_word_of_the_schema_beside_an_unknown_name_is_for_the_graph(
    text: str,
    is_asked: bool,  # noqa: FBT001  # a case
):
    reader = QuestionReader(HashEncoder(), Lexicon(Vocabulary(SCHEMA), NameIndex()))
    assert asks_of_graph(reader.read(Question(text=text))) is is_asked


@pytest.mark.parametrize(
    ("text", "is_counted"),
    [
        ("How many years do clubs keep closed files?", True),
        ("How much time does a coach have?", True),
        ("How many clubs closed this year?", False),
        ("How long is a year?", False),
    ],
)
def test_how_much_time_is_no_count_of_things(
    text: str,
    is_counted: bool,  # noqa: FBT001  # a case
):
    reader = QuestionReader(HashEncoder(), Lexicon(Vocabulary(SCHEMA), NameIndex()))
    assert counts_time(reader.read(Question(text=text))) is is_counted

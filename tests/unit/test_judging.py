"""How answers of architectures are marked, over a few made-up entities."""

from collections.abc import Mapping
from typing import Any

import pytest

from bench.judging import Answer, Judge, Marks
from trivium.language.names import NameIndex

ASKED = {"B-1"}
Gold = Mapping[str, Any]  # JSON


@pytest.fixture(scope="module")
def judge() -> Judge:
    names = NameIndex()
    for key, kind, name in (
        ("B-1", "Branch", "Harbour Branch"),
        ("B-2", "Branch", "Hillside Branch"),
        ("T-1", "Title", "Quiet Rivers"),
        ("T-2", "Title", "Salted Roads"),
    ):
        names.put(key, kind, name)
    return Judge(names)


def marks(judge: Judge, gold: Gold, answer: Answer, category: str = "lookup") -> Marks:
    return judge.marks({"gold": gold, "category": category}, ASKED, answer)


def test_a_text_is_taken_for_the_entities_that_it_names_and_the_question_does_not(judge: Judge):
    text = "Harbour Branch (B-1) holds Quiet Rivers (T-1).\nHarbour Branch holds T-2."
    assert marks(judge, {"ids": ["T-1", "T-2"]}, Answer(text=text)) == Marks(
        is_exact=True, f1=1.0, f1_beyond=1.0
    )
    assert not marks(judge, {"ids": ["T-1"]}, Answer(text=text)).is_exact


def test_the_questions_own_entities_count_in_one_f1_and_not_in_the_other(judge: Judge):
    found = marks(judge, {"ids": ["T-1"]}, Answer(text="B-1 holds T-2."))
    assert (found.f1, found.f1_beyond) == (0.5, 0.0)
    found = marks(judge, {"ids": ["T-1"]}, Answer(text="T-1."))
    assert found.f1 == pytest.approx(2 / 3)
    assert found.f1_beyond == 1.0


def test_a_structured_answer_is_exact_by_itself_and_its_text_is_scored(judge: Judge):
    answer = Answer(text="Salted Roads.", result={"kind": "nodes", "ids": ["T-1"]})
    assert marks(judge, {"ids": ["T-1"]}, answer) == Marks(is_exact=True, f1=0.0, f1_beyond=0.0)


@pytest.mark.parametrize(
    ("gold", "text", "is_exact"),
    [
        ({"path": ["B-1", "T-1", "B-2"]}, "B-1, then T-1, then B-2", True),
        ({"path": ["B-1", "T-1", "B-2"]}, "B-1, then B-2, then T-1", False),
        ({"number": 12}, "It holds 12 of them.", True),
        ({"number": 12}, "It holds 120 of them.", False),
        ({"ranking": [["T-2", 5], ["T-1", 3]]}, "Salted Roads (T-2): 5\nT-1: 3", True),
        ({"ranking": [["T-2", 5], ["T-1", 3]]}, "Salted Roads (T-2): 5\nT-1: 4", False),
        ({"ranking": [["T-2", 5], ["T-1", 3]], "top": ["T-2"]}, "Salted Roads", True),
        ({"compare": {"a": "B-1", "b": "B-2", "counts": {"Title": [2, 1]}}}, "titles: 2, 1", True),
        ({"compare": {"a": "B-1", "b": "B-2", "counts": {"Title": [2, 1]}}}, "titles: 2", False),
    ],
)
def test_a_text_is_exact_by_what_is_asked_for(
    judge: Judge, gold: Gold, text: str, *, is_exact: bool
):
    assert marks(judge, gold, Answer(text=text)).is_exact is is_exact


def test_of_several_right_paths_one_is_enough(judge: Judge):
    gold = {"path": [["B-1", "T-1", "B-2"], ["B-1", "T-2", "B-2"]]}
    found = marks(judge, gold, Answer(text="B-1 → T-2 → B-2"))
    assert found == Marks(is_exact=True, f1=1.0, f1_beyond=1.0)


def test_leaders_alone_are_wanted_where_they_are_asked_for(judge: Judge):
    gold = {"ranking": [["T-2", 5], ["T-1", 3]], "top": ["T-2"]}
    found = marks(judge, gold, Answer(text="Salted Roads: 5\nQuiet Rivers: 3"))
    assert found.f1_beyond == pytest.approx(2 / 3)
    assert found.ranking == 1.0


@pytest.mark.parametrize(
    "answer",
    [Answer(text=""), Answer(text="None.", reason="no_evidence"), Answer(text="", failed="down")],
    ids=["empty", "abstained", "failed"],
)
def test_to_say_nothing_is_not_to_say_that_there_is_none(judge: Judge, answer: Answer):
    none: Gold = {"ids": []}
    assert marks(judge, none, Answer(text="None for B-1."), "what_if") == Marks(
        is_exact=True, f1=1.0, f1_beyond=1.0, coverage=1.0
    )
    assert marks(judge, none, answer, "what_if") == Marks(
        is_exact=False, f1=0.0, f1_beyond=0.0, coverage=0.0
    )

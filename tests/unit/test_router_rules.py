"""Rules that admins set: they come first, are shown as rules, and wrong ones are refused."""

from pathlib import Path

import pytest

from router.router import LearnedRouter
from router.rules import Rules
from tests.fakes import HashEncoder
from trivium.domain.errors import DataError
from trivium.domain.question import Question, TierName
from trivium.domain.route import Decider
from trivium.knowledge.lexicon import lexicon_of
from trivium.language.reading import QuestionReader

FILE = """
- name: opening hours
  pattern: .*opening hours.*
  tiers: [rag]
- {name: status page, pattern: status, tiers: []}
"""


@pytest.fixture
def rules(tmp_path: Path) -> Rules:
    path = tmp_path / "rules.yaml"
    path.write_text(FILE, "utf-8")
    return Rules.read(path)


def read(text: str, **more: object) -> object:
    return QuestionReader(HashEncoder(), lexicon_of([])).read(Question(text=text, **more))  # type: ignore[arg-type]  # a test's shorthand


def test_a_rule_comes_before_the_model_and_is_shown(rules: Rules):
    decision = LearnedRouter.shipped(rules).route(read("What are the OPENING hours?"))  # type: ignore[arg-type]  # as above

    assert (decision.tiers, decision.decided_by) == ((TierName.RAG,), Decider.RULE)
    assert decision.parts == {TierName.RAG: "What are the OPENING hours?"}
    assert decision.reasons == ("the rule “opening hours” holds for it",)


def test_a_rule_may_send_a_question_nowhere(rules: Rules):
    decision = LearnedRouter(None, rules=rules).route(read("Status"))  # type: ignore[arg-type]  # as above

    assert (decision.tiers, decision.decided_by) == ((), Decider.RULE)


def test_a_rule_must_match_the_whole_question(rules: Rules):
    assert rules.match("status of the pumps") is None


def test_the_callers_tiers_win_over_a_rule(rules: Rules):
    asked = read("opening hours", tiers=(TierName.CAG,))

    assert LearnedRouter.shipped(rules).route(asked).tiers == (TierName.CAG,)  # type: ignore[arg-type]  # as above


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("- {name: a, pattern: '(', tiers: []}", "cannot be read"),
        ("- {name: a, pattern: b, tiers: [sql]}", "0.tiers.0"),
        ("- {name: a, pattern: b}", "tiers"),
        ("- {name: a, pattern: b, tiers: [], when: now}", "when"),
        ("{a: b", "cannot be read"),
    ],
)
def test_a_wrong_rule_is_refused_in_words(tmp_path: Path, text: str, why: str):
    path = tmp_path / "rules.yaml"
    path.write_text(text, "utf-8")

    with pytest.raises(DataError, match=why):
        Rules.read(path)


def test_a_file_without_rules_has_none(tmp_path: Path):
    path = tmp_path / "rules.yaml"
    path.write_text("", "utf-8")

    assert Rules.read(path).match("anything") is None
    with pytest.raises(DataError, match="cannot be read"):
        Rules.read(tmp_path / "none.yaml")


def test_a_patterns_classes_keep_their_meaning(tmp_path: Path):
    path = tmp_path / "rules.yaml"
    path.write_text("- {name: ticket, pattern: 'Ticket \\S+', tiers: [rag]}", "utf-8")
    rules = Rules.read(path)

    assert rules.match("TICKET T-1") is not None
    assert rules.match("ticket  ") is None

"""What the exact answer memory does, on each store that can keep its bytes."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from structlog.testing import capture_logs

from tests.contract.conftest import FactStore
from tests.fakes import MemoryFactStore
from tiers.cag.memory import ExactMemory, memory_key, normalised
from trivium.domain.errors import DependencyError
from trivium.domain.ports import AnswerMemory
from trivium.domain.question import Question, TierName, Turn

QUESTION = Question(
    text="Who supplies CMP-010?",
    history=(Turn("user", "Hello"), Turn("assistant", "Hello!")),
    as_of="2026-08-01",
    tiers=(TierName.CAG, TierName.GRAPH),
    tenant="acme",
    principal="ann",
)
OTHERS: list[Mapping[str, object]] = [
    {"text": "Who supplies CMP-011?"},
    {"text": "Who supplies CMP-010, CMP-010?"},
    {"text": ""},
    {"tenant": "other"},
    {"tenant": "acmea", "principal": "nn"},
    {"principal": "bob"},
    {"as_of": None},
    {"as_of": "2026-08-02"},
    {"tiers": None},
    {"tiers": ()},
    {"tiers": (TierName.CAG,)},
    {"history": ()},
    {"history": (Turn("user", "Hello"),)},
    {"history": (Turn("user", "Hello"), Turn("user", "Hello!"))},
    {"history": (Turn("user", "Hello"), Turn("assistant", "Hello"), Turn("assistant", "!"))},
    {"history": (Turn("user", 'Hello"],["assistant","Hello!'),)},
]


class DeadStore:
    """A ``ByteStore`` that never answers."""

    async def get(self, key: str) -> bytes | None:
        raise DependencyError("dead")

    async def set(self, key: str, value: bytes, *, ttl_s: int) -> None:
        raise DependencyError("dead")


@pytest.fixture
def memory(store: FactStore) -> AnswerMemory:
    return ExactMemory(store, ttl_s=60)


async def test_an_answer_is_recalled_for_the_same_question(memory: AnswerMemory):
    assert await memory.recall(QUESTION, 3) is None
    await memory.remember(QUESTION, 3, b'{"answer": 1}\x00')
    assert await memory.recall(QUESTION, 3) == b'{"answer": 1}\x00'
    await memory.remember(QUESTION, 3, b"newer")
    assert await memory.recall(QUESTION, 3) == b"newer"


async def test_another_question_or_state_of_knowledge_is_a_miss(memory: AnswerMemory):
    await memory.remember(QUESTION, 3, b"answer")
    assert await memory.recall(QUESTION, 4) is None
    for other in OTHERS:
        assert await memory.recall(changed(**other), 3) is None, other


@pytest.mark.parametrize(
    "text",
    ["who supplies cmp-010", "  WHO  supplies\n\tCMP-010 ?!. ", "Who supplies ＣＭＰ-010？"],
)
async def test_case_spacing_and_the_final_mark_make_no_difference(memory: AnswerMemory, text: str):
    await memory.remember(QUESTION, 3, b"answer")
    assert await memory.recall(changed(text=text), 3) == b"answer"


async def test_the_order_of_the_tiers_makes_no_difference(memory: AnswerMemory):
    await memory.remember(QUESTION, 3, b"answer")
    swapped = changed(tiers=(TierName.GRAPH, TierName.CAG))
    assert await memory.recall(swapped, 3) == b"answer"


async def test_a_question_of_any_characters_can_be_remembered(memory: AnswerMemory):
    odd = changed(text="\ud800 * ? \x00 'é\"", tenant="a:b", principal="")
    await memory.remember(odd, 0, b"answer")
    assert await memory.recall(odd, 0) == b"answer"


async def test_an_answer_is_forgotten_when_its_time_is_up():
    now = [0.0]
    memory = ExactMemory(MemoryFactStore(clock=lambda: now[0]), ttl_s=10)
    await memory.remember(QUESTION, 3, b"answer")
    now[0] = 9.0
    assert await memory.recall(QUESTION, 3) == b"answer"
    now[0] = 10.0
    assert await memory.recall(QUESTION, 3) is None


async def test_a_life_of_0_seconds_turns_the_memory_off(store: FactStore):
    off = ExactMemory(store, ttl_s=0)
    on = ExactMemory(store, ttl_s=60)
    await off.remember(QUESTION, 3, b"answer")
    assert await on.recall(QUESTION, 3) is None
    await on.remember(QUESTION, 3, b"answer")
    assert await off.recall(QUESTION, 3) is None


async def test_a_dead_store_is_a_miss_and_its_log_holds_no_question():
    memory = ExactMemory(DeadStore(), ttl_s=60)
    with capture_logs() as logs:
        await memory.remember(QUESTION, 3, b"answer")
        assert await memory.recall(QUESTION, 3) is None
    assert logs == [
        {"event": "answer_not_remembered", "log_level": "debug"},
        {"event": "answer_not_recalled", "log_level": "debug"},
    ]


def test_all_keys_differ():
    keys = {memory_key(changed(**other), 3) for other in OTHERS} | {memory_key(QUESTION, 3)}
    assert len(keys) == len(OTHERS) + 1


def test_normalising_twice_changes_nothing():
    for text in ("ẞ ﬁ ΐ ＡＢ", "a . ?", "…", "İ", "?!."):
        assert normalised(normalised(text)) == normalised(text)


def changed(**changes: object) -> Question:
    return replace(QUESTION, **changes)  # type: ignore[arg-type]  # the fields' types vary

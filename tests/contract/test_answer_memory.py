"""What the exact answer memory does, on each store that can keep its bytes."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from structlog.testing import capture_logs

from tests.contract.conftest import FactStore, OpenStore
from tests.fakes import HashEncoder, MemoryFactStore
from tiers.cag.memory import VerifiedMemory, memory_key, normalised
from trivium.domain.answer import Known
from trivium.domain.errors import DependencyError
from trivium.domain.ports import AnswerMemory
from trivium.domain.question import Question, TierName, Turn, Vector
from trivium.language.reading import Lexicon, QuestionReader

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


READER = QuestionReader(HashEncoder(), Lexicon.empty())


class DeadStore:
    """A ``ByteStore`` that never answers."""

    async def get(self, key: str, *, version: int | None = None) -> bytes | None:
        raise DependencyError("dead")

    async def set(self, key: str, value: bytes, *, ttl_s: int) -> None:
        raise DependencyError("dead")

    async def set_all(self, values: Mapping[str, bytes], *, ttl_s: int) -> None:
        raise DependencyError("dead")


@pytest.fixture
async def store(open_store: OpenStore) -> FactStore:
    """A fact store at the third change."""
    return await at_the_third_change(await open_store("facts"))


async def at_the_third_change(store: FactStore) -> FactStore:
    await store.apply(watermark=3)
    return store


@pytest.fixture
def memory(store: FactStore) -> AnswerMemory:
    return VerifiedMemory(store, ttl_s=60)


async def test_an_answer_is_recalled_for_the_same_question(memory: AnswerMemory):
    assert await memory.recall(QUESTION, 3) is None
    await memory.remember(known(QUESTION, 3), b'{"answer": 1}\x00')
    assert await memory.recall(QUESTION, 3) == b'{"answer": 1}\x00'
    await memory.remember(known(QUESTION, 3), b"newer")
    assert await memory.recall(QUESTION, 3) == b"newer"


async def test_another_question_or_state_of_knowledge_is_a_miss(memory: AnswerMemory):
    await memory.remember(known(QUESTION, 3), b"answer")
    assert await memory.recall(QUESTION, 4) is None
    for other in OTHERS:
        assert await memory.recall(changed(**other), 3) is None, other


@pytest.mark.parametrize(
    "text",
    ["who supplies cmp-010", "  WHO  supplies\n\tCMP-010 ?!. ", "Who supplies ＣＭＰ-010？"],
)
async def test_case_spacing_and_the_final_mark_make_no_difference(memory: AnswerMemory, text: str):
    await memory.remember(known(QUESTION, 3), b"answer")
    assert await memory.recall(changed(text=text), 3) == b"answer"


async def test_the_order_of_the_tiers_makes_no_difference(memory: AnswerMemory):
    await memory.remember(known(QUESTION, 3), b"answer")
    swapped = changed(tiers=(TierName.GRAPH, TierName.CAG))
    assert await memory.recall(swapped, 3) == b"answer"


async def test_a_question_of_any_characters_can_be_remembered(memory: AnswerMemory):
    odd = changed(text="\ud800 * ? \x00 'é\"", tenant="a:b", principal="")
    await memory.remember(known(odd, 3), b"answer")
    assert await memory.recall(odd, 3) == b"answer"


async def test_an_answer_is_forgotten_when_its_time_is_up():
    now = [0.0]
    store = await at_the_third_change(MemoryFactStore(clock=lambda: now[0]))
    memory = VerifiedMemory(store, ttl_s=10)
    await memory.remember(known(QUESTION, 3), b"answer")
    now[0] = 9.0
    assert await memory.recall(QUESTION, 3) == b"answer"
    now[0] = 10.0
    assert await memory.recall(QUESTION, 3) is None


async def test_a_life_of_0_seconds_turns_the_memory_off(store: FactStore):
    off = VerifiedMemory(store, ttl_s=0)
    on = VerifiedMemory(store, ttl_s=60)
    await off.remember(known(QUESTION, 3), b"answer")
    assert await on.recall(QUESTION, 3) is None
    await on.remember(known(QUESTION, 3), b"answer")
    assert await off.recall(QUESTION, 3) is None


async def test_a_dead_store_is_a_miss_and_its_log_holds_no_question():
    memory = VerifiedMemory(DeadStore(), ttl_s=60)
    with capture_logs() as logs:
        await memory.remember(known(QUESTION, 3), b"answer")
        assert await memory.recall(QUESTION, 3) is None
    assert logs == [
        {"event": "answer_not_remembered", "log_level": "debug"},
        {"event": "answer_not_recalled", "log_level": "debug"},
    ]


NEAR = tuple([1.0] + [0.0] * 383)
FAR = tuple([0.0, 1.0] + [0.0] * 382)
PLAIN = Question(text="Which plants use the red pump?", tenant="acme", principal="ann")
IN_OTHER_WORDS = "Please tell me which factories are using the red pump"


async def alike(
    memory: VerifiedMemory, question: Question, version: int = 3, vector: Vector = NEAR
) -> str | None:
    understood = replace(READER.read(question), vector=vector)
    found = await memory.recall_alike(understood, version)
    return None if found is None else found.body.decode()


async def test_other_words_for_the_same_recall_the_answer(store: FactStore):
    memory = VerifiedMemory(store, ttl_s=60)
    await memory.remember(known(PLAIN, 3, NEAR), b"answer")
    await memory.remember(known(replace(PLAIN, text="Which plants use it?"), 3, NEAR), b"other")

    said = replace(PLAIN, text=IN_OTHER_WORDS)
    assert await alike(memory, said) == "answer"
    assert await memory.recall(said, 3) is None
    found = await memory.recall_alike(replace(READER.read(said), vector=NEAR), 3)
    assert found is not None
    assert (found.question, found.similarity) == (PLAIN.text, 1.0)


@pytest.mark.parametrize(
    "changes",
    [
        {"text": "Which plants do not use the red pump?"},
        {"text": "Which plants use the red pumps of 2024?"},
        {"text": "Which plants used the red pump?"},
        {"text": "Which plants use the blue pump?"},
        {"tenant": "other"},
        {"principal": "bob"},
        {"as_of": "2026-08-01"},
        {"tiers": (TierName.CAG,)},
        {"history": (Turn("user", "Hello"),)},
    ],
)
async def test_what_asks_something_else_or_is_asked_elsewhere_recalls_nothing(
    store: FactStore, changes: Mapping[str, object]
):
    memory = VerifiedMemory(store, ttl_s=60)
    await memory.remember(known(PLAIN, 3, NEAR), b"answer")
    assert await alike(memory, PLAIN) == "answer"
    assert await alike(memory, replace(PLAIN, **changes)) is None  # type: ignore[arg-type]  # fields


async def test_what_is_far_in_meaning_or_has_no_vector_recalls_nothing(store: FactStore):
    memory = VerifiedMemory(store, ttl_s=60)
    await memory.remember(known(PLAIN, 3, NEAR), b"answer")
    assert await alike(memory, PLAIN, vector=FAR) is None
    assert await alike(memory, PLAIN, vector=()) is None
    assert await alike(memory, PLAIN, vector=(1.0,)) is None


async def test_after_a_change_that_any_process_made_nothing_older_is_recalled(store: FactStore):
    mine, other = VerifiedMemory(store, ttl_s=60), VerifiedMemory(store, ttl_s=60)
    await store.apply(watermark=3)
    await mine.remember(known(PLAIN, 3, NEAR), b"old")
    assert await other.recall(PLAIN, 3) == b"old"

    await store.apply(watermark=4)

    assert await mine.recall(PLAIN, 3) is None
    assert await alike(mine, replace(PLAIN, text=IN_OTHER_WORDS)) is None
    await mine.remember(known(PLAIN, 3, NEAR), b"late")
    assert await other.recall(PLAIN, 4) is None
    await other.remember(known(PLAIN, 4, NEAR), b"new")
    assert await other.recall(PLAIN, 4) == b"new"


async def test_while_the_facts_are_read_again_nothing_is_recalled(store: FactStore):
    memory = VerifiedMemory(store, ttl_s=60)
    await memory.remember(known(PLAIN, 3, NEAR), b"answer")
    await store.apply(watermark=2)
    assert await memory.recall(PLAIN, 3) is None
    await store.apply(watermark=3)
    assert await memory.recall(PLAIN, 3) == b"answer"


async def test_with_other_rules_nothing_is_recalled(store: FactStore):
    day = ["monday"]
    memory = VerifiedMemory(store, ttl_s=60, rules=lambda: day[0])
    await memory.remember(known(PLAIN, 3, NEAR), b"answer")
    day[0] = "tuesday"
    assert await memory.recall(PLAIN, 3) is None
    assert await alike(memory, PLAIN) is None


async def test_what_is_about_the_asker_is_not_kept(store: FactStore):
    memory = VerifiedMemory(store, ttl_s=60)
    own = replace(PLAIN, text="What is my open order total?")
    await memory.remember(known(own, 3, NEAR), b"10")
    assert await memory.recall(own, 3) is None
    assert memory.counts["kept"] == 0


async def test_a_wording_outlives_no_answer():
    now = [0.0]
    store = await at_the_third_change(MemoryFactStore(clock=lambda: now[0]))
    memory = VerifiedMemory(store, ttl_s=10)
    await memory.remember(known(PLAIN, 3, NEAR), b"answer")
    now[0] = 9.0
    later = replace(PLAIN, text=IN_OTHER_WORDS)
    assert await alike(memory, later) == "answer"
    await memory.remember(known(replace(PLAIN, text="which PLANT uses the red pump"), 3, FAR), b"x")
    now[0] = 11.0
    assert await alike(memory, later) is None


def test_all_keys_differ():
    keys = {memory_key(changed(**other), 3) for other in OTHERS} | {memory_key(QUESTION, 3)}
    assert len(keys) == len(OTHERS) + 1


def test_normalising_twice_changes_nothing():
    for text in ("ẞ ﬁ ΐ ＡＢ", "a . ?", "…", "İ", "?!."):
        assert normalised(normalised(text)) == normalised(text)


def known(question: Question, version: int, vector: Vector = ()) -> Known:
    understood = replace(READER.read(question), vector=vector)
    return Known(question=question, understood=understood, version=version)


def changed(**changes: object) -> Question:
    return replace(QUESTION, **changes)  # type: ignore[arg-type]  # the fields' types vary

"""A share of what memory gives is made anew, and what was wrong is forgotten."""

import io
from collections.abc import AsyncIterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import httpx
import pytest

from tests.conftest import logged
from tests.zoo import write_zoo
from trivium.app.auditing import MemoryAudit
from trivium.app.http import create_app
from trivium.app.service import Service
from trivium.domain.answer import Remembered
from trivium.domain.question import Question
from trivium.knowledge.dataset import read_dataset

QUESTION = Question(text="Who feeds Nanuk?")
OTHER_WORDS = replace(QUESTION, text="Please tell me who feeds Nanuk")


@pytest.fixture
async def audited(zoo: Service) -> AsyncIterator[Service]:
    """The zoo with an audit of all that memory gives."""
    assert zoo.audit is not None
    audit = MemoryAudit(zoo.memory, zoo.audit._asker, share=1.0, chance=lambda: 0.5)
    yield replace(zoo, audit=audit)
    await audit.close()


async def ask(service: Service, question: Question) -> bool:
    """Return whether memory gave the answer, once that was looked at."""
    answer = await service.ask(question)
    assert service.audit is not None
    await service.audit.settled()
    return isinstance(answer, Remembered)


async def test_what_is_right_stays(audited: Service):
    found = [await ask(audited, q) for q in (QUESTION, QUESTION, OTHER_WORDS, QUESTION)]
    assert found == [False, True, True, True]
    assert (audited.memory.counts["audited"], audited.memory.counts["wrong"]) == (3, 0)


async def test_text_that_cannot_be_sent_as_it_is_makes_no_answer_wrong(
    audited: Service, tmp_path: Path
):
    data = write_zoo(tmp_path / "odd")
    nodes = data / "nodes.jsonl"
    nodes.write_text(nodes.read_text("utf-8").replace("polar bear", r"polar\ud800bear"), "utf-8")
    await audited.knowledge.load(read_dataset(data))
    species = Question(text="What species is Nanuk?")

    assert [await ask(audited, species) for _ in range(2)] == [False, True]
    assert (audited.memory.counts["audited"], audited.memory.counts["wrong"]) == (1, 0)


@pytest.mark.parametrize("asked", [QUESTION, OTHER_WORDS])
async def test_what_is_wrong_is_forgotten_counted_and_logged(
    audited: Service, asked: Question, stream: io.StringIO
):
    await ask(audited, QUESTION)
    key = audited.memory.key(QUESTION, audited.knowledge.version)
    kept = await audited.redis.get(key)
    assert kept is not None
    await audited.redis.set(key, kept.replace(b'"K-2"', b'"K-1"'), ttl_s=60)

    assert await ask(audited, asked)
    assert not await ask(audited, asked)

    assert audited.memory.counts["wrong"] == 1
    (line,) = [line for line in logged(stream) if line["event"] == "remembered_answer_wrong"]
    assert line["key"] == key
    assert "Nanuk" not in stream.getvalue()
    transport = httpx.ASGITransport(app=create_app(audited))
    async with httpx.AsyncClient(transport=transport, base_url="http://zoo") as client:
        assert "trivium_memory_wrong_total 1.0" in (await client.get("/metrics")).text
        told = (await client.get("/admin/memory/statistics")).json()["counts"]
        assert (told["audited"], told["wrong"]) == (1, 1)


async def test_no_more_than_the_share_is_looked_at(zoo: Service):
    assert zoo.audit is not None
    for share, chance, n in ((0.0, 0.0, 0), (0.3, 0.3, 0), (0.3, 0.2, 1)):
        chances = partial(float, chance)
        audit = MemoryAudit(zoo.memory, zoo.audit._asker, share=share, chance=chances)
        service = replace(zoo, audit=audit)
        await service.ask(QUESTION)
        await service.ask(QUESTION)
        await audit.settled()
        assert zoo.memory.counts["audited"] == n

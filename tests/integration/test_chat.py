"""The chat gateway against a server that fails in every way we know."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

from tests import messages_server as say
from tests.conftest import LATE_S
from tests.messages_server import MessagesServer, Reply
from trivium.domain.deadline import Deadline
from trivium.domain.errors import DeadlineError, DependencyError, ModelOutputError, TriviumError
from trivium.gateway.chat import ClaudeChat, Completion, Limits

SHORT_S = 0.3
AT_ONCE = Limits(jitter=lambda: 0.0)


class Clock:
    """A clock that a test moves."""

    now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


@asynccontextmanager
async def talking_to(server: MessagesServer, **changes: object) -> AsyncIterator[ClaudeChat]:
    defaults = {"api_key": "sk-test\n", "max_tokens": 99, "limits": AT_ONCE}
    options: dict[str, Any] = {**defaults, **changes}  # Any: the arguments of `open`
    chat = ClaudeChat.open(model="claude-test", base_url=server.url, **options)
    try:
        yield chat
    finally:
        await chat.close()


async def ask(chat: ClaudeChat, *, prompt: str = "Why?", within_s: float = 5.0) -> Completion:
    return await chat.complete(system="Be brief.", prompt=prompt, deadline=Deadline.after(within_s))


async def test_a_completion_holds_the_text_the_model_and_what_it_cost():
    async with MessagesServer(say.ok(" Because. ")) as server, talking_to(server) as chat:
        completion = await ask(chat)

    assert completion == Completion(
        text="Because.",
        input_tokens=11,
        output_tokens=7,
        cache_read_tokens=5,
        cache_write_tokens=3,
        model="claude-test-1",
    )


async def test_the_request_marks_the_system_prompt_for_caching():
    async with MessagesServer() as server, talking_to(server) as chat:
        await ask(chat)
        (request,) = server.requests

    assert request.path == "/v1/messages"
    assert request.headers["authorization"] == "Bearer sk-test"
    assert request.body == {
        "model": "claude-test",
        "max_tokens": 99,
        "system": [
            {"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}},
        ],
        "messages": [{"role": "user", "content": "Why?"}],
    }


async def test_of_a_longer_system_prompt_the_first_block_and_the_last_are_marked():
    async with MessagesServer() as server, talking_to(server) as chat:
        deadline, prefix = Deadline.after(5), ["One.", "Two\ud800.", "Three."]
        await chat.complete(system="Be brief.", prefix=prefix, prompt="Why?", deadline=deadline)
        system = server.requests[0].body["system"]

    assert [block["text"] for block in system] == ["Be brief.", "One.", "Two?.", "Three."]
    assert ["cache_control" in block for block in system] == [True, False, False, True]


async def test_several_text_blocks_are_joined_and_others_are_left_out():
    content = [
        {"type": "thinking", "thinking": "hm", "signature": "s"},
        {"type": "text", "text": "One "},
        {"type": "text", "text": "two."},
    ]
    async with MessagesServer(say.ok(content=content)) as server, talking_to(server) as chat:
        assert (await ask(chat)).text == "One two."


@pytest.mark.parametrize("usage", [None, {}, {"input_tokens": None}])
async def test_a_server_that_does_not_count_costs_nothing(usage: object):
    message = {k: v for k, v in say.message().items() if k != "usage"}
    reply = say.json_reply(message if usage is None else message | {"usage": usage})
    async with MessagesServer(reply) as server, talking_to(server) as chat:
        assert (await ask(chat)).input_tokens == 0


async def test_a_lone_surrogate_is_sent_as_a_question_mark():
    async with MessagesServer() as server, talking_to(server) as chat:
        await ask(chat, prompt="a\ud800b")

    assert server.requests[0].body["messages"][0]["content"] == "a?b"


FAULTS: dict[str, tuple[Reply, type[TriviumError], int]] = {
    "429": (say.status(429, "rate_limit_error"), DependencyError, 3),
    "500": (say.status(500), DependencyError, 3),
    "529": (say.overloaded(), DependencyError, 3),
    "overloaded with status 200": (say.overloaded(200), DependencyError, 3),
    "cut body": (say.cut(), DependencyError, 3),
    "dropped connection": (say.drop(), DependencyError, 3),
    "400": (say.status(400, "invalid_request_error"), DependencyError, 1),
    "401": (say.status(401, "authentication_error"), DependencyError, 1),
    "refused with status 200": (say.status(200, "permission_error"), DependencyError, 1),
    "redirect": (Reply(status=302, headers={"location": "/v1/messages"}), DependencyError, 1),
    "hang": (say.hang(), DeadlineError, 1),
    "drip": (say.drip(), DeadlineError, 1),
    "not JSON": (say.not_json(), ModelOutputError, 1),
    "not UTF-8": (Reply(body=b'{"type": "\xff"}'), ModelOutputError, 1),
    "unasked stream": (say.unasked_stream(), ModelOutputError, 1),
    "HTML": (say.html(), ModelOutputError, 1),
    "{}": (say.empty_object(), ModelOutputError, 1),
    "a list": (say.json_reply([]), ModelOutputError, 1),
    "no content": (say.no_content(), ModelOutputError, 1),
    "empty content": (say.ok(content=[]), ModelOutputError, 1),
    "content of another type": (say.ok(content="Fine."), ModelOutputError, 1),
    "text that is null": (say.ok(content=[{"type": "text", "text": None}]), ModelOutputError, 1),
    "empty text": (say.empty_text(), ModelOutputError, 1),
    "no stop reason": (say.ok(stop_reason=None), ModelOutputError, 1),
    "cut at max_tokens": (say.ok(stop_reason="max_tokens"), ModelOutputError, 1),
    "refusal": (say.ok(stop_reason="refusal"), ModelOutputError, 1),
    "no model": (say.ok(model=None), ModelOutputError, 1),
    "not a message": (say.ok(type="completion"), ModelOutputError, 1),
}


@pytest.mark.parametrize("fault", FAULTS)
async def test_every_fault_ends_in_time_with_an_error_of_ours(fault: str):
    reply, expected, n_requests = FAULTS[fault]
    within_s = SHORT_S if expected is DeadlineError else 5.0  # retries fit on a busy machine too
    async with MessagesServer(reply) as server, talking_to(server) as chat:
        start = time.monotonic()
        with pytest.raises(TriviumError) as caught:
            await ask(chat, within_s=within_s)
        took_s = time.monotonic() - start

    assert type(caught.value) is expected
    assert took_s < within_s + LATE_S
    assert len(server.requests) == n_requests
    assert "sk-test" not in str(caught.value)


async def test_a_key_that_cannot_be_sent_is_not_shown():
    async with MessagesServer() as server, talking_to(server, api_key="sk-te\nst") as chat:
        with pytest.raises(DependencyError) as caught:
            await ask(chat)

    assert "sk-te" not in str(caught.value)


async def test_a_server_that_is_not_there_is_a_dependency_error():
    async with MessagesServer() as server:
        pass
    async with talking_to(server) as chat:
        with pytest.raises(DependencyError, match="cannot be reached"):
            await ask(chat)


@pytest.mark.parametrize("fault", ["429", "529", "overloaded with status 200", "cut body"])
async def test_a_passing_failure_is_mended_by_asking_again(fault: str):
    reply = FAULTS[fault][0]
    async with MessagesServer(reply, reply, say.ok()) as server, talking_to(server) as chat:
        assert (await ask(chat)).text == "Fine [1]."
        assert len(server.requests) == 3


async def test_a_retry_after_that_fits_is_waited_for():
    script = (say.status(429, retry_after="0.1"), say.ok())
    async with MessagesServer(*script) as server, talking_to(server) as chat:
        start = time.monotonic()
        await ask(chat)

    assert time.monotonic() - start >= 0.1


async def test_a_retry_after_past_the_deadline_ends_the_call_at_once():
    script = (say.status(429, retry_after="60"), say.ok())
    async with MessagesServer(*script) as server, talking_to(server) as chat:
        start = time.monotonic()
        with pytest.raises(DependencyError, match="429"):
            await ask(chat)
        assert len(server.requests) == 1

    assert time.monotonic() - start < LATE_S


@pytest.mark.parametrize("header", ["nan", "-1", "inf", "soon", ""])
async def test_a_retry_after_that_makes_no_sense_is_left_aside(header: str):
    script = (say.status(529, retry_after=header), say.ok())
    async with MessagesServer(*script) as server, talking_to(server) as chat:
        assert (await ask(chat)).text == "Fine [1]."


async def test_a_backoff_past_the_deadline_is_not_begun():
    limits = Limits(backoffs_s=(60.0,), jitter=lambda: 1.0)
    async with MessagesServer(say.status(500)) as server, talking_to(server, limits=limits) as chat:
        with pytest.raises(DependencyError):
            await ask(chat)
        assert len(server.requests) == 1


async def test_without_time_nothing_is_sent():
    async with MessagesServer() as server, talking_to(server) as chat:
        with pytest.raises(DeadlineError):
            await ask(chat, within_s=0.0)

    assert not server.requests


async def test_only_so_many_calls_run_at_once_and_waiting_counts_as_time():
    async with MessagesServer(say.hang()) as server, talking_to(server, max_concurrency=2) as chat:
        running = [asyncio.create_task(ask(chat)) for _ in range(2)]
        async with asyncio.timeout(5.0):
            while len(server.requests) < 2:  # noqa: ASYNC110  # the server has no event for it
                await asyncio.sleep(0)
        with pytest.raises(DeadlineError):
            await ask(chat, within_s=SHORT_S)
        assert len(server.requests) == 2

        for call in running:
            call.cancel()
        await asyncio.gather(*running, return_exceptions=True)


async def test_a_call_that_is_cancelled_stays_cancelled():
    async with MessagesServer(say.hang()) as server, talking_to(server) as chat:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(ask(chat), 0.05)


async def fail(chat: ClaudeChat, n_times: int) -> None:
    for _ in range(n_times):
        with pytest.raises(DependencyError):
            await ask(chat)


async def test_the_breaker_opens_after_five_failures_and_closes_when_a_try_succeeds():
    clock = Clock()
    limits = replace(AT_ONCE, clock=clock, backoffs_s=())
    async with MessagesServer(say.status(500)) as server, talking_to(server, limits=limits) as chat:
        await fail(chat, 5)
        with pytest.raises(DependencyError, match="left alone"):
            await ask(chat)
        assert len(server.requests) == 5

        server.script = (say.ok(),)
        clock.now_s += 4.9
        await fail(chat, 1)
        clock.now_s += 0.2
        await ask(chat)
        await ask(chat)
        assert len(server.requests) == 7


async def test_a_try_that_fails_leaves_the_breaker_open():
    clock = Clock()
    limits = replace(AT_ONCE, clock=clock, backoffs_s=())
    async with MessagesServer(say.status(500)) as server, talking_to(server, limits=limits) as chat:
        await fail(chat, 5)
        clock.now_s += 5.1
        await fail(chat, 3)

    assert len(server.requests) == 6


async def test_an_open_breaker_lets_one_try_through_at_a_time():
    clock = Clock()
    limits = replace(AT_ONCE, clock=clock, backoffs_s=())
    async with MessagesServer(say.status(500)) as server, talking_to(server, limits=limits) as chat:
        await fail(chat, 5)
        clock.now_s += 5.1
        server.script = (say.hang(),)
        first, second = await asyncio.gather(
            ask(chat, within_s=0.1), ask(chat, within_s=0.1), return_exceptions=True
        )

    assert (type(first), type(second)) == (DeadlineError, DependencyError)


@pytest.mark.parametrize("fault", ["400", "HTML"])
async def test_a_service_that_answers_badly_does_not_open_the_breaker(fault: str):
    reply, expected, _ = FAULTS[fault]
    async with MessagesServer(reply) as server, talking_to(server) as chat:
        for _ in range(7):
            with pytest.raises(expected):
                await ask(chat)
        assert len(server.requests) == 7


async def test_calls_that_run_out_of_time_open_the_breaker():
    limits = replace(AT_ONCE, n_failures=1, clock=Clock())
    async with MessagesServer(say.hang()) as server, talking_to(server, limits=limits) as chat:
        with pytest.raises(DeadlineError):
            await ask(chat, within_s=0.05)
        with pytest.raises(DependencyError, match="left alone"):
            await ask(chat)

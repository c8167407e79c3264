"""The limit of requests at the door: by key, by address, and how it is told."""

from dataclasses import replace
from pathlib import Path

import httpx

from tests.e2e.doors import asking
from trivium.app.access import Access
from trivium.app.http import create_app, routed
from trivium.app.keys import KeyFile, Keyring, Role
from trivium.app.rates import Buckets, Limited
from trivium.app.service import Service
from trivium.domain.errors import DependencyError

CHAT = {"model": "trivium", "messages": [{"role": "user", "content": "Who feeds Nanuk?"}]}


def limited(service: Service, per_minute: int) -> Service:
    return replace(service, settings=service.settings.model_copy(update={"rate_limit": per_minute}))


async def test_what_is_too_much_is_refused_and_told_when_to_come_again(zoo: Service):
    async with asking(create_app(limited(zoo, 2))) as client:
        body = {"question": "Who feeds Nanuk?"}
        replies = [await client.post("/ask", json=body) for _ in range(3)]
        refused = replies[-1]

    assert [reply.status_code for reply in replies] == [200, 200, 429]
    assert [reply.headers["ratelimit-remaining"] for reply in replies] == ["1", "0", "0"]
    assert {reply.headers["ratelimit-limit"] for reply in replies} == {"2"}
    assert refused.headers["content-type"] == "application/problem+json"
    assert 1 <= int(refused.headers["retry-after"]) <= 30
    assert 30 <= int(refused.headers["ratelimit-reset"]) <= 60
    assert refused.json()["title"] == "Too Many Requests"


async def test_clients_of_the_openai_door_are_refused_in_their_shape(zoo: Service):
    async with asking(create_app(limited(zoo, 1))) as client:
        await client.get("/v1/models")
        refused = await client.post("/v1/chat/completions", json=CHAT)

    assert refused.status_code == 429
    assert refused.json()["error"]["code"] == "rate_limit_exceeded"
    assert "retry-after" in refused.headers


async def test_each_key_has_its_own_limit_and_strangers_have_their_address(
    zoo: Service, tmp_path: Path
):
    file = KeyFile(tmp_path / "keys.json")
    made = "2026-08-01T12:00:00+00:00"
    keys = [file.add(name, Role.ASKER, tenant="default", created=made) for name in ("ann", "ben")]
    kept = replace(limited(zoo, 1), keys=Keyring(file))
    ann, ben = ({"authorization": f"Bearer {key}"} for key in keys)

    async def status(client: httpx.AsyncClient, path: str, headers: dict[str, str]) -> int:
        return (await client.get(path, headers=headers)).status_code

    async with asking(create_app(kept)) as client:
        statuses = [await status(client, "/v1/models", who) for who in (ann, ann, ben)]
        strange = [await status(client, "/openapi.json", {}) for _ in range(2)]
        # What is refused for want of a key costs nobody's bucket.
        unknown = [await status(client, "/v1/models", {}) for _ in range(3)]

    assert statuses == [200, 429, 200]
    assert strange == [200, 429]
    assert unknown == [401, 401, 401]


async def test_how_it_is_can_be_asked_without_limit_and_none_is_the_default(zoo: Service):
    async with asking(create_app(limited(zoo, 1))) as client:
        seen = [(await client.get("/livez")).status_code for _ in range(5)]
        seen += [(await client.get(path)).status_code for path in ("/", "/page/page.js", "/")]
    async with asking(create_app(zoo)) as client:
        free = [await client.get("/v1/models") for _ in range(5)]

    assert seen == [200] * 8
    assert {reply.status_code for reply in free} == {200}
    assert all("ratelimit-limit" not in reply.headers for reply in free)


async def test_processes_that_share_a_redis_share_the_limit(zoo: Service):
    server = replace(zoo, settings=zoo.settings.model_copy(update={"redis_url": "redis://shared"}))
    async with (
        asking(create_app(limited(server, 3))) as one,
        asking(create_app(limited(server, 3))) as other,
    ):
        replies = [await client.get("/v1/models") for client in (one, other, one, other)]

    assert [reply.status_code for reply in replies] == [200, 200, 200, 429]
    assert [reply.headers["ratelimit-remaining"] for reply in replies] == ["2", "1", "0", "0"]
    assert 1 <= int(replies[-1].headers["retry-after"]) <= 20


class Gone:
    """Shared buckets that nobody keeps."""

    async def take_token(self, whose: str, *, interval_s: float, full_s: float) -> float:
        raise DependencyError("it is gone")


async def test_without_the_shared_buckets_each_process_counts_for_itself(zoo: Service):
    app = routed(zoo)
    app.add_middleware(Limited, buckets=Buckets(1), shared=Gone())
    async with asking(Access(app, zoo.keys, ["zoo"])) as client:
        statuses = [(await client.get("/v1/models")).status_code for _ in range(2)]

    assert statuses == [200, 429]

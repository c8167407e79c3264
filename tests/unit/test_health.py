"""How the service says how it is: states, advice, and what makes it unready."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.fakes import HashEncoder, SteppingClock
from trivium.app import checks
from trivium.app.health import Check, Health, HealthWatch, Seen, State, Status, shown
from trivium.app.settings import Settings
from trivium.domain.errors import DependencyError
from trivium.domain.knowledge import Change


@dataclass
class Part:
    """A part of the service that can be broken."""

    name: str
    seen: Seen = field(default_factory=Seen)
    error: Exception | None = None
    hangs: bool = False
    n_looks: int = 0

    async def look(self) -> Seen:
        self.n_looks += 1
        if self.hangs:
            await asyncio.Event().wait()
        if self.error:
            raise self.error
        return self.seen

    def check(self, *, is_needed: bool = False, is_source: bool = False) -> Check:
        return Check(
            name=self.name,
            look=self.look,
            advice=f"mend {self.name}",
            is_needed=is_needed,
            is_source=is_source,
        )


DOWN = DependencyError("no answer")


def a_watch(*found: Check, clock: Callable[[], float] = lambda: 0.0) -> HealthWatch:
    return HealthWatch(found, now=SteppingClock(), clock=clock, timeout_s=0.05)


async def look(*found: Check) -> Health:
    return await a_watch(*found).look()


async def test_all_well_is_ok_and_gives_no_advice():
    health = await look(Part("a").check(), Part("b", Seen(state=State.OFF)).check())

    assert health.status is Status.OK
    assert [part.to_json()["advice"] for part in health.parts] == [None, None]


async def test_a_part_that_is_not_needed_leaves_the_service_ready():
    health = await look(Part("a", error=DOWN).check(), Part("b").check(is_needed=True))

    assert (health.status, health.is_ready) == (Status.DEGRADED, True)
    assert health.parts[0].to_json() == {
        "state": "down",
        "since": "2026-08-01T12:00:00+00:00",
        "behind": 0,
        "where": "",
        "detail": "no answer",
        "advice": "mend a",
    }


async def test_a_needed_part_that_is_down_makes_it_unready():
    health = await look(Part("a", error=DOWN).check(is_needed=True), Part("b").check())

    assert (health.status, health.is_ready) == (Status.NOT_READY, False)


async def test_it_is_ready_while_one_source_of_answers_is_there():
    down, up = Part("a", error=DOWN), Part("b")

    one = await look(down.check(is_source=True), up.check(is_source=True))
    none = await look(down.check(is_source=True), down.check(is_source=True))

    assert (one.status, none.status) == (Status.DEGRADED, Status.NOT_READY)


async def test_a_needed_part_that_is_behind_still_answers():
    behind = Seen(state=State.BEHIND, behind=3, advice="wait")

    health = await look(Part("a", behind).check(is_needed=True))

    assert health.status is Status.DEGRADED
    assert health.parts[0].to_json()["advice"] == "wait"


async def test_a_part_that_hangs_is_down_and_holds_up_no_other():
    hanging, fine = Part("a", hangs=True), Part("b")

    async with asyncio.timeout(5):
        health = await look(hanging.check(), fine.check())

    assert [part.seen.state for part in health.parts] == [State.DOWN, State.OK]
    assert "0.05 s" in health.parts[0].seen.detail


async def test_one_slow_moment_is_no_outage():
    part = Part("a")

    async def slow_once() -> Seen:
        part.hangs = part.n_looks == 0
        return await part.look()

    health = await look(replace(part.check(), look=slow_once))

    assert (health.status, part.n_looks) == (Status.OK, 2)


async def test_a_check_that_breaks_is_a_part_that_is_down():
    health = await look(Part("a", error=ZeroDivisionError("x")).check())

    assert health.parts[0].seen.detail == "looking at it failed: ZeroDivisionError"


async def test_since_is_when_the_state_was_first_seen():
    clock, seconds, part = SteppingClock(), [0.0], Part("a")
    watch = HealthWatch([part.check()], now=clock, clock=lambda: seconds[0])
    told = []
    for error in (None, None, DOWN, DOWN, None):
        part.error = error
        told.append((await watch.look()).parts[0].since[11:19])
        clock.step(60)
        seconds[0] += 60

    assert told == ["12:00:00", "12:00:00", "12:02:00", "12:02:00", "12:04:00"]


async def test_asking_again_within_a_second_costs_the_parts_nothing():
    part, seconds = Part("a"), [0.0]
    watch = a_watch(part.check(), clock=lambda: seconds[0])

    await asyncio.gather(*(watch.look() for _ in range(20)))
    assert part.n_looks == 1
    seconds[0] = 1.5
    await watch.look()

    assert part.n_looks == 2


async def test_credentials_are_never_told():
    error = DependencyError("cannot connect to redis://ann:hidden@host:6379")

    health = await look(Part("a", error=error).check())

    assert health.parts[0].seen.detail == "cannot connect to redis://host:6379"
    assert shown("http://key:hidden@q:6333?api_key=hidden") == "http://q:6333"


@dataclass
class Followed:
    """A journal at ``at``, maybe silent; and a projection of it."""

    at: int = 7
    error: Exception | None = None
    version: int = 7
    name: str = "facts"
    mark: int = 7

    async def head(self) -> int:
        if self.error:
            raise self.error
        return self.at

    async def watermark(self) -> int:
        return self.mark

    async def apply(self, changes: Sequence[Change], upto: int) -> None: ...

    async def clear(self) -> None: ...


EMBEDDED = Settings.model_validate({})
SERVERS = Settings.model_validate(
    {
        "redis_url": "redis://:hidden@cache:6379/0",
        "qdrant_url": "http://vectors:6333",
        "database_url": "postgresql://ann:hidden@db/trivium",
        "memory_ttl_s": 0,
    }
)


@pytest.mark.parametrize(("mark", "state"), [(7, State.OK), (4, State.BEHIND), (0, State.BEHIND)])
async def test_a_projection_is_behind_by_what_it_has_not_taken(mark: int, state: State):
    followed = Followed(mark=mark)

    (part,) = (await look(checks.facts(followed, followed, EMBEDDED))).parts

    assert (part.seen.state, part.seen.behind) == (state, 7 - mark)


async def test_a_projection_can_be_seen_while_the_journal_is_silent():
    followed = Followed(error=DOWN)

    health = await look(
        checks.journal(followed, EMBEDDED), checks.documents(followed, followed, EMBEDDED)
    )

    assert [part.seen.state for part in health.parts] == [State.DOWN, State.OK]
    assert health.is_ready


def test_advice_names_the_server_without_its_password_or_what_is_embedded():
    followed = Followed()
    of_servers = checks.facts(followed, followed, SERVERS)
    of_database = checks.journal(followed, SERVERS)
    embedded = checks.documents(followed, followed, EMBEDDED)

    assert of_servers.advice == (
        "see whether Redis runs at redis://cache:6379/0, and start it; answers go on without facts"
    )
    assert "postgresql://db/trivium" in of_database.advice
    assert embedded.advice.startswith("the embedded Qdrant ended or hangs: restart the service")


async def test_answers_that_wait_too_many_are_behind_and_lost_ones_are_told():
    async def get(answer_id: str, tenant: str) -> None:
        return None

    few = SimpleNamespace(n_pending=3, n_dropped=0, get=get)
    many = SimpleNamespace(n_pending=4_000, n_dropped=12, get=get)

    health = await look(checks.answers(few, EMBEDDED), checks.answers(many, EMBEDDED))

    assert [part.seen.state for part in health.parts] == [State.OK, State.BEHIND]
    assert "12 were given up" in health.parts[1].seen.detail


async def test_a_memory_that_is_turned_off_is_not_looked_at():
    async def ping() -> None:
        raise DOWN

    off, down = (await look(checks.memory(ping, SERVERS), checks.memory(ping, EMBEDDED))).parts

    assert (off.seen.state, down.seen.state) == (State.OFF, State.DOWN)


async def test_without_its_names_it_is_not_ready_and_without_encoder_or_model_it_is():
    followed = Followed()

    encoder = checks.encoder(HashEncoder(), EMBEDDED)
    names = checks.names(followed, followed)
    model = checks.router_model(lambda: None)

    assert (encoder.is_needed, names.is_needed, model.is_needed) == (False, True, False)
    assert (await look(encoder, names, model)).status is Status.DEGRADED


@pytest.mark.parametrize(
    ("free", "state"),
    [(2 << 30, State.OK), (512 << 20, State.LOW), (1 << 20, State.DOWN)],
)
async def test_the_disk_of_the_home_is_low_before_it_is_full(free: int, state: State):
    (part,) = (await look(checks.disk(Path("home"), lambda _: free))).parts

    assert part.seen.state is state


async def test_a_home_that_is_gone_is_told(tmp_path: Path):
    (part,) = (await look(checks.disk(tmp_path / "gone"))).parts

    assert part.seen.detail == "the home cannot be looked at: No such file or directory"

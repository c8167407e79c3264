"""What the embedded server promises: durable, private, gone with its owner, one a directory."""

import asyncio
import os
import shutil
import signal
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from tiers.cag import server as server_module
from tiers.cag.server import EmbeddedServer
from tiers.cag.store import RedisStore
from trivium.domain.errors import DependencyError, HomeError
from trivium.domain.knowledge import Fact

OWNER = """
import asyncio, sys
from pathlib import Path
from tiers.cag.server import EmbeddedServer

async def main():
    server = await EmbeddedServer.start(Path(sys.argv[1]))
    print(server.pid, server.url, flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""


async def test_acknowledged_writes_survive_a_killed_server(tmp_path: Path):
    facts = [Fact(entity=f"B-{n}", attribute="seats", value=n) for n in range(500)]
    async with running(tmp_path) as server, opened(server) as store:
        for start in range(0, len(facts), 50):
            await store.apply(puts=facts[start : start + 50], watermark=start + 50)
        os.kill(server.pid, signal.SIGKILL)
    async with running(tmp_path) as server, opened(server) as store:
        assert await store.watermark() == 500
        assert [(await store.facts(fact.entity))[0] for fact in facts] == facts


async def test_a_store_whose_server_was_killed_says_so(tmp_path: Path):
    async with running(tmp_path) as server, opened(server) as store:
        await store.ping()
        os.kill(server.pid, signal.SIGKILL)
        await server.stop()
        with pytest.raises(DependencyError):
            await store.facts("B-1")


async def test_a_store_finds_a_server_that_came_back(tmp_path: Path):
    async with running(tmp_path) as first, opened(first) as store:
        await store.apply(watermark=5)
        # The same server at the same socket, as after a restart of a real one.
        process = first._process
        os.kill(first.pid, signal.SIGKILL)
        await process.wait()
        first._socket.unlink()
        first._process = await server_module._launch(tmp_path, first._socket)
        await first._wait_until_it_answers(tmp_path)
        assert await store.watermark() == 5


async def test_writes_survive_an_orderly_end(tmp_path: Path):
    async with running(tmp_path) as server, opened(server) as store:
        await store.apply(watermark=5)
    async with running(tmp_path) as server, opened(server) as store:
        assert await store.watermark() == 5


async def test_stopping_leaves_nothing_and_may_be_repeated(tmp_path: Path):
    server = await EmbeddedServer.start(tmp_path)
    await server.stop()
    await server.stop()
    assert not server._socket.parent.exists()
    with pytest.raises(ProcessLookupError):
        os.kill(server.pid, 0)


async def test_it_listens_on_its_socket_alone_and_keeps_a_log_of_writes(tmp_path: Path):
    async with running(tmp_path) as server, opened(server) as store:
        config = await store._client.config_get("port", "save", "appendonly", "appendfsync", "dir")
        assert config == {
            "port": "0",
            "save": "",
            "appendonly": "yes",
            "appendfsync": "everysec",
            "dir": str(tmp_path),
        }
        assert server._socket.parent.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("name", ["long" * 50, "a 'b' \"c\" %41 ü", "new\nline", "--port"])
async def test_any_directory_will_do(tmp_path: Path, name: str):
    async with running(tmp_path / name / "redis") as server, opened(server) as store:
        await store.apply(watermark=5)
        assert await store.watermark() == 5
    assert (tmp_path / name / "redis" / "appendonlydir").is_dir()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the next owner ends it")
async def test_it_dies_with_its_owner(tmp_path: Path):
    async with killed_owner(tmp_path) as pid:
        await ended(pid)


async def test_the_next_owner_goes_on_where_a_killed_one_ended(tmp_path: Path):
    async with killed_owner(tmp_path), running(tmp_path) as server, opened(server) as store:
        assert await store.watermark() == 7


async def test_a_server_left_over_is_taken_over(tmp_path: Path):
    async with running(tmp_path) as leftover, opened(leftover) as store:
        await store.apply(watermark=5)
        async with running(tmp_path) as server, opened(server) as new_store:
            await leftover._process.wait()
            assert await new_store.watermark() == 5


async def test_a_server_left_over_that_hangs_keeps_the_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    async with running(tmp_path) as leftover:
        monkeypatch.setattr(server_module, "_STOP_LIMIT_S", 0.1)
        os.kill(leftover.pid, signal.SIGSTOP)
        with pytest.raises(HomeError):
            await EmbeddedServer.start(tmp_path)
        await leftover.stop()  # a hanging server of our own is killed


async def test_a_copied_home_leaves_the_server_of_the_first_alone(tmp_path: Path):
    async with running(tmp_path / "one") as one, opened(one) as store:
        await store.apply(watermark=5)
        shutil.copytree(tmp_path / "one", tmp_path / "two")
        async with running(tmp_path / "two") as two, opened(two) as copy:
            await copy.apply(watermark=6)
            assert await store.watermark() == 5


@pytest.mark.parametrize("note", ["", "[]", '["a"]', "null", "1", "\x00", '{"a": 1, "b": 2}'])
async def test_a_damaged_note_is_void(tmp_path: Path, note: str):
    (tmp_path / "valkey.socket").write_text(note)
    async with running(tmp_path):
        pass


def noise_in_the_middle(files: Path) -> None:
    (log,) = files.glob("*.incr.aof")
    middle = log.stat().st_size // 2
    with log.open("r+b") as stream:
        stream.seek(middle)
        stream.write(b"\xff\x00nonsense\xff" * 5)


def no_log(files: Path) -> None:
    (log,) = files.glob("*.incr.aof")
    log.unlink()


def torn_base(files: Path) -> None:
    (base,) = files.glob("*.base.rdb")
    base.write_bytes(base.read_bytes()[:-20])


def nonsense_in_the_manifest(files: Path) -> None:
    (files / "appendonly.aof.manifest").write_text("nonsense")


@pytest.mark.parametrize(
    "damage", [noise_in_the_middle, no_log, torn_base, nonsense_in_the_manifest]
)
async def test_damaged_files_are_set_aside(tmp_path: Path, damage: Callable[[Path], None]):
    await write_facts(tmp_path)
    damage(tmp_path / "appendonlydir")

    with capture_logs() as logs:
        async with running(tmp_path) as server, opened(server) as store:
            assert await store.watermark() == 0
            assert await store.facts("B-1") == ()

    (warning,) = logs
    assert warning["event"] == "redis_files_damaged"
    assert [warning["set_aside"]] == set_aside_in(tmp_path)


def set_aside_in(directory: Path) -> list[str]:
    return [str(path) for path in directory.glob("appendonlydir.damaged-*")]


async def test_a_torn_log_loses_its_last_write_alone(tmp_path: Path):
    await write_facts(tmp_path)
    (log,) = (tmp_path / "appendonlydir").glob("*.incr.aof")
    log.write_bytes(log.read_bytes()[:-5])

    with capture_logs() as logs:
        async with running(tmp_path) as server, opened(server) as store:
            assert await store.watermark() == 9
            assert await store.facts("B-9") != ()
            assert await store.facts("B-10") == ()

    assert logs == []


async def test_entities_that_are_missing_are_missed(tmp_path: Path):
    await write_facts(tmp_path, rewrite_after=5)
    (base,) = (tmp_path / "appendonlydir").glob("*.base.rdb")
    base.write_bytes(b"")  # which the server takes for a base without keys

    with capture_logs() as logs:
        async with running(tmp_path) as server, opened(server) as store:
            assert await store.facts("B-10") != ()
            assert await store.watermark() == 0
            assert await store.watermark() == 0
            await store.clear()
            await store.apply(puts=[Fact(entity="B-1", attribute="seats", value=1)], watermark=3)
            assert await store.watermark() == 3

    assert logs == [
        {"event": "facts_lost", "log_level": "warning", "n_entities": 5, "n_before": 10}
    ]


async def write_facts(directory: Path, *, rewrite_after: int | None = None) -> None:
    """Write one fact for each of B-1 to B-10, each in a write of its own."""
    async with running(directory) as server, opened(server) as store:
        for n in range(1, 11):
            fact = Fact(entity=f"B-{n}", attribute="seats", value=n)
            await store.apply(puts=[fact], watermark=n)
            if n == rewrite_after:
                await rewritten(store)


async def rewritten(store: RedisStore) -> None:
    """Move what the log says so far into a new base."""
    await store._client.bgrewriteaof()
    async with asyncio.timeout(10):
        while (await store._client.info("persistence"))["aof_rewrite_in_progress"]:
            pass


async def test_a_directory_that_cannot_be_made_is_said(tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(DependencyError):
        await EmbeddedServer.start(tmp_path / "file" / "redis")


@asynccontextmanager
async def running(directory: Path) -> AsyncIterator[EmbeddedServer]:
    server = await EmbeddedServer.start(directory)
    try:
        yield server
    finally:
        await server.stop()


@asynccontextmanager
async def opened(server: EmbeddedServer) -> AsyncIterator[RedisStore]:
    store = await RedisStore.open(server.url, prefix="p", timeout_s=5.0)
    try:
        yield store
    finally:
        await store.close()


@asynccontextmanager
async def killed_owner(directory: Path) -> AsyncIterator[int]:
    """Give the pid of a server that wrote a watermark of 7 and lost its owner."""
    owner = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", OWNER, str(directory)),
        cwd=Path(__file__).parents[2],
        stdout=PIPE,
    )
    assert owner.stdout
    pid, url = (await owner.stdout.readline()).decode().split()
    store = await RedisStore.open(url, prefix="p", timeout_s=5.0)
    await store.apply(watermark=7)
    await store.close()
    owner.kill()
    await owner.wait()
    yield int(pid)
    async with running(directory):
        pass  # takes the killed owner's socket away


async def ended(pid: int) -> None:
    """Wait until process ``pid``, which is no child of ours, has ended."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    readable = asyncio.Event()
    asyncio.get_running_loop().add_reader(descriptor, readable.set)
    try:
        async with asyncio.timeout(5):
            await readable.wait()
    finally:
        asyncio.get_running_loop().remove_reader(descriptor)
        os.close(descriptor)

"""A damaged home: what can be rebuilt is set aside and rebuilt, the rest is refused in words."""

import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from tests.e2e.conftest import settings_for
from tests.zoo import write_zoo
from tiers.graphrag.stores.memory import MemoryGraph
from trivium.app.bootstrap import open_service
from trivium.app.home import owned_home, owner_of
from trivium.app.settings import Settings
from trivium.domain.deadline import Deadline
from trivium.domain.errors import DependencyError, HomeError
from trivium.domain.knowledge import Change
from trivium.domain.question import Question, TierName
from trivium.knowledge.dataset import read_dataset
from trivium.pipeline import Pipeline

Damage = Callable[[Path], None]


def empty(file: Path) -> None:
    file.write_bytes(b"")


def cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def scribble(file: Path) -> None:
    size = file.stat().st_size
    with file.open("r+b") as stream:
        stream.seek(size // 2)
        stream.write(random.Random(3).randbytes(size // 4))


def overwrite(file: Path) -> None:
    file.write_bytes(random.Random(4).randbytes(file.stat().st_size))


@pytest.fixture
async def settings(tmp_path: Path, encoder_dir: Path) -> Settings:
    """Settings of a home that knows the zoo, and that nobody has open."""
    settings = settings_for(tmp_path / "home", encoder_dir)
    async with open_service(settings) as service:
        await service.knowledge.load(read_dataset(write_zoo(tmp_path / "data")))
    return settings


@pytest.mark.parametrize("name", ["knowledge.sqlite", "answers.sqlite"])
async def test_a_damaged_database_is_refused_in_words(settings: Settings, name: str):
    file = settings.home / name
    whole = file.read_bytes()
    for damage in (empty, cut, scribble, overwrite):
        file.write_bytes(whole)
        damage(file)
        words = await refusal(settings)
        for part in (str(file), "is damaged", "restore a copy", "move it away"):
            assert part in words.replace("Restore", "restore")
    assert owner_of(settings.home) is None


async def test_a_journal_that_was_moved_away_is_begun_anew(settings: Settings, tmp_path: Path):
    (settings.home / "knowledge.sqlite").rename(tmp_path / "old")
    async with open_service(settings) as service:
        assert service.knowledge.version == 0
        assert "100" not in await told(service.pipeline, "How heavy is Kiki?", TierName.CAG)
        await service.knowledge.load(read_dataset(tmp_path / "data"))
        assert "2 kg" in await told(service.pipeline, "How heavy is Kiki?", TierName.CAG)


@pytest.mark.parametrize("torn_bytes", [1, 5000])
async def test_a_torn_log_of_the_journal_loses_its_last_write_whole(
    settings: Settings, tmp_path: Path, torn_bytes: int
):
    nodes, copy = tmp_path / "data" / "nodes.jsonl", tmp_path / "copy"
    async with open_service(settings) as service:
        before = service.knowledge.version
        nodes.write_text(nodes.read_text().replace('"weight_kg": 2,', '"weight_kg": 3,'))
        await service.knowledge.load(read_dataset(tmp_path / "data"))
        copy_home(settings.home, copy)
    log = copy / "knowledge.sqlite-wal"
    log.write_bytes(log.read_bytes()[:-torn_bytes])

    async with open_service(settings.model_copy(update={"home": copy})) as service:
        assert service.knowledge.version == before
        assert not any(map(service.knowledge.lag, ("names", "graph", "facts", "documents")))
        assert "2 kg" in await told(service.pipeline, "How heavy is Kiki?", TierName.CAG)


async def test_damaged_projections_are_rebuilt_with_one_warning_each(settings: Settings):
    overwrite(one_of(settings.home, "qdrant/index/segments/*/segment.json"))
    overwrite(one_of(settings.home, "redis/appendonlydir/*.incr.aof"))
    cut(settings.home / "graph.json.gz")

    with capture_logs() as logs:
        async with open_service(settings) as service:
            assert not any(map(service.knowledge.lag, ("names", "graph", "facts", "documents")))
            fact = await told(service.pipeline, "How heavy is Kiki?", TierName.CAG)
            passage = await told(service.pipeline, "What fine does a visitor pay?", TierName.RAG)
            walk = await told(service.pipeline, "Who feeds Tembo?", TierName.GRAPH)

    assert "Amelia Stone" in walk
    assert "2 kg" in fact
    assert "60 euros" in passage
    warnings = [log["event"] for log in logs if log["log_level"] == "warning"]
    assert warnings == ["redis_files_damaged", "document_index_damaged", "graph_snapshot_damaged"]
    assert one_of(settings.home, "qdrant/index.damaged-*").is_dir()
    assert one_of(settings.home, "redis/appendonlydir.damaged-*").is_dir()
    assert one_of(settings.home, "graph.json.gz.damaged-*").is_file()


async def test_a_start_reads_the_graph_from_its_snapshot_and_what_came_since(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The snapshot of an earlier stop, as a kill leaves it beside a journal that went on."""
    old = (settings.home / "graph.json.gz").read_bytes()
    nodes = tmp_path / "data" / "nodes.jsonl"
    nodes.write_text(nodes.read_text().replace("Amelia Stone", "Juma Otieno"))
    async with open_service(settings) as service:
        await service.knowledge.load(read_dataset(tmp_path / "data"))
    (settings.home / "graph.json.gz").write_bytes(old)
    taken: list[int] = []
    take = MemoryGraph.take

    def counted(graph: MemoryGraph, changes: Sequence[Change], upto: int) -> None:
        taken.append(len(changes))
        take(graph, changes, upto)

    monkeypatch.setattr(MemoryGraph, "take", counted)

    async with open_service(settings) as service:
        walk = await told(service.pipeline, "Who feeds Tembo?", TierName.GRAPH)

    assert "Juma Otieno" in walk
    assert sum(taken) == 1


@pytest.mark.parametrize("damage", [empty, cut, overwrite])
def test_a_damaged_secret_is_refused_in_words(tmp_path: Path, damage: Damage):
    with owned_home(tmp_path) as home:
        home.secret()
        damage(tmp_path / "secret")
        with pytest.raises(HomeError, match=r"secret is damaged.*Restore a copy.*move it away"):
            home.secret()


@pytest.mark.parametrize("note", [b"", b"[]", b"null", b'{"pid": "x"}', b"\xff\x00", b'{"pid": 1'])
def test_a_damaged_note_of_the_owner_names_nobody(
    tmp_path: Path, note: bytes, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("trivium.app.home._PATIENCE_S", 0)
    with owned_home(tmp_path):
        (tmp_path / "owner.json").write_bytes(note)
        with pytest.raises(HomeError, match="owned by another process"), owned_home(tmp_path):
            pass
    with owned_home(tmp_path):
        pass


async def refusal(settings: Settings) -> str:
    """Return why a home cannot be opened."""
    try:
        async with open_service(settings):
            return "it opened"
    except (DependencyError, HomeError) as error:
        return str(error)


async def told(pipeline: Pipeline, question: str, tier: TierName) -> str:
    asked = Question(text=question, tiers=(tier,))
    return str((await pipeline.ask(asked, Deadline.after(20))).text)


def one_of(home: Path, pattern: str) -> Path:
    (found,) = home.glob(pattern)
    return found


def copy_home(home: Path, copy: Path) -> None:
    """Copy the databases alone, as they are at this moment: the rest is rebuilt."""
    copy.mkdir()
    for file in home.glob("*.sqlite*"):
        (copy / file.name).write_bytes(file.read_bytes())

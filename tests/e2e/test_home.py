"""A home over its life: loaded again, started again, owned by one."""

import json
from pathlib import Path

import pytest

from tests.e2e.conftest import settings_for
from tests.zoo import write_zoo
from trivium.app.commands import status
from trivium.app.home import owned_home, owner_of
from trivium.app.service import open_service
from trivium.domain.deadline import Deadline
from trivium.domain.errors import HomeError
from trivium.domain.question import Question, TierName
from trivium.domain.result import Nodes
from trivium.knowledge.dataset import read_dataset


async def test_loading_twice_changes_nothing(tmp_path: Path, encoder_dir: Path):
    data = write_zoo(tmp_path / "data")
    async with open_service(settings_for(tmp_path / "home", encoder_dir)) as service:
        first = await service.knowledge.load(read_dataset(data))
        second = await service.knowledge.load(read_dataset(data))

    assert first.n_changes > 10
    assert (second.n_changes, second.version) == (0, first.version)


async def test_a_changed_file_changes_just_what_it_must(tmp_path: Path, encoder_dir: Path):
    data = write_zoo(tmp_path / "data")
    nodes = data / "nodes.jsonl"
    async with open_service(settings_for(tmp_path / "home", encoder_dir)) as service:
        await service.knowledge.load(read_dataset(data))
        nodes.write_text(nodes.read_text().replace("Savannah Hall", "Savannah House"))
        renamed = await service.knowledge.load(read_dataset(data))
        kept = [line for line in nodes.read_text().splitlines() if "A-2" not in line]
        nodes.write_text("\n".join(kept))
        dropped = await service.knowledge.load(read_dataset(data))
        question = Question(text="Which animals live in Savannah House?", tiers=(TierName.GRAPH,))
        answer = await service.pipeline.ask(question, Deadline.after(20))

    assert renamed.n_changes == 1
    assert dropped.n_changes == 4  # the parrot, its two relations, and the schema's list of species
    assert answer.result == Nodes(("A-1",))


async def test_a_second_start_knows_all(tmp_path: Path, encoder_dir: Path):
    settings = settings_for(tmp_path / "home", encoder_dir)
    async with open_service(settings) as service:
        committed = await service.knowledge.load(read_dataset(write_zoo(tmp_path / "data")))

    async with open_service(settings) as service:
        asked = Question(text="How heavy is Kiki?", tiers=(TierName.CAG,))
        fact = await service.pipeline.ask(asked, Deadline.after(20))
        asked = Question(text="What fine does a visitor pay?", tiers=(TierName.RAG,))
        passage = await service.pipeline.ask(asked, Deadline.after(20))
        version = service.knowledge.version

    assert version == committed.version
    assert "2" in fact.text
    assert "60 euros" in passage.text


def test_a_home_has_one_owner(tmp_path: Path):
    with owned_home(tmp_path) as home:
        home.serves_at("http://127.0.0.1:1")
        owner = owner_of(tmp_path)
        with pytest.raises(HomeError, match=r"http://127\.0\.0\.1:1"), owned_home(tmp_path):
            pass

    assert owner is not None
    assert owner.url == "http://127.0.0.1:1"
    assert owner_of(tmp_path) is None


def test_the_secret_of_a_home_stays(tmp_path: Path):
    with owned_home(tmp_path) as home:
        first = home.secret()
    with owned_home(tmp_path) as home:
        second = home.secret()

    assert first == second
    assert len(first) >= 32
    assert json.dumps(first.decode())


async def test_the_status_of_a_home_whose_owner_is_silent_says_so(
    tmp_path: Path, encoder_dir: Path, capsys: pytest.CaptureFixture[str]
):
    with owned_home(tmp_path) as home:
        home.serves_at("http://127.0.0.1:9")  # nobody listens there
        await status(settings_for(tmp_path, encoder_dir), as_json=True)

    said = json.loads(capsys.readouterr().out)
    assert said["status"] == "does not answer"
    assert said["url"] == "http://127.0.0.1:9"

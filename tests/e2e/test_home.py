"""A home over its life: loaded again, started again, owned by one."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.conftest import ROOT, settings_for
from tests.zoo import write_zoo
from trivium.app.bootstrap import open_service
from trivium.app.home import owned_home, owner_of
from trivium.app.keys import KeyFile, Role
from trivium.app.service import Service
from trivium.domain.deadline import Deadline
from trivium.domain.errors import HomeError
from trivium.domain.question import Question, TierName
from trivium.domain.result import Nodes
from trivium.knowledge.dataset import read_dataset


def back_up(home: Path, target: Path) -> subprocess.CompletedProcess[str]:
    script = ROOT / "scripts" / "back_up.py"
    command = [sys.executable, str(script), str(home), str(target)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


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


async def test_a_copy_made_while_it_is_served_is_a_home_that_answers(
    zoo: Service, tmp_path: Path, encoder_dir: Path
):
    asked = Question(text="How heavy is Kiki?", tiers=(TierName.CAG,))
    answer = await zoo.pipeline.ask(asked, Deadline.after(20))
    await zoo.answers.flush()
    KeyFile(zoo.home.path / "keys.json").add("ann", Role.ASKER, tenant="default", created="now")

    done = await asyncio.to_thread(back_up, zoo.home.path, tmp_path / "copy")

    assert done.returncode == 0, done.stderr
    async with open_service(settings_for(tmp_path / "copy", encoder_dir)) as restored:
        again = await restored.pipeline.ask(asked, Deadline.after(20))
        fine = Question(text="What fine does a visitor pay?", tiers=(TierName.RAG,))
        passage = await restored.pipeline.ask(fine, Deadline.after(20))
        kept = await restored.answers.get(answer.id, "default")
        assert restored.knowledge.version == zoo.knowledge.version
        assert restored.ids.is_ours(answer.id)
        assert restored.keys.are_there
    assert again.text == answer.text
    assert "60 euros" in passage.text
    assert kept is not None


def test_a_copy_is_made_of_a_home_alone_and_overwrites_nothing(tmp_path: Path):
    (tmp_path / "home").mkdir()
    none = back_up(tmp_path / "home", tmp_path / "copy")
    (tmp_path / "home" / "secret").write_text("x")
    taken = back_up(tmp_path / "home", tmp_path)

    assert (none.returncode, taken.returncode) == (1, 1)
    assert "is not a home" in none.stderr
    assert "name another folder" in taken.stderr


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

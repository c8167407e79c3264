"""Services of the tests' own: embedded stores in a temporary home, asked over ASGI."""

import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest

from tests.zoo import write_zoo
from trivium.app.bootstrap import open_service
from trivium.app.http import create_app
from trivium.app.service import Service
from trivium.app.settings import Settings
from trivium.gateway.encoder import OnnxEncoder
from trivium.knowledge.dataset import read_dataset

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def encoder_dir() -> Iterator[Path]:
    """Where the exported encoder is; made first where it is not.

    Services share what was opened: each opening takes half a second and 200 MB.
    """
    script = ROOT / "scripts" / "export_encoder.py"
    directory = ROOT / "models" / "encoder"
    subprocess.run([sys.executable, script, "--out", directory], check=True)
    with pytest.MonkeyPatch.context() as patch:
        shared = SimpleNamespace(open=cache(OnnxEncoder.open))
        patch.setattr("trivium.app.opening.OnnxEncoder", shared)
        yield directory


def settings_for(home: Path, encoder_dir: Path, **more: object) -> Settings:
    """Return settings that read no environment of the person who runs the tests."""
    given = {
        "home": home,
        "encoder_dir": encoder_dir,
        "hosts": "zoo",
        "memory_audit_share": 0,  # by chance, so that counts would be, too
        **more,
    }
    return Settings.model_validate(given)


@pytest.fixture
def home(tmp_path: Path, encoder_dir: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of the command line's own, in an empty directory to run it in."""
    monkeypatch.setenv("TRIVIUM_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TRIVIUM_ENCODER_DIR", str(encoder_dir))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "home"


@pytest.fixture
async def zoo(tmp_path: Path, encoder_dir: Path) -> AsyncIterator[Service]:
    """A service that knows the zoo."""
    dataset = read_dataset(write_zoo(tmp_path / "data"))
    async with open_service(settings_for(tmp_path / "home", encoder_dir)) as service:
        await service.knowledge.load(dataset)
        yield service


@pytest.fixture
async def client(zoo: Service) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the zoo's door."""
    transport = httpx.ASGITransport(app=create_app(zoo), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://zoo") as opened:
        yield opened

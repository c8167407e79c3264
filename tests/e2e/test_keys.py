"""API keys from the command line, and what is not served without them."""

import json
from pathlib import Path

import pytest

from trivium.app.cli import main


def keys(*arguments: str) -> int:
    return main(("keys", *arguments))


def test_a_key_is_printed_once_and_listed_without_itself(
    home: Path, capsys: pytest.CaptureFixture[str]
):
    assert keys("add", "ann", "--role", "analyst", "--tenant", "acme") == 0
    added = capsys.readouterr()
    assert keys("add", "eve", "--role", "admin") == 0
    capsys.readouterr()
    assert keys("list") == 0
    listed = capsys.readouterr().out

    text = added.out.strip()
    assert text.startswith("trv_")
    assert text not in added.err
    assert [line.split()[:3] for line in listed.splitlines()[1:]] == [
        ["ann", "analyst", "acme"],
        ["eve", "admin", "default"],
    ]
    assert text not in listed
    assert text not in (home / "keys.json").read_text()


def test_a_removed_key_is_gone_and_the_last_one_is_told(
    home: Path, capsys: pytest.CaptureFixture[str]
):
    keys("add", "ann", "--role", "asker")
    assert keys("remove", "ann") == 0
    assert "for this machine alone" in capsys.readouterr().err

    assert keys("list") == 0
    assert "There are no keys" in capsys.readouterr().err
    assert keys("remove", "ann") == 1
    assert "no key ann" in capsys.readouterr().err


def test_what_is_no_name_or_role_is_refused(home: Path, capsys: pytest.CaptureFixture[str]):
    assert keys("add", "a b", "--role", "asker") == 1
    assert "the name of a key has letters" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        keys("add", "ann", "--role", "boss")
    with pytest.raises(SystemExit):
        keys("add", "ann")

    assert not (home / "keys.json").exists()


def test_the_file_can_stand_elsewhere(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TRIVIUM_KEYS", str(tmp_path / "apart" / "keys.json"))

    assert keys("add", "ann", "--role", "asker") == 0

    held = json.loads((tmp_path / "apart" / "keys.json").read_text())
    assert [key["name"] for key in held["keys"]] == ["ann"]
    assert not (home / "keys.json").exists()


@pytest.mark.parametrize(
    ("environment", "arguments", "told"),
    [
        ({"TRIVIUM_MODE": "production"}, (), "TRIVIUM_MODE is production"),
        ({}, ("--host", "0.0.0.0"), "0.0.0.0 is more"),
        ({"TRIVIUM_KEYS": "nowhere.json"}, (), "which is not there"),
        ({"TRIVIUM_KEYS": "broken.json"}, (), "is no file of keys: Invalid JSON"),
    ],
)
def test_what_must_not_be_served_is_refused_before_the_home_is_opened(
    home: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    environment: dict[str, str],
    arguments: tuple[str, ...],
    told: str,
):
    Path("broken.json").write_text("no json")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    assert main(("serve", "--port", "0", *arguments)) == 1

    assert told in capsys.readouterr().err
    assert not home.exists()

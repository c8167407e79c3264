"""The file of API keys: what it keeps, how it is changed, and what is refused."""

import json
import multiprocessing
import stat
from pathlib import Path

import pytest

from tests.conftest import logged
from trivium.app.access import see_that_it_may_serve
from trivium.app.keys import KeyFile, Keyring, Role
from trivium.app.settings import Settings
from trivium.domain.errors import ConflictError, HomeError, InputError, NotFoundError

SOON = "2026-08-01T12:00:00+00:00"


@pytest.fixture
def file(tmp_path: Path) -> KeyFile:
    return KeyFile(tmp_path / "new" / "keys.json")


def add(file: KeyFile, name: str, role: Role = Role.ASKER, tenant: str = "default") -> str:
    return file.add(name, role, tenant=tenant, created=SOON)


def test_a_key_is_known_by_its_digest_which_is_all_that_is_kept(file: KeyFile):
    text = add(file, "ann", Role.ANALYST, "acme")

    key = file.read().of(text)

    assert key is not None
    assert (key.name, key.role, key.tenant, key.created) == ("ann", Role.ANALYST, "acme", SOON)
    assert len(text) > 40
    assert text not in file.path.read_text()
    assert text not in repr(file.read())
    assert key.sha256 not in repr(key)


@pytest.mark.parametrize("wrong", ["", "trv_", "ann", "x" * 16_000, "é\ud800", None])
def test_what_is_no_whole_key_is_not_known(file: KeyFile, wrong: str | None):
    text = add(file, "ann")
    key = file.read().keys[0]

    assert file.read().of(text[:-1] if wrong is None else wrong) is None
    assert file.read().of(key.sha256) is None


def test_two_keys_are_never_the_same(file: KeyFile):
    assert len({add(file, f"k{n}") for n in range(20)}) == 20


def test_each_role_covers_those_before_it():
    covered = {role: [other for other in Role if role.covers(other)] for role in Role}

    assert covered == {
        Role.ASKER: [Role.ASKER],
        Role.ANALYST: [Role.ASKER, Role.ANALYST],
        Role.ADMIN: [Role.ASKER, Role.ANALYST, Role.ADMIN],
    }


def test_the_file_is_for_its_owner_alone_also_after_it_was_not(file: KeyFile):
    add(file, "ann")
    file.path.chmod(0o644)
    file.remove("ann")

    assert stat.S_IMODE(file.path.stat().st_mode) == 0o600
    assert file.read().keys == ()


def test_a_name_is_taken_once_and_a_removed_key_is_gone(file: KeyFile):
    text = add(file, "ann")
    with pytest.raises(ConflictError, match="trivium keys remove ann"):
        add(file, "ann", Role.ADMIN)
    file.remove("ann")

    assert file.read().of(text) is None
    with pytest.raises(NotFoundError, match="no key ann"):
        file.remove("ann")


@pytest.mark.parametrize(("name", "tenant"), [("", "t"), ("*", "t"), ("a b", "t"), ("ann", "a/b")])
def test_a_name_that_cannot_be_one_is_refused(file: KeyFile, name: str, tenant: str):
    with pytest.raises(InputError, match="letters, digits"):
        add(file, name, tenant=tenant)

    assert not file.path.exists()


KEY = {"name": "ann", "role": "asker", "created": SOON, "sha256": "0" * 64}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("not json", "Invalid JSON"),
        ("[]", "object"),
        (json.dumps({"kees": []}), "kees"),
        (json.dumps({"keys": [{**KEY, "role": "boss"}]}), r"keys\.0\.role: .*'admin'"),
        (json.dumps({"keys": [{**KEY, "sha256": "trv_secret"}]}), r"keys\.0\.sha256"),
        (json.dumps({"keys": [KEY, {**KEY, "sha256": "1" * 64}]}), "the same name"),
        (json.dumps({"keys": [KEY, {**KEY, "name": "bob"}]}), "the same sha256"),
    ],
)
def test_a_file_that_is_none_of_keys_is_refused_with_what_is_wrong(
    tmp_path: Path, text: str, told: str
):
    path = tmp_path / "keys.json"
    path.write_text(text)

    with pytest.raises(InputError, match=told) as refused:
        Keyring.open(Settings.model_validate({"keys": path}))

    assert str(path) in str(refused.value)
    assert "trv_secret" not in f"{refused.value!r} {refused.value.__cause__}"
    with pytest.raises(InputError):
        add(KeyFile(path), "bob")
    assert path.read_text() == text


def test_a_named_file_that_is_not_there_is_refused_and_a_home_without_one_is_not(tmp_path: Path):
    with pytest.raises(InputError, match="trivium keys add"):
        Keyring.open(Settings.model_validate({"keys": tmp_path / "none.json"}))

    assert not Keyring.open(Settings.model_validate({"home": tmp_path})).are_there


def test_what_cannot_be_written_is_told(tmp_path: Path):
    (tmp_path / "taken").write_text("")

    with pytest.raises(HomeError, match="cannot be written"):
        add(KeyFile(tmp_path / "taken" / "keys.json"), "ann")


def _add_many(path: Path, who: str) -> None:
    for n in range(15):
        add(KeyFile(path), f"{who}{n}")


def test_processes_that_add_keys_at_once_lose_none(file: KeyFile):
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_add_many, args=(file.path, who)) for who in "abc"]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()

    assert [worker.exitcode for worker in workers] == [0, 0, 0]
    assert len(file.read().keys) == 45


# --- the keys that hold now ----------------------------------------------------------------------


def test_a_change_of_the_file_holds_at_once(file: KeyFile):
    ring = Keyring(file)
    seen = [ring.are_there]

    text = add(file, "ann", Role.ADMIN)
    seen.append(ring.are_there)

    assert seen == [False, True]
    assert ring.holder(text) is not None

    file.remove("ann")
    assert ring.holder(text) is None


def test_a_service_that_had_keys_is_never_open_again(file: KeyFile):
    text = add(file, "ann")
    ring = Keyring(file)

    file.path.unlink()

    assert ring.are_there
    assert ring.holder(text) is None


def test_while_the_file_is_broken_the_keys_that_were_read_hold(file: KeyFile, stream):
    text = add(file, "ann")
    ring = Keyring(file)

    file.path.write_text("{")

    assert ring.holder(text) is not None
    assert ring.holder("trv_other") is None
    assert [line["event"] for line in logged(stream)] == ["keys_not_read"]


# --- whom it may serve ---------------------------------------------------------------------------


def see(file: KeyFile, **settings: object) -> None:
    see_that_it_may_serve(Settings.model_validate(settings), Keyring(file))


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost", "127.3.2.1"])
def test_without_keys_this_machine_is_served(file: KeyFile, host: str):
    see(file, host=host)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "", "192.0.2.7", "localhost.example"])
def test_more_than_this_machine_is_served_with_keys_alone(file: KeyFile, host: str):
    with pytest.raises(InputError, match="trivium keys add NAME --role admin"):
        see(file, host=host)

    add(file, "ann")

    see(file, host=host)


def test_production_wants_an_admin_key_of_the_home(file: KeyFile):
    """S10."""
    add(file, "ann", Role.ANALYST)
    add(file, "far", Role.ADMIN, "acme")
    with pytest.raises(InputError, match="trivium keys add NAME --role admin"):
        see(file, mode="production")

    add(file, "eve", Role.ADMIN)

    see(file, mode="production")

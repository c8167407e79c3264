"""The image and the composition, read as text: no engine is needed."""

import json
import re
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest
import yaml

from trivium.app import cli
from trivium.app.settings import Settings

ROOT = Path(__file__).parents[2]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
STORES = sorted(SERVICES.keys() - {"trivium"})
SECRET_NAME = re.compile(r"PASSWORD|SECRET|TOKEN|KEY|AUTH|DATABASE_URL")
FROM_ENVIRONMENT = re.compile(r"\$\{[A-Z0-9_]+:-\}")
"""``${NAME:-}``: no default that could be a secret."""


def instructions(text: str) -> list[tuple[str, str]]:
    """Return the name and the argument of each instruction of a Dockerfile."""
    lines = (line for line in text.splitlines() if not line.lstrip().startswith("#"))
    joined = "\n".join(lines).replace("\\\n", " ")
    pairs = (line.split(maxsplit=1) for line in joined.splitlines() if line.strip())
    return [(name, argument) for name, argument in pairs]


DOCKERFILE = instructions((ROOT / "Dockerfile").read_text())
STARTS = [i for i, (name, _) in enumerate(DOCKERFILE) if name == "FROM"]
LAST_STAGE = DOCKERFILE[STARTS[-1] :]


def arguments(name: str, stage: list[tuple[str, str]]) -> list[str]:
    return [argument for found, argument in stage if found == name]


def test_the_services_and_their_profiles():
    profiles = {name: service.get("profiles") for name, service in SERVICES.items()}

    assert profiles == {
        "trivium": None,
        "redis": None,
        "qdrant": None,
        "neo4j": ["neo4j"],
        "postgres": ["postgres"],
    }


@pytest.mark.parametrize("name", SERVICES)
def test_every_service_restarts_and_has_limits(name: str):
    service = SERVICES[name]

    assert service["restart"] == "unless-stopped"
    assert set(service["deploy"]["resources"]["limits"]) == {"cpus", "memory", "pids"}


@pytest.mark.parametrize("name", SERVICES)
def test_every_service_has_a_health_check_and_logs_that_do_not_fill_the_disk(name: str):
    service = SERVICES[name]

    check = service["healthcheck"]
    assert check["test"][0] == "CMD"
    assert {"interval", "timeout", "retries"} <= set(check)
    assert set(service["logging"]["options"]) == {"max-size", "max-file"}


@pytest.mark.parametrize("name", SERVICES)
def test_no_service_is_root_or_may_become_it(name: str):
    service = SERVICES[name]

    user, group = map(int, service["user"].split(":"))
    assert min(user, group) > 0
    assert service["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in service["security_opt"]
    assert not {"privileged", "cap_add", "pid", "network_mode", "devices"} & set(service)


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_is_read_only_unless_compose_must_copy_a_secret_into_it(name: str):
    # https://github.com/docker/compose/pull/12531: it refuses to do both.
    service = SERVICES[name]

    assert service.get("read_only", False) is not ("secrets" in service)


def test_the_service_is_healthy_when_it_is_ready():
    command = SERVICES["trivium"]["healthcheck"]["test"]

    assert command[:3] == ["CMD", "python", "-c"]
    compile(command[3], "healthcheck", "exec")
    assert "http://127.0.0.1:8080/readyz" in command[3]


def test_every_setting_that_compose_passes_on_exists():
    known = {f"TRIVIUM_{name.upper()}" for name in Settings.model_fields}
    passed = {v for v in SERVICES["trivium"]["environment"] if v.startswith("TRIVIUM_")}

    assert passed <= known


def test_the_user_of_the_service_is_the_image_s():
    (user,) = arguments("USER", LAST_STAGE)

    assert SERVICES["trivium"]["user"] == f"{user}:{user}"


@pytest.mark.parametrize("name", STORES)
def test_every_store_has_a_pinned_image_and_no_way_in_from_outside(name: str):
    store = SERVICES[name]

    assert re.fullmatch(r"[a-z0-9/]+:v?\d+(\.\d+)*(-[a-z]+)?", store["image"])
    assert "ports" not in store
    assert store["networks"] == ["stores"]
    assert COMPOSE["networks"]["stores"]["internal"] is True


@pytest.mark.parametrize("name", SERVICES)
def test_every_service_keeps_its_state_in_a_named_volume(name: str):
    sources = [volume.split(":")[0] for volume in SERVICES[name]["volumes"]]

    assert sources
    assert set(sources) <= COMPOSE["volumes"].keys()


@pytest.mark.parametrize("name", SERVICES)
def test_no_secret_stands_in_the_file(name: str):
    for variable, value in (SERVICES[name].get("environment") or {}).items():
        if SECRET_NAME.search(variable) and not variable.endswith("_FILE"):
            assert value is None or FROM_ENVIRONMENT.fullmatch(value), variable
        assert not re.search(r"//[^/\s]*:[^/\s]*@", value or ""), variable


def test_the_secrets_of_the_profiles_come_from_the_environment():
    used = {secret for service in SERVICES.values() for secret in service.get("secrets", [])}

    assert used == COMPOSE["secrets"].keys()
    assert all(set(secret) == {"environment"} for secret in COMPOSE["secrets"].values())
    for service in SERVICES.values():
        paths = (v for k, v in (service.get("environment") or {}).items() if k.endswith("_FILE"))
        assert [f"/run/secrets/{name}" for name in service.get("secrets", [])] == list(paths)


def test_a_plain_start_asks_for_no_variable():
    # Compose fills in the services of every profile, the inactive ones too.
    assert ":?" not in json.dumps(COMPOSE)


def test_the_service_is_told_where_its_stores_are():
    trivium = SERVICES["trivium"]
    environment = trivium["environment"]

    assert environment["TRIVIUM_HOME"] == "/data"
    assert "redis://redis:6379" in environment["TRIVIUM_REDIS_URL"]
    assert "http://qdrant:6333" in environment["TRIVIUM_QDRANT_URL"]
    assert environment["TRIVIUM_DATABASE_URL"] is None
    assert environment["TRIVIUM_ANTHROPIC_API_KEY"] is None
    assert trivium["volumes"] == ["home:/data"]


def test_the_service_waits_for_healthy_stores_and_only_for_those_that_run():
    needs = SERVICES["trivium"]["depends_on"]

    assert set(needs) == set(STORES)
    for name, need in needs.items():
        assert need["condition"] == "service_healthy"
        assert need.get("required", True) is ("profiles" not in SERVICES[name])


def test_the_service_is_published_on_this_machine_alone_unless_told_otherwise():
    assert SERVICES["trivium"]["ports"] == ["${TRIVIUM_PUBLISH:-127.0.0.1:8080}:8080"]


def test_every_stage_stands_on_the_slim_image_or_on_another_stage():
    stages = [DOCKERFILE[i][1].split(" AS ") for i in STARTS]
    names = [name for _, name in stages]

    assert len(stages) >= 2
    assert all(base == "python:3.11-slim" or base in names for base, _ in stages)
    assert LAST_STAGE[0][1].startswith("python:3.11-slim ")


def test_the_encoder_is_exported_in_a_stage_of_its_own_with_an_index_that_is_given():
    (start,) = (i for i in STARTS if DOCKERFILE[i][1].endswith(" AS encoder"))
    stage = DOCKERFILE[start : min(i for i in STARTS if i > start)]
    commands = " ".join(arguments("RUN", stage))

    assert arguments("ARG", stage) == ['TORCH_INDEX=""']
    assert '${TORCH_INDEX:+--extra-index-url "$TORCH_INDEX"}' in commands
    assert "python scripts/export_encoder.py --out models/encoder" in commands


def test_no_registry_is_named():
    hosts = re.findall(r"https?://([^/:'\s]+)", (ROOT / "Dockerfile").read_text())

    assert set(hosts) == {"127.0.0.1"}


def test_the_last_stage_has_no_torch_and_installs_nothing():
    copied = arguments("COPY", LAST_STAGE)

    assert "--from=encoder /src/models models" in copied
    assert all("/venv" not in argument for argument in copied if "--from=encoder" in argument)
    assert "pip" not in " ".join(arguments("RUN", LAST_STAGE))


def test_the_image_runs_as_a_numbered_user_who_is_not_root():
    (user,) = arguments("USER", LAST_STAGE)

    assert int(user) > 0
    assert f"--uid {user} " in arguments("RUN", LAST_STAGE)[0]


def test_the_image_says_whether_it_lives():
    (check,) = arguments("HEALTHCHECK", LAST_STAGE)
    command = json.loads(check.partition("CMD ")[2])

    assert command[0] == "python"
    compile(command[2], "HEALTHCHECK", "exec")
    assert "http://127.0.0.1:8080/livez" in command[2]


def test_the_image_serves_on_every_interface_from_a_home_that_is_a_volume():
    environment = dict(
        pair.split("=", 1) for argument in arguments("ENV", LAST_STAGE) for pair in argument.split()
    )

    assert environment["TRIVIUM_HOST"] == "0.0.0.0"
    assert environment["TRIVIUM_HOME"] == "/data"
    assert arguments("VOLUME", LAST_STAGE) == ["/data"]
    assert arguments("EXPOSE", LAST_STAGE) == [environment["TRIVIUM_PORT"]]
    assert arguments("ENTRYPOINT", LAST_STAGE) == ['["trivium"]']


def is_sent(path: str) -> bool:
    """Whether ``.dockerignore`` lets ``path`` into the build: its last matching line decides."""
    sent = True
    parts = path.split("/")
    heads = ["/".join(parts[: n + 1]) for n in range(len(parts))]
    for line in (ROOT / ".dockerignore").read_text().splitlines():
        pattern = line.removeprefix("!").removeprefix("**/")
        names = parts if "**/" in line else heads
        if line and not line.startswith("#") and any(fnmatch(name, pattern) for name in names):
            sent = line.startswith("!")
    return sent


@pytest.mark.parametrize(
    "path", [".env", ".git/config", "home/journal.db", "models/encoder/x", "trivium/.env", "a.pyc"]
)
def test_homes_secrets_and_history_do_not_enter_the_image(path: str):
    assert not is_sent(path)


def test_all_that_the_build_needs_enters_it():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    packages = {name.split(".")[0] for name in project["tool"]["setuptools"]["packages"]}
    copied = {source for name, source in DOCKERFILE if name == "COPY" and "--from" not in source}

    assert copied == {"pyproject.toml .", "scripts/export_encoder.py scripts/", ". ."}
    for path in ("pyproject.toml", project["project"]["readme"], "scripts/export_encoder.py"):
        assert is_sent(path), path
    assert all(is_sent(f"{package}/__init__.py") for package in packages | {"examples"})


def test_the_build_installs_what_the_project_says(tmp_path: Path):
    """Run the line that writes the lists of requirements, as the build does."""
    (line,) = (run for run in arguments("RUN", DOCKERFILE) if "serve.txt" in run and "-c" in run)
    program = line.split('python -c "')[1].split('"')[0]
    (tmp_path / "pyproject.toml").write_bytes((ROOT / "pyproject.toml").read_bytes())
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=True)

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    serve = (tmp_path / "serve.txt").read_text().splitlines()
    assert serve == project["dependencies"] + extras["otel"]
    assert (tmp_path / "export.txt").read_text().splitlines() == extras["export"]
    assert not any(need.startswith("torch") for need in serve)


def test_what_the_image_runs_exists():
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    (entry,) = arguments("ENTRYPOINT", LAST_STAGE)
    (command,) = arguments("CMD", LAST_STAGE)

    (program,) = json.loads(entry)
    assert scripts[program] == f"{cli.main.__module__}:{cli.main.__name__}"
    options = cli.parser().parse_args(json.loads(command))
    assert options.command == "serve"


@pytest.mark.parametrize(
    "source", [s.split()[0] for n, s in DOCKERFILE if n == "COPY" and "--from" not in s]
)
def test_what_is_copied_into_the_image_is_there(source: str):
    assert (ROOT / source).exists()


def test_what_one_stage_takes_from_another_is_made_there():
    made = {"package": {"/venv", "/src/examples"}, "encoder": {"/src/models"}}

    for argument in arguments("COPY", DOCKERFILE):
        if found := re.match(r"--from=(\w+) (\S+) ", argument):
            assert found[2] in made[found[1]]

"""The settings and the file that lists them."""

from pathlib import Path

from trivium.app.loading import alone
from trivium.app.settings import Settings

EXAMPLE = Path(__file__).parents[2] / ".env.example"


def test_a_home_of_its_own_leaves_every_store_of_the_settings_alone(tmp_path: Path):
    kept = {"anthropic_base_url"}
    urls = [n for n in Settings.model_fields if n.endswith("_url") and n not in kept]
    given = Settings.model_validate(dict.fromkeys(urls, "ladybug:elsewhere"))

    own = alone(given, tmp_path)

    assert own.home == tmp_path / "home"
    assert {name: getattr(own, name) for name in urls} == dict.fromkeys(urls)


def test_the_example_lists_every_setting_with_its_default_and_meaning():
    first = "# Every setting, with its default. Copy to .env and change what you need;"
    lines = [f"{first} all are optional.", ""]
    for name, field in Settings.model_fields.items():
        default = "" if field.default is None else str(field.default)
        lines += [f"# {field.description}", f"# TRIVIUM_{name.upper()}={default}", ""]

    assert EXAMPLE.read_text() == "\n".join(lines).rstrip() + "\n"


def test_no_default_needs_a_server_or_a_key():
    defaults = {name: field.default for name, field in Settings.model_fields.items()}

    needed = ("redis_url", "qdrant_url", "database_url", "anthropic_api_key")
    assert all(defaults[name] is None for name in needed)
    assert defaults["host"] == "127.0.0.1"

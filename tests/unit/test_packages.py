"""The house itself: its packages, and what no dependency may claim."""

import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

ROOT = Path(__file__).parents[2]
OURS = ("trivium", "router", "tiers", "synthesis", "feedback", "bench")


def test_every_package_is_listed():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    listed = set(project["tool"]["setuptools"]["packages"])
    found = {
        path.parent.relative_to(ROOT).as_posix().replace("/", ".")
        for name in OURS
        for path in (ROOT / name).rglob("__init__.py")
    }

    assert listed == found


def test_no_dependency_owns_one_of_our_names():
    owners = packages_distributions()

    assert {name: set(owners.get(name, ["trivium"])) for name in OURS} == {
        name: {"trivium"} for name in OURS
    }


def test_it_cannot_be_uploaded_by_mistake():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())

    assert "Private :: Do Not Upload" in project["project"]["classifiers"]

"""Reads the YAML that comes with the packages: word lists and examples, which we vouch for."""

from importlib import resources
from typing import Any, Final

import yaml

_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""By libyaml, where PyYAML was built with it: a start reads 60 kB, in 30 ms instead of 450."""


def shipped(package: str, name: str) -> Any:  # noqa: ANN401  # YAML, whose form the caller knows
    """Return what a YAML file of a package says."""
    text = resources.files(package).joinpath(name).read_text("utf-8")
    return yaml.load(text, _LOADER)  # noqa: S506  # a safe loader, of either make

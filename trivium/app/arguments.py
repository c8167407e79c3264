"""What the modules of the command line share of reading it."""

import argparse
import json
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, TypeAlias

from trivium.app.settings import Settings

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # noqa: SLF001  # no public name
"""What a command is added to, with what runs it as the default of ``run``."""
Command: TypeAlias = Callable[[argparse.Namespace, Settings], Coroutine[Any, Any, int]]
"""What runs a command; it gives the exit status."""


def given(options: argparse.Namespace, names: Iterable[str]) -> bytes:
    """Return those of some options that were given, as JSON."""
    found = {name: getattr(options, name) for name in names}
    return json.dumps({name: value for name, value in found.items() if value is not None}).encode()

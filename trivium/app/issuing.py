"""API keys from the command line: adding, listing and removing them."""

import argparse
from typing import assert_never

from trivium.app.keys import KeyFile, Role
from trivium.app.opening import now
from trivium.app.settings import Settings
from trivium.app.terminal import say


def keys(settings: Settings, options: argparse.Namespace) -> int:
    """Add, list or remove keys; a running service sees it with its next request."""
    file = KeyFile.of(settings)
    match options.what:
        case "add":
            created = now().isoformat(timespec="seconds")
            role, tenant = Role(options.role), options.tenant
            text = file.add(options.name, role, tenant=tenant, created=created)
            say(f"The key of {options.name}, {role} of {tenant}. Keep it: it is shown just once.")
            print(text)
        case "list":
            _show(file)
        case "remove":
            left = file.remove(options.name)
            say(f"{options.name} has no key any more.")
            if not left.keys:
                say("No key is left: from its next start, the service is for this machine alone.")
        case _:
            assert_never(options.what)
    return 0


def _show(file: KeyFile) -> None:
    held = file.read().keys
    if not held:
        say(f"There are no keys in {file.path}.")
        return
    rows = [("name", "role", "tenant", "created")]
    rows += [(key.name, key.role.value, key.tenant, key.created) for key in held]
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        print("  ".join(f"{part:{width}}" for part, width in zip(row, wide, strict=True)).rstrip())

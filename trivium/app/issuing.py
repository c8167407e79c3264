"""API keys from the command line: adding, listing and removing them."""

import argparse
from typing import assert_never

from trivium.app.arguments import Commands
from trivium.app.keys import KeyFile, Role
from trivium.app.opening import now
from trivium.app.settings import Settings
from trivium.app.terminal import aligned, say
from trivium.domain.question import HOME_TENANT


def add_to(commands: Commands) -> None:
    """Add ``trivium keys`` to the command line."""
    parts = commands.add_parser("keys", help="say who may come in: add, list and remove API keys")
    parts.set_defaults(run=keys)
    whats = parts.add_subparsers(dest="what", required=True, metavar="add | list | remove")
    add = whats.add_parser("add", help="make a key, and print it: once, it is kept nowhere")
    add.add_argument("name", metavar="NAME", help="whose key it is; answers and changes bear it")
    add.add_argument(
        "--role",
        required=True,
        choices=[role.value for role in Role],
        help="asker: ask, see and rate own answers; analyst: all answers of the tenant; "
        "admin: the installation",
    )
    add.add_argument(
        "--tenant", default=HOME_TENANT, metavar="T", help=f"whose knowledge ({HOME_TENANT})"
    )
    whats.add_parser("list", help="list the keys: names, roles, tenants, days")
    remove = whats.add_parser("remove", help="take a key away, at once")
    remove.add_argument("name", metavar="NAME", help="whose key")


async def keys(options: argparse.Namespace, settings: Settings) -> int:
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
    for line in aligned(rows):
        print(line)

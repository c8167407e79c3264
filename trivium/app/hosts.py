"""The names that a service is called by: a page of somebody else could have a browser call it.

Where no keys are needed, such a page could resolve a name of its own to this machine, and read what
comes back (DNS rebinding). Its requests name its own host, and so are told from ours.
"""

from collections.abc import Sequence
from typing import Final

from starlette.requests import Request

from trivium.app.settings import Settings

NOT_OURS: Final = "This Host is not known here. If it is yours, name it in TRIVIUM_HOSTS."
_HERE: Final = ("localhost", "127.0.0.1", "[::1]")


def names_of(settings: Settings) -> Sequence[str]:
    """Return the names and addresses that are ours, without ports."""
    named = (*_HERE, settings.host, *settings.hosts.split(","))
    return tuple(host for name in named if (host := name.strip().casefold()))


def origins_of(settings: Settings) -> Sequence[str]:
    """Return the pages of others that browsers may let ask here."""
    return tuple(one for origin in settings.cors_origins.split(",") if (one := origin.strip()))


def is_ours(request: Request, names: Sequence[str]) -> bool:
    """Whether a request is to one of ``names``, at any port; no browser leaves the Host out."""
    host = request.headers.get("host", "").strip().casefold()
    name, colon, port = host.rpartition(":")
    return not host or host in names or (bool(colon) and port.isdecimal() and name in names)

"""The running owner of a home, as the command line reaches it."""

from collections.abc import Mapping

import httpx

from trivium.app.settings import Settings
from trivium.domain.errors import InputError


def client_of(url: str, settings: Settings, *, timeout_s: float) -> httpx.AsyncClient:
    """Return a client that shows the key of the settings, if there is one.

    It goes past the proxies of the environment: the owner is on this machine, and the key is its
    business alone.

    Raises:
        InputError: what is set cannot be a key.
    """
    headers = key_headers(settings)
    return httpx.AsyncClient(base_url=url, timeout=timeout_s, headers=headers, trust_env=False)


def key_headers(settings: Settings) -> Mapping[str, str]:
    """Return the headers that show the key of the settings, if there is one.

    Raises:
        InputError: what is set cannot be a key.
    """
    key = settings.key.get_secret_value().strip() if settings.key else ""
    if not (key.isascii() and key.isprintable()):
        raise InputError("TRIVIUM_KEY is no key: trivium keys add prints one, once")
    return {"Authorization": f"Bearer {key}"} if key else {}

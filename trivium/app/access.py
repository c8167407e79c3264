"""Who may do what: one table of roles, and the layer that holds every request against it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final, cast
from urllib.parse import urlsplit

from fastapi import FastAPI, Request
from fastapi.routing import RouteContext, iter_route_contexts
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.routing import Match
from starlette.types import ASGIApp, Receive, Scope, Send

from trivium.app.admission import ALWAYS
from trivium.app.hosts import NOT_OURS, is_ours
from trivium.app.keys import Keyring, Role
from trivium.app.problems import problem
from trivium.app.requests import note_caller
from trivium.app.settings import Settings
from trivium.domain.errors import InputError
from trivium.domain.question import HOME_TENANT

OPEN: Final = None
ROLES: Final[Mapping[str, Role | None]] = {
    "GET /": OPEN,  # the page, which holds nothing
    "GET /page/{file}": OPEN,
    "GET /livez": OPEN,
    "GET /readyz": OPEN,  # strangers see no more of it than the status
    "GET /openapi.json": OPEN,  # the same for every installation
    "GET /metrics": Role.ASKER,  # how busy it is; a scraper needs no more power than that
    "POST /ask": Role.ASKER,
    "POST /v1/chat/completions": Role.ASKER,
    "GET /v1/models": Role.ASKER,
    "GET /v1/models/{model}": Role.ASKER,
    "POST /mcp": Role.ASKER,
    "GET /answers/{answer_id}": Role.ASKER,  # one's own; those of others need an analyst
    "POST /answers/{answer_id}/rating": Role.ASKER,  # the same
    "GET /admin/changes": Role.ADMIN,
    "POST /admin/changes/{sequence}/undo": Role.ADMIN,
    "GET /admin/corrections": Role.ADMIN,
    "POST /admin/corrections/{correction_id}": Role.ADMIN,
    "GET /admin/graph": Role.ADMIN,
    "POST /admin/load": Role.ADMIN,
    "GET /admin/memory": Role.ADMIN,
    "GET /admin/memory/statistics": Role.ADMIN,
    "POST /admin/memory/explain": Role.ADMIN,
    "POST /admin/memory/invalidate": Role.ADMIN,
    "GET /admin/memory/{key}": Role.ADMIN,
    "DELETE /admin/memory/{key}": Role.ADMIN,
    "GET /admin/overview": Role.ADMIN,
    "GET /admin/misroutes": Role.ADMIN,
    "POST /admin/misroutes": Role.ADMIN,
    "GET /admin/misroutes/export": Role.ADMIN,
    "GET /admin/misroutes/{report_id}": Role.ADMIN,
    "POST /admin/misroutes/{report_id}": Role.ADMIN,
    "POST /admin/mutations": Role.ADMIN,
    "GET /admin/router/versions": Role.ADMIN,
    "POST /admin/router/retrain": Role.ADMIN,
    "POST /admin/router/rollback": Role.ADMIN,
    "POST /admin/router/versions/{version}/promote": Role.ADMIN,
}
"""The role that each route needs. A route that stands not here needs an admin."""
_NOWHERE: Final = Role.ASKER
"""To be told that there is nothing at a path."""
_CALLER: Final = "trivium.caller"
_FORWARDED: Final = ("forwarded", "x-forwarded-for", "x-real-ip")
_CHALLENGE: Final = 'Bearer realm="trivium"'


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who asks, as the key says; never as the request does."""

    role: Role
    tenant: str = HOME_TENANT
    name: str | None = None
    """The name of the key; ``None`` where there are no keys."""

    @property
    def principal(self) -> str:
        """Who asks a question."""
        return self.name or "anonymous"

    def may_see(self, principal: object) -> bool:
        """Whether what ``principal`` asked is this caller's business, in the same tenant."""
        return principal == self.principal or self.role.covers(Role.ANALYST)


def caller_of(request: Request) -> Caller:
    """Return who asks; a route that is open to strangers may not have one."""
    return cast("Caller", request.scope[_CALLER])  # the layer puts it there


def is_stranger(request: Request) -> bool:
    """Whether somebody without a key asks what is open to all."""
    return request.scope[_CALLER] is None


class Access:
    """An ASGI layer: lets those in who may.

    With keys, the role of the key decides. Without, all are taken for analysts, and programs of
    this machine for admins; nobody else can come, for then only this machine is served.
    """

    def __init__(self, app: FastAPI, keys: Keyring, names: Sequence[str]) -> None:
        self._app: ASGIApp = app
        self._keys = keys
        self._names = names
        """Which hosts are ours, until there are keys."""
        self._routes = tuple(iter_route_contexts(app.routes))
        plain = (name.split() for name in ROLES if "{" not in name)
        self._plain = {(method, path): self._route(_asking(method, path)) for method, path in plain}
        """The route of each path that is asked as it stands in the table."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request, or refuse it; there is no other kind of connection."""
        match scope["type"]:
            case "lifespan":
                await self._app(scope, receive, send)
            case "http":
                await (self._refusal(scope) or self._app)(scope, receive, send)
            case _:
                await send({"type": "websocket.close", "code": 1008})

    def _refusal(self, scope: Scope) -> Response | None:
        request, needed = Request(scope), self._needed(scope)
        given, are_there = _given(request.headers), self._keys.are_there
        caller = self._holder(given) if are_there else _nearby(request)
        scope[_CALLER] = caller
        if not are_there and scope["path"] not in ALWAYS and not is_ours(request, self._names):
            return problem(421, NOT_OURS)
        if caller is not None and caller.name is not None:
            note_caller(scope, caller.name)
        if needed is OPEN:
            return None
        if caller is None:
            return _unknown(given)
        if not caller.role.covers(needed):
            return problem(403, _too_small(caller, needed))
        if needed is Role.ADMIN and caller.tenant != HOME_TENANT:
            told = f"admins of the tenant {HOME_TENANT!r}; this key is of {caller.tenant!r}"
            return problem(403, f"What belongs to all is for {told}.")
        return None

    def _needed(self, scope: Scope) -> Role | None:
        """Return the role that a request needs."""
        route = None
        if not scope.get("root_path"):
            route = self._plain.get((scope["method"], scope["path"]))
        route = route or self._route(scope)
        if route is None:
            return _NOWHERE
        scope["route"] = route  # for the log, should it be refused
        return role_for(scope["method"], str(route.path_format))

    def _route(self, scope: Scope) -> RouteContext | None:
        fits = (route for route in self._routes if route.matches(scope)[0] is Match.FULL)
        return next(fits, None)

    def _holder(self, given: str | None) -> Caller | None:
        key = self._keys.holder(given) if given else None
        return Caller(role=key.role, tenant=key.tenant, name=key.name) if key else None


def _asking(method: str, path: str) -> Scope:
    return {"type": "http", "method": method, "path": path, "root_path": "", "headers": []}


def role_for(method: str, path: str) -> Role | None:
    """Return the role that a route needs: an admin's, where none is told."""
    read = "GET" if method == "HEAD" else method
    return ROLES.get(f"{read} {path}", Role.ADMIN)


def see_that_it_may_serve(settings: Settings, keys: Keyring) -> None:
    """Refuse to serve those who cannot be told apart.

    Raises:
        InputError: there is no admin key in production, or no key and more than this machine.
    """
    make = "make one with: trivium keys add NAME --role admin"
    if settings.mode == "production" and not keys.has_admin:
        raise InputError(f"TRIVIUM_MODE is production, and there is no admin key: {make}")
    if not keys.are_there and not _is_loopback(settings.host):
        raise InputError(
            f"without keys only this machine is served, and {settings.host or 'every address'} is "
            f"more: {make}; or listen on 127.0.0.1 (TRIVIUM_HOST)"
        )


def _given(headers: Headers) -> str | None:
    """Return the key that a request shows."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    if scheme.casefold() == "bearer" and token.strip():
        return token.strip()
    return headers.get("x-api-key", "").strip() or None


def _unknown(given: str | None) -> Response:
    if given is None:
        how = "send it as Authorization: Bearer KEY, or as X-API-Key: KEY"
        told = f"This needs a key: {how}. The command line takes it from TRIVIUM_KEY."
        return problem(401, told, headers={"WWW-Authenticate": _CHALLENGE})
    told = "This key is not known here: it was removed, or is not whole."
    challenge = f'{_CHALLENGE}, error="invalid_token"'
    return problem(401, told, headers={"WWW-Authenticate": challenge})


def _too_small(caller: Caller, needed: Role) -> str:
    if caller.name is None:
        return "Until there are keys, this is for programs on the machine of the service alone."
    return f"This needs the role {needed}; the key {caller.name} has the role {caller.role}."


def _nearby(request: Request) -> Caller:
    """Return the caller where there are no keys.

    A proxy in front, or a web page that is open in a browser here, is no program of this machine.
    """
    is_here = request.client is not None and _is_loopback(request.client.host)
    is_forwarded = any(name in request.headers for name in _FORWARDED)
    origin = request.headers.get("origin")
    is_page = origin is not None and not _is_loopback(urlsplit(origin).hostname or "")
    is_ours = is_here and not is_forwarded and not is_page
    return Caller(role=Role.ADMIN if is_ours else Role.ANALYST)


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return False

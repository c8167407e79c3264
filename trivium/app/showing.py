"""The page at `/`: a few files that hold nothing, and need nothing from anywhere else."""

from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from trivium.app.bodies import problems

_MEDIA: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
}
"""What may be served; a file of any other kind is not."""
_POLICY: Final = (
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",  # no text ever becomes markup
    "trusted-types 'none'",
)
_HEADERS: Final = {
    "Cache-Control": "no-cache",
    "Content-Security-Policy": "; ".join(_POLICY),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}

routes = APIRouter(include_in_schema=False)


@dataclass(frozen=True, slots=True)
class _File:
    content: bytes
    media: str
    tag: str


@routes.get("/")
async def page(request: Request) -> Response:
    """Give the page."""
    return _given(request, "index.html")


@routes.get("/page/{file:path}", responses=problems(404))
async def file(request: Request, file: str) -> Response:
    """Give a file of the page."""
    return _given(request, file)


def is_page(path: str) -> bool:
    """Whether a path is that of the page, or of a file of it."""
    return path == "/" or path.startswith("/page/")


def _given(request: Request, name: str) -> Response:
    found = _files().get(name)
    if found is None:
        raise HTTPException(404)
    headers = {**_HEADERS, "ETag": found.tag}
    if request.headers.get("if-none-match") == found.tag:
        return Response(status_code=304, headers=headers)
    return Response(found.content, headers=headers, media_type=found.media)


@cache
def _files() -> dict[str, _File]:
    """Return the files by name; they are read once, and nothing else is ever looked for."""
    return dict(_read(files("trivium.app") / "page", ""))


def _read(folder: Traversable, prefix: str) -> list[tuple[str, _File]]:
    found: list[tuple[str, _File]] = []
    for entry in folder.iterdir():
        if entry.is_dir():
            found += _read(entry, f"{prefix}{entry.name}/")
        elif media := _MEDIA.get("." + entry.name.rpartition(".")[2]):
            content = entry.read_bytes()
            tag = f'"{sha256(content).hexdigest()[:16]}"'
            found.append((f"{prefix}{entry.name}", _File(content, media, tag)))
    return found

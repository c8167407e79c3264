"""Bodies: how routes read them, answer with them, and describe them in the OpenAPI."""

import asyncio
from collections.abc import Mapping
from typing import Final

from fastapi import Request
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.responses import Response

from trivium.app.models import Problem
from trivium.app.settings import Settings
from trivium.domain.door import encoded

JSON: Final = "application/json"


def takes(model: type[BaseModel]) -> dict[str, object]:
    """Describe the body of a route that reads it itself."""
    schema = {"$ref": f"#/components/schemas/{model.__name__}"}
    return {"requestBody": {"required": True, "content": {JSON: {"schema": schema}}}}


def parameters(model: type[BaseModel]) -> dict[str, object]:
    """Describe the query of a route that reads it itself."""
    form = model.model_json_schema(ref_template="#/components/schemas/{model}")
    return {
        "parameters": [
            {"name": name, "in": "query", "required": False, "schema": schema}
            for name, schema in form["properties"].items()
        ]
    }


def problems(
    *statuses: int, model: type[BaseModel] = Problem, media: str = "application/problem+json"
) -> dict[int | str, dict[str, object]]:
    """Describe the problems that a route may answer with."""
    content = {media: {"schema": {"$ref": f"#/components/schemas/{model.__name__}"}}}
    return {status: {"description": "Problem", "content": content} for status in statuses}


def as_json(value: Mapping[str, object], status: int = 200) -> Response:
    """Return a JSON response."""
    return Response(encoded(value), status, media_type=JSON)


async def body_of(request: Request, settings: Settings) -> bytes:
    """Return the body, refusing a large one before it is read whole, and a slow one."""
    limit, seconds = settings.max_body_bytes, settings.deadline_s
    media = request.headers.get("content-type", JSON).partition(";")[0].strip().casefold()
    if media and not (media == JSON or media.endswith("+json")):
        raise HTTPException(415, f"The body must be {JSON}, not {media[:80]}.")
    coding = request.headers.get("content-encoding", "identity").strip().casefold()
    if coding not in {"", "identity"}:
        raise HTTPException(415, f"The body must be plain, not {coding[:80]}.")
    length = request.headers.get("content-length", "")[:20]
    if length.isdecimal() and int(length) > limit:
        raise HTTPException(413, f"The body has {length} bytes; {limit} are taken at most.")
    try:
        async with asyncio.timeout(seconds):
            return await _read(request, limit)
    except TimeoutError as error:
        told = f"The body did not come within {seconds:g} s."
        raise HTTPException(408, told, {"Connection": "close"}) from error


async def _read(request: Request, limit: int) -> bytes:
    read = bytearray()
    async for part in request.stream():
        read += part
        if len(read) > limit:
            raise HTTPException(413, f"The body has more than {limit} bytes.")
    return bytes(read)

"""Bodies: how routes read them, answer with them, and describe them in the OpenAPI."""

import json
from collections.abc import Mapping
from typing import Final

from fastapi import Request
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.responses import Response

from trivium.app.models import Problem

JSON: Final = "application/json"


def takes(model: type[BaseModel]) -> dict[str, object]:
    """Describe the body of a route that reads it itself."""
    schema = {"$ref": f"#/components/schemas/{model.__name__}"}
    return {"requestBody": {"required": True, "content": {JSON: {"schema": schema}}}}


def problems(*statuses: int) -> dict[int | str, dict[str, object]]:
    """Describe the problems that a route may answer with."""
    schema = {"$ref": f"#/components/schemas/{Problem.__name__}"}
    content = {"application/problem+json": {"schema": schema}}
    return {status: {"description": "Problem", "content": content} for status in statuses}


def as_json(value: Mapping[str, object], status: int = 200) -> Response:
    """Return a JSON response."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return Response(text.encode("utf-8", "replace"), status, media_type=JSON)


async def body_of(request: Request, limit: int) -> bytes:
    """Return the body, refusing one of more than ``limit`` bytes before it is read whole."""
    media = request.headers.get("content-type", JSON).partition(";")[0].strip().casefold()
    if media and not (media == JSON or media.endswith("+json")):
        raise HTTPException(415, f"The body must be {JSON}, not {media}.")
    length = request.headers.get("content-length", "")
    if length.isdigit() and int(length) > limit:
        raise HTTPException(413, f"The body has {length} bytes; {limit} are taken at most.")
    read = bytearray()
    async for part in request.stream():
        read += part
        if len(read) > limit:
            raise HTTPException(413, f"The body has more than {limit} bytes.")
    return bytes(read)

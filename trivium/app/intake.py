"""What a route takes in: its service, its body or query as a model, and in whose name."""

import json
from collections import Counter
from typing import TypeVar, cast

from fastapi import Request
from pydantic import BaseModel

from trivium.app.access import caller_of
from trivium.app.bodies import body_of
from trivium.app.models import parse
from trivium.app.service import Service
from trivium.domain.errors import InputError

_T = TypeVar("_T", bound=BaseModel)


def service_of(request: Request) -> Service:
    """Return the service that answers ``request``."""
    return cast("Service", request.app.state.service)  # the lifespan puts it there


async def sent(request: Request, model: type[_T]) -> _T:
    """Return what the body of a request holds.

    Raises:
        HTTPException: it is too large, too slow, or of another kind.
        InputError: it does not fit; ``NotJsonError``, where it is no JSON.
    """
    return parse(model, await body_of(request, service_of(request).settings))


def queried(request: Request, model: type[_T]) -> _T:
    """Return what the query of a request says.

    Raises:
        InputError: it does not fit, or says something twice.
    """
    counts = Counter(name for name, _ in request.query_params.multi_items())
    twice = [(name, "it is said more than once") for name, n in counts.items() if n > 1]
    if twice:
        raise InputError(f"{twice[0][0][:80]}: {twice[0][1]}", twice)
    raw = json.dumps(dict(request.query_params)).encode()
    return parse(model, raw, is_text=True)


def signed(request: Request, asked: _T) -> _T:
    """Return a request in the name of the key that it came with, where there are keys."""
    name = caller_of(request).name
    return asked if name is None else asked.model_copy(update={"author": name})

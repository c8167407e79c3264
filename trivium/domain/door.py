"""The door's form of an answer: what ``POST /ask`` gives, as plain JSON."""

import json
import math
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from trivium.domain.answer import Alike, Answer
from trivium.domain.once import once
from trivium.domain.prompting import with_share
from trivium.domain.route import RouteDecision


def encoded(value: Mapping[str, object]) -> bytes:
    """Return compact JSON; lone surrogates, which UTF-8 has no bytes for, are replaced."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode("utf-8", "replace")


def response(answer: Answer) -> dict[str, object]:
    """Return the whole response for an answer; the order of the keys is the door's."""
    return {"id": answer.id, "cache": {"hit": answer.is_cached}, **body(answer)}


@once(64)
def body(answer: Answer) -> dict[str, object]:
    """Return the response without what a repetition changes: id and cache."""
    return {
        "status": answer.status.value,
        "reason": answer.reason.value if answer.reason else None,
        "candidates": [asdict(candidate) for candidate in answer.candidates],
        "answer": answer.text,
        "result": _finite(answer.result.to_json()),
        "also": [_finite(result.to_json()) for result in answer.also],
        "results": {t.value: _finite(result.to_json()) for t, result in answer.results.items()},
        "route": route(answer.route),
        "citations": [_finite(citation.to_json()) for citation in answer.citations],
        "evidence": _finite(answer.evidence),
        "conflicts": [
            {"current": dict(c.current), "superseded": dict(c.superseded), "why": c.why}
            for c in answer.conflicts
        ],
        "freshness": [
            {"source": f.source, "as_of": f.as_of, "kind": f.kind.value} for f in answer.freshness
        ],
        "degraded": [asdict(degraded) for degraded in answer.degraded],
        "usage": with_share(answer.usage),
        "timings_ms": dict(answer.timings_ms),
    }


def again(answer_id: str, kept: bytes, alike: Alike | None = None) -> bytes:
    """Return the response that a remembered answer is, under a new id.

    Args:
        answer_id: the new id.
        kept: what ``kept_of`` gave.
        alike: the other words that it was an answer to, if there are any.
    """
    cache: dict[str, object] = {"hit": True}
    if alike is not None:
        cache |= {"question": alike.question, "similarity": alike.similarity}
    return _whole(answer_id, cache, kept)


def told(answer: Answer) -> bytes:
    """Return the ``response`` for an answer as JSON."""
    return _whole(answer.id, {"hit": answer.is_cached}, kept_of(answer))


def _whole(answer_id: str, cache: Mapping[str, object], kept: bytes) -> bytes:
    return encoded({"id": answer_id, "cache": cache})[:-1] + b"," + kept


@once(64)
def kept_of(answer: Answer) -> bytes:
    """Return what memory keeps of an answer: the end of its response, after id and cache."""
    return encoded(body(answer))[1:]


def body_of(kept: bytes) -> dict[str, Any]:  # Any: JSON
    """Return the ``body`` that ``kept_of`` made the bytes of."""
    opened: dict[str, Any] = json.loads(b"{" + kept)
    return opened


def route(decision: RouteDecision) -> dict[str, object]:
    """Return the door's form of a route."""
    return {
        "tiers": [tier.value for tier in decision.tiers],
        "parts": {tier.value: part for tier, part in decision.parts.items()},
        "probabilities": {k.value: round(v, 4) for k, v in decision.probabilities.items()},
        "decided_by": decision.decided_by.value,
        "model_version": decision.model_version,
        "reasons": list(decision.reasons),
    }


def _finite(value: object) -> object:
    """Return a value with what JSON cannot say (NaN, infinities) as ``None``.

    >>> _finite({"a": [float("nan"), 1.5]})
    {'a': [None, 1.5]}
    """
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): _finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value]
    return value

"""What the OpenAI door takes and gives: conversations, completions and their chunks, as JSON."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field

from synthesis.inert import quoted
from trivium.app.background import unwrapped
from trivium.app.models import Text
from trivium.app.streaming import pieces
from trivium.domain.errors import InputError, NotFoundError
from trivium.domain.question import TierName, Turn
from trivium.language.text import is_blank

MODELS: Final[Mapping[str, tuple[TierName, ...] | None]] = {
    "trivium": None,  # the router chooses
    **{f"trivium-{tier.value}": (tier,) for tier in TierName},
}
"""The tiers that a model of that door asks."""
_MARKER: Final = re.compile(r"\[(\d+)\]")
_N_NAMED: Final = 3
"""So many relations or entities of a citation are told in its name."""

Answered = Mapping[str, Any]  # Any: an answer as ``/ask`` gives it


class _Given(BaseModel):
    """Clients send much that means nothing here; it is ignored."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class ContentPart(_Given):
    """A part of a message; only text can be read."""

    type: str
    text: Text | None = None


class ChatMessage(_Given):
    """One message; those of ``system``, ``developer`` and ``tool`` are no part of a question."""

    role: str
    content: Text | list[ContentPart] | None = None

    @property
    def text(self) -> str:
        """Its text, of all parts."""
        if isinstance(self.content, list):
            return "\n".join(part.text or "" for part in self.content if part.text)
        return self.content or ""

    @property
    def is_text(self) -> bool:
        """Whether nothing in it is left out when its text is read."""
        parts = self.content if isinstance(self.content, list) else []
        return all(part.text is not None for part in parts)


class StreamOptions(_Given):
    """What else a stream holds."""

    include_usage: bool | None = None


class ChatRequest(_Given):
    """A conversation whose last question is answered."""

    model: str = Field(max_length=200, examples=["trivium"])
    messages: Annotated[list[ChatMessage], Field(min_length=1, max_length=1_000)] = Field(
        examples=[[{"role": "user", "content": "Which components have only one supplier?"}]]
    )
    stream: bool | None = None
    stream_options: StreamOptions | None = None

    @property
    def tiers(self) -> tuple[TierName, ...] | None:
        """The tiers that the model asks; ``None`` where the router chooses.

        Raises:
            NotFoundError: there is no such model.
        """
        if self.model not in MODELS:
            raise NotFoundError(f"There is no model {self.model[:80]!r}, but {', '.join(MODELS)}.")
        return MODELS[self.model]

    @property
    def has_usage(self) -> bool:
        """Whether a stream ends with what it cost."""
        return bool(self.stream_options and self.stream_options.include_usage)

    def conversation(self) -> tuple[str, tuple[Turn, ...]]:
        """Return the last question, and what was said before it.

        Raises:
            InputError: nobody asks anything, or with more than words.
        """
        said = [m for m in self.messages if m.role in {"user", "assistant"}]
        while said and said[-1].role != "user":
            said.pop()
        if not said or is_blank(said[-1].text):
            raise _unfit("there is no message of a user that says something")
        if not said[-1].is_text:
            raise _unfit("only text can be read, no images, files or sound")
        history = tuple(
            Turn("user" if m.role == "user" else "assistant", unwrapped(m.text)) for m in said[:-1]
        )
        return unwrapped(said[-1].text), history


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """One reply at that door."""

    id: str
    model: str
    created: int
    """Seconds since 1970."""
    content: str
    annotations: Sequence[Mapping[str, object]] = ()
    usage: Mapping[str, object]

    def to_json(self) -> dict[str, object]:
        """Return it whole."""
        message = {
            "role": "assistant",
            "content": self.content,
            "refusal": None,
            "annotations": list(self.annotations),
        }
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}
        return {**self._head("chat.completion"), "choices": [choice], "usage": dict(self.usage)}

    def chunks(self, *, with_usage: bool) -> Iterator[dict[str, object]]:
        """Give it in chunks: the role, the text piece by piece, the end, and what it cost."""
        yield self._chunk({"role": "assistant", "content": ""})
        for piece in pieces(self.content):
            yield self._chunk({"content": piece})
        noted = {"annotations": list(self.annotations)} if self.annotations else {}
        yield self._chunk(noted, finish_reason="stop")
        if with_usage:
            head = self._head("chat.completion.chunk")
            yield {**head, "choices": [], "usage": dict(self.usage)}

    def _chunk(
        self, delta: Mapping[str, object], finish_reason: str | None = None
    ) -> dict[str, object]:
        choice = {
            "index": 0,
            "delta": dict(delta),
            "logprobs": None,
            "finish_reason": finish_reason,
        }
        return {**self._head("chat.completion.chunk"), "choices": [choice]}

    def _head(self, kind: str) -> dict[str, object]:
        return {"id": self.id, "object": kind, "created": self.created, "model": self.model}


def completion_of(answer: Answered, *, model: str, created: int, base_url: str) -> Completion:
    """Return an answer as a completion: its id is the answer's, its sources stand below the text.

    Args:
        answer: the answer, as ``/ask`` gives it.
        model: the model that was asked for.
        created: when, in seconds since 1970.
        base_url: where this service is, with a slash at the end.
    """
    url = f"{base_url}answers/{answer['id']}"
    names = {c["marker"]: quoted(source_name(c)) for c in answer["citations"]}
    sources = "".join(f"\n- [{marker}] {name}" for marker, name in names.items())
    return Completion(
        id=answer["id"],
        model=model,
        created=created,
        content=answer["answer"] + (f"\n\nSources:{sources}" if sources else ""),
        annotations=[
            _annotation(found, f"{url}#{found[1]}", names[int(found[1])])
            for found in _MARKER.finditer(answer["answer"])
            if int(found[1]) in names
        ],
        usage=usage_of(answer["usage"]),
    )


def source_name(citation: Answered) -> str:
    """Return what a person calls the source of a citation.

    >>> source_name({"tier": "rag", "title": "House rules", "source": "doc-rules"})
    'House rules (doc-rules)'
    >>> source_name({"tier": "graph", "names": dict.fromkeys("ABCDE"), "nodes": list("ABCDE")})
    'A; B; C; and 2 more'
    """
    dated = f", {citation['as_of']}" if citation.get("as_of") else ""
    match citation["tier"]:
        case TierName.RAG:
            return f"{citation['title']} ({citation['source']})"
        case TierName.CAG:
            return f"{citation['attribute']} of {citation['entity']} ({citation['source']}{dated})"
        case _:
            return _subgraph_name(citation)


def _subgraph_name(citation: Answered) -> str:
    """Return the first relations of a subgraph, or where it has none its first entities."""
    names = citation.get("names", {})
    told = [
        f"{names.get(source) or source} {kind} {names.get(target) or target}"
        for source, kind, target in citation.get("relations", ())
    ] or [names.get(node) or node for node in citation["nodes"]]
    rest = len(told) - _N_NAMED
    return "; ".join([*told[:_N_NAMED], *([f"and {rest} more"] if rest > 0 else [])])


def _annotation(found: re.Match[str], url: str, title: str) -> dict[str, object]:
    place = {"start_index": found.start(), "end_index": found.end(), "url": url, "title": title}
    return {"type": "url_citation", "url_citation": place}


def usage_of(usage: Mapping[str, Any]) -> dict[str, object]:  # Any: as answers tell it
    """Return the tokens that a model took, zeros where none was asked."""
    cached = usage.get("cache_read_tokens", 0)
    read = usage.get("input_tokens", 0) + cached + usage.get("cache_write_tokens", 0)
    written = usage.get("output_tokens", 0)
    return {
        "prompt_tokens": read,
        "completion_tokens": written,
        "total_tokens": read + written,
        "prompt_tokens_details": {"cached_tokens": cached},
    }


def _unfit(told: str) -> InputError:
    return InputError(f"messages: {told}", [("messages", told)])

"""What all calls of a chat model share: how data is quoted to it, its reply, and what it cost."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Protocol


class Reply(Protocol):
    """What the model said, and what it cost."""

    @property
    def text(self) -> str:
        """The reply's text; of a tool's call, its arguments as JSON."""
        ...

    @property
    def model(self) -> str:
        """The model that answered."""
        ...

    @property
    def input_tokens(self) -> int:
        """Tokens read at the full price."""
        ...

    @property
    def output_tokens(self) -> int:
        """Tokens written."""
        ...

    @property
    def cache_read_tokens(self) -> int:
        """Tokens read from the prompt cache."""
        ...

    @property
    def cache_write_tokens(self) -> int:
        """Tokens put into the prompt cache."""
        ...


def block_code(texts: Sequence[str], others: Sequence[str] = ()) -> str:
    """Return a code that is in none of some texts, so that none can close or open a block.

    Args:
        texts: what the block quotes; the same texts have the same code.
        others: what else the model reads; where it holds that code, they have another.
    """
    code = "\0".join(texts).casefold()
    everything = "\0".join([*texts, *others]).casefold()
    while (code := sha256(code.encode("utf-8", "replace")).hexdigest()[:16]) in everything:
        continue
    return code


def usage_of(reply: Reply) -> dict[str, object]:
    """Return what a reply cost, as answers show it."""
    return {
        "model": reply.model,
        "input_tokens": reply.input_tokens,
        "output_tokens": reply.output_tokens,
        "cache_read_tokens": reply.cache_read_tokens,
        "cache_write_tokens": reply.cache_write_tokens,
    }


def with_share(usage: Mapping[str, object]) -> dict[str, object]:
    """Return what calls cost with the share of all that was read that came from the prompt cache.

    >>> with_share({"input_tokens": 50, "cache_read_tokens": 150})
    {'input_tokens': 50, 'cache_read_tokens': 150, 'cached_share': 0.75}
    >>> with_share({})
    {}
    """
    cached = usage.get("cache_read_tokens")
    counts = [usage.get(k) for k in ("input_tokens", "cache_read_tokens", "cache_write_tokens")]
    read = sum(n for n in counts if isinstance(n, int))
    if not isinstance(cached, int) or not read:
        return dict(usage)
    return {**usage, "cached_share": round(cached / read, 3)}


def added(usages: Sequence[Mapping[str, object]]) -> dict[str, object]:
    """Return the tokens of all calls, and the model that was called last.

    >>> added([{"model": "a", "input_tokens": 1}, {}, {"model": "b", "input_tokens": 2}])
    {'model': 'b', 'input_tokens': 3}
    """
    total: dict[str, object] = {}
    for usage in usages:
        for key, value in usage.items():
            before = total.get(key)
            is_count = isinstance(before, int) and isinstance(value, int)
            total[key] = before + value if is_count else value  # type: ignore[operator]  # seen above
    return total

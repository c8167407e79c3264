"""The questions of ``bench.feedback``: what is trained on, rated, gated and judged is kept apart.

Four sets of made questions, each of domains of its own. The base, on which the router is trained
before anybody rates, and the rated stream share their ways of asking; the gate (set A) has ways of
its own, and so has the judge (set B). Lists of fewer than four ways are shared.
"""

import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeAlias

from bench.worlds import World, encoded, worlds
from router.filling import Ways, templates
from router.making import make
from router.training import Example
from trivium.app.settings import Settings
from trivium.domain.question import Question
from trivium.gateway.encoder import OnnxEncoder

_CACHE: Final = Path(".cache/feedback.npz")
_ASKED: Final = ("cag", "rag", "graph", "none", "follow", "parts", "leads")
"""What of the ways of asking is divided; the rest only fills or joins."""


_Asked: TypeAlias = "Mapping[str, _Asked] | Sequence[str]"


@dataclass(frozen=True, slots=True)
class _Set:
    domains: Sequence[str]
    quarters: Sequence[int]
    """Which of the ways of asking, by their place in the list modulo four."""
    seeds: Sequence[int]


_SETS: Final[Mapping[str, _Set]] = {
    "base": _Set(
        ("platform", "publishing", "grid", "insurance", "hospital", "trials", "enterprise",
         "museum", "banking", "software", "airline", "farming", "hotels", "construction"),
        (0, 1, 2, 3), (0, 1),
    ),
    "stream": _Set(("shipping", "telecom", "football"), (0, 1), (0, 1)),
    "gate": _Set(("transit", "charity", "brewing"), (2,), (0, 1)),
    "judge": _Set(("university", "law", "aerospace"), (3,), (0, 1)),
}  # fmt: skip


async def load() -> dict[str, list[Example]]:
    """Make, read and encode the questions of each set."""
    settings = Settings()
    encoder = OnnxEncoder.open(settings.encoder_dir, precision=settings.encoder_precision)
    known = {world.name: world for world in worlds(encoder)}
    found = {name: list(_made(own, known)) for name, own in _SETS.items()}
    texts = {example.question.text for own in found.values() for example in own}
    vectors = await encoded(encoder, sorted(texts), _CACHE)
    return {
        name: [
            replace(e, question=replace(e.question, vector=vectors[e.question.text])) for e in own
        ]
        for name, own in found.items()
    }


def _made(own: _Set, known: Mapping[str, World]) -> Iterator[Example]:
    ways = _some(templates(), own.quarters)
    for name in own.domains:
        world, seen = known[name], set()
        domain = replace(world.domain, ways=ways)
        for seed in own.seeds:
            for made in make(domain, zlib.crc32(f"{name} {seed}".encode())):
                if (key := (made.question.text, made.question.history)) in seen:
                    continue
                seen.add(key)
                read = world.reader.read
                parts = tuple((read(Question(text=text)), tier) for text, tier in made.clauses)
                yield Example(
                    question=read(made.question), tiers=made.tiers, group=name, parts=parts
                )


def _some(ways: Ways, quarters: Sequence[int]) -> Ways:
    return {name: _part(own, quarters) if name in _ASKED else own for name, own in ways.items()}


def _part(own: _Asked, quarters: Sequence[int]) -> _Asked:
    if isinstance(own, Mapping):
        return {name: _part(below, quarters) for name, below in own.items()}
    return [way for at, way in enumerate(own) if at % 4 in quarters] if len(own) >= 4 else own

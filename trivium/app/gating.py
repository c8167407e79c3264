"""The frozen gate set and the anchors: made in the domains whose schemas come with the router."""

import asyncio
import zlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeAlias

import router
from feedback.gate import Gate, Gated
from router.filling import Domain
from router.making import make
from router.model import TierSet
from router.seen import Seen
from trivium.domain.knowledge import ChangeKind
from trivium.domain.payloads import node_from_payload
from trivium.domain.ports import Encoder
from trivium.domain.question import Understood, Vector
from trivium.knowledge.dataset import DataSet, read_dataset
from trivium.knowledge.lexicon import lexicon_of
from trivium.language.reading import QuestionReader

_DOMAINS: Final = Path(router.__file__).parent / "examples"
_N_GATE: Final = 2_000
_N_ANCHORS: Final = 600
_BATCH: Final = 64


@dataclass(frozen=True, slots=True)
class GateSets:
    """What a challenger is held against, and where it is held to what the shipped model says."""

    gate: Gate
    anchors: Sequence[Seen]


def domain_of(data: DataSet) -> Domain:
    """Return a data set as a domain that questions are made in."""
    names: dict[str, list[str]] = defaultdict(list)
    for change in data.changes:
        if change.kind is ChangeKind.PUT_NODE:
            node = node_from_payload(change.payload)
            names[node.type] += [node.name, *node.aliases[:2]]
    return Domain(schema=data.schema, names=names)


async def gate_sets(encoder: Encoder) -> GateSets:
    """Make, read and encode the questions: the same ones in every process of one release.

    Raises:
        DependencyError: the encoder did not answer.
    """
    gate, anchors = await asyncio.to_thread(_read, encoder)
    questions = [question for question, _ in (*gate, *anchors)]
    vectors = await _encoded(encoder, [question.text for question in questions])
    seen = await asyncio.to_thread(_seen, questions, vectors)
    rows = [Gated(own, tiers) for own, (_, tiers) in zip(seen, gate, strict=False)]
    return GateSets(Gate(rows), seen[len(gate) :])


_Rows: TypeAlias = list[tuple[Understood, TierSet]]


def _read(encoder: Encoder) -> tuple[_Rows, _Rows]:
    """Return the questions of the gate and of the anchors, read, and their labels."""
    places = sorted(path.parent for path in _DOMAINS.glob("*/schema.yaml"))
    gate: _Rows = []
    anchors: _Rows = []
    for place in places:
        data = read_dataset(place)
        reader, domain = QuestionReader(encoder, lexicon_of(data.changes)), domain_of(data)
        for rows, kind, n in ((gate, "gate", _N_GATE), (anchors, "anchors", _N_ANCHORS)):
            made = list(make(domain, zlib.crc32(f"{kind} {place.name}".encode())))
            own = min(len(made), -(-n // len(places)))
            spread = [made[at * len(made) // own] for at in range(own)]
            rows += [(reader.read(item.question), item.tiers) for item in spread]
    return gate, anchors


def _seen(questions: Sequence[Understood], vectors: Mapping[str, Vector]) -> list[Seen]:
    return [Seen.of(replace(question, vector=vectors[question.text])) for question in questions]


async def _encoded(encoder: Encoder, texts: Sequence[str]) -> Mapping[str, Vector]:
    """Encode each text once, those of a length together."""
    ordered = sorted(set(texts), key=lambda text: (len(text), text))
    found: dict[str, Vector] = {}
    for first in range(0, len(ordered), _BATCH):
        batch = ordered[first : first + _BATCH]
        found.update(zip(batch, await encoder.encode(batch), strict=True))
    return found

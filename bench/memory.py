"""Measures the answer memory: ``python -m bench.memory [--show]``.

Pairs that must not share an answer: those of ``memory_written.tsv``, written before the guards, and
those that ``memory_swaps.tsv`` makes with names of three data sets, of which one is known, 1,000 in
all. Pairs that should:
the wordings of each line of ``memory_paraphrases.txt``, the first with each other. Each pair is
asked of a memory of its own that knows the answer to its first question. Beside it: what a memory
that looks at the cosine alone gives for the same pairs. Then the same for ``memory_blind``, written
when the guards were done; of its 65 pairs 3 hit at first, and 47 of its 100 paraphrases did. And
for ``memory_fresh``, written before the second round of guards, though by one who had seen the
first: of its 104 pairs none hit at first, and 8 of its 60 paraphrases did.
"""

import argparse
import asyncio
import random
import statistics
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import cycle
from pathlib import Path
from typing import Final, NamedTuple

from tests.fakes import MemoryFactStore
from tiers.cag.memory import VerifiedMemory
from trivium.domain.answer import Known
from trivium.domain.knowledge import ChangeKind
from trivium.domain.question import Question, Understood
from trivium.gateway.encoder import OnnxEncoder
from trivium.knowledge.dataset import read_dataset
from trivium.knowledge.lexicon import lexicon_of
from trivium.language.reading import QuestionReader

ROOT: Final = Path(__file__).parents[1]
QUESTIONS: Final = ROOT / "bench" / "questions"
DATA_SETS: Final = tuple(
    ROOT / path
    for path in ("examples/aerospace", "router/examples/hospital", "router/examples/shipping")
)
_N_ADVERSARIAL: Final = 1_000
_SEED: Final = 7
_MAIN: Final = "all"
_COSINES: Final = (0.8, 0.85, 0.9, 0.95)


class Pair(NamedTuple):
    """Two questions, and in what they differ."""

    kind: str
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class Asked:
    """A pair, asked."""

    pair: Pair
    is_hit: bool
    cosine: float
    took_ms: float
    """To look for the second, when it is read and encoded."""


def written_pairs(name: str = "memory_written.tsv") -> list[Pair]:
    """Return the pairs of a file; those of the first were written before the guards."""
    return [Pair(*line) for line in _lines(name)]


def swapped_pairs(n: int, names: Sequence[str]) -> list[Pair]:
    """Return ``n`` pairs that differ in one thing, with names and numbers filled in."""
    chance, swaps = random.Random(_SEED), _lines("memory_swaps.tsv")  # no secret
    found: dict[Pair, None] = {}
    for kind, first, second in cycle(swaps):
        if len(found) == n:
            break
        filled = dict(zip("abc", chance.sample(names, 3), strict=True)) | _numbers(chance)
        found[Pair(kind, first.format(**filled), second.format(**filled))] = None
    return list(found)


def _numbers(chance: random.Random) -> dict[str, str]:
    """Return two numbers, the second with two figures of the first changed over."""
    n = chance.choice([m for m in range(12, 990) if str(m)[-1] != str(m)[-2] and m % 10])
    told = str(n)
    return {"n": told, "m": f"{told[:-2]}{told[-1]}{told[-2]}"}


def paraphrases(name: str = "memory_paraphrases.txt") -> list[Pair]:
    """Return the pairs of wordings of one question, those of a file."""
    text = (QUESTIONS / name).read_text("utf-8")
    rows = [line.split(" | ") for line in text.splitlines()]
    return [Pair("paraphrase", first, other) for first, *others in rows for other in others]


def _lines(name: str) -> list[list[str]]:
    return [line.split("\t") for line in (QUESTIONS / name).read_text("utf-8").splitlines()]


class Asker:
    """Reads, encodes and asks pairs over the names and words of the first data set."""

    def __init__(self) -> None:
        known, *others = [read_dataset(path).changes for path in DATA_SETS]
        numbered = [replace(change, sequence=n) for n, change in enumerate(known, 1)]
        changes = (change for part in (known, *others) for change in part)
        puts = (c.payload for c in changes if c.kind is ChangeKind.PUT_NODE)
        self.names: Final = sorted({str(payload["name"]) for payload in puts})
        encoder = OnnxEncoder.open(ROOT / "models" / "encoder")
        self._reader = QuestionReader(encoder, lexicon_of(numbered))

    async def ask(self, pair: Pair) -> Asked:
        """Ask the second question of a memory that knows the answer to the first."""
        memory = VerifiedMemory(MemoryFactStore(), ttl_s=60)
        first, second = [
            await self._reader.encoded(Question(text=t)) for t in (pair.first, pair.second)
        ]
        await memory.remember(Known(question=first.question, understood=first, version=0), b"{}")
        begin = time.perf_counter()
        exact = await memory.recall(second.question, 0)
        is_hit = exact is not None or await memory.recall_alike(second, 0) is not None
        took_ms = 1000 * (time.perf_counter() - begin)
        return Asked(pair, is_hit, _cosine(first, second), took_ms)


def _cosine(a: Understood, b: Understood) -> float:
    return sum(x * y for x, y in zip(a.vector, b.vector, strict=True))


async def measure(asker: Asker, name: str) -> tuple[list[Asked], list[Asked]]:
    """Return what became of the adversarial pairs, and of the paraphrases, of a set."""
    if name == _MAIN:
        written, same = written_pairs(), paraphrases()
        adversarial = [*written, *swapped_pairs(_N_ADVERSARIAL - len(written), asker.names)]
    else:
        adversarial = written_pairs(f"memory_{name}.tsv")
        same = paraphrases(f"memory_{name}.txt")
    wrong = [await asker.ask(pair) for pair in adversarial]
    return wrong, [await asker.ask(pair) for pair in same]


def report(wrong: Sequence[Asked], right: Sequence[Asked], *, show: bool) -> Iterator[str]:
    """Give what is to be printed."""
    n_wrong, n_right = sum(a.is_hit for a in wrong), sum(a.is_hit for a in right)
    share = n_right / len(right)
    yield f"adversarial pairs that hit: {n_wrong} of {len(wrong)} (bar: 0)"
    yield f"paraphrases that hit:       {n_right} of {len(right)} = {share:.3f} (bar: 0.75)"
    yield f"precision over both:        {_precision(n_right, n_wrong):.4f} (bar: 0.995)"
    near = [a.cosine for a in right if a.is_hit]
    middle = statistics.median(near)
    yield f"cosine of paraphrases that hit: least {min(near):.3f}, median {middle:.3f}"
    for bar in _COSINES:
        n_false = sum(a.cosine >= bar for a in wrong)
        n_true = sum(a.cosine >= bar for a in right)
        told = f"{n_true / len(right):.3f} at precision {_precision(n_true, n_false):.3f}"
        yield f"cosine alone, {bar:.2f}: {told}, {n_false} wrong"
    times = sorted(a.took_ms for a in (*wrong, *right))
    p50, p95 = statistics.median(times), times[int(0.95 * len(times))]
    yield f"looking, after the encoder: p50 {p50:.3f} ms, p95 {p95:.3f} ms (bar: 2)"
    for kind, n in sorted(Counter(a.pair.kind for a in wrong).items()):
        n_hits = sum(a.is_hit for a in wrong if a.pair.kind == kind)
        yield f"  {kind:12} {n_hits} of {n}"
    if show:
        yield from (f"WRONG {a.pair}" for a in wrong if a.is_hit)
        yield from (f"MISSED {a.pair.first} | {a.pair.second}" for a in right if not a.is_hit)


def _precision(n_right: int, n_wrong: int) -> float:
    return n_right / max(1, n_right + n_wrong)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", action="store_true", help="print each pair that is not right")
    options = parser.parse_args()
    asker = Asker()
    for name in (_MAIN, "blind", "fresh"):
        print(f"{name}:")
        for line in report(*asyncio.run(measure(asker, name)), show=options.show):
            print(line)


if __name__ == "__main__":
    main()

"""Times the encoder and compares int8 with fp32: ``python -m bench.encoder [DIR]``."""

import asyncio
import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from trivium.domain.question import Vector
from trivium.gateway.encoder import OnnxEncoder, Precision

QUESTIONS = tuple(
    text.format(name)
    for name in ("CMP-001", "Acme Ltd", "the north plant", "order 4411", "Riverside")
    for text in (
        "Who supplies {}?",
        "What is the lead time of {}, and since when?",
        "What does the contract with {} say about late delivery?",
        "Which customers would wait if {} closed for six weeks?",
        "how many parts come from {}",
        "Summarise the last audit of {} and name the open findings",
    )
)


async def _ask(encoder: OnnxEncoder) -> tuple[float, tuple[Vector, ...]]:
    """Return the median milliseconds a question, and the vectors."""
    await encoder.encode(QUESTIONS[:3])
    times: list[float] = []
    vectors: list[Vector] = []
    for question in QUESTIONS:
        begin = time.perf_counter()
        vectors += await encoder.encode([question])
        times.append((time.perf_counter() - begin) * 1000)
    return statistics.median(times), tuple(vectors)


def _cosine(a: Sequence[float], b: Sequence[float]) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))


async def main(directory: Path) -> None:
    """Print one line for each precision and number of threads, then how near the two are."""
    vectors: dict[Precision, tuple[Vector, ...]] = {}
    precisions: tuple[Precision, ...] = ("fp32", "int8")
    for precision in precisions:
        for n_threads in (1, 2):
            encoder = OnnxEncoder.open(directory, precision=precision, n_threads=n_threads)
            ms, vectors[precision] = await _ask(encoder)
            print(f"{precision}, {n_threads} thread(s): {ms:.2f} ms a question (median)")
    near = [_cosine(a, b) for a, b in zip(vectors["fp32"], vectors["int8"], strict=True)]
    print(f"cosine of int8 and fp32: mean {statistics.mean(near):.4f}, least {min(near):.4f}")


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1] if len(sys.argv) > 1 else "models/encoder")))

"""Times a whole decision, reading and routing but no encoding: ``python -m bench.decision``.

On the example as it is, and with 100,000 made names beside its own. Processor time: other work on
the machine does not count.
"""

import asyncio
import random
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from router.router import LearnedRouter
from trivium.app.loading import SUITE
from trivium.app.settings import Settings
from trivium.app.suite import question_of, read_suite
from trivium.domain.question import Question, Vector
from trivium.gateway.encoder import OnnxEncoder
from trivium.knowledge.dataset import read_dataset
from trivium.knowledge.lexicon import lexicon_of
from trivium.language.reading import Lexicon, QuestionReader

_PLACE: Final = Path("examples/aerospace")
_N_NAMES: Final = 100_000
_ROUNDS: Final = 5
_HEADS: Final = ("Valve", "Works", "Foundry", "Sensor", "Seal", "Pump", "Logistics", "Airways")
_SYLLABLES: Final = (
    "ka",
    "lo",
    "mi",
    "ren",
    "tor",
    "ves",
    "bur",
    "dal",
    "hen",
    "sor",
    "pel",
    "gri",
)


def crowded(lexicon: Lexicon) -> Lexicon:
    """Put made names beside a lexicon's own."""
    dice = random.Random(0)
    types = sorted(lexicon.schema.node_types)
    for number in range(_N_NAMES):
        name = "".join(dice.choices(_SYLLABLES, k=3)).title()
        lexicon.names.put(
            f"Z-{number:06}", types[number % len(types)], f"{name} {dice.choice(_HEADS)}", ()
        )
    return lexicon


def timed(
    lexicon: Lexicon, encoder: OnnxEncoder, asked: Sequence[tuple[Question, Vector]]
) -> Iterator[float]:
    """Give the milliseconds of each decision."""
    reader, router = QuestionReader(encoder, lexicon), LearnedRouter.shipped()
    for turn in range(_ROUNDS + 1):
        for question, vector in asked:
            started = time.process_time()
            router.route(replace(reader.read(question), vector=vector))
            if turn:  # the first round warms caches
                yield (time.process_time() - started) * 1000


async def main() -> None:
    """Print the median and the 95th percentile for both."""
    settings = Settings()
    encoder = OnnxEncoder.open(settings.encoder_dir, precision=settings.encoder_precision)
    questions = [question_of(row) for row in await read_suite(_PLACE / SUITE)]
    vectors = await encoder.encode([question.text for question in questions])
    asked = list(zip(questions, vectors, strict=True))
    for title, lexicon in (
        ("the example", lexicon_of(read_dataset(_PLACE).changes)),
        (f"{_N_NAMES:,} names", crowded(lexicon_of(read_dataset(_PLACE).changes))),
    ):
        ordered = sorted(timed(lexicon, encoder, asked))
        p95 = ordered[int(0.95 * len(ordered))]
        print(f"{title:16s}p50 {statistics.median(ordered):.2f} ms, p95 {p95:.2f} ms")


if __name__ == "__main__":
    asyncio.run(main())

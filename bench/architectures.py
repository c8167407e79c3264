"""Compares the paper's eight architectures and ours: ``trivium bench architectures``.

They answer the same questions over the same data: the paper's 11 and 12 hold-outs. Those that need
a model are asked where one is set up (``TRIVIUM_ANTHROPIC_API_KEY``, or with a base URL any server
of the Messages API), and else said not to have run. How answers are marked: ``bench.judging``.
"""

import argparse
import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol, TypeAlias

from bench import architecture_report
from bench.architecture_report import Outcome
from bench.corpus import Corpus, called
from bench.handlers import Handlers, said
from bench.judging import Answer, Judge, Marks
from bench.reading import Domain, rows_of
from bench.retrievers import DenseRag, DualLevel, TfidfRag
from bench.written import Chat, ExtractedGraphRag, Planner, ReAct
from tiers.graphrag.planner import OPERATOR_SETS
from tiers.graphrag.tier import GraphTier
from trivium.app.opening import open_chat, open_encoder
from trivium.app.settings import Settings
from trivium.app.suite import question_of
from trivium.domain.deadline import Deadline
from trivium.domain.errors import TriviumError
from trivium.domain.ports import Encoder
from trivium.domain.question import Question

_QUESTIONS: Final = Path(__file__).parent / "questions" / "aerospace_paper.jsonl"
_GIVEN_S: Final = 30.0
_MAX_TOKENS: Final = 4096
"""A model that extracts a graph writes more than one that answers."""
NAMES: Final[Mapping[int, str]] = {
    1: "TF-IDF RAG",
    2: "dense RAG",
    3: "eleven handlers",
    4: "LLM-extracted GraphRAG",
    5: "LightRAG's retrieval",
    6: "ReAct",
    7: "planner, 9 operators",
    8: "planner, 15 operators",
    9: "ours: the reader",
}
"""The paper's eight in its order, and ours."""

Row = Mapping[str, Any]  # JSON


class Architecture(Protocol):
    """A way of answering questions."""

    async def answer(self, question: Question) -> Answer:
        """Return what it says to a question.

        Raises:
            TriviumError: it could not work.
        """
        ...


Opens: TypeAlias = Callable[[], Awaitable[Architecture]]


class Reader:
    """Ours: the question reader and the operators of the graph tier, without a model."""

    def __init__(self, domain: Domain, tier: GraphTier) -> None:
        self._domain = domain
        self._tier = tier

    async def answer(self, question: Question) -> Answer:
        """Return what the tier gives."""
        read = self._domain.reader.read(question)
        return said(await self._tier.retrieve(read, Deadline.after(_GIVEN_S)))


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """What the architectures answer from."""

    domain: Domain
    corpus: Corpus
    tier: GraphTier
    encoder: Encoder

    @classmethod
    def of(cls, domain: Domain, encoder: Encoder) -> "World":
        """Put the graph of a domain into words beside it."""
        tier = GraphTier(domain.graph, lambda: domain.lexicon.schema)
        corpus = Corpus.of(domain.graph)
        return cls(domain=domain, corpus=corpus, tier=tier, encoder=encoder)


async def _made(architecture: Architecture) -> Architecture:
    return architecture


def without_model(world: World) -> dict[int, Opens]:
    """Return what opens each architecture that works without a model, by its number."""
    domain, corpus, encoder, tier = world.domain, world.corpus, world.encoder, world.tier

    return {
        1: lambda: _made(TfidfRag(corpus)),
        2: lambda: DenseRag.open(corpus, encoder),
        3: lambda: _made(Handlers(domain.reader, domain.lexicon.schema, tier)),
        5: lambda: DualLevel.open(corpus, domain.reader, encoder),
        9: lambda: _made(Reader(domain, tier)),
    }


def with_model(world: World, chat: Chat) -> dict[int, Opens]:
    """Return what opens each architecture that needs a model, by its number."""
    domain, corpus = world.domain, world.corpus
    kinds = {called(node): node.type for node in domain.graph.nodes()}

    def planner(operators: str) -> Architecture:
        chosen, schema = OPERATOR_SETS[operators], domain.lexicon.schema
        return Planner(chat, chosen, domain.reader, schema, world.tier)

    return {
        4: lambda: ExtractedGraphRag.open(chat, corpus),
        6: lambda: _made(ReAct(chat, corpus, kinds)),
        7: lambda: _made(planner("nine")),
        8: lambda: _made(planner("fifteen")),
    }


async def measure(
    world: World, chat: Chat | None, rows: Sequence[Row], n_rounds: int
) -> list[Outcome]:
    """Ask every architecture every question; those with a model once, the others in rounds."""
    rounds = dict.fromkeys(NAMES, n_rounds)
    opens = without_model(world)
    if chat is not None:
        written = with_model(world, chat)
        opens |= written
        rounds |= dict.fromkeys(written, 1)
    outcomes = []
    for number, name in NAMES.items():
        numbered = f"{number} {name}"
        if number not in opens:
            outcomes.append(Outcome(name=numbered, why_not="needs a model"))
            continue
        try:
            architecture = await opens[number]()
        except TriviumError as error:
            outcomes.append(Outcome(name=numbered, why_not=str(error)))
            continue
        outcomes.append(await _asked(numbered, architecture, world, rows, rounds[number]))
    return outcomes


async def _asked(
    name: str, architecture: Architecture, world: World, rows: Sequence[Row], n_rounds: int
) -> Outcome:
    judge = Judge(world.domain.lexicon.names)
    marks: dict[str, Marks] = {}
    times: list[float] = []
    failed: dict[str, None] = {}
    for n in range(n_rounds):
        for row in rows:
            begin = time.perf_counter()
            answer = await _answered(architecture, question_of(row))
            times.append((time.perf_counter() - begin) * 1000)
            if n == 0:
                marks[row["id"]] = judge.marks(row, _asked_about(world, row), answer)
            if answer.failed:
                failed[answer.failed] = None
    return Outcome(name=name, marks=marks, times_ms=times, failed=list(failed))


async def _answered(architecture: Architecture, question: Question) -> Answer:
    try:
        return await architecture.answer(question)
    except TriviumError as error:
        return Answer(text="", failed=str(error))


def _asked_about(world: World, row: Row) -> set[str]:
    """Return the entities that a question names."""
    read = world.domain.reader.read(question_of(row))
    return {candidate.id for mention in read.mentions for candidate in mention.best}


async def run(domain: Domain, rows: Sequence[Row], n_rounds: int) -> list[Outcome]:
    """Open what is needed and measure."""
    settings = Settings()
    async with AsyncExitStack() as stack:
        long = settings.model_copy(update={"anthropic_max_tokens": _MAX_TOKENS})
        world = World.of(domain, open_encoder(settings))
        return await measure(world, open_chat(long, stack), rows, n_rounds)


def main() -> None:
    """Print the table; write the report and its chart where they are asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("examples/aerospace"))
    parser.add_argument("--questions", type=Path, default=_QUESTIONS)
    parser.add_argument("--rounds", type=int, default=10, help="for times, without a model")
    parser.add_argument("--report", type=Path, help="where to write Markdown, and an SVG beside it")
    asked = parser.parse_args()
    rows = list(rows_of(asked.questions))
    outcomes = asyncio.run(run(Domain.load(asked.data), rows, asked.rounds))
    print("\n".join(architecture_report.table(outcomes)))
    if asked.report:
        architecture_report.write(asked.report, outcomes)


if __name__ == "__main__":
    main()

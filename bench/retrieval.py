"""Measures the document tier: ``trivium bench retrieval [DIR …] [--show] [--chart]``.

On three data sets, with the rows of their suites that have gold documents and 132 questions
of our own (``bench.documentary``). A chunk is relevant when it is of a gold document and holds what
must be said. *recall@5* is the share of what must be said that stands in the first five chunks,
*nDCG@10* weighs their places, *first* is the share in the first chunk alone. Of the tier's answer:
*cited* is the share of gold documents cited, *said* the share of what must be said, *unsaid* of
what must not be. A question of two tiers is asked whole.

Larger indexes are measured by ``bench.retrieval_scale``.
"""

import argparse
import asyncio
import math
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.documentary import Row, files_of, rows_of
from bench.drawing import bars
from bench.searchers import Dense, Hybrid, Searcher, Tfidf
from bench.sets import DOCUMENTED, DOCUMENTS_ALONE, KEPT
from tiers.rag.client_store import ClientStore
from tiers.rag.edge_store import EdgeStore
from tiers.rag.embedding import with_vectors
from tiers.rag.projection import DocumentProjection
from tiers.rag.store import StoredChunk
from tiers.rag.tier import RagTier
from trivium.domain.deadline import Deadline
from trivium.domain.evidence import Passage, TierResult, TierStatus
from trivium.domain.knowledge import ChangeKind
from trivium.domain.question import HOME_TENANT
from trivium.gateway.encoder import OnnxEncoder
from trivium.knowledge.dataset import DataSet, read_dataset
from trivium.knowledge.lexicon import lexicon_of
from trivium.language.reading import QuestionReader

FOUND: Final = ("recall@5", "nDCG@10", "first")
ANSWERED: Final = ("cited", "said", "unsaid", "all", "words")
Shares = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class World:
    """The documents of one data set in two stores, with what reads questions to them."""

    reader: QuestionReader
    tier: RagTier
    searchers: Mapping[str, Searcher]


@asynccontextmanager
async def opened(dataset: DataSet, encoder: OnnxEncoder) -> AsyncIterator[World]:
    """Index the documents of a data set."""
    lexicon = lexicon_of(dataset.changes)
    with tempfile.TemporaryDirectory() as home:
        store = await EdgeStore.open(Path(home), dimension=encoder.dimension)
        local = await ClientStore.open(":memory:", dimension=encoder.dimension)
        await DocumentProjection(store, encoder, tag=lexicon.names.tag).apply(dataset.changes, 1)
        keys = [c.key for c in dataset.changes if c.kind is ChangeKind.PUT_DOCUMENT]
        held = await store.embedded(keys, tenant=HOME_TENANT)
        chunks, vectors = [chunk for chunk, _ in held], [vector for _, vector in held]
        await local.upsert(with_vectors(chunks, vectors))
        yield World(
            QuestionReader(encoder, lexicon),
            RagTier(store),
            {
                "Trivium": Hybrid(store),
                "Trivium on qdrant-client's local mode": Hybrid(local),
                "dense alone": Dense(chunks, vectors),
                "TF-IDF alone": Tfidf(chunks),
            },
        )
        await store.close()
        await local.close()


async def measure(world: World, rows: Sequence[Row], *, show: bool) -> dict[str, list[Shares]]:
    """Return what each searcher, and the tier as ``answer``, has of each row."""
    told: dict[str, list[Shares]] = defaultdict(list)
    for row in rows:
        question = await world.reader.encoded(row.question)
        for name, searcher in world.searchers.items():
            begin = time.perf_counter()
            found = await searcher.search(question, 10)
            ms = (time.perf_counter() - begin) * 1000
            told[name].append({**found_of(row, found), "ms": ms})
        begin = time.perf_counter()
        result = await world.tier.retrieve(question, Deadline.after(10))
        ms = (time.perf_counter() - begin) * 1000
        shares = answered_of(row, result)
        told["answer"].append({**shares, "ms": ms})
        if show and not shares["all"]:
            _print(row, result, shares)
    return told


def found_of(row: Row, found: Sequence[StoredChunk]) -> Shares:
    """Return how much of what must be said stands in the chunks found, and how near the top."""
    texts = [_plain(c.text) if c.document in row.documents else "" for c in found]
    parts = [_plain(part) for part in row.said]
    gains = [any(part in text for part in parts) / math.log2(n + 2) for n, text in enumerate(texts)]
    best = sum(1 / math.log2(n + 2) for n in range(max(1, sum(gain > 0 for gain in gains))))
    return {
        "recall@5": _share([any(part in text for text in texts[:5]) for part in parts]),
        "nDCG@10": sum(gains) / best,
        "first": _share([part in texts[0] for part in parts] if texts else [False]),
    }


def answered_of(row: Row, result: TierResult) -> Shares:
    """Return how much of what is right the answer has."""
    passages = [result.evidence[i] for s in result.statements for i in s.evidence]
    cited = {item.document for item in passages if isinstance(item, Passage)}
    text = _plain(" ".join(s.text for s in result.statements))
    shares = {
        "cited": _share([document in cited for document in row.documents]),
        "said": _share([_plain(part) in text for part in row.said]),
        "unsaid": _share([_plain(part) not in text for part in row.unsaid]),
    }
    whole = float(min(shares.values()) == 1)
    return {**shares, "all": whole, "words": float(len(text.split()))}


async def n_silent(world: World, rows: Sequence[Row], *, show: bool = False) -> int:
    """Return to how many of the rows, none of which its documents answer, it says nothing."""
    silent = 0
    for row in rows:
        question = await world.reader.encoded(row.question)
        result = await world.tier.retrieve(question, Deadline.after(10))
        silent += result.status is TierStatus.MISS
        if show and result.status is not TierStatus.MISS:
            _print(row, result, {})
    return silent


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _share(hits: Sequence[bool]) -> float:
    return sum(hits) / len(hits) if hits else 1.0


def _print(row: Row, result: TierResult, shares: Shares) -> None:
    print(f"\n{row.id} {row.question.text}\n  gold {row.documents} {row.said}, not {row.unsaid}")
    print(f"  {', '.join(f'{name} {share:.2f}' for name, share in shares.items())}")
    for item in result.evidence:
        if isinstance(item, Passage):
            print(f"  {item.score:.3f} {item.document} > {item.heading[-60:]}")
    for statement in result.statements:
        print(f"  says: {statement.text!r}")


async def main(directories: Sequence[Path], chart: Path | None, *, show: bool) -> None:
    """Print what is found and said, a set of questions at a time and over all."""
    encoder = OnnxEncoder.open(Path("models/encoder"))
    total: dict[str, list[Shares]] = defaultdict(list)
    rows = {d: {file.stem: tuple(rows_of(file)) for file in files_of(d)} for d in directories}
    n_foreign = n_of_foreign = 0
    for directory in directories:
        shown = show and directory.name not in KEPT
        async with opened(read_dataset(directory), encoder) as world:
            for name, every in rows[directory].items():
                told = await measure(world, [r for r in every if not r.is_unknown], show=shown)
                _report(f"{directory.name}, {name}", told)
                for searcher, shares in told.items():
                    total[searcher] += shares
                if unknown := [row for row in every if row.is_unknown]:
                    silent = await n_silent(world, unknown, show=shown)
                    print(f"  not to be answered: {silent} of {len(unknown)} find nothing")
            foreign = [
                r for d in directories if d != directory for f in rows[d].values() for r in f
            ]
            n_foreign, n_of_foreign = (
                n_foreign + await n_silent(world, foreign),
                n_of_foreign + len(foreign),
            )
    _report("all", total)
    print(f"\nquestions of other data sets: {n_foreign} of {n_of_foreign} find nothing")
    if chart:
        found = {name: _means(of, FOUND) for name, of in total.items() if name != "answer"}
        bars(chart, found, FOUND)


def _report(title: str, told: Mapping[str, Sequence[Shares]]) -> None:
    print(f"\n{title}: {len(told['answer'])} questions")
    for name, shares in told.items():
        keys = ANSWERED if name == "answer" else FOUND
        figures = "  ".join(f"{key} {value:.3f}" for key, value in _means(shares, keys).items())
        ms = statistics.median(share["ms"] for share in shares)
        print(f"  {name:38s} {figures}  {ms:.1f} ms (median)")


def _means(shares: Sequence[Shares], keys: Sequence[str]) -> dict[str, float]:
    return {key: statistics.fmean(share[key] for share in shares) for key in keys}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "directories", nargs="*", type=Path, default=(*DOCUMENTED, *DOCUMENTS_ALONE)
    )
    parser.add_argument("--show", action="store_true", help="print what is not right")
    parser.add_argument("--chart", type=Path, help="draw what is found into this SVG")
    return parser


if __name__ == "__main__":
    chosen = _parser().parse_args()
    asyncio.run(main(chosen.directories, chosen.chart, show=chosen.show))

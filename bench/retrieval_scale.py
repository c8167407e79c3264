"""Measures the document tier on large indexes: ``python -m bench.retrieval_scale``.

``--encoded N`` writes about N chunks from templates over invented companies, really encodes them,
and asks for single values of single companies: what is found, beside dense and TF-IDF alone.
``--synthetic N`` makes vectors by a seed and times the tier alone, from a read and encoded question
to its passages and sentences. Nothing of either is kept.
"""

import argparse
import asyncio
import random
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from bench.documentary import Row
from bench.drawing import bars
from bench.retrieval import FOUND, found_of
from bench.searchers import Dense, Hybrid, Searcher, Tfidf
from tiers.rag.edge_store import EdgeStore
from tiers.rag.embedding import with_vectors
from tiers.rag.projection import DocumentProjection
from tiers.rag.store import StoredChunk
from tiers.rag.tier import RagTier
from trivium.domain.deadline import Deadline
from trivium.domain.knowledge import Change, ChangeKind
from trivium.domain.question import HOME_TENANT, Question
from trivium.gateway.encoder import OnnxEncoder
from trivium.language.reading import Lexicon, QuestionReader

_SEED: Final = 7
_BATCH: Final = 2_000
_SYLLABLES: Final = (
    "ba", "dor", "fel", "gan", "hol", "kir", "lum", "mar", "nes", "pol", "rav", "tis",
)  # fmt: skip
_FIELDS: Final = ("bakery", "clinic", "ferry line", "foundry", "museum", "orchard", "school", "zoo")
_SECTIONS: Final = (
    ("Payment", "Invoices are paid after {} days.", "After how many days does {} pay invoices?"),
    ("Notice", "Either side may give notice of {} weeks.", "How many weeks of notice binds {}?"),
    ("Stock", "A reserve of {} pallets is kept on site.", "How many pallets are in {}'s reserve?"),
    ("Penalty", "For each late week {} euros are due.", "What does {} owe for a late week?"),
    ("Visits", "Guests are shown round in groups of {}.", "How large are groups of guests at {}?"),
    ("Repairs", "A broken machine is mended within {} hours.", "How fast does {} mend a machine?"),
)  # fmt: skip
_FILLER: Final = (
    "The arrangement was made in writing and is kept by the office of the {}.",
    "It was looked at last spring by both sides and left as it stands.",
    "Questions go to the head of the {}, who answers within the week.",
)


def corpus(n_chunks: int) -> Iterator[tuple[str, str, str, list[tuple[str, str]]]]:
    """Give the id, title and text of documents, and of each its questions with what is right."""
    rng = random.Random(_SEED)
    for number in range(max(1, n_chunks // len(_SECTIONS))):
        name = (
            "".join(rng.choices(_SYLLABLES, k=3)).capitalize() + f" {rng.choice(_FIELDS).title()}"
        )
        parts, asked = [f"# Agreement with {name}"], []
        for heading, sentence, question in _SECTIONS:
            value = sentence.format(rng.randint(2, 99))
            filler = rng.choice(_FILLER).format(rng.choice(_FIELDS))
            parts.append(f"## {heading}\n{filler} {value}")
            asked.append((question.format(name), value))
        yield f"doc-{number}", f"Agreement with {name}", "\n".join(parts), asked


async def encoded(n_chunks: int, n_questions: int, chart: Path | None) -> None:
    """Print and draw what is found among really encoded chunks."""
    encoder = OnnxEncoder.open(Path("models/encoder"))
    documents = list(corpus(n_chunks))
    changes = [
        Change(
            kind=ChangeKind.PUT_DOCUMENT, key=key, payload={"id": key, "title": title, "text": text}
        )
        for key, title, text, _ in documents
    ]
    with tempfile.TemporaryDirectory() as home:
        store = await EdgeStore.open(Path(home), dimension=encoder.dimension)
        begin = time.perf_counter()
        await DocumentProjection(store, encoder, tag=lambda _: ()).apply(changes, 1)
        took = time.perf_counter() - begin
        held = await store.embedded([key for key, *_ in documents], tenant=HOME_TENANT)
        chunks = [chunk for chunk, _ in held]
        print(f"{len(held)} chunks encoded and indexed at {len(held) / took:.0f} a second")
        searchers: dict[str, Searcher] = {
            "Trivium": Hybrid(store),
            "dense alone": Dense(chunks, [vector for _, vector in held]),
            "TF-IDF alone": Tfidf(chunks),
        }
        asked = [(key, *pair) for key, _, _, pairs in documents for pair in pairs]
        rows = random.Random(_SEED).sample(asked, min(n_questions, len(asked)))
        await _found(rows, searchers, QuestionReader(encoder, Lexicon.empty()), chart)
        await store.close()


async def _found(
    rows: Sequence[tuple[str, str, str]],
    searchers: dict[str, Searcher],
    reader: QuestionReader,
    chart: Path | None,
) -> None:
    means: dict[str, dict[str, float | None]] = {}
    questions = [await reader.encoded(Question(text=text)) for _, text, _ in rows]
    for name, searcher in searchers.items():
        shares = []
        for (key, text, value), question in zip(rows, questions, strict=True):
            row = Row(
                id=key, question=Question(text=text), documents=[key], said=[value], unsaid=()
            )
            shares.append(found_of(row, await searcher.search(question, 10)))
        means[name] = {key: statistics.fmean(s[key] for s in shares) for key in FOUND}
        print(f"{name:14s}", "  ".join(f"{key} {value:.3f}" for key, value in means[name].items()))
    if chart:
        bars(chart, means, FOUND)


async def synthetic(n_chunks: int, n_questions: int) -> None:
    """Print how long the tier takes among chunks whose vectors are drawn by a seed."""
    encoder = OnnxEncoder.open(Path("models/encoder"))
    rng = np.random.default_rng(_SEED)
    documents = list(corpus(n_chunks))
    with tempfile.TemporaryDirectory() as home:
        store = await EdgeStore.open(Path(home), dimension=encoder.dimension)
        begin = time.perf_counter()
        for first in range(0, len(documents), _BATCH // len(_SECTIONS)):
            chunks = list(_chunks(documents[first : first + _BATCH // len(_SECTIONS)]))
            rows = rng.normal(size=(len(chunks), encoder.dimension))
            rows /= np.linalg.norm(rows, axis=1, keepdims=True)
            await store.upsert(with_vectors(chunks, [tuple(row) for row in rows.tolist()]))
        await store.set_watermark(1)
        n = len(documents) * len(_SECTIONS)
        print(f"{n} synthetic chunks written in {time.perf_counter() - begin:.0f} s")
        reader, tier = QuestionReader(encoder, Lexicon.empty()), RagTier(store, floor=0.0)
        asked = [text for _, _, _, pairs in documents for text, _ in pairs]
        times = []
        for text in random.Random(_SEED).sample(asked, n_questions):
            question = await reader.encoded(Question(text=text))
            begin = time.perf_counter()
            await tier.retrieve(question, Deadline.after(10))
            times.append((time.perf_counter() - begin) * 1000)
        cuts = statistics.quantiles(times[10:], n=20)
        print(f"the tier alone: p50 {statistics.median(times[10:]):.1f} ms, p95 {cuts[-1]:.1f} ms")
        await store.close()


def _chunks(
    documents: Sequence[tuple[str, str, str, list[tuple[str, str]]]],
) -> Iterator[StoredChunk]:
    for key, title, text, _ in documents:
        for position, part in enumerate(text.split("\n## ")[1:]):
            heading, said = part.split("\n", 1)
            yield StoredChunk(
                tenant=HOME_TENANT, document=key, position=position, text=said, start=0,
                end=len(said), title=title, heading=f"{title} > {heading}",
            )  # fmt: skip


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--encoded", type=int, default=5_000, metavar="N")
    parser.add_argument("--synthetic", type=int, default=100_000, metavar="N")
    parser.add_argument("--questions", type=int, default=300, metavar="N")
    parser.add_argument("--chart", type=Path, help="draw what is found into this SVG")
    return parser


async def _main(options: argparse.Namespace) -> None:
    if options.synthetic:
        await synthetic(options.synthetic, options.questions)
    if options.encoded:
        await encoded(options.encoded, options.questions, options.chart)


if __name__ == "__main__":
    asyncio.run(_main(_parser().parse_args()))

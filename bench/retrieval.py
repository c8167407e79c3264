"""Measures the document tier on a data set: ``python -m bench.retrieval [DIR]``.

Recall is the share of gold documents that the statements cite, *said* the share of the strings
that a right answer holds which stand in them, *unsaid* the share of the strings that it must not
hold which do not. A question of two tiers is asked whole.
"""

import argparse
import asyncio
import json
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tiers.rag.edge_store import EdgeStore
from tiers.rag.projection import DocumentProjection
from tiers.rag.tier import RagTier
from trivium.domain.deadline import Deadline
from trivium.domain.evidence import Passage, TierResult
from trivium.domain.knowledge import ChangeKind
from trivium.domain.payloads import node_from_payload
from trivium.domain.question import Question, Turn
from trivium.gateway.encoder import OnnxEncoder
from trivium.knowledge.dataset import DataSet, read_dataset
from trivium.language.names import NameIndex
from trivium.language.reading import Lexicon, QuestionReader
from trivium.language.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class Row:
    """A question and what the tier should give for it."""

    question: Question
    documents: Sequence[str]
    said: Sequence[str]
    unsaid: Sequence[str]


def rows_of(file: Path) -> Iterator[Row]:
    """Give the rows of ``file`` that have gold documents."""
    for line in file.read_text("utf-8").splitlines():
        raw = json.loads(line)
        gold: Mapping[str, Sequence[str]] = raw["gold"]
        if "docs" in gold:
            history = tuple(Turn(t["role"], t["content"]) for t in raw.get("history") or ())
            question = Question(text=raw["query"], history=history, as_of=raw.get("as_of"))
            yield Row(
                question, gold["docs"], gold.get("contains", []), gold.get("not_contains", [])
            )


async def main(directory: Path, *, show: bool) -> None:
    """Load the documents of ``directory``, ask its questions, and print the shares."""
    dataset = read_dataset(directory)
    lexicon = Lexicon(Vocabulary(dataset.schema), _names(dataset))
    encoder = OnnxEncoder.open(Path("models/encoder"))
    with tempfile.TemporaryDirectory() as home:
        store = await EdgeStore.open(Path(home), dimension=encoder.dimension)
        begin = time.perf_counter()
        await DocumentProjection(store, encoder, tag=lexicon.names.tag).apply(dataset.changes, 1)
        print(f"loaded in {time.perf_counter() - begin:.1f} s")
        reader, tier = QuestionReader(encoder, lexicon), RagTier(store)
        tally = [0.0] * 4
        rows = list(rows_of(directory / "questions.jsonl"))
        for row in rows:
            understood = await reader.encoded(row.question)
            begin = time.perf_counter()
            result = await tier.retrieve(understood, Deadline.after(10))
            tally[3] += time.perf_counter() - begin
            shares = _shares(row, result)
            tally[:3] = [total + share for total, share in zip(tally, shares, strict=False)]
            if show and min(shares) < 1:
                _print(row, result, shares)
        recall, said, unsaid, seconds = (total / len(rows) for total in tally)
        print(f"{len(rows)} questions: recall {recall:.3f}, said {said:.3f}, unsaid {unsaid:.3f}")
        print(f"{seconds * 1000:.1f} ms a question, encoding left out")
        await store.close()


def _names(dataset: DataSet) -> NameIndex:
    names = NameIndex()
    for change in dataset.changes:
        if change.kind is ChangeKind.PUT_NODE:
            node = node_from_payload(change.payload)
            names.put(node.id, node.type, node.name, node.aliases)
    return names


def _shares(row: Row, result: TierResult) -> tuple[float, float, float]:
    passages = [result.evidence[i] for s in result.statements for i in s.evidence]
    cited = {item.document for item in passages if isinstance(item, Passage)}
    text = " ".join(" ".join(s.text for s in result.statements).casefold().split())
    return (
        _share([document in cited for document in row.documents]),
        _share([part.casefold() in text for part in row.said]),
        _share([part.casefold() not in text for part in row.unsaid]),
    )


def _share(hits: Sequence[bool]) -> float:
    return sum(hits) / len(hits) if hits else 1.0


def _print(row: Row, result: TierResult, shares: Sequence[float]) -> None:
    print(f"\n{row.question.text}\n  gold {row.documents} {row.said}, shares {shares}")
    for item in result.evidence:
        if isinstance(item, Passage):
            print(f"  {item.score:.3f} {item.document} > {item.heading[-60:]}")
    for statement in result.statements:
        print(f"  says: {statement.text}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", nargs="?", type=Path, default=Path("examples/aerospace"))
    parser.add_argument("--show", action="store_true", help="print what is not right")
    chosen = parser.parse_args()
    asyncio.run(main(chosen.directory, show=chosen.show))

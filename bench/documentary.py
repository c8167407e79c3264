"""Questions that documents answer: those of the data sets' suites, and 204 of our own.

Ours stand in ``bench/questions/documents_*.jsonl``; they were written from the documents alone,
before any retrieval had seen them (the last four of each set that is documents alone: after the
first run). What the blind ones lacked has been looked at since; of ``shoot`` it never was: that set
is the test of what the others taught.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from trivium.app.suite import question_of
from trivium.domain.question import Question

_HERE: Final = Path(__file__).parent / "questions"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A question and what a right answer has."""

    id: str
    question: Question
    documents: Sequence[str]
    """The documents to cite."""
    said: Sequence[str]
    """What must stand in the answer; each stands in one of the documents."""
    unsaid: Sequence[str]
    """What must not."""

    @property
    def is_unknown(self) -> bool:
        """Whether the documents hold no answer, so that there should be none."""
        return not self.documents


def rows_of(file: Path) -> Iterator[Row]:
    """Give the rows of ``file`` that have gold documents, or that documents alone cannot answer."""
    for line in file.read_text("utf-8").splitlines():
        raw = json.loads(line)
        gold: Mapping[str, Sequence[str]] = raw["gold"]
        if "docs" in gold or ("abstain" in gold and raw["tiers"] == ["rag"]):
            yield Row(
                id=raw["id"],
                question=question_of(raw),
                documents=gold.get("docs", ()),
                said=gold.get("contains", ()),
                unsaid=gold.get("not_contains", ()),
            )


def files_of(directory: Path) -> tuple[Path, ...]:
    """Return the files with questions to the documents of a data set: its suite, and ours."""
    own = sorted(_HERE.glob(f"documents_{directory.name}*.jsonl"))
    suite = directory / "questions.jsonl"
    return (*([suite] if suite.exists() else []), *own)

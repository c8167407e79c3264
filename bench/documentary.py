"""Questions that documents answer: those of the data sets' suites, and 132 of our own.

Ours stand in ``bench/questions/documents_*.jsonl``; they were written from the documents alone,
before any retrieval had seen them. The blind ones were run once all else was done, and nothing was
changed for them.
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


def rows_of(file: Path) -> Iterator[Row]:
    """Give the rows of ``file`` that have gold documents."""
    for line in file.read_text("utf-8").splitlines():
        raw = json.loads(line)
        gold: Mapping[str, Sequence[str]] = raw["gold"]
        if "docs" in gold:
            yield Row(
                id=raw["id"],
                question=question_of(raw),
                documents=gold["docs"],
                said=gold.get("contains", ()),
                unsaid=gold.get("not_contains", ()),
            )


def files_of(directory: Path) -> tuple[Path, ...]:
    """Return the files with questions to the documents of a data set: its suite, and ours."""
    own = sorted(_HERE.glob(f"documents_{directory.name}*.jsonl"))
    return (directory / "questions.jsonl", *own)

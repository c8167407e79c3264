"""What other ways of routing reach on the labelled rows, each domain tested without its own."""

import json
import statistics
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from bench.worlds import Learned

_APART: Final = Path(__file__).with_name("semantic_router_apart.py")


def baselines(found: Sequence[Learned]) -> Mapping[str, float]:
    """Return what plain text classifiers reach across domains, fitted on the labelled rows."""
    marks: dict[str, list[bool]] = defaultdict(list)
    for fitted, held in _splits(found):
        sets = sorted({r.example.tiers for r in fitted})
        target = [sets.index(r.example.tiers) for r in fitted]
        words = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True)
        a = words.fit_transform([r.row["query"] for r in fitted])
        b = words.transform([r.row["query"] for r in held])
        vectors = np.array([r.example.question.vector for r in fitted])
        others = np.array([r.example.question.vector for r in held])
        said = {
            "TF-IDF + linear SVM": LinearSVC().fit(a, target).predict(b),
            "MiniLM + LR": LogisticRegression(C=10, max_iter=200)
            .fit(vectors, target)
            .predict(others),
        }
        for name, routes in said.items():
            marks[name] += [r.example.accepts(sets[at]) for r, at in zip(held, routes, strict=True)]
    return {name: statistics.mean(own) for name, own in marks.items()}


def _splits(found: Sequence[Learned]) -> Iterator[tuple[list[Learned], list[Learned]]]:
    """Give, for each domain, the labelled rows of the others and its own."""
    rows = [item for item in found if item.row]
    for domain in sorted({item.example.group for item in rows}):
        yield (
            [r for r in rows if r.example.group != domain],
            [r for r in rows if r.example.group == domain],
        )


def semantic_router(found: Sequence[Learned], python: Path) -> str:
    """Return what the package ``semantic-router`` reaches, run by a Python that has it."""
    marks: list[bool] = []
    times: list[float] = []
    for fitted, held in _splits(found):
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder)
            (place / "rows.json").write_text(json.dumps([_told(fitted), _told(held)]))
            vectors = [np.array(r.example.question.vector) for r in (*fitted, *held)]
            np.save(place / "vectors.npy", np.stack(vectors).astype(np.float32))
            subprocess.run([python, _APART, place], check=True, capture_output=True)  # noqa: S603
            said = json.loads((place / "routes.json").read_text())
        names = ["+".join(r.example.tiers) for r in held]
        accepted = [
            {n, *("+".join(t) for t in r.example.also_ok)} for n, r in zip(names, held, strict=True)
        ]
        marks += [route in sets for route, sets in zip(said["routes"], accepted, strict=True)]
        times += said["ms"]
    return (
        f"{statistics.mean(marks):.3f}  (p50 {statistics.median(times):.2f} ms, encoding left out)"
    )


def _told(rows: Sequence[Learned]) -> list[tuple[str, str]]:
    return [(r.example.question.text, "+".join(r.example.tiers)) for r in rows]

"""Measures the router: ``python -m bench.routing``; ``--train`` trains and ships it.

Right is the label, or a set that a careful labeller would accept too. The bar: trained on one half
of the first three domains' rows and on our own domains, tested on the other half, and the other
way round. Across domains: trained without a domain, tested on it.
"""

import argparse
import asyncio
import json
import statistics
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

from router.features import features
from router.model import RouterModel, TierSet, by_tier
from router.registry import SHIPPED
from router.router import LearnedRouter, Read
from router.training import Example, tier_set, train
from trivium.app.settings import Settings
from trivium.domain.question import Question, TierName, Turn
from trivium.gateway.encoder import OnnxEncoder
from trivium.knowledge.dataset import read_dataset
from trivium.knowledge.lexicon import lexicon_of
from trivium.language.reading import QuestionReader

_ROWS: Final = Path("router/examples")
_ELSEWHERE: Final = {"aerospace": Path("examples/aerospace")}
"""Domains whose data stand in another place than their rows."""
_FIRST: Final = ("aerospace", "enterprise", "platform")

Row = Mapping[str, Any]  # JSON


@dataclass(frozen=True, slots=True)
class Labelled:
    """A row and its example, with what reads questions of its domain."""

    row: Row
    example: Example
    read: Read


async def load() -> list[Labelled]:
    """Read and encode every labelled row, each with its domain's names and schema."""
    settings = Settings()
    encoder = OnnxEncoder.open(settings.encoder_dir, precision=settings.encoder_precision)
    found = []
    for file in sorted(_ROWS.glob("*/*examples.jsonl")):
        domain = file.parent.name
        data = read_dataset(_ELSEWHERE.get(domain, file.parent))
        reader = QuestionReader(encoder, lexicon_of(data.changes))
        for line in file.read_text("utf-8").splitlines():
            row = json.loads(line)
            understood = await reader.encoded(question_of(row))
            example = Example(
                question=understood,
                tiers=tier_set(row["tiers"]),
                also_ok=tuple(tier_set(names) for names in row.get("also_ok", ())),
                group=domain,
            )
            found.append(Labelled(row, example, reader.read))
    return found


def question_of(row: Row) -> Question:
    """Return the question of a row."""
    turns = tuple(Turn(t["role"], t["content"]) for t in row.get("history") or ())
    return Question(text=row["query"], history=turns)


def predicted(model: RouterModel, rows: Iterable[Labelled]) -> list[dict[TierSet, float]]:
    """Return the probabilities of each row's tier sets."""
    return [model.set_probabilities(features(r.example.question)) for r in rows]


def share_right(rows: Sequence[Labelled], routes: Sequence[TierSet]) -> float:
    """Return the share of exact sets."""
    marks = [r.example.accepts(route) for r, route in zip(rows, routes, strict=True)]
    return sum(marks) / max(1, len(marks))


def routed(model: RouterModel, rows: Iterable[Labelled]) -> list[TierSet]:
    """Return where the router sends each row, as it serves."""
    return [LearnedRouter(model, r.read).route(r.example.question).tiers for r in rows]


def _fit(rows: Sequence[Labelled]) -> RouterModel:
    return train([r.example for r in rows], created_at="2026-01-01T00:00:00")


def halves(rows: Sequence[Labelled]) -> tuple[list[Labelled], list[Labelled]]:
    """Cut rows into two halves, every second row of each domain; fixed by their order."""
    by_domain: dict[str, list[Labelled]] = defaultdict(list)
    for row in rows:
        by_domain[row.example.group].append(row)
    first = [r for own in by_domain.values() for r in own[0::2]]
    second = [r for own in by_domain.values() for r in own[1::2]]
    return first, second


def _bar(rows: Sequence[Labelled]) -> None:
    labelled = [r for r in rows if r.example.group in _FIRST]
    ours = [r for r in rows if r.example.group not in _FIRST]
    a, b = halves(labelled)
    shares = []
    for fitted, held in ((a, b), (b, a)):
        model = _fit([*fitted, *ours])
        shares.append(share_right(held, routed(model, held)))
    print("held-out half of the first three domains, exact sets (bar: 0.75)")
    print(f"  trained on half A {shares[0]:.3f}, on half B {shares[1]:.3f}, mean "
          f"{statistics.mean(shares):.3f}")  # fmt: skip


def _across(rows: Sequence[Labelled]) -> None:
    """Print how the router does in domains that it was not trained on, beside two baselines."""
    domains = sorted({r.example.group for r in rows})
    ours: dict[str, float] = {}
    baselines: dict[str, list[float]] = defaultdict(list)
    tested: list[Labelled] = []
    went: list[TierSet] = []
    told: list[dict[TierSet, float]] = []
    for domain in domains:
        fitted = [r for r in rows if r.example.group != domain]
        held = [r for r in rows if r.example.group == domain]
        model = _fit(fitted)
        routes = routed(model, held)
        ours[domain] = share_right(held, routes)
        tested += held
        went += routes
        told += predicted(model, held)
        for name, routes in _baselines(fitted, held).items():
            baselines[name] += [
                r.example.accepts(route) for r, route in zip(held, routes, strict=True)
            ]
    print("\nacross domains (trained without the domain), exact sets")
    for domain, share in ours.items():
        print(f"  {domain:12s} {share:.3f}")
    print(f"  all          {share_right(tested, went):.3f}")
    for name, marks in baselines.items():
        print(f"  {name:12s} {sum(marks) / len(marks):.3f}   (baseline)")
    _detail(tested, went, told)


def _baselines(fitted: Sequence[Labelled], held: Sequence[Labelled]) -> dict[str, list[TierSet]]:
    """Return what plain text classifiers say: words, and the encoding."""
    sets = sorted({r.example.tiers for r in fitted})
    target = [sets.index(r.example.tiers) for r in fitted]
    words = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True)
    a = words.fit_transform([r.row["query"] for r in fitted])
    b = words.transform([r.row["query"] for r in held])
    by_words = LogisticRegression(C=10, max_iter=400).fit(a, target).predict(b)
    vectors = np.array([r.example.question.vector for r in fitted])
    others = np.array([r.example.question.vector for r in held])
    by_vectors = LogisticRegression(C=10, max_iter=400).fit(vectors, target).predict(others)
    return {
        "TF-IDF + LR": [sets[i] for i in by_words],
        "MiniLM + LR": [sets[i] for i in by_vectors],
    }


def _detail(
    rows: Sequence[Labelled],
    routes: Sequence[TierSet],
    told: Sequence[Mapping[TierSet, float]],
) -> None:
    print("\nper tier, across domains          precision  recall     F1   calibration error")
    for tier in TierName:
        want = np.array([tier in r.example.tiers for r in rows])
        got = np.array([tier in route for route in routes])
        p = np.array([by_tier(t)[tier] for t in told])
        precision = (want & got).sum() / max(1, got.sum())
        recall = (want & got).sum() / max(1, want.sum())
        f1 = 2 * precision * recall / max(1e-9, precision + recall)
        print(f"  {tier.value:32s}{precision:9.3f}{recall:8.3f}{f1:7.3f}{_ece(p, want):12.3f}")
    none = np.array([not r.example.tiers for r in rows])
    refused = np.array([not route for route in routes])
    print(f"  off topic refused {(none & refused).sum()} / {none.sum()}, "
          f"on topic refused {(~none & refused).sum()} / {(~none).sum()}")  # fmt: skip
    extra = [len(set(route) - set(r.example.tiers)) for r, route in zip(rows, routes, strict=True)]
    print(f"  extra tiers asked, a question: {statistics.mean(extra):.3f}")


def _ece(p: np.ndarray, want: np.ndarray, n_bins: int = 10) -> float:
    """Return the expected calibration error, over bins of equal width."""
    bins = np.minimum((p * n_bins).astype(int), n_bins - 1)
    total = 0.0
    for index in range(n_bins):
        inside = bins == index
        if inside.any():
            total += inside.mean() * abs(p[inside].mean() - want[inside].mean())
    return float(total)


def _time(rows: Sequence[Labelled]) -> None:
    model = RouterModel.load(SHIPPED)
    times = []
    for row in rows:
        router = LearnedRouter(model, row.read)
        started = time.perf_counter()
        router.route(row.example.question)
        times.append((time.perf_counter() - started) * 1000)
    print(f"\na decision, reading and encoding left out: p50 {statistics.median(times):.3f} ms")


def ship(rows: Sequence[Labelled]) -> RouterModel:
    """Train on all rows, write the shipped model and its card."""
    model = train([r.example for r in rows], created_at=datetime.now(UTC).isoformat())
    SHIPPED.parent.mkdir(exist_ok=True)
    model.save(SHIPPED)
    domains = ", ".join(sorted({r.example.group for r in rows}))
    text = f"""# The shipped router

Version `{model.version}`: a calibrated linear model over tier sets, on hashed features of a
question's build and on its encoding.

Trained by `make train` on {len(rows)} labelled rows of these domains: {domains}.
Rows: sha256 `{model.card["examples_sha256"]}`.

How well it does in domains that it does not know, and on a held-out half, is printed by
`python -m bench.routing`, which trains anew without them: the shipped model itself has seen every
row in the repository.
"""
    SHIPPED.with_suffix(".md").write_text(text)
    return model


def main() -> None:
    """Run the bench from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--train", action="store_true", help="train on all rows and ship")
    options = parser.parse_args()
    rows = asyncio.run(load())
    print(f"{len(rows)} labelled rows of {len({r.example.group for r in rows})} domains\n")
    if options.train:
        print(f"shipped {ship(rows).version}")
        return
    _bar(rows)
    _across(rows)
    _time(rows)


if __name__ == "__main__":
    main()

"""Measures how sure the reader is of its plans: ``python -m bench.confidence [--train] [--last]``.

What is mended tells nothing of questions to come. So the model learns from how sets were read
before anything was mended for them too (``first_sight.jsonl``, kept by ``--keep SET ...``), each
such row counting three times, and its thresholds are chosen on these.

A logistic model over the features of ``tiers.graphrag.reading.confidence``, fitted on the sets of
``bench.reading`` and three more, and tested on each domain by a model fitted without it. Prints the
area under the ROC curve, the calibration error, and what is answered against what of it is wrong;
draws the latter as a curve. ``--train`` writes the weights that ship, fitted on all domains;
``--last`` tests these on three domains that nothing was fitted or chosen on.
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

import tiers.graphrag.reading
from bench.drawing import write_svg
from bench.reading import answered
from bench.sets import BLIND, SETS
from tiers.graphrag.reading.confidence import LOST, SURE, WEIGHTS

TRAINED_ON: Final = (
    *SETS,
    *(
        s
        for s in BLIND
        if s.partition("=")[0] in {"aerospace blind 3", "aerospace blind 4", "skiresort"}
    ),
)
LAST: Final = tuple(s for s in BLIND if s not in TRAINED_ON)
_SHIPPED: Final = Path(tiers.graphrag.reading.__file__).with_name(WEIGHTS)
_DRAWN: Final = Path("docs/reading-risk.svg")
_THRESHOLDS: Final = (
    0.0,
    0.05,
    0.1,
    0.2,
    0.25,
    0.3,
    0.4,
    0.5,
    0.6,
    0.65,
    0.7,
    0.75,
    0.8,
    0.85,
    0.9,
    0.95,
)
_N_BINS: Final = 10
_FIRST: Final = Path(__file__).parent / "questions/first_sight.jsonl"
"""How sets were read when they were first run: id, whether right, features; none when refused."""
_TIMES: Final = 3
"""How often a row of first sight counts beside one of sets that were mended for."""
_C: Final = 0.3
"""Inverse strength of the penalty, on features of unit variance."""
_LEFT, _TOP, _WIDE, _HIGH = 50, 20, 420, 240
_MAX_RISK: Final = 0.24
"""Where the drawn axis ends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """What was answered, refusals of the reader left out, ``n`` questions."""

    names: tuple[str, ...]
    """Of the features."""
    features: np.ndarray
    """``(n, d)``"""
    right: np.ndarray
    """``(n,)`` of booleans."""
    groups: np.ndarray
    """``(n,)``: the directory of each question's data set."""
    n_asked: int
    """Questions, with those that the reader refused."""

    @classmethod
    def of(cls, sets: Sequence[str]) -> "Answers":
        """Read and compute all questions of some sets."""
        told, n_asked = [], 0
        for _, directory, outcomes in answered(sets):
            n_asked += len(outcomes)
            told += [(directory, o) for o in outcomes if o.features]
        names = tuple(told[0][1].features)
        return cls(
            names=names,
            features=np.array([[o.features[name] for name in names] for _, o in told]),
            right=np.array([o.read_right for _, o in told]),
            groups=np.array([directory for directory, _ in told]),
            n_asked=n_asked,
        )

    def with_first(self, first: "Answers", without: str = "") -> tuple[np.ndarray, np.ndarray]:
        """Return the features and truths to fit to: these, and those of first sight, repeated."""
        kept = first.groups != without
        features = [self.features, *[first.features[kept]] * _TIMES]
        return np.vstack(features), np.concatenate([self.right, *[first.right[kept]] * _TIMES])


def first_sight(names: Sequence[str]) -> Answers:
    """Return how sets were read when they were first run, with the features of ``names``."""
    rows = [json.loads(line) for line in _FIRST.read_text("utf-8").splitlines()]
    told = [row for row in rows if row["features"]]
    return Answers(
        names=tuple(names),
        features=np.array([[row["features"].get(n, 0.0) for n in names] for row in told]),
        right=np.array([row["right"] for row in told]),
        groups=np.array([row["set"] for row in told]),
        n_asked=len(rows),
    )


def keep(names: Sequence[str]) -> None:
    """Add how some sets of ``bench.sets`` are read now to the rows of first sight."""
    chosen = [s for s in BLIND if s.partition("=")[0] in names]
    with _FIRST.open("a", encoding="utf-8") as file:
        for name, _, outcomes in answered(chosen):
            for o in outcomes:
                told = {k: round(v, 4) for k, v in o.features.items()}
                row = {"set": name, "id": o.id, "right": o.read_right, "features": told}
                file.write(json.dumps(row, separators=(",", ":")) + "\n")
            print(f"kept {len(outcomes)} of {name}")


@dataclass(frozen=True, slots=True)
class Weights:
    """A logistic model over features as they are."""

    intercept: float
    each: np.ndarray
    """``(d,)``"""

    @classmethod
    def fitted(cls, features: np.ndarray, right: np.ndarray) -> "Weights":
        """Fit to ``(n, d)`` features and ``(n,)`` truths."""
        spread = features.std(axis=0)
        spread[spread == 0] = 1.0
        model = LogisticRegression(C=_C, max_iter=1000).fit(features / spread, right)
        return cls(float(model.intercept_[0]), model.coef_[0] / spread)

    def probabilities(self, features: np.ndarray) -> np.ndarray:
        """Return ``(n,)`` of how probable each plan is right."""
        found: np.ndarray = 1 / (1 + np.exp(-(self.intercept + features @ self.each)))
        return found

    def to_json(self, names: Sequence[str]) -> Mapping[str, object]:
        """Return the form that ships."""
        each = {name: round(float(w), 4) for name, w in zip(names, self.each, strict=True)}
        return {"intercept": round(self.intercept, 4), "weights": each}


def across(answers: Answers, first: Answers) -> np.ndarray:
    """Return ``(n,)`` probabilities of ``first``, each by a model fitted without its set."""
    found = np.zeros(len(first.right))
    for group in sorted(set(first.groups)):
        held = first.groups == group
        weights = Weights.fitted(*answers.with_first(first, without=group))
        found[held] = weights.probabilities(first.features[held])
    return found


def calibration_error(found: np.ndarray, right: np.ndarray, n_bins: int = _N_BINS) -> float:
    """Return the mean distance of what is said from what is so, over bins of equal size.

    >>> calibration_error(np.array([0.25] * 4), np.array([True, False, False, False]), 1)
    0.0
    """
    bins = np.array_split(np.argsort(found, kind="stable"), n_bins)
    gaps = [len(b) * abs(found[b].mean() - right[b].mean()) for b in bins if len(b)]
    return float(sum(gaps) / len(found))


def print_figures(name: str, answers: Answers, found: np.ndarray) -> None:
    """Print how well the probabilities part right from wrong, and what thresholds would do."""
    right = answers.right
    print(f"{name}: {answers.n_asked} questions, {len(right)} answered, {(~right).sum()} wrong")
    print(f"area under the ROC curve  {roc_auc_score(right, found):.3f}")
    print(f"calibration error         {calibration_error(found, right):.3f}")
    print("from   answered of all   wrong of these   wrong of all   right ones lost")
    for threshold in _THRESHOLDS:
        kept = found >= threshold
        n_wrong = (kept & ~right).sum()
        mark = {SURE: "  SURE", LOST: "  LOST"}.get(threshold, "")
        print(
            f"{threshold:.2f}   {kept.sum() / answers.n_asked:14.1%}   "
            f"{n_wrong / max(1, kept.sum()):14.1%}   {n_wrong / answers.n_asked:12.1%}   "
            f"{(~kept & right).sum():3d} = {(~kept & right).sum() / right.sum():.2%}{mark}"
        )


def draw(path: Path, answers: Answers, found: np.ndarray) -> None:
    """Draw which share of what is answered is wrong, against how much is answered."""
    order = np.argsort(-found, kind="stable")
    counts = np.arange(1, len(order) + 1)
    risks, covered = np.cumsum(~answers.right[order]) / counts, counts / answers.n_asked
    bottom = _TOP + _HIGH

    def place(cover: float, risk: float) -> tuple[float, float]:
        x = _LEFT + cover * _WIDE
        return round(x, 1), round(bottom - min(risk, _MAX_RISK) / _MAX_RISK * _HIGH, 1)

    every = slice(len(order) // 20, None, 5)  # the first few say nothing
    line = " ".join(f"{x},{y}" for x, y in map(place, covered[every], risks[every]))
    shapes = [f'<polyline points="{line}" fill="none" stroke="hsl(210,60%,40%)"/>']
    for share in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0):
        x, y = place(share, 0)
        shapes.append(f'<text x="{x}" y="{y + 12}" text-anchor="middle">{share:.0%}</text>')
    for risk in (0.0, 0.05, 0.1, 0.2):
        x, y = place(0, risk)
        shapes.append(f'<path d="M{x} {y}h{_WIDE}" stroke="#ddd"/>')
        shapes.append(f'<text x="{x - 4}" y="{y + 3}" text-anchor="end">{risk:.0%}</text>')
    for threshold in (SURE, LOST):
        n = int((found >= threshold).sum())
        x, y = place(n / answers.n_asked, risks[n - 1])
        shapes.append(f'<circle cx="{x}" cy="{y}" r="3"/>')
        shapes.append(f'<text x="{x - 6}" y="{y - 6}" text-anchor="end">from {threshold:g}</text>')
    shapes.append(
        f'<text x="{_LEFT}" y="12">wrong among the answered, by how much is answered</text>'
    )
    write_svg(path, shapes, width=_LEFT + _WIDE + 30, height=bottom + 24)


def main() -> None:
    """Run the bench from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--train", action="store_true", help="write the weights that ship")
    parser.add_argument("--last", action="store_true", help="test them on the last domains")
    parser.add_argument("--keep", nargs="+", metavar="SET", help="add sets to those of first sight")
    options = parser.parse_args()
    if options.keep:
        keep(options.keep)
        return
    if options.last:
        shipped = json.loads(_SHIPPED.read_text("utf-8"))
        last = Answers.of(LAST)
        each = np.array([shipped["weights"][name] for name in last.names])
        found = Weights(shipped["intercept"], each).probabilities(last.features)
        print_figures("the last domains, by the weights that ship", last, found)
        return
    answers = Answers.of(TRAINED_ON)
    first = first_sight(answers.names)
    found = across(answers, first)
    print_figures("each set at first sight, by a model fitted without it", first, found)
    draw(_DRAWN, first, found)
    if options.train:
        weights = Weights.fitted(*answers.with_first(first)).to_json(answers.names)
        _SHIPPED.write_text(json.dumps(weights, indent=1) + "\n", "utf-8")
        print(f"wrote {_SHIPPED}")


if __name__ == "__main__":
    main()

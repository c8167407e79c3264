"""Trains the router on labelled and made questions."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar
from scipy.sparse import csr_matrix

from router import regression
from router.features import N_SLOTS, Features, features
from router.model import (
    SLOT_SCALE,
    VECTOR_SCALE,
    Floats,
    Join,
    RouterModel,
    TierSet,
    Weights,
    by_tier,
    cooled,
    joined,
    named,
)
from router.parts import clauses
from trivium.domain.errors import DataError
from trivium.domain.question import TierName, Understood

_STRENGTH: Final = 3.0
"""Inverse of the regularisation; 1 lost half a point across domains, 10 no better."""
_JOIN_STRENGTH: Final = 0.3
"""The same for the join, which has some two thousand rows to learn from; 3 lost 0.7 points."""
_MADE_WEIGHT: Final = 0.25
"""Of a made question beside a labelled one; a half lost five of 1,042 routes in suites."""
_FOLDS: Final = 4
_MIN_ROWS: Final = 50
_MIN_COUNT: Final = 3
"""A slot in fewer rows is left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A labelled question: the tiers that it needs, and other sets that are right too."""

    question: Understood
    tiers: TierSet
    also_ok: tuple[TierSet, ...] = ()
    group: str = ""
    """Its domain: calibration never sees a domain that it was fitted on."""
    is_made: bool = False
    """Whether it was made from a schema; such a question is fitted on, and never tested on."""
    parts: tuple[tuple[Understood, TierName], ...] = ()
    """Its clauses with the tier that each needs, where that is known."""

    def accepts(self, tiers: TierSet) -> bool:
        """Whether a route is right."""
        return tiers == self.tiers or tiers in self.also_ok


def train(examples: Sequence[Example], *, created_at: str) -> RouterModel:
    """Return a calibrated model; the same examples give the same model.

    Raises:
        DataError: there are too few examples, or all have one label.
    """
    course = Course(examples)
    found, target = course.out_of_domain(_FOLDS)
    join = fit_join(found, target, len(course.sets))
    told = [named(course.sets, join.probabilities(row)) for row in found]
    whole, clause = course.fitted(np.arange(len(examples)))
    digest = _digest(examples)
    return RouterModel(
        version=f"{created_at[:10]}-{digest[:8]}",
        sets=course.sets,
        whole=whole,
        clause=clause,
        join=join,
        temperatures=temperatures([by_tier(t) for t in told], [course.sets[at] for at in target]),
        card={
            "created_at": created_at,
            "n_examples": len(examples),
            "n_made": sum(example.is_made for example in examples),
            "domains": sorted({example.group for example in examples}),
            "examples_sha256": digest,
        },
    )


class Course:
    """Examples as numbers, from which models are fitted with and without some domains."""

    def __init__(self, examples: Sequence[Example]) -> None:
        labels = [example.tiers for example in examples]
        self.sets = tuple(sorted(set(labels), key=lambda tiers: (len(tiers), tiers)))
        if len(examples) < _MIN_ROWS or len(self.sets) < 2:
            raise DataError(
                f"{len(examples)} examples of {len(self.sets)} labels are too few to train on"
            )
        self._whole = [features(example.question) for example in examples]
        self._clauses = [
            [] if e.is_made else [features(clause) for clause in clauses(e.question)]
            for e in examples
        ]
        self.target = np.array([self.sets.index(label) for label in labels])
        self.groups = np.array([example.group for example in examples])
        self.labelled = np.flatnonzero([not example.is_made for example in examples])
        self._weight = np.array([_MADE_WEIGHT if e.is_made else 1.0 for e in examples], np.float32)
        self._parts = _parts(examples, self.sets)

    def fitted(self, index: NDArray[np.int64]) -> tuple[Weights, Weights]:
        """Fit on some examples: the model of whole questions, and the one of clauses."""
        found = [self._whole[at] for at in index]
        n_sets, target, weight = len(self.sets), self.target[index], self._weight[index]
        whole = _fit(found, target, weight, n_sets, with_vector=all(f.vector.size for f in found))
        inside = set(map(int, index))
        parts = [part for part in self._parts if part[0] in inside]
        clause = _fit(
            [*found, *(features_ for _, features_, _ in parts)],
            np.concatenate([target, np.array([at for _, _, at in parts], dtype=target.dtype)]),
            np.concatenate([weight, np.full(len(parts), _MADE_WEIGHT, np.float32)]),
            n_sets,
            with_vector=False,
        )
        return whole, clause

    def signs(self, at: int, whole: Weights, clause: Weights) -> Floats:
        """Return what the two models show of an example."""
        found = self._whole[at]
        weights = whole if found.vector.size else clause
        parts = [clause.probabilities(part) for part in self._clauses[at]]
        return joined(self.sets, weights.probabilities(found), parts)

    def out_of_domain(self, n_folds: int) -> tuple[Floats, NDArray[np.int64]]:
        """Return the signs of the labelled examples, by models without their domain; and labels.

        With one domain alone, the models are those fitted on all.
        """
        domains = sorted(set(self.groups[self.labelled]))
        folds = [domains[n::n_folds] for n in range(min(n_folds, len(domains)))]
        rows: dict[int, Floats] = {}
        for fold in folds:
            held = np.isin(self.groups, fold)
            kept = np.flatnonzero(~held) if len(folds) > 1 else np.arange(len(held))
            whole, clause = self.fitted(kept)
            for at in self.labelled[held[self.labelled]]:
                rows[int(at)] = self.signs(int(at), whole, clause)
        return np.stack([rows[int(at)] for at in self.labelled]), self.target[self.labelled]


def _parts(examples: Sequence[Example], sets: Sequence[TierSet]) -> list[tuple[int, Features, int]]:
    """Return the clauses whose tier is known: whose they are, their features, their label."""
    return [
        (at, features(clause), sets.index((tier,)))
        for at, example in enumerate(examples)
        for clause, tier in example.parts
        if (tier,) in sets
    ]


def _fit(
    found: Sequence[Features],
    target: NDArray[np.int64],
    weight: Floats,
    n_sets: int,
    *,
    with_vector: bool,
) -> Weights:
    counts = np.zeros(N_SLOTS, dtype=np.int64)
    for item in found:
        counts[item.slots] += 1
    kept = np.flatnonzero(counts >= _MIN_COUNT)
    model = regression.fit(
        rows_of(found, kept, with_vector=with_vector), target, n_sets, weight, _STRENGTH
    )
    slots = np.zeros((N_SLOTS, n_sets), dtype=np.float32)
    slots[kept] = model.sparse
    return Weights(slots, model.dense, model.bias)


def rows_of(
    found: Sequence[Features], kept: NDArray[np.int64], *, with_vector: bool
) -> regression.Rows:
    """Return features as rows of the slots that are ``kept``, in their order."""
    column = np.full(N_SLOTS, -1, dtype=np.int64)
    column[kept] = np.arange(kept.size)
    own = [column[item.slots] for item in found]
    values = [
        np.full((cols >= 0).sum(), SLOT_SCALE / np.sqrt(max(1, cols.size)), np.float32)
        for cols in own
    ]
    ends = np.cumsum([0, *(len(row) for row in values)])
    columns = np.concatenate([column[:0], *(cols[cols >= 0] for cols in own)])
    filled = np.concatenate([np.zeros(0, np.float32), *values])
    sparse = csr_matrix((filled, columns, ends), shape=(len(found), kept.size))
    dense = np.zeros((len(found), 0), dtype=np.float32)
    if with_vector:
        dense = np.stack([VECTOR_SCALE * item.vector for item in found]).astype(np.float32)
    return regression.Rows(sparse, dense)


def fit_of(weights: Weights, *, with_vector: bool) -> regression.Fit:
    """Return the weights of a model as a fit that scores rows of all slots."""
    vector = weights.vector if with_vector else weights.vector[:0]
    return regression.Fit(weights.slots, vector, weights.bias)


def fit_join(found: Floats, target: NDArray[np.int64], n_sets: int) -> Join:
    """Fit what joins the whole question and its clauses; signs are brought to one scale first."""
    scale = np.maximum(found.std(axis=0), 1e-3)
    nothing = csr_matrix((len(found), 0), dtype=np.float32)
    rows = regression.Rows(nothing, (found / scale).astype(np.float32))
    weight = np.ones(len(found), dtype=np.float32)
    model = regression.fit(rows, target, n_sets, weight, _JOIN_STRENGTH)
    return Join((model.dense / scale[:, None]).astype(np.float32), model.bias)


def temperatures(
    told: Sequence[dict[TierName, float]], labels: Sequence[TierSet]
) -> tuple[float, ...]:
    """Return the temperature of each tier under which its probabilities mean what they say."""
    return tuple(
        _temperature([t[tier] for t in told], [tier in tiers for tiers in labels])
        for tier in TierName
    )


def _temperature(told: Sequence[float], is_needed: Sequence[bool]) -> float:
    def loss(log_temperature: float) -> float:
        warm = float(np.exp(log_temperature))
        p = np.array([cooled(value, warm) for value in told])
        return float(-np.log(np.where(is_needed, p, 1 - p)).mean())

    return float(np.exp(minimize_scalar(loss, bounds=(-0.7, 0.7), method="bounded").x))


def _digest(examples: Iterable[Example]) -> str:
    digest = hashlib.sha256()
    for example in examples:
        label = "+".join(tier.value for tier in example.tiers)
        digest.update(f"{example.group}\0{example.question.text}\0{label}\n".encode())
    return digest.hexdigest()

"""The router's model: probabilities of tier sets, scored in numpy from one file without pickle."""

import io
import json
import zipfile
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from router.features import N_SLOTS, Features
from trivium.domain.errors import DataError
from trivium.domain.question import TierName

TierSet: TypeAlias = tuple[TierName, ...]
Json: TypeAlias = Mapping[str, Any]  # Any: JSON
Floats: TypeAlias = NDArray[np.float32]

_FORMAT: Final = 3
_TIERS: Final = tuple(TierName)
_LEAST: Final = 1e-4
"""Below this, probabilities are taken as equal."""

SLOT_SCALE: Final = 3.0
"""Weight of the hashed features beside the encoding; measured across domains: 2 and 4 are alike."""
VECTOR_SCALE: Final = 2.0
"""Weight of the encoding; 4 lost 2.1 points across domains, where topics are new."""


@dataclass(frozen=True, slots=True)
class Weights:
    """One linear model over tier sets.

    Attributes:
        slots: (slots, sets), of hashed features; a question's are divided by the root of their
            number.
        vector: (dimension, sets), of the encoding; may be empty.
        bias: (sets,).
    """

    slots: Floats
    vector: Floats
    bias: Floats

    def probabilities(self, features: Features) -> Floats:
        """Return the probability of each tier set, in the order of the model's sets."""
        scores = self.bias
        if features.slots.size:
            scale = SLOT_SCALE / np.sqrt(features.slots.size)
            scores = scores + scale * self.slots[features.slots].sum(axis=0)
        if features.vector.size and self.vector.size:
            scores = scores + VECTOR_SCALE * (features.vector @ self.vector)
        return _softmax(scores)


@dataclass(frozen=True, slots=True)
class Join:
    """How the whole question and its clauses speak together; see ``signs``."""

    weights: Floats
    bias: Floats

    def probabilities(self, found: Floats) -> Floats:
        """Return the probability of each tier set from the signs of a question."""
        return _softmax(found @ self.weights + self.bias)


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What the model says of a question.

    Attributes:
        sets: the probability of each tier set.
        tiers: the calibrated probability that each tier is needed.
        clauses: for each clause of the question, the probability of each tier set.
    """

    sets: Mapping[TierSet, float]
    tiers: Mapping[TierName, float]
    clauses: Sequence[Mapping[TierSet, float]] = ()

    @classmethod
    def of(
        cls,
        sets: Mapping[TierSet, float],
        temperatures: Sequence[float],
        clauses: Sequence[Mapping[TierSet, float]] = (),
    ) -> "Judgement":
        """Return it from the sets' probabilities and the tiers' temperatures, in their order."""
        told = zip(by_tier(sets).items(), temperatures, strict=True)
        tiers = {tier: cooled(p, temperature) for (tier, p), temperature in told}
        return cls(sets=sets, tiers=tiers, clauses=clauses)


@dataclass(frozen=True, slots=True, kw_only=True)
class RouterModel:
    """A trained router.

    Attributes:
        version: names it; made of the time and of what it was trained on.
        sets: the tier sets that it tells apart.
        whole: scores a whole question, with its encoding.
        clause: scores a part of one, or a question that has no encoding.
        join: puts the two together; fitted on domains that neither was fitted on.
        temperatures: what the log-odds of each tier are divided by, in the tiers' order.
        card: what it was trained on, and how well it does.
    """

    version: str
    sets: tuple[TierSet, ...]
    whole: Weights
    clause: Weights
    join: Join
    temperatures: tuple[float, ...]
    card: Mapping[str, object]

    def judge(self, features: Features, clauses: Sequence[Features] = ()) -> Judgement:
        """Return what the model says of a question and of its clauses."""
        weights = self.whole if features.vector.size else self.clause
        parts = [self.clause.probabilities(part) for part in clauses]
        found = joined(self.sets, weights.probabilities(features), parts)
        return Judgement.of(
            named(self.sets, self.join.probabilities(found)),
            self.temperatures,
            [named(self.sets, part) for part in parts],
        )

    def leaning(self, features: Features, tier: TierName) -> list[tuple[float, str]]:
        """Return how much each feature speaks for a tier (below zero: against it), most first."""
        has = np.array([tier in tiers for tiers in self.sets])
        rows = self.whole.slots[features.slots]
        pull = rows[:, has].mean(axis=1) - rows[:, ~has].mean(axis=1)
        order = np.argsort(-pull, kind="stable")
        return [(float(pull[at]), features.texts[at]) for at in order]

    def save(self, path: Path) -> None:
        """Write the model to one file, atomically."""
        header = {
            "format": _FORMAT,
            "version": self.version,
            "sets": [[tier.value for tier in tiers] for tiers in self.sets],
            "temperatures": list(self.temperatures),
            "card": dict(self.card),
        }
        arrays: dict[str, NDArray[np.generic]] = {
            "header": np.frombuffer(json.dumps(header, sort_keys=True).encode(), dtype=np.uint8),
            "whole_vector": self.whole.vector.astype(np.float16),
            "whole_bias": self.whole.bias,
            "clause_bias": self.clause.bias,
            "join_weights": self.join.weights,
            "join_bias": self.join.bias,
        }
        for name, weights in (("whole", self.whole), ("clause", self.clause)):
            step = np.maximum(np.abs(weights.slots).max(axis=0), 1e-6) / 127
            arrays[f"{name}_slots"] = np.rint(weights.slots / step).astype(np.int8)
            arrays[f"{name}_step"] = step.astype(np.float32)
        buffer = io.BytesIO()
        np.savez_compressed(buffer, allow_pickle=False, **arrays)
        fresh = path.with_suffix(".new")
        fresh.write_bytes(buffer.getvalue())
        fresh.replace(path)

    @classmethod
    def load(cls, path: Path) -> "RouterModel":
        """Read a model.

        Raises:
            DataError: the file is missing, damaged, or of another format.
        """
        try:
            with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as file:
                arrays = {name: file[name] for name in file.files}
            header = json.loads(arrays["header"].tobytes())
            if header["format"] != _FORMAT:
                raise DataError(
                    f"{path.name} has format {header['format']}, not {_FORMAT}"
                )  # told as the others
            return cls._from(header, arrays)
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
            raise DataError(f"the router model {path} cannot be read: {error}") from error

    @classmethod
    def _from(cls, header: Json, arrays: Mapping[str, NDArray[np.float32]]) -> "RouterModel":
        sets = tuple(tuple(TierName(name) for name in names) for names in header["sets"])
        slots = {
            name: arrays[f"{name}_slots"].astype(np.float32) * arrays[f"{name}_step"]
            for name in ("whole", "clause")
        }
        shape = (N_SLOTS, len(sets))
        if any(own.shape != shape or not np.isfinite(own).all() for own in slots.values()):
            raise DataError("the router model is damaged: its weights have the wrong shape")
        vector = arrays["whole_vector"].astype(np.float32)
        return cls(
            version=str(header["version"]),
            sets=sets,
            whole=Weights(slots["whole"], vector, arrays["whole_bias"]),
            clause=Weights(slots["clause"], vector[:0], arrays["clause_bias"]),
            join=Join(arrays["join_weights"], arrays["join_bias"]),
            temperatures=tuple(header["temperatures"]),
            card=dict(header["card"]),
        )


def signs(
    sets: Sequence[TierSet], whole: Floats, clauses: Floats, ends: NDArray[np.int64]
) -> Floats:
    """Return what routes are chosen by: a row of numbers for each question.

    The log-probabilities of the sets by the whole question; then, where it has several clauses, for
    each tier the log-odds and the probability in the clause that wants it most, and its share in
    all clauses; the log-probabilities of the sets by all clauses on average, and by the last one;
    then how many clauses there are, and whether there is but one.

    Args:
        sets: the tier sets that are told apart.
        whole: their probabilities by whole questions, (questions, sets).
        clauses: their probabilities by clauses, those of a question together, (clauses, sets).
        ends: where the clauses of each question begin, and where all end, (questions + 1,).
    """
    has = _has(tuple(sets))
    n_clauses = np.diff(ends)[:, None]
    found = np.zeros((len(whole), 3 * len(_TIERS) + 2 * len(sets)), dtype=np.float32)
    cut = np.flatnonzero(n_clauses)
    if cut.size:
        starts, n = ends[cut], n_clauses[cut].astype(np.float32)
        wants = clauses @ has
        most = np.maximum.reduceat(wants, starts)
        odds = np.log((most + _LEAST) / (1 - most + _LEAST))
        share = np.add.reduceat(wants, starts) / n
        mean = (np.add.reduceat(clauses, starts) / n).astype(np.float32)
        last = clauses[ends[cut + 1] - 1]
        found[cut] = np.hstack([odds, most, share, _logs(mean), _logs(last)])
    count = np.hstack([np.minimum(n_clauses, 5) / 5, n_clauses == 0])
    result: Floats = np.hstack([_logs(whole), found, count]).astype(np.float32)
    return result


@lru_cache(maxsize=8)
def _has(sets: tuple[TierSet, ...]) -> Floats:
    """Return which tiers (columns) are in which sets (rows): 1 or 0."""
    return np.array([[tier in tiers for tier in _TIERS] for tiers in sets], dtype=np.float32)


def joined(sets: Sequence[TierSet], whole: Floats, clauses: Sequence[Floats]) -> Floats:
    """Return the ``signs`` of one question."""
    rows = np.stack(clauses) if clauses else np.zeros((0, len(sets)), dtype=np.float32)
    row: Floats = signs(sets, whole[None], rows, np.array([0, len(rows)]))[0]
    return row


def _logs(probabilities: Floats) -> Floats:
    """Return log-probabilities, each row about zero."""
    logs = np.log(probabilities + _LEAST)
    centred: Floats = logs - logs.mean(axis=1, keepdims=True)
    return centred


def tier_set(names: Collection[str]) -> TierSet:
    """Return named tiers as a set of tiers, in their order; other names are left out."""
    return tuple(tier for tier in TierName if tier in names)


def named(sets: Sequence[TierSet], probabilities: Floats) -> dict[TierSet, float]:
    """Return the probabilities of tier sets by the sets that they are of."""
    return dict(zip(sets, map(float, probabilities), strict=True))


def by_tier(sets: Mapping[TierSet, float]) -> dict[TierName, float]:
    """Return the probability that each tier is needed: that of the sets which hold it."""
    return {tier: sum(p for tiers, p in sets.items() if tier in tiers) for tier in _TIERS}


def cooled(probability: float, temperature: float) -> float:
    """Return a probability with its log-odds divided by a temperature.

    >>> round(cooled(0.9, 2.0), 3), cooled(0.5, 2.0)
    (0.75, 0.5)
    """
    sure = min(max(probability, _LEAST), 1 - _LEAST)
    return float(1 / (1 + (sure / (1 - sure)) ** (-1 / temperature)))


def _softmax(scores: Floats) -> Floats:
    grown = np.exp(scores - scores.max())
    result: Floats = grown / grown.sum()
    return result

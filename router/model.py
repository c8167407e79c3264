"""The router's model: probabilities of tier sets, scored in numpy from one file without pickle."""

import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from router.features import N_SLOTS, Features
from trivium.domain.errors import DataError
from trivium.domain.question import TierName

TierSet = tuple[TierName, ...]
Json = Mapping[str, Any]  # Any: JSON

_FORMAT: Final = 1
_TIERS: Final = tuple(TierName)


@dataclass(frozen=True, slots=True)
class Weights:
    """One linear model over tier sets.

    Attributes:
        slots: (slots, sets), of hashed features; a question's are divided by the root of their
            number.
        vector: (dimension, sets), of the encoding.
        bias: (sets,).
        temperature: what scores are divided by, so that probabilities mean what they say.
    """

    slots: NDArray[np.float32]
    vector: NDArray[np.float32]
    bias: NDArray[np.float32]
    temperature: float

    def probabilities(self, features: Features) -> NDArray[np.float64]:
        """Return the probability of each tier set, in the order of the model's sets."""
        scores = self.bias.astype(np.float64)
        if features.slots.size:
            scale = SLOT_SCALE / np.sqrt(features.slots.size)
            scores = scores + scale * self.slots[features.slots].sum(axis=0)
        if features.vector.size and self.vector.size:
            scores = scores + VECTOR_SCALE * (features.vector @ self.vector)
        scaled = (scores - scores.max()) / self.temperature
        grown = np.exp(scaled)
        result: NDArray[np.float64] = grown / grown.sum()
        return result


SLOT_SCALE: Final = 3.0
"""Weight of the hashed features beside the encoding; measured across domains: 2 and 4 are alike."""
VECTOR_SCALE: Final = 2.0
"""Weight of the encoding; 4 lost 2.7 points across domains, where topics are new."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RouterModel:
    """A trained router.

    Attributes:
        version: names it; made of the time and of what it was trained on.
        sets: the tier sets that it tells apart.
        whole: scores a whole question, with its encoding.
        clause: scores a part of one, without an encoding.
        card: what it was trained on, and how well it does.
    """

    version: str
    sets: tuple[TierSet, ...]
    whole: Weights
    clause: Weights
    card: Mapping[str, object]

    def set_probabilities(self, features: Features) -> dict[TierSet, float]:
        """Return the probability of each tier set."""
        weights = self.whole if features.vector.size else self.clause
        return dict(zip(self.sets, map(float, weights.probabilities(features)), strict=True))

    def save(self, path: Path) -> None:
        """Write the model to one file, atomically."""
        header = {
            "format": _FORMAT,
            "version": self.version,
            "sets": [[tier.value for tier in tiers] for tiers in self.sets],
            "temperatures": [self.whole.temperature, self.clause.temperature],
            "card": dict(self.card),
        }
        arrays: dict[str, NDArray[np.generic]] = {
            "header": np.frombuffer(json.dumps(header, sort_keys=True).encode(), dtype=np.uint8),
            "whole_slots": self.whole.slots.astype(np.float16),
            "whole_vector": self.whole.vector.astype(np.float16),
            "whole_bias": self.whole.bias,
            "clause_slots": self.clause.slots.astype(np.float16),
            "clause_bias": self.clause.bias,
        }
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
        slots = arrays["whole_slots"].astype(np.float32)
        if slots.shape != (N_SLOTS, len(sets)) or not np.isfinite(slots).all():
            raise DataError("the router model is damaged: its weights have the wrong shape")
        vector = arrays["whole_vector"].astype(np.float32)
        clause_slots = arrays["clause_slots"].astype(np.float32)
        nothing = np.zeros((0, len(sets)), dtype=np.float32)
        first, second = header["temperatures"]
        return cls(
            version=str(header["version"]),
            sets=sets,
            whole=Weights(slots, vector, arrays["whole_bias"], first),
            clause=Weights(clause_slots, nothing, arrays["clause_bias"], second),
            card=dict(header["card"]),
        )


def by_tier(sets: Mapping[TierSet, float]) -> dict[TierName, float]:
    """Return the probability that each tier is needed: that of the sets which hold it."""
    return {tier: sum(p for tiers, p in sets.items() if tier in tiers) for tier in _TIERS}

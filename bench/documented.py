"""Fits how much documents' words weigh in a route: ``python -m bench.documented``.

Over the data sets that have documents and a suite: without the words, with the weights of
``router/documented.py``, with weights fitted on the other sets alone; then those fitted on all.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from bench.sets import WEIGHED
from router.documented import reweighed, signs, weighed
from router.model import Judgement, RouterModel, TierSet, by_tier, tier_set
from router.policy import Policy
from router.registry import SHIPPED
from router.seen import Seen
from trivium.app.loading import SUITE
from trivium.app.settings import Settings
from trivium.app.suite import question_of, read_suite
from trivium.domain.question import Documented, TierName
from trivium.gateway.encoder import OnnxEncoder
from trivium.knowledge.dataset import read_dataset
from trivium.knowledge.lexicon import lexicon_of
from trivium.language.reading import QuestionReader

_Weigh: TypeAlias = Callable[[Judgement, Documented], Judgement]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of a suite: what the model says of it, its documents' words, and its label."""

    place: Path
    judged: Judgement
    found: Documented
    label: TierSet

    @property
    def signs(self) -> tuple[float, float, float, float]:
        """What speaks for documents."""
        return signs(by_tier(self.judged.sets)[TierName.RAG], self.found)

    def is_right(self, weigh: _Weigh) -> bool:
        """Whether the route is right when the documents' words are weighed so."""
        return Policy().decide(weigh(self.judged, self.found))[0] == self.label


async def asked() -> list[Asked]:
    """Read and judge every question of the sets."""
    settings = Settings()
    encoder = OnnxEncoder.open(settings.encoder_dir, precision=settings.encoder_precision)
    model = RouterModel.load(SHIPPED)
    found = []
    for place in WEIGHED:
        reader = QuestionReader(
            encoder, lexicon_of(read_dataset(place).changes), lambda: datetime.now(UTC)
        )
        for row in await read_suite(place / SUITE):
            read = await reader.encoded(question_of(row))
            assert read.documented is not None
            judged = Seen.of(read).judged(model)
            found.append(Asked(place, judged, read.documented, tier_set(row["tiers"])))
    return found


def fitted(found: Sequence[Asked]) -> LogisticRegression:
    """Fit whether documents are needed by what speaks for them."""
    rows = np.array([item.signs for item in found])
    return LogisticRegression(C=3).fit(rows, [TierName.RAG in item.label for item in found])


def weighing(model: LogisticRegression) -> _Weigh:
    """Return how a fitted model weighs."""

    def weigh(judged: Judgement, found: Documented) -> Judgement:
        rag = by_tier(judged.sets)[TierName.RAG]
        row: NDArray[np.float64] = np.array([signs(rag, found)])
        sets = reweighed(judged.sets, float(model.predict_proba(row)[0, 1]))
        return Judgement(sets=sets, tiers=by_tier(sets))

    return weigh


def report(found: Sequence[Asked]) -> Iterator[str]:
    """Give the exact sets by data set, line by line, and the weights fitted on all."""
    yield f"{'exact sets':24s}{'without':>10s}{'shipped':>10s}{'left out':>10s}"
    totals: Mapping[str, list[bool]] = {"without": [], "shipped": [], "left out": []}
    for place in WEIGHED:
        own = [item for item in found if item.place == place]
        elsewhere = weighing(fitted([item for item in found if item.place != place]))
        ways: Mapping[str, _Weigh] = {
            "without": lambda judged, _: judged,
            "shipped": weighed,
            "left out": elsewhere,
        }
        marks = {name: [item.is_right(way) for item in own] for name, way in ways.items()}
        for name, right in marks.items():
            totals[name].extend(right)
        shown = "".join(f"{sum(right):>10d}" for right in marks.values())
        yield f"{place.name:24s}{shown}  of {len(own)}"
    shown = "".join(f"{sum(right):>10d}" for right in totals.values())
    yield f"{'all':24s}{shown}  of {len(found)}"
    model = fitted(found)
    trust, known, nowhere, duty = model.coef_[0]
    yield (
        f"fitted on all: trust {trust:.2f}, known {known:.2f}, nowhere {nowhere:.2f}, "
        f"duty {duty:.2f}, "
        f"bias {model.intercept_[0]:.2f}"
    )


if __name__ == "__main__":
    for told in report(asyncio.run(asked())):
        print(told)

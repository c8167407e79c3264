"""A question as the router's model sees it."""

from collections.abc import Sequence
from dataclasses import dataclass

from router.features import Features, features
from router.model import Judgement, RouterModel
from router.parts import clauses
from trivium.domain.question import Understood


@dataclass(frozen=True, slots=True)
class Seen:
    """The features of a question, and those of its clauses."""

    whole: Features
    clauses: Sequence[Features]

    @classmethod
    def of(cls, question: Understood) -> "Seen":
        """Return what a model sees of a question."""
        return cls(features(question), [features(clause) for clause in clauses(question)])

    def judged(self, model: RouterModel) -> Judgement:
        """Return what a model says of it."""
        return model.judge(self.whole, self.clauses)

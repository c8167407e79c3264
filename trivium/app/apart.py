"""What answers tenants that have no knowledge in a home: the same pipeline, over nothing."""

from dataclasses import dataclass, replace

from trivium.domain.deadline import Deadline
from trivium.domain.evidence import TierResult, TierStatus
from trivium.domain.ports import Encoder, Router, Tier
from trivium.domain.question import TierName, Understood
from trivium.language.reading import Lexicon, QuestionReader
from trivium.pipeline import Pipeline


@dataclass(frozen=True, slots=True)
class EmptyTier:
    """A ``Tier`` that knows nothing."""

    name: TierName

    async def retrieve(self, question: Understood, deadline: Deadline) -> TierResult:
        """Miss."""
        del question, deadline
        return TierResult(tier=self.name, status=TierStatus.MISS)


def apart(pipeline: Pipeline, encoder: Encoder, router: Router) -> Pipeline:
    """Return a pipeline that sees nothing of what another knows: no name, fact or relation."""
    tiers: dict[TierName, Tier] = {name: EmptyTier(name) for name in TierName}
    reader = QuestionReader(encoder, Lexicon.empty())
    return replace(pipeline, reader=reader, router=router, tiers=tiers)

"""Decides what becomes of an answer by how sure its plan is: the score is kept apart from this."""

from dataclasses import replace

from tiers.graphrag.reading.confidence import LOST, SURE, Read, confidence, left_out
from trivium.domain.evidence import Reason, TierResult, TierStatus


def judged(found: TierResult, read: Read) -> TierResult:
    """Return an answer as it is, or with how it was read, or ask back in its place.

    Its trace says how probable it is that the plan is right, and whether that is sure enough.
    """
    probability = confidence(read)
    is_sure = probability >= SURE
    trace = {**found.trace, "confidence": round(probability, 2), "is_sure": is_sure}
    if probability >= LOST:
        return replace(found, read_as=None if is_sure else read.plan.understood, trace=trace)
    why = _doubt(read)
    return TierResult(
        tier=found.tier,
        status=TierStatus.MISS,
        reason=Reason.NOT_IN_SCHEMA,
        why=why,
        trace={**trace, "refused": why},
    )


def _doubt(read: Read) -> str:
    """Say how a question was read and what that leaves out, to one who is asked back."""
    left = ", ".join(f"“{words}”" for words in left_out(read))
    said = f"I am not sure what is asked. I read it as: {read.plan.understood}."
    return f"{said} That leaves out {left}." if left else said

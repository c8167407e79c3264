"""What admins do with reports: claim, confirm, correct, dismiss, undo; checked one by one."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, TypeAlias, assert_never

from feedback.diagnosis import Tiers, named
from feedback.ratings import Thumb
from feedback.reports import Report, ReportState, Verdict
from feedback.tables import tiers_text
from trivium.domain.errors import ConflictError
from trivium.gateway.sql import storable

CLAIM_S: Final = 900.0
"""How long a claim holds that does not say."""

Row: TypeAlias = Mapping[str, str | None]

_UNDECIDED: Final[Row] = dict.fromkeys(("label", "note", "decided_by", "decided_at"))
_UNCLAIMED: Final[Row] = dict.fromkeys(("claimed_by", "claimed_until"))
_DECIDED: Final = {ReportState.CONFIRMED, ReportState.CORRECTED, ReportState.DISMISSED}


class Action(StrEnum):
    """What an admin does with a report."""

    CLAIM = "claim"
    CONFIRM = "confirm"
    CORRECT = "correct"
    DISMISS = "dismiss"
    UNDO = "undo"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One thing that one admin does with one report or more."""

    action: Action
    by: str
    at: datetime
    """With its zone."""
    tiers: Tiers | None = None
    """The label of a correction; of a confirmation, the one that the admin saw proposed."""
    comment: str | None = None
    claim_s: float = CLAIM_S


def taken(report: Report, step: Step) -> Row:
    """Return the columns that a step changes; none where it was taken before.

    Raises:
        ConflictError: somebody else claimed it or decided otherwise, or it cannot be decided yet.
    """
    match step.action:
        case Action.CLAIM:
            _see_that_open(report)
            _see_that_free(report, step)
            return {"claimed_by": storable(step.by), "claimed_until": _text(step, step.claim_s)}
        case Action.CONFIRM:
            return _decided(report, step, ReportState.CONFIRMED, _confirmed(report, step))
        case Action.CORRECT:
            return _decided(report, step, ReportState.CORRECTED, step.tiers)
        case Action.DISMISS:
            return _decided(report, step, ReportState.DISMISSED, None)
        case Action.UNDO:
            if report.state not in _DECIDED:
                return {}
            return {"state": ReportState.OPEN.value, **_UNDECIDED}
        case _:
            assert_never(step.action)


def _decided(report: Report, step: Step, state: ReportState, tiers: Tiers | None) -> Row:
    verdict = report.verdict
    if verdict is not None and (report.state, verdict.tiers) == (state, tiers):
        return {}
    _see_that_open(report)
    _see_that_free(report, step)
    if tiers is not None and (report.analysis is None or report.analysis.question is None):
        raise ConflictError(f"{report.id} has no question to label: {_why_not(report)}.")
    return {
        "state": state.value,
        "label": None if tiers is None else tiers_text(tiers),
        "note": step.comment and storable(step.comment),
        "decided_by": storable(step.by),
        "decided_at": _text(step),
        **_UNCLAIMED,
    }


def _confirmed(report: Report, step: Step) -> Tiers:
    """Return the label that is confirmed."""
    verdict = report.verdict
    if report.state is ReportState.CONFIRMED and verdict is not None and verdict.tiers is not None:
        label: Tiers | None = verdict.tiers
    else:
        label = report.analysis.proposed if report.analysis else None
    if label is None:
        raise ConflictError(f"{report.id} has no proposal to confirm: {_why_not(report)}.")
    if step.tiers is not None and step.tiers != label:
        raise ConflictError(f"{report.id} proposes {named(label)}, not {named(step.tiers)}.")
    return label


def _why_not(report: Report) -> str:
    if report.analysis is None:
        return "it is not analysed yet, try again in a moment"
    return "the trace of its answer was lost, so it can only be dismissed"


def _see_that_open(report: Report) -> None:
    if report.state is ReportState.WITHDRAWN or report.rating.thumb is Thumb.UP:
        raise ConflictError(f"{report.id} is withdrawn: {report.rating.rater} took it back.")
    if report.state is not ReportState.OPEN:
        raise ConflictError(
            f"{report.id} was {_told(report.state, report.verdict)}; undo it first."
        )


def _told(state: ReportState, verdict: Verdict | None) -> str:
    if verdict is None:
        return str(state)
    label = f" as {named(verdict.tiers)}" if verdict.tiers is not None else ""
    return f"{state}{label} by {verdict.by} on {verdict.at}"


def _see_that_free(report: Report, step: Step) -> None:
    claim = report.claim
    if claim and claim.by != storable(step.by) and datetime.fromisoformat(claim.until) > step.at:
        raise ConflictError(f"{report.id} is claimed by {claim.by} until {claim.until}.")


def _text(step: Step, later_s: float = 0.0) -> str:
    return (step.at + timedelta(seconds=later_s)).isoformat(timespec="microseconds")

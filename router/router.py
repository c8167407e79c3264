"""The router: features, model and policy, with reasons in words."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Final

import structlog

from router.features import features
from router.model import RouterModel, TierSet, by_tier
from router.parts import clauses, parts_of
from router.policy import Policy
from router.registry import SHIPPED
from trivium.domain.errors import DataError
from trivium.domain.question import Question, TermKind, TierName, Understood
from trivium.domain.route import Decider, RouteDecision

_REASONS: Final = {
    "count": "asks for a count",
    "most": "asks for the most of something",
    "least": "asks for the least of something",
    "single": "asks what has only one of something",
    "compare": "compares things",
    "path": "asks for a connection",
    "removal": "supposes that something is taken away",
    "hypothetical": "supposes something",
    "impact": "asks what is affected",
    "negation": "asks for what is not",
    "downstream": "looks along the effects",
    "upstream": "looks against the effects",
    "bottleneck": "asks about the structure",
    "document": "names a kind of document",
    "contents": "asks what a text says",
    "narrative": "asks for a reason or a story",
    "procedure": "asks how something is done",
    "profile": "asks for a profile",
    "greeting": "is a greeting",
    "thanks": "is a closing remark",
    "assistant": "is about the assistant",
    "injection": "orders instructions to be ignored",
}
"""What a cue says of a question, in words."""
_MAX_CLAUSES: Final = 24
"""A question of more is asked as a whole: each clause is read and scored by itself, in 0.5 ms."""

_log = structlog.get_logger(__name__)

Read = Callable[[Question], Understood]
"""Reads a text without encoding it."""


class LearnedRouter:
    """Implements ``Router`` with a trained model; without one, all tiers are asked."""

    def __init__(self, model: RouterModel | None, read: Read, policy: Policy | None = None) -> None:
        self._model = model
        self._read = read
        self._policy = policy or Policy()

    @classmethod
    def shipped(cls, read: Read) -> "LearnedRouter":
        """Return a router with the model that comes with the package."""
        try:
            return cls(RouterModel.load(SHIPPED), read)
        except DataError as error:
            _log.error("router_model_unusable", error=str(error))
            return cls(None, read)

    @property
    def model_version(self) -> str | None:
        """The version of the model in use; nothing where there is none."""
        return self._model.version if self._model else None

    def route(self, question: Understood) -> RouteDecision:
        """Return the tiers to ask, with reasons; see ``Router``."""
        asked = question.question
        if self._model is None:
            return self._without_model(question)
        if asked.tiers is None and not any(t.text[0].isalpha() for t in question.tokens):
            return RouteDecision(
                tiers=(), decided_by=Decider.RULE, reasons=("there is no word in it",)
            )
        sets = self._model.set_probabilities(features(question))
        decision = RouteDecision(
            tiers=asked.tiers or (),
            decided_by=Decider.CALLER if asked.tiers is not None else Decider.MODEL,
            probabilities=by_tier(sets),
            parts=dict.fromkeys(asked.tiers or (), asked.text),
            reasons=tuple(_reasons(question)),
            model_version=self._model.version,
        )
        return decision if asked.tiers is not None else self._decided(decision, question, sets)

    def _decided(
        self, decision: RouteDecision, question: Understood, sets: Mapping[TierSet, float]
    ) -> RouteDecision:
        """Choose the tiers and divide the question among them."""
        model = self._model
        assert model is not None
        cut = clauses(question.question.text)
        cut = cut if len(cut) <= _MAX_CLAUSES else []
        told = [
            model.set_probabilities(features(self._read(Question(text=clause))))
            for clause in (cut if len(cut) > 1 else ())
        ]
        tiers = self._policy.widen(self._policy.choose(sets), sets, told)
        return replace(decision, tiers=tiers, parts=parts_of(question, tiers, cut, told))

    def _without_model(self, question: Understood) -> RouteDecision:
        tiers = question.question.tiers
        return RouteDecision(
            tiers=tuple(TierName) if tiers is None else tiers,
            decided_by=Decider.FALLBACK if tiers is None else Decider.CALLER,
            reasons=("the router has no model, so every tier is asked",),
        )


def _reasons(question: Understood) -> Iterator[str]:
    """Say what was seen that speaks for one tier or another."""
    if question.is_shortened:
        yield "it is long, so only its beginning and its end were read"
    names = [m.best[0].name for m in question.mentions if m.candidates]
    if names:
        yield f"names {', '.join(dict.fromkeys(names[:3]))}"
    for kind, what in (
        (TermKind.TYPE, "a type"),
        (TermKind.RELATION, "a relation"),
        (TermKind.PROPERTY, "an attribute"),
    ):
        words = [t.name for t in question.terms if t.kind is kind and t.score >= 0.8]
        if words:
            yield f"has words for {what} of the schema: {', '.join(dict.fromkeys(words[:3]))}"
    if not names and not question.terms:
        yield "no entity and no word of the schema is in it"
    for cue in dict.fromkeys(cue.kind for cue in question.cues):
        if cue in _REASONS:
            yield _REASONS[cue]

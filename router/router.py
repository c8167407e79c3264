"""The router: rules, features, model and policy, with reasons in words."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import structlog

from router.documented import told, weighed
from router.features import Features, features
from router.model import Judgement, RouterModel
from router.parts import clauses, parts_of
from router.policy import Policy
from router.registry import SHIPPED, Registry
from router.rules import Rules
from router.wording import for_and_against
from trivium.domain.errors import DataError
from trivium.domain.question import TermKind, TierName, Understood
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

_log = structlog.get_logger(__name__)


class LearnedRouter:
    """Implements ``Router`` with a trained model; without one, all tiers are asked."""

    def __init__(
        self,
        model: RouterModel | None,
        *,
        policy: Policy | None = None,
        rules: Rules | None = None,
    ) -> None:
        self._model = model
        self._policy = policy or Policy()
        self._rules = rules or Rules()

    @classmethod
    def of(cls, registry: Registry, rules: Rules | None = None) -> "LearnedRouter":
        """Return a router with the model that serves, as a registry says."""
        try:
            return cls(registry.current(), rules=rules)
        except DataError as error:
            _log.error("router_model_unusable", error=str(error))
            return cls(None, rules=rules)

    @classmethod
    def shipped(cls, rules: Rules | None = None) -> "LearnedRouter":
        """Return a router with the model that comes with the package."""
        return cls.of(Registry(SHIPPED.parent), rules)

    def serve(self, model: RouterModel) -> None:
        """Route by another model from the next question on."""
        self._model = model

    @property
    def model_version(self) -> str | None:
        """The version of the model in use; nothing where there is none."""
        return self._model.version if self._model else None

    def route(self, question: Understood) -> RouteDecision:
        """Return the tiers to ask, with reasons; see ``Router``."""
        if question.question.tiers is None:
            ruled = self._ruled(question)
            if ruled is not None:
                return ruled
        if self._model is None:
            return self._without_model(question)
        found, cut = features(question), clauses(question)
        judged = self._model.judge(found, [features(clause) for clause in cut])
        judged = weighed(judged, question.documented)
        decision = RouteDecision(
            tiers=(),
            decided_by=Decider.MODEL,
            probabilities=judged.tiers,
            reasons=tuple(_reasons(question)),
            model_version=self._model.version,
        )
        if question.question.tiers is not None:
            asked = question.question
            parts = dict.fromkeys(question.question.tiers, asked.text)
            return replace(
                decision, tiers=asked.tiers or (), decided_by=Decider.CALLER, parts=parts
            )
        return self._decided(decision, question, found, cut, judged)

    def _ruled(self, question: Understood) -> RouteDecision | None:
        """Decide by what needs no model: a rule that was set, or a question without a word."""
        rule = self._rules.match(question.question.text)
        if rule is not None:
            parts = dict.fromkeys(rule.tiers, question.question.text)
            why = f"the rule \u201c{rule.name}\u201d holds for it"
            return RouteDecision(
                tiers=rule.tiers, decided_by=Decider.RULE, parts=parts, reasons=(why,)
            )
        if any(t.text[0].isalpha() and len(t.text) > 1 for t in question.tokens):
            return None
        return RouteDecision(tiers=(), decided_by=Decider.RULE, reasons=("there is no word in it",))

    def _decided(
        self,
        decision: RouteDecision,
        question: Understood,
        found: Features,
        cut: Sequence[Understood],
        judged: Judgement,
    ) -> RouteDecision:
        """Choose the tiers, divide the question among them, and say why."""
        assert self._model is not None
        tiers, is_decided = self._policy.decide(judged)
        reasons = [*decision.reasons, *for_and_against(self._model, found, tiers)]
        if not is_decided:
            reasons.append("it could not be told apart, so every tier that may hold it is asked")
        return replace(
            decision,
            tiers=tiers,
            parts=parts_of(question, tiers, cut, judged.clauses),
            reasons=tuple(reasons),
        )

    def _without_model(self, question: Understood) -> RouteDecision:
        tiers = question.question.tiers
        return RouteDecision(
            tiers=tuple(TierName) if tiers is None else tiers,
            decided_by=Decider.FALLBACK if tiers is None else Decider.CALLER,
            reasons=("the router has no model, so every tier is asked",),
        )


_TOLD: Final = {
    TermKind.TYPE: "a type of the schema",
    TermKind.RELATION: "a relation of the schema",
    TermKind.PROPERTY: "an attribute of the schema",
    TermKind.FACT: "an attribute that facts are on",
}
"""What words of a question are said to stand for."""


def _reasons(question: Understood) -> Iterator[str]:
    """Say what was seen that speaks for one tier or another."""
    if question.is_shortened:
        yield "it is long, so only its beginning and its end were read"
    names = [m.best[0].name for m in question.mentions if m.candidates]
    if names:
        yield f"names {', '.join(dict.fromkeys(names[:3]))}"
    for kind, what in _TOLD.items():
        words = [t.name for t in question.terms_of(kind) if t.score >= 0.8]
        if words:
            yield f"has words for {what}: {', '.join(dict.fromkeys(words[:3]))}"
    yield from told(question.documented)
    if not names and not question.terms:
        yield "no entity and no word of the schema is in it"
    for cue in dict.fromkeys(cue.kind for cue in question.cues):
        if cue in _REASONS:
            yield _REASONS[cue]

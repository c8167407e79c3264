"""Reads a question into a plan, or refuses with a reason, without a model."""

from dataclasses import dataclass, replace

from tiers.graphrag.plans.plan import Plan
from tiers.graphrag.reading.bounding import bounded
from tiers.graphrag.reading.closing import cut_closing
from tiers.graphrag.reading.coming import with_comings
from tiers.graphrag.reading.describing import supposed
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.explaining import Trail
from tiers.graphrag.reading.fitting import refuse_unfit
from tiers.graphrag.reading.glossary import Glossary
from tiers.graphrag.reading.paths import SchemaPaths
from tiers.graphrag.reading.settling import settle
from tiers.graphrag.reading.sketch import Refusal
from tiers.graphrag.reading.stating import statements
from tiers.graphrag.reading.templates import TEMPLATES
from tiers.graphrag.reading.templates.common import refuse_ambiguous
from tiers.graphrag.reading.timing import joined, timed
from tiers.graphrag.reading.unknown import refuse_unknown
from tiers.graphrag.view import Scope
from trivium.domain.evidence import CandidateEntity, Reason
from trivium.domain.question import Understood
from trivium.domain.schema import Schema


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """No plan, and why."""

    reason: Reason
    why: str
    candidates: tuple[CandidateEntity, ...] = ()


class PlanReader:
    """Reads questions against one schema; keeps the schema's ways and words at hand."""

    def __init__(self) -> None:
        self._schema: Schema | None = None
        self._paths = SchemaPaths(Schema())
        self._glossary = Glossary(Schema())

    def read(
        self, question: Understood, scope: Scope, trail: Trail | None = None
    ) -> Plan | Refused:
        """Return the plan that answers ``question``, or why there is none.

        ``trail`` takes what the reading settles on the way.
        """
        trail = trail or Trail()
        if scope.schema is not self._schema:
            self._schema, self._paths = scope.schema, SchemaPaths(scope.schema)
            self._glossary = Glossary(scope.schema)
        try:
            asked = cut_closing(question)
            found = settle(asked, scope.schema, self._paths, self._glossary)
            trail.sketch = found = replace(found, asks_which=asked is not question)
            refuse_unknown(found)
            trail.sketch = settled = supposed(joined(timed(found, scope), scope.moment))
            settled, bounds = bounded(settled, Draft(settled, scope, ()))
            settled, coming = with_comings(settled)
            stated = statements(settled, coming)
            trail.stated, trail.bounds = stated, bounds
            refuse_ambiguous(Draft(settled, scope, stated))
            for template in TEMPLATES:
                plan = template(Draft(settled, scope, stated, bounds))
                if plan is not None:
                    refuse_unfit(settled, plan)
                    return plan
        except Refusal as refusal:
            return Refused(reason=refusal.reason, why=refusal.why, candidates=refusal.candidates)
        return Refused(reason=Reason.NOT_IN_SCHEMA, why="No plan fits the question.")

"""The known shapes of questions: each template reads a sketch and drafts a plan, or passes.

They are tried in order; the first that holds gives the plan. What a template does not know of
is left to ``members``: filters, time, negation and counts combine with every shape.
"""

from collections.abc import Callable
from typing import Final

from tiers.graphrag.plans.plan import Plan
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.templates.agreements import counted_agreements, oldest_agreement
from tiers.graphrag.reading.templates.chains import told_by_kinds
from tiers.graphrag.reading.templates.comparing import compare, difference
from tiers.graphrag.reading.templates.cutoff import cut_off, cutting_off
from tiers.graphrag.reading.templates.earliest import earliest
from tiers.graphrag.reading.templates.grouped import grouped
from tiers.graphrag.reading.templates.losing import one_lost, taken_over
from tiers.graphrag.reading.templates.making import unmade
from tiers.graphrag.reading.templates.numbers import measured
from tiers.graphrag.reading.templates.ongoing import goes_on, longest_lasting
from tiers.graphrag.reading.templates.plain import plain, refuse_unread
from tiers.graphrag.reading.templates.products import product
from tiers.graphrag.reading.templates.rankings import ranking
from tiers.graphrag.reading.templates.removal import removal, spreading, stand_ins, worst_loss
from tiers.graphrag.reading.templates.risk import risk, riskier
from tiers.graphrag.reading.templates.sequence import days_of_one, succession, then_and_now
from tiers.graphrag.reading.templates.severity import gravest
from tiers.graphrag.reading.templates.since import date_of, day_told
from tiers.graphrag.reading.templates.structure import centrality
from tiers.graphrag.reading.templates.surviving import dwindled, survivors
from tiers.graphrag.reading.templates.switching import switched
from tiers.graphrag.reading.templates.times import before, changed
from tiers.graphrag.reading.templates.two_times import two_times
from tiers.graphrag.reading.templates.ways import between, connection, weighed
from tiers.graphrag.reading.templates.whole import whole_graph

Template = Callable[[Draft], Plan | None]

TEMPLATES: Final[tuple[Template, ...]] = (
    oldest_agreement,
    counted_agreements,
    weighed,
    whole_graph,
    cut_off,
    cutting_off,
    grouped,
    told_by_kinds,
    riskier,
    compare,
    difference,
    product,
    between,
    connection,
    date_of,
    day_told,
    risk,
    goes_on,
    longest_lasting,
    days_of_one,
    two_times,
    switched,
    then_and_now,
    succession,
    changed,
    before,
    taken_over,
    stand_ins,
    gravest,
    worst_loss,
    unmade,
    one_lost,
    dwindled,
    removal,
    survivors,
    centrality,
    spreading,
    earliest,
    measured,
    ranking,
    plain,
    refuse_unread,
)

"""How probable it is that a plan is what its question asks: a logistic model over what is left."""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Final

from tiers.graphrag.operators.answers import Form
from tiers.graphrag.operators.conditions import Condition
from tiers.graphrag.operators.traversal import Hop
from tiers.graphrag.plans.steps import Plan, flat
from tiers.graphrag.reading.claims import Claim, TakenAs, Used
from tiers.graphrag.reading.sketch import Sketch
from trivium.domain.result import Nodes, Paths, Prose, Ranking, Result

SURE: Final = 0.8
"""From here on a plan is given without more words; below, the answer says how it was read.

Measured by ``bench.confidence`` on sets at first sight, by models fitted without them.
"""
LOST: Final = 0.05
"""Below this a plan is no answer: who asks is told how it was read, and what was left out.

Measured likewise: no right answer is lost. With more, too many that have an answer are refused.
"""
WEIGHTS: Final = "confidence.json"
"""The file beside this one that ``python -m bench.confidence --train`` writes."""
_MAX_UNPLACED: Final = 3
_MAX_MEMBERS: Final = 20
"""An answer of more entities is no less sure than one of so many."""
_DATED: Final = frozenset({"dated", "changes_between", "ends_of", "filter_edges_by_date", "day_of"})
_WITHOUT: Final = frozenset({"difference", "set_complement", "simulate_removal", "left_without"})
_ORDERED: Final = frozenset({"ranking", "leaders", "group_by", "day_of", "path"})
_MET_BY: Final[Mapping[str, frozenset[str]]] = {
    "negation": _WITHOUT | {"cut_points", "changes_between", "alternatives", "!=", "<", "<=", "0"},
    "exception": _WITHOUT | {"cut_points", "leaders", "!="},
    "removal": _WITHOUT | {"alternatives", "combine", "subgraph", "connected_components"},
    "most": _ORDERED | {"weighted_path", "first_groups"},
    "above": frozenset({">", ">="}),
    "comparative": frozenset({"comparison", ">", ">=", "<", "<="}),
    "average": frozenset({"mean"}),
    "plural": frozenset({"count_edges"}),
    "risk": frozenset({"propagate_risk"}),
    "score": frozenset({"propagate_risk"}),
    "articulation": frozenset({"cut_points", "connected_components"}),
    "alternatives": frozenset({"alternatives"}),
    "began": _DATED,
    "handover": _DATED,
    "before_now": _DATED,
}
"""What a plan has one of where it does what a cue asks: operators, tests, forms, arguments."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """A question with what was made of it."""

    sketch: Sketch
    claims: Sequence[Claim]
    """What each stretch was taken for; see ``explaining.accounted``."""
    plan: Plan
    result: Result


def confidence(read: Read) -> float:
    """Return the probability that a plan is what its question asks, from 0 to 1."""
    return probability(features(read))


def probability(found: Mapping[str, float]) -> float:
    """Return what the shipped weights make of ``features``; a new one weighs nothing yet."""
    intercept, weights = _weights()
    score = intercept + sum(weights.get(name, 0.0) * value for name, value in found.items())
    return 1 / (1 + math.exp(-score))


def features(read: Read) -> dict[str, float]:
    """Return what tells a plan that is right from one that is wrong, by name."""
    return {name: float(feature(read)) for name, feature in _FEATURES.items()}


def left_out(read: Read) -> tuple[str, ...]:
    """Return the words of a question that its plan does not rest on, in order."""
    tokens, text = read.sketch.tokens, read.sketch.question.text
    spans = [claim.span for claim in _unread(read)]
    return tuple(text[tokens[s.first].start : tokens[s.last - 1].end] for s in spans)


def _unread(read: Read) -> list[Claim]:
    return [claim for claim in read.claims if claim.taken_as is TakenAs.UNREAD]


def _unread_share(read: Read) -> float:
    """Of the words that say something."""
    n_all = sum(len(claim.span) for claim in read.claims)
    return sum(len(claim.span) for claim in _unread(read)) / max(1, n_all)


def _n_unplaced(read: Read) -> int:
    """Words that nothing in the schema or the data explains."""
    n_words = sum(len(claim.span) for claim in _unread(read) if claim.left is None)
    return min(_MAX_UNPLACED, n_words)


def _n_left(read: Read) -> int:
    """Names, times, numbers, relations and the like that were linked, but are not in the plan."""
    return sum(claim.left is not None for claim in _unread(read))


def _n_unmet(read: Read) -> int:
    """Kinds of cues that ask for what the plan does not do."""
    kinds = {cue.kind for cue in read.sketch.question.cues} & _MET_BY.keys()
    if not kinds:
        return 0
    used = Used.of(read.plan)
    does = used.names | {step.operator for step in read.plan.steps} | {read.plan.form.value}
    does |= {f"{number:g}" for number in used.numbers} | ({"dated"} if used.is_dated else set())
    return sum(_MET_BY[kind].isdisjoint(does) for kind in kinds)


def _is_empty(read: Read) -> bool:
    """Whether the answer is that there is none."""
    match read.result:
        case Nodes(ids=()) | Ranking(pairs=()) | Paths(paths=()) | Prose():
            return True
        case _:
            return False


def _size(read: Read) -> float:
    """How many entities a set holds, as a logarithm."""
    ids = read.result.ids if isinstance(read.result, Nodes) else ()
    return math.log1p(min(_MAX_MEMBERS, len(ids)))


def _n_whole(read: Read) -> int:
    """Steps that take every entity of a type."""
    lookups = (step for step in read.plan.steps if step.operator == "find_nodes")
    return sum(not any(step.arguments.get(key) for key in ("ids", "where")) for step in lookups)


def _is_plain(read: Read) -> bool:
    """Whether no template knew the shape of the question, but only its types and relations."""
    return read.plan.template.partition(",")[0] == "plain"


def _has_condition(read: Read) -> bool:
    held = (item for step in read.plan.steps for item in flat(tuple(step.arguments.values())))
    return any(isinstance(x, Condition) or (isinstance(x, Hop) and x.where) for x in held)


_FEATURES: Final[Mapping[str, Callable[[Read], float]]] = {
    "length": lambda read: math.log(max(1, len(read.sketch.tokens))),
    "unread_share": _unread_share,
    "unplaced": _n_unplaced,
    "left": _n_left,
    "unmet": _n_unmet,
    "empty": _is_empty,
    "size": _size,
    "whole": _n_whole,
    "plain": _is_plain,
    "plain_unread": lambda read: _is_plain(read) and bool(read.sketch.unread),
    "no_set": lambda read: read.plan.form in {Form.NUMBER, Form.RANKING, Form.BOOLEAN, Form.PATH},
    "ranking": lambda read: read.plan.form is Form.RANKING,
    "marks": lambda read: len(read.sketch.breaks),
    "no_type": lambda read: not read.sketch.wanted,
    "condition": _has_condition,
}


@lru_cache(maxsize=1)
def _weights() -> tuple[float, Mapping[str, float]]:
    """Return the intercept and the weight of each feature."""
    text = resources.files("tiers.graphrag.reading").joinpath(WEIGHTS).read_text("utf-8")
    shipped = json.loads(text)
    return float(shipped["intercept"]), {k: float(v) for k, v in shipped["weights"].items()}

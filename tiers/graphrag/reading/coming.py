"""What is still to come: a value that says so, or a day after today."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from tiers.graphrag.operators.conditions import Test
from tiers.graphrag.reading.dating import is_dated
from tiers.graphrag.reading.listing import BE
from tiers.graphrag.reading.sketch import Sketch
from tiers.graphrag.reading.statement import Statement, stated
from trivium.domain.question import Cue
from trivium.language.text import fold, spoken, stem, stems

_COMING: Final = frozenset(
    {"upcoming", "forthcoming", "coming", "planned", "scheduled", "future", "ahead", "to come"}
)
"""Values of a category that say that something is still to come."""
_DAYS: Final = frozenset(stem(w) for w in ("date", "day", "start", "starts"))
"""Words in the names of days on which something is, or begins."""
_SAYING: Final = BE | {"that", "which", "who", "all", "still", "yet", "ones", "one"}
"""Words from a noun to what is said of it: "sales that are still to come"."""
_FAR: Final = 2


def with_comings(sketch: Sketch) -> tuple[Sketch, tuple[Statement, ...]]:
    """Return what a question states to be still to come, and the sketch without its cues.

    A cue is left alone where nothing tells when such a thing is: a relation may begin then.
    """
    found: dict[Cue, Statement | None] = {}
    for cue in sketch.question.cues_of("to_come"):
        if any(cue.span.overlaps(c.span) for c in found):
            continue
        is_value = any(v.span.overlaps(cue.span) for v in sketch.values)
        statement = None if is_value else _coming(sketch, cue)
        if is_value or statement:
            found[cue] = statement
    cues = tuple(c for c in sketch.question.cues if not _is_of_any(c, found))
    rest = replace(sketch, question=replace(sketch.question, cues=cues))
    return rest, tuple(s for s in found.values() if s is not None)


def _is_of_any(cue: Cue, told: Iterable[Cue]) -> bool:
    return cue.kind == "to_come" and any(cue.span.overlaps(t.span) for t in told)


def _coming(sketch: Sketch, cue: Cue) -> Statement | None:
    """Return what a cue states of the noun that it is said of, or else of what is asked for."""
    noun = _noun(sketch, cue)
    owner = noun or (sketch.focus.type if sketch.focus else None)
    if owner is None:
        return None
    for item in sketch.schema.node_types[owner].properties.values():
        value = next((v for v in item.values if fold(v) in _COMING), None)
        if value is not None:
            return stated(sketch, cue.span, [(owner, item.name)], Test.EQUALS, value)
    day = _own_day(sketch, owner, is_sure=noun is not None)
    if day is None or sketch.question.times:
        return None
    today = sketch.question.moment.last_day
    return stated(sketch, cue.span, [(owner, day)], Test.ABOVE, today)


def _noun(sketch: Sketch, cue: Cue) -> str | None:
    """Return the type that a cue stands beside."""
    after = sketch.type_after(cue.span.last, within=_FAR)
    before = [t for t in sketch.types if t.span.last <= cue.span.first]
    if before and set(sketch.words(before[-1].span.last, cue.span.first)) <= _SAYING:
        return before[-1].type
    if after is not None and not sketch.is_parted(cue.span.first, after.span.first):
        return after.type
    return None


def _own_day(sketch: Sketch, node_type: str, *, is_sure: bool) -> str | None:
    """Return the day on which a thing is: its date, or the first one that it has.

    With ``is_sure``, the one day that it has will do, whatever its name.
    """
    names = sketch.schema.node_types[node_type].properties
    days = [n for n in names if is_dated(sketch, node_type, n)]
    own = next((n for n in days if set(stems(spoken(n))) & _DAYS), None)
    return days[0] if own is None and is_sure and len(days) == 1 else own

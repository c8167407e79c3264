"""Puts what is stated of properties, and that events are open, on what it is said of."""

from dataclasses import replace
from typing import Final

from tiers.graphrag.operators.conditions import Condition, Test
from tiers.graphrag.reading.draft import Draft, merged
from tiers.graphrag.reading.items import Item
from tiers.graphrag.reading.listing import BE
from tiers.graphrag.reading.sketch import Refusal, gap
from tiers.graphrag.reading.statement import Statement
from tiers.graphrag.reading.tree import Variable
from trivium.domain.evidence import Reason
from trivium.domain.question import Span
from trivium.language.text import fold, spoken
from trivium.language.words import general_words

_LEADING: Final = frozenset(
    {"in", "from", "of", "at", "under", "with", "on", "rated", "marked", "as", "for", "near", "to",
     "a", "an", "the", "every", "any", "no"}
)  # fmt: skip
"""Words before a value that is meant as one."""
_TRAILING: Final = frozenset(
    {"that", "which", "is", "are", "was", "were", "still", "then", "currently", "now", "be"}
)
"""Words between an event and "open"."""
_LOCATING: Final = frozenset(
    {"in", "from", "at", "are", "is", "based", "located", "sit", "sits", "we", "have", "our", "the",
     "that", "which", "there", "do", "who"}
)  # fmt: skip
"""Words between a noun and the place where it is."""
_AFTER_COST: Final = 1.5
"""For a statement before what it may be said of, in words."""
_PARTED_COST: Final = 3.0
_UNNAMED_COST: Final = 50.0


def place(draft: Draft, root: Variable, items: list[Item], skipped: set[Span]) -> None:
    """Put each statement on what it is said of; what has no place yet becomes an item."""
    for statement in draft.stated:
        if not (statement.spans & skipped or statement.relations or _opens(draft, statement)):
            _host(draft, root, items, statement)
    for variable in [root, *(i.variable for i in items)]:
        variable.conditions = merged(variable.conditions)
    _open(draft, root, items)


def _host(draft: Draft, root: Variable, items: list[Item], statement: Statement) -> None:
    types = draft.sketch.schema.node_types
    owners = [(o, p) for o, p in statement.owners if o in types]
    hosts = [root, *(i.variable for i in items if not i.variable.anchor)]
    fitting = [(h, p) for o, p in owners for h in hosts if h.type == o]
    fitting = [(h, p) for h, p in fitting if h is root or not _is_another(draft, h, p, statement)]
    if fitting:
        host, name = min(fitting, key=lambda f: _distance(draft, f[0], statement.span))
    elif _join_described(items, statement, owners):
        draft.used |= statement.spans
        return
    elif owners and _is_elsewhere(draft, [root, *(i.variable for i in items)], statement, owners):
        return
    elif owners and not statement.is_partial and _stands_out(draft, statement):
        owner, name = min(owners, key=lambda o: _away(draft, root, o[0], statement.span.first))
        host = Variable(type=owner, span=statement.span)
        items.append(Item(host))
        items.sort(key=lambda i: i.variable.span.first)
    else:
        return
    draft.used |= statement.spans
    host.conditions.append(statement.condition(name))


def _join_described(items: list[Item], statement: Statement, owners: list[tuple[str, str]]) -> bool:
    """Add a statement to what is described beside it: "an open stoppage" is one thing."""
    for item in items:
        anchor = item.variable.anchor
        name = next((p for o, p in owners if anchor and o == anchor.type), None)
        if anchor is None or not anchor.conditions or name is None:
            continue
        if gap(anchor.span, statement.span) == 0 and statement.span.last <= anchor.span.first:
            conditions = (*anchor.conditions, statement.condition(name))
            item.variable.anchor = replace(
                anchor, conditions=conditions, label=f"{statement.value} {anchor.label}"
            )
            return True
    return False


def _is_elsewhere(
    draft: Draft, near: list[Variable], statement: Statement, owners: list[tuple[str, str]]
) -> bool:
    """Whether a place is said right after what has places of its own, none of them this one.

    Raises:
        Refusal: it is: a customer's region tells nothing of "the suppliers in Europe".
    """
    sketch, types, places = draft.sketch, draft.sketch.schema.node_types, general_words().places
    if statement.by_property or not any(spoken(p) in places for _, p in owners):
        return False
    for variable in near:
        between = set(sketch.words(variable.span.last, statement.span.first))
        is_beside = variable.span.last <= statement.span.first and between <= _LOCATING
        own = [p.name for p in types[variable.type].properties.values() if spoken(p.name) in places]
        if is_beside and own and variable.anchor is None and variable.span:
            told = f"No {own[0]} of a {variable.type} is {str(statement.value)!r}."
            raise Refusal(Reason.NOT_IN_SCHEMA, told)
    return False


def _is_another(draft: Draft, host: Variable, name: str, statement: Statement) -> bool:
    """Whether a second value is of another entity: "one in the UK and also one in the USA"."""
    other = next(
        (c for c in host.conditions if c.property == name and c.value != statement.value), None
    )
    told = next((s.span for s in draft.stated if other and s.value == other.value), None)
    if told is None or told.first > statement.span.first:
        return False
    between = set(draft.sketch.words(told.last, statement.span.first))
    articles = {*draft.sketch.words(told.first - 1, told.first)} & {"a", "an"}
    is_pair = bool(articles) and between >= {"and"} and bool(between & {"a", "an"})
    is_both = is_pair or (
        "both" in draft.sketch.words(told.first - 3, told.first) and "and" in between
    )
    return is_both or bool(between & {"also", "another"})


def _stands_out(draft: Draft, statement: Statement) -> bool:
    """Whether a value without its type is meant as one: "in Taiwan", "is recruiting"."""
    sketch = draft.sketch
    first = statement.span.first
    is_capital = sketch.tokens[first].text[0].isupper() and first not in sketch.stops
    is_led_in = bool(set(sketch.words(first - 1, first)) & (_LEADING | BE))
    return is_capital or statement.by_property or len(statement.span) > 1 or is_led_in


def _distance(draft: Draft, host: Variable, span: Span) -> float:
    """How far a statement is from what it may be said of; what comes before it is nearer."""
    if not host.span:
        return _UNNAMED_COST
    distance = float(gap(host.span, span))
    if host.span.first > span.first and distance > 0:
        distance += _AFTER_COST
    if draft.sketch.is_parted(*sorted((host.span.first, span.first))):
        distance += _PARTED_COST
    return distance


def _away(draft: Draft, root: Variable, owner: str, at: int) -> tuple[float, bool]:
    """Return how far an owner is, and whether the word before its value does not lead there.

    "Flights to France" are those that go to it, not those of who comes from it.
    """
    way = draft.way(root.type, owner)
    before = draft.sketch.words(at - 1, at)
    verb = spoken(way.hops[0].relation).split() if way and way.hops else []
    return (way.cost if way else 99.0), verb[-1:] != before


def _opens(draft: Draft, statement: Statement) -> bool:
    """Whether a value only says that an event is open, which ``_open`` reads."""
    sketch = draft.sketch
    risk = sketch.schema.risk
    beside = [t for t in sketch.types if t.span.first == statement.span.last]
    cues = {c.span for c in sketch.question.cues_of("open")}
    if statement.span in cues and any(sketch.schema.node_types[t.type].is_event for t in beside):
        return True
    if fold(str(statement.value)) not in {fold(v) for v in risk.open_values}:
        return False
    events = {t.type for t in sketch.types if sketch.schema.node_types[t.type].is_event}
    return any(p == risk.status_property and owner in events for owner, p in statement.owners)


def _open(draft: Draft, root: Variable, items: list[Item]) -> None:
    """Mark the events that are said to be open."""
    sketch = draft.sketch
    events = [
        v
        for v in (root, *(i.variable for i in items))
        if sketch.schema.node_types[v.type].is_event and v.anchor is None and v.span
    ]
    if not root.span and sketch.schema.node_types[root.type].is_event and not sketch.types:
        root.is_open = bool(draft.cues("open"))  # "what was going on in May"
    for cue in draft.cues("open"):
        near = [v for v in events if _says_of(draft, v.span, cue.span)]
        tail = set(sketch.words(cue.span.first - 3, cue.span.first))
        if not near and {"that", "which"} & tail and BE & tail:
            near = [v for v in events if v.span.last <= cue.span.first]
        if near:
            min(near, key=lambda v: gap(v.span, cue.span)).is_open = True
            draft.used.add(cue.span)
    _close(draft, events)


def _close(draft: Draft, events: list[Variable]) -> None:
    """Keep, of the events that are said to be over, those whose status is none of the open ones."""
    risk = draft.sketch.schema.risk
    ever = [c.span for c in draft.sketch.question.cues_of("ever")]
    for cue in draft.cues("closed"):
        if any(cue.span.overlaps(s) for s in ever):
            continue
        if not BE & set(draft.sketch.words(cue.span.first - 3, cue.span.first)):
            continue
        near = [v for v in events if v.span.last <= cue.span.first and not v.is_open]
        host = min(near, key=lambda v: gap(v.span, cue.span), default=None)
        kind = draft.sketch.schema.node_types[host.type] if host else None
        status = kind.properties.get(risk.status_property) if kind else None
        is_told = host is None or any(c.property == risk.status_property for c in host.conditions)
        if host is None or status is None or is_told or draft.sketch.question.times:
            continue
        is_open = {fold(v) for v in risk.open_values}
        over = tuple(v for v in status.values if fold(v) not in is_open)
        host.conditions.append(Condition(property=status.name, test=Test.IN, value=over))
        draft.used.add(cue.span)


def _says_of(draft: Draft, thing: Span, cue: Span) -> bool:
    """Whether a cue is said of a thing: just before it, or after it as "that is still open"."""
    if cue.last <= thing.first:
        return thing.first - cue.last <= 2
    between = set(draft.sketch.words(thing.last, cue.first))
    return cue.first - thing.last <= 4 and between <= _TRAILING

"""What a negation is said of: the next thing after it, or the last one before it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from tiers.graphrag.operators.conditions import Condition, Test
from tiers.graphrag.reading.denying import goes_without
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.listing import RELATING, SOLELY
from tiers.graphrag.reading.sketch import Refusal, Sketch
from tiers.graphrag.reading.statement import Stated
from tiers.graphrag.reading.tree import Branch, Variable
from tiers.graphrag.reading.universals import all_from
from trivium.domain.evidence import Reason
from trivium.domain.question import Cue, Span
from trivium.language.text import is_participle

_POINTING: Final = frozenset(
    {"those", "the", "ones", "any", "that", "which", "such", "anything", "everything", "anyone"}
)  # fmt: skip
_BUT: Final = frozenset({"but", "except", "save"})
_ANYTHING: Final = frozenset(
    {"nothing", "anything", "nobody", "anybody", "noone", "anyone", "nowhere", "anywhere", "none",
     "only"}
)  # fmt: skip
_BEFORE_SUBJECT: Final = frozenset(
    {"does", "do", "did", "is", "are", "where", "that", "so", "whose"}
)
_NOT_ANY: Final = frozenset({"no", "nobody", "nothing", "nowhere", "none", "noone"})
_FAR_ELSE: Final = 6
"""Words after a name that may say there is no other: "and from no one else"."""
_FAR_BUT: Final = 6
"""Words from "nothing" to what is left: "nothing of ours but the"."""


def negate(draft: Draft, root: Variable) -> None:
    """Negate, for every negation in a question, the branch or condition that it is said of.

    Raises:
        Refusal: "and nothing else" is said of what has no others to leave out.
    """
    _only(draft, root)
    _only_such(draft, root)
    for cue in (*draft.cues("negation"), *_exceptions(draft)):
        chosen = _chosen(draft, cue, _targets(draft, root))
        if chosen is None or _says_else(draft, root, cue) or _goes_on(draft, cue):
            continue
        if draft.sketch.words(cue.span.first - 1, cue.span.last + 1) == ["and", "nothing", "else"]:
            raise Refusal(
                Reason.NOT_IN_SCHEMA, "What 'nothing else' leaves out is not in the schema."
            )
        draft.used.add(cue.span)
        if isinstance(chosen, Branch):
            chosen.is_negated = not chosen.is_negated
        else:
            variable, value = chosen
            variable.conditions = [d for c in variable.conditions for d in _denied(c, value)]
    for variable in list(root.walk()):
        _move_into_denied(variable)


def _move_into_denied(variable: Variable) -> None:
    """Read "where X stages no play": no play of X, for a place with no play has none of X's."""
    for denied in [b for b in variable.branches if b.is_negated and b.child.is_bare]:
        for branch in [b for b in variable.branches if not b.is_negated and b.count is None]:
            parts = branch.path.split(denied.child.type)
            if parts and parts[0].hops == denied.path.hops and branch.child.anchor:
                variable.branches.remove(branch)
                denied.child.branches.append(replace(branch, path=parts[1]))


def _exceptions(draft: Draft) -> list[Cue]:
    """Return the exceptions of a kind, not of a name: "except those with a contract", "in York"."""
    sketch = draft.sketch
    named = [a.span.first for a in sketch.anchors]
    values = [s.span.first for s in draft.stated]
    return [
        c
        for c in draft.cues("exception")
        if (
            _POINTING & set(sketch.words(c.span.last, c.span.last + 1))
            or any(0 <= first - c.span.last <= 1 for first in values)
        )
        and not any(0 <= first - c.span.last <= 1 for first in named)
    ]


def _only(draft: Draft, root: Variable) -> None:
    """Read "nothing but X", "only from X", "X and no one else": X, and no other one."""
    for head, branch in list(root.all_branches()):
        anchor = branch.child.anchor
        if anchor is None or not anchor.ids or branch.is_negated:
            continue
        if not _is_sole(draft.sketch, anchor.span):
            continue
        others = Variable(type=branch.child.type, span=branch.span, excluded=[anchor])
        head.branches.append(
            Branch(child=others, path=branch.path, span=branch.span, is_negated=True)
        )
        said = range(anchor.span.first - _FAR_BUT - 2, anchor.span.last + _FAR_ELSE)
        told = draft.cues("negation", "exception", "single")
        draft.used |= {c.span for c in told if c.span.first in said}


def _is_sole(sketch: Sketch, name: Span) -> bool:
    """Whether the words around a name leave no other of its kind."""
    before = sketch.words(name.first - _FAR_BUT, name.first)
    at = max((i for i, w in enumerate(before) if w in _BUT), default=-1)
    if at >= 0 and set(before[:at]) & _ANYTHING:
        return True
    while before and before[-1] in RELATING | {"the"}:
        before.pop()
    if len(before) > 2 and before[-2] == "be" and is_participle(before[-1]):
        before = before[:-2]  # "can only be reached by X"
    is_solely = len(before) > 1 and before[-1] in SOLELY
    if is_solely and before[-2] not in {"not", "the"}:
        return True
    after = sketch.words(name.last, name.last + _FAR_ELSE)
    ends = name.last + 1 >= len(sketch.tokens) or name.last + 1 in sketch.breaks
    does = any(t.span.first == name.last + 1 for t in sketch.relations)
    if after[:1] in (["alone"], ["only"]) and (ends or (does and after[0] == "alone")):
        return True
    joint, *rest = [w for w in after if w not in RELATING | {"one", "body"}] or [""]
    is_none = bool(_NOT_ANY & set(rest[:1])) and bool({"else", "other", "others"} & set(rest[1:2]))
    return joint in {"and", "but"} and is_none


def _only_such(draft: Draft, root: Variable) -> None:
    """Read "nothing but red wine", "all of whose parcels lie high": such, and no other."""
    sketch = draft.sketch
    for _, branch in root.all_branches():
        child = branch.child
        is_kind = child.anchor is None or bool(child.anchor.conditions)
        is_counted = branch.count is not None and branch.count != (Test.AT_LEAST, 1.0)
        if not is_kind or child.is_bare or branch.is_negated or not child.span or is_counted:
            continue
        own = [s.span for s in draft.stated if any(c.value == s.value for c in child.conditions)]
        spans = [child.span, *own]
        first = min(s.first for s in spans)
        first = next((p.span.first for p in sketch.properties if p.span.last == first), first)
        last = max(s.last for s in spans)
        is_closed = _closes(sketch, last)
        if (
            is_closed
            or _is_each_subject(draft, child.span)
            or _is_nothing_but(sketch.words(first - 3, first))
            or _says_all(sketch, child.span, own)
        ):
            branch.is_only, branch.count = True, None
            said = range(first - 3, last + 4 if is_closed else first + 1)
            denied = draft.cues("negation", "exception", "single")
            draft.used |= {c.span for c in denied if c.span.first in said}


def _is_each_subject(draft: Draft, thing: Span) -> bool:
    """Whether something is said of every one that belongs to what is asked for.

    "In which districts does every stand have a forester", "every stand they own is closed".
    """
    sketch = draft.sketch
    at = thing.first
    while at and sketch.tokens[at - 1].lower in {"the", "single", "one", "of", "our", "those"}:
        at -= 1
    said = sketch.words(at - 1, at)
    is_own = sketch.words(thing.last, thing.last + 1) in (["they"], ["it"])
    opens = at - 1 in sketch.breaks or bool(set(sketch.words(at - 2, at - 1)) & _BEFORE_SUBJECT)
    return said in (["every"], ["all"]) and (is_own or opens) and all_from(draft, thing) is None


def _is_nothing_but(before: Sequence[str]) -> bool:
    """Whether the words before a thing leave nothing else: "nothing but", "exclusively"."""
    return list(before[-2:]) in (["nothing", "but"], ["none", "but"]) or bool(
        set(before[-1:]) & SOLELY
    )


def _closes(sketch: Sketch, last: int) -> bool:
    """Whether the words after a thing leave no other: "huts and no other kind of site"."""
    if sketch.words(last, last + 1) and sketch.words(last, last + 1)[0] in RELATING:
        last += 2 if sketch.words(last + 1, last + 2) in (["us"], ["it"], ["them"]) else 0
    after = sketch.words(last, last + 3)
    return after[:3] in (
        ["and", "no", "other"],
        ["and", "nothing", "else"],
        ["and", "no", "others"],
    )


def _says_all(sketch: Sketch, thing: Span, stated: Sequence[Span]) -> bool:
    """Whether "all" is said of the things of what is asked for: "whose parcels all lie high"."""
    before = sketch.words(thing.first - 4, thing.first)
    if before[-1:] and before[-1] in {"whose", "their", "its"} and before[-2:-1] == ["of"]:
        return before[-3:-2] in (["all"], ["each"]) or before[-4:-2] == ["every", "one"]
    if before[-1:] and before[-1] in {"their", "its"} and before[-2:-1] == ["all"]:
        return True
    after = sketch.words(thing.last, max((s.last for s in stated), default=thing.last))
    is_all = "all" in after and before[-1:] == ["whose"]
    is_each = {"every", "one", "of"} <= set(after) and bool({"them", "theirs"} & set(after))
    return is_all or is_each or _has_all_of_them(after)


def _has_all_of_them(after: Sequence[str]) -> bool:
    return any(after[i : i + 3] == ["all", "of", "them"] for i in range(len(after)))


def _says_else(draft: Draft, root: Variable, cue: Cue) -> bool:
    """Whether a negation denies nothing of what is asked for."""
    is_stated = any(cue.span in s.spans for s in draft.stated)
    is_fault = _is_of_ability(draft, cue) or _is_told_before(draft, root, cue)
    return is_stated or is_fault or _is_either_way(draft, cue)


def _goes_on(draft: Draft, cue: Cue) -> bool:
    """Whether "nor" only goes on in a list that is denied as one: "neither X nor Y"."""
    sketch = draft.sketch
    if sketch.words(cue.span.first, cue.span.last) != ["nor"]:
        return False
    at = cue.span.last
    while sketch.words(at, at + 1) in (["the"], ["a"], ["an"], ["our"]):
        at += 1
    things = [a.span for a in sketch.anchors] + [s.span for s in draft.stated]
    return any(s.first == at for s in things) and any(s.last == cue.span.first for s in things)


def _is_told_before(draft: Draft, root: Variable, cue: Cue) -> bool:
    """Whether a negation tells of a fault, in a clause before the question: "X sends no more"."""
    sketch = draft.sketch
    if not root.span or cue.span.last > root.span.first:
        return False
    is_other_clause = any(cue.span.last <= b <= root.span.first for b in sketch.breaks)
    is_of_name = any(a.span.last <= cue.span.first for a in sketch.anchors)
    if "what" in sketch.words(0, cue.span.first):
        return False  # "looking at what X is not trained on"
    words = set(sketch.words(cue.span.first, cue.span.last))
    return is_other_clause and is_of_name and bool(words & {"no", "nothing", "not", "t"})


def _is_either_way(draft: Draft, cue: Cue) -> bool:
    """Whether "or not" leaves it open: "running or not"."""
    sketch = draft.sketch
    if sketch.words(cue.span.last, cue.span.last + 1) == ["even"]:
        return True
    ends = cue.span.last >= len(sketch.tokens) or cue.span.last in sketch.breaks
    return ends and sketch.words(cue.span.first - 1, cue.span.first) == ["or"]


def _is_of_ability(draft: Draft, cue: Cue) -> bool:
    """Whether "cannot be ..." says what a fault does, rather than what something lacks."""
    words = draft.sketch.words(cue.span.first, cue.span.last + 1)
    is_ability = words[0] in {"cannot", "can", "cant", "could", "couldn"} or (
        draft.sketch.words(cue.span.first - 1, cue.span.first) in (["can"], ["could"])
    )
    return (is_ability or goes_without(draft.sketch, cue)) and draft.sketch.has(
        "removal", "hypothetical"
    )


_Target = Branch | tuple[Variable, Stated]


def _targets(draft: Draft, root: Variable) -> list[tuple[Span, _Target]]:
    found: list[tuple[Span, _Target]] = [
        (b.span, b)
        for head, b in root.all_branches()
        if b.span and (head is root or b.span.last != head.span.first)
    ]  # of "no injured player", the player is denied
    for variable in root.walk():
        for statement in draft.stated:
            is_here = any(_is_of(c, statement.value) for c in variable.conditions)
            is_own = statement.span == variable.span
            is_adjective = variable is not root and statement.span.first < variable.span.first
            if is_here and not is_own and not is_adjective:
                found.append((statement.span, (variable, statement.value)))
    return sorted(found, key=lambda t: t[0].first)


def _chosen(draft: Draft, cue: Cue, targets: list[tuple[Span, _Target]]) -> _Target | None:
    """Return the next thing after a negation in its sentence, else the last one before it."""
    sketch = draft.sketch
    end = min((s for s in sketch.stops if s > cue.span.first), default=len(sketch.tokens))
    later = [t for t in targets if cue.span.last <= t[0].first < end or cue.span.overlaps(t[0])]
    if later:
        return later[0][1]
    earlier = [t for t in targets if t[0].last <= cue.span.first]
    return earlier[-1][1] if earlier else None


def _denied(condition: Condition, value: Stated) -> list[Condition]:
    """Return a condition on a value, denied; of "neither X nor Y", both are."""
    if not _is_of(condition, value):
        return [condition]
    values = condition.value if isinstance(condition.value, tuple) else (condition.value,)
    return [replace(condition, test=Test.DIFFERS, value=v) for v in values]


def _is_of(condition: Condition, value: Stated) -> bool:
    if isinstance(condition.value, tuple):
        return condition.test is Test.IN and value in condition.value
    return condition.value == value and condition.test in {Test.EQUALS, Test.DIFFERS}

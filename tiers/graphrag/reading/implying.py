"""Reads what is said without its object: "single-sourced", "the only one on", "held up"."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from tiers.graphrag.operators.conditions import Test
from tiers.graphrag.operators.traversal import Hop
from tiers.graphrag.reading.counting import Counted
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.listing import BE, RELATING
from tiers.graphrag.reading.paths import TypedPath
from tiers.graphrag.reading.sketch import Sketch, gap
from tiers.graphrag.reading.statement import Statement
from tiers.graphrag.reading.tree import Branch, Variable
from tiers.graphrag.reading.voice import as_doer, directed
from trivium.domain.question import Span
from trivium.language.text import is_participle, spoken, stems
from trivium.language.words import general_words

STRONG: Final = 0.8
"""For a relation that alone says what is asked for: "which products do we sell"."""
_COMPUTING: Final = frozenset(
    {"count", "sum", "average", "most", "least", "compare", "path", "single", "above", "below",
     "risk", "degree", "removal", "exception"}
)  # fmt: skip
_NOBODY: Final = frozenset({"nobody", "nothing", "none", "nowhere"})
_SHARING: Final = frozenset({"share", "shares", "sharing"})
_NEAR_SHARED: Final = 3
"""Words from "share" to what is shared, at most."""
_BEFORE_DOER: Final = frozenset(
    {"no", "a", "an", "any", "own", "their", "its", "have", "has", "had", "having", "with",
     "without"}
)  # fmt: skip
"""Words after which a word is a noun, though a verb has its form."""
_BEYOND: Final = Span(first=10**6, last=10**6)
"""Where an object stands that is not named: after its verb."""


def imply_sharing(draft: Draft, root: Variable) -> None:
    """Hang what has a thing in common with another of its kind: "which clubs share a ground"."""
    for branch in root.branches:
        child = branch.child
        before = draft.sketch.words(child.span.first - _NEAR_SHARED, child.span.first)
        is_shared = before[-1:] == ["same"] or bool(_SHARING & set(before[:-1]))
        is_one = bool({"same", "a", "an", "one", "the", "some", "their", "its"} & set(before[-1:]))
        is_plain = child.anchor is None and not branch.is_negated and child.type != root.type
        if is_shared and is_one and is_plain and child.span:
            like = Variable(
                type=root.type, span=Span(first=child.span.first, last=child.span.first)
            )
            back = branch.path.back()
            more = Branch(child=like, path=back, span=like.span, count=(Test.ABOVE, 1.0))
            child.branches.append(more)
            draft.used |= {c.span for c in draft.cues("shared")}


def imply_counts(draft: Draft, root: Variable, counts: Iterable[Counted]) -> None:
    """Hang the counts whose object is implied: "single-sourced", "the only vessel on ..."."""
    for counted in counts:
        if counted.spans & draft.used:
            continue
        if counted.is_of_root:
            _only_of(draft, root, counted)
        elif counted.is_implied:
            _feeding(draft, root, counted)


def _only_of(draft: Draft, root: Variable, counted: Counted) -> None:
    """Read "the only vessel on their service": what it is on has no other."""
    branch = next((b for b in root.branches if b.span.first >= counted.at), None)
    branch = branch or next(iter(reversed(root.branches)), None) or _counted_branch(draft, root)
    if branch is None or branch.child.anchor or branch.child.type == root.type:
        return
    like = Variable(type=root.type, span=Span(first=counted.at, last=counted.at))
    back = Branch(child=like, path=branch.path.back(), span=like.span, count=counted.count)
    branch.child.branches.append(back)
    draft.used |= counted.spans


def _counted_branch(draft: Draft, root: Variable) -> Branch | None:
    """Hang what is counted for each: "for how many routes is each ship the only one"."""
    word = next((t for t in draft.sketch.wanted if t.type != root.type), None)
    path = draft.way(root.type, word.type) if word else None
    if word is None or path is None:
        return None
    root.branches.append(
        Branch(child=Variable(type=word.type, span=word.span), path=path, span=word.span)
    )
    return root.branches[-1]


def _feeding(draft: Draft, root: Variable, counted: Counted) -> None:
    """Read "single-sourced": one of what feeds it, along the relation that is named."""
    ends = {s.last for s in counted.spans}
    relative = draft.sketch.words(counted.at, counted.at + 1) in (["that"], ["which"])
    noun = counted.at if relative else -1

    def is_said_of(head: Variable) -> bool:
        return bool(head.span) and (head.span.first in ends or head.span.last == noun)

    for head in sorted(root.walk(), key=lambda v: not is_said_of(v)):
        hop = _feeder(draft, head.type)
        if hop is None or hop.to_type is None or head.anchor is not None:
            continue
        child = Variable(type=hop.to_type, span=Span(first=counted.at, last=counted.at))
        path = TypedPath(hops=(hop,), types=(head.type, hop.to_type), cost=1)
        head.branches.append(Branch(child=child, path=path, span=child.span, count=counted.count))
        draft.used |= counted.spans
        return


def _feeder(draft: Draft, node_type: str) -> Hop | None:
    """Return the step to what a type rests on, a named one first, else any step named."""
    named = draft.sketch.relation_names()
    feeders = list(draft.sketch.paths.feeders(node_type))
    others = [hop for _, hop, _ in draft.sketch.paths.hops_from(node_type)]
    options = [h for h in feeders if h.relation in named] + feeders
    options += [h for h in others if h.relation in named]
    return options[0] if options else None


def imply_relations(draft: Draft, root: Variable) -> None:
    """Hang the relations that are said without their object: "held up", "chartered ships"."""
    used = {h.relation for _, b in root.all_branches() for h in b.path.hops}
    for span, names in _by_span(draft).items():
        if not used & set(names) and _stands_alone(draft, span):
            used |= _existence(draft, root, span, names)
    for statement in draft.stated:
        if _is_of_other(draft, statement):
            continue
        if statement.relations and not used & statement.relations:
            used |= _existence(draft, root, statement.span, sorted(statement.relations))


def _is_of_other(draft: Draft, statement: Statement) -> bool:
    """Whether a value of one relation is a word for another one, which is what it says."""
    named = {t.name for t in draft.sketch.relations if t.span.overlaps(statement.span)}
    return bool(named) and not named & statement.relations


def imply_lacks(draft: Draft, root: Variable) -> None:
    """Deny the relation that an adjective says something lacks: "which tanks stand empty"."""
    sketch = draft.sketch
    if not any(t.lower in general_words().lacking for t in sketch.tokens):
        return
    terms = [v.span for v in sketch.values] + [p.span for p in sketch.properties]
    terms += [c.span for c in sketch.question.cues_of("nonzero")]
    for index, token in enumerate(sketch.tokens):
        span = Span(first=index, last=index + 1)
        verbs = general_words().lacking.get(token.lower)
        if verbs is None or any(span.overlaps(t) for t in terms):
            continue
        heads = [v for v in root.walk() if v.anchor is None]
        for head in sorted(heads, key=lambda v: gap(v.span, span)):
            lacked = (h for _, h, _ in sketch.paths.hops_from(head.type) if _verb_of(h) in verbs)
            branch = next(
                (b for h in lacked if (b := _bare_branch(draft, head, span, h.relation))), None
            )
            if branch is not None:
                branch.is_negated = True
                head.branches.append(branch)
                break


def _verb_of(hop: Hop) -> str:
    return stems(spoken(hop.relation))[0]


def imply_asked(draft: Draft, root: Variable) -> None:
    """Hang the one relation that is named as what is asked for: "which products we sell"."""
    strong = [t for t in draft.sketch.relations if t.score >= STRONG or _is_had(draft, t.span)]
    if strong:
        term = max(strong, key=lambda t: t.score)
        _existence(draft, root, term.span, [term.name])


def _is_had(draft: Draft, noun: Span) -> bool:
    """Whether what a relation is called is had: "had an agreement with us"."""
    before = draft.sketch.words(noun.first - 2, noun.first)
    return before[:1] in (["have"], ["has"], ["had"]) and before[1:] in (["a"], ["an"], ["any"])


def _by_span(draft: Draft) -> Mapping[Span, list[str]]:
    by_span: dict[Span, list[str]] = {}
    for term in sorted(draft.sketch.relations, key=lambda t: -t.score):
        by_span.setdefault(term.span, []).append(term.name)
    return by_span


def _stands_alone(draft: Draft, span: Span) -> bool:
    """Whether a word is a verb without its object: a participle, or negated."""
    sketch = draft.sketch
    things = [t.span for t in sketch.types] + [a.span for a in sketch.anchors]
    things += [v.span for v in sketch.values] + [p.span for p in sketch.properties]
    things += [c.span for c in sketch.question.cues if c.kind in _COMPUTING]
    if any(span.overlaps(s) for s in things) or _tells_a_date(draft, span):
        return False
    if sketch.has("removal") and any(c.span == span for c in draft.cues("impact")):
        return False
    if _has_value(draft, span):
        return False
    if _is_denied(draft, span) or _is_had_by_its_like(draft, span) or _is_held(draft, span):
        return True
    if not is_participle(sketch.tokens[span.first].lower):
        return False
    is_passive = bool(set(sketch.words(span.first - 4, span.first)) & (BE | {"not"}))
    is_adjective = any(
        t.span.first == span.last and not sketch.is_parted(span.first, t.span.first)
        for t in sketch.types
    )
    return is_passive or is_adjective


def _is_had_by_its_like(draft: Draft, span: Span) -> bool:
    """Whether a noun says who does it to another of the type: "keepers with a mentor"."""
    sketch = draft.sketch
    names = [t.name for t in sketch.relations if t.span == span]
    ends = [pair for name in names for pair in sketch.schema.relation_types[name].ends]
    numbers = {q.span.last for q in sketch.question.quantities}
    numbers |= {c.span.last for c in draft.cues("plural", "single")}
    return any(s == t for s, t in ends) and (_is_doer(sketch, span) or span.first in numbers)


def _is_held(draft: Draft, noun: Span) -> bool:
    """Whether what a relation is called is had now: "musicians with a current contract"."""
    at = noun.first
    states = {i for c in draft.sketch.question.cues_of("now", "open") for i in c.span}
    while at - 1 in states:
        at -= 1
    before = draft.sketch.words(at - 2, at)
    is_had = before[:1] in (["with"], ["having"]) and before[1:] in (["a"], ["an"], ["any"])
    return is_had and at < noun.first


def _has_value(draft: Draft, verb: Span) -> bool:
    """Whether a verb only leads to a value: "do not run on diesel"."""
    leading = RELATING | {"as"}
    between = (draft.sketch.words(verb.last, v.span.first) for v in draft.sketch.values
               if v.span.first >= verb.last)  # fmt: skip
    return any(set(words) <= leading for words in between)


def _tells_a_date(draft: Draft, span: Span) -> bool:
    """Whether a verb only says which day is meant: "logged after May"."""
    times = [t.span for t in draft.sketch.question.times]
    dated = {s for statement in draft.stated for s in statement.spans}
    return any(0 <= t.first - span.last <= 1 and t in dated for t in times)


def _is_denied(draft: Draft, verb: Span) -> bool:
    """Whether a negation stands before a verb, or "nobody" after it."""
    for cue in draft.cues("negation"):
        words = set(draft.sketch.words(cue.span.first, cue.span.last))
        is_before = 0 <= verb.first - cue.span.last <= 2
        is_after = 0 <= cue.span.first - verb.last <= 3 and bool(words & _NOBODY)
        if is_before or is_after:
            return True
    return False


def _existence(draft: Draft, root: Variable, span: Span, names: Sequence[str]) -> set[str]:
    """Hang the first of some relations that fits on the nearest thing that has it."""
    heads = [v for v in root.walk() if v.anchor is None]
    heads.sort(key=lambda v: (gap(v.span, span), v.span.first > span.first))
    for name in names:
        for head in heads:
            branch = _bare_branch(draft, head, span, name)
            if branch:
                head.branches.append(branch)
                return {name}
    return set()


def _is_doer(sketch: Sketch, span: Span) -> bool:
    """Whether a noun says who does what a relation says: "has no mentor", "without a deputy"."""
    before = sketch.words(span.first - 1, span.first)
    word = sketch.tokens[span.last - 1].lower
    is_noun = bool(before) and before[0] in _BEFORE_DOER
    return is_noun and not word.endswith(("ing", "ed"))


def _bare_branch(draft: Draft, head: Variable, span: Span, relation: str) -> Branch | None:
    sketch = draft.sketch
    for other, hop, _ in sketch.paths.hops_from(head.type):
        if hop.relation != relation:
            continue
        path = TypedPath(hops=(hop,), types=(head.type, other), cost=1)
        if other == head.type:
            is_doer = _is_doer(sketch, span)
            path = as_doer(path) if is_doer else directed(sketch, path, _BEYOND)
        child = Variable(type=other, span=span)
        child.is_open = sketch.schema.node_types[other].is_event and draft.when is None
        return Branch(child=child, path=path, span=span)
    return None

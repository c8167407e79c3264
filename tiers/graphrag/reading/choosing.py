"""Which number a question asks for: all that what is named can reach, scored by what is said.

Each number property of a type or a relation is a candidate. What speaks for one is added up: the
words of its name and of its description where the question asks, a unit, a time that it holds for,
an adjective or a verb that asks for such a number, money; and that what has it is named, or joins
what is. The weights were set on the questions of ``bench.reading``; a tenth more or less of any
changes little.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Final

from tiers.graphrag.reading.asked import Asked, asked
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.summing import adds_up, amount_of
from trivium.domain.schema import RelationType
from trivium.language.text import spoken, stems

_OWN: Final = 0.5
"""For a type that has a number, when it is named."""
_OF_NAME: Final = 0.4
"""For one of which an entity is named alone."""
_ABSENT: Final = -0.3
"""For what has a number, when neither it nor an end of it is named."""
_NAME: Final = 0.3
"""For an end of a relation of which an entity is named."""
_TYPE: Final = 0.15
"""For an end that is named by its type."""
_TWO_ENDS: Final = 0.1
"""For a relation of which both ends are named."""
_TWO_NAMES: Final = 0.15
"""For one that joins two names."""
_RELATION: Final = 0.25
"""For a relation that is named, and once more where the number is asked for."""
_PART: Final = 0.1
"""For each word of a relation's name."""
_TOLD_OF: Final = 0.3
"""For what has a number, when something else of it is stated."""
_MEASURED: Final = 0.7
"""For the amount on what joins "how much stout" with something named, or on "the stock of"."""
_CLEAR: Final = 0.02
"""How far the best must be ahead of the next."""
_ENOUGH: Final = 0.35
"""How much the words must say for a number."""
_ENOUGH_IN_ALL: Final = 0.5
_SURE: Final = 0.9


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A number that may be asked for."""

    owner: str
    """The type or the relation that has it."""
    name: str
    words: float
    """What the words of the question say for it."""
    presence: float
    """That what has it is named, or joins what is."""
    is_by_word: bool
    """Whether an adjective or a verb asks for it: "how deep", "what does it cost"."""

    @property
    def score(self) -> float:
        """Higher is better."""
        return self.words + self.presence


def chosen(draft: Draft) -> Candidate | None:
    """Return the number that a question asks for, where one is clearly the best."""
    found = candidates(draft)
    if not found or found[0].words < _ENOUGH or found[0].score < _ENOUGH_IN_ALL:
        return None
    is_clear = len(found) == 1 or found[0].score - found[1].score >= _CLEAR
    return found[0] if is_clear else None


def candidates(draft: Draft) -> list[Candidate]:
    """Return the numbers that a question may ask for, best first."""
    said = asked(draft)
    measured = set(_measured(draft))
    found = []
    for owner, name in draft.sketch.glossary.numbers():
        words = said.score(owner, name) + _MEASURED * ((owner, name) in measured)
        if words > 0:
            found.append(
                Candidate(
                    owner=owner,
                    name=name,
                    words=words,
                    presence=_presence(draft, said, owner),
                    is_by_word=said.is_by_word(name),
                )
            )
    return sorted(found, key=lambda c: -c.score)


def joins_two(draft: Draft, relation: RelationType) -> bool:
    """Whether a name stands at both ends of a relation."""
    types = [a.type for a in draft.sketch.anchors]
    return any(s in types and t in types and (s != t or len(types) > 1) for s, t in relation.ends)


def _presence(draft: Draft, said: Asked, owner: str) -> float:
    """Return what speaks for an owner: that it is named, or that its ends are."""
    sketch = draft.sketch
    names, types = Counter(a.type for a in sketch.anchors), Counter(t.type for t in sketch.types)
    told = _TOLD_OF * any(o == owner for s in draft.stated for o, _ in s.owners[:1])
    relation = sketch.schema.relation_types.get(owner)
    if relation is None:
        return told + (_OWN if types[owner] else _OF_NAME if names[owner] else _ABSENT)
    score = told + max(_of_ends(ends, names, types) for ends in relation.ends)
    places = [t.span.first for t in sketch.relations if t.name == owner]
    score += _RELATION * bool(places) + _RELATION * any(map(said.is_asked, places))
    score += _PART * len(said.said.keys() & set(stems(spoken(owner))))
    return score + (_TWO_NAMES if joins_two(draft, relation) else 0.0)


def _of_ends(ends: tuple[str, str], names: Counter[str], types: Counter[str]) -> float:
    """Return what speaks for a relation between two types; each thing named is one end."""
    found = []
    named, typed = Counter(names), Counter(types)
    for end in ends:
        for left, gain in ((named, _NAME), (typed, _TYPE)):
            if left[end] > 0:
                left[end] -= 1
                found.append(gain)
                break
    return sum(found) + _TWO_ENDS * (len(found) > 1) if found else _ABSENT


def _measured(draft: Draft) -> list[tuple[str, str]]:
    """Return the amounts of what is measured: "how much stout is in the tanks", "the stock of X".

    Of "how many" things that are named each by their model, too.
    """
    sketch = draft.sketch
    found = []
    for cue in draft.cues("count", "sum"):
        at = cue.span.last
        is_much = sketch.words(at - 1, at) == ["much"]
        things = {t.type for t in sketch.types if t.span.first == at and is_much}
        things |= {a.type for a in sketch.anchors if a.span.first == at and cue.kind == "count"}
        others = sketch.named_types - things
        for relation in sketch.schema.relation_types.values():
            joins = any(set(e) & things and set(e) & others for e in relation.ends)
            is_noun = cue.kind == "sum" and _is_noun_of(draft, relation, at)
            amount = amount_of(relation) if joins or is_noun else None
            if amount is not None and adds_up(amount.name):
                found.append((relation.name, amount.name))
    return found


def _is_noun_of(draft: Draft, relation: RelationType, at: int) -> bool:
    """Whether a relation's noun stands at a place: "the total stock of X"."""
    return any(
        t.name == relation.name
        and t.span.first == at
        and t.score >= _SURE
        and draft.sketch.words(t.span.last, t.span.last + 1) == ["of"]
        for t in draft.sketch.relations
    )

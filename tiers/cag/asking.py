"""What a question asks of entities, where it names none of their attributes."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from tiers.cag.findings import Entity
from tiers.cag.wording import SURE, Wording
from trivium.domain.question import Span, TermKind
from trivium.language.plurals import is_plural

_OF_ONE_THING: Final = frozenset({"who", "whom", "whose", "where", "when", "why"})
"""Question words that ask for one thing, and not for all that is known."""
_WEAK_PROFILES: Final = frozenset({"what is", "who is", "who are"})
_IDLE: Final = frozenset(
    {"the", "our", "this", "a", "again", "exactly", "actually", "please", "then"}
)
"""Words beside a name after "who is" that ask for nothing more."""
_ABOUT: Final = frozenset({"about", "on", "regarding", "re"})


def asks_for_profile(wording: Wording, entities: Sequence[Entity], in_vain: str | None) -> bool:
    """Whether the question asks for what is known in general.

    "On X" alone does not where something else is asked for: "the reject rate on X", "how many".
    """
    is_plain = in_vain is None and not (wording.cues("count") or wording.degrees_asked)
    about = _ABOUT if is_plain else _ABOUT - {"on"}
    for cue in wording.cues("profile"):
        is_weak = " ".join(wording.tokens[i].lower for i in cue.span) in _WEAK_PROFILES
        if not is_weak or _says_no_more(wording, cue.span, entities):
            return True
    for entity in entities:
        before = [
            wording.tokens[i].lower for i in range(max(0, entity.span.first - 2), entity.span.first)
        ]
        if about & set(before[-1:]) or (about & set(before) and before[-1] in {"the", "our"}):
            return True
    return False


def _says_no_more(wording: Wording, asking: Span, entities: Sequence[Entity]) -> bool:
    """Whether a question only names something after "who is" or "what is"."""
    told = {i for span in (asking, *(e.span for e in entities)) for i in span}
    rest = [t.lower for i, t in enumerate(wording.tokens) if i not in told]
    return set(rest) <= _IDLE


def asks_otherwise(wording: Wording, entities: Sequence[Entity]) -> str | None:
    """Return what shows that something else is asked: a question word, or another type."""
    if wording.degrees_asked:
        return f"how {wording.degrees_asked[0]}"
    asking = (t.text for t in wording.tokens if t.lower in _OF_ONE_THING)
    return other_type(wording, entities) or next(asking, None)


def asks_for_several(wording: Wording) -> bool:
    """Whether the question is after a plural: "which students"."""
    return any(
        a.lower in {"which", "what"} and is_plural(b.lower) and i in wording.heads
        for i, (a, b) in enumerate(pairwise(wording.tokens), 1)
    )


def other_type(wording: Wording, entities: Sequence[Entity]) -> str | None:
    """Return the words for a type that none of the entities is of."""
    own = {e.type for e in entities}
    others = (t for t in wording.question.terms_of(TermKind.TYPE) if t.name not in own)
    return next((wording.question.words(t.span) for t in others if t.score >= SURE), None)


def asked_in_vain(wording: Wording, entities: Sequence[Entity]) -> str | None:
    """Return the words that ask for something that is no attribute of the entities."""
    spans = [e.span for e in entities]
    used = {i for span in spans for i in span}
    told = wording.own if wording.is_follow_up else wording.sentence_of(spans)
    indexes = [i for i in told if i not in used]
    unread = wording.unread(entities[0].type, indexes)
    if unread:
        return wording.told(unread)
    relations = [t for t in wording.question.terms_of(TermKind.RELATION) if t.score >= SURE]
    return wording.question.words(relations[0].span) if relations else None

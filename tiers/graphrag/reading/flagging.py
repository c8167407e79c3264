"""Statements on flags: "step-free rooms", "without sprinklers"."""

from collections.abc import Iterator
from typing import Final

from tiers.graphrag.operators.conditions import Test
from tiers.graphrag.reading.sketch import PropertyWord, Sketch, gap
from tiers.graphrag.reading.statement import Statement, property_of, stated
from trivium.domain.question import Span
from trivium.domain.schema import PropertyKind
from trivium.language.text import spoken, stems

_WHOLE_FLAG: Final = 0.8
"""For a flag that is named whole."""
_DENIALS: Final = frozenset({"not", "no", "without", "isn", "aren", "never"})
_POLES: Final = frozenset({"yes", "no", "true", "false"})


def flags(sketch: Sketch) -> Iterator[Statement]:
    """Give "step-free rooms" and "without sprinklers": properties that hold or do not."""
    for word in sketch.properties:
        owners = [(o, word.name) for o in word.owners if _is_flag(sketch, o, word.name)]
        if owners and _is_whole(sketch, word) and not _has_value(sketch, word):
            yield _flag(sketch, word, owners)


def _is_whole(sketch: Sketch, word: PropertyWord) -> bool:
    """Whether a flag is named, and not by one word of its name: "step" is not step-free."""
    parts = set(stems(spoken(word.name)))
    return word.score >= _WHOLE_FLAG or parts <= {t.stem for t in sketch.tokens}


def _has_value(sketch: Sketch, word: PropertyWord) -> bool:
    own = [v for v in sketch.values if any(name == word.name for _, name in v.owners)]
    return any(gap(v.span, word.span) <= 2 and not _denies_noun(sketch, v.span) for v in own)


def _denies_noun(sketch: Sketch, span: Span) -> bool:
    """Whether "no" only denies the noun after it: "on call and run no plant"."""
    return sketch.words(span.first, span.last) == ["no"] and bool(
        sketch.type_after(span.last, within=2)
    )


def _flag(sketch: Sketch, word: PropertyWord, owners: list[tuple[str, str]]) -> Statement:
    before = set(sketch.words(word.span.first - 2, word.span.first))
    is_denied = bool(_DENIALS & before)
    told = property_of(sketch, *owners[0])
    yes, no = _poles(told.values) if told and told.values else ("True", "False")
    cues = [
        c.span
        for c in sketch.question.cues_of("negation")
        if is_denied and 0 <= word.span.first - c.span.last <= 1
    ]
    value = no if is_denied else yes
    return stated(sketch, word.span, owners, Test.EQUALS, value, spans=cues, by_property=True)


def _is_flag(sketch: Sketch, owner: str, name: str) -> bool:
    item = property_of(sketch, owner, name)
    if item is None:
        return False
    is_two = bool(item.values) and {v.casefold() for v in item.values} <= _POLES
    return item.kind is PropertyKind.BOOLEAN or is_two


def _poles(values: tuple[str, ...]) -> tuple[str, str]:
    yes = next((v for v in values if v.casefold() in {"yes", "true"}), "yes")
    no = next((v for v in values if v.casefold() in {"no", "false"}), "no")
    return yes, no

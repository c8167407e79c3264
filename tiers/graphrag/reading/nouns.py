"""Nouns that are values: "actors", "an editor"; each names the type whose entities have it."""

from collections.abc import Sequence
from typing import Final

from tiers.graphrag.reading.sketch import TypeWord, ValueWord, gap
from tiers.graphrag.reading.terms import WHOLE_VALUE
from trivium.domain.question import Span, Understood
from trivium.domain.schema import PropertyKind, Schema
from trivium.language.text import fold
from trivium.language.words import general_words

_COUNTING: Final = frozenset(
    {"a", "an", "one", "no", "any", "another", "each", "every", "which", "what", "single", "sole",
     "only", "second"}
)  # fmt: skip
_KINDS: Final = frozenset({"type", "kind", "category"})


def value_nouns(
    question: Understood, values: Sequence[ValueWord], types: Sequence[TypeWord], schema: Schema
) -> tuple[TypeWord, ...]:
    """Return the values that stand where a noun does, each as the one type that has it.

    A value that says the kind of a thing ("the freighter") is not among them: it is read as
    something described.
    """
    named = {i for m in question.mentions if m.candidates for i in m.span}
    found = []
    for word in values:
        owners = [(o, p) for o, p in word.owners if o in schema.node_types]
        is_beside = any(gap(t.span, word.span) == 0 for t in types)
        is_free = not is_beside and not named & set(word.span)
        if len({o for o, _ in owners}) != 1 or word.score < WHOLE_VALUE or not is_free:
            continue
        is_plural = _is_plural(question, word)
        if not _says_kind(schema, *owners[0]) and (is_plural or _is_counted(question, word.span)):
            found.append(
                TypeWord(
                    span=word.span, type=owners[0][0], is_singular=not is_plural, score=word.score
                )
            )
    return tuple(found)


def _is_plural(question: Understood, word: ValueWord) -> bool:
    """Whether a value is said in the plural, and is not one itself: "thrillers"."""
    last = question.tokens[word.span.last - 1].lower
    value = fold(word.value).split()[-1:]
    return last.endswith("s") and value != [last] and not last.endswith("ss")


def _is_counted(question: Understood, span: Span) -> bool:
    """Whether a word follows one that goes with a noun, and no other noun follows it."""
    token = question.tokens[span.first]
    before = [t.lower for t in question.tokens[max(0, span.first - 1) : span.first]]
    after = question.tokens[span.last : span.last + 1]
    followed = bool(after) and general_words().is_content(after[0]) and not _is_verb(question, span)
    return bool(set(before) & _COUNTING) and token.text[0].islower() and not followed


def _is_verb(question: Understood, span: Span) -> bool:
    """Whether what follows a word is a verb of the schema, or not its noun."""
    return any(t.span.first == span.last and t.kind.value == "relation" for t in question.terms)


def _says_kind(schema: Schema, owner: str, name: str) -> bool:
    item = schema.node_types[owner].properties[name]
    words = set(item.name.casefold().replace("_", " ").split())
    return item.kind is PropertyKind.CATEGORY and bool(_KINDS & words)

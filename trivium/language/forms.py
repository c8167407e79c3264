"""How a name is written, and whether words of a question may be it or a part of it."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from trivium.domain.question import Span, Token
from trivium.language.plurals import SINGULARS
from trivium.language.text import tokenize
from trivium.language.words import general_words

MIN_TYPO_LENGTH: Final = 5
"""Letters of a word that a slip may be in."""
_JOINING: Final = frozenset({"of", "the", "and", "for", "in", "de", "du", "la", "le", "des", "von"})
"""Words that may stand between the words of a name."""
_INDEFINITE: Final = frozenset({"a", "an"})
"""Words before a noun that is no name, unless it is one in whole: "a bank"."""
_LEADING: Final = frozenset(
    {"the", "our", "a", "an", "of", "for", "from", "by", "to", "with", "in", "at", "on", "and",
     "or", "than", "is", "are", "was", "were", "does", "do", "did", "has", "have", "if", "vs",
     "versus", "suppose", "say", "without", "except", "s", "about", "between", "against", "named"}
)  # fmt: skip
"""Words after which a name may begin, where no capital tells."""


@dataclass(frozen=True, slots=True)
class Form:
    """One way of writing an entity."""

    node: str
    stems: tuple[str, ...]
    words: tuple[str, ...]
    is_id: bool


def sole_word(parts: Sequence[str]) -> str | None:
    """Return the word that makes up a name, but for company forms; ``None`` where several do."""
    telling = set(parts) - general_words().company_forms
    return next(iter(telling)) if len(telling) == 1 else None


def spelled_words(text: str) -> tuple[str, ...]:
    """Return the folded words of a name that a typo may be in."""
    words = (t.lower for t in tokenize(text) if t.text[0].isalpha())
    return tuple(w for w in words if len(w) >= MIN_TYPO_LENGTH - 1)


def is_in_its_form(tokens: Sequence[Token], run: Sequence[int], form: Form) -> bool:
    """Whether a single word that is a part of a name is spelled as it is there."""
    if len(run) > 1:
        return True
    word = tokens[run[0]].lower
    is_plural = run[0] > 0 and tokens[run[0]].text[0].isupper() and word[:-1] in form.words
    is_inflected = word.endswith(("s", "ed", "ing")) or word in SINGULARS
    is_other = len(word) < MIN_TYPO_LENGTH or not is_inflected
    return word in form.words or is_other or is_plural


def stands_as_name(tokens: Sequence[Token], span: Span) -> bool:
    """Whether a part of a name stands where a name can: capitalised, or after a leading word.

    Where nothing in the question is capitalised, capitals tell nothing.
    """
    is_capital = any(tokens[i].text[0].isupper() or tokens[i].text[0].isdigit() for i in span)
    is_mixed = any(t.text[0].isupper() for t in tokens[1:])
    before = tokens[span.first - 1].lower if span.first else ""
    if not is_capital and len(span) == 1 and before in _INDEFINITE:
        return False
    return is_capital or not is_mixed or len(span) > 1 or not before or before in _LEADING


def fitting(run: Sequence[int], found: dict[int, tuple[str, float]], form: Form) -> tuple[int, ...]:
    """Return a run without words at its ends that it has more often than the form.

    Of "Hut and Glacier Hut", the words that stand together are kept.
    """
    trimmed = (_trimmed(run, found, form, ends) for ends in ((-1, 0), (0, -1)))
    return min(trimmed, key=lambda kept: kept[-1] - kept[0] if kept else 0)


def _trimmed(
    run: Sequence[int], found: dict[int, tuple[str, float]], form: Form, ends: tuple[int, int]
) -> tuple[int, ...]:
    kept = list(run)
    spare = Counter(found[i][0] for i in kept) - Counter(form.stems)
    for at in ends:
        while kept and spare[found[kept[at]][0]] > 0:
            spare[found[kept[at]][0]] -= 1
            kept.pop(at)
    return tuple(kept)


def is_written_as(tokens: Sequence[Token], run: Sequence[int], form: Form, text: str) -> bool:
    """Whether the marks, the numbers and the capitals around a match allow it."""
    if form.is_id:
        return is_written_as_id(tokens, run, text)
    if len(run) == 1 and not general_words().is_content(tokens[run[0]]):
        return tokens[run[0]].text.isupper()
    return not _goes_on_with_another_number(tokens, run[-1], form)


def _goes_on_with_another_number(tokens: Sequence[Token], last: int, form: Form) -> bool:
    """Whether a name that ends in a number has another one here: PO-1010 is not PO-1001."""
    if last + 1 >= len(tokens) or not form.stems[-1].isdigit():
        return False
    here, after = tokens[last], tokens[last + 1]
    is_number = after.lower[0].isdigit() and after.start - here.end <= 1
    return is_number and not here.lower[0].isdigit() and after.stem not in form.stems


def is_written_as_id(tokens: Sequence[Token], run: Sequence[int], text: str) -> bool:
    """Whether the parts of an id stand together; a plain word before a number is none.

    A hyphen or nothing between the two makes an id of a plain word, too.
    """
    if any(b - a > 1 for a, b in pairwise(run)):
        return False
    first = tokens[run[0]]
    is_plain = not general_words().is_content(first) and not first.text.isupper()
    if len(run) == 1:
        return not is_plain
    second = tokens[run[1]]
    between = text[first.end : second.start] if text else " "
    return second.start - first.end <= 1 and not (is_plain and between == " ")


def runs(indexes: Sequence[int], tokens: Sequence[Token]) -> Iterator[list[int]]:
    """Cut sorted indexes into runs of neighbours; a joining word between is allowed."""
    run: list[int] = []
    for index in indexes:
        is_joined = bool(run) and index - run[-1] == 2 and tokens[index - 1].lower in _JOINING
        if run and index - run[-1] > 1 and not is_joined:
            yield run
            run = []
        run.append(index)
    if run:
        yield run

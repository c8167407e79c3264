"""Sentences of a Markdown-like text, each with where it stands and what introduces it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tiers.rag.markdown import Block, BlockKind, blocks, items

_STOP: Final = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’)\]*_]*+(?=\s)")
_ABBREVIATION: Final = re.compile(
    r"(?:\b(?:mr|mrs|ms|dr|prof|st|no|nos|fig|sec|art|cl|ch|vol|ed|eds|vs|etc|approx|ca|cf|dept|ext"
    r"|tel|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|inc|ltd|co|corp|e\.g|i\.e|u\.s|u\.k|a\.m"
    r"|p\.m)|(?:^|[\s(])[a-z]|^\W*\d{1,3})\.$",
    re.IGNORECASE,
)
_ALWAYS_GOES_ON: Final = re.compile(
    r"(?:mr|mrs|ms|dr|prof|e\.g|i\.e|cf|vs|ca|approx|fig|nos?)\.$", re.IGNORECASE
)
_LEAD: Final = re.compile(
    r"\s*(?:[-*+•]|\d{1,3}[.)])?\s*(?:\*\*|__|\*|_)(?P<lead>[^*_\n]{2,80}?)(?:\*\*|__|\*|_)"
)
_MARK: Final = re.compile(r"\s*(?:[-*+•]\s+)?")
_RULE: Final = re.compile(r"^[\s|:+=-]*$")
_SPACE: Final = re.compile(r"\s*")
_NEAR: Final = 100
"""Characters on either side of a full stop that tell whether a sentence ends there."""
_SHORT: Final = 4
"""Words under which a fragment ("Approved.", "1. Count.") joins what follows it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A sentence, list item or table row; ``text`` is exactly what stands there."""

    text: str
    start: int
    end: int
    lead: str = ""
    """What introduces it: a bold beginning, the line above its list, its table's head."""
    is_first: bool = True
    """Whether it opens its paragraph, list item or row."""


def sentences(text: str) -> tuple[Sentence, ...]:
    r"""Return the sentences of ``text`` in order, code in one piece; headings are left out.

    >>> [s.text for s in sentences("# Head\nDr. Lee paid 3.5 %. It was late again.\n- one\n- two")]
    ['Dr. Lee paid 3.5 %.', 'It was late again.', 'one', 'two']
    """
    found: list[Sentence] = []
    before = ""
    for block in blocks(text):
        match block.kind:
            case BlockKind.PARAGRAPH:
                found += _cut(text, block.start, block.end)
                before = found[-1].text if found else ""
            case BlockKind.LIST:
                intro = before if before.endswith(":") else ""
                for start, end in items(text, block):
                    found += _cut(text, start, end, intro)
            case BlockKind.TABLE:
                found += _rows(text, block)
            case BlockKind.CODE:
                code = text[block.start : block.end]
                found.append(Sentence(text=code, start=block.start, end=block.end, lead=before))
            case BlockKind.HEADING:
                before = ""
    return tuple(found)


def _rows(text: str, block: Block) -> Iterator[Sentence]:
    spans = list(items(text, block))
    head = text[slice(*spans[0])] if len(spans) > 1 else ""
    for start, end in spans[1:] if head else spans:
        if not _RULE.match(text[start:end]):
            yield Sentence(text=text[start:end], start=start, end=end, lead=head)


def _cut(text: str, start: int, end: int, intro: str = "") -> Iterator[Sentence]:
    """Give the sentences of one paragraph or item; a bold beginning leads what follows it."""
    lead = ""
    spans = _spans(text, start, end)
    for index, (begin, stop) in enumerate(spans):
        own = _LEAD.match(text, begin, stop)
        lead = own["lead"] if own else lead
        words = " ".join(filter(None, (intro, lead)))
        yield Sentence(
            text=text[begin:stop], start=begin, end=stop, lead=words, is_first=index == 0
        )


def _spans(text: str, start: int, end: int) -> list[tuple[int, int]]:
    mark = _MARK.match(text, start, end)
    begin = mark.end() if mark else start
    spans: list[tuple[int, int]] = []
    for match in _STOP.finditer(text, begin, end):
        if _ends(text, begin, match, end):
            spans.append((begin, match.end()))
            begin = _past_space(text, match.end(), end)
    rest = text[begin:end].split()
    if spans and len(rest) < _SHORT:
        spans[-1] = (spans[-1][0], end) if rest else spans[-1]
    elif rest:
        spans.append((begin, end))
    return spans


def _ends(text: str, begin: int, stop: re.Match[str], end: int) -> bool:
    """Whether the sentence that began at ``begin`` ends at ``stop``.

    It looks at no more than what stands near, so that a long line takes time by its length alone.
    """
    length = stop.end() - begin
    if length < _NEAR and len(text[begin : stop.end()].split()) < _SHORT:
        return False
    after = _past_space(text, stop.end(), end)
    following = text[after : min(after + _NEAR, end)].lstrip("\"'“‘(*_[")
    so_far = text[max(begin, stop.start() - _NEAR) : stop.start() + 1]
    if following[:1].islower() or _ALWAYS_GOES_ON.search(so_far):
        return False
    return not (_ABBREVIATION.search(so_far) and not _starts_anew(following))


def _past_space(text: str, begin: int, end: int) -> int:
    space = _SPACE.match(text, begin, end)
    return space.end() if space else begin


def _starts_anew(following: str) -> bool:
    """After an abbreviation: whether a common sentence opener follows."""
    return bool(
        re.match(r"(?:The|This|That|It|They|We|He|She|In|If|When|For|A|An|No)\b", following)
    )

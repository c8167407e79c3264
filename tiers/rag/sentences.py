"""Sentences of a Markdown-like text, each with where it stands and what introduces it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tiers.rag import tables
from tiers.rag.abbreviations import with_full_stop
from tiers.rag.markdown import Block, BlockKind, blocks, items

_STOP: Final = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’)\]*_]*+(?=\s)")
_ABBREVIATION: Final = re.compile(
    r"(?:\b(?:mr|mrs|ms|dr|st|no|nos|fig|sec|art|cl|ch|ed|eds|etc|ca|cf|mar|jun|jul|min|inc|ltd|co"
    rf"|e\.g|i\.e|u\.s|u\.k|a\.m|p\.m|(?-i:Sat|Sun)|{'|'.join(with_full_stop())})"
    r"|(?:^|[\s(])[a-z]|^\W*\d{1,3})\.$",
    re.IGNORECASE,
)
_ALWAYS_GOES_ON: Final = re.compile(
    r"(?:mr|mrs|ms|dr|prof|e\.g|i\.e|cf|vs|ca|approx|incl|excl|max|fig|nos?)\.$", re.IGNORECASE
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
    part: int = 0
    """The paragraph, list item or table that it is of, by where that starts."""
    told: str = ""
    """Of a table row: its cells with the heads of their columns."""


def sentences(text: str, head: str = "") -> tuple[Sentence, ...]:
    r"""Return the sentences of ``text`` in order, code in one piece; headings are left out.

    ``head`` is that of a table which the text goes on with.

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
                found += _rows(text, block, "" if found else head)
            case BlockKind.CODE:
                found.append(_whole(text, block, before))
            case BlockKind.HEADING:
                before = ""
    return tuple(found)


def _whole(text: str, block: Block, lead: str) -> Sentence:
    return Sentence(
        text=text[block.start : block.end],
        start=block.start,
        end=block.end,
        lead=lead,
        part=block.start,
    )


def head_of(text: str, block: Block) -> str:
    """Return the first row of a table, where a rule under it says that it is the head."""
    if block.kind is not BlockKind.TABLE:
        return ""
    (start, end), *rest = items(text, block)
    return text[start:end] if rest and _RULE.match(text[slice(*rest[0])]) else ""


def _rows(text: str, block: Block, head: str) -> Iterator[Sentence]:
    """Give the rows of a table under its own head, or under that of what it goes on with."""
    own = head_of(text, block)
    for start, end in list(items(text, block))[1 if own else 0 :]:
        row = text[start:end]
        if not _RULE.match(row):
            told = tables.told(own or head, row)
            yield Sentence(
                text=row, start=start, end=end, lead=own or head, part=block.start, told=told
            )


def _cut(text: str, start: int, end: int, intro: str = "") -> Iterator[Sentence]:
    """Give the sentences of one paragraph or item; a bold beginning leads what follows it."""
    lead = ""
    spans = _spans(text, start, end)
    for index, (begin, stop) in enumerate(spans):
        own = _LEAD.match(text, begin, stop)
        lead = own["lead"] if own else lead
        words = " ".join(filter(None, (intro, lead)))
        yield Sentence(
            text=text[begin:stop],
            start=begin,
            end=stop,
            lead=words,
            is_first=index == 0,
            part=start,
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
    if stop[0][0] != "?" and length < _NEAR and _LEAD.fullmatch(text, begin, stop.end()):
        return False
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

"""The structure of a Markdown-like text: headings, paragraphs, lists, tables and code."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

_HEADING: Final = re.compile(r" {0,3}(#{1,6})[ \t]+(?P<title>.*)$")
_ITEM: Final = re.compile(r"[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+\S")
_FENCE: Final = re.compile(r"[ \t]*(?:```|~~~)")
_TABLE: Final = re.compile(r"[ \t]*\|")
_SENT: Final = re.compile(r"\W*(?:from|sender|author|written by)\b[*_]*:", re.IGNORECASE)
_FIELD: Final = re.compile(r"\W*\w+(?: \w+)?[*_]*:")
_LINE: Final = re.compile(r"[^\n]*\n|[^\n]+\Z")


class BlockKind(StrEnum):
    """What a block is."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST = "list"
    TABLE = "table"
    CODE = "code"


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Whole lines of a text that belong together, from ``start`` until just before ``end``."""

    kind: BlockKind
    start: int
    end: int
    level: int = 0
    """Of a heading, from 1."""
    title: str = ""
    """Of a heading."""


def blocks(text: str) -> Iterator[Block]:
    r"""Give the blocks of ``text`` in order; between them is only white space.

    >>> [(b.kind.value, b.title) for b in blocks("# One\nText.\n- a\n- b")]
    [('heading', 'One'), ('paragraph', ''), ('list', '')]
    """
    open_block: Block | None = None
    in_code = False
    for match in _LINE.finditer(text):
        line = match.group().rstrip()
        kind = None if not line.strip() else _kind(line, open_block)
        fences = bool(_FENCE.match(line))
        if in_code or fences:
            kind = BlockKind.CODE
            in_code = in_code != fences
        if open_block and (kind is not open_block.kind or kind is BlockKind.HEADING):
            yield open_block
            open_block = None
        if kind is not None:
            start = open_block.start if open_block else match.start() + _indent(line, kind)
            open_block = _block(kind, start, match.start() + len(line), line)
    if open_block:
        yield open_block


def items(text: str, block: Block) -> Iterator[tuple[int, int]]:
    """Give where each item of a list, or row of a table, starts and ends."""
    start = block.start
    for match in _LINE.finditer(text, block.start, block.end):
        begins = block.kind is BlockKind.TABLE or _ITEM.match(match.group())
        if begins and match.start() > start:
            yield start, start + len(text[start : match.start()].rstrip())
            start = match.start()
    yield start, block.end


def is_message_head(text: str) -> bool:
    """Whether a paragraph begins by telling who wrote the message under it.

    >>> is_message_head("**From:** Ann Lee"), is_message_head("From May on: closed")
    (True, False)
    """
    return bool(_SENT.match(text))


def is_bare_head(text: str) -> bool:
    """Whether a paragraph is the head of a message and no more: sender, recipients, date."""
    return is_message_head(text) and all(map(_FIELD.match, text.strip().split("\n")))


def _kind(line: str, before: Block | None) -> BlockKind:
    if _HEADING.match(line):
        return BlockKind.HEADING
    if _TABLE.match(line):
        return BlockKind.TABLE
    if _ITEM.match(line):
        return BlockKind.LIST
    # A line without a mark of its own goes on with the list item above it.
    if before and before.kind is BlockKind.LIST:
        return BlockKind.LIST
    return BlockKind.PARAGRAPH


def _block(kind: BlockKind, start: int, end: int, line: str) -> Block:
    heading = _HEADING.match(line) if kind is BlockKind.HEADING else None
    if heading is None:
        return Block(kind=kind, start=start, end=end)
    return Block(
        kind=kind,
        start=start,
        end=end,
        level=len(heading.group(1)),
        title=heading["title"].rstrip(" \t#"),
    )


def _indent(line: str, kind: BlockKind) -> int:
    """Leading white space, which only code keeps."""
    return 0 if kind is BlockKind.CODE else len(line) - len(line.lstrip())

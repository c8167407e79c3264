"""Documents cut into chunks along their structure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from tiers.rag.markdown import Block, BlockKind, blocks, is_bare_head, items
from tiers.rag.sentences import head_of, sentences

TARGET_WORDS: Final = 135
"""About 180 tokens of English: what the encoder reads well, with room for title and heading."""
MAX_WORDS: Final = 240
_WORD: Final = re.compile(r"\S{1,40}")
"""A longer run, such as encoded bytes, counts as several."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A part of a document: ``text`` is the document's ``text[start:end]``."""

    position: int
    """Its place in the document, from 0."""
    start: int
    end: int
    text: str
    heading: str
    """The headings above it, outermost first, joined by `` > ``."""
    head: str = ""
    """The head of the table that it goes on with."""


@dataclass(frozen=True, slots=True)
class _Span:
    start: int
    end: int
    n_words: int
    head: str = ""


def chunks(text: str) -> tuple[Chunk, ...]:
    r"""Cut ``text`` into chunks of about ``TARGET_WORDS``, never more than ``MAX_WORDS``.

    A chunk never crosses a heading. Paragraphs, lists and tables are kept whole unless one is
    longer than the maximum. A text of headings alone is one chunk for each heading.

    >>> [(c.heading, c.text) for c in chunks("# A\n## B\nOne.\n\nTwo.\n## C\nThree.")]
    [('A > B', 'One.\n\nTwo.'), ('A > C', 'Three.')]
    """
    found = [(heading, span) for heading, part in _sections(text) for span in _pack(text, part)]
    if not found:
        found = [("", span) for block in blocks(text) for span in _pieces(text, block)]
    return tuple(
        Chunk(
            position=position,
            start=span.start,
            end=span.end,
            text=text[span.start : span.end],
            heading=heading,
            head=span.head,
        )
        for position, (heading, span) in enumerate(found)
    )


def _sections(text: str) -> Iterator[tuple[str, list[Block]]]:
    """Give the blocks under each heading, with the path to it."""
    path: list[Block] = []
    section: list[Block] = []
    for block in blocks(text):
        if block.kind is not BlockKind.HEADING:
            section.append(block)
            continue
        if section:
            yield _path(path), section
        section = []
        path = [*(above for above in path if above.level < block.level), block]
    if section:
        yield _path(path), section


def _path(headings: Sequence[Block]) -> str:
    return " > ".join(heading.title for heading in headings)


def _pack(text: str, section: Sequence[Block]) -> Iterator[_Span]:
    """Join neighbouring pieces while they stay within the target.

    The head of a message stays with what it is the head of.
    """
    held: _Span | None = None
    for block in _with_message_heads(text, section):
        for piece in _pieces(text, block):
            if held and held.n_words + piece.n_words <= TARGET_WORDS:
                held = replace(held, end=piece.end, n_words=held.n_words + piece.n_words)
                continue
            if held:
                yield held
            held = piece
    if held:
        yield held


def _with_message_heads(text: str, section: Sequence[Block]) -> Iterator[Block]:
    """Give the blocks, the head of a message in one with the paragraph under it."""
    head: Block | None = None
    for block in section:
        is_text = block.kind is BlockKind.PARAGRAPH
        if head and not is_text:
            yield head
        joined = replace(block, start=head.start) if head and is_text else block
        is_head = is_text and not head and is_bare_head(text[block.start : block.end])
        head = block if is_head else None
        if not is_head:
            yield joined
    if head:
        yield head


def _pieces(text: str, block: Block) -> Iterator[_Span]:
    """Give the block whole, or its parts where it is longer than the maximum."""
    whole = _span(text, block.start, block.end)
    if whole.n_words <= MAX_WORDS:
        yield whole
        return
    head = head_of(text, block)
    for start, end in _parts(text, block):
        part = replace(_span(text, start, end), head=head if start > block.start else "")
        yield from [part] if part.n_words <= MAX_WORDS else _windows(text, part)


def _parts(text: str, block: Block) -> Iterator[tuple[int, int]]:
    if block.kind in {BlockKind.LIST, BlockKind.TABLE}:
        yield from items(text, block)
        return
    cuts = [block.start + s.start for s in sentences(text[block.start : block.end])]
    edges = [block.start, *cuts[1:], block.end]
    for start, end in pairwise(edges):
        yield start, start + len(text[start:end].rstrip())


def _windows(text: str, span: _Span) -> Iterator[_Span]:
    """Cut what has no structure left at every ``TARGET_WORDS`` words."""
    words = [match.span() for match in _WORD.finditer(text, span.start, span.end)]
    for first in range(0, len(words), TARGET_WORDS):
        window = words[first : first + TARGET_WORDS]
        yield _Span(window[0][0], window[-1][1], len(window), span.head)


def _span(text: str, start: int, end: int) -> _Span:
    return _Span(start, end, sum(1 for _ in _WORD.finditer(text, start, end)))

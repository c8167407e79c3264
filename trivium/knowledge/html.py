"""Reads the text of a page of HTML, in time that grows with its length alone."""

import re
from dataclasses import dataclass, field
from html import unescape
from typing import Final

_TAG: Final = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)([^<>]*)>")
_ATTRIBUTE: Final = re.compile(r"""([a-zA-Z-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_HIDDEN: Final = frozenset({"script", "style", "noscript", "template"})
_BLOCKS: Final = frozenset(
    {"p", "li", "tr", "br", "div", "section", "article", "ul", "ol", "table"}
)
_CELLS: Final = frozenset({"td", "th"})


@dataclass(slots=True)
class Page:
    """What a page says."""

    title: str | None = None
    meta: dict[str, str] = field(default_factory=dict)
    text: str = ""
    """Headings begin with as many ``#`` as they are deep."""


def read_page(html: str) -> Page:
    """Return what a page says; malformed HTML is read as well as may be.

    >>> read_page("<title>A</title><h2>Head</h2><p>One <b>two</b>.").text.split()
    ['##', 'Head', 'One', 'two.']
    """
    reading = _Reading()
    html = _without_comments(html)
    at = 0
    while match := _TAG.search(html, at):
        reading.say(html[at : match.start()])
        closing, name, rest = match.groups()
        at = match.end()
        if not closing and name.lower() in _HIDDEN:
            at = _end_of(name, html, at)
        else:
            reading.tag(name.lower(), rest, is_end=bool(closing))
    reading.say(html[at:])
    reading.page.text = "".join(reading.parts)
    return reading.page


class _Reading:
    """A page while it is read."""

    def __init__(self) -> None:
        self.page = Page()
        self.parts: list[str] = []
        self._title: list[str] | None = None

    def say(self, text: str) -> None:
        if text:
            (self.parts if self._title is None else self._title).append(unescape(text))

    def tag(self, name: str, rest: str, *, is_end: bool) -> None:
        if name == "title" or self._title is not None:
            self._take_title(is_end=is_end or name != "title")
        if name == "title":
            return
        if name == "meta":
            told = {m[1].lower(): unescape(m[2] or m[3] or m[4] or "") for m in _found(rest)}
            if told.get("name"):
                self.page.meta[told["name"].lower()] = told.get("content", "")
        elif len(name) == 2 and name[0] == "h" and name[1] in "123456":
            self.parts.append("\n\n" if is_end else f"\n\n{'#' * int(name[1])} ")
        elif name in _BLOCKS:
            self.parts.append("\n")
        elif name in _CELLS:
            self.parts.append(" ")

    def _take_title(self, *, is_end: bool) -> None:
        if not is_end:
            self._title = []
        elif self._title is not None:
            self.page.title = self.page.title or " ".join("".join(self._title).split())
            self._title = None


def _found(rest: str) -> list[re.Match[str]]:
    return list(_ATTRIBUTE.finditer(rest[:10_000]))


def _without_comments(html: str) -> str:
    """Return a page without comments; one that does not end runs to the end."""
    kept = []
    at = 0
    while (start := html.find("<!--", at)) >= 0:
        kept.append(html[at:start])
        end = html.find("-->", start + 4)
        if end < 0:
            return "".join(kept)
        at = end + 3
    return "".join([*kept, html[at:]])


def _end_of(name: str, html: str, at: int) -> int:
    """Return where the content of a hidden element ends."""
    end = re.compile(rf"</{name}\s*>", re.IGNORECASE).search(html, at)
    return end.end() if end else len(html)

"""Text of others, made so that nothing in it acts: no link, image or HTML, and no marker.

Chat front ends show an answer as Markdown. A picture in it is fetched as soon as it is shown, and
tells its server whatever stands in its address; so addresses are shown as code, to be read.
"""

import re
from typing import Final

_LABELLED: Final = re.compile(r"!?\[([^\[\]]*)\]\s?\([^()]*(?:\([^()]*\)[^()]*)*\)")
"""``[words](target)`` and ``![words](target)``."""
_TAG: Final = re.compile(r"<(?=[a-zA-Z/!?])")
_ADDRESS: Final = re.compile(
    r"(?<!\w)(?:[a-z][a-z0-9+.-]{1,20}://|//(?=\w)|www\.|(?:mailto|javascript|data|vbscript):)"
    r"[^\s<>\"'|]+",
    re.IGNORECASE,
)
_END: Final = re.compile(r"[.,;:!?)\]]+$")
_MARKER: Final = re.compile(r"\[(\s?\d[\d,\s]*)\]")


def inert(text: str) -> str:
    """Return a text in which links, images and HTML are words, and addresses are code.

    >>> inert("See [the rules](https://a.example) ![](//b.example/x.png) <img src=x>.")
    'See the rules  < img src=x>.'
    >>> inert("See https://a.example/rules.")
    'See `https://a.example/rules`.'
    """
    while (bare := _LABELLED.sub(r"\1", text)) != text:
        text = bare
    text = text.replace("](", "] (").replace("]:", "] :")
    text = _TAG.sub("< ", text)
    if _ADDRESS.search(text):
        text = _ADDRESS.sub(_as_code, text.replace("`", "'"))
    return text


def quoted(text: str) -> str:
    """Return a text as it may be quoted: inert, and without what looks like a marker of ours.

    >>> quoted("It is due in 25 days [7].")
    'It is due in 25 days (7).'
    """
    return _MARKER.sub(r"(\1)", inert(text))


def _as_code(match: re.Match[str]) -> str:
    end = _END.search(match[0])
    address = match[0][: end.start()] if end else match[0]
    return f"`{address}`{match[0][len(address) :]}"

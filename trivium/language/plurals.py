"""Plurals that the endings of English do not tell, each with its singular."""

from importlib import resources
from typing import Final


def _read() -> dict[str, str]:
    """Read lines of a singular and its plurals; those that are verbs too ("lives") are left out."""
    text = resources.files("trivium.language").joinpath("plurals.txt").read_text("utf-8")
    return {plural: word for word, *plurals in map(str.split, text.splitlines())
            for plural in plurals}  # fmt: skip


SINGULARS: Final = _read()
"""Folded plural to its singular."""
_ON_S: Final = frozenset(word for word in SINGULARS.values() if word.endswith("s"))


def told_plural(word: str) -> bool | None:
    """Whether a folded noun is a plural, where its ending does not tell; ``None``: it does.

    >>> told_plural("children"), told_plural("lens"), told_plural("house")
    (True, False, None)
    """
    if word in SINGULARS:
        return True
    return False if word in _ON_S else None


def is_plural(words: str) -> bool:
    """Whether the last of some words looks like a plural.

    >>> is_plural("free beds"), is_plural("status"), is_plural("address")
    (True, False, False)
    """
    last = words.rsplit(maxsplit=1)[-1] if words.strip() else ""
    return last.endswith("s") and not last.endswith(("ss", "us", "is"))


def plural(words: str) -> str:
    """Return the plural of a regular English noun.

    >>> plural("factory"), plural("risk event"), plural("branch"), plural("aircraft")
    ('factories', 'risk events', 'branches', 'aircraft')
    """
    if words.endswith(("craft", "series", "staff", "equipment")) or is_plural(words):
        return words
    if words.endswith("y") and words[-2:-1] not in set("aeiou"):
        return words[:-1] + "ies"
    return words + ("es" if words.endswith(("s", "x", "ch", "sh")) else "s")

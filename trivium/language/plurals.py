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

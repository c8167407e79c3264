"""Words in other forms: comparatives and superlatives, and those that say nothing of their own."""

from functools import lru_cache

from rapidfuzz import process
from rapidfuzz.distance import DamerauLevenshtein

from trivium.language.text import stem
from trivium.language.words import general_words


def is_vague(word: str) -> bool:
    """Whether a folded word, or the plural of one, asks for nothing of its own."""
    vague = general_words().vague
    return word in vague or (word.endswith("s") and word[:-1] in vague)


@lru_cache(maxsize=4096)
def is_typo_of_stop(word: str) -> bool:
    """Whether a word looks like a long one that carries no content: "curent"."""
    if len(word) < 6:
        return False
    long = [other for other in general_words().stop if len(other) >= 6]
    return bool(
        process.extractOne(
            word, long, scorer=DamerauLevenshtein.normalized_similarity, score_cutoff=0.84
        )
    )


def degrees(word: str) -> tuple[str, ...]:
    """Return the stems of the adjectives of which a word may be a comparative or superlative.

    >>> degrees("biggest"), degrees("larger"), degrees("beds")
    (('big', 'bigg', 'bigg'), ('larg', 'larg'), ())
    """
    for ending in ("est", "er"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            root = word[: -len(ending)]
            forms = [root, root + "e"]
            if root[-1] == root[-2]:
                forms.insert(0, root[:-1])
            if root.endswith("i"):
                forms.insert(0, root[:-1] + "y")
            return tuple(stem(form) for form in forms)
    return ()

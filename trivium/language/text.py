"""Text into tokens: the one way in which words are cut, folded and stemmed."""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import snowballstemmer

from trivium.domain.question import Token
from trivium.language.plurals import SINGULARS

_MARKS: Final = "\u0300-\u036f"
"""Accents that follow their letter, in decomposed text."""
_TOKEN: Final = re.compile(rf"(?:[^\W\d_][{_MARKS}]*)+|\d+(?:[.,]\d+)*|[^\w\s]|_")
_THOUSANDS: Final = re.compile(r",(?=\d{3}(?!\d))")
_POSSESSIVE: Final = frozenset({"'", "’"})
_SHORT_FORMS: Final = {"ve": "have", "re": "are", "ll": "will"}
"""What is left of a verb after an apostrophe."""
_BEFORE_IS: Final = frozenset({"who", "what", "where", "when", "how", "which", "there", "that"})
"""Words after which an ``'s`` is a verb and no possessive."""
_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_INVISIBLE: Final = frozenset({"Cf", "Cc", "Zl", "Zp", "Cs", "Co", "Cn"})
_MAX_KEPT: Final = 400
"""Characters of a text whose words are kept for a while: a question is cut more than once."""
_MAX_RUN: Final = 30
"""Marks that one letter may carry; further ones are left out. Putting a run of ``n`` in order takes
``n * n`` steps: 7 s for 100,000. Source: the stream-safe format of Unicode Standard Annex 15."""
_LATENT_MARKS: Final = frozenset("\u0f73\u0f75\u0f81\uff9e\uff9f")
"""Characters that are no marks and become some when they are normalised."""
_stemmer: Final = snowballstemmer.stemmer("english")
_IRREGULAR: Final = {
    past: verb
    for verb, pasts in {
        "make": "made", "teach": "taught", "hold": "held", "build": "built", "buy": "bought",
        "sell": "sold", "run": "ran", "feed": "fed", "lead": "led", "send": "sent",
        "give": "gave given", "take": "took taken", "drive": "drove driven", "fly": "flew flown",
        "write": "wrote written", "sit": "sat", "stand": "stood", "keep": "kept", "pay": "paid",
        "meet": "met", "lend": "lent", "spend": "spent", "grow": "grew grown",
        "draw": "drew drawn", "win": "won", "choose": "chose chosen", "know": "knew known",
        "lose": "lost", "ride": "rode ridden", "sing": "sang sung",
        "begin": "began begun", "bring": "brought", "catch": "caught", "wear": "wore worn",
        "tell": "told", "hear": "heard", "think": "thought", "seek": "sought", "fall": "fell",
        "rise": "rose risen", "speak": "spoke spoken", "break": "broke broken",
        "show": "shown", "shoot": "shot", "hang": "hung", "throw": "threw thrown", "bind": "bound",
        "dig": "dug", "weave": "wove woven", "deal": "dealt", "freeze": "froze frozen",
        "hide": "hid hidden", "steal": "stole stolen", "go": "went gone",
        "strike": "struck stricken", "eat": "ate eaten", "breed": "bred",
    }.items()
    for past in pasts.split()
}  # fmt: skip
"""Past forms that no stemmer brings home, to their verb."""
_AMERICAN: Final = {
    f"{american}{end}": f"{british}{end}"
    for american, british in {
        "program": "programme", "center": "centre", "theater": "theatre", "harbor": "harbour",
        "labor": "labour", "neighbor": "neighbour", "color": "colour", "flavor": "flavour",
        "catalog": "catalogue", "gray": "grey", "mold": "mould", "plow": "plough",
        "license": "licence", "defense": "defence", "offense": "offence", "jewelry": "jewellery",
        "aluminum": "aluminium", "airplane": "aeroplane", "fiber": "fibre", "liter": "litre",
        "caliber": "calibre", "vapor": "vapour", "odor": "odour", "armor": "armour",
        "enrollment": "enrolment", "fulfill": "fulfil", "artifact": "artefact",
    }.items()
    for end in ("", "s")
}  # fmt: skip
"""American spellings, to the British ones: they are one word, whichever a schema has."""
_OWN_STEMS: Final = frozenset({"rating", "ratings"})
"""Nouns that have not the stem of the word that they look like: a rating is no rate."""
_SINGULAR_MEN: Final = frozenset({"specimen", "regimen", "abdomen", "acumen", "omen", "stamen"})
"""Words in "men" that are no plural of one in "man"."""


def visible(text: str) -> str:
    r"""Return ``text`` in NFC without invisible characters; line breaks become spaces.

    >>> visible("a\u200bb\nc")
    'ab c'
    """
    spaced = re.sub(r"[\t\n\r\x0b\x0c\u2028\u2029]", " ", text)
    kept = "".join(c for c in spaced if unicodedata.category(c) not in _INVISIBLE)
    return unicodedata.normalize("NFC", stream_safe(kept))


def is_blank(text: str) -> bool:
    r"""Whether a person sees nothing in ``text``.

    >>> is_blank(" \u200b\n"), is_blank("\u200ba")
    (True, False)
    """
    return all(c.isspace() or unicodedata.category(c) in _INVISIBLE for c in text)


def stream_safe(text: str) -> str:
    r"""Return ``text`` without the marks that a letter has too many of.

    >>> stream_safe("e\u0301"), len(stream_safe("e" + "\u0301\u0316" * 50_000))
    ('e\u0301', 31)
    """
    if text.isascii() or len(text) <= _MAX_RUN:
        return text
    kept = []
    run = 0
    for character in text:
        is_mark = unicodedata.combining(character) or character in _LATENT_MARKS
        run = run + 1 if is_mark else 0
        if run <= _MAX_RUN:
            kept.append(character)
    return "".join(kept)


def shortened(text: str, *, n_characters: int, n_tokens: int) -> str:
    """Return the beginning and the end of a long text, half of what is allowed from each.

    >>> shortened("one two three four five six", n_characters=100, n_tokens=4)
    'one two five six'
    """
    if len(text) > n_characters:
        text = f"{text[: n_characters // 2]} {text[-(n_characters // 2) :]}"
    text = stream_safe(text)
    cut = [match.span() for match in _TOKEN.finditer(text)]
    if len(cut) <= n_tokens:
        return text
    half = n_tokens // 2
    return f"{text[: cut[half - 1][1]]} {text[cut[-half][0] :]}"


def fold(text: str) -> str:
    r"""Return ``text`` for comparing: NFKC, case folded, white space folded.

    >>> fold("  Straße\n ＡＢＣ ")
    'strasse abc'
    """
    return " ".join(unicodedata.normalize("NFKC", stream_safe(text)).casefold().split())


def unaccented(text: str) -> str:
    """Return ``text`` without the accents of European letters, as people type names.

    >>> unaccented("Inês Łódź Šebek")
    'Ines Łodz Sebek'
    """
    if text.isascii():
        return text
    parts = unicodedata.normalize("NFD", stream_safe(text))
    return unicodedata.normalize("NFC", "".join(c for c in parts if not "\u0300" <= c <= "\u036f"))


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Return the stem of a folded word; digits lose leading zeros, accents are kept.

    >>> stem("supplies"), stem("supplied"), stem("taught"), stem("buses"), stem("010")
    ('suppli', 'suppli', 'teach', 'bus', '10')
    >>> stem("programs") == stem("programme")
    True
    """
    if word[:1].isdigit():
        return _THOUSANDS.sub("", word).lstrip("0") or "0"
    word = _AMERICAN.get(word, word)
    if word in _OWN_STEMS:
        return word.removesuffix("s")
    if word.endswith("men") and len(word) > 4 and word not in _SINGULAR_MEN:
        word = f"{word[:-3]}man"
    return str(_stemmer.stemWord(_IRREGULAR.get(word) or SINGULARS.get(word, word)))


def is_participle(word: str) -> bool:
    """Whether a folded word has the form of a past participle.

    >>> is_participle("supplied"), is_participle("held"), is_participle("supply")
    (True, True, False)
    """
    return word in _IRREGULAR or (len(word) > 4 and word.endswith(("ed", "en")))


def is_past(word: str) -> bool:
    """Whether a folded word is a past form that no ending tells.

    >>> is_past("built"), is_past("build")
    (True, False)
    """
    return word in _IRREGULAR


def tokenize(text: str) -> tuple[Token, ...]:
    """Cut ``text`` into words, numbers and marks; a possessive ``'s`` is dropped.

    A verb that is said short is read in full: ``who's`` as who is, ``we've`` as we have.

    >>> [t.lower for t in tokenize("Jordan's CMP-010?")]
    ['jordan', 'cmp', '-', '010', '?']
    """
    return _cut_once(text) if len(text) <= _MAX_KEPT else _cut(text)


def _cut(text: str) -> tuple[Token, ...]:
    found: list[Token] = []
    matches = list(_TOKEN.finditer(text))
    index = 0
    while index < len(matches):
        match = matches[index]
        verb = _short_verb(matches, index)
        if verb is None and _is_possessive(matches, index):
            index += 2
            continue
        if verb is not None:
            index += 1
            match = matches[index]
        word = match.group()
        lower = verb or unicodedata.normalize("NFKC", stream_safe(word)).casefold()
        found.append(
            Token(
                text=word,
                lower=lower,
                stem=_stem_of(word, lower),
                start=match.start(),
                end=match.end(),
            )
        )
        index += 1
    return tuple(found)


_cut_once: Final = lru_cache(maxsize=1_024)(_cut)


def _stem_of(word: str, lower: str) -> str:
    """Stem a word; the plural of an abbreviation, such as ``CROs``, to the abbreviation."""
    word = unicodedata.normalize("NFC", stream_safe(word))
    is_plural = len(word) > 2 and word[:-1].isupper() and word[-1] == "s"
    return stem(lower[:-1] if is_plural else lower)


def _short_verb(matches: Sequence[re.Match[str]], index: int) -> str | None:
    """Return the verb that an apostrophe at ``index`` and what follows it stand for: "we've"."""
    if matches[index].group() not in _POSSESSIVE or index == 0 or index + 1 >= len(matches):
        return None
    before, here, after = matches[index - 1], matches[index], matches[index + 1]
    if not before.end() == here.start() < here.end() == after.start():
        return None
    rest = after.group().lower()
    if rest == "s":
        return "is" if before.group().lower() in _BEFORE_IS else None
    return _SHORT_FORMS.get(rest)


def _is_possessive(matches: Sequence[re.Match[str]], index: int) -> bool:
    """Whether an apostrophe at ``index`` hangs on the word before and is followed by an s."""
    if matches[index].group() not in _POSSESSIVE or index == 0 or index + 1 >= len(matches):
        return False
    before, here, after = matches[index - 1], matches[index], matches[index + 1]
    is_joined = before.end() == here.start() and here.end() == after.start()
    return is_joined and after.group().lower() == "s"


def is_word(token: Token) -> bool:
    """Whether the token is a word or a number, not a mark."""
    return token.text[0].isalnum()


@lru_cache(maxsize=8_192)
def stems(text: str) -> tuple[str, ...]:
    """Return the stems of the words of ``text``, marks left out.

    >>> stems("Titanium Wing Spars")
    ('titanium', 'wing', 'spar')
    """
    return tuple(token.stem for token in tokenize(text) if is_word(token))


def spoken(name: str) -> str:
    """Return a schema name as words: camel case and underscores opened.

    >>> spoken("RiskEvent"), spoken("DELIVERS_TO"), spoken("lead_time_days")
    ('risk event', 'delivers to', 'lead time days')
    """
    opened = _CAMEL.sub(" ", name).replace("_", " ").replace("-", " ")
    return " ".join(opened.casefold().split())

"""Makes labelled training questions for a domain, from its schema and names and ways of asking."""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from router.filling import Domain, Filler
from router.model import TierSet, tier_set
from trivium.domain.question import Question, TierName, Turn

_COUNTS: Final = {"cag": 90, "rag": 105, "graph": 115, "none": 50, "follow": 30, "mixed": 70}
"""Questions of a domain, by what they need; measured by ``bench.routing``."""
_MIXES: Final = (
    ("cag", "rag"), ("cag", "rag"), ("cag", "graph"), ("cag", "graph"), ("rag", "graph"),
    ("rag", "graph"), ("cag", "rag", "graph"), ("cag", "rag", "graph"), ("cag", "cag"),
    ("rag", "rag"), ("graph", "graph"), ("rag", "rag"), ("graph", "graph"),
)  # fmt: skip
_TIERS: Final = frozenset(TierName)
_FUSED: Final = 0.2
"""Of the questions with several needs: those written as a whole, where there are ways for them."""
_WRAPPED: Final = 0.2
"""Of all questions: those with talk around them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A made question, the tiers it needs, and its clauses where it has several needs."""

    question: Question
    tiers: TierSet
    clauses: tuple[tuple[str, TierName], ...] = ()


def make(domain: Domain, seed: int) -> Iterator[Made]:
    """Give made questions for a domain; the same seed gives the same ones."""
    maker = _Maker(domain, seed)
    for needs, asked in domain.asking.items():
        yield from (maker.own(text, needs) for text in asked)
    for need, count in _COUNTS.items():
        for _ in range(count):
            made = maker.one(need)
            if made is not None:
                yield made


class _Maker:
    def __init__(self, domain: Domain, seed: int) -> None:
        self._domain = domain
        self._dice = random.Random(seed)
        self._filler = Filler(domain, self._dice)
        self._turn = {need: seed * count for need, count in _COUNTS.items()}

    def one(self, need: str) -> Made | None:
        match need:
            case "follow":
                return self._follow()
            case "mixed":
                return self._mixed()
            case _:
                text = self._single(need)
                return self._asked(text, need)

    def own(self, template: str, needs: str) -> Made:
        """Ask what this domain alone asks; ``needs`` are tiers joined by a plus, or ``none``."""
        text = self._styled(self._filler.own(template))
        return Made(question=Question(text=text), tiers=tier_set(needs.split("+")))

    def _asked(self, text: str | None, *needs: str) -> Made | None:
        if text is None:
            return None
        return Made(question=Question(text=self._styled(text)), tiers=tier_set(needs))

    def _single(self, need: str) -> str | None:
        own = self._domain.asking.get(need, ())
        if own and self._dice.random() < 0.2:
            return self._filler.own(self._dice.choice(own))
        return self._filler.fill(self._dealt(need))

    def _dealt(self, need: str) -> str:
        """Return the next way of asking: over all domains, each comes up as often as the others."""
        ways = _shuffled(need, tuple(self._domain.ways[need]))
        self._turn[need] += 1
        return ways[self._turn[need] % len(ways)]

    def _follow(self) -> Made | None:
        need = self._dice.choice(("cag", "rag", "graph", "graph", "none"))
        before = need if need in {"cag", "graph"} else self._dice.choice(("cag", "graph", "rag"))
        if need == "graph" and self._dice.random() < 0.3:
            before = "cag"
        first = self._single(before)
        text = self._filler.fill(self._dice.choice(self._domain.ways["follow"][need]))
        if first is None or text is None:
            return None
        history = (Turn("user", first), Turn("assistant", "Here it is."))
        question = Question(text=self._styled(text, wrap=False), history=history)
        clauses = ((text, TierName(need)),) if need in _TIERS else ()
        return Made(question=question, tiers=tier_set([need]), clauses=clauses)

    def _mixed(self) -> Made | None:
        needs = list(self._dice.choice(_MIXES))
        self._dice.shuffle(needs)
        way = self._dice.random()
        fused = self._domain.ways["leads"]["fused"].get("+".join(tier_set(needs)), ())
        if way < _FUSED and fused:
            return self._asked(self._filler.fill(self._dice.choice(fused)), *needs)
        if way < 0.35 and "cag" in needs and len(set(needs)) > 1:
            parts = self._led(needs)
        elif way < 0.5:
            parts = self._whole_then_parts(needs)
        else:
            return self._about_one(needs)
        if not all(parts):
            return None
        return self._joined("", [p for p in parts if p], needs)

    def _led(self, needs: list[str]) -> list[str | None]:
        """Make "the three largest …, and what their letters say"."""
        needs.sort(key=lambda need: need != "cag")
        leads = self._domain.ways["leads"]
        return self._filler.together([self._dice.choice(leads[need]) for need in needs])

    def _whole_then_parts(self, needs: Sequence[str]) -> list[str | None]:
        """Make a whole question, then the rest about the same thing."""
        known = self._domain.ways
        first = known["leads"]["sole_graph"] if needs[0] == "graph" else known[needs[0]]
        rest = [self._dice.choice(known["parts"][need]) for need in needs[1:]]
        return self._filler.together([self._dice.choice(first), *rest])

    def _about_one(self, needs: Sequence[str]) -> Made | None:
        """Make "X: this, that and the other"."""
        known = self._domain.ways
        parts = [self._dice.choice(known["parts"][need]) for need in needs]
        lead = self._dice.choice(("{E}: ", "{E}. ", "{E} - ", "{E}, ", "for {E}: ", "", ""))
        filled = self._filler.together([lead, *parts])
        if any(part is None for part in filled):
            return None
        texts = [part or "" for part in filled]
        if not lead:
            name = self._filler.last
            at = self._dice.randrange(len(texts) - 1) + 1
            texts[at] = re.sub(r"\b(it|they|them)\b", name, texts[at], count=1)
            if name not in texts[at]:
                texts[at] = f"{texts[at]} {self._dice.choice(('for', 'of', 'at'))} {name}"
        return self._joined(texts[0], texts[1:], needs)

    def _joined(self, lead: str, parts: Sequence[str], needs: Sequence[str]) -> Made:
        clauses = tuple((part, TierName(need)) for part, need in zip(parts, needs, strict=True))
        if self._dice.random() < 0.2:
            marks = self._dice.choice(
                (("1. ", "2. ", "3. "), ("(a) ", "(b) ", "(c) "), ("1) ", "2) ", "3) "))
            )
            text = " ".join(mark + part for mark, part in zip(marks, parts, strict=False))
        else:
            join = self._dice.choice(self._domain.ways["joins"])
            text = parts[0] + "".join(
                (", " if i + 2 < len(parts) else join) + part for i, part in enumerate(parts[1:])
            )
        text = lead + text
        if self._dice.random() < 0.25:
            before = self._filler.fill(self._dice.choice(self._domain.ways["preambles"]))
            text = (before or "") + text
        return Made(
            question=Question(text=self._styled(text)), tiers=tier_set(needs), clauses=clauses
        )

    def _styled(self, text: str, *, wrap: bool = True) -> str:
        """Write a question as people do: polite, hurried, misspelt."""
        dice = self._dice
        if wrap and dice.random() < _WRAPPED:
            around = self._filler.fill(dice.choice(self._domain.ways["wraps"]), {"Q": text})
            text = around or text
        if dice.random() < 0.1:
            text = with_typo(text, dice)
        mood = dice.random()
        if mood < 0.25:
            text = text.lower()
        elif mood < 0.6:
            text = text[:1].upper() + text[1:]
        return text if text[-1:] in "?!." or dice.random() < 0.6 else f"{text}?"


@lru_cache(maxsize=32)
def _shuffled(need: str, ways: tuple[str, ...]) -> list[str]:
    """Return ways of asking in an order that is by chance, and always the same."""
    return random.Random(need).sample(ways, len(ways))


def with_typo(text: str, dice: random.Random) -> str:
    """Return ``text`` with two letters of one longer word swapped, or one of them lost."""
    words = text.split(" ")
    long = [i for i, word in enumerate(words) if len(word) > 4 and word.isalpha()]
    if not long:
        return text
    at = dice.choice(long)
    word = words[at]
    cut = dice.randrange(1, len(word) - 2)
    is_swap = dice.random() < 0.5
    words[at] = (
        word[:cut] + (word[cut + 1] + word[cut] if is_swap else word[cut + 1]) + word[cut + 2 :]
    )
    return " ".join(words)

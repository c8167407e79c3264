"""Measures whether wording matters where it should, and nowhere else: ``python -m bench.variants``.

Questions that the reader gets right are said in another way that keeps the meaning (case, stops, a
preamble, a typing error, another phrase, the time put first), and must be answered alike; or in a
way that alters it (a number, a year, the most for the least, a negation, another name), and must be
planned differently. ``--count`` says how many of each, ``--seed`` which, ``--show`` prints faults.
"""

import argparse
import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bench.reading import Domain, rows_of
from bench.sets import SETS
from tiers.graphrag.plans.plan import Plan
from tiers.graphrag.view import Scope
from trivium.domain.question import Question

Vary = Callable[[str, random.Random], str | None]
"""Says a question in another way; nothing, where this one cannot be said so."""

_PREAMBLES: Final = (
    "Hi, quick one: {}",
    "Could you tell me, please: {}",
    "I need this for a report. {}",
    "{} Thanks!",
    "{} Many thanks in advance.",
)
_PHRASES: Final = (
    (r"\bhow many (\w+s) are there\b", r"what is the number of \1"),
    (r"\bdoesn't\b", "does not"),
    (r"\bdoes not\b", "doesn't"),
    (r"\bisn't\b", "is not"),
    (r"\bdon't\b", "do not"),
    (r"\bdo not\b", "don't"),
    (r"\baren't\b", "are not"),
    (r"\bmore than\b", "over"),
    (r"\bat least two\b", "two or more"),
    (r"\bat least three\b", "three or more"),
    (r"\bfewer than\b", "less than"),
    (r"\bat the moment\b", "right now"),
    (r"\bcurrently\b", "at present"),
    (r"\bnow\b", "today"),
    (r"^list\b", "show me"),
    (r"^which of the\b", "what"),
    (r"^which\b", "what"),
    (r"^name\b", "list"),
    (r"\bcompared with\b", "against"),
    (r"\bin all\b", "altogether"),
)
_OPPOSITES: Final = (
    ("most", "fewest"), ("highest", "lowest"), ("largest", "smallest"), ("longest", "shortest"),
    ("earliest", "latest"), ("biggest", "smallest"), ("oldest", "newest"), ("first", "last"),
)  # fmt: skip
_NEGATED: Final = (
    (r"\b(which|what) ([\w-]+(?: [\w-]+)?) (are|is) (?=\w+(?:ed|er than|en)\b|(?:in|at|on|under) )",
     r"\1 \2 \3 not "),
    (r"(?<!irection )(?:\bdoes not\b|\bdoesn't\b)", "does"),
    (r"\b(which|what) (\w+s) do not\b|\b(which|what) (\w+s) don't\b", r"which \2\4 "),
    (r"\b(which|what) (\w+s) have (?!no\b)(?=\w{3,}s\b)", r"\1 \2 have no "),
    (r"\b(which|what) (\w+s) (?=(?:supply|use|make|sell|run|buy|own|take|work|live|serve)\b)",
     r"\1 \2 do not "),
)  # fmt: skip
_PATHS: Final = (
    r"(?:short|long)est (?:\w+ )?(?:chain|way|route|path|haul|link|between)|(?:hops|legs|half)"
)
_NO_OPPOSITE: Final = r"the most \w+(?:ive|ant|ed|ous)\b|los\w+ the last\b"
"""Where the other word makes no sense: "the fewest expensive", "lose the first one they have"."""
_NUMBERS: Final = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_TIME: Final = re.compile(
    r"^(.*\S) ((?:in|on|at the end of|since) [^,?]*\b\d{4})\?$", re.IGNORECASE
)
_WORD: Final = re.compile(r"(?<![\w'-])[a-z]{6,}(?![\w'-])")
_NAME: Final = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{5,}(?![\w'-])")


def _sub(text: str, pairs: Sequence[tuple[str, str]], rng: random.Random) -> str | None:
    said = [
        re.sub(pattern, other, text, count=1, flags=re.IGNORECASE)
        for pattern, other in pairs
        if re.search(pattern, text, re.IGNORECASE)
    ]
    return rng.choice(said) if said else None


def _mistyped(text: str, pattern: re.Pattern[str], rng: random.Random) -> str | None:
    """Return a text with one word mistyped: two letters swapped, one left out, or one twice."""
    words = list(pattern.finditer(text))
    if not words:
        return None
    word = rng.choice(words)
    at = word.start() + rng.randrange(1, len(word.group()) - 2)
    a, b = text[at], text[at + 1]
    return text[:at] + rng.choice([b + a, b, a + a + b]) + text[at + 2 :]


def _preamble(text: str, rng: random.Random) -> str:
    return rng.choice(_PREAMBLES).format(text)


def _time_first(text: str, rng: random.Random) -> str | None:  # noqa: ARG001  # as the others
    found = _TIME.match(text)
    if not found:
        return None
    return f"{found[2][0].upper()}{found[2][1:]}, {text[0].lower()}{found[1][1:]}?"


def _another_number(text: str, rng: random.Random) -> str | None:
    words = [w for w in _NUMBERS[:-1] if re.search(rf"(?<!the ){w}\b(?!-)", text)]
    if not words:
        return None
    word = rng.choice(words)
    return re.sub(rf"\b{word}\b", _NUMBERS[_NUMBERS.index(word) + 1], text)


def _another_year(text: str, rng: random.Random) -> str | None:
    years = re.findall(r"(?<![\w-])(?:19|20)\d\d(?![\w])", text)
    return text.replace(year := rng.choice(years), str(int(year) - 1)) if years else None


def _opposite(text: str, rng: random.Random) -> str | None:
    """Say the opposite of a superlative; a path is the shortest by its nature."""
    pairs = [pair for one in _OPPOSITES for pair in (one, one[::-1])]
    said = [
        text.replace(f"the {a} ", f"the {b} ")
        for a, b in pairs
        if f"the {a} " in text and not re.search(_PATHS, text) and not re.search(_NO_OPPOSITE, text)
    ]
    return rng.choice(said) if said else None


KEEPING: Final[Mapping[str, Vary]] = {
    "lower case": lambda text, _: text.lower(),
    "capitals": lambda text, _: text.upper(),
    "no stops": lambda text, _: text.rstrip("?. "),
    "a preamble": _preamble,
    "a word mistyped": lambda text, rng: _mistyped(text, _WORD, rng),
    "a name mistyped": lambda text, rng: _mistyped(text, _NAME, rng),
    "another phrase": lambda text, rng: _sub(text, _PHRASES, rng),
    "the time first": _time_first,
}
ALTERING: Final[Mapping[str, Vary]] = {
    "another number": _another_number,
    "another year": _another_year,
    "the opposite": _opposite,
    "negated": lambda text, rng: _sub(text, _NEGATED, rng),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Varied:
    """A question said in another way, and whether it was taken as it should be."""

    kind: str
    before: str
    after: str
    is_fine: bool


@dataclass(frozen=True, slots=True)
class _Right:
    """A question that the reader gets right."""

    domain: Domain
    row: Mapping[str, Any]
    text: str


def right_ones(sets: Sequence[str] = SETS) -> list[_Right]:
    """Return the questions of some sets that the reader gets right and answers."""
    domains: dict[str, Domain] = {}
    found = []
    for named in sets:
        directory, _, file = named.partition("=")[2].partition(":")
        domain = domains.setdefault(directory, Domain.load(Path(directory)))
        for row in rows_of(Path(file)):
            outcome = domain.answer(row)
            if outcome.right and not outcome.should_abstain and not row.get("history"):
                found.append(_Right(domain, row, outcome.query))
    return found


def vary(
    questions: Sequence[_Right], ways: Mapping[str, Vary], count: int, seed: int
) -> Iterator[Varied]:
    """Give so many questions said in other ways, each kind alike often where it can be."""
    rng = random.Random(seed)
    kinds = list(ways)
    given = 0
    for number in range(count * 60):
        kind, one = kinds[number % len(kinds)], rng.choice(questions)
        said = ways[kind](one.text, rng)
        if said is None or said == one.text:
            continue
        yield _judged(kind, one, said, is_kept=ways is KEEPING)
        given += 1
        if given == count:
            return


def _judged(kind: str, one: _Right, said: str, *, is_kept: bool) -> Varied:
    if is_kept:
        is_fine = one.domain.answer({**one.row, "query": said, "question": said}).right
    else:
        is_fine = _plan(one, said) != _plan(one, one.text)
    return Varied(kind=kind, before=one.text, after=said, is_fine=is_fine)


def _plan(one: _Right, text: str) -> object:
    understood = one.domain.reader.read(Question(text=text, as_of=one.row.get("as_of")))
    schema = one.domain.lexicon.schema
    scope = Scope(view=one.domain.graph, schema=schema, moment=understood.moment)
    plan = one.domain.plans.read(understood, scope)
    return [step.to_json() for step in plan.steps] if isinstance(plan, Plan) else None


def main() -> None:
    """Run the bench from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", action="store_true", help="print what was taken wrongly")
    options = parser.parse_args()
    questions = right_ones()
    for name, ways in (("kept", KEEPING), ("altered", ALTERING)):
        by_kind: dict[str, list[Varied]] = defaultdict(list)
        for varied in vary(questions, ways, options.count, options.seed):
            by_kind[varied.kind].append(varied)
            if options.show and not varied.is_fine:
                print(f"{varied.kind}: {varied.before}\n      {varied.after}")
        every = [v for found in by_kind.values() for v in found]
        for kind, found in [*by_kind.items(), (name, every)]:
            n = sum(v.is_fine for v in found)
            print(f"{kind:20s} {n:4d} / {len(found):<4d} {n / max(1, len(found)):6.1%}")


if __name__ == "__main__":
    main()

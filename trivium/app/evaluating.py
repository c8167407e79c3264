"""``trivium eval``: a data set's own questions, asked end to end in a home of their own."""

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

from tqdm import tqdm

from trivium.app.arguments import Commands
from trivium.app.asking import own_service
from trivium.app.loading import SUITE
from trivium.app.service import Service, rendered
from trivium.app.settings import Settings
from trivium.app.suite import Answer, Aspect, Fault, Row, faults, question_of, read_suite
from trivium.app.terminal import aligned, say
from trivium.domain.errors import InputError, TriviumError

Json: TypeAlias = dict[str, Any]  # Any: JSON
_LONGEST: Final = 300
_HEAD: Final = ("", "right", "of", "share", "routed", *Aspect)


@dataclass(frozen=True, slots=True, kw_only=True)
class Graded:
    """A question of a suite, and how it went."""

    id: str
    question: str
    tiers: str
    category: str
    went_to: str | None
    """The tiers that it went to; ``None`` when there is no answer at all."""
    is_routed: bool | None
    """Whether these are the suite's; ``None`` where it names none."""
    faults: tuple[Fault, ...]
    answer: str
    took_ms: float

    @property
    def is_right(self) -> bool:
        """Whether nothing is wrong with the answer, whatever its route."""
        return not self.faults


def add_to(commands: Commands) -> None:
    """Add ``trivium eval`` to the command line."""
    parts = commands.add_parser(
        "eval", help="ask a data set's own questions, and grade the answers"
    )
    parts.set_defaults(run=_eval)
    parts.add_argument("directory", type=Path, metavar="DIR", help=f"the data set, with {SUITE}")
    parts.add_argument(
        "--questions", type=Path, metavar="FILE", help="other questions than its own"
    )
    parts.add_argument("--show", action="store_true", help="print what is wrong with each answer")
    parts.add_argument(
        "--at-least", type=_share, default=0.0, metavar="SHARE",
        help="exit with 1 when less than this share is right, from 0 to 1",
    )  # fmt: skip
    parts.add_argument(
        "--against", type=Path, metavar="FILE",
        help="an earlier report (--json): say which answers became right, and which wrong",
    )  # fmt: skip
    parts.add_argument("--json", action="store_true", help="print the whole report")


def _share(text: str) -> float:
    share = float(text)
    if not 0 <= share <= 1:
        raise ValueError
    return share


async def _eval(options: argparse.Namespace, settings: Settings) -> int:
    before = _earlier(options.against) if options.against else None
    rows = await read_suite(options.questions or options.directory / SUITE)
    graded = await evaluate(settings, options.directory, rows)
    if options.json:
        print(json.dumps(report(graded), ensure_ascii=False))
    else:
        for line in told(graded, is_shown=options.show):
            print(line)
    if before is not None:
        for line in _changed(before, graded):
            say(line)
    return 0 if _right(graded) >= options.at_least * len(graded) else 1


async def evaluate(settings: Settings, directory: Path, rows: Sequence[Row]) -> Sequence[Graded]:
    """Ask each question of a suite of a service that knows a data set and nothing else.

    Raises:
        DataError: there is no data set.
    """
    hidden = not sys.stderr.isatty()
    with tempfile.TemporaryDirectory(prefix="trivium-") as folder:
        async with own_service(settings, directory, Path(folder)) as service:
            return [await _graded(service, row) for row in tqdm(rows, "asking", disable=hidden)]


async def _graded(service: Service, row: Row) -> Graded:
    started = time.perf_counter()
    answer: Answer | None = None
    try:
        answer = json.loads(rendered(await service.ask(question_of(row))))
        wrong = faults(row, answer)
    except TriviumError as error:
        wrong = (Fault(Aspect.ANSWER, str(error)),)
    return Graded(
        id=row["id"],
        question=row["query"],
        tiers=_named(row.get("tiers")),
        category=str(row.get("category") or "-"),
        went_to=_named(answer["route"]["tiers"]) if answer else None,
        is_routed=_is_routed(row.get("tiers"), answer),
        faults=wrong,
        answer=answer["answer"] if answer else "",
        took_ms=round((time.perf_counter() - started) * 1000, 1),
    )


def _is_routed(tiers: Sequence[str] | None, answer: Answer | None) -> bool | None:
    if tiers is None:
        return None
    return answer is not None and set(answer["route"]["tiers"]) == set(tiers)


def _named(tiers: Sequence[str] | None) -> str:
    return "-" if tiers is None else "+".join(tiers) or "none"


def _right(graded: Sequence[Graded]) -> int:
    return sum(one.is_right for one in graded)


def told(graded: Sequence[Graded], *, is_shown: bool) -> Iterator[str]:
    """Give the report for a person: tables by tiers and by category, and what is wrong."""
    for name, key in _GROUPINGS.items():
        rows = [(name, *_HEAD[1:])]
        rows += [_line(title, group) for title, group in _grouped(graded, key).items()]
        yield from aligned([*rows, _line("all", graded)])
        yield ""
    yield "Wrong are: answer, none or one too many; result, values, citations, text."
    for one in graded if is_shown else ():
        if one.is_right and one.is_routed is not False:
            continue
        yield f"\n{one.id} ({one.tiers}, {one.category}): {one.question}"
        if one.is_routed is False:
            yield f"  route: it went to {one.went_to or 'no tier'}"
        yield from (f"  {fault.aspect}: {fault.what}" for fault in one.faults)
        if one.faults:
            yield f"  said: {one.answer[:_LONGEST]!r}"


_GROUPINGS: Final[Mapping[str, Callable[[Graded], str]]] = {
    "tiers": lambda one: one.tiers,
    "category": lambda one: one.category,
}


def _grouped(
    graded: Sequence[Graded], key: Callable[[Graded], str]
) -> Mapping[str, Sequence[Graded]]:
    return {name: [g for g in graded if key(g) == name] for name in sorted(set(map(key, graded)))}


def _line(title: str, group: Sequence[Graded]) -> tuple[str, ...]:
    n_right, wrong = _right(group), _wrong(group)
    labelled = [one.is_routed for one in group if one.is_routed is not None]
    return (
        title,
        str(n_right),
        str(len(group)),
        f"{n_right / len(group):.3f}",
        f"{sum(labelled)}/{len(labelled)}",
        *(str(wrong[aspect] or "") for aspect in Aspect),
    )


def _wrong(group: Sequence[Graded]) -> Counter[str]:
    """Count the answers that have each kind of fault."""
    return Counter(aspect for one in group for aspect in {fault.aspect for fault in one.faults})


def report(graded: Sequence[Graded]) -> Json:
    """Return the report as JSON."""
    return {
        **_figures(graded),
        **{
            f"by_{name}": {title: _figures(group) for title, group in _grouped(graded, key).items()}
            for name, key in _GROUPINGS.items()
        },
        "rows": [{**asdict(one), "is_right": one.is_right} for one in graded],
    }


def _figures(group: Sequence[Graded]) -> Json:
    labelled = [one.is_routed for one in group if one.is_routed is not None]
    return {
        "n": len(group),
        "right": _right(group),
        "share": round(_right(group) / len(group), 4),
        "routed": sum(labelled),
        "n_routed": len(labelled),
        "wrong": dict(_wrong(group)),
    }


def _earlier(path: Path) -> Mapping[str, bool]:
    """Return which answers were right in an earlier report.

    Raises:
        InputError: it is none.
    """
    try:
        rows = json.loads(path.read_text("utf-8"))["rows"]
        return {row["id"]: row["is_right"] for row in rows}
    except (OSError, ValueError, KeyError, TypeError) as error:
        told = f"{path} is no report of trivium eval --json: {type(error).__name__}"
        raise InputError(told) from error


def _changed(before: Mapping[str, bool], graded: Sequence[Graded]) -> Iterator[str]:
    both = [one for one in graded if one.id in before]
    for title, is_right in (("became right", True), ("became wrong", False)):
        ids = [o.id for o in both if o.is_right is is_right and before[o.id] is not is_right]
        yield f"{len(ids)} {title}{': ' if ids else ''}{', '.join(ids)}"
    if len(both) < len(graded):
        yield f"{len(graded) - len(both)} were not in it"

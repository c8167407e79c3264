"""Tells how architectures did: a table, a Markdown report and a chart, the paper's figures beside.

The paper's figures are copied from it, and marked as its own: it asked other questions in its
hold-outs, named other entities in its gold, and let a model judge.
"""

import statistics
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np

from bench.drawing import bars
from bench.judging import Marks
from bench.scoring import Grade, grade_of, kappa


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How one architecture did."""

    name: str
    marks: Mapping[str, Marks] = field(default_factory=dict)
    """By the question's id; none where it did not run."""
    times_ms: Sequence[float] = ()
    """From a question's text to its answer, one for each question and round."""
    failed: Sequence[str] = ()
    """Why answers failed, each once."""
    why_not: str | None = None
    """Why it did not run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """What the paper reports of an architecture."""

    f1: float | None = None
    """Mean entity F1 over its 23 questions."""
    levels: str = ""
    """Correct / partial / fail."""
    n_questions: int = 23
    ms: float | None = None
    """Mean latency on its machine."""
    source: str = ""


PUBLISHED: Final = (
    Published(f1=0.349, levels="0/13/10", ms=0.38, source="Tables VIII, XIII"),
    Published(levels="1/4/6", n_questions=11, source="Table IX"),
    Published(f1=0.472, levels="1/16/6", ms=0.51, source="Tables VIII, XIII"),
    Published(levels="1/6/4", n_questions=11, source="Table IX"),
    Published(levels="3/6/2", n_questions=11, source="Table IX"),
    Published(f1=0.577, levels="3/16/4", ms=9480, source="Tables X, XIII"),
    Published(f1=0.632, levels="5/14/4", source="Table XIII"),
    Published(f1=0.636, levels="4/16/3", source="Table XV"),
)
"""In the order of the paper's architectures; there is none for ours."""
_KAPPA: Final = 0.716
"""The paper's, between its author and a model that judged 22 answers on three levels."""

_HEAD: Final = (
    "architecture", "exact", "entity F1", "C/P/F", "F1 beyond", "ranking", "completeness",
    "causal cover", "κ", "p50 ms", "p95 ms",
)  # fmt: skip


def summary(outcome: Outcome) -> list[str]:
    """Return the cells of one architecture's row, as in ``_HEAD``."""
    marks = list(outcome.marks.values())
    if not marks:
        return [outcome.name, f"not run: {outcome.why_not}", *[""] * (len(_HEAD) - 2)]
    agreed = agreement([outcome])
    return [
        outcome.name,
        _exact(outcome.marks),
        f"{mean_f1(outcome):.3f}",
        _levels(marks),
        f"{statistics.fmean(m.f1_beyond for m in marks):.3f}",
        _mean(marks, lambda m: m.ranking),
        _mean(marks, lambda m: m.completeness),
        _mean(marks, lambda m: m.coverage),
        "–" if agreed is None else f"{agreed:.2f}",
        f"{statistics.median(outcome.times_ms):.2f}",
        f"{float(np.percentile(outcome.times_ms, 95)):.2f}",
    ]


def _exact(marks: Mapping[str, Marks]) -> str:
    """Say how many are exact: of all, and by the letters that the ids begin with."""
    groups: dict[str, list[bool]] = {}
    for key, mark in marks.items():
        groups.setdefault(key.rstrip("0123456789"), []).append(mark.is_exact)
    parts = ", ".join(f"{name} {sum(found)}/{len(found)}" for name, found in groups.items())
    return f"{sum(m.is_exact for m in marks.values())}/{len(marks)} ({parts})"


def mean_f1(outcome: Outcome) -> float:
    """Return the mean entity F1 over all questions."""
    return statistics.fmean(m.f1 for m in outcome.marks.values())


def agreement(outcomes: Sequence[Outcome]) -> float | None:
    """Return Cohen's κ between the exact scorer and the paper's F1 scorer over all answers.

    Each says right or wrong: the exact set, ranking, number …; an F1 of at least 0.9.
    """
    marks = [m for outcome in outcomes for m in outcome.marks.values()]
    by_f1 = [grade_of(m.f1) is Grade.CORRECT for m in marks]
    return kappa([m.is_exact for m in marks], by_f1)


def _levels(marks: Sequence[Marks]) -> str:
    counts = Counter(grade_of(m.f1) for m in marks)
    return "/".join(str(counts[grade]) for grade in Grade)


def _mean(marks: Sequence[Marks], measure: Callable[[Marks], float | None]) -> str:
    values = [value for m in marks if (value := measure(m)) is not None]
    return f"{statistics.fmean(values):.2f}" if values else "–"


def table(outcomes: Sequence[Outcome]) -> list[str]:
    """Return the lines of the table, its columns in line."""
    rows = [list(_HEAD), *(summary(outcome) for outcome in outcomes)]
    whole = [row for row in rows if row[2]]
    wide = [max(len(row[n]) for row in (whole if n else rows)) for n in range(len(_HEAD))]
    lines = ["  ".join(c.ljust(w) for c, w in zip(r, wide, strict=True)).rstrip() for r in rows]
    told = [f"{o.name}: {why}" for o in outcomes for why in o.failed]
    return [*lines, f"κ over all answers: {_kappa_of(outcomes)}", *told]


def _kappa_of(outcomes: Sequence[Outcome]) -> str:
    found = agreement(outcomes)
    return "not defined" if found is None else f"{found:.3f}"


def write(path: Path, outcomes: Sequence[Outcome]) -> None:
    """Write the report, and its chart beside it with the ending ``.svg``."""
    picture = path.with_suffix(".svg")
    ran = [outcome for outcome in outcomes if outcome.marks]
    bars(picture, _bars(outcomes), ("exact", "entity F1", "the paper's own F1"))
    parts = [
        _TOP.format(picture=picture.name),
        _markdown([list(_HEAD), *(summary(outcome) for outcome in outcomes)]),
        f"κ over all answers together: {_kappa_of(outcomes)}.",
        *(f"{o.name}: {why}." for o in outcomes for why in o.failed),
        _METHOD,
        "## The paper's own figures\n\n" + _PAPER,
        _markdown(_published(outcomes)),
        "## Question by question\n\nExact (✓) and entity F1.",
        _markdown(_by_question(ran)),
    ]
    path.write_text("\n\n".join(parts) + "\n", "utf-8")


def _bars(outcomes: Sequence[Outcome]) -> dict[str, dict[str, float | None]]:
    rows: dict[str, dict[str, float | None]] = {}
    for n, outcome in enumerate(outcomes):
        marks = outcome.marks.values()
        exact = statistics.fmean(m.is_exact for m in marks) if marks else None
        rows[outcome.name] = {
            "exact": exact,
            "entity F1": mean_f1(outcome) if marks else None,
            "the paper's own F1": PUBLISHED[n].f1 if n < len(PUBLISHED) else None,
        }
    return rows


def _published(outcomes: Sequence[Outcome]) -> list[list[str]]:
    rows = [["architecture", "entity F1", "C/P/F", "questions", "mean ms", "where"]]
    for outcome, its in zip(outcomes, PUBLISHED, strict=False):
        f1, ms = ("–" if v is None else f"{v:g}" for v in (its.f1, its.ms))
        rows.append([outcome.name, f1, its.levels, str(its.n_questions), ms, its.source])
    return rows


def _by_question(ran: Sequence[Outcome]) -> list[list[str]]:
    rows = [["question", *(outcome.name for outcome in ran)]]
    for key in ran[0].marks if ran else ():
        marks = [outcome.marks[key] for outcome in ran]
        rows.append([key, *(f"{'✓' if m.is_exact else '·'} {m.f1:.2f}" for m in marks)])
    return rows


def _markdown(rows: Sequence[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]])


_TOP: Final = """\
# Architectures side by side

Written by `trivium bench architectures --report docs/architectures.md`: the eight architectures
that the paper compares, and ours, on its 11 questions and 12 hold-outs
(`bench/questions/aerospace_paper.jsonl`) over `examples/aerospace`. The paper prints five of its
questions and describes six; it prints none of its hold-outs, so those are ours, in its categories.

![exact answers and entity F1]({picture})"""
_METHOD: Final = """\
- **exact** (Q: the paper's questions, H: hold-outs): the whole answer is right: the same set,
  ranking, number, path or comparison as in gold (`trivium/app/grading.py`). A text is taken for the
  entities that it names, found by the one linker.
- **entity F1**, **C/P/F**: over the entities that the answer's text names, C from 0.9, P from 0.3
  (the paper's Section VI-C). Gold holds the question's own entities too, as the paper's Table XVIII
  does; **F1 beyond** leaves them out on both sides.
- **ranking**, **completeness**, **causal cover**: measures that the paper asks for in its Section
  VIII without a formula; ours stand in `bench/scoring.py`. Causal cover is a recall: a text that
  names much covers much.
- **κ**: Cohen's, between *exact* and *entity F1 of at least 0.9*; 0 where one of the two gave one
  verdict throughout, – where both did.
- **ms**: from the question's text to the answer, on the machine that wrote this.

1, 2 and 5 have no model: their answer is what they retrieve (5 texts; of 5 entities and 5 relations
for LightRAG's two levels), as in the paper's Section IV. The corpus is the graph put into words,
expired relations kept. LightRAG's keywords are here the names that the linker finds and the rest of
the question. 3 chooses among eleven fixed plans by cues; the paper's handlers are Python, chosen by
a classifier. 4, 6, 7 and 8 run where a model is set up (`TRIVIUM_ANTHROPIC_API_KEY`); 7 and 8 have
beside the paper's operators those that only turn an outcome into an answer (`TELLING` in
`tiers/graphrag/planner.py`).

3 and 9 were built with these questions at hand, the hold-outs too: for unseen ones see
`python -m bench.reading`."""
_PAPER: Final = f"""\
Copied, not measured here: with Claude Haiku 4.5 where a model is needed, with other hold-outs and
other gold. Its κ of {_KAPPA} is between its author and a model as judges of 22 answers on three
levels."""

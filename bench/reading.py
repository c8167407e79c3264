"""Measures the graph's question reader: ``python -m bench.reading [SET ...] [--show]``.

A set is ``NAME=DATA_DIR:QUESTIONS.jsonl``; without any, those of this repository are taken. Right
is the exact answer: the same set, ranking, number, truth, path, day or comparison as in the row's
``gold``, or the same kind of abstention. An answer below ``LOST`` is refused, one below ``SURE`` is
hedged: it says how the question was read, so that it is not confident. Times are from the
question's text to its plan, and to the plan's result, without the encoder.
"""

import argparse
import asyncio
import json
import statistics
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from bench.sets import BLIND, FIRST_SIGHT, KEPT, SETS
from tests.fakes import NoEncoder
from tiers.graphrag.plans.plan import Plan, run
from tiers.graphrag.reading.confidence import LOST, SURE, Read, features, probability
from tiers.graphrag.reading.explaining import Trail, accounted
from tiers.graphrag.reading.reader import PlanReader, Refused
from tiers.graphrag.stores.memory import MemoryGraph
from tiers.graphrag.view import Scope
from trivium.app import suite
from trivium.app.grading import is_right
from trivium.domain.errors import PlanError
from trivium.domain.evidence import Reason
from trivium.domain.question import Question, Understood
from trivium.knowledge.dataset import read_dataset
from trivium.knowledge.lexicon import lexicon_of
from trivium.language.reading import Lexicon, QuestionReader

Gold = Mapping[str, Any]  # a row's gold, as JSON has it


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One question, what was answered, and whether that is right."""

    id: str
    category: str
    query: str
    gold: Gold
    result: Mapping[str, object]
    reason: str | None
    why: str
    understood: str
    right: bool
    """Whether what is given is right."""
    read_right: bool
    """Whether what was read is, given or not."""
    features: Mapping[str, float]
    """What tells how sure the plan is; none where there is no plan."""
    plan_ms: float
    """To the plan."""
    ms: float
    """To its result, and how sure it is."""

    @property
    def confidence(self) -> float:
        """How probable it is that the plan is right; 0 where there is none."""
        return probability(self.features) if self.features else 0.0

    @property
    def is_hedged(self) -> bool:
        """Whether it is an answer that says how the question was read."""
        return self.reason is None and 0 < self.confidence < SURE

    @property
    def should_abstain(self) -> bool:
        """Whether the right answer is none."""
        return bool(self.gold.get("abstain"))


@dataclass(slots=True)
class Domain:
    """A data set, loaded for reading."""

    lexicon: Lexicon
    graph: MemoryGraph
    reader: QuestionReader
    plans: PlanReader = field(default_factory=PlanReader)

    @classmethod
    def load(cls, directory: Path) -> "Domain":
        """Read a data set from disk."""
        changes = read_dataset(directory).changes
        lexicon, graph = lexicon_of(changes), MemoryGraph()
        asyncio.run(graph.apply(changes, len(changes)))
        return cls(lexicon, graph, QuestionReader(NoEncoder(), lexicon))

    def answer(self, row: Mapping[str, Any]) -> Outcome:
        """Read and compute one question."""
        question = question_of(row)
        started = time.perf_counter()
        understood = self.reader.read(question)
        scope = Scope(view=self.graph, schema=self.lexicon.schema, moment=understood.moment)
        trail = Trail()
        plan = self.plans.read(understood, scope, trail)
        planned = time.perf_counter()
        found, read = _computed(plan, scope, trail, understood)
        ended = time.perf_counter()
        reason = plan.reason.value if isinstance(plan, Refused) else None
        outcome = Outcome(
            id=str(row["id"]),
            category=str(row.get("category", "")),
            query=question.text,
            gold=row["gold"],
            result=found,
            reason=reason,
            why=plan.why if isinstance(plan, Refused) else "",
            understood="" if isinstance(plan, Refused) else f"{plan.template} | {plan.understood}",
            right=is_right(row["gold"], found, reason),
            read_right=is_right(row["gold"], found, reason),
            features=features(read) if read else {},
            plan_ms=(planned - started) * 1000,
            ms=(ended - started) * 1000,
        )
        return _refused(outcome) if read and outcome.confidence < LOST else outcome


def _computed(
    plan: Plan | Refused, scope: Scope, trail: Trail, question: Understood
) -> tuple[Mapping[str, object], Read | None]:
    """Return what a plan gives as JSON, and all that tells how sure it is; none where it fails."""
    if isinstance(plan, Refused) or trail.sketch is None:
        return {}, None
    try:
        result = run(plan, scope).result
    except PlanError as error:
        return {"kind": "error", "why": str(error)}, None
    claims = accounted(question, trail, plan, scope.schema)
    read = Read(sketch=trail.sketch, claims=claims, plan=plan, result=result)
    return result.to_json(), read


def _refused(outcome: Outcome) -> Outcome:
    """Return what the tier makes of a plan that it is not sure of at all."""
    reason = Reason.NOT_IN_SCHEMA.value
    right = is_right(outcome.gold, {}, reason)
    return replace(outcome, result={}, reason=reason, why="not sure enough", right=right)


def question_of(row: Mapping[str, Any]) -> Question:
    """Return the question of a row, whose text stands under ``query`` or ``question``."""
    return suite.question_of({**row, "query": row.get("query") or row["question"]})


def rows_of(file: Path) -> Iterator[Mapping[str, Any]]:
    """Give the rows of a file that the graph alone answers."""
    for line in file.read_text("utf-8").splitlines():
        row = json.loads(line) if line.strip() else None
        if row and row.get("tiers", ["graph"]) == ["graph"] and "gold" in row:
            yield row


def answered(sets: Iterable[str]) -> Iterator[tuple[str, str, list[Outcome]]]:
    """Give the name of each set, the directory of its data, and its questions, answered."""
    domains: dict[str, Domain] = {}
    for named in sets:
        name, _, where = named.partition("=")
        directory, _, file = where.partition(":")
        if directory not in domains:
            domains[directory] = Domain.load(Path(directory))
        yield name, directory, [domains[directory].answer(row) for row in rows_of(Path(file))]


def print_share(name: str, outcomes: Sequence[Outcome]) -> None:
    """Print one line: the share that is right, and how many were at first sight."""
    n_right, n = sum(o.right for o in outcomes), len(outcomes)
    first = FIRST_SIGHT.get(name)
    seen = f"   first sight {first} {first / max(1, n):6.1%}" if first else ""
    print(f"{name:32s} {n_right:4d} / {n:<4d} {n_right / max(1, n):6.1%}{seen}")


def print_summary(outcomes: Sequence[Outcome]) -> None:
    """Print shares by category, abstentions, confident wrong answers, and time."""
    by_category: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        by_category[outcome.category].append(outcome)
    print("\nby category")
    for name in sorted(by_category):
        print_share(f"  {name}", by_category[name])
    meant = [o for o in outcomes if o.should_abstain]
    answerable = [o for o in outcomes if not o.should_abstain]
    refused = [o for o in answerable if o.reason]
    wrong = [o for o in outcomes if not o.right and not o.reason]
    hedged = [o for o in outcomes if o.is_hedged]
    lost = [o for o in outcomes if o.reason and o.features]
    print(f"\nabstentions right     {sum(o.right for o in meant)} / {len(meant)}")
    print(f"answerable refused    {len(refused)} / {len(answerable)}")
    print(
        f"refused below {LOST:g}     {len(lost)}, of them right {sum(o.read_right for o in lost)}"
    )
    print(f"hedged below {SURE:g}      {len(hedged)}, of them right {sum(o.right for o in hedged)}")
    print(f"answered and wrong    {len(wrong)} / {len(outcomes)}")
    n_confident = sum(not o.is_hedged for o in wrong)
    share = n_confident / max(1, len(outcomes))
    print(f"confident and wrong   {n_confident} / {len(outcomes)} {share:.1%}")
    for name, times in (
        ("ms to the plan", sorted(o.plan_ms for o in outcomes)),
        ("ms to the result", sorted(o.ms for o in outcomes)),
    ):
        p95 = times[min(len(times) - 1, int(0.95 * len(times)))]
        print(f"{name:21s} p50 {statistics.median(times):.2f}  p95 {p95:.2f}")


def print_wrong(outcome: Outcome) -> None:
    """Print a question that went wrong, with its gold and what was read."""
    print(f"WRONG {outcome.id} {outcome.category} | {outcome.query}")
    print(f"      gold {json.dumps(outcome.gold)[:200]}")
    print(f"      got  {json.dumps(outcome.result)[:200]} {outcome.reason or ''} {outcome.why}")
    print(f"      as   {outcome.understood[:200]}")


def main() -> None:
    """Run the bench from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="*", help="NAME=DATA_DIR:QUESTIONS.jsonl")
    parser.add_argument("--show", action="store_true", help="print what went wrong")
    options = parser.parse_args()
    everything: list[Outcome] = []
    for name, _, outcomes in answered(options.sets or (*SETS, *BLIND)):
        if options.show and name not in KEPT:
            for outcome in outcomes:
                if not outcome.right:
                    print_wrong(outcome)
        print_share(name, outcomes)
        everything += outcomes
    print_share("all", everything)
    print_summary(everything)


if __name__ == "__main__":
    main()

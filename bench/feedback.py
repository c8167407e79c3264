"""Measures the feedback loop by simulated ratings: ``python -m bench.feedback``.

The router starts weakened to 84 % on set B, by being taught that graph questions belong to
documents. It is rated by ``bench.raters``, retrained every 200 ratings, gated on set A, and every
promotion is judged on set B, which neither gate nor trainer sees; see ``bench.feedback_sets``.
"""

import argparse
import asyncio
import hashlib
import logging
import multiprocessing
import random
import statistics
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
import structlog
from threadpoolctl import threadpool_limits
from tqdm import tqdm

from bench.drawing import hue, write_svg
from bench.feedback_sets import load
from bench.raters import Crowd, Rated, claims_of, records_of
from feedback.gate import Gate, Gated
from feedback.trainer import retrain
from router.correction import Correction
from router.model import RouterModel
from router.registry import Registry
from router.seen import Seen
from router.training import Example, train
from trivium.domain.question import TierName

_NOISE: Final = (0.0, 0.1, 0.2, 0.3, 0.4)
_N_RATINGS: Final = 1_400
_EVERY: Final = 200
_WEAK: Final = 0.84
_N_ANCHORS: Final = 1_000
_POISON: Final = 500
_N_BESIDE: Final = 5
"""Seeds for which plain retraining, and a poisoned rater, are run beside."""
_PICTURE: Final = Path("docs/feedback.svg")


@dataclass(frozen=True, slots=True)
class Sets:
    """The router to begin with, and what it is rated, gated and judged on."""

    weak: RouterModel
    anchors: Sequence[Seen]
    stream: Sequence[Gated]
    gate: Gate
    judge: Gate


@dataclass(slots=True)
class Stream:
    """What became of one stream: accuracy on set B after every 200 ratings, and what was lost."""

    seed: int
    noise: float
    curve: list[float]
    plain: list[float]
    losses: list[float]
    """Of each promotion on set B, of 1; below zero, a gain."""
    n_refused: int = 0


def weakened(good: RouterModel, base: Sequence[Gated], judge: Gate) -> RouterModel:
    """Return the router that was taught just so much wrong that 84 % of set B are right."""
    graph = [row.seen for row in base if row.tiers == (TierName.GRAPH,)]
    other = [row.seen for row in base if row.tiers != (TierName.GRAPH,)]
    low, high, found = 0, len(graph), {judge.right(good): good}
    while high - low > 1:
        n = (low + high) // 2
        taught = Correction(good, graph[:n], [(TierName.RAG,)] * n, other[:_N_ANCHORS])
        model = taught.corrected(np.ones(n, dtype=np.float32))
        share = judge.right(model)
        found[share] = model
        low, high = (n, high) if share > _WEAK else (low, n)
    best = found[min(found, key=lambda share: abs(share - _WEAK))]
    return replace(best, version="weak")


def believing(sets: Sets, ratings: Sequence[Rated]) -> RouterModel:
    """Return the router retrained plainly: every thumb believed."""
    labels = [replace(r, verdict=None).said for r in ratings]
    seen = [sets.stream[r.at].seen for r in ratings]
    return Correction(sets.weak, seen, labels, sets.anchors).corrected(
        np.ones(len(ratings), dtype=np.float32)
    )


def run(sets: Sets, seed: int, noise: float, *, is_poisoned: bool = False) -> Stream:
    """Run one stream of ratings through trainer and gate, and through plain retraining."""
    order = list(range(len(sets.stream)))
    random.Random(seed).shuffle(order)
    start = sets.judge.right(sets.weak)
    stream = Stream(seed, noise, [start], [start], [])
    with tempfile.TemporaryDirectory() as fresh:
        registry = Registry(Path(fresh), base=sets.weak)
        _guarded(sets, registry, order, stream, is_poisoned=is_poisoned)
    if seed < _N_BESIDE and not is_poisoned:
        _plain(sets, order, Crowd(sets.weak.sets, noise, seed), stream)
    return stream


def _guarded(
    sets: Sets, registry: Registry, order: Sequence[int], stream: Stream, *, is_poisoned: bool
) -> None:
    crowd = Crowd(sets.weak.sets, stream.noise, stream.seed)
    poisoner = Crowd(sets.weak.sets, 1.0, stream.seed)
    ratings: list[Rated] = []
    for batch, others in _batches(order):
        champion = registry.current()
        ratings += crowd.rate(champion, sets.stream, batch)
        if is_poisoned:
            ratings += poisoner.rate(champion, sets.stream, others, rater="poisoner")
        claims, records = claims_of(ratings, sets.stream), records_of(ratings)
        report = retrain(registry, claims, records, sets.anchors, sets.gate)
        if report.is_promoted:
            now = sets.judge.right(registry.current())
            stream.losses.append(stream.curve[-1] - now)
            stream.curve.append(now)
        else:
            stream.n_refused += 1
            stream.curve.append(stream.curve[-1])


def _plain(sets: Sets, order: Sequence[int], crowd: Crowd, stream: Stream) -> None:
    ratings: list[Rated] = []
    model = sets.weak
    for batch, _ in _batches(order):
        ratings += crowd.rate(model, sets.stream, batch)
        model = believing(sets, ratings)
        stream.plain.append(sets.judge.right(model))


def _batches(order: Sequence[int]) -> Iterator[tuple[Sequence[int], Sequence[int]]]:
    """Give the questions of each 200 ratings, and others for the poisoner."""
    for n in range(0, _N_RATINGS, _EVERY):
        first = _N_RATINGS + n * _POISON // _N_RATINGS
        last = _N_RATINGS + (n + _EVERY) * _POISON // _N_RATINGS
        yield order[n : n + _EVERY], order[first:last]


async def prepared() -> Sets:
    """Make the sets, train the router that is weakened, and weaken it."""
    made = await load()
    rows = {name: [Gated(Seen.of(e.question), e.tiers) for e in own] for name, own in made.items()}
    for own in rows.values():
        random.Random(0).shuffle(own)
    gate, judge = Gate(rows["gate"]), Gate(rows["judge"])
    good = _trained(made["base"])
    print(f"trained on {len(made['base'])} questions: {judge.right(good):.3f} of set B")
    weak = weakened(good, rows["base"], judge)
    for name, held in (("B", judge), ("A", gate)):
        print(f"weakened: {held.right(weak):.3f} of set {name} ({len(held.rows)} questions)")
    anchors = [row.seen for row in rows["base"][-_N_ANCHORS:]]
    return Sets(weak, anchors, rows["stream"], gate, judge)


def _trained(base: Sequence[Example]) -> RouterModel:
    """Train on the base, or read what was trained on it before."""
    digest = hashlib.sha256("\n".join(e.question.text for e in base).encode()).hexdigest()
    known = Path(f".cache/feedback-{digest[:12]}.npz")
    if not known.is_file():
        train(base, created_at="2026-01-01T00:00:00").save(known)
    return RouterModel.load(known)


_sets: Sets | None = None
"""What the processes that are forked share."""


def _one(job: tuple[int, float, bool]) -> Stream:
    assert _sets is not None
    seed, noise, is_poisoned = job
    return run(_sets, seed, noise, is_poisoned=is_poisoned)


def simulated(jobs: Sequence[tuple[int, float, bool]], n_processes: int) -> list[Stream]:
    """Run streams side by side."""
    context = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(n_processes, mp_context=context) as pool:
        return list(tqdm(pool.map(_one, jobs), "streams", total=len(jobs)))


def report(streams: Sequence[Stream]) -> Iterator[str]:
    """Give what there is to say of the streams, line by line."""
    yield "wrong   start   end (min - max)          plain   promoted  refused  worst loss on set B"
    for noise, own in _by_noise(streams).items():
        end = [s.curve[-1] for s in own]
        losses = [loss for s in own for loss in s.losses]
        yield (
            f"{noise:5.0%}{own[0].curve[0]:8.3f}{statistics.mean(end):8.3f} "
            f"({min(end):.3f} - {max(end):.3f})"
            f"{statistics.mean(s.plain[-1] for s in own if len(s.plain) > 1):12.3f}{len(losses):9d}"
            f"{sum(s.n_refused for s in own):9d}{max(losses, default=0.0):12.4f}"
        )


def poisoned(streams: Sequence[Stream], clean: Sequence[Stream]) -> Iterator[str]:
    """Give how far a rater with 500 wrong ratings moved the end, line by line."""
    for noise, own in _by_noise(streams).items():
        ends = {s.seed: s.curve[-1] for s in clean if s.noise == noise}
        moved = [s.curve[-1] - ends[s.seed] for s in own]
        yield (
            f"{_POISON} wrong ratings of one rater beside {noise:.0%} wrong: set B moves by "
            f"{statistics.mean(moved):+.4f} on average, at most {max(map(abs, moved)):.4f}"
        )


def _by_noise(streams: Sequence[Stream]) -> Mapping[float, Sequence[Stream]]:
    return {
        noise: [s for s in streams if s.noise == noise]
        for noise in sorted({s.noise for s in streams})
    }


def drawn(path: Path, streams: Sequence[Stream]) -> None:
    """Draw the mean curves: whole lines with trainer and gate, dashed ones plain retraining."""
    shapes, groups = [], _by_noise(streams)
    for n, (noise, own) in enumerate(groups.items()):
        colour = hue(n, len(groups))
        shapes.append(f'<text x="490" y="{30 + 14 * n}" fill="{colour}">{noise:.0%} wrong</text>')
        plain = [s.plain for s in own if len(s.plain) > 1]
        for curves, dash in (([s.curve for s in own], ""), (plain, "4 3")):
            points = " ".join(
                f"{_x(at)},{_y(statistics.mean(values))}"
                for at, values in enumerate(zip(*curves, strict=True))
            )
            shapes.append(
                f'<polyline points="{points}" fill="none" stroke="{colour}" '
                f'stroke-dasharray="{dash}"/>'
            )
    for share in range(50, 101, 10):
        y = _y(share / 100)
        shapes.append(f'<path d="M40 {y}H480" stroke="#ccc" stroke-width="0.5"/>')
        shapes.append(f'<text x="36" y="{y + 3}" text-anchor="end">{share} %</text>')
    shapes += [
        f'<text x="{_x(at)}" y="285" text-anchor="middle">{at * _EVERY}</text>'
        for at in range(_N_RATINGS // _EVERY + 1)
    ]
    shapes.append('<text x="260" y="298" text-anchor="middle">ratings; dashed: plain</text>')
    write_svg(path, shapes, width=560, height=305)


def _x(at: int) -> float:
    return 40 + 440 * at * _EVERY / _N_RATINGS


def _y(share: float) -> float:
    return round(270 - 520 * (share - 0.5), 1)


def main() -> None:
    """Run the bench from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=20, help="streams for each share of wrong")
    parser.add_argument("--processes", type=int, default=2, help="streams at a time")
    options = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    started = time.perf_counter()
    global _sets  # noqa: PLW0603  # handed to the processes that are forked
    threadpool_limits(1)
    _sets = asyncio.run(prepared())
    seeds = range(options.seeds)
    streams = simulated([(s, n, False) for n in _NOISE for s in seeds], options.processes)
    print("\n".join(report(streams)), flush=True)
    others = simulated(
        [(s, n, True) for n in (0.0, 0.2) for s in seeds[:_N_BESIDE]], options.processes
    )
    print("\n".join(poisoned(others, streams)))
    drawn(_PICTURE, streams)
    print(f"{len(streams) + len(others)} streams in {time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()

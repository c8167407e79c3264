"""Measures the router: ``python -m bench.routing``; ``--train`` trains and ships it.

Right is the label, or a set that a careful labeller would accept too. Across domains: fitted
without a domain, on its labelled rows and on its made questions alike, and tested on its labelled
rows. Halves: fitted on one half of the first three domains' rows and on everything else, tested on
the other half, and the other way round.
"""

import argparse
import asyncio
import statistics
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import numpy as np
from sklearn.metrics import roc_auc_score

from bench.comparators import baselines, semantic_router
from bench.drawing import grid
from bench.restyling import restyled
from bench.worlds import Learned, load
from router.model import Judgement, RouterModel, TierSet, by_tier, named
from router.policy import Policy
from router.registry import SHIPPED
from router.router import LearnedRouter
from router.training import Course, fit_join, temperatures, train
from trivium.domain.question import TierName

_FIRST: Final = ("aerospace", "enterprise", "platform")
_PICTURE: Final = Path("docs/routing-confusion.svg")


@dataclass(frozen=True, slots=True)
class Tested:
    """A labelled row that was held out, and what the router said of it."""

    learned: Learned
    judged: Judgement
    route: TierSet

    @property
    def is_right(self) -> bool:
        """Whether the route is right."""
        return self.learned.example.accepts(self.route)


def across(found: Sequence[Learned]) -> list[Tested]:
    """Test every labelled row by models fitted without its domain.

    The join and the temperatures, some hundred numbers in all, are fitted on what the models say of
    the other domains' rows; those models have seen this domain.
    """
    course = Course([item.example for item in found])
    domains = sorted(set(course.groups[course.labelled]))
    signs, target = course.out_of_domain(len(domains))
    labels = [course.sets[at] for at in target]
    groups = course.groups[course.labelled]
    tested = []
    for domain in domains:
        held = groups == domain
        join = fit_join(signs[~held], target[~held], len(course.sets))
        told = [named(course.sets, join.probabilities(row)) for row in signs]
        others = np.flatnonzero(~held)
        warm = temperatures([by_tier(told[at]) for at in others], [labels[at] for at in others])
        for at in np.flatnonzero(held):
            judged = Judgement.of(told[at], warm)
            route, _ = Policy().decide(judged)
            tested.append(Tested(found[course.labelled[at]], judged, route))
    return tested


def halves(found: Sequence[Learned]) -> list[float]:
    """Return the shares right on each half of the first domains' rows, fitted on the other."""
    first = [i for i, item in enumerate(found) if item.row and item.example.group in _FIRST]
    by_domain: dict[str, list[int]] = defaultdict(list)
    for at in first:
        by_domain[found[at].example.group].append(at)
    shares = []
    for start in (0, 1):
        held = {at for own in by_domain.values() for at in own[start::2]}
        model = _fitted([item for at, item in enumerate(found) if at not in held])
        router = LearnedRouter(model)
        marks = [
            found[at].example.accepts(router.route(found[at].example.question).tiers)
            for at in sorted(held)
        ]
        shares.append(statistics.mean(marks))
    return shares


async def robustness(found: Sequence[Learned]) -> list[str]:
    """Return, line by line, how routes hold when questions are written differently.

    The domains are not fitted on: every other one is held out, then the rest.
    """
    styles = await restyled(found)
    domains = sorted({item.example.group for item in found if item.row})
    routes: dict[str, list[TierSet]] = defaultdict(list)
    rows: list[Learned] = []
    for held in (set(domains[::2]), set(domains[1::2])):
        router = LearnedRouter(_fitted([item for item in found if item.example.group not in held]))
        for name, own in styles.items():
            kept = [item for item in own if item.example.group in held]
            routes[name] += [router.route(item.example.question).tiers for item in kept]
        rows += kept
    plain = next(iter(routes.values()))
    lines = []
    for name, given in routes.items():
        right = statistics.mean(r.example.accepts(g) for r, g in zip(rows, given, strict=True))
        same = statistics.mean(a == b for a, b in zip(given, plain, strict=True))
        lines.append(f"  {name:16s}{right:.3f} right, {same:.3f} as the plain one, of {len(rows)}")
    return lines


def _fitted(found: Sequence[Learned]) -> RouterModel:
    return train([item.example for item in found], created_at="2026-01-01T00:00:00")


def report(tested: Sequence[Tested]) -> Iterator[str]:
    """Give what there is to say of held-out rows, line by line."""
    yield "across domains (fitted without the domain), exact sets"
    for title, key in (("by domain", _domain), ("by label", _label), ("by turn", _turn)):
        yield f"  {title}"
        groups: dict[str, list[bool]] = defaultdict(list)
        for item in tested:
            groups[key(item)].append(item.is_right)
        for name, marks in sorted(groups.items()):
            yield f"    {name:16s}{statistics.mean(marks):.3f}  of {len(marks)}"
    yield f"  all               {statistics.mean(t.is_right for t in tested):.3f}"
    yield from _by_tier(tested)
    yield from _refusals(tested)
    yield from _confusion(tested)


def _domain(item: Tested) -> str:
    return item.learned.example.group


def _label(item: Tested) -> str:
    return _named(item.learned.example.tiers)


def _turn(item: Tested) -> str:
    return "follow-up" if item.learned.row.get("history") else "first question"


def _named(tiers: TierSet) -> str:
    return "+".join(tier.value for tier in tiers) or "none"


def _by_tier(tested: Sequence[Tested]) -> Iterator[str]:
    yield "  per tier          precision  recall     F1   calibration error"
    for tier in TierName:
        want = np.array([tier in t.learned.example.tiers for t in tested])
        got = np.array([tier in t.route for t in tested])
        p = np.array([t.judged.tiers[tier] for t in tested])
        precision = (want & got).sum() / max(1, got.sum())
        recall = (want & got).sum() / max(1, want.sum())
        f1 = 2 * precision * recall / max(1e-9, precision + recall)
        yield f"    {tier.value:16s}{precision:9.3f}{recall:8.3f}{f1:7.3f}{_ece(p, want):12.3f}"


def _refusals(tested: Sequence[Tested]) -> Iterator[str]:
    none = np.array([not t.learned.example.tiers for t in tested])
    refused = np.array([not t.route for t in tested])
    yield (
        f"  off topic refused {(none & refused).sum()} of {none.sum()}, "
        f"on topic refused {(~none & refused).sum()} of {(~none).sum()}"
    )
    unasked = [t.judged.sets[()] for t in tested]
    yield f"  abstention AUROC  {roc_auc_score(none, unasked):.3f}"
    extra = [len(set(t.route) - set(t.learned.example.tiers)) for t in tested]
    yield f"  tiers asked in vain, a question: {statistics.mean(extra):.3f}"


def confusion(tested: Sequence[Tested]) -> tuple[list[str], Mapping[tuple[str, str], int]]:
    """Return the sets' names, and how often each label got each route.

    What is accepted too counts as the label.
    """
    counts: dict[tuple[str, str], int] = defaultdict(int)
    for item in tested:
        route = _label(item) if item.is_right else _named(item.route)
        counts[_label(item), route] += 1
    sets = sorted({t.learned.example.tiers for t in tested}, key=_order)
    return [_named(tiers) for tiers in sets], counts


def _confusion(tested: Sequence[Tested]) -> Iterator[str]:
    """Give a table of labels against routes."""
    names, counts = confusion(tested)
    yield "  label (down) against route (across)"
    yield " " * 18 + "".join(f"{_short(name):>7s}" for name in names)
    for label in names:
        row = "".join(f"{counts.get((label, route)) or '.':>7}" for route in names)
        yield f"    {label:14s}{row}"


def _order(tiers: TierSet) -> tuple[int, TierSet]:
    return len(tiers), tiers


def _short(name: str) -> str:
    return "+".join(part[0].upper() for part in name.split("+")) if name != "none" else "none"


def _ece(p: np.ndarray, want: np.ndarray, n_bins: int = 10) -> float:
    """Return the expected calibration error, over bins of equal width."""
    bins = np.minimum((p * n_bins).astype(int), n_bins - 1)
    total = 0.0
    for index in range(n_bins):
        inside = bins == index
        if inside.any():
            total += inside.mean() * abs(p[inside].mean() - want[inside].mean())
    return float(total)


def decision_ms(rows: Sequence[Learned]) -> float:
    """Return the median time of a decision by the shipped model, reading and encoding left out."""
    router = LearnedRouter(RouterModel.load(SHIPPED))
    times = []
    for row in rows:
        started = time.perf_counter()
        router.route(row.example.question)
        times.append((time.perf_counter() - started) * 1000)
    return statistics.median(times)


def ship(found: Sequence[Learned]) -> RouterModel:
    """Train on all examples, write the shipped model and its card."""
    model = train([item.example for item in found], created_at=datetime.now(UTC).isoformat())
    SHIPPED.parent.mkdir(exist_ok=True)
    model.save(SHIPPED)
    labelled = [item for item in found if item.row]
    domains = ", ".join(sorted({item.example.group for item in labelled}))
    text = f"""# The shipped router

Version `{model.version}`: two linear models over tier sets, one of the whole question (hashed
features of its build, and its encoding), one of its clauses (features alone), and a third that
joins what they say.

Trained by `make train` on {len(labelled)} labelled rows of these domains: {domains}; and on
{len(found) - len(labelled)} questions made from the schemas of these and of invented domains
(`router/made`). Examples: sha256 `{model.card["examples_sha256"]}`.

How well it does in domains that it does not know, and on a held-out half, is printed by
`python -m bench.routing`, which trains anew without them: the shipped model itself has seen every
row in the repository.
"""
    SHIPPED.with_suffix(".md").write_text(text)
    return model


def main() -> None:
    """Run the bench from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--train", action="store_true", help="train on all examples and ship")
    parser.add_argument("--wrong", action="store_true", help="list the rows that went wrong")
    parser.add_argument(
        "--semantic-router", type=Path, help="a Python that has that package, to compare with it"
    )
    options = parser.parse_args()
    started = time.perf_counter()
    found = asyncio.run(load())
    labelled = [item for item in found if item.row]
    print(f"{len(labelled)} labelled rows of {len({r.example.group for r in labelled})} domains, "
          f"{len(found) - len(labelled)} made questions")  # fmt: skip
    if options.train:
        version = ship(found).version
        print(f"shipped {version} in {time.perf_counter() - started:.0f} s")
        return
    tested = across(found)
    print("\n".join(report(tested)), flush=True)
    for item in tested if options.wrong else ():
        if not item.is_right:
            print(f"  {_domain(item)}: {_label(item)} -> {_named(item.route)}: "
                  f"{item.learned.row['query']}")  # fmt: skip
    grid(_PICTURE, *confusion(tested))
    for name, share in baselines(found).items():
        print(f"  {name:20s}{share:.3f}  (baseline)")
    if options.semantic_router:
        print(f"  semantic-router     {semantic_router(found, options.semantic_router)}")
    else:
        print("  semantic-router     not run: see --semantic-router")
    print("written differently, in domains not fitted on, exact sets")
    print("\n".join(asyncio.run(robustness(found))), flush=True)
    shares = halves(found)
    print(f"\nheld-out halves of the first three domains, exact sets: {shares[0]:.3f}, "
          f"{shares[1]:.3f}")  # fmt: skip
    print(f"a decision, reading and encoding left out: p50 {decision_ms(labelled):.3f} ms")


if __name__ == "__main__":
    main()

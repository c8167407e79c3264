"""Is all that composed answers say in their evidence? ``python -m bench.grounding [--show]``.

Questions are drawn from all question sets of this repository, each is asked of a service that
knows its data set, and what ``bench.grounded`` finds in the answer that its evidence has not is
counted: markers, sources, numbers and names.
"""

import argparse
import asyncio
import json
import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

from bench.grounded import Held, exceptions
from bench.reading import question_of
from bench.sets import BLIND, DOCUMENTED, SETS, TOLD
from bench.suite import opened
from trivium.app.loading import SUITE
from trivium.app.service import Service, rendered
from trivium.knowledge.dataset import read_dataset

Row: TypeAlias = Mapping[str, Any]  # Any: JSON
Drawn: TypeAlias = Mapping[Path, Sequence[Row]]

_N: Final = 1_000


def drawn(n: int, seed: int, n_sets: int | None = None) -> Drawn:
    """Return ``n`` questions by their data sets, drawn from ``n_sets`` of these, or from all."""
    sets: dict[Path, list[Row]] = defaultdict(list)
    files = [item.partition("=")[2].split(":") for item in (*SETS, *BLIND, *TOLD)]
    files += [[str(place), str(place / SUITE)] for place in DOCUMENTED]
    for directory, questions in dict.fromkeys(map(tuple, files)):
        lines = Path(questions).read_text("utf-8").splitlines()
        sets[Path(directory).resolve()] += map(json.loads, filter(str.strip, lines))
    chance = random.Random(seed)
    places = chance.sample(sorted(sets), n_sets or len(sets))
    every = [(place, row) for place in places for row in sets[place]]
    found: dict[Path, list[Row]] = defaultdict(list)
    for place, row in chance.sample(every, min(n, len(every))):
        found[place].append(row)
    return found


async def faults(service: Service, rows: Sequence[Row], held: Held) -> list[str]:
    """Ask each question, and return what its answer says and its evidence does not."""
    found = []
    for row in rows:
        asked = question_of(row)
        answer = json.loads(rendered(await service.ask(asked)))
        found += [f"{asked.text}: {what}" for what in exceptions(answer, held)]
    return found


async def _run(questions: Drawn, *, is_shown: bool) -> int:
    n_asked = n_found = 0
    for place, rows in questions.items():
        held = Held.of(read_dataset(place).changes)
        async with opened(place) as service:
            found = await faults(service, rows, held)
        n_asked, n_found = n_asked + len(rows), n_found + len(found)
        print(f"{place.name:16}{len(rows):5} answers, {len(found):3} exceptions", flush=True)
        for what in found if is_shown else ():
            print(f"  {what}")
    print(f"{'all':16}{n_asked:5} answers, {n_found:3} exceptions (bar: 0)")
    return n_found


def main() -> None:
    """Print the exceptions by data set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--answers", type=int, default=_N, help="how many questions are drawn")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", action="store_true", help="print each exception")
    options = parser.parse_args()
    asyncio.run(_run(drawn(options.answers, options.seed), is_shown=options.show))


if __name__ == "__main__":
    main()

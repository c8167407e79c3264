"""Mixed load for long: whether memory and file handles of the server stay where they are.

    python -m bench.endurance [--minutes 60] [--rate 20]

A server of its own answers new and remembered questions, ratings, reloads of the data set and bad
requests, at a fixed rate. Its resident memory and open files are read from /proc. The growth is
between the medians of two stretches of a tenth of the time: after the first quarter, and the last.
"""

import argparse
import asyncio
import itertools
import json
import random
import statistics
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import httpx

from bench.door import free_port, served
from bench.overload import bodies

_DATA: Final = "examples/aerospace"
_EVERY_S: Final = 5.0
_WARM: Final = 0.25
"""Share of the time after which caches are full and pools as large as they get."""


@dataclass(slots=True)
class Seen:
    """What was read of the server: seconds, kilobytes, open files."""

    at: list[float] = field(default_factory=list)
    resident_kb: list[int] = field(default_factory=list)
    files: list[int] = field(default_factory=list)

    def look(self, pid: int, at: float) -> None:
        """Read it now."""
        status = Path(f"/proc/{pid}/status").read_text("ascii")
        self.at.append(at)
        self.resident_kb.append(int(status.split("VmRSS:")[1].split()[0]))
        self.files.append(len(list(Path(f"/proc/{pid}/fd").iterdir())))

    def tell(self) -> None:
        """Print how both grew."""
        end = self.at[-1]
        early = [i for i, at in enumerate(self.at) if _WARM * end <= at < (_WARM + 0.1) * end]
        late = [i for i, at in enumerate(self.at) if at >= 0.9 * end]
        for name, unit, values in (
            ("resident memory", "MB", [kb / 1000 for kb in self.resident_kb]),
            ("open files", "", [float(n) for n in self.files]),
        ):
            a = statistics.median(values[i] for i in early)
            b = statistics.median(values[i] for i in late)
            print(f"{name}: {a:.1f} {unit} then {b:.1f} {unit}: {100 * (b / a - 1):+.2f} %")


async def _load(url: str, rate: float, seconds: float, counts: Counter[str]) -> None:
    """Send a mix of requests at a fixed rate."""
    chance, asked, ids = random.Random(1), bodies(), list[str]()
    async with httpx.AsyncClient(base_url=url, timeout=30) as client:

        async def one() -> None:
            try:
                kind, response = await _send(client, chance, next(asked), ids)
                counts[f"{kind} {response.status_code}"] += 1
            except httpx.HTTPError as error:
                counts[type(error).__name__] += 1

        begun = time.perf_counter()
        async with asyncio.TaskGroup() as group:
            for number in itertools.count():
                at = begun + number / rate
                if number / rate > seconds:
                    return
                await asyncio.sleep(max(0.0, at - time.perf_counter()))
                group.create_task(one())


async def _send(
    client: httpx.AsyncClient, chance: random.Random, body: dict[str, object], ids: list[str]
) -> tuple[str, httpx.Response]:
    draw = chance.random()
    if draw < 0.1 and ids:
        rating = {"rating": chance.choice(["up", "down"]), "comment": "x" * chance.randrange(200)}
        return "rating", await client.post(f"/answers/{chance.choice(ids)}/rating", json=rating)
    if draw < 0.15:
        return "bad", await client.post("/ask", content=b'{"question": ' + b"[" * 2000)
    if draw < 0.2 and ids:
        return "lookup", await client.get(f"/answers/{chance.choice(ids)}")
    if draw < 0.205:
        return "load", await client.post("/admin/load", json={"directory": _DATA})
    response = await client.post("/ask", json=body)
    if response.status_code == 200:
        answer: dict[str, Any] = response.json()
        ids.append(answer["id"])
        del ids[:-500]
    return "ask", response


async def measure(minutes: float, rate: float) -> None:
    """Print the figures, and a line a minute meanwhile."""
    seconds = 60 * minutes
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="trivium-bench-") as folder:
        port = free_port()
        serve = [sys.executable, "-m", "trivium.app.cli", "serve", "--load", _DATA]
        environment = {"TRIVIUM_HOME": f"{folder}/home", "TRIVIUM_LOG_LEVEL": "error"}
        command = [*serve, "--port", str(port)]
        with served(command, "/readyz", port=str(port), **environment) as server:
            seen, begun = Seen(), time.perf_counter()
            load = asyncio.create_task(_load(f"http://127.0.0.1:{port}", rate, seconds, counts))
            while not load.done():
                seen.look(server.process.pid, time.perf_counter() - begun)
                if len(seen.at) % 12 == 1:
                    mb = seen.resident_kb[-1] / 1000
                    print(f"{seen.at[-1] / 60:5.1f} min {mb:7.1f} MB {seen.files[-1]} files "
                          f"{json.dumps(dict(counts))}", flush=True)  # fmt: skip
                await asyncio.sleep(_EVERY_S)
            await load
            seen.tell()
            print(", ".join(f"{n} x {kind}" for kind, n in sorted(counts.items())))


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--rate", type=float, default=20)
    options = parser.parse_args()
    asyncio.run(measure(options.minutes, options.rate))


if __name__ == "__main__":
    main()

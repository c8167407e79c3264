"""The service under more load than it can take, with one tier at a time stalled.

    python -m bench.overload [--rate 200] [--seconds 60] [--settle 15] [--new 0.5]

The service runs here, so that a tier can be made to stall; the load comes from a process of its
own, at a fixed rate whatever comes back; a share of the questions is new to the service, whose
memory answers the others. For each tier: some seconds as it is, then the tier does
not return for the seconds given, then it does again. Told are the latencies of each part, what was
refused, how far every queue grew, and after how many seconds p95 was back.
"""

import argparse
import asyncio
import itertools
import json
import os
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from bench.door import resident_mb
from trivium.app.bootstrap import open_service
from trivium.app.commands import Server
from trivium.app.logs import configure_logs
from trivium.app.service import Service
from trivium.app.settings import Settings
from trivium.domain.deadline import Deadline
from trivium.domain.evidence import TierResult
from trivium.domain.ports import Tier
from trivium.domain.question import TierName, Understood
from trivium.knowledge.dataset import read_dataset

_DATA: Final = Path("examples/aerospace")
_EVERY_S: Final = 0.5
_BACK: Final = 1.5
"""p95 is back when a second of load has at most this times the p95 of before."""


@dataclass(frozen=True, slots=True)
class Reply:
    """One request: when it was sent, what came back, after how long; times in seconds."""

    at: float
    status: int
    took: float
    is_told_when: bool = False
    """Whether it says when to come again."""


class Stalling:
    """A tier that does not return while its gate is shut."""

    def __init__(self, tier: Tier) -> None:
        self._tier = tier
        self.gate = asyncio.Event()
        self.gate.set()

    async def retrieve(self, question: Understood, deadline: Deadline) -> TierResult:
        """Wait at the gate, then ask the tier."""
        await self.gate.wait()
        return await self._tier.retrieve(question, deadline)


@dataclass(slots=True)
class Growth:
    """How much was waiting in the service, looked at twice a second."""

    tasks: list[int] = field(default_factory=list)
    running: list[int] = field(default_factory=list)
    unwritten: list[int] = field(default_factory=list)
    resident_mb: list[float] = field(default_factory=list)

    async def watch(self, service: Service, pid: int) -> None:
        """Look until cancelled."""
        while True:
            self.tasks.append(len(asyncio.all_tasks()))
            self.running.append(sum(guard.n_running for guard in service.guards))
            self.unwritten.append(service.answers.n_pending)
            self.resident_mb.append(await asyncio.to_thread(resident_mb, pid))
            await asyncio.sleep(_EVERY_S)


def bodies(new: float = 0.5, first: int = 0) -> Iterator[dict[str, object]]:
    """Give questions of the example without end.

    Args:
        new: the share that was not asked before, but for the first ones.
        first: the number of the first day that new ones ask about.
    """
    lines = (_DATA / "questions.jsonl").read_text("utf-8").splitlines()
    queries = [json.loads(line)["query"] for line in lines]
    n_new = 0.0
    for query in itertools.cycle(queries):
        n_new += new
        if n_new >= 1:
            n_new -= 1
            first += 1
            day = date(1970, 1, 1) + timedelta(days=first % 40_000)
            yield {"question": query, "as_of": day.isoformat()}
        else:
            yield {"question": query}


async def _raw(host: str, port: int, path: str, body: bytes) -> bytes:
    """Ask over a connection of its own; return the reply, or nothing when there is none.

    A client library would take more of the two cores than the service it measures.
    """
    method = "POST" if path == "/ask" else "GET"
    head = f"{method} {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
    head += f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    try:
        async with asyncio.timeout(30):
            reader, writer = await asyncio.open_connection(host, port)
            try:
                writer.write(head.encode() + body)
                return await reader.read()
            finally:
                writer.close()
    except (OSError, TimeoutError):
        return b""


async def offer(
    url: str, rate: float, seconds: float, asked: Iterator[object], path: str = "/ask"
) -> list[Reply]:
    """Send requests at a fixed rate, and return the replies when all are back."""
    replies: list[Reply] = []
    host, port = urlsplit(url).hostname or "", urlsplit(url).port or 80

    async def one(body: bytes) -> None:
        at = time.time()  # the clock that both processes share
        started = time.perf_counter()
        raw = await _raw(host, port, path, body)
        took, status = time.perf_counter() - started, int(raw.split(None, 2)[1]) if raw else 0
        replies.append(Reply(at, status, took, b"retry-after:" in raw[:1_000].lower()))

    begun = time.perf_counter()
    async with asyncio.TaskGroup() as group:
        for number in range(int(rate * seconds)):
            await asyncio.sleep(max(0.0, begun + number / rate - time.perf_counter()))
            group.create_task(one(json.dumps(next(asked)).encode()))
    return replies


async def _offered(url: str, options: argparse.Namespace, first: int) -> list[Reply]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bench.overload", f"--offer={url}", f"--first={first}",
        f"--rate={options.rate}", f"--seconds={options.seconds + 2 * options.settle}",
        f"--new={options.new}", stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    raw, _ = await process.communicate()
    return sorted((Reply(*json.loads(line)) for line in raw.splitlines()), key=lambda r: r.at)


def p95(replies: Sequence[Reply]) -> float:
    """Return the 95th percentile of the milliseconds of what was answered."""
    took = sorted(r.took * 1000 for r in replies if r.status == 200)
    return took[int(0.95 * len(took))] if took else float("nan")


def back_after(replies: Sequence[Reply], mended: float, before_ms: float) -> float:
    """Return after how many seconds p95 was back, for a second at least; infinity for never."""
    end = replies[-1].at
    for step in itertools.count():
        begin = mended + step * _EVERY_S
        if begin + 1 > end:
            return float("inf")
        part = [r for r in replies if begin <= r.at < begin + 1]
        if p95(part) <= _BACK * before_ms:
            return step * _EVERY_S
    raise AssertionError


async def _stalled(service: Service, url: str, tier: TierName, options: argparse.Namespace) -> None:
    tiers: Any = service.pipeline.tiers  # their guards, whose inside is replaced here
    stalling = Stalling(tiers[tier]._tier)  # noqa: SLF001
    tiers[tier]._tier = stalling  # noqa: SLF001
    growth = Growth()
    watch = asyncio.create_task(growth.watch(service, os.getpid()))
    load = asyncio.create_task(_offered(url, options, 10_000 * list(TierName).index(tier)))
    await asyncio.sleep(options.settle)
    stalling.gate.clear()
    begun = time.time()  # as above
    await asyncio.sleep(options.seconds)
    stalling.gate.set()
    mended = time.time()  # as above
    replies = await load
    watch.cancel()
    tiers[tier]._tier = stalling._tier  # noqa: SLF001
    _tell(tier, replies, (begun, mended), growth)


def _tell(tier: TierName, replies: list[Reply], stall: tuple[float, float], growth: Growth) -> None:
    begun, mended = stall
    parts = {
        "before": [r for r in replies if begun - 5 <= r.at < begun],
        "stalled": [r for r in replies if begun <= r.at < mended],
        "after": [r for r in replies if mended + 5 <= r.at],
    }
    print(f"\n{tier.value} stalled")
    print(f"  offered {len(replies) / (replies[-1].at - replies[0].at):.0f} requests a second")
    for name, part in parts.items():
        statuses = ", ".join(
            f"{n} x {s}" for s, n in sorted(Counter(r.status for r in part).items())
        )
        took = statistics.median(r.took * 1000 for r in part) if part else float("nan")
        print(f"  {name:8} {statuses:32} p50 {took:8.1f} ms, p95 of answers {p95(part):8.1f} ms")
    back = back_after(replies, mended, p95(parts["before"]))
    print(f"  p95 back after {back:.1f} s (bar: 5)")
    for name in ("tasks", "running", "unwritten", "resident_mb"):
        seen = getattr(growth, name)
        print(f"  {name:12} at most {max(seen):8.0f}, at the end {seen[-1]:8.0f}")


async def measure(options: argparse.Namespace) -> None:
    """Serve the example and stall one tier after the other."""
    configure_logs("error", "text")
    with tempfile.TemporaryDirectory(prefix="trivium-bench-") as folder:
        settings = Settings(home=Path(folder) / "home", port=0)
        async with open_service(settings) as service:
            await service.knowledge.load(read_dataset(_DATA))
            server = Server(service)
            serving = asyncio.create_task(server.serve())
            url = await server.serving()
            await offer(url, 20, 10, bodies(new=0))  # what is remembered is, and all code is warm
            for tier in TierName:
                await _stalled(service, url, tier, options)
            server.should_exit = True
            await serving


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rate", type=float, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--settle", type=float, default=15)
    parser.add_argument(
        "--new", type=float, default=0.5, help="share of questions not asked before"
    )
    parser.add_argument("--offer", help=argparse.SUPPRESS)
    parser.add_argument("--first", type=int, default=0, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.offer:
        asked = bodies(options.new, options.first)
        offered = offer(options.offer, options.rate, options.seconds, asked)
        for reply in asyncio.run(offered):
            print(json.dumps([reply.at, reply.status, reply.took]))
    else:
        asyncio.run(measure(options))


if __name__ == "__main__":
    main()

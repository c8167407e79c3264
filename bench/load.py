"""How much load the door takes without a model, and what it does with more.

    python -m bench.load [--data DIR] [--new 0.5] [--max-requests 256] [--seconds 10]

A server of its own answers questions of the example, some of them new and the others remembered.
Told are the latencies at 50 requests a second; how many answers a second it gives at most, to some
clients that ask without a pause; what becomes of 5 times as many requests, each over a connection
of its own; after how long the latencies are back; and 200 streams that are all open at once. The
load is made on the same machine, and takes its share of it: a bare route that is asked as
often tells how much, and answers by each second of CPU that the server got are told beside.
"""

import argparse
import asyncio
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import httpx

from bench.door import free_port, served
from bench.overload import Reply, back_after, bodies, offer, p95

_RATE: Final = 50.0
_CLIENTS: Final = (4, 8, 16, 32)
_TIMES: Final = 5
_N_STREAMS: Final = 200
_FREED_S: Final = 9.0
"""After which the places of requests whose bodies never came are free again."""


def cpu_s(pid: int) -> float:
    """Return the seconds of CPU that a process has taken."""
    fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def _closed(url: str, n_clients: int, seconds: float, asked: Iterator[object]) -> float:
    """Return the answers a second that so many clients get which ask without a pause."""
    end = time.perf_counter() + seconds
    n_answered = 0

    async def one(client: httpx.AsyncClient) -> None:
        nonlocal n_answered
        while time.perf_counter() < end:
            reply = await client.post("/ask", json=next(asked))
            n_answered += reply.status_code == 200

    async with httpx.AsyncClient(base_url=url, timeout=30) as client, asyncio.TaskGroup() as group:
        for _ in range(n_clients):
            group.create_task(one(client))
    return n_answered / seconds


async def _streams(url: str, n: int) -> tuple[int, int, float]:
    """Open so many streams at once; return how many were whole, and open together, and seconds."""
    n_open = n_most = n_whole = 0
    started = time.perf_counter()

    async def one(client: httpx.AsyncClient, body: object) -> None:
        nonlocal n_open, n_most, n_whole
        text = ""
        async with client.stream("POST", "/ask", json=body) as response:
            n_open, n_most = n_open + 1, max(n_most, n_open + 1)
            async for part in response.aiter_text():
                text += part
        n_open -= 1
        n_whole += "event: done" in text

    asked = bodies(new=1.0, first=30_000)
    limits = httpx.Limits(max_connections=n)
    async with (
        httpx.AsyncClient(base_url=url, timeout=60, limits=limits) as client,
        asyncio.TaskGroup() as group,
    ):
        for _ in range(n):
            group.create_task(one(client, {**next(asked), "stream": True}))
    return n_whole, n_most, time.perf_counter() - started


async def _unread(url: str, n: int) -> tuple[int, int]:
    """Send heads of ``n`` requests whose bodies never come; return how many got 503 at once.

    The first fill all places; what is refused then is refused before its body is read.
    """
    host, port = url.removeprefix("http://").split(":")
    head = f"POST /ask HTTP/1.1\r\nHost: {host}\r\nContent-Length: 100\r\n\r\n".encode()
    opened = [await asyncio.open_connection(host, int(port)) for _ in range(n)]
    for _, writer in opened:
        writer.write(head)
    done = await asyncio.gather(*(_first(reader) for reader, _ in opened))
    for _, writer in opened:
        writer.close()
    shed = [raw for raw in done if raw.startswith(b"HTTP/1.1 503")]
    return len(shed), sum(b"retry-after:" in raw.lower() for raw in shed)


async def _first(reader: asyncio.StreamReader) -> bytes:
    try:
        async with asyncio.timeout(1):
            return await reader.read(4_096)
    except TimeoutError:
        return b""


def _told(name: str, replies: Sequence[Reply]) -> None:
    statuses = ", ".join(
        f"{n} x {s}" for s, n in sorted(Counter(r.status for r in replies).items())
    )
    took = sorted(r.took * 1000 for r in replies if r.status == 200)
    p50 = took[len(took) // 2] if took else float("nan")
    print(f"{name:28} {statuses}; p50 {p50:.1f} ms, p95 {p95(replies):.1f} ms", flush=True)


async def _measure(url: str, bare: str, pid: int, options: argparse.Namespace) -> None:
    seconds, asked = options.seconds, bodies(options.new)
    await offer(url, 20, 10, bodies(new=0))  # what is remembered is, and all code is warm
    print(f"load of the machine before: {os.getloadavg()[0]:.1f}")
    _told("bare route, 50 a second", await offer(bare, _RATE, seconds, asked, path="/get"))
    before = await offer(url, _RATE, 2 * seconds, asked)
    _told("50 a second (bar: p95 25)", before)
    cpu = cpu_s(pid)
    found = {n: await _closed(url, n, seconds / 2, asked) for n in _CLIENTS}
    peak, by_cpu = max(found.values()), sum(found.values()) * seconds / 2 / (cpu_s(pid) - cpu)
    shown = ", ".join(f"{n} clients {rate:.0f}" for n, rate in found.items())
    print(f"answers a second: {shown}; {by_cpu:.0f} by a second of CPU")
    cpu = cpu_s(pid)
    over = await offer(url, _TIMES * peak, seconds, asked)
    used = cpu_s(pid) - cpu
    mended = time.time()  # the clock of the replies
    _told(f"{_TIMES} x {peak:.0f} a second", over)
    begun = over[0].at
    answered = [r for r in over if r.status == 200 and r.at + r.took <= begun + seconds]
    share = len(answered) / seconds / peak
    print(f"  offered {len(over) / seconds:.0f}; goodput {share:.0%} of the peak (bar: 80 %)")
    n_all = sum(r.status == 200 for r in over)
    print(
        f"  {n_all / used:.0f} answers by a second of CPU, {n_all / used / by_cpu:.0%} of the same"
    )
    shed = [r for r in over if r.status == 503]
    print(f"  503 with Retry-After: {sum(r.is_told_when for r in shed)} of {len(shed)}")
    after = sorted(await offer(url, _RATE, seconds, asked), key=lambda r: r.at)
    back = back_after(after, mended, p95(before))
    _told("50 a second after it", after)
    print(f"  p95 back after {back:.1f} s (bar: 5)")
    n_shed, n_when = await _unread(url, options.max_requests + 20)
    print(f"no body sent, all places taken: {n_shed} of 20 got 503, {n_when} with Retry-After")
    await asyncio.sleep(_FREED_S)
    n_whole, n_most, took = await _streams(url, _N_STREAMS)
    print(f"streams: {n_whole} of {_N_STREAMS} whole, {n_most} open together, in {took:.1f} s")
    print(f"load of the machine after: {os.getloadavg()[0]:.1f}")


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", default="examples/aerospace")
    parser.add_argument("--new", type=float, default=0.5, help="share of new questions")
    parser.add_argument("--max-requests", type=int, default=256)
    parser.add_argument("--seconds", type=float, default=10.0)
    options = parser.parse_args()
    port, bare = free_port(), free_port()
    trivium = [sys.executable, "-m", "trivium.app.cli", "serve", "--load", options.data]
    with tempfile.TemporaryDirectory(prefix="trivium-bench-") as folder:
        settings = {
            "TRIVIUM_HOME": f"{folder}/home",
            "TRIVIUM_MAX_REQUESTS": str(options.max_requests),
            "TRIVIUM_LOG_LEVEL": "error",
        }
        with (
            served([*trivium, "--port", str(port)], "/readyz", port=str(port), **settings) as own,
            served([sys.executable, "-m", "bench.bare", str(bare)], "/get", port=str(bare)),
        ):
            ours, theirs = f"http://127.0.0.1:{port}", f"http://127.0.0.1:{bare}"
            asyncio.run(_measure(ours, theirs, own.process.pid, options))


if __name__ == "__main__":
    main()

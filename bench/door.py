"""The door, measured on loopback: start, memory, a remembered answer, a three-tier answer.

    python -m bench.door

Everything runs in one go, in turns, so that the ratios hold on a noisy machine.
"""

import argparse
import asyncio
import contextlib
import http.client
import json
import os
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trivium.gateway.encoder import OnnxEncoder

_ASKED = "Which factories use the Titanium Wing Spar?"
_IN_OTHER_WORDS = "Please tell me which factories use the Titanium Wing Spar"
_QUESTIONS = (
    """For the board: ExecWing-7's current revenue, what customers complained about in their
    letters on it, and the suppliers sitting behind it""",
    """Is the Thailand flood still active, what does the continuity plan tell sites to do first,
    and which customers are reached by it?""",
    """What is the contract kind of EuroConnect, what did they say in their last letter, and which
    factories build what they ordered?""",
)


@dataclass(frozen=True, slots=True)
class Served:
    """A running server."""

    process: subprocess.Popen[bytes]
    port: int
    ready_s: float


def free_port() -> int:
    """Return a port of loopback that nothing uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def served(command: Sequence[str], path: str, **environment: str) -> Iterator[Served]:
    """Run a server until the end of the block; it is ready when ``path`` answers."""
    port = int(environment.pop("port"))
    started = time.perf_counter()
    process = subprocess.Popen(  # noqa: S603  # our own command
        command, env={**os.environ, **environment}, stderr=subprocess.DEVNULL
    )
    try:
        while not _answers(port, path):
            if process.poll() is not None:
                raise RuntimeError(f"{command} ended with {process.returncode}")
            time.sleep(0.02)
        yield Served(process, port, time.perf_counter() - started)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(20)


def _answers(port: int, path: str) -> bool:
    try:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
        connection.request("GET", path)
        return connection.getresponse().status == 200
    except OSError:
        return False


def resident_mb(pid: int) -> float:
    """Return the resident memory of a process and its children, in MB."""
    total = 0
    for task in Path("/proc").iterdir():
        if task.name.isdigit():
            with contextlib.suppress(OSError):
                status = (task / "status").read_text()
                parent = int(status.split("PPid:")[1].split()[0])
                if int(task.name) == pid or parent == pid:
                    total += int(status.split("VmRSS:")[1].split()[0])
    return total / 1000


class Client:
    """One connection, kept alive."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)

    def get(self, path: str) -> float:
        """Return the milliseconds of one GET."""
        return self._timed("GET", path, None)[0]

    def ask(self, body: Mapping[str, object]) -> tuple[float, dict[str, Any]]:
        """Return the milliseconds of one question, and its answer."""
        took, raw = self._timed("POST", "/ask", json.dumps(body).encode())
        answer: dict[str, Any] = json.loads(raw)
        return took, answer

    def _timed(self, method: str, path: str, body: bytes | None) -> tuple[float, bytes]:
        started = time.perf_counter()
        self._connection.request(method, path, body, {"content-type": "application/json"})
        response = self._connection.getresponse()
        raw = response.read()
        took = (time.perf_counter() - started) * 1000
        if response.status != 200:
            raise RuntimeError(f"{method} {path}: {response.status} {raw[:200]!r}")
        return took, raw


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=2_000)
    parser.add_argument("--data", default="examples/aerospace")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="trivium-bench-") as folder:
        _measure(options.requests, options.data, folder)


def _measure(n: int, data: str, folder: str) -> None:
    trivium = [sys.executable, "-m", "trivium.app.cli", "serve", "--load", data, "--port"]
    home = {"TRIVIUM_HOME": f"{folder}/home"}
    port = free_port()
    with served([*trivium, str(port)], "/readyz", port=str(port), **home) as first:
        print(f"first start, with the load:    {first.ready_s:6.2f} s")
    port, bare_port = free_port(), free_port()
    bare = [sys.executable, "-m", "bench.bare", str(bare_port)]
    with (
        served([*trivium, str(port)], "/readyz", port=str(port), **home) as second,
        served(bare, "/get", port=str(bare_port)),
    ):
        print(f"second start:                  {second.ready_s:6.2f} s   (bar: 3 s)")
        _remembered(Client(port), Client(bare_port), n)
        print(
            f"resident, with its Redis:      {resident_mb(second.process.pid):6.0f} MB  (bar: 600)"
        )
    port = free_port()
    forgetful = {"TRIVIUM_HOME": f"{folder}/home", "TRIVIUM_MEMORY_TTL_S": "0"}
    with served([*trivium, str(port)], "/readyz", port=str(port), **forgetful):
        _three_tiers(Client(port), max(100, n // 10))


def _remembered(client: Client, bare: Client, n: int) -> None:
    same, other = {"question": _ASKED}, {"question": _IN_OTHER_WORDS}
    encode = _encoding()
    for _ in range(50):
        client.ask(same)
        bare.get("/get")
    exact, alike, theirs, encoder = [], [], [], []
    for index in range(n):
        exact.append(_hit(client, same))
        theirs.append(bare.get("/get"))
        if index % 10 == 0:
            alike.append(_hit(client, other))
            encoder.append(encode(_IN_OTHER_WORDS))
    a, b, c, d = map(statistics.median, (exact, theirs, alike, encoder))
    print(f"bare FastAPI + Redis GET, p50: {b:6.3f} ms")
    print(f"remembered /ask, p50:          {a:6.3f} ms  = {a / b:.2f} x bare (bar: 1.50)")
    print(f"one encoder call, p50:         {d:6.3f} ms")
    print(f"in other words /ask, p50:      {c:6.3f} ms  = that + {c - d:.2f} ms (bar: 2)")


def _hit(client: Client, body: Mapping[str, object]) -> float:
    """Return the milliseconds of a question whose answer is remembered."""
    took, answer = client.ask(body)
    assert answer["cache"]["hit"], "the answer was not remembered"
    return took


def _encoding() -> Callable[[str], float]:
    """Return what times one call of the encoder, in milliseconds."""
    encoder, loop = OnnxEncoder.open(Path("models/encoder")), asyncio.new_event_loop()

    def encode(text: str) -> float:
        started = time.perf_counter()
        loop.run_until_complete(encoder.encode([text]))
        return (time.perf_counter() - started) * 1000

    return encode


def _three_tiers(client: Client, n: int) -> None:
    times: list[float] = []
    tiers: set[tuple[str, ...]] = set()
    for index in range(n + 10):
        took, answer = client.ask({"question": _QUESTIONS[index % len(_QUESTIONS)]})
        assert not answer["cache"]["hit"]
        tiers.add(tuple(answer["route"]["tiers"]))
        if index >= 10:
            times.append(took)
    times.sort()
    p50, p95 = statistics.median(times), times[int(0.95 * len(times))]
    print(f"routed three-tier /ask, p50:   {p50:6.2f} ms  (bar: 25), p95 {p95:.2f} ms")
    print(f"  routes taken: {', '.join('+'.join(t) or 'none' for t in sorted(tiers))}")


if __name__ == "__main__":
    main()

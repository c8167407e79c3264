"""What the OpenAPI document says is so: schemathesis asks every operation, well and badly."""

import asyncio
import re
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.conftest import SEED, SOAK
from tests.e2e.test_sockets import serving
from trivium.app.keys import KeyFile, Keyring, Role
from trivium.app.service import Service

N_EXAMPLES, N_CASES = (100, 5_000) if SOAK > 1 else (3, 2_000)
"""For each operation, and over all of them: fewer cases than these would show nothing."""
PHASES = "examples,coverage,fuzzing,stateful" if SOAK > 1 else "coverage,fuzzing"
CONFIG = """
[checks.positive_data_acceptance]
# What no schema can say is told by 422, or 400 at OpenAI's door: that a directory is one, which
# keys go together, which times are read. A body that fits and is too large is 413.
expected-statuses = ["2xx", 400, 401, 403, 404, 409, 413, 422, 429, 503]

[checks.negative_data_rejection]
expected-statuses = [400, 401, 403, 404, 405, 409, 413, 415, 422]
"""


class Door(NamedTuple):
    """Where a service is served, and the key of its admin."""

    url: str
    key: str


@pytest.fixture
async def door(zoo: Service, tmp_path: Path) -> AsyncIterator[Door]:
    file = KeyFile(tmp_path / "keys.json")
    key = file.add("ann", Role.ADMIN, tenant="default", created="2026-08-01T12:00:00+00:00")
    async with serving(replace(zoo, keys=Keyring(file)), deadline_s=30) as port:
        yield Door(f"http://127.0.0.1:{port}", key)


async def test_every_operation_does_as_the_openapi_says(door: Door, tmp_path: Path):
    (tmp_path / "schemathesis.toml").write_text(CONFIG)
    process = await asyncio.create_subprocess_exec(
        Path(sys.executable).with_name("schemathesis"), "run", f"{door.url}/openapi.json",
        f"--header=Authorization: Bearer {door.key}", f"--phases={PHASES}",
        f"--seed={SEED}", f"--max-examples={N_EXAMPLES}", "--no-shrink",
        "--continue-on-failure", "--warnings=off",
        cwd=tmp_path, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    raw, _ = await process.communicate()
    told = raw.decode("utf-8", "replace")
    n_cases = re.search(r"(\d+) generated", told)

    assert process.returncode == 0, told[-20_000:]
    assert n_cases is not None
    assert int(n_cases[1]) >= N_CASES

"""Each promise names tests, and the tests are there."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_every_promise_names_tests_that_exist():
    rows = [
        line for line in (ROOT / "docs" / "PROMISES.md").read_text("utf-8").splitlines()
        if line.startswith("| ") and "held by" not in line
    ]  # fmt: skip
    written = "".join(path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    there = set(re.findall(r"def (test_\w+)\(", written))

    promises = [row for row in rows if "`test_" in row]
    named = {name for row in promises for name in re.findall(r"`(test_\w+)`", row)}
    assert len(promises) >= 20
    assert named <= there, named - there

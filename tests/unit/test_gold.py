"""The labelled questions of the benches are what their scripts compute from the data sets."""

import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "bench" / "questions"
SHARED = {
    "gold_common.py", "gold_suite.py", "gold_aerospace.py", "gold_orders_told.py",
    "gold_carhire_graph.py", "gold_zoo_graph.py",
}  # fmt: skip
"""What others import; they write nothing themselves."""
SCRIPTS = sorted(path.name for path in FOLDER.glob("gold*.py") if path.name not in SHARED)
COMPARE = """
import pathlib, runpy, sys
differs = []
def compare(path, text, encoding=None):
    differs.append(text != path.read_text("utf-8"))
pathlib.Path.write_text = compare
runpy.run_path(sys.argv.pop(1), run_name="__main__")
sys.exit(any(differs) or not differs)
"""
"""Runs a script in a process of its own; what it would write is compared, not written."""


@pytest.mark.slow
@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_computes_the_questions_that_are_kept(name: str):
    command = [sys.executable, "-c", COMPARE, name]

    done = subprocess.run(command, cwd=FOLDER, capture_output=True, check=False, text=True)

    assert (done.returncode, done.stderr) == (0, "")

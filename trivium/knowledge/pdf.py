"""Reads PDF files, each in a process of its own that may use only so much time and memory."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Final

from trivium.domain.errors import DataError

_PROCESS: Final = Path(__file__).with_name("pdf_process.py")
_PATIENCE_S: Final = 60.0
"""A page takes some hundredths of a second, so that this is some thousand pages."""


def read_pdf(path: Path, *, patience_s: float = _PATIENCE_S) -> tuple[str | None, str]:
    """Return the title of a PDF, where it has one, and the text of its pages.

    Raises:
        DataError: it is damaged, or took more time or memory than a file may.
    """
    # -I: nothing of the environment or the working directory is imported.
    command = [sys.executable, "-I", str(_PROCESS), str(path)]
    try:
        done = subprocess.run(  # noqa: S603  # our own file; its argument is a path
            command, capture_output=True, timeout=patience_s, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise DataError(f"a PDF that took longer than {patience_s:g} s to read") from error
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
        why = said[0] if said else "it took more time or memory than a file may"
        raise DataError(f"not a PDF that can be read: {why}")
    told = json.loads(done.stdout)
    return told["title"], told["text"]

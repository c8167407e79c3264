"""Copy what a home cannot make again, also while it is served: journal, answers, secret, keys.

    python scripts/back_up.py .trivium backups/2026-08-01

The copy is a home: facts, documents and graph are built anew from the journal when it is opened.
"""

import argparse
import shutil
import sqlite3
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path


def main(arguments: Sequence[str] | None = None) -> int:
    """Copy a home; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("home", type=Path)
    parser.add_argument("target", type=Path, help="a folder that is not there yet")
    options = parser.parse_args(arguments)
    files = sorted(options.home.glob("*.sqlite"))
    if not (options.home / "secret").exists():
        print(f"{options.home} is not a home", file=sys.stderr)
        return 1
    try:
        options.target.mkdir(parents=True, mode=0o700)
    except FileExistsError:
        print(f"{options.target} is there already: name another folder", file=sys.stderr)
        return 1
    for file in files:
        _copy(file, options.target / file.name)
    for name in ("secret", "keys.json"):
        if (options.home / name).exists():
            shutil.copy2(options.home / name, options.target / name)
    print(f"{options.target}: {', '.join(file.name for file in files)} and the secret")
    return 0


def _copy(source: Path, target: Path) -> None:
    """Copy a database as of one moment; whoever writes to it goes on."""
    with (
        closing(sqlite3.connect(f"file:{source}?mode=ro", uri=True)) as old,
        closing(sqlite3.connect(target)) as new,
    ):
        old.backup(new)


if __name__ == "__main__":
    sys.exit(main())

"""Damaged files are set aside under a name that says so; nothing is thrown away."""

from datetime import UTC, datetime
from pathlib import Path


def set_aside(path: Path) -> Path:
    """Rename ``path`` to ``<name>.damaged-<UTC time>``, and return its new place."""
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
    return path.rename(path.with_name(f"{path.name}.damaged-{stamp}"))

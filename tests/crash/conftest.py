"""Fixtures of the crash suite."""

from tests.e2e.conftest import encoder_dir

__all__ = ["encoder_dir"]

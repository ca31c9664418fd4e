"""Settings that all tests share."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

# Machines that build and test at once are slow at times; how long an example takes is no finding.
settings.register_profile("nertsim", deadline=None, print_blob=True)
settings.load_profile("nertsim")


def pytest_configure(config: pytest.Config) -> None:
    """Un-jitted, the engine's hashes wrap around in numpy scalars, which is what they are meant to do."""
    if os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":
        config.addinivalue_line("filterwarnings", "ignore:overflow encountered:RuntimeWarning")

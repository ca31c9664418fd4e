"""Settings that all tests share."""

from __future__ import annotations

from hypothesis import settings

# Machines that build and test at once are slow at times; how long an example takes is no finding.
settings.register_profile("nertsim", deadline=None, print_blob=True)
settings.load_profile("nertsim")

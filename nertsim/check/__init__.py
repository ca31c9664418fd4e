"""Does a bot keep the protocol, and what is wrong if not: `check_bot` and what it reports."""

from __future__ import annotations

from nertsim.check.conduct import check_bot
from nertsim.check.report import NAMES, Report, Step

__all__ = ["NAMES", "Report", "Step", "check_bot"]

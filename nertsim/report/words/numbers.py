"""Numbers as people read them."""

from __future__ import annotations

import math


def number(value: float, digits: int = 2) -> str:
    """A number with so many digits after the point; a dash for nan."""
    return "–" if math.isnan(value) else f"{value:,.{digits}f}"


def percent(value: float, digits: int = 1) -> str:
    """A share as per cent; a dash for nan."""
    return "–" if math.isnan(value) else f"{100 * value:.{digits}f} %"


def duration(seconds: float) -> str:
    """``0.4 s``, ``75 s``, ``3 min 20 s``."""
    if seconds < 100:
        return f"{seconds:.1f} s" if seconds < 10 else f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s"

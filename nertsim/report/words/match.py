"""What matches say, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nertsim.report.words.numbers import duration, number, percent


def sentences(summary: Mapping[str, Any]) -> list[str]:
    """How many deals a match takes, how long it lasts, how close it is."""
    target, deals = summary["target"], summary["match_deals"]
    until = f"to {_count(target, 'point')}" if deals is None else f"of {_count(deals, 'deal')}"
    lines = [f"{_count(summary['matches'], 'match', 'matches')} {until}."]
    if deals is None:
        takes = f"A match takes {mean_text(summary['mean_deals'], summary['mean_deals_ci'])} deals"
        lines.append(f"{takes} (90 %: {_range(summary['deals_quantiles'])}).")
    lines.append(f"A match lasts {duration(summary['mean_match_seconds'])}.")
    if len(summary["seats"]) > 1:
        margin = number(summary["mean_margin"], 1)
        lines.append(f"The best is {margin} points ahead of the next (90 %: {_range(summary['margin_quantiles'])}).")
    if summary["shared"] > 0:
        lines.append(f"{percent(summary['shared'])} ended in a tie, which counts 1/k for each of k.")
    if summary["ended"]["time_limit"] > 0:
        lines.append(f"{percent(summary['ended']['time_limit'])} of all deals ended at the time limit.")
    return lines


def _count(count: int, one: str, many: str | None = None) -> str:
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def _range(quantiles: Mapping[str, float]) -> str:
    return f"{quantiles['0.05']} to {quantiles['0.95']}"


def mean_text(mean: float, interval: Sequence[float]) -> str:
    """``9.8 ± 0.1``"""
    return f"{number(mean, 1)} ± {number((interval[1] - interval[0]) / 2, 1)}"

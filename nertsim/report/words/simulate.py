"""What a batch of deals says, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nertsim.report.words.numbers import duration, number, percent


def sentences(summary: Mapping[str, Any]) -> list[str]:
    """How deals ended, how long they are, what calling is worth; and how far a figure that was waited for is known."""
    ended, caller = summary["ended"], summary["caller"]
    lines = [
        *_until_sentences(summary),
        f"{summary['deals']:,} deals: {percent(ended['called'])} ended by a call, {percent(ended['stuck'])} stuck, "
        f"{percent(ended['time_limit'])} at the time limit.",
        f"A deal lasts {duration(summary['mean_deal_seconds'])} and takes "
        f"{number(summary['actions_per_deal'], 0)} actions.",
    ]
    if ended["called"] > 0 and len(summary["seats"]) > 1:
        lines.append(
            f"The caller scores {number(caller['mean_score'], 1)}, "
            f"the others {number(caller['others_mean_score'], 1)}; "
            f"the caller has the top score in {percent(caller['win_rate'])}."
        )
    return lines


def _until_sentences(summary: Mapping[str, Any]) -> list[str]:
    """How far the figure that was waited for is known, and what its intervals are."""
    until = summary.get("until")
    if until is None:
        return []
    what, unit = ("win rate", " %") if until["figure"] == "win" else ("score", " points")
    scale = 100 if until["figure"] == "win" else 1
    half, wanted = (number(scale * until[name], 3) for name in ("half_width", "error"))
    reached = "as was asked for" if until["reached"] else f"not yet to ±{wanted}{unit}: more deals are needed"
    return [
        f"Every bot's {what} is known to ±{half}{unit}, {reached}.",
        "The intervals hold at every moment of the run, also at one that was chosen by looking at them.",
    ]

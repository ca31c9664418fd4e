"""What matches say, in numbers: who wins, how many deals it takes, by how much; from the exact totals."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from nertsim.codes import WON_WHOLE
from nertsim.experiments.match_totals import LEAD, POINTS, WON, MatchTotals
from nertsim.stats.intervals import LEVEL, Interval, exact_mean, mean_interval, share_interval
from nertsim.tables import ENDED_NAMES
from nertsim.totals import sides_of

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


def summarize_matches(totals: MatchTotals, labels: Sequence[str]) -> dict[str, Any]:
    """Shares, means, intervals and quantiles of matches; `labels` holds the bot of each seat.

    Keys: matches, deals (of all matches), mean_deals and mean_margin with their ``…_ci`` and ``…_quantiles`` (a dict,
    "0.05" … "0.95"), mean_match_seconds (simulated), shared, capped (shares of matches), ended (shares of deals),
    level, seats (a record a seat), bots (a record a bot). Shares are 0 … 1; what one seat alone does not have is nan.
    """
    matches, deals = totals.matches, totals.deals_played
    return {
        "matches": matches,
        "deals": deals,
        **_distribution("deals", totals.deals),
        "mean_match_seconds": exact_mean(totals.duration_us, matches) / 1e6,
        **_distribution("margin", totals.margins),
        "shared": exact_mean(totals.shared, matches),
        "capped": exact_mean(totals.capped, matches),
        "ended": {name: exact_mean(totals.ended[code], deals) for code, name in enumerate(ENDED_NAMES)},
        "level": LEVEL,
        "seats": [_seat(totals, seat, label) for seat, label in enumerate(labels)],
        "bots": [_side(totals, side, *item) for side, item in enumerate(sides_of(labels).items())],
    }


def quantile(counts: Counter[int], share: float) -> float:
    """The least value that at least `share` of the values do not exceed; nan where there are none.

    `counts` says how often each value was seen.
    """
    wanted, seen = Fraction(str(share)) * counts.total(), 0
    for value in sorted(counts):
        seen += counts[value]
        if seen >= wanted:
            return value
    return math.nan


def _distribution(name: str, counts: Counter[int]) -> dict[str, Any]:
    count, total = counts.total(), sum(value * times for value, times in counts.items())
    squares = sum(value * value * times for value, times in counts.items())
    return {
        f"mean_{name}": exact_mean(total, count),
        f"mean_{name}_ci": list(mean_interval(count, total, squares)),
        f"{name}_quantiles": {str(share): quantile(counts, share) for share in QUANTILES},
    }


def _seat(totals: MatchTotals, seat: int, label: str) -> dict[str, Any]:
    sums, squares, matches = totals.seat_sums[seat], totals.seat_squares[seat], totals.matches
    alone = len(totals.seat_sums) == 1
    margin_interval = mean_interval(matches, sums[LEAD], squares[LEAD])
    return {
        "seat": seat,
        "bot": label,
        "win_rate": exact_mean(sums[WON], matches * WON_WHOLE),
        "win_rate_ci": list(share_interval(matches, sums[WON], squares[WON], WON_WHOLE)),
        "mean_points": exact_mean(sums[POINTS], matches),
        "points_ci": list(mean_interval(matches, sums[POINTS], squares[POINTS])),
        "mean_margin": math.nan if alone else exact_mean(sums[LEAD], matches),
        "margin_ci": [math.nan, math.nan] if alone else list(margin_interval),
    }


def _side(totals: MatchTotals, side: int, label: str, members: list[int]) -> dict[str, Any]:
    """A bot's win rate is that of one of its seats on average; its interval holds what the seats have in common."""
    matches, count = totals.matches, len(members)
    interval = Interval(1.0, 1.0)  # who sits at every seat always wins
    if count < len(totals.seat_sums):
        interval = share_interval(matches, totals.side_sums[side], totals.side_squares[side], WON_WHOLE)
    return {
        "bot": label,
        "seats": members,
        "win_rate": exact_mean(totals.side_sums[side], matches * count * WON_WHOLE),
        "win_rate_ci": [end / count for end in interval],
        "mean_points": exact_mean(sum(totals.seat_sums[seat][POINTS] for seat in members), matches * count),
    }

"""What a batch says, in numbers: shares, means and their intervals, from the exact totals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from nertsim.codes import WON_WHOLE, DealColumn, SeatColumn
from nertsim.stats.intervals import LEVEL, FixedIntervals, Interval, exact_mean
from nertsim.tables import ENDED_NAMES
from nertsim.totals import Totals, sides_of

SCORE, WON = 0, 1
"""Columns of the totals of a side."""


class Intervals(Protocol):
    """Where intervals come from: `FixedIntervals`, or `Until` where the batch ended on what was seen."""

    def mean(self, count: int, total: int, squares: int, unit: float = 1.0) -> Interval:
        """The interval of a mean, from exact sums."""
        ...

    def share(self, count: int, total: int, squares: int, whole: int) -> Interval:
        """The interval of a mean of won shares, from exact sums."""
        ...


def summarize(totals: Totals, labels: Sequence[str], intervals: Intervals | None = None) -> dict[str, Any]:
    """Shares, means and intervals of a batch; `labels` holds the bot of each seat.

    Keys: deals, ended, mean_deal_seconds, actions_per_deal, caller, level, seats (a record a seat), bots (a record a
    bot). Shares are 0 … 1; a mean of nothing is nan.
    """
    intervals = intervals or FixedIntervals()
    return {
        "deals": totals.deals,
        "ended": {name: exact_mean(totals.ended[code], totals.deals) for code, name in enumerate(ENDED_NAMES)},
        "mean_deal_seconds": exact_mean(totals.deal_sums[DealColumn.DURATION_US], totals.deals) / 1e6,
        "actions_per_deal": exact_mean(totals.deal_sums[DealColumn.ACTIONS], totals.deals),
        "caller": _caller(totals),
        "level": LEVEL,
        "seats": [_seat(totals, intervals, seat, label) for seat, label in enumerate(labels)],
        "bots": [_side(totals, intervals, side, *item) for side, item in enumerate(sides_of(labels).items())],
    }


def _seat(totals: Totals, intervals: Intervals, seat: int, label: str) -> dict[str, Any]:
    sums, squares, deals = totals.seat_sums[seat], totals.seat_squares[seat], totals.deals
    score, won = SeatColumn.SCORE, SeatColumn.WON
    return {
        "seat": seat,
        "bot": label,
        "mean_score": exact_mean(sums[score], deals),
        "score_ci": list(intervals.mean(deals, sums[score], squares[score])),
        "win_rate": exact_mean(sums[won], deals * WON_WHOLE),
        "win_rate_ci": list(intervals.share(deals, sums[won], squares[won], WON_WHOLE)),
        "call_rate": exact_mean(sums[SeatColumn.CALLED], deals),
        "foundation": exact_mean(sums[SeatColumn.FOUNDATION], deals),
        "nerts_left": exact_mean(sums[SeatColumn.NERTS_LEFT], deals),
    }


def _side(totals: Totals, intervals: Intervals, side: int, label: str, members: list[int]) -> dict[str, Any]:
    sums, squares, deals, count = totals.side_sums[side], totals.side_squares[side], totals.deals, len(members)

    def mean_of(column: SeatColumn) -> float:
        return exact_mean(sum(totals.seat_sums[seat][column] for seat in members), deals * count)

    whole_share = Interval(1.0, 1.0)  # who sits at every seat always wins
    if count < len(totals.seat_sums):
        whole_share = intervals.share(deals, sums[WON], squares[WON], WON_WHOLE)
    return {
        "bot": label,
        "seats": members,
        "mean_score": exact_mean(sums[SCORE], deals * count),
        "score_ci": list(intervals.mean(deals, sums[SCORE], squares[SCORE], unit=1 / count)),
        "win_rate": exact_mean(sums[WON], deals * count * WON_WHOLE),
        "win_rate_ci": [end / count for end in whole_share],
        "call_rate": mean_of(SeatColumn.CALLED),
        "foundation": mean_of(SeatColumn.FOUNDATION),
        "nerts_left": mean_of(SeatColumn.NERTS_LEFT),
    }


def _caller(totals: Totals) -> dict[str, float]:
    """Of called deals: mean score and win rate of the caller, and the mean score of the other seats."""
    calls = sum(seat[SeatColumn.CALLED] for seat in totals.seat_sums)
    others = calls * (len(totals.seat_sums) - 1)
    return {
        "mean_score": exact_mean(totals.caller_score, calls),
        "win_rate": exact_mean(totals.caller_won, calls * WON_WHOLE),
        "others_mean_score": exact_mean(totals.called_score - totals.caller_score, others),
    }

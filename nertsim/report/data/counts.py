"""Histograms of whole numbers, with what their intervals need where several seats of a deal count together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from nertsim.stats.intervals import FixedIntervals, Interval


class Counts:
    """How often each whole number from `low` on was seen, in n units (deals, blocks) of `members` values each.

    `squares` are the sums over units of the squared number of members that had the value, so that an interval takes a
    unit as one, and not each of its seats.
    """

    def __init__(self, low: int, size: int, members: int = 1) -> None:
        self.low, self.members, self.units = low, members, 0
        self.totals = np.zeros(size, np.int64)
        self.squares = np.zeros(size, np.int64)

    def add(self, values: np.ndarray) -> None:
        """Takes more units: int (n,) or (n, members); what is out of range counts at its end."""
        columns = values[:, None] if values.ndim == 1 else values
        places = np.clip(columns.astype(np.int64) - self.low, 0, len(self.totals) - 1)
        self.units += len(places)
        for member in range(places.shape[1]):
            once = np.bincount(places[:, member], minlength=len(self.totals))
            self.totals += once
            self.squares += once
            for other in range(member):
                equal = places[places[:, member] == places[:, other], member]
                self.squares += 2 * np.bincount(equal, minlength=len(self.totals))

    @property
    def span(self) -> tuple[int, int]:
        """The lowest and the highest value that was seen."""
        seen = np.flatnonzero(self.totals)
        return (self.low + int(seen[0]), self.low + int(seen[-1])) if len(seen) else (self.low, self.low)

    def quantile(self, share: float) -> int:
        """The least value that at least this share of the values do not exceed."""
        return self.low + int(np.searchsorted(np.cumsum(self.totals), share * self.totals.sum(), side="left"))

    def share(self, value: int, intervals: Any = FixedIntervals) -> tuple[float, Interval]:
        """Share of the values that are this one, and its interval."""
        place = value - self.low
        whole = self.units * self.members
        found = intervals.share(self.units, int(self.totals[place]), int(self.squares[place]), self.members)
        return float(self.totals[place]) / whole, found

    def to_dict(self) -> dict[str, Any]:
        """Values that were seen, with how often."""
        low, high = self.span
        return {
            "units": self.units,
            "members": self.members,
            "low": low,
            "counts": self.totals[low - self.low : high - self.low + 1].tolist(),
        }


def of_counter(counter: Mapping[int, int]) -> Counts:
    """The same of values that were counted before, one a unit."""
    low, high = min(counter, default=0), max(counter, default=0)
    counts = Counts(low, high - low + 1)
    for value, times in counter.items():
        counts.totals[value - low] = counts.squares[value - low] = times
    counts.units = sum(counter.values())
    return counts


def rebinned(counts: Counts, edges: Sequence[int], intervals: Any = FixedIntervals) -> list[tuple[float, Interval]]:
    """Shares of values, one a unit, in the bins from each edge to the next (exclusive), with their intervals."""
    found = []
    for low, high in pairwise(edges):
        total = int(counts.totals[max(0, low - counts.low) : max(0, high - counts.low)].sum())
        share = total / counts.units if counts.units else 0.0
        found.append((share, intervals.share(counts.units, total, total, 1)))
    return found

"""Intervals for a mean and for a proportion, from exact sums. For a fixed number of deals only: not for stopping
early.
"""

from __future__ import annotations

import math
from fractions import Fraction
from statistics import NormalDist
from typing import NamedTuple

LEVEL = 0.95


class Interval(NamedTuple):
    """A confidence interval; both ends are nan where there are too few values to say."""

    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Half of the distance between the ends."""
        return (self.high - self.low) / 2


UNKNOWN = Interval(math.nan, math.nan)


def normal_quantile(level: float) -> float:
    """z such that a standard normal variable is within ±z with probability `level` (0.95: 1.96)."""
    return NormalDist().inv_cdf(0.5 + level / 2)


def exact_mean(total: int, count: int) -> float:
    """Σx/n of whole numbers, rounded once; nan for no values."""
    return float(Fraction(total, count)) if count else math.nan


def variance(count: int, total: int, squares: int) -> float:
    """Sample variance, (Σx² − (Σx)²/n) / (n − 1), of `count` integers, free of cancellation; nan for fewer than two."""
    if count < 2:
        return math.nan
    return float(Fraction(count * squares - total * total, count * (count - 1)))


def mean_interval(count: int, total: int, squares: int, unit: float = 1.0, level: float = LEVEL) -> Interval:
    """Normal interval of a mean: x̄ ± z·s/√n (central limit theorem; a few dozen values at least).

    `total` and `squares` are the exact sums Σx and Σx² of `count` integers; `unit` is what an integer 1 is worth.
    Unknown for fewer than two values.
    """
    if count < 2:
        return UNKNOWN
    half = normal_quantile(level) * math.sqrt(variance(count, total, squares) / count) * unit
    mean = float(Fraction(total, count)) * unit
    return Interval(mean - half, mean + half)


def wilson_interval(count: float, share: float, level: float = LEVEL) -> Interval:
    """Wilson's score interval for a proportion `share` (0 … 1) seen in `count` independent trials.

    (p + z²/2n ± z·√(p(1 − p)/n + z²/4n²)) / (1 + z²/n): Wilson (1927); Brown, Cai & DasGupta (2001) advise it for all
    n. `count` need not be whole. Unknown for no trials.
    """
    if count <= 0:
        return UNKNOWN
    z = normal_quantile(level)
    shrink = 1 + z * z / count
    centre = (share + z * z / (2 * count)) / shrink
    half = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count)) / shrink
    # At 0 and 1 the end is 0 or 1 exactly; rounding must not put the share outside its interval.
    return Interval(max(0.0, min(share, centre - half)), min(1.0, max(share, centre + half)))


def share_interval(count: int, total: int, squares: int, whole: int, level: float = LEVEL) -> Interval:
    """Wilson's interval for the mean of won shares, each between 0 and `whole`.

    A shared top score counts 1/k, which varies less than a win or nothing. So n is replaced by the effective number of
    trials n·p(1 − p)/s², with s² the variance of the shares over n (Kish's design effect, turned round). It is n where
    no share is a fraction, and taken as n where the shares do not vary.
    """
    if count == 0:
        return UNKNOWN
    share = Fraction(total, count * whole)
    spread = Fraction(count * squares - total * total, (count * whole) ** 2)
    effective = float(count * share * (1 - share) / spread) if spread > 0 else float(count)
    return wilson_interval(effective, float(share), level)


class FixedIntervals:
    """The intervals of a batch whose size was fixed before."""

    @staticmethod
    def mean(count: int, total: int, squares: int, unit: float = 1.0) -> Interval:
        """See `mean_interval`."""
        return mean_interval(count, total, squares, unit)

    @staticmethod
    def share(count: int, total: int, squares: int, whole: int) -> Interval:
        """See `share_interval`."""
        return share_interval(count, total, squares, whole)

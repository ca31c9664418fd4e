"""Confidence sequences: intervals that hold at every moment at once, so that one may stop on what one sees."""

from __future__ import annotations

import math
from fractions import Fraction

from nertsim.stats.intervals import LEVEL, UNKNOWN, Interval, variance

FEWEST = 1000
"""Values that a sequence waits for: it rests on the central limit theorem."""


def mixture_radius(count: float, deviation: float, best_at: float, level: float = LEVEL) -> float:
    """Half-width after `count` values with standard deviation `deviation`, tightest near `best_at` values.

    s·√(2(nρ² + 1)/(n²ρ²) · ln(√(nρ² + 1)/α)), the normal mixture of Robbins (1970) with an estimated variance, valid
    for any distribution with a finite variance as n grows: Waudby-Smith, Arbour, Sinha, Kennedy & Ramdas (2024),
    "Time-uniform central limit theory and asymptotic confidence sequences". ρ² = (2 ln(1/α) + ln(1 + 2 ln(1/α))) / n
    makes it nearly as tight as it can be after n = `best_at` values, which must not be chosen from the data.
    """
    alpha = 1 - level
    narrow = 2 * math.log(1 / alpha)
    scaled = count * (narrow + math.log(1 + narrow)) / best_at
    return deviation * math.sqrt(2 * (scaled + 1) / (count * scaled) * math.log(math.sqrt(scaled + 1) / alpha))


def mean_sequence(
    count: int, total: int, squares: int, best_at: float, unit: float = 1.0, level: float = LEVEL
) -> Interval:
    """Interval of a mean that holds for all counts at once, from FEWEST values on; unknown before.

    `total` and `squares` are the exact sums Σx and Σx² of `count` integers; `unit` is what an integer 1 is worth.
    """
    if count < FEWEST:
        return UNKNOWN
    half = mixture_radius(count, math.sqrt(variance(count, total, squares)), best_at, level) * unit
    mean = float(Fraction(total, count)) * unit
    return Interval(mean - half, mean + half)


def share_sequence(count: int, total: int, squares: int, whole: int, best_at: float, level: float = LEVEL) -> Interval:
    """The same for the mean of won shares, each between 0 and `whole`: within 0 … 1.

    The variance is taken as that of one won deal more and one lost, so that shares that have not varied yet do not
    look certain.
    """
    if count < FEWEST:
        return UNKNOWN
    spread = variance(count + 2, total + whole, squares + whole * whole)
    half = mixture_radius(count, math.sqrt(spread) / whole, best_at, level)
    mean = float(Fraction(total, count * whole))
    return Interval(max(0.0, mean - half), min(1.0, mean + half))

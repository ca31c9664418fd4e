"""Confidence sequences: intervals that hold at every moment at once, so that one may stop on what one sees."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from nertsim.stats.intervals import LEVEL, UNKNOWN, Interval, variance
from nertsim.stats.mixtures import prior_weight

FEWEST = 1000
"""Values that `mean_sequence` waits for: it rests on the central limit theorem."""


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
    """The same for the mean of won shares, each between 0 and `whole`: within 0 … 1, exact from the first value on.

    Those p against which the beta-binomial mixture B(ρp + S, ρ(1 − p) + n − S) / (B(ρp, ρ(1 − p)) pˢ(1 − p)ⁿ⁻ˢ) has not
    reached 1/α: Robbins (1970); Howard, Ramdas, McAuliffe & Sekhon (2021), "Time-uniform, nonparametric, nonasymptotic
    confidence sequences". Shares between 0 and 1 make it grow no more than wins and losses do, since its factors are
    convex in the share. `squares` could make it narrower where wins are shared, by little, and is not used.
    """
    if count == 0:
        return UNKNOWN
    won, prior, limit = total / whole, 1 / prior_weight(best_at, level), -math.log(1 - level)
    mean = float(Fraction(total, count * whole))

    def is_outside(share: float) -> bool:
        return not 0 < share < 1 or share_evidence(count, won, share, prior) >= limit

    low = _edge(mean, 0.0, is_outside) if total > 0 else 0.0
    high = _edge(mean, 1.0, is_outside) if total < count * whole else 1.0
    return Interval(low, high)


def share_evidence(count: int, won: float, share: float, prior: float) -> float:
    """Logarithm of the mixture of `share_sequence` against the mean `share`; `prior` is its ρ."""
    one, other = prior * share, prior * (1 - share)
    after = math.lgamma(one + won) + math.lgamma(other + count - won) - math.lgamma(prior + count)
    before = math.lgamma(one) + math.lgamma(other) - math.lgamma(prior)
    return after - before - won * math.log(share) - (count - won) * math.log1p(-share)


def _edge(inside: float, outside: float, is_outside: Callable[[float], bool]) -> float:
    """Where it gets outside, between two numbers: the evidence falls up to the mean, and grows from there on."""
    for _ in range(50):
        middle = (inside + outside) / 2
        if is_outside(middle):
            outside = middle
        else:
            inside = middle
    return outside

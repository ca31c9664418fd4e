"""Generalised log-likelihood ratios of two means: for any scores by a normal approximation, for finite ones exactly.

Block scores take few values where the metric is wins; then the exact ratio can be had from the counts. Both are the
GSPRT of chess engine testing (Van den Bergh, "Comments on normalized Elo", "The GSPRT for multinomial distributions"),
for any number of players and any support.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from nertsim.errors import UsageError


def normal_ratio(count: Any, total: Any, squares: Any, mean_0: float, mean_1: float) -> Any:
    """ln of the likelihood ratio of mean_1 against mean_0 for normal values whose variance is unknown.

    (n/2)·ln[(s² + (x̄ − μ0)²)/(s² + (x̄ − μ1)²)] with s² = Σx²/n − x̄²; from n, Σx and Σx² (numbers or arrays). ±inf where
    all values are one of the means, nan for no values.
    """
    count = np.asarray(count, float)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean, square = total / count, squares / count
        around = [np.maximum(square - 2 * mean * other + other**2, 0.0) for other in (mean_0, mean_1)]
        return count / 2 * (np.log(around[0]) - np.log(around[1]))


def standardized_ratio(count: Any, t: Any, t_0: float, t_1: float) -> Any:
    """The same where the hypotheses are about mean/deviation: (n/2)·ln[(1 + (t − t0)²)/(1 + (t − t1)²)]."""
    return np.asarray(count, float) / 2 * (np.log1p((t - t_0) ** 2) - np.log1p((t - t_1) ** 2))


def constrained_shares(counts: np.ndarray, values: np.ndarray, mean: float) -> np.ndarray:
    """The likeliest shares of `values` with that mean, where they were seen `counts` times: float64, sum 1.

    p_i = f_i/(1 + λ(v_i − μ)) with f the observed shares and λ the root of Σ f_i(v_i − μ)/(1 + λ(v_i − μ)) = 0
    (empirical likelihood: Owen 1988). Raises `UsageError` where the mean is not strictly between the values seen.
    """
    from scipy.optimize import brentq

    counts, values = np.asarray(counts, float), np.asarray(values, float)
    shares, distance = counts / counts.sum(), values - mean
    seen = distance[counts > 0]
    if not seen.min() < 0 < seen.max():
        raise UsageError(
            f"a mean of {mean} is not between the values seen, {values[counts > 0].min()} and "
            f"{values[counts > 0].max()}"
        )
    # All shares stay below 1 between these ends, and the sum changes its sign there.
    least = shares[counts > 0].min() / 2
    low, high = (least - 1) / seen.max(), (least - 1) / seen.min()
    root = brentq(lambda slope: float(np.sum(shares * distance / (1 + slope * distance))), low, high, xtol=1e-15)
    return shares / (1 + root * distance)


def finite_ratio(counts: np.ndarray, values: np.ndarray, mean_0: float, mean_1: float, prior: float = 0.0) -> float:
    """ln of the exact generalised likelihood ratio of mean_1 against mean_0: Σ n_i ln(p1_i/p0_i).

    `counts` says how often each of `values` was seen; p0 and p1 are the likeliest shares with those means. `prior`
    takes the place of counts of 0 (fishtest has 0.001), so that means beyond the values seen can be had as well.
    """
    counts = np.where(np.asarray(counts) == 0, prior, np.asarray(counts, float))
    shares = [constrained_shares(counts, values, mean) for mean in (mean_0, mean_1)]
    seen = counts > 0
    return float(np.sum(counts[seen] * (np.log(shares[1][seen]) - np.log(shares[0][seen]))))


def wald_bounds(alpha: float, beta: float) -> tuple[float, float]:
    """Where a simple sequential probability ratio test ends: ln(β/(1 − α)), ln((1 − β)/α). Wald (1945)."""
    return math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)

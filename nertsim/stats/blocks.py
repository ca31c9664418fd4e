"""Blocks: deals with the same cards and timing, played in all rotations over the seats. The block is the unit."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from nertsim.errors import UsageError
from nertsim.stats.intervals import LEVEL, UNKNOWN, Interval, normal_quantile

BCA_AT_MOST = 2000
"""Blocks up to which the bootstrap is accelerated; beyond it the correction is far below the interval's own noise, and
costs n² operations."""


@dataclasses.dataclass(frozen=True)
class Reduction:
    """How much less a mean varies for being had from blocks. Variances are those of the mean of all blocks.

    `factor` is `naive`/`used`, estimated from the same blocks, so it has an error itself: `factor_ci`, by the delta
    method on its logarithm. `deals_saved` is how many deals more the naive way would take for the same error (below 0
    where blocks lose).
    """

    naive: float
    used: float
    factor: float
    factor_ci: Interval
    deals: int
    deals_saved: float


def block_scores(values: Any, weights: Any = None) -> np.ndarray:
    """Block scores from what the deals of each block gave: Σ_k w_k·x_bk, float64 (blocks,).

    `values` is (blocks, deals a block, …), all further axes being rotations as well; `weights` has the shape of one
    block, by default 1/deals (the mean). A comparison of two bots that sit in different deals has +1/r for the deals
    of one and −1/r for those of the other.
    """
    rows = _rows(values)
    return rows @ _weights(rows, weights)


def block_interval(scores: Any, level: float = LEVEL) -> Interval:
    """Student's interval of the mean block score: x̄ ± t(n − 1)·s/√n, for a number of blocks fixed beforehand."""
    from scipy.stats import t

    scores = np.asarray(scores, float)
    count = len(scores)
    if count < 2:
        return UNKNOWN
    half = float(t.ppf(0.5 + level / 2, count - 1)) * scores.std(ddof=1) / math.sqrt(count)
    return Interval(float(scores.mean() - half), float(scores.mean() + half))


def bootstrap_interval(
    scores: Any,
    statistic: Callable[..., Any] = np.mean,
    seed: int = 0,
    resamples: int = 2000,
    level: float = LEVEL,
) -> Interval:
    """Bootstrap interval of `statistic`, whole blocks being drawn with replacement: reproducible by `seed`.

    `scores` is (blocks,) and `statistic` takes `axis`. Bias-corrected and accelerated (Efron 1987) for up to 2,000
    blocks, percentile for more. Unknown below two blocks.
    """
    from scipy.stats import bootstrap

    scores = np.asarray(scores, float)
    if len(scores) < 2:
        return UNKNOWN
    if np.ptp(scores) == 0:
        return Interval(*[float(statistic(scores, axis=0))] * 2)
    found = bootstrap(
        (scores,),
        statistic,
        n_resamples=resamples,
        confidence_level=level,
        method="BCa" if len(scores) <= BCA_AT_MOST else "percentile",
        batch=max(1, 4_000_000 // len(scores)),
        rng=np.random.default_rng(seed),
    ).confidence_interval
    return Interval(float(found.low), float(found.high))


def variance_reduction(values: Any, weights: Any = None, adjusted: Any = None, level: float = LEVEL) -> Reduction:
    """The variance of the mean from blocks, against that from as many independent deals.

    Naive: Σ_k w_k²·s_k²/n, where s_k² is the variance of deal k of the blocks: what the same number of deals in each
    rotation would give if all had cards of their own. That leaves differences between seats out, as any sound design
    would. Blocks: variance of the block scores over n, or of `adjusted` (blocks,), the scores after control variates
    whose coefficients were not fitted on the same blocks (`control.predictable_scores`); anything else flatters.
    Arguments as for `block_scores`. Both variances are unbiased; the interval of their ratio says how far it holds.
    """
    rows = _rows(values)
    if len(rows) < 2:
        raise UsageError("the variance over blocks takes two blocks, at least")
    factors = _weights(rows, weights)
    scores = rows @ factors if adjusted is None else np.asarray(adjusted, float)
    # What each block adds to the two variances; their means are the variances.
    naive = ((rows - rows.mean(axis=0)) ** 2) @ factors**2 * (len(rows) / (len(rows) - 1))
    used = (scores - scores.mean()) ** 2 * (len(rows) / (len(rows) - 1))
    return _reduction(naive, used, int(np.count_nonzero(factors)) * len(rows), level)


def _reduction(naive: np.ndarray, used: np.ndarray, deals: int, level: float) -> Reduction:
    count, top, bottom = len(naive), float(naive.mean()), float(used.mean())
    if bottom == 0:  # bots that play the same: no variance is left
        whole = math.nan if top == 0 else math.inf
        return Reduction(top / count, 0.0, whole, UNKNOWN, deals, math.nan if top == 0 else math.inf)
    factor = top / bottom
    if top == 0:
        return Reduction(0.0, bottom / count, 0.0, UNKNOWN, deals, -float(deals))
    error = float(np.std(naive / top - used / bottom, ddof=1)) / math.sqrt(count)
    spread = math.exp(normal_quantile(level) * error)
    ends = Interval(factor / spread, factor * spread)
    return Reduction(top / count, bottom / count, factor, ends, deals, deals * (factor - 1))


def _rows(values: Any) -> np.ndarray:
    rows = np.asarray(values, float)
    if rows.ndim < 2:
        raise UsageError(f"blocks must be an array of (blocks, deals a block), not of {rows.ndim} dimensions")
    return rows.reshape(len(rows), -1)


def _weights(rows: np.ndarray, weights: Any) -> np.ndarray:
    if weights is None:
        return np.full(rows.shape[1], 1 / rows.shape[1])
    flat = np.asarray(weights, float).ravel()
    if len(flat) != rows.shape[1]:
        raise UsageError(f"{len(flat)} weights were given for {rows.shape[1]} deals a block")
    return flat

"""Control variates: the luck that no bot can influence, taken out of the block score without moving its mean.

y' = y − βᵀ(z − E z) has the mean of y whatever β is, as long as β was not fitted on the same block (Lavenberg & Welch
1981; Glynn & Szechtman 2002). Here β comes from earlier chunks of blocks only. So the adjusted scores are a martingale
around the true mean, sequential tests and confidence sequences stay valid, and no block is wasted on fitting.

All that is needed of a chunk of blocks are its sums of products, so chunks can be played in any order, by any number of
threads: sums are merged by chunk number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from nertsim.errors import UsageError

BLOCKS_PER_COVARIATE = 20
"""Earlier blocks that a coefficient takes; below, scores are left as they are."""


class Moments(NamedTuple):
    """Sums over some blocks of v = (y, z1, …, zp): their number, Σv float64 (1 + p,), Σvvᵀ float64 (1 + p, 1 + p).

    Exact where scores and covariates are whole numbers (below 2⁵³ in sum), so that they do not depend on the order.
    """

    blocks: int
    total: np.ndarray
    products: np.ndarray

    def __add__(self, other: object) -> Moments:
        """The sums over the blocks of both."""
        if not isinstance(other, Moments):
            return NotImplemented
        return Moments(self.blocks + other.blocks, self.total + other.total, self.products + other.products)


class Sums(NamedTuple):
    """Number of blocks, Σ and Σ² of (adjusted) block scores: what `SequentialTest` takes."""

    blocks: int
    total: float
    squares: float


def moments(scores: Any, covariates: Any) -> Moments:
    """The sums of one chunk: `scores` (blocks,), `covariates` (blocks, p) or (blocks,)."""
    y = np.asarray(scores, float)
    z = np.asarray(covariates, float).reshape(len(y), -1)
    v = np.column_stack([y, z])
    return Moments(len(v), v.sum(axis=0), v.T @ v)


def coefficients(seen: Moments | None) -> np.ndarray | None:
    """β by least squares, shrunk by how sure it is that it helps; None where there are too few blocks to say.

    β = S_zz⁻¹ S_zy · max(0, 1 − 1/F), F = (R²/p)/((1 − R²)/(n − p − 1)): positive-part shrinkage (James & Stein 1961).
    Useless covariates have F about 1 and get about nothing, so they cost nothing but noise.
    """
    if seen is None:
        return None
    size = len(seen.total) - 1
    if size == 0 or seen.blocks < max(2, BLOCKS_PER_COVARIATE * size):
        return None
    spread = seen.products - np.outer(seen.total, seen.total) / seen.blocks
    raw, *_ = np.linalg.lstsq(spread[1:, 1:], spread[1:, 0], rcond=1e-10)
    explained, all_of_it = float(raw @ spread[1:, 0]), float(spread[0, 0])
    if explained <= 0:
        return None
    left = max(all_of_it - explained, 0.0) / (seen.blocks - size - 1)
    return raw * max(0.0, 1 - left / (explained / size))


def adjusted_sums(chunk: Moments, beta: np.ndarray | None, means: Any) -> Sums:
    """Count, Σy' and Σy'² of a chunk for y' = y − βᵀ(z − means), from its sums alone."""
    if beta is None:
        return Sums(chunk.blocks, float(chunk.total[0]), float(chunk.products[0, 0]))
    direction = np.concatenate([[1.0], -beta])
    shift = float(beta @ np.broadcast_to(np.asarray(means, float), beta.shape))
    total = float(direction @ chunk.total)
    squares = float(direction @ chunk.products @ direction) + 2 * shift * total + chunk.blocks * shift**2
    return Sums(chunk.blocks, total + chunk.blocks * shift, max(squares, 0.0))


class Predictable:
    """Adjusted sums, chunk by chunk in order; each is adjusted by what the chunks before it have taught.

    `means` holds the known means of the covariates (0 by default, as for covariates that are differences between seats
    over all rotations). Cards alone decide the covariates, so a mean can be had exactly or from shuffles without play;
    one that was estimated from m decks has an error, which moves the result by βᵀ times it: use m far above the number
    of blocks, or put (n/m) of the explained variance on top (`mean_error`).

    The first `teaching` chunks are not counted, they only teach. Without any the first chunk counts as it is, with all
    its luck; in a run of few chunks that costs more than leaving it out. It must not be chosen from the data.
    """

    def __init__(self, means: Any = 0.0, teaching: int = 0) -> None:
        self.means = means
        self.teaching = teaching
        self.seen: Moments | None = None
        self.raw = self.adjusted = Sums(0, 0.0, 0.0)
        self.beta: np.ndarray | None = None

    def add(self, chunk: Moments) -> Sums:
        """Takes the next chunk; returns the sums over all so far, adjusted."""
        if self.seen is not None and len(self.seen.total) != len(chunk.total):
            raise UsageError("all chunks must have the same covariates")
        self.beta = coefficients(self.seen)
        if self.teaching > 0:
            self.teaching -= 1
        else:
            self.adjusted = _sum(self.adjusted, adjusted_sums(chunk, self.beta, self.means))
            self.raw = _sum(self.raw, adjusted_sums(chunk, None, self.means))
        self.seen = chunk if self.seen is None else self.seen + chunk
        return self.adjusted

    @property
    def factor(self) -> float:
        """Variance of the scores over that of the adjusted ones, both as they came: honest, as no block was adjusted by
        what it taught itself. nan below two blocks or where nothing varies.
        """
        raw, adjusted = _variance(self.raw), _variance(self.adjusted)
        return raw / adjusted if adjusted > 0 else float("nan")

    def mean_error(self, decks: int) -> float:
        """Variance of the adjusted mean that comes from `means` having been estimated from so many decks."""
        if self.seen is None or self.beta is None:
            return 0.0
        spread = self.seen.products - np.outer(self.seen.total, self.seen.total) / self.seen.blocks
        return float(self.beta @ spread[1:, 1:] @ self.beta) / (self.seen.blocks - 1) / decks


def predictable_sums(chunks: Iterable[Moments], means: Any = 0.0, teaching: int = 0) -> Iterator[Sums]:
    """The adjusted sums after each of the chunks, which must come in their order; see `Predictable`."""
    running = Predictable(means, teaching)
    for chunk in chunks:
        yield running.add(chunk)


def predictable_scores(scores: Any, covariates: Any, means: Any = 0.0, chunk: int = 500) -> np.ndarray:
    """Adjusted block scores, float64 (blocks,), each chunk by the coefficients of the chunks before it."""
    y, z, running = _columns(scores, covariates), np.asarray(covariates, float).reshape(len(scores), -1), None
    out = y.copy()
    for first in range(0, len(y), chunk):
        part = slice(first, first + chunk)
        beta = coefficients(running)
        if beta is not None:
            out[part] -= (z[part] - np.asarray(means, float)) @ beta
        new = moments(y[part], z[part])
        running = new if running is None else running + new
    return out


def cross_fitted_scores(scores: Any, covariates: Any, means: Any = None) -> np.ndarray:
    """Adjusted block scores where all blocks are there: odd ones by the coefficients of even ones, and the other way.

    For a fixed number of blocks only, and a little better than `predictable_scores`, whose first blocks stay as they
    are. Without `means` the average over all blocks stands for them, which is right for large numbers: the variance of
    the result then is that of a regression, and its bias O(1/n).
    """
    y, z = _columns(scores, covariates), np.asarray(covariates, float).reshape(len(scores), -1)
    around = z.mean(axis=0) if means is None else np.asarray(means, float)
    out = y.copy()
    for half in (0, 1):
        beta = coefficients(moments(y[1 - half :: 2], z[1 - half :: 2]))
        if beta is not None:
            out[half::2] -= (z[half::2] - around) @ beta
    return out


def _columns(scores: Any, covariates: Any) -> np.ndarray:
    y = np.asarray(scores, float)
    if len(np.asarray(covariates)) != len(y):
        raise UsageError(f"covariates of {len(np.asarray(covariates))} blocks were given for {len(y)} block scores")
    return y


def _sum(one: Sums, two: Sums) -> Sums:
    return Sums(one.blocks + two.blocks, one.total + two.total, one.squares + two.squares)


def _variance(sums: Sums) -> float:
    if sums.blocks < 2:
        return float("nan")
    return (sums.squares - sums.total**2 / sums.blocks) / (sums.blocks - 1)

"""Many claims at once: error rates for all together, dropping of hopeless bots, circles of who beats whom."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from nertsim.errors import UsageError
from nertsim.stats.mixtures import prior_weight, student_evidence, student_radius


def holm(p_values: Any) -> np.ndarray:
    """p-values adjusted for their number: max over the smaller ones of (m − i + 1)·p_(i), at most 1. Holm (1979).

    Claims whose adjusted p-value is at most α have together a chance of at most α that any is false, whatever depends
    on what. It holds at a fixed number of blocks for ordinary p-values, and at any moment for `anytime_p_values`. nan
    stays nan and is not counted. Any shape.
    """
    given = np.asarray(p_values, float)
    flat, out = given.ravel(), np.full(given.size, np.nan)
    order = np.argsort(flat, kind="stable")[: np.count_nonzero(~np.isnan(flat))]
    steps = np.arange(len(order), 0, -1)
    out[order] = np.minimum(np.maximum.accumulate(steps * flat[order]), 1.0)
    return out.reshape(given.shape)


def mean_p_values(count: Any, total: Any, squares: Any) -> np.ndarray:
    """Two-sided p-values of Student's test that a mean is 0, for a fixed number of blocks. 1 where nothing varied."""
    from scipy.stats import t

    count, mean, variance = _mean_and_variance(count, total, squares)
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic = np.where(mean == 0, 0.0, mean / np.sqrt(variance / count))
    return np.where(count >= 2, 2 * t.sf(np.abs(statistic), np.maximum(count - 1, 1)), 1.0)


def anytime_p_values(count: Any, total: Any, squares: Any, best_at: float, fewest: int = 100) -> np.ndarray:
    """p-values of "the mean is 0" that hold at whatever moment one stops: min(1, 1/e), e by `student_evidence`.

    1/e is below α ever with probability α at most (Ville), so it is a p-value at any stopping time (Ramdas et al. 2023,
    "Game-theoretic statistics and safe anytime-valid inference"), and Holm's procedure may be used on it. Sums of block
    scores, arrays of any shape; `best_at` blocks is where they are sharpest. 1 before `fewest` blocks.
    """
    count, mean, variance = _mean_and_variance(count, total, squares)
    evidence = student_evidence(count, mean, variance, prior_weight(best_at))
    return np.where(count >= fewest, np.exp(-np.maximum(evidence, 0.0)), 1.0)


class PairSums(NamedTuple):
    """Sums of block-score differences between each two of k bots, "row less column": blocks, Σd, Σd², each (k, k)."""

    blocks: np.ndarray
    total: np.ndarray
    squares: np.ndarray

    @classmethod
    def of(cls, scores: Any) -> PairSums:
        """From block scores (blocks, k) of bots that had the same blocks; nan where a bot did not play a block."""
        values = np.asarray(scores, float)
        there = ~np.isnan(values)
        known, played = np.where(there, values, 0.0), there.astype(float)
        count, squares, cross = played.T @ played, (known**2).T @ played, known.T @ known
        total = known.T @ played
        return cls(count, total - total.T, squares + squares.T - 2 * cross)

    def __add__(self, other: object) -> PairSums:
        """The sums over the blocks of both."""
        if not isinstance(other, PairSums):
            return NotImplemented
        return PairSums(*(one + two for one, two in zip(self, other, strict=True)))


def who_beats_whom(pairs: PairSums, alpha: float = 0.05, best_at: float | None = None, fewest: int = 100) -> np.ndarray:
    """bool (k, k): row beats column, beyond doubt. The chance that any of it is false is at most `alpha`.

    Holm over the k(k − 1)/2 pairs; each two-sided p-value is for both directions, and the sign of the mean says which.
    With `best_at` the p-values hold at any moment (for looking while it runs), without it at a fixed number of blocks.
    """
    upper = np.triu_indices(len(pairs.blocks), 1)
    blocks, total, squares = (part[upper] for part in pairs)
    if best_at is None:
        p_values = mean_p_values(blocks, total, squares)
    else:
        p_values = anytime_p_values(blocks, total, squares, best_at, fewest)
    sure = np.zeros(pairs.blocks.shape, bool)
    sure[upper] = holm(p_values) <= alpha
    return (sure | sure.T) & (pairs.total > 0)


def hopeless(
    pairs: PairSums,
    alive: Any,
    best_at: float,
    alpha: float = 0.05,
    margin: float = 0.0,
    fewest: int = 100,
) -> np.ndarray:
    """bool (k,): bots still `alive` that may be dropped, for at least one other is better by more than `margin`.

    Successive elimination (Even-Dar, Mannor & Mansour 2006) on simultaneous confidence sequences of the differences,
    which is sharper than on the scores, for they share the luck of the block. The best bot is ever dropped with
    probability `alpha` at most, however often this is called: it could only be by one of the k − 1 others, each at
    α/(k − 1), one-sided. k counts all bots from the beginning, not those alive. A claim on which bot is best, or on the
    order of others, is `who_beats_whom`'s.
    """
    alive = np.asarray(alive, bool)
    others = max(len(alive) - 1, 1)
    count, mean, variance = _mean_and_variance(*pairs)
    # Two-sided at twice the level is one-sided at the level itself.
    level = 1 - min(2 * alpha / others, 0.999)
    low = mean - student_radius(count, variance, prior_weight(best_at, level), level)
    beaten = (low > margin) & (count >= fewest) & alive[:, None]
    return alive & beaten.any(axis=0)


def circles(beats: Any) -> list[list[int]]:
    """Shortest circle of each group of bots that beat one another in a round: [[0, 2, 1]] for 0 over 2 over 1 over 0.

    `beats` is bool (k, k), as from `who_beats_whom`: then a circle is there beyond doubt, with the error rate of the
    family. No circle: an order exists that all sure results agree with. A group is a strongly connected component.
    """
    from scipy.sparse.csgraph import connected_components, shortest_path

    matrix = np.asarray(beats, bool)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise UsageError(f"who beats whom must be a square matrix, not one of shape {matrix.shape}")
    _, group = connected_components(matrix, connection="strong")
    distance, before = shortest_path(matrix, unweighted=True, return_predecessors=True)
    found = []
    for label in np.unique(group):
        members = np.flatnonzero(group == label)
        if len(members) > 1:
            back = np.where(matrix[np.ix_(members, members)].T, distance[np.ix_(members, members)], math.inf)
            row, column = np.unravel_index(np.argmin(back), back.shape)
            found.append(_path(before, members[row], members[column]))
    return sorted(found)


def _path(before: np.ndarray, first: int, last: int) -> list[int]:
    way = [int(last)]
    while way[0] != first:
        way.insert(0, int(before[first, way[0]]))
    return way


def _mean_and_variance(count: Any, total: Any, squares: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    count, total, squares = (np.asarray(part, float) for part in (count, total, squares))
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.where(count > 0, total / np.maximum(count, 1), 0.0)
        variance = np.where(count > 1, (squares - total * mean) / np.maximum(count - 1, 1), np.inf)
    return count, mean, np.maximum(variance, 0.0)

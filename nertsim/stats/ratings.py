"""Ratings of bots from finishing orders at tables of two and more: Plackett–Luce, with standard errors."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from nertsim.errors import UsageError
from nertsim.stats.choices import Choices, choices

ELO = 400 / math.log(10)
"""Points of the Elo scale in one unit of the ratings here."""


@dataclasses.dataclass(frozen=True, eq=False)
class Ratings:
    """Ratings in log-odds: a bot rated d above another finishes ahead of it with odds e^d : 1 (d = 1: 73 %).

    Their average is 0. `ratings` float64 (k,); `covariance` (k, k) from the information matrix, as if deals were
    independent and the model true; `block_covariance` from the blocks, which needs neither (nan where there is one
    block). `errors`, `block_errors`: standard errors, their roots. `log_likelihood` is at the maximum.
    """

    ratings: np.ndarray
    covariance: np.ndarray
    block_covariance: np.ndarray
    log_likelihood: float

    @property
    def errors(self) -> np.ndarray:
        """Standard errors by the information matrix, float64 (k,)."""
        return np.sqrt(np.diag(self.covariance))

    @property
    def block_errors(self) -> np.ndarray:
        """Standard errors that hold for deals of a block that have their luck in common, float64 (k,)."""
        return np.sqrt(np.diag(self.block_covariance))

    def difference(self, one: int, two: int) -> tuple[float, float]:
        """How much `one` is rated above `two`, and its standard error over blocks."""
        spread = self.block_covariance
        error = math.sqrt(max(spread[one, one] + spread[two, two] - 2 * spread[one, two], 0.0))
        return float(self.ratings[one] - self.ratings[two]), error

    @property
    def ranks(self) -> np.ndarray:
        """1 for the highest rating: int64 (k,)."""
        return 1 + np.argsort(np.argsort(-self.ratings, kind="stable"), kind="stable")


def rate(
    bots: Any, scores: Any, blocks: Any = None, count: int | None = None, names: Sequence[str] | None = None
) -> Ratings:
    """Maximum likelihood of the model of Plackett (1975) and Luce (1959); arguments as for `choices`.

    P(order) = Π e^θ_i / Σ_{j still to come} e^θ_j. Newton's method on the distinct sets of bots still to come, whose
    number does not grow with the deals (Hunter 2004 has the likelihood and when it has a maximum). Raises `UsageError`
    where that is nowhere: bots must not fall in two groups of which one never finishes ahead of the other. `names` are
    for its message.
    """
    return rate_choices(choices(bots, scores, blocks, count), names)


def rate_choices(data: Choices, names: Sequence[str] | None = None) -> Ratings:
    """The same from choices that were gathered before."""
    check_connected(data.ahead, names)
    weights, chosen = np.asarray(data.weights.sum(axis=0)), np.asarray(data.chosen.sum(axis=0))
    theta, log_likelihood = _maximize(data.sets, weights, chosen, np.zeros(data.sets.shape[1]))
    shares = _shares(data.sets, theta)
    covariance = _inverse(_information(shares, weights))
    gradients = data.chosen.toarray() - data.weights @ shares
    count = len(gradients)
    spread = gradients.T @ gradients * (count / (count - 1)) if count > 1 else np.full_like(covariance, np.nan)
    return Ratings(theta, covariance, covariance @ spread @ covariance, log_likelihood)


def bootstrap_ratings(data: Choices, seed: int, resamples: int = 200) -> np.ndarray:
    """Ratings from blocks drawn with replacement: float64 (resamples, k); their deviations are standard errors.

    A resample in which the ratings have no maximum is nan. Reproducible by `seed`.
    """
    generator, count = np.random.default_rng(seed), data.weights.shape[0]
    start = rate_choices(data).ratings
    out = np.full((resamples, len(start)), np.nan)
    for row in range(resamples):
        times = generator.multinomial(count, np.full(count, 1 / count))
        try:
            out[row], _ = _maximize(data.sets, times @ data.weights, times @ data.chosen, start)
        except UsageError:
            continue
    return out


def check_connected(ahead: Any, names: Sequence[str] | None = None) -> None:
    """Raises `UsageError` unless each bot can be reached from each other by "finished ahead of" (Ford 1957).

    `ahead` (k, k): how often the row finished ahead of the column.
    """
    from scipy.sparse.csgraph import connected_components

    matrix = np.asarray(ahead) > 0
    number, group = connected_components(matrix, connection="strong")
    if number == 1:
        return
    known = np.array([str(name) for name in (names or range(len(matrix)))])
    idle = ~(matrix.any(axis=0) | matrix.any(axis=1))
    if idle.any():
        raise UsageError(f"no ratings yet: {', '.join(known[idle])} played no deal")
    for label in range(number):
        inside = group == label
        if not matrix[np.ix_(inside, ~inside)].any():
            raise UsageError(
                f"no ratings yet: {', '.join(known[inside])} never finished ahead of any other bot, or even; more "
                "deals, or tables that bring all bots together, will do"
            )
    raise AssertionError("of several groups one must be last")


def _maximize(sets: np.ndarray, weights: np.ndarray, chosen: np.ndarray, start: np.ndarray) -> tuple[np.ndarray, float]:
    """Newton's method with halved steps; the average of the ratings stays 0."""
    theta, value = start, _log_likelihood(sets, weights, chosen, start)
    for _ in range(100):
        shares = _shares(sets, theta)
        step = _inverse(_information(shares, weights)) @ (chosen - weights @ shares)
        size = 1.0
        while (new := _log_likelihood(sets, weights, chosen, theta + size * step)) < value - 1e-9 * abs(value):
            size /= 2
        theta, value = theta + size * step, new
        if np.abs(theta).max() > 50:
            break
        if np.abs(step).max() < 1e-9:
            return theta, value
    raise UsageError("the ratings have no maximum: some bot never finishes ahead of others")


def _shares(sets: np.ndarray, theta: np.ndarray) -> np.ndarray:
    """Chance of each bot to be chosen from each set."""
    strengths = sets * np.exp(theta - theta.max())
    return strengths / strengths.sum(axis=1, keepdims=True)


def _information(shares: np.ndarray, weights: np.ndarray) -> np.ndarray:
    return np.diag(weights @ shares) - shares.T @ (shares * weights[:, None])


def _inverse(information: np.ndarray) -> np.ndarray:
    """The inverse among ratings whose sum is 0; a common shift of all has no information."""
    size = len(information)
    # The shift's own curvature must be of the size of the others', or rounding eats one of them.
    ones = np.full((size, size), np.trace(information) / size**2 or 1.0)
    inverse = np.linalg.pinv(information + ones, hermitian=True)
    centre = np.eye(size) - 1 / size
    return centre @ inverse @ centre


def _log_likelihood(sets: np.ndarray, weights: np.ndarray, chosen: np.ndarray, theta: np.ndarray) -> float:
    top = theta.max()
    return float(chosen @ (theta - top) - weights @ np.log(sets @ np.exp(theta - top)))

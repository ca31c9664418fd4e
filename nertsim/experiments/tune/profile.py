"""What each parameter is worth at the estimate: it alone is moved to either side, on fresh deals.

Through the results at both sides and in the middle goes a parabola. Its curvature is how sensitive the bot is to the
parameter; its top is where the parameter's optimum lies while the others stay where they are.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from nertsim.experiments.tune.space import Space
from nertsim.stats.intervals import Interval, normal_quantile

PROFILE_MOVE = 0.1
"""How far a parameter is moved to either side, as a share of its range."""


class Sensitivity(NamedTuple):
    """What one parameter is worth, in units of the metric."""

    step: float
    """How far it is moved to either side, in its own units."""
    cost: float
    """What that costs: the mean of both sides."""
    cost_ci: Interval
    optimum_ci: Interval
    """Where its optimum lies, in its own units, while the others stay; the whole range where it is too flat to tell."""


def profile_points(space: Space, point: np.ndarray, spread: float) -> np.ndarray:
    """The points that are played, float64 (1 + 2·axes, axes): the estimate, then two for each parameter.

    Each is moved by `spread` of its range to both sides, or by 1 where it is a whole number and that is more; where
    there is no room on one side, by once and twice as much to the other.
    """
    middle = (space.played(point) - space.low) / space.width
    points = np.tile(middle, (1 + 2 * len(space), 1))
    for number, axis in enumerate(space.axes):
        step = max(1.0, round(spread * axis.width)) / axis.width if axis.whole else spread
        points[1 + 2 * number : 3 + 2 * number, number] += _offsets(float(middle[number]), step)
    return np.clip(points, 0.0, 1.0)


def _offsets(at: float, step: float) -> tuple[float, float]:
    room, slack = step / 2, 1e-9
    if at + room > 1 + slack:
        return -2 * step, -step
    if at - room < -slack:
        return 2 * step, step
    return min(step, 1 - at), -min(step, at)


class Moments(NamedTuple):
    """Of the differences between the points of a profile and the estimate, over the same blocks."""

    blocks: int
    means: np.ndarray
    """float64 (points,): mean difference from the first point, in units of the metric."""
    variances: np.ndarray
    """float64 (points,): variance of that in one block."""
    between: np.ndarray
    """float64 (points,): variance of the difference between a point and the one before it."""


def sensitivities(space: Space, points: np.ndarray, moments: Moments, level: float = 0.95) -> list[Sensitivity]:
    """What each parameter is worth, from what the points of `profile_points` came to."""
    return [_sensitivity(space, points, moments, number, level) for number in range(len(space))]


def _sensitivity(space: Space, points: np.ndarray, moments: Moments, number: int, level: float) -> Sensitivity:
    axis, quantile = space.axes[number], normal_quantile(level)
    one, other = 1 + 2 * number, 2 + 2 * number
    places = space.played(points[[0, one, other]])[:, number]
    moves = places[1:] - places[0]
    means = moments.means[[one, other]]
    own = moments.variances[[one, other]]
    both = (own.sum() - moments.between[other]) / 2
    covariance = np.array([[own[0], both], [both, own[1]]]) / moments.blocks
    cost = -float(means.mean())
    half = quantile * math.sqrt(max(0.0, float(covariance.sum()))) / 2
    if moves[0] == moves[1]:
        optimum = _of_two(axis.low, axis.high, places[0], means, covariance, quantile)
    else:
        optimum = _top(axis.low, axis.high, places[0], moves, means, covariance, quantile)
    return Sensitivity(float(np.abs(moves).min()), cost, Interval(cost - half, cost + half), optimum)


def _of_two(
    low: float, high: float, place: float, means: np.ndarray, covariance: np.ndarray, quantile: float
) -> Interval:
    """Of a switch: the place where it is, where the other one is surely worse; surely better, the other one."""
    half = quantile * math.sqrt(max(0.0, float(covariance[0, 0])))
    if means[0] + half < 0:
        return Interval(place, place)
    other = low + high - place
    return Interval(other, other) if means[0] - half > 0 else Interval(low, high)


def _top(
    low: float,
    high: float,
    place: float,
    moves: np.ndarray,
    means: np.ndarray,
    covariance: np.ndarray,
    quantile: float,
) -> Interval:
    """Fieller's interval (1954) for where the parabola has its top: −b/2a of b·x + a·x² through the two differences,
    within the range; the whole range where it is not surely bent downwards.
    """
    solve = np.linalg.inv(np.stack([moves, moves**2], axis=1))
    slope, bend = solve @ means
    (v11, v12), (_, v22) = solve @ covariance @ solve.T
    over, under = slope, -2 * bend
    s11, s12, s22 = quantile**2 * v11, quantile**2 * -2 * v12, quantile**2 * 4 * v22
    if under <= 0 or under**2 <= s22:
        return Interval(low, high)
    # (over − r·under)² = quantile²·Var(over − r·under), solved for r.
    a, b, c = under**2 - s22, over * under - s12, over**2 - s11
    root = math.sqrt(max(0.0, b * b - a * c))
    ends = [min(max(place + (b + sign * root) / a, low), high) for sign in (-1, 1)]
    return Interval(*ends)

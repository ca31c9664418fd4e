"""What each parameter is worth at the estimate: it alone is moved to either side, a little and a lot, on fresh deals.

No shape is assumed but that the bot gets worse and worse on both sides of the best value, others staying where they
are: bots that weigh one thing against another have plateaus and cliffs, and a parabola through these would point
anywhere.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from nertsim.experiments.tune.space import Axis, Space
from nertsim.stats.intervals import Interval, normal_quantile

MOVES = (1 / 60, 1 / 30, 1 / 10, 1 / 4)
"""How far a parameter is moved to either side, as shares of its range."""
SHOWN = 2
"""The one of these whose cost is told."""
PLACES = 2 * len(MOVES)


class Sensitivity(NamedTuple):
    """What one parameter is worth, in units of the metric."""

    step: float
    """How far it is moved to either side, in its own units."""
    cost: float
    """What that costs: the mean of both sides."""
    cost_ci: Interval
    optimum_ci: Interval
    """Where its optimum lies, in its own units, while the others stay: up to the nearest places on both sides that are
    surely worse than the estimate, or to the ends of the range.
    """


def profile_points(space: Space, point: np.ndarray) -> np.ndarray:
    """The points that are played, float64 (1 + PLACES·axes, axes): the estimate, then for each parameter the places to
    its left and right, from near to far, left first. No place is out of the range; a whole number moves by 1 at least.
    """
    middle = (space.played(point) - space.low) / space.width
    points = np.tile(middle, (1 + PLACES * len(space), 1))
    for number, axis in enumerate(space.axes):
        moves = np.array([_move(axis, share) for share in MOVES])
        points[_rows(number), number] += np.stack([-moves, moves], axis=1).ravel()
    return np.clip(points, 0.0, 1.0)


def _move(axis: Axis, share: float) -> float:
    return max(1.0, round(share * axis.width)) / axis.width if axis.whole else share


def _rows(number: int) -> slice:
    return slice(1 + PLACES * number, 1 + PLACES * (number + 1))


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
    rows, axis = _rows(number), space.axes[number]
    places = space.played(points[rows])[:, number]
    middle = float(space.played(points[0])[number])
    means, variances = moments.means[rows], moments.variances[rows]
    # Each side has its share of the chance to be wrong, and each of its places a share of that.
    sure = normal_quantile(1 - (1 - level) / len(MOVES)) * np.sqrt(variances / moments.blocks)
    worse = means + sure < 0
    ends = [_end(axis, middle, places[side::2], worse[side::2]) for side in (0, 1)]

    left, right = 2 * SHOWN, 2 * SHOWN + 1
    # Var(a + b) = 2 Var(a) + 2 Var(b) − Var(a − b).
    both = 2 * variances[left] + 2 * variances[right] - moments.between[rows][right]
    cost = -float(means[left] + means[right]) / 2
    half = normal_quantile(level) * math.sqrt(max(0.0, float(both)) / moments.blocks) / 2
    step = float(max(abs(places[left] - middle), abs(places[right] - middle)))
    return Sensitivity(step, cost, Interval(cost - half, cost + half), Interval(ends[0], ends[1]))


def _end(axis: Axis, middle: float, places: np.ndarray, worse: np.ndarray) -> float:
    """The nearest place on one side that is surely worse (of whole numbers the one before it), or the range's end."""
    left = places[-1] < middle or (places[-1] == middle and middle == axis.low)
    if not worse.any():
        return axis.low if left else axis.high
    end = float(places[np.argmax(worse)])
    if axis.whole:
        end += 1 if left else -1
    return end

"""Simultaneous perturbation: all parameters are moved at once, and the better side is gone towards.

Spall, "Multivariate stochastic approximation using a simultaneous perturbation gradient approximation" (1992); averaged
iterates after Polyak & Juditsky (1992). In each step bots are played that differ from where it is by ±c in every
parameter, in random directions; the differences of their results say where it goes. Nothing is set by hand:

- The gain falls as (1 + step/A)^−0.602. Its sum is such that a parameter that costs `MATTERS` times the goal at half
  of its range comes as near to its optimum as e^−TIME of the distance it had.
- c begins with a sixth of each range and shrinks. What is found is best while all parameters are off by c at random,
  and with a wide c that is a coarse bot: hold the ace, whatever else. It ends as small as the noise allows
  (`last_spread`).
"""

from __future__ import annotations

import math

import numpy as np

SPREAD = 1 / 6
"""c at first, as a share of the range."""
LEAST_SPREAD = 1 / 200
SHRINKS = 0.5
"""The share of the steps in which c shrinks, always by the same factor."""
NOISE_SHARE = 0.5
"""Of the goal, what noise may cost the estimate by `last_spread`."""
DECAY = 0.602
BEGIN = 0.1
"""A, as a share of all steps."""
TIME = 4.0
MATTERS = 4.0
LONGEST = 0.5
"""No step moves a parameter further than this share of c."""
TAIL = 0.7
"""The estimate is the mean over this share of the steps, the last."""


def last_spread(axes: int, pairs: int, goal: float, noise: float) -> float:
    """c at the end, as a share of the range: where the noise costs the estimate a share of the goal, but no more than
    at first.

    The slope that one pair shows has the variance noise/4c² in each parameter; averaged over n pairs, the estimate of
    an optimum with curvature h then costs noise/(8 c² h n), here with h = 8·MATTERS·goal for all parameters. `noise` is
    the variance of the difference between two bots in one block, in the square of the goal's units.
    """
    spread = math.sqrt(axes * noise / (64 * MATTERS * goal * TAIL * pairs * NOISE_SHARE * goal))
    return min(SPREAD, max(LEAST_SPREAD, spread))


class Spsa:
    """A search by simultaneous perturbation. `goal` is in units of what is maximised, `spread` is c at the end."""

    def __init__(
        self,
        start: np.ndarray,
        steps: int,
        directions: int,
        goal: float,
        spread: float,
        random: np.random.RandomState,
    ) -> None:
        self.steps = steps
        self._point = np.array(start, float)
        self._random = random
        self._directions = directions
        share = np.arange(steps) / steps
        shape = (1 + share / BEGIN) ** -DECAY
        # A parabola that costs L at half of the range has a curvature of 8 L.
        self._gains = TIME / (8 * MATTERS * goal) * shape / shape.sum()
        self._spreads = SPREAD * (spread / SPREAD) ** np.minimum(1.0, share / SHRINKS)
        self._path: list[np.ndarray] = []
        self._signs: np.ndarray = np.empty((0, 0))

    @property
    def done(self) -> bool:
        """True after the last step."""
        return len(self._path) >= self.steps

    @property
    def estimate(self) -> np.ndarray:
        """float64 (axes,): where the optimum is, as far as one knows."""
        return averaged(self._path, TAIL, self._point)

    def ask(self) -> np.ndarray:
        """Points to be played, float64 (directions, 2, axes): those of a direction by the same decks."""
        self._signs = self._random.randint(0, 2, (self._directions, len(self._point))) * 2.0 - 1.0
        moves = self._spreads[len(self._path)] * np.stack([self._signs, -self._signs], axis=1)
        return np.clip(self._point + moves, 0.0, 1.0)

    def tell(self, results: np.ndarray) -> None:
        """What these points came to on average, float64 (directions, 2)."""
        number = len(self._path)
        spread, differences = self._spreads[number], results[:, 0] - results[:, 1]
        slope = (differences[:, None] * self._signs).mean(axis=0) / (2 * spread)
        step = self._gains[number] * slope
        longest = float(np.abs(step).max())
        if longest > LONGEST * spread:
            step *= LONGEST * spread / longest
        self._point = np.clip(self._point + step, 0.0, 1.0)
        self._path.append(self._point)


def averaged(path: list[np.ndarray], share: float, start: np.ndarray) -> np.ndarray:
    """The mean of the last `share` of a path; the start of an empty one."""
    if not path:
        return start
    return np.mean(path[int(len(path) * (1 - share)) :], axis=0)

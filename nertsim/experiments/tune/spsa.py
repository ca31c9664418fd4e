"""Simultaneous perturbation: all parameters are moved at once, and the better side is gone towards.

Spall, "Multivariate stochastic approximation using a simultaneous perturbation gradient approximation" (1992); averaged
iterates after Polyak & Juditsky (1992). In each step bots are played that differ from where it is by ±c in every
parameter, in random directions; the differences of their results say where it goes. Nothing is set by hand:

- The gain falls as (1 + step/A)^−0.602. Its sum is such that a parameter that costs `MATTERS` times the goal at half
  of its range comes as near to its optimum as e^−TIME of the distance it had.
- c is as small as the noise allows, and no more than a sixth of each range. What is found is best while all parameters
  are off by c at random, and with a wide c that is a coarse bot: hold the ace, whatever else. Where the budget allows
  more than a small c, fewer parameters are moved at a time (`fitting_moves`).
- Slopes say nothing about what lies behind a plateau, and bots that weigh one thing against another are full of them.
  So after each quarter of the steps every parameter alone is tried over its whole range
  (`nertsim.experiments.tune.lines`). That shows small differences soon: by the same decks, a bot that differs in
  little plays most deals alike.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from nertsim.experiments.tune.lines import Lines
from nertsim.experiments.tune.trials import Trials

SPREAD = 1 / 6
"""c at most, as a share of the range."""
FINE = 1 / 30
"""c is not made smaller than this."""
NOISE_SHARE = 0.5
"""Of the goal, what noise may cost the estimate by `fitting_moves`."""
TYPICAL = 10.0
"""Times the goal is what a parameter is taken to cost at half of its range, to see what noise costs."""
DECAY = 0.602
BEGIN = 0.1
"""A, as a share of all steps."""
TIME = 4.0
MATTERS = 4.0
LONGEST = 0.5
"""No step moves a parameter further than this share of c."""
LINES_AT = (0.25, 0.5, 0.75)
"""The shares of the steps after which each parameter is tried by itself."""
TAIL = 0.7
"""The estimate is the mean over this share of the steps, the last."""


class Moves(NamedTuple):
    """How bots are moved to see which side is better."""

    spread: float
    """c, as a share of the range."""
    share: float
    """Of the parameters, how many are moved at a time; 1 for all."""


def fitting_moves(axes: int, pairs: int, goal: float, noise: float) -> Moves:
    """As little as the noise allows to be moved: where it costs the estimate a share of the goal.

    The slope that one pair shows has the variance noise/4c² in each parameter that is moved; averaged over n pairs, the
    estimate of an optimum with curvature h then costs noise/(8 c² h n), here with h = 8·TYPICAL·goal for all
    parameters. What all parameters together may be moved by is spent on moves of `FINE`, if it is less, by fewer of
    them. `noise` is the variance of the difference between two bots in one block, in the square of the goal's units.
    """
    spread = math.sqrt(axes * noise / (64 * TYPICAL * goal * TAIL * pairs * NOISE_SHARE * goal))
    if spread >= FINE:
        return Moves(min(SPREAD, spread), 1.0)
    return Moves(FINE, min(1.0, max((spread / FINE) ** 2, 2 / axes)))


class Spsa:
    """A search by simultaneous perturbation. `goal` is in units of what is maximised, `moves` is how bots are moved,
    `blocks` are those that each direction is played on; `line_blocks` those of the points of a line.
    """

    def __init__(
        self,
        start: np.ndarray,
        steps: int,
        directions: int,
        blocks: int,
        goal: float,
        moves: Moves,
        line_blocks: int,
        random: np.random.RandomState,
    ) -> None:
        self._point = np.array(start, float)
        self._random = random
        self._directions, self._blocks = directions, blocks
        share = np.arange(steps) / steps
        shape = (1 + share / BEGIN) ** -DECAY
        # A parabola that costs L at half of the range has a curvature of 8 L.
        self._gains = TIME / (8 * MATTERS * goal) * shape / shape.sum()
        self._moves = moves
        self._path: list[np.ndarray] = []
        self._signs: np.ndarray = np.empty((0, 0))
        self._rounds = {
            int(at * steps): Lines(len(self._point), line_blocks, moves.spread / (1 + number), random)
            for number, at in enumerate(LINES_AT)
        }
        self._from = 0
        """Steps before the lines count for nothing where these led away."""

    @property
    def done(self) -> bool:
        """True after the last step."""
        return len(self._path) >= len(self._gains)

    @property
    def _lines(self) -> Lines | None:
        """The round of lines that it is in; None between rounds."""
        lines = self._rounds.get(len(self._path))
        return None if lines is None or lines.done else lines

    @property
    def estimate(self) -> np.ndarray:
        """float64 (axes,): where the optimum is, as far as one knows."""
        first = max(self._from, int(len(self._path) * (1 - TAIL)))
        return np.mean(self._path[first:], axis=0) if len(self._path) > first else self._point

    def ask(self) -> Trials:
        """What is to be played next: two points a direction, or the points of a line."""
        if self._lines is not None:
            return self._lines.ask(self.estimate)
        shape = (self._directions, len(self._point))
        moved = self._random.random_sample(shape) < self._moves.share
        self._signs = (self._random.randint(0, 2, shape) * 2.0 - 1.0) * moved
        moves = self._moves.spread * np.stack([self._signs, -self._signs], axis=1)
        return Trials(np.clip(self._point + moves, 0.0, 1.0), self._blocks)

    def tell(self, means: np.ndarray, errors: np.ndarray | None = None) -> None:
        """What these points came to on average, float64 (groups, points), and the standard errors of the differences
        from the first point of the group, where they were asked for.
        """
        if self._lines is not None:
            assert errors is not None
            moved = self._lines.tell(means[0], errors[0])
            if moved is not None:
                self._point, self._from = moved, len(self._path)
            return
        (spread, share), differences = self._moves, means[:, 0] - means[:, 1]
        slope = (differences[:, None] * self._signs).mean(axis=0) / (2 * spread * share)
        step = self._gains[len(self._path)] * slope
        longest = float(np.abs(step).max())
        if longest > LONGEST * spread:
            step *= LONGEST * spread / longest
        self._point = np.clip(self._point + step, 0.0, 1.0)
        self._path.append(self._point)

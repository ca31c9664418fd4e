"""Synthetic landscapes to tune on: hills whose tops are known, and games that are won or lost at random on them.

As those of the project's statistics: eight parameters, one hill along the axes, the start 19 Elo below the top, and one
turned askew, 38 Elo below. A pair of games between two bots tells their difference with a standard deviation of 246
Elo: two games that are won or lost, 0.5/√2 of a win, at 10 Elo each 1/69.5 of a win or so (400/ln 10 · 4).
"""

from __future__ import annotations

import dataclasses
import math

import numpy as np

PAIR_ELO = 0.5 / math.sqrt(2) * 400 / math.log(10) * 4
"""Standard deviation of what a pair of games tells, in Elo: 246."""
AXES = 8
STEEPEST = 30.0
"""Times the curvature of the flattest direction."""


@dataclasses.dataclass(frozen=True)
class Hill:
    """A hill over the unit cube: 0 at the top, −½·(x − top)'·bend·(x − top) elsewhere."""

    top: np.ndarray
    bend: np.ndarray
    start: np.ndarray

    def at(self, points: np.ndarray) -> np.ndarray:
        """How far below the top points (…, axes) are, in Elo, as a number of 0 or below."""
        off = points - self.top
        return -0.5 * np.einsum("...i,ij,...j->...", off, self.bend, off)


def make_hill(seed: int, askew: bool, axes: int = AXES) -> Hill:
    """A hill at random: the top somewhere in the middle, the start 19 Elo below it, or 38 where it is askew."""
    random = np.random.RandomState(seed)
    top = random.uniform(0.3, 0.7, axes)
    bends = np.geomspace(1.0, STEEPEST, axes)
    random.shuffle(bends)
    turn = np.linalg.qr(random.normal(size=(axes, axes)))[0] if askew else np.eye(axes)
    bend = turn @ np.diag(bends) @ turn.T
    off = random.choice([-1.0, 1.0], axes) * random.uniform(0.15, 0.3, axes)
    bend *= 2 * (38.0 if askew else 19.0) / (off @ bend @ off)
    return Hill(top, bend, top + off)

"""What is counted in each block, and what it says: a figure is a whole number a block and combination."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from nertsim.codes import WON_WHOLE, DealColumn, Ended, SeatColumn
from nertsim.experiments.sweep.layout import Layout, Point
from nertsim.stats.intervals import LEVEL, UNKNOWN, Interval, share_interval

OF_TABLE = ("called", "stuck", "time_limit", "deal_seconds", "actions", "lead")
"""Figures of a table, in the order in which they are counted."""
OF_SIDE = ("score", "win_rate", "call_rate")
"""Figures of each side, which follow them."""
FIGURES = ("win_rate", "score", "lead", "call_rate", "called", "stuck", "time_limit", "deal_seconds", "actions")
"""All figures that can be looked at, those of a side for the first."""
SHARES = ("called", "stuck", "time_limit", "win_rate", "call_rate")
MEANS = {"score": "mean_score", "deal_seconds": "mean_deal_seconds", "actions": "actions_per_deal"}
"""The keys of values in a summary, where they are not the figure's name."""
OUTCOME = [SeatColumn.SCORE, SeatColumn.WON, SeatColumn.CALLED]
"""The columns behind OF_SIDE."""
MICRO = 1_000_000


def figure_count(sides: int) -> int:
    """Numbers that are counted for each block and combination."""
    return len(OF_TABLE) + sides * len(OF_SIDE)


def position(figure: str, side: int = 0) -> int:
    """Where a figure is counted."""
    if figure in OF_TABLE:
        return OF_TABLE.index(figure)
    return len(OF_TABLE) + side * len(OF_SIDE) + OF_SIDE.index(figure)


def unit(figure: str, point: Point, side: int = 0) -> Fraction | None:
    """What a counted 1 adds to the figure of a block; None where nobody is there to have it."""
    seats, members = point.sides.shape[1], point.members(0 if figure == "lead" else side)
    if figure in OF_TABLE and figure != "lead":
        return Fraction(1, point.tables * (MICRO if figure == "deal_seconds" else 1))
    if figure == "lead":
        members *= seats - members
    if members == 0:
        return None
    return Fraction(1, point.tables * members * (WON_WHOLE if figure == "win_rate" else 1))


def whole(figure: str, point: Point) -> int:
    """What is counted in a block where a share is 1 for all seats of a side together."""
    return point.tables * (WON_WHOLE if figure == "win_rate" else 1)


def count_figures(layout: Layout, chunks: dict[Any, Any]) -> list[np.ndarray]:
    """For each combination int64 (blocks, tables, figures), from the rows of each table (`Chunk`) that was played."""
    counted = []
    for point, tables in zip(layout.points, layout.tables_of, strict=True):
        seats = np.stack([chunks[table].seats[:, :, OUTCOME] for table in tables], axis=1)
        deals = np.stack([chunks[table].deals for table in tables], axis=1)
        counted.append(np.stack(list(_figures(point, seats, deals, len(layout.sides))), axis=2))
    return counted


def _figures(point: Point, seats: np.ndarray, deals: np.ndarray, sides: int) -> Iterator[np.ndarray]:
    """Each (blocks, tables); `seats` (… , seats, columns of OUTCOME) and `deals` begin so too."""
    for ended in Ended:
        yield (deals[:, :, DealColumn.ENDED] == ended).astype(np.int64)
    yield deals[:, :, DealColumn.DURATION_US]
    yield deals[:, :, DealColumn.ACTIONS]
    members = point.members(0)
    weights = np.where(point.sides == 0, point.sides.shape[1] - members, -members)
    yield np.einsum("nts,ts->nt", seats[..., 0], weights)
    for side in range(sides):
        mine = (point.sides == side).astype(np.int64)
        for column in range(len(OUTCOME)):
            yield np.einsum("nts,ts->nt", seats[..., column], mine)


class Sums(NamedTuple):
    """Of one figure of one combination over n blocks, in whole numbers; and its unit."""

    blocks: int
    total: int
    squares: int
    unit: Fraction

    @property
    def mean(self) -> float:
        """In units of the figure."""
        return float(self.unit * self.total / self.blocks) if self.blocks else math.nan

    @property
    def variance(self) -> Fraction:
        """Of a block, in units of the figure; of two blocks at least."""
        return covariance(self.blocks, self.total, self.total, self.squares) * self.unit**2


def covariance(count: int, one: int, other: int, products: int) -> Fraction:
    """Sample covariance, (Σxy − Σx·Σy/n) / (n − 1), exactly."""
    return Fraction(count * products - one * other, count * (count - 1))


def difference(one: Sums, base: Sums, squares_of_sum: int) -> tuple[float, float]:
    """The mean of the paired difference "one less base" of a block, and its variance, in units of the figure.

    `squares_of_sum` is Σ(x + y)² of what was counted, so that 2Σxy = Σ(x + y)² − Σx² − Σy². Exact until the end: what
    the two have in common cancels, and not the digits.
    """
    count = one.blocks
    mean = (one.unit * one.total - base.unit * base.total) / count
    products = (squares_of_sum - one.squares - base.squares) // 2
    shared = covariance(count, one.total, base.total, products) * one.unit * base.unit
    return float(mean), float(one.variance + base.variance - 2 * shared)


def student_interval(mean: float, variance: float, count: int, level: float = LEVEL) -> Interval:
    """x̄ ± t(n − 1)·s/√n for n blocks, their number being fixed beforehand; unknown below two."""
    from scipy.special import stdtrit

    if count < 2:
        return UNKNOWN
    half = float(stdtrit(count - 1, 0.5 + level / 2)) * math.sqrt(variance / count)
    return Interval(mean - half, mean + half)


def figure_interval(figure: str, sums: Sums, point: Point, side: int = 0) -> Interval:
    """The 95 % interval of a figure: Wilson's for shares (by the variance of blocks), else Student's over blocks."""
    if sums.blocks < 2:
        return UNKNOWN
    if figure not in SHARES:
        return student_interval(sums.mean, float(sums.variance), sums.blocks)
    most, members = whole(figure, point), point.members(side) if figure in OF_SIDE else 1
    if sums.variance == 0 and 0 < sums.total < sums.blocks * most:
        return Interval(sums.mean, sums.mean)  # the same in every block: it cannot be otherwise
    return Interval(*(end / members for end in share_interval(sums.blocks, sums.total, sums.squares, most)))


def p_values(found: Sequence[tuple[float, float]], count: int) -> np.ndarray:
    """Two-sided p-values of Student's test, adjusted for their number (Holm), of means and variances of `count`
    blocks; nan where nothing varied and nothing differs.
    """
    from scipy.special import stdtr

    from nertsim.stats.families import holm

    with np.errstate(divide="ignore", invalid="ignore"):
        statistic = [np.float64(mean) / np.sqrt(variance / count) for mean, variance in found]
    return holm(2 * stdtr(count - 1, -np.abs(statistic)))


class Wording(NamedTuple):
    """How a figure is told: its name, its unit, what it is multiplied with, digits after the point."""

    name: str
    unit: str
    scale: float
    digits: int


WORDINGS: dict[str, Wording] = {
    "win_rate": Wording("win rate", "% of the deals", 100, 1),
    "score": Wording("mean score", "points a deal", 1, 2),
    "lead": Wording("lead over the others", "points a deal", 1, 2),
    "call_rate": Wording("call rate", "% of the deals", 100, 1),
    "called": Wording("ended by a call", "% of the deals", 100, 2),
    "stuck": Wording("ended stuck", "% of the deals", 100, 2),
    "time_limit": Wording("ended at the time limit", "% of the deals", 100, 2),
    "deal_seconds": Wording("length of a deal", "s", 1, 1),
    "actions": Wording("actions of all seats", "a deal", 1, 1),
}

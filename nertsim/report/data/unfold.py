"""How a deal unfolds: a stated sample of deals is replayed, and the table looked at from second to second."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from nertsim.codes import Action, DealColumn, Pile, Result
from nertsim.engine.layout import KIND_BITS, SOURCE_BITS
from nertsim.engine.log import CARDS_A_ROW, LOG_ACTION, LOG_ORDER, LOG_RESULT, LOG_SEAT, LOG_TIME
from nertsim.stats.intervals import FixedIntervals, Interval

if TYPE_CHECKING:
    from nertsim.bots.strategy import Bot
    from nertsim.rules import Rules

SAMPLE = 400
"""Deals that are replayed."""
MOMENTS = 61
MOVES_CARDS = (Action.PLAY, Action.BUILD, Action.FILL, Action.SLIDE)


@dataclasses.dataclass(frozen=True)
class Table:
    """Who sits where: the bots, and the number of the side that each seat counts for; deals are those of `seed`."""

    rules: Rules
    bots: tuple[Bot, ...]
    sides: tuple[int, ...]


@dataclasses.dataclass(frozen=True)
class Curve:
    """Means a seat at each moment, with 95 % intervals over deals (or blocks)."""

    means: list[float]
    intervals: list[Interval]


@dataclasses.dataclass(frozen=True)
class Unfolding:
    """What a sample of units looked like, from moment to moment; by side."""

    units: int
    deals: int
    seconds: list[float]
    foundation: list[Curve]
    nerts: list[Curve]
    going: list[float]
    """Share of the deals that have not ended."""

    def to_dict(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return dataclasses.asdict(self)


def unfold(
    tables: Sequence[Table], seed: int, numbers: Sequence[Sequence[int]], step: Callable[[int], None]
) -> Unfolding:
    """Replays deals: a unit is the deals ``numbers[unit]``, one at each of the tables.

    A deal that has ended stays as it ended. Intervals are for a number of units that was fixed beforehand.
    """
    from nertsim.batch import make_dealer

    dealers = [make_dealer(table.rules, table.bots, seed) for table in tables]
    events, ends = [], []
    for unit, deals in enumerate(numbers):
        for table, (dealer, deal) in enumerate(zip(dealers, deals, strict=True)):
            log, chunk = dealer.log(int(deal))
            ends.append(int(chunk.deals[0, DealColumn.DURATION_US]))
            events.append(_events(log, unit, table))
        step(len(deals))
    last = float(np.quantile(ends, 0.98))
    moments = np.linspace(0, last, MOMENTS)
    seen, sides = np.concatenate(events), 1 + max(side for table in tables for side in table.sides)
    side_of = np.array([[*table.sides, *[0] * (12 - len(table.sides))] for table in tables])
    side = side_of[seen[:, 1], seen[:, 2]]
    moment = np.searchsorted(moments, seen[:, 3], side="left")
    shape = sides, len(numbers), MOMENTS + 1
    counted = []
    for column in (4, 5):
        cells = np.zeros(shape, np.int64)
        np.add.at(cells, (side, seen[:, 0], moment), seen[:, column])
        counted.append(cells[:, :, :MOMENTS].cumsum(axis=2))
    seats = [sum(row.count(one) for row in (table.sides for table in tables)) for one in range(sides)]
    at_first = [
        sum(size for table in tables for size, one in zip(table.rules.nerts_list, table.sides, strict=True) if one == k)
        for k in range(sides)
    ]
    return Unfolding(
        units=len(numbers),
        deals=len(ends),
        seconds=(moments / 1e6).tolist(),
        foundation=[_curve(counted[0][one], seats[one]) for one in range(sides)],
        nerts=[_curve(at_first[one] - counted[1][one], seats[one]) for one in range(sides)],
        going=[float(np.mean(np.array(ends) > moment)) for moment in moments],
    )


def _events(log: np.ndarray, unit: int, table: int) -> np.ndarray:
    """int64 (n, 6): unit, table, seat, time, a card more on the foundations, a card less in the nerts pile."""
    rows = log[_is_action(log)]
    kind, source = rows[:, LOG_ACTION] >> KIND_BITS, rows[:, LOG_ACTION] >> SOURCE_BITS & 15
    happened = np.isin(rows[:, LOG_RESULT], (Result.OK, Result.TIE)) & np.isin(kind, MOVES_CARDS)
    played = happened & (kind == Action.PLAY)
    nerts = happened & (source == Pile.NERTS)
    found = np.column_stack(
        [np.full(len(rows), unit), np.full(len(rows), table), rows[:, LOG_SEAT], rows[:, LOG_TIME], played, nerts]
    )
    return found[played | nerts]


def _is_action(log: np.ndarray) -> np.ndarray:
    """bool (n,): rows that are actions; those that list a shuffled stock are none."""
    found = np.ones(len(log), bool)
    if not log[:, LOG_ORDER].any():
        return found
    row = 0
    while row < len(log):
        more = -(-int(log[row, LOG_ORDER]) // CARDS_A_ROW)
        found[row + 1 : row + 1 + more] = False
        row += 1 + more
    return found


def _curve(values: np.ndarray, seats: int) -> Curve:
    """`values` int64 (units, moments): sums over all seats of a side."""
    units = len(values)
    totals, squares = values.sum(axis=0).tolist(), (values**2).sum(axis=0).tolist()
    pairs = zip(totals, squares, strict=True)
    return Curve(
        [total / units / seats for total in totals],
        [FixedIntervals.mean(units, total, square, 1 / seats) for total, square in pairs],
    )

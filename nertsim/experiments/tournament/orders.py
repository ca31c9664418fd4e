"""Finishing orders of a block, as what their likelihood needs: how often was chosen from which set of bots.

These counts do not grow with the deals, and add up. Ties are as in `nertsim.stats.choices`: the average over the orders
that agree with them.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

import numpy as np

from nertsim.codes import WON_WHOLE
from nertsim.experiments.tournament.design import Design
from nertsim.stats.choices import Choices

WHOLE = WON_WHOLE
"""A choice is counted as so many: the shares of up to twelve tied seats are whole numbers then."""
MOST_SEATS = 12
MOST_GROUPS = 64
FEWEST_GROUPS = 16
MOST_NUMBERS = 60_000
"""Groups times sets, about: what is kept for the ratings' errors."""
CELLS = 1 << 22
"""Of a working array; more deals are counted one lot after another."""


def group_count(design: Design) -> int:
    """In how many groups the blocks are put, by their number: samples of equal size that tell the ratings' errors."""
    seats = design.tables.shape[1]
    sets = min(len(np.unique(np.sort(design.tables, axis=1), axis=0)) << seats, _all_sets(design.bots, seats))
    return max(FEWEST_GROUPS, min(MOST_GROUPS, MOST_NUMBERS // sets))


def _all_sets(bots: int, seats: int) -> int:
    return sum(math.comb(bots + size - 1, size) for size in range(2, seats + 1))


class Orders:
    """Counts the choices of blocks of a design."""

    def __init__(self, design: Design, groups: int) -> None:
        self.design, self.groups = design, groups
        self.seats = design.tables.shape[1]

    @cached_property
    def sets(self) -> list[str]:
        """The sets from which is chosen: the numbers of their bots, in order, as often as they have seats."""
        return [",".join(map(str, key)) for key in self._distinct[0]]

    @cached_property
    def _distinct(self) -> tuple[list[tuple[int, ...]], np.ndarray]:
        """The sets of two seats and more, and which of them it is: int64 (tables · masks,), −1 for smaller ones."""
        numbers: dict[tuple[int, ...], int] = {}
        which = []
        for table in self.design.tables.tolist():
            for mask in range(1 << self.seats):
                members = tuple(sorted(bot for seat, bot in enumerate(table) if mask >> seat & 1))
                which.append(numbers.setdefault(members, len(numbers)) if len(members) > 1 else -1)
        return list(numbers), np.array(which)

    @cached_property
    def _sums(self) -> Any:
        """Sparse (tables · masks, sets and bots): what a weight of each mask is added to; a last seat is no choice."""
        from scipy.sparse import csr_array

        which, masks = self._distinct[1], 1 << self.seats
        row = np.flatnonzero(which >= 0)
        table, seat = np.divmod(np.arange(self.design.tables.size), self.seats)
        rows = np.concatenate([row, table * masks + (1 << seat)])
        columns = np.concatenate([which[row], len(self.sets) + self.design.tables.astype(np.int64).ravel()])
        values = np.concatenate([np.ones(len(row), np.int64), np.full(len(table), -1)])
        return csr_array((values, (rows, columns)), shape=(len(which), len(self.sets) + self.design.bots))

    def count(self, points: np.ndarray, first: int) -> tuple[dict[str, list[int]], list[list[int]]]:
        """Of the blocks from `first` on, points int64 (n, tables, seats): by set, and by bot, how often it was chosen
        from and chosen, in each group, in units of 1/WHOLE.
        """
        masks, size = 1 << self.seats, self.design.size
        weights = np.zeros((self.groups, size, masks), np.int64)
        lot = max(1, CELLS // (self.groups * masks))
        for start in range(0, len(points), self.groups):  # no two of the same group
            some = points[start : start + self.groups]
            group = (first + start + np.arange(len(some))) % self.groups
            for table in range(0, size, lot):
                part = some[:, table : table + lot]
                found = choice_weights(part.reshape(-1, self.seats)).reshape(*part.shape[:2], masks)
                weights[group, table : table + lot] += found
        sums = weights.reshape(self.groups, -1) @ self._sums
        chosen = sums[:, len(self.sets) :]
        blocks = np.bincount((first + np.arange(len(points))) % self.groups, minlength=self.groups)
        chosen = chosen + WHOLE * blocks[:, None] * self.design.seat_counts.sum(axis=0)
        return dict(zip(self.sets, sums[:, : len(self.sets)].T.tolist(), strict=True)), chosen.T.tolist()


def choice_weights(scores: np.ndarray) -> np.ndarray:
    """int32 (n, 2^seats): in which share of the orders that agree with the scores (n, seats) the seats of each mask are
    those still to come, in units of 1/WHOLE.

    So it is where no seat outside scored less than one inside, and then 1/C(m, t): of m seats with the best score
    inside, t are inside.
    """
    count, seats = scores.shape
    best, bests = np.full((count, 1 << seats), -(2**30), np.int32), np.zeros((count, 1 << seats), np.int8)
    least, leasts = np.full((count, 1 << seats), 2**30, np.int32), np.zeros((count, 1 << seats), np.int8)
    for seat in range(seats):
        before, now = slice(0, 1 << seat), slice(1 << seat, 2 << seat)
        score = scores[:, seat, None].astype(np.int32)
        best[:, now] = np.maximum(best[:, before], score)
        bests[:, now] = np.where(score > best[:, before], 1, bests[:, before] + (score == best[:, before]))
        least[:, now] = np.minimum(least[:, before], score)
        leasts[:, now] = np.where(score < least[:, before], 1, leasts[:, before] + (score == least[:, before]))
    outside, tied = least[:, ::-1], np.where(least[:, ::-1] == best, leasts[:, ::-1], 0)
    weights = np.where(best <= outside, _SHARES[bests, tied], 0)
    weights[:, 0] = 0
    return weights


_SHARES = np.array(
    [
        [
            WHOLE // math.comb(inside + outside, inside) if inside + outside <= MOST_SEATS else 0
            for outside in range(MOST_SEATS + 1)
        ]
        for inside in range(MOST_SEATS + 1)
    ],
    np.int32,
)


def gathered(sets: dict[str, list[int]], chosen: list[list[int]], ahead: np.ndarray) -> Choices:
    """The counts as `nertsim.stats.ratings` takes them, each group that has a block being one."""
    from scipy.sparse import csr_array

    counts = np.array(chosen, np.int64).T
    there = np.flatnonzero(counts.sum(axis=1) > 0)
    keys = sorted(sets)
    members = np.zeros((len(keys), counts.shape[1]))
    for row, key in enumerate(keys):
        np.add.at(members[row], [int(bot) for bot in key.split(",")], 1)
    weights = np.array([sets[key] for key in keys], np.int64).T
    return Choices(members, csr_array(weights[there] / WHOLE), csr_array(counts[there] / WHOLE), ahead)

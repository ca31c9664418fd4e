"""What a block says of each two bots: by how much the one scored more, and how often it finished ahead."""

from __future__ import annotations

from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from nertsim.experiments.tournament.design import Design

FINE = 1 << 20
"""Block scores are kept in units of 1/FINE, as whole numbers, so that their sums are exact."""


def pair_index(bots: int) -> np.ndarray:
    """int64 (bots, bots): the number of each pair of bots, first below second; −1 elsewhere."""
    index = np.full((bots, bots), -1)
    index[np.triu_indices(bots, 1)] = np.arange(bots * (bots - 1) // 2)
    return index


class Meetings:
    """All meetings of two bots in a block: a cell is a table at which both sit."""

    def __init__(self, design: Design) -> None:
        self.design = design
        self.pairs = design.bots * (design.bots - 1) // 2
        seats = design.tables.shape[1]
        self.first, self.second = (np.array(part) for part in zip(*combinations(range(seats), 2), strict=True))
        """The seats of each two at a table."""

    @cached_property
    def per_block(self) -> np.ndarray:
        """int64 (pairs,): how often each pair meets in a block."""
        return self.design.meetings[np.triu_indices(self.design.bots, 1)]

    @cached_property
    def _seats_to_cells(self) -> tuple[Any, Any]:
        """Sparse: from differences of seats to those of the two bots at a table, and on to those of a block."""
        from scipy.sparse import csr_array

        tables = self.design.tables.astype(np.int64)
        one, two = tables[:, self.first].ravel(), tables[:, self.second].ravel()
        pair = pair_index(self.design.bots)[np.minimum(one, two), np.maximum(one, two)]
        table = np.repeat(np.arange(len(tables)), len(self.first))
        row = np.flatnonzero(one != two)
        cells, column = np.unique(table[row] * self.pairs + pair[row], return_inverse=True)
        sign = np.where(one < two, 1, -1)[row]
        to_cells = csr_array((sign, (row, column)), shape=(one.size, len(cells)))
        ones = np.ones(len(cells), np.int64)
        to_block = csr_array((ones, (np.arange(len(cells)), cells % self.pairs)), shape=(len(cells), self.pairs))
        return to_cells, to_block

    def differences(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """By cell, int64 (n, cells): points of the first bot less those of the second, and how often more than less.

        `points` is int64 (n, tables, seats).
        """
        apart = (points[:, :, self.first] - points[:, :, self.second]).reshape(len(points), -1)
        to_cells, _ = self._seats_to_cells
        return apart @ to_cells, np.sign(apart) @ to_cells

    def by_pair(self, cells: np.ndarray) -> np.ndarray:
        """Cells added up a pair: int64 (…, pairs)."""
        return cells @ self._seats_to_cells[1]

    @cached_property
    def cells(self) -> np.ndarray:
        """int64 (pairs,): at how many tables of a block each pair sits."""
        return self.by_pair(np.ones((1, self._seats_to_cells[1].shape[0]), np.int64))[0]

    def ties(self, points: np.ndarray) -> np.ndarray:
        """int64 (pairs,): how often two seats of these bots came to the same, in all blocks."""
        even = (points[:, :, self.first] == points[:, :, self.second]).sum(axis=0).ravel()
        to_cells, _ = self._seats_to_cells
        return self.by_pair((even @ abs(to_cells))[None, :])[0]

    def block_scores(self, cells: np.ndarray, unit: float) -> np.ndarray:
        """int64 (n, pairs): the mean over the meetings of a block, in 1/FINE of `unit`; 0 where they do not meet."""
        return np.rint(self.by_pair(cells) * (FINE / unit) / np.maximum(self.per_block, 1)).astype(np.int64)

"""The tables of a block: who sits where in each of its deals.

All tables of a block have the same decks and the same streams of timing for each seat, and every seat is played by
either bot equally often. So the luck of the deal, and of the seat, cancels inside a block.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from nertsim.errors import UsageError

A, B, FIELD = range(3)
"""The bots that are compared, and the one that sits at the other seats, where there is one."""


@dataclasses.dataclass(frozen=True)
class Design:
    """int8 (tables, seats): A, B or FIELD at each seat of each table."""

    tables: np.ndarray

    @property
    def size(self) -> int:
        """Deals in a block."""
        return len(self.tables)

    def seats_of(self, side: int) -> int:
        """Seats that a bot has at each table."""
        return int((self.tables[0] == side).sum())

    @property
    def weights(self) -> np.ndarray:
        """int64 (tables, seats): what a block multiplies the score of each seat with, before it divides by `unit`'s
        inverse; positive for A, negative for B.
        """
        return np.where(self.tables == A, self.seats_of(B), np.where(self.tables == B, -self.seats_of(A), 0))

    @property
    def unit(self) -> float:
        """What a weighted sum over all seats of a block is multiplied with, so that it is A's mean minus B's."""
        return 1 / (self.seats_of(A) * self.seats_of(B) * self.size)


def make_design(seats: int, seats_of_a: int = 1, field: bool = False, blocks: bool = True) -> Design:
    """A at so many seats and B at the others, or one of each among the field, in all rotations over the seats.

    In a field, A and B also change places. Without `blocks`, one table alone. UsageError where the seats do not do.
    """
    if seats < 2:
        raise UsageError("two bots are compared at tables of at least two seats")
    if field and seats < 3:
        raise UsageError("a field needs a third seat; leave it out, or give more seats")
    if field and seats_of_a != 1:
        raise UsageError("in a field each bot has one seat")
    if not 1 <= seats_of_a < seats:
        raise UsageError(f"A can have from 1 to {seats - 1} of {seats} seats, not {seats_of_a}")
    first = np.full(seats, FIELD if field else B, np.int8)
    first[:seats_of_a] = A
    if field:
        first[1] = B
    if not blocks:
        return Design(first[None, :])
    tables = [np.roll(first, shift) for shift in range(seats)]
    if field:
        swapped = np.where(first == A, B, np.where(first == B, A, FIELD)).astype(np.int8)
        tables += [np.roll(swapped, shift) for shift in range(seats)]
    return Design(np.unique(np.stack(tables), axis=0)[::-1])

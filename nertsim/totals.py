"""The summary of a batch in exact integers, added up while it runs: the same for any chunks, threads and order."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from nertsim.codes import DealColumn, Ended, SeatColumn

if TYPE_CHECKING:
    from nertsim.dealer import Chunk

SPLIT_BITS = 20
"""Numbers of 20 bits and more are squared in two halves, so that a sum of squares cannot leave int64."""


@dataclasses.dataclass
class Totals:
    """Sums over deals, all whole numbers (µs, points, shares in units of 1/WON_WHOLE).

    `squares` are sums of squares. A *side* is all seats with the same bot: its score in a deal is the sum over its
    seats, so that its variance holds what its seats have in common.
    """

    deals: int
    ended: list[int]
    """Deals by `Ended`."""
    deal_sums: list[int]
    """By `DealColumn`."""
    deal_squares: list[int]
    seat_sums: list[list[int]]
    """By seat, then `SeatColumn`."""
    seat_squares: list[list[int]]
    side_sums: list[list[int]]
    """By side, then score and won share."""
    side_squares: list[list[int]]
    caller_score: int
    """Over the calling seats of called deals."""
    caller_won: int
    called_score: int
    """Over all seats of called deals."""

    @classmethod
    def empty(cls, seats: int, sides: int) -> Totals:
        """The totals of no deals."""
        columns = len(SeatColumn)
        return cls(
            deals=0,
            ended=[0] * len(Ended),
            deal_sums=[0] * len(DealColumn),
            deal_squares=[0] * len(DealColumn),
            seat_sums=[[0] * columns for _ in range(seats)],
            seat_squares=[[0] * columns for _ in range(seats)],
            side_sums=[[0, 0] for _ in range(sides)],
            side_squares=[[0, 0] for _ in range(sides)],
            caller_score=0,
            caller_won=0,
            called_score=0,
        )

    @classmethod
    def of_chunk(cls, chunk: Chunk, sides: Sequence[Sequence[int]]) -> Totals:
        """The totals of a chunk; `sides` holds the seats of each side."""
        seats, deals = chunk.seats, chunk.deals
        called = seats[:, :, SeatColumn.CALLED] == 1
        outcome = seats[:, :, [SeatColumn.SCORE, SeatColumn.WON]]
        side = np.stack([outcome[:, list(members)].sum(axis=1) for members in sides], axis=1)
        ended = np.bincount(deals[:, DealColumn.ENDED], minlength=len(Ended))
        return cls(
            deals=len(deals),
            ended=ended.tolist(),
            deal_sums=deals.sum(axis=0).tolist(),
            deal_squares=exact_squares(deals[:, None, :])[0],
            seat_sums=seats.sum(axis=0).tolist(),
            seat_squares=_seat_squares(seats),
            side_sums=side.sum(axis=0).tolist(),
            side_squares=exact_squares(side),
            caller_score=int(seats[:, :, SeatColumn.SCORE][called].sum()),
            caller_won=int(seats[:, :, SeatColumn.WON][called].sum()),
            called_score=int(seats[:, :, SeatColumn.SCORE][called.any(axis=1)].sum()),
        )

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Totals:
        """What `to_dict` wrote; TypeError where keys are missing or foreign."""
        return cls(**values)

    def to_dict(self) -> dict[str, Any]:
        """All sums in lists of whole numbers, which JSON can hold."""
        return dataclasses.asdict(self)

    def __add__(self, other: Totals) -> Totals:
        return Totals(**{name: plus(value, getattr(other, name)) for name, value in vars(self).items()})


def sides_of(labels: Sequence[str]) -> dict[str, list[int]]:
    """The seats of each bot, bots in the order of their first seat."""
    sides: dict[str, list[int]] = {}
    for seat, label in enumerate(labels):
        sides.setdefault(label, []).append(seat)
    return sides


def plus(left: Any, right: Any) -> Any:
    """The sum of two totals: lists, and lists in lists, item by item."""
    if isinstance(left, list):
        return [plus(one, two) for one, two in zip(left, right, strict=True)]
    return left + right


def exact_squares(values: np.ndarray) -> list[list[int]]:
    """Exact Σx² over axis 0 of int64 (n, a, b), as (a, b) Python integers; |x| up to 2**40, n up to 2**22."""
    if values.size == 0 or max(-int(values.min()), int(values.max())) < 1 << SPLIT_BITS:
        return _dot(values, values)
    high, low = values >> SPLIT_BITS, values & ((1 << SPLIT_BITS) - 1)
    rows = zip(_dot(high, high), _dot(high, low), _dot(low, low), strict=True)
    return [
        [(hh << 2 * SPLIT_BITS) + (hl << (SPLIT_BITS + 1)) + ll for hh, hl, ll in zip(*row, strict=True)]
        for row in rows
    ]


def _seat_squares(seats: np.ndarray) -> list[list[int]]:
    """`exact_squares` of the rows a seat; the one column of large numbers, a time, does not slow down the others."""
    times = int(SeatColumn.LAST_PLAY_US)
    parts = (exact_squares(seats[:, :, :times]), exact_squares(seats[:, :, times:]))
    return [[*counted, *timed] for counted, timed in zip(*parts, strict=True)]


def _dot(left: np.ndarray, right: np.ndarray) -> list[list[int]]:
    return np.einsum("nab,nab->ab", left, right).tolist()

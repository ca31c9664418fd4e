"""A dealer that makes rows up from the deal's number, for tests of what happens to rows."""

from __future__ import annotations

import time

import numpy as np

from nertsim.codes import WON_WHOLE, DealColumn, SeatColumn
from nertsim.dealer import Chunk


def made_up_chunk(first: int, last: int, seats: int) -> Chunk:
    """Rows of plausible numbers: every third deal stuck, the caller going round, ties now and then."""
    deals = np.arange(first, last)
    seat_rows = np.zeros((len(deals), seats, len(SeatColumn)), np.int64)
    deal_rows = np.zeros((len(deals), len(DealColumn)), np.int64)
    stuck = deals % 3 == 2
    caller = np.where(stuck, -1, deals % seats)
    for seat in range(seats):
        seat_rows[:, seat, :] = ((deals * 7 + seat * 3) % 50)[:, None]
        seat_rows[:, seat, SeatColumn.SCORE] = (deals * 7 + seat * 5) % 60 - 26
        seat_rows[:, seat, SeatColumn.CALLED] = caller == seat
        seat_rows[:, seat, SeatColumn.LAST_PLAY_US] = 90_000_000 + deals * 1_000_003 % 10**7
    best = seat_rows[:, :, SeatColumn.SCORE].max(axis=1, keepdims=True)
    top = seat_rows[:, :, SeatColumn.SCORE] == best
    seat_rows[:, :, SeatColumn.WON] = top * (WON_WHOLE // top.sum(axis=1, keepdims=True))
    deal_rows[:, DealColumn.ENDED] = stuck
    deal_rows[:, DealColumn.CALLER] = caller
    deal_rows[:, DealColumn.DURATION_US] = 95_000_000 + deals * 999_983 % 10**8
    deal_rows[:, DealColumn.ACTIONS] = 200 + deals % 90
    return Chunk(first, seat_rows, deal_rows)


class FakeDealer:
    """Makes rows up; may be slow, fail or be interrupted at a deal."""

    def __init__(
        self, seats: int, seconds: float = 0.0, fails_at: int = -1, error: BaseException | None = None
    ) -> None:
        self.seats = seats
        self.seconds = seconds
        self.fails_at = fails_at
        self.error = error
        self.played: list[tuple[int, int]] = []

    def play(self, first: int, last: int) -> Chunk:
        self.played.append((first, last))
        if self.seconds:
            time.sleep(self.seconds)
        if self.error is not None and first <= self.fails_at < last:
            raise self.error
        return made_up_chunk(first, last, self.seats)

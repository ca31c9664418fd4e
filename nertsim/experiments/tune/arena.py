"""Where bots that are tuned are tried: tables with the other bots, and what a block of deals there is worth.

The bot has one seat, the others are filled with the bots that it is tuned against. A block is the same decks and
streams of timing at all tables: the bot at every seat in turn, and every other bot equally often at the other seats.
So the luck of the deal cancels when two points are played on the same blocks.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from nertsim.bots.spec import seat_bots
from nertsim.bots.strategy import Bot
from nertsim.codes import WON_WHOLE, SeatColumn
from nertsim.dealer import Dealer
from nertsim.errors import UsageError
from nertsim.rules import Rules

METRICS = ("score", "win")
"""What a bot can be tuned for: points a deal more than the others have, deals won."""
MOST_SEATS = 1000
"""Seats of all tables of a block, at most."""


class Table(NamedTuple):
    """Who sits where; the bot that is tuned at `seat`."""

    seat: int
    bots: tuple[Bot, ...]


def make_tables(bot: Bot, against: Sequence[Bot], rules: Rules) -> tuple[Table, ...]:
    """The tables of a block; UsageError where there are too many, or the bot would sit alone."""
    seats = rules.seats
    if seats < 2:
        raise UsageError("a bot is tuned at tables of at least two seats")
    line_ups = len(against) // math.gcd(len(against), seats - 1)
    if line_ups * seats * seats > MOST_SEATS:
        raise UsageError(f"{len(against)} other bots at {seats} seats make too many tables; give fewer (--against)")
    tables = []
    for line_up in range(line_ups):
        others = [against[(line_up * (seats - 1) + place) % len(against)] for place in range(seats - 1)]
        for seat in range(seats):
            bots = others[-seat:] + others[:-seat] if seat else others
            # Seen from the bot, the others sit in the same order at every table of a line-up.
            bots = [*bots[:seat], bot, *bots[seat:]]
            tables.append(Table(seat, seat_bots(bots, seats, rules.hands_list)))
    return tuple(tables)


class Arena:
    """The tables of a block, ready to play.

    Raises `BotFault` where a bot breaks the protocol.
    """

    def __init__(
        self, rules: Rules, tables: Sequence[Table], metric: str, seed: int, pool: ThreadPoolExecutor, threads: int
    ) -> None:
        self.tables = tuple(tables)
        self._seats = rules.seats
        self._metric = metric
        self._pool = pool
        self._threads = threads
        self._dealers = [Dealer(rules, table.bots, seed) for table in tables]

    def play(self, values: np.ndarray, numbers: np.ndarray) -> np.ndarray:
        """int64 (n,): what trials came to, in units of `block_unit`: the sum over the tables of a block.

        values: float64 (n, parameters) of the bot in each trial; numbers: int64 (n,), the decks of each.
        """
        slices = _slices(len(numbers), math.ceil(self._threads / len(self.tables)))
        parts = [(table, one) for table in range(len(self.tables)) for one in slices]
        results = self._pool.map(lambda part: self._play(part[0], values[part[1]], numbers[part[1]]), parts)
        sums = np.zeros(len(numbers), np.int64)
        for (_, one), result in zip(parts, results, strict=True):
            sums[one] += result
        return sums

    def _play(self, table: int, values: np.ndarray, numbers: np.ndarray) -> np.ndarray:
        seat = self.tables[table].seat
        rows = self._dealers[table].play_trials(seat, numbers, values).seats
        if self._metric == "win":
            return rows[:, seat, SeatColumn.WON]
        scores = rows[:, :, SeatColumn.SCORE]
        return self._seats * scores[:, seat] - scores.sum(axis=1)


def block_unit(metric: str, seats: int, tables: int) -> float:
    """What 1 in the results of a block of so many tables is worth, in points a deal ahead or shares of deals."""
    return 1 / (WON_WHOLE * tables) if metric == "win" else 1 / ((seats - 1) * tables)


def _slices(length: int, parts: int) -> list[slice]:
    ends = [length * part // parts for part in range(parts + 1)]
    return [slice(first, last) for first, last in pairwise(ends) if last > first]

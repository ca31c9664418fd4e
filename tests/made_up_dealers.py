"""Dealers with bots of known strength, for tests of what is made of their scores."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from nertsim.bots.strategy import Bot
from nertsim.codes import WON_WHOLE, SeatColumn
from nertsim.dealer import Chunk

POINTS = 20.0
"""Points of a deal in one unit of strength."""


def uniform(seed: int, deals: np.ndarray, seats: int) -> np.ndarray:
    """Numbers within 0 … 1 for each seat of each deal, which depend on nothing else: float64 (deals, seats)."""
    with np.errstate(over="ignore"):
        state: Any = deals.astype(np.uint64)[:, None] * np.uint64(64) + np.arange(seats, dtype=np.uint64)
        state = (state + np.uint64(seed) * np.uint64(0x632BE59BD9B4E019)) * np.uint64(0x9E3779B97F4A7C15)
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, 1)):
            state = (state ^ (state >> np.uint64(shift))) * np.uint64(factor)
    return ((state >> np.uint64(11)).astype(float) + 0.5) / 2**53


def dealer_of(advantage: Callable[[Sequence[str]], Sequence[float]]) -> type:
    """A class in the place of `nertsim.dealer.Dealer`: finishing orders as of Plackett and Luce, with strengths that
    depend on the labels at the table.
    """

    class MadeUpDealer:
        def __init__(self, rules: Any, bots: Sequence[Bot], seed: int) -> None:
            self.strengths = np.array(advantage([bot.label for bot in bots]), float)
            # Luck of their own for each table: equal bots would else cancel out in every block.
            self.seed = seed % 2**31 * 2**31 + zlib.crc32(" ".join(bot.label for bot in bots).encode()) % 2**31

        def play(self, first: int, last: int) -> Chunk:
            luck = -np.log(-np.log(uniform(self.seed, np.arange(first, last), len(self.strengths))))
            seats = np.zeros((last - first, len(self.strengths), len(SeatColumn)), np.int64)
            scores = np.rint(POINTS * (self.strengths + luck))
            top = scores == scores.max(axis=1, keepdims=True)
            seats[:, :, SeatColumn.SCORE] = scores
            seats[:, :, SeatColumn.WON] = top * (WON_WHOLE // top.sum(axis=1, keepdims=True))
            return Chunk(first, seats, np.zeros((last - first, 5), np.int64))

    return MadeUpDealer

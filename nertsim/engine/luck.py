"""The luck of the deal: what lies in the shuffled decks before anybody plays, in a few numbers a seat.

The bots have no influence on it, and its expectation is known. So it may serve as a control variate.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from nertsim._jit import kernel, types
from nertsim.cards import DECK_SIZE, IDENTITY_MASK, NONE
from nertsim.engine.deal import shuffle_deck
from nertsim.engine.memory import CARDS_SIZE, DECK, DECK_STRIDE
from nertsim.engine.rng import deal_key


class Luck(IntEnum):
    """What is counted for each seat. A low card is an ace, two, three or joker."""

    NERTS_LOW = 0
    """Low cards in the nerts pile."""
    NERTS_DEPTH = 1
    """Cards on top of each of these, added up."""
    NERTS_RANKS = 2
    """Ranks (ace 0 … king 12, joker 6) of the nerts pile, added up."""
    OPEN_LOW = 3
    """Low cards on the work piles."""
    PASS_LOW = 4
    """Low cards that come to the top of the waste in the first pass of the stock."""


LOW_RANKS = 3
JOKER_RANK = 6
"""That of the middle card, so that jokers leave the expected sum of ranks as it is."""
NERTS_LOW, NERTS_DEPTH, NERTS_RANKS = int(Luck.NERTS_LOW), int(Luck.NERTS_DEPTH), int(Luck.NERTS_RANKS)
OPEN_LOW, PASS_LOW = int(Luck.OPEN_LOW), int(Luck.PASS_LOW)


def count_luck(seed, first, jokers, nerts, work_piles, draw, rows):
    """Writes the luck of the deals first, first + 1 …: rows float64 (deals, seats, columns of `Luck`).

    nerts: int64 (seats,), the sizes of the nerts piles.
    """
    cards = np.zeros(CARDS_SIZE, np.uint16)
    for index in range(rows.shape[0]):
        key = deal_key(seed, first + index)
        for seat in range(rows.shape[1]):
            count = shuffle_deck(cards, seat, jokers, key)
            start, size = DECK + seat * DECK_STRIDE, nerts[seat]
            row = rows[index, seat]
            row[:] = 0.0
            for position in range(count):
                card = cards[start + position]
                rank = np.int64((card & IDENTITY_MASK) >> 2)
                low = rank < LOW_RANKS or (card & IDENTITY_MASK) == NONE
                if position < size:
                    row[NERTS_RANKS] += JOKER_RANK if (card & IDENTITY_MASK) == NONE else rank
                    row[NERTS_LOW] += low
                    row[NERTS_DEPTH] += low * (size - 1 - position)
                elif position < size + work_piles:
                    row[OPEN_LOW] += low
                elif (position - size - work_piles) % draw == draw - 1:
                    row[PASS_LOW] += low


def _compiled() -> Any:
    signature = types.void(
        types.uint64,
        types.int64,
        types.int64,
        types.Array(types.int64, 1, "C"),
        types.int64,
        types.int64,
        types.Array(types.float64, 3, "C"),
    )
    return kernel(signature)(count_luck)


def expected_luck(jokers: int, nerts: int, work_piles: int, draw: int) -> np.ndarray:
    """The expectation of each column of `Luck` for a seat: float64 (columns,). Every card is as likely anywhere."""
    cards = DECK_SIZE + jokers
    low = (4 * LOW_RANKS + jokers) / cards
    expected = np.zeros(len(Luck))
    expected[Luck.NERTS_LOW] = low * nerts
    expected[Luck.NERTS_DEPTH] = low * nerts * (nerts - 1) / 2
    expected[Luck.NERTS_RANKS] = JOKER_RANK * nerts
    expected[Luck.OPEN_LOW] = low * work_piles
    expected[Luck.PASS_LOW] = low * ((cards - nerts - work_piles) // draw)
    return expected


_kernel: Any = None


def deal_luck(
    seed: int, first: int, deals: int, jokers: int, nerts: np.ndarray, work_piles: int, draw: int
) -> np.ndarray:
    """The luck of `deals` deals from number `first` on, minus its expectation: float64 (deals, seats, columns)."""
    global _kernel
    if _kernel is None:
        _kernel = _compiled()
    rows = np.empty((deals, len(nerts), len(Luck)))
    _kernel(np.uint64(seed), first, jokers, np.ascontiguousarray(nerts, np.int64), work_piles, draw, rows)
    return rows - np.stack([expected_luck(jokers, int(size), work_piles, draw) for size in nerts])

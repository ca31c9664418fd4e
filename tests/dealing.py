"""Decks as the engine shuffles them, many at a time."""

from __future__ import annotations

from typing import Any

import numpy as np

from nertsim._jit import JIT_DISABLED, at, kernel, types
from nertsim.cards import DECK_SIZE
from nertsim.engine.deal import shuffle_deck
from nertsim.engine.memory import CARDS_SIZE, DECK, DECK_STRIDE
from nertsim.engine.rng import deal_key, draw, mix, noise_key, stream_key


def _array(dtype: Any, dimensions: int) -> Any:
    return types.Array(dtype, dimensions, "C")


# Helpers of the engine have no way in from Python: only a kernel may call them.


@kernel(types.void(_array(types.uint16, 1), types.uint64, types.int64, types.int64, _array(types.uint16, 3)))
def _shuffle(cards, seed, first, jokers, decks):
    for index in range(decks.shape[0]):
        key = deal_key(seed, first + index)
        for seat in range(decks.shape[1]):
            for position in range(shuffle_deck(cards, seat, jokers, key)):
                decks[index, seat, position] = cards[at(DECK + seat * DECK_STRIDE + position)]


@kernel(types.void(types.uint64, types.int64, types.int64, types.int64, types.int64, _array(types.uint64, 1)))
def _numbers(seed, deal, seat, purpose, counter, found):
    key = deal_key(seed, deal)
    stream = stream_key(key, seat, purpose)
    found[0], found[1], found[2] = mix(seed), key, stream
    found[3], found[4] = draw(stream, counter), noise_key(stream, counter)


def unsigned(number: int) -> Any:
    """The number as a kernel wants it where it may use all 64 bits."""
    return np.uint64(number) if JIT_DISABLED else number


def shuffled_decks(seed: int, first: int, deals: int, seats: int, jokers: int = 0) -> np.ndarray:
    """The decks of all seats in dealing order: uint16 (deals, seats, cards)."""
    decks = np.zeros((deals, seats, DECK_SIZE + jokers), np.uint16)
    _shuffle(np.zeros(CARDS_SIZE, np.uint16), unsigned(seed), first, jokers, decks)
    return decks


def random_numbers(seed: int, deal: int, seat: int, purpose: int, counter: int) -> list[int]:
    """mix(seed), the key of the deal, the key of the stream, its draw and noise key at `counter`."""
    found = np.zeros(5, np.uint64)
    _numbers(unsigned(seed), deal, seat, purpose, counter, found)
    return [int(number) for number in found]

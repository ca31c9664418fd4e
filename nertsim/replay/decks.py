"""The shuffled deck of a seat, computed again from the rule in `nertsim.engine.rng`, without the engine."""

from __future__ import annotations

from nertsim.cards import new_deck

_MASK, _LOW = (1 << 64) - 1, (1 << 32) - 1
_G = 0x9E3779B97F4A7C15
SHUFFLE = 0


def _mix(z: int) -> int:
    z &= _MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)


def _fold(key: int, number: int) -> int:
    return _mix(key + (number + 1) * _G)


def dealt_deck(seed: int, deal: int, seat: int, jokers: int) -> list[int]:
    """A seat's deck in dealing order: the nerts pile from bottom to top, the work piles, the stock from its top."""
    key = _fold(_fold(_mix(seed + _G), deal), seat * 16 + SHUFFLE)
    cards = new_deck(jokers)
    for number in range(len(cards) - 1, 0, -1):
        other = _bounded(key, number)
        cards[number], cards[other] = cards[other], cards[number]
    return cards


def _bounded(key: int, number: int) -> int:
    """A uniform number from 0 to `number`."""
    word, bound, attempt = _fold(key, number >> 1), number + 1, 0
    half = word >> 32 if number & 1 else word & _LOW
    while (half * bound) & _LOW < (1 << 32) % bound:
        attempt += 1
        half = _fold(key, 64 * attempt + number) & _LOW
    return (half * bound) >> 32

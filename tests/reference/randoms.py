"""Random numbers as a function of (seed, deal, seat, purpose, counter), in Python integers (section 6)."""

from __future__ import annotations

SHUFFLE, ORDER, TIMING, OVERSIGHT, NOISE, ROTATION = 0, 1, 2, 4, 6, 8

_MASK = (1 << 64) - 1
_LOW = (1 << 32) - 1
_G = 0x9E3779B97F4A7C15


def mix(z: int) -> int:
    """SplitMix64's finalizer."""
    z &= _MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)


def fold(key: int, number: int) -> int:
    """One more number taken into a key."""
    return mix(key + (number + 1) * _G)


draw = fold
"""``draw(stream, counter)``: the random number with that counter."""


def deal_key(seed: int, deal: int) -> int:
    """The key of a deal."""
    return fold(mix(seed + _G), deal)


def stream_key(of_deal: int, seat: int, purpose: int) -> int:
    """The key of a stream; purposes with a hand are purpose + hand."""
    return fold(of_deal, seat * 16 + purpose)


def shuffled(cards: list[int], key: int) -> list[int]:
    """The cards in the order that the key gives (Fisher–Yates from the end)."""
    cards = list(cards)
    for last in range(len(cards) - 1, 0, -1):
        other = _bounded(key, last)
        cards[last], cards[other] = cards[other], cards[last]
    return cards


def _bounded(key: int, number: int) -> int:
    """Uniform in 0 … number, by multiply-shift with rejection."""
    word = draw(key, number >> 1)
    half = word >> 32 if number % 2 else word & _LOW
    bound, attempt = number + 1, 0
    while (half * bound) & _LOW < (1 << 32) % bound:
        attempt += 1
        half = draw(key, 64 * attempt + number) & _LOW
    return (half * bound) >> 32


def noise_key(stream: int, decision: int) -> int:
    """The key of what a bot draws at a decision."""
    return (stream + decision * 0xD1342543DE82EF95) & _MASK

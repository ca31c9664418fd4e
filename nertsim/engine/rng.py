"""Random numbers as a pure function of (seed, deal, seat, purpose, counter).

All arithmetic is modulo 2**64, with G = 0x9E3779B97F4A7C15:

- ``mix(z)`` is the finalizer of SplitMix64 (Steele, Lea & Flood 2014):
  z ^= z >> 30; z *= 0xBF58476D1CE4E5B9; z ^= z >> 27; z *= 0x94D049BB133111EB; z ^= z >> 31.
- ``fold(k, x) = mix(k + (x + 1) * G)``.
- ``deal_key(seed, deal) = fold(mix(seed + G), deal)``.
- ``stream_key(deal_key, seat, purpose) = fold(deal_key, seat * 16 + purpose)``.
- ``draw(stream_key, counter) = fold(stream_key, counter)``: one 64-bit random number.
- ``noise_key(stream_key, decision) = stream_key + decision * 0xD1342543DE82EF95``: the key of what a bot draws at a
  decision.

Purposes (`Purpose`): those with a hand are ``purpose + hand``, hand 0 or 1 of the seat.

**Shuffle.** ``cards.new_deck(jokers)``, then for i = n - 1 down to 1 swap card i with card ``bounded(i + 1)``. The
bounded draw for card i takes a 32-bit half h: of ``draw(key, i >> 1)`` the high half where i is odd, the low half where
it is even. With p = h * (i + 1) it is p >> 32, unless p mod 2**32 < 2**32 mod (i + 1); then h is replaced by the low
half of ``draw(key, 64 * a + i)``, a = 1, 2, …, until that does not hold (multiply-shift with rejection, Lemire 2019:
exactly uniform).

The deck is in dealing order: the nerts pile from bottom to top, the work piles, the stock from its top to its bottom.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from nertsim._jit import at, helper, subroutine


class Purpose(IntEnum):
    """What a stream of random numbers is for. Numbers below 16; a gap after each one that has a hand."""

    SHUFFLE = 0
    ORDER = 1
    TIMING = 2
    OVERSIGHT = 4
    NOISE = 6
    ROTATION = 8


_G = np.uint64(0x9E3779B97F4A7C15)
_M1 = np.uint64(0xBF58476D1CE4E5B9)
_M2 = np.uint64(0x94D049BB133111EB)
_NOISE_STEP = np.uint64(0xD1342543DE82EF95)
_S27, _S30, _S31, _S32, _S11 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32), np.uint64(11)
_LOW32 = np.uint64(0xFFFFFFFF)
_ONE = np.uint64(1)
_TWO32 = np.uint64(1 << 32)


@helper
def mix(z):
    """SplitMix64's finalizer; uint64 -> uint64."""
    z = (z ^ (z >> _S30)) * _M1
    z = (z ^ (z >> _S27)) * _M2
    return z ^ (z >> _S31)


@helper
def fold(key, number):
    """Key for a number under another key; uint64, integer -> uint64."""
    return mix(key + (np.uint64(number) + _ONE) * _G)


@helper
def deal_key(seed, deal):
    """Key of all the randomness of one deal."""
    return fold(mix(np.uint64(seed) + _G), deal)


@helper
def stream_key(key, seat, purpose):
    """Key of one stream of a deal, under the key of the deal."""
    return fold(key, seat * 16 + purpose)


@helper
def draw(key, counter):
    """The 64-bit random number at `counter` of a stream."""
    return mix(key + (np.uint64(counter) + _ONE) * _G)


@helper
def noise_key(key, decision):
    """The key of a bot's own random numbers at a decision; unlike a draw it is not mixed, since most bots need none."""
    return key + np.uint64(decision) * _NOISE_STEP


@subroutine
def bounded_again(key, number, bound):
    """The bounded draw of a card whose first half was rejected (about once in 10**8 cards)."""
    attempt = 1
    while True:
        product = (draw(key, 64 * attempt + number) & _LOW32) * bound
        if product & _LOW32 >= _TWO32 % bound:
            return product >> _S32
        attempt += 1


@helper
def swap_down(cards, first, number, half, key):
    """Swaps card `number` of a part of `cards` with one of those up to it, chosen by a 32-bit half."""
    bound = np.uint64(number + 1)
    product = half * bound
    other = product >> _S32
    if product & _LOW32 < bound and product & _LOW32 < _TWO32 % bound:
        other = bounded_again(key, number, bound)
    here, there = at(first + number), np.uint64(first) + other
    card = cards[here]
    cards[here] = cards[there]
    cards[there] = card


@helper
def shuffle(cards, first, count, key):
    """Shuffles cards[first : first + count] in place (uint16), uniformly, with the stream `key`."""
    for pair in range((count - 1) >> 1, -1, -1):
        word = draw(key, pair)
        if 2 * pair + 1 < count:
            swap_down(cards, first, 2 * pair + 1, word >> _S32, key)
        if pair > 0:
            swap_down(cards, first, 2 * pair, word & _LOW32, key)


@helper
def unit(word):
    """A 64-bit random number as a float64 in [0, 1), from its upper 53 bits."""
    return np.float64(word >> _S11) * 2.0**-53

"""Randomness (section 6): known answers, frozen for ever, and the same decks whoever plays."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nertsim.bots.spec import seat_bots
from nertsim.cards import DECK_SIZE, card_text, new_deck
from nertsim.dealer import Dealer
from nertsim.engine.memory import DECK, DECK_STRIDE
from nertsim.engine.rng import Purpose
from nertsim.rules import Rules

from .dealing import random_numbers, shuffled_decks
from .reference import randoms

LARGE_SEED, LARGE_DEAL = 2**63 - 1, 10**12

# (seed, deal, seat, purpose, counter): mix(seed), key of the deal, key of the stream, draw, noise key.
# The answers are those of `tests/reference/randoms.py`; mix is SplitMix64's, which others publish too.
# fmt: off
KNOWN = {
    (0, 0, 0, 0, 0):
        (0x0, 0xA706DD2F4D197E6F, 0x238275BC38FCBE91, 0x2130748AAAC80268, 0x238275BC38FCBE91),
    (1, 0, 0, 0, 0):
        (0x5692161D100B05E5, 0x5E41AB087439611E, 0xB18A02F46D8D86C3, 0xE28195DDD9EE4956, 0xB18A02F46D8D86C3),
    (1, 0, 3, 2, 7):
        (0x5692161D100B05E5, 0x5E41AB087439611E, 0x7DFD8BA84D0856C7, 0x62F852653F58A183, 0x366A9083629CE3DA),
    (1, 1, 11, 9, 10**6):
        (0x5692161D100B05E5, 0xF18D6CE93D6CF1EE, 0xBF84B8CA44E35969, 0x0F8A93397EC90894, 0xAD2392CBB11EA8A9),
    (LARGE_SEED, LARGE_DEAL, 3, 2, 1):
        (0x5A682AFE7965DEBD, 0xFBDE7CAE86B1A50F, 0x9087888942A781FA, 0xDD22FF504FFC19E0, 0x61BBADCD212A718F),
}
# fmt: on

# (seed, deal, seat, jokers): the deck in dealing order.
DECKS = {
    (1, 0, 0, 0): """
        6H 4S 8S 10C 8D 4C 7C 6S 3C 2H 9H 5D JS 6D 5C 2S 7S 4H AC JC KH AH JD 9C KS AS
        AD 3H KD 10D QS 7D 8H KC QC JH 9S 3D 9D 3S 5H 5S 7H QH 8C 2C 2D QD 10H 6C 10S 4D""",
    (1, 0, 3, 0): """
        8C QS AS JD QH KS JH 6D 6S 10S KH 3S 9D 4S 10H 4D AD QC JC 3D 2D AC 5C 10D 3C 3H
        AH 10C 5H KC 5D 6H 7D 9S KD JS QD 2C 2H 7C 5S 8H 7S 4H 6C 2S 8S 4C 8D 7H 9C 9H""",
    (1, 42, 0, 0): """
        4D 5H AC JD 9D 2S 6C QS 4H 8H 2H 10S 6S AD QH AS 4C 3H AH 5D 10D 7S 8D QD 2D KH
        10C 3C JH 5S KC 8S 9H 6D JC 9C 5C KD KS 3S 7C JS 7D 8C 10H QC 7H 2C 6H 9S 4S 3D""",
    (7, 3, 11, 0): """
        2H 3D 8C 3S 9D 10H KC QC 5H 2C 5D 6S 8S AS 9H 6D 5C 7S AC 8H JC 7D JS QD 9S 10C
        6H JD 10S 10D 7C KH 6C 4H 3H AD KD 9C JH 4D 2S AH QS 4C 2D KS 3C 7H 8D QH 4S 5S""",
    (1, 0, 0, 4): """
        6H 4S 8S JK2 JK1 4C 7C 6S 3C 2H JK3 5D JS 6D 5C 2S 7S 4H AC JC KH AH JD 9C KS AS AD 3H
        JK4 10D QS 7D 8H KC QC JH 9S 3D 9D 3S 5H 5S 7H QH 8C 2C 2D QD 10H 6C 10S 4D 8D 10C 9H KD""",
}

seeds = st.integers(0, LARGE_SEED)
deals = st.integers(0, LARGE_DEAL)


def expected(seed: int, deal: int, seat: int, purpose: int, counter: int) -> tuple[int, ...]:
    """The same five numbers by the reference."""
    key = randoms.deal_key(seed, deal)
    stream = randoms.stream_key(key, seat, purpose)
    return randoms.mix(seed), key, stream, randoms.draw(stream, counter), randoms.noise_key(stream, counter)


@pytest.mark.parametrize("point", KNOWN)
def test_random_numbers_are_the_known_ones(point: tuple[int, int, int, int, int]) -> None:
    assert tuple(random_numbers(*point)) == KNOWN[point] == expected(*point)


@given(seeds, deals, st.integers(0, 11), st.sampled_from(Purpose), st.integers(0, 2**31))
def test_random_numbers_are_those_of_the_reference(seed: int, deal: int, seat: int, purpose: int, counter: int) -> None:
    point = (seed, deal, seat, int(purpose), counter)
    assert tuple(random_numbers(*point)) == expected(*point)


@pytest.mark.parametrize("point", DECKS)
def test_decks_are_the_known_ones(point: tuple[int, int, int, int]) -> None:
    seed, deal, seat, jokers = point
    deck = shuffled_decks(seed, deal, 1, 12, jokers)[0, seat]
    assert [card_text(int(card)) for card in deck] == DECKS[point].split()


@given(seeds, deals, st.integers(0, 4))
def test_decks_are_those_of_the_reference(seed: int, deal: int, jokers: int) -> None:
    decks = shuffled_decks(seed, deal, 1, 12, jokers)[0]
    for seat, deck in enumerate(decks):
        key = randoms.stream_key(randoms.deal_key(seed, deal), seat, randoms.SHUFFLE)
        assert deck.tolist() == randoms.shuffled(new_deck(jokers), key)


# Common random numbers


def dealt(bots: list[str], rules: Rules, seed: int, deal: int) -> np.ndarray:
    """The decks in the engine's memory after a deal was played: uint16 (seats, 52)."""
    dealer = Dealer(rules, seat_bots(bots, rules.seats), seed)
    dealer.play(deal, deal + 1)
    state, _ = dealer._thread.deals
    places = DECK + np.arange(rules.seats)[:, None] * DECK_STRIDE + np.arange(DECK_SIZE)
    return state.cards[places]


@pytest.mark.parametrize("seats", [1, 2, 3, 4, 8, 12])
def test_a_seat_gets_the_same_deck_however_many_play(seats: int) -> None:
    decks = dealt(["greedy"], Rules(seats=seats), 5, 17)
    assert (decks == shuffled_decks(5, 17, 1, 12)[0, :seats]).all()


@pytest.mark.parametrize("bots", [["random"], ["hasty,speed=3"], ["greedy,tempo=expert", "random", "careful"]])
@pytest.mark.parametrize("options", [{}, {"nerts": 7, "work_piles": 5, "draw": 1}, {"foundations": "any"}])
def test_a_seat_gets_the_same_deck_whoever_plays_by_whatever_rules(bots: list[str], options: dict[str, object]) -> None:
    decks = dealt(bots, Rules(seats=3).replace(**options), 5, 18)
    assert (decks == shuffled_decks(5, 18, 1, 3)[0]).all()

"""The foundations: what they take, how a card lands on them (rules 4 and 10, section 4 of the model).

A pile is known by its *key*: what its top card says about the next card. Under `foundations = "suit"` that is the top
card itself, under "colour" its rank and colour, under "any" its rank. Three tables, filled once, carry the whole
difference: STACK_KEY[card] is the key of a pile with that top, NEED_KEY[card] the key that a pile must have to take the
card, TAKEN_BY_KEY[key] the mask of the cards that a pile with that key takes.
"""

from __future__ import annotations

import numpy as np

from nertsim._jit import at, helper
from nertsim.cards import DECK_SIZE, NONE
from nertsim.engine.layout import FOUNDATION_COUNT, FOUNDATION_TOP
from nertsim.engine.memory import (
    ACCEPTED,
    ACES,
    GROWTH,
    KEY_LOWEST,
    KEY_PILES,
    LANDED_AT,
    LANDED_BY,
    LANDED_ON,
    NEED_KEY,
    NEVER,
    PILE_KEY,
    PILE_SEAT,
    STACK_KEY,
    TAKEN_BY_KEY,
    bit,
    load,
)

COMPLETE = NONE
"""The key of a pile that has its king: it takes nothing."""
NO_PILE = -1


@helper
def key_of(foundations, rank, suit):
    """Key of a pile whose top has this rank and suit, under the option `foundations` (0 suit, 1 colour, 2 any)."""
    if rank == 12:
        return COMPLETE
    if foundations == 0:
        return rank * 4 + suit
    if foundations == 1:
        return rank * 4 + ((suit ^ (suit >> 1)) & 1)
    return rank * 4


@helper
def prepare_foundations(memory, foundations):
    """Fills the three tables for the rules; once for many deals."""
    for key in range(64):
        memory[at(STACK_KEY + key)] = COMPLETE
        memory[at(NEED_KEY + key)] = COMPLETE
        memory[at(TAKEN_BY_KEY + key)] = 0
    for card in range(DECK_SIZE):
        rank, suit = card >> 2, card & 3
        memory[at(STACK_KEY + card)] = key_of(foundations, rank, suit)
        if rank > 0:
            beneath = suit ^ 1 if foundations == 1 else suit  # C-D and H-S: the pairs of other colour
            need = key_of(foundations, rank - 1, beneath)
            memory[at(NEED_KEY + card)] = need
            memory[at(TAKEN_BY_KEY + need)] |= bit(card)


@helper
def clear_foundations(state):
    """No foundation yet: only aces are accepted."""
    memory = state.memory
    state.cards[FOUNDATION_COUNT] = 0
    for key in range(64):
        memory[at(KEY_PILES + key)] = 0
    for card in range(DECK_SIZE):
        memory[at(LANDED_AT + card)] = NEVER
    memory[ACCEPTED] = ACES
    memory[GROWTH] = 0


@helper
def is_accepted(state, card):
    """1 when some foundation takes what the card stands for (an ace always starts one)."""
    return (state.memory[ACCEPTED] >> (card & NONE)) & 1


@helper
def aim_of(state, card):
    """The foundation that an accepted card aims at: the lowest-numbered that takes it, for an ace the next new one."""
    if card < 4:
        return load(state.cards, FOUNDATION_COUNT)
    return state.memory[at(KEY_LOWEST + state.memory[at(NEED_KEY + card)])] & 127


@helper
def leave_key(state, pile, key):
    """The pile no longer has that key: what it alone took is no longer accepted."""
    memory = state.memory
    memory[at(KEY_PILES + key)] -= 1
    if memory[at(KEY_PILES + key)] == 0:
        memory[ACCEPTED] &= ~memory[at(TAKEN_BY_KEY + key)]
    elif memory[at(KEY_LOWEST + key)] == pile:
        other = pile + 1
        while memory[at(PILE_KEY + other)] != key:
            other += 1
        memory[at(KEY_LOWEST + key)] = other


@helper
def join_key(state, pile, key):
    """The pile has that key now: what it takes is accepted."""
    memory = state.memory
    if memory[at(KEY_PILES + key)] == 0:
        memory[ACCEPTED] |= memory[at(TAKEN_BY_KEY + key)]
        memory[at(KEY_LOWEST + key)] = pile
    elif memory[at(KEY_LOWEST + key)] > pile:
        memory[at(KEY_LOWEST + key)] = pile
    memory[at(KEY_PILES + key)] += 1
    memory[at(PILE_KEY + pile)] = key


@helper
def pile_for(state, card, aim):
    """The foundation for a landing card: the one aimed at, else the lowest-numbered that takes it, else NO_PILE."""
    memory = state.memory
    need = memory[at(NEED_KEY + card)] & NONE
    if memory[at(PILE_KEY + aim)] == need:
        return aim
    if memory[at(KEY_PILES + need)] > 0:
        return memory[at(KEY_LOWEST + need)] & 127
    return np.int64(NO_PILE)


@helper
def grow(state, seat, card, word, pile, time):
    """The pile grows by a card (`word` as it lies there, `card` what it stands for)."""
    memory = state.memory
    join_key(state, pile, memory[at(STACK_KEY + card)] & NONE)
    state.cards[at(FOUNDATION_TOP + pile)] = word
    memory[at(PILE_SEAT + pile)] = seat
    memory[at(LANDED_AT + card)] = time
    memory[at(LANDED_ON + card)] = pile
    memory[at(LANDED_BY + card)] = seat
    memory[GROWTH] += 1


@helper
def land_on_foundation(state, seat, card, word, aim, time):
    """Lets a card land that aims at a foundation: the pile that it went on, or NO_PILE where none takes it."""
    if card < 4:
        pile = load(state.cards, FOUNDATION_COUNT)
        state.cards[FOUNDATION_COUNT] = pile + 1
    else:
        pile = pile_for(state, card, aim)
        if pile == NO_PILE:
            return pile
        leave_key(state, pile, state.memory[at(NEED_KEY + card)] & NONE)
    grow(state, seat, card, word, pile, time)
    return pile


@helper
def is_tie(state, card, time):
    """True when an equal card made a pile grow at most the tie window before (tie window -1: never)."""
    return time - state.memory[at(LANDED_AT + card)] <= state.rules.tie_window_us

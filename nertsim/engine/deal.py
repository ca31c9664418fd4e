"""Shuffling and dealing (rule 2), and the fresh state of a deal."""

from __future__ import annotations

import numpy as np

from nertsim._jit import at, helper, subroutine
from nertsim.cards import DECK_SIZE, HIDDEN, JOKER_SHIFT, NONE
from nertsim.codes import SeatColumn
from nertsim.engine.foundations import clear_foundations
from nertsim.engine.layout import MAX_SCRATCH, NERTS_COUNT, OWN_CARDS, OWN_STOCK, OWN_WASTE, SEAT_STRIDE, WASTE_TOP
from nertsim.engine.memory import (
    ACTION,
    CALLER,
    DECISIONS,
    DECK,
    DECK_STRIDE,
    HAND_NUMBER,
    HAND_SEAT,
    HAND_TIMES,
    IDLE,
    LIFTED,
    LOG_LENGTH,
    NOISE_KEY,
    ORDER_VALUE,
    OVERSIGHT_KEY,
    RUN,
    SEAT_HANDS,
    SEAT_MEMORY,
    SEAT_NERTS,
    SEAT_SCRATCH,
    SLOTS,
    TALLY,
    TIMES,
    TIMES_STRIDE,
    TIMING_KEY,
    UNSEEN,
    UNSEEN_NEXT,
    key_of_slot,
    load,
    own_cell,
    schedule,
    seat_block,
)
from nertsim.engine.rng import Purpose, draw, shuffle, stream_key
from nertsim.engine.table import lay_on_work, length_cell, turn_up_nerts

SHUFFLE, ORDER = int(Purpose.SHUFFLE), int(Purpose.ORDER)
TIMING, OVERSIGHT, NOISE = int(Purpose.TIMING), int(Purpose.OVERSIGHT), int(Purpose.NOISE)
COLUMN_LAST_PLAY = int(SeatColumn.LAST_PLAY_US)


@helper
def shuffle_deck(deck, seat, jokers, key):
    """Shuffles a seat's new deck into its part of `deck`; returns the number of cards."""
    first = DECK + seat * DECK_STRIDE
    count = DECK_SIZE + jokers
    for card in range(DECK_SIZE):
        deck[at(first + card)] = card
    for number in range(1, jokers + 1):
        deck[at(first + DECK_SIZE + number - 1)] = NONE | (number << JOKER_SHIFT)
    shuffle(deck, first, count, stream_key(key, seat, SHUFFLE))
    return count


@helper
def deal_seat(state, hands, seat, key):
    """Shuffles a seat's deck and deals its nerts pile, its work piles and its stock."""
    cards = shuffle_deck(state.cards, seat, state.rules.jokers, key)
    block = seat_block(seat)
    for index in range(SEAT_MEMORY):
        state.memory[at(block + index)] = 0
    state.memory[at(block + TALLY + COLUMN_LAST_PLAY)] = -1
    nerts, piles = state.memory[at(SEAT_NERTS + seat)], state.rules.work_piles
    state.cards[at(seat * SEAT_STRIDE + NERTS_COUNT)] = nerts
    turn_up_nerts(state, seat)
    for pile in range(piles):
        clear_work(state, seat, pile)
        lay_on_work(state, seat, pile, load(state.cards, DECK + seat * DECK_STRIDE + nerts + pile))
    stock = cards - nerts - piles
    state.cards[at(seat * SEAT_STRIDE + WASTE_TOP)] = NONE
    state.cards[at(own_cell(seat, OWN_WASTE))] = 0
    state.cards[at(own_cell(seat, OWN_STOCK))] = stock
    for position in range(stock):
        state.cards[at(own_cell(seat, OWN_CARDS + position))] = HIDDEN
    state.memory[at(block + UNSEEN)] = stock
    state.memory[at(block + UNSEEN_NEXT)] = nerts + piles


@helper
def clear_work(state, seat, pile):
    """An empty work pile."""
    state.cards[at(length_cell(seat, pile))] = 0
    state.memory[at(seat_block(seat) + RUN + pile)] = 0


@helper
def seat_hands(state, hands, key):
    """Gives every hand its slot: their order at equal instants, random for each deal."""
    memory = state.memory
    slots = 0
    for seat in range(state.rules.seats):
        order_key = stream_key(key, seat, ORDER)
        for hand in range(memory[at(SEAT_HANDS + seat)]):
            value = draw(order_key, hand)
            slot = slots
            while slot > 0 and key_of_slot(state, ORDER_VALUE, slot - 1) > value:
                memory[at(ORDER_VALUE + slot)] = memory[at(ORDER_VALUE + slot - 1)]
                memory[at(HAND_SEAT + slot)] = memory[at(HAND_SEAT + slot - 1)]
                memory[at(HAND_NUMBER + slot)] = memory[at(HAND_NUMBER + slot - 1)]
                slot -= 1
            memory[at(ORDER_VALUE + slot)] = np.int64(value)
            memory[at(HAND_SEAT + slot)] = seat
            memory[at(HAND_NUMBER + slot)] = hand
            slots += 1
    memory[SLOTS] = slots


@helper
def ready_hands(state, key):
    """Every hand is free at time 0 and has its random streams."""
    memory = state.memory
    for slot in range(memory[SLOTS]):
        seat, hand = memory[at(HAND_SEAT + slot)], memory[at(HAND_NUMBER + slot)]
        memory[at(HAND_TIMES + slot)] = TIMES + (seat * 2 + hand) * TIMES_STRIDE
        memory[at(DECISIONS + slot)] = 0
        memory[at(LIFTED + slot)] = 0
        memory[at(ACTION + slot)] = 0
        memory[at(TIMING_KEY + slot)] = np.int64(stream_key(key, seat, TIMING + hand))
        memory[at(OVERSIGHT_KEY + slot)] = np.int64(stream_key(key, seat, OVERSIGHT + hand))
        memory[at(NOISE_KEY + slot)] = np.int64(stream_key(key, seat, NOISE + hand))
        schedule(state, slot, IDLE, 0)


@subroutine
def deal_cards(state, hands, key):
    """A fresh deal under the key of the deal: nothing of the deal before is left."""
    clear_foundations(state)
    for seat in range(state.rules.seats):
        deal_seat(state, hands, seat, key)
        for index in range(state.memory[at(SEAT_SCRATCH + seat)]):
            hands.scratch[at(seat * MAX_SCRATCH + index)] = 0.0
    seat_hands(state, hands, key)
    ready_hands(state, key)
    state.memory[CALLER] = -1
    state.memory[LOG_LENGTH] = 0

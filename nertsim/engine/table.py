"""The layout of a seat: its piles, and how cards leave them and come to lie on them.

Beside the cards of each work pile a mask of them is kept (RUN), so that what is legal is a few ands. An undeclared
joker is not in it.
"""

from __future__ import annotations

import numpy as np

from nertsim._jit import at, helper
from nertsim.cards import HIDDEN, IDENTITY_MASK, JOKER_SHIFT, NONE
from nertsim.engine.layout import (
    NERTS_COUNT,
    NERTS_TOP,
    OWN_CARDS,
    OWN_STOCK,
    OWN_WASTE,
    SEAT_STRIDE,
    WASTE_TOP,
    WORK_CARDS,
    WORK_LENGTH,
    WORK_STRIDE,
)
from nertsim.engine.memory import (
    DECK,
    DECK_STRIDE,
    GOES_ON,
    RUN,
    STALE,
    UNSEEN,
    UNSEEN_NEXT,
    WANTS,
    bit,
    is_full,
    load,
    own_cell,
    seat_block,
)

KINGS = np.int64(0b1111) << 48
ALL_CARDS = (np.int64(1) << 52) - 1
ONE_COLOUR = np.int64(0x9999999999999)
"""The black cards; shifted up by a suit and down again they are the red ones."""


@helper
def is_undeclared(card):
    """True for a joker that stands for nothing yet."""
    return (card & IDENTITY_MASK) == NONE and (card >> JOKER_SHIFT) != 0


@helper
def card_bit(card):
    """Mask of what the card stands for; 0 for no card and for an undeclared joker."""
    return bit(card) & ALL_CARDS


@helper
def same_colour(card):
    """Mask of all cards that have the colour of this one."""
    red = (card ^ (card >> 1)) & 1
    return ALL_CARDS & ~ONE_COLOUR if red else ONE_COLOUR


@helper
def work_cell(seat, pile, position):
    """Index in `table` of a card of a work pile."""
    return seat * SEAT_STRIDE + WORK_CARDS + pile * WORK_STRIDE + position


@helper
def length_cell(seat, pile):
    """Index in `table` of a work pile's length."""
    return seat * SEAT_STRIDE + WORK_LENGTH + pile


@helper
def work_length(state, seat, pile):
    """Cards in a work pile."""
    return load(state.cards, length_cell(seat, pile))


@helper
def work_card(state, seat, pile, position):
    """A card of a work pile; position 0 is the base."""
    return load(state.cards, work_cell(seat, pile, position))


@helper
def wanted_by_joker(state, seat, pile, length):
    """Mask of the cards that can be laid on the undeclared joker on top of a pile (rule 12)."""
    if length == 1:
        return ALL_CARDS & ~KINGS
    beneath = work_card(state, seat, pile, length - 2)
    rank = (beneath & IDENTITY_MASK) >> 2
    if rank < 2:
        return np.int64(0)
    return (np.int64(0b1111) << (4 * (rank - 2))) & same_colour(beneath)


@helper
def wants_of(state, seat, pile, length):
    """Mask of the cards that go on a work pile; 0 where it is empty."""
    if length == 0:
        return np.int64(0)
    top = work_card(state, seat, pile, length - 1)
    if is_full(state) and is_undeclared(top):
        return wanted_by_joker(state, seat, pile, length)
    return GOES_ON[at(top & IDENTITY_MASK)]


@helper
def work_changed(state, seat, pile, length, run):
    """Keeps what is known about a work pile up to date; what follows for the layout is worked out before the next
    decision.
    """
    memory, block = state.memory, seat_block(seat)
    state.cards[at(length_cell(seat, pile))] = length
    memory[at(block + RUN + pile)] = run
    memory[at(block + WANTS + pile)] = wants_of(state, seat, pile, length)
    memory[at(block + STALE)] = 1


@helper
def run_of(state, seat, pile):
    """Mask of the cards in a work pile."""
    return state.memory[at(seat_block(seat) + RUN + pile)]


@helper
def lay_on_work(state, seat, pile, card):
    """Lays one card on a work pile."""
    length = work_length(state, seat, pile)
    state.cards[at(work_cell(seat, pile, length))] = card
    work_changed(state, seat, pile, length + 1, run_of(state, seat, pile) | card_bit(card))


@helper
def move_run(state, seat, source, pile, count):
    """Lays the `count` cards that were lifted from one work pile on another."""
    length, first = work_length(state, seat, pile), work_length(state, seat, source)
    run = run_of(state, seat, pile)
    for position in range(count):
        card = work_card(state, seat, source, first + position)
        state.cards[at(work_cell(seat, pile, length + position))] = card
        run |= card_bit(card)
    work_changed(state, seat, pile, length + count, run)


@helper
def lift_from_work(state, seat, pile, count):
    """Takes `count` cards off a work pile; they stay readable above its length until they have landed."""
    length = work_length(state, seat, pile)
    run = run_of(state, seat, pile)
    for position in range(length - count, length):
        run &= ~card_bit(work_card(state, seat, pile, position))
    work_changed(state, seat, pile, length - count, run)


@helper
def put_back_on_work(state, seat, pile, count):
    """Undoes `lift_from_work`: the cards above the length are on the pile again."""
    for _ in range(count):
        lay_on_work(state, seat, pile, work_card(state, seat, pile, work_length(state, seat, pile)))


@helper
def slide_under_work(state, seat, pile, card):
    """Slides one card under a work pile; it is the new base."""
    length = work_length(state, seat, pile)
    for position in range(length, 0, -1):
        state.cards[at(work_cell(seat, pile, position))] = state.cards[at(work_cell(seat, pile, position - 1))]
    state.cards[at(work_cell(seat, pile, 0))] = card
    work_changed(state, seat, pile, length + 1, run_of(state, seat, pile) | card_bit(card))


@helper
def turn_up_nerts(state, seat):
    """Turns up the top of the nerts pile."""
    count = load(state.cards, seat * SEAT_STRIDE + NERTS_COUNT)
    top = np.int64(NONE)
    if count > 0:
        top = load(state.cards, DECK + seat * DECK_STRIDE + count - 1)
    state.cards[at(seat * SEAT_STRIDE + NERTS_TOP)] = top


@helper
def show_waste(state, seat):
    """Brings the waste top that everybody sees up to date."""
    waste = load(state.cards, own_cell(seat, OWN_WASTE))
    top = np.int64(NONE)
    if waste > 0:
        top = load(state.cards, own_cell(seat, OWN_CARDS + waste - 1))
    state.cards[at(seat * SEAT_STRIDE + WASTE_TOP)] = top


@helper
def take_from_waste(state, seat):
    """Takes the top card off the waste; the stock's cards close up to the waste's."""
    waste, stock = load(state.cards, own_cell(seat, OWN_WASTE)), load(state.cards, own_cell(seat, OWN_STOCK))
    if state.memory[at(seat_block(seat) + UNSEEN)] > 0:
        state.cards[at(own_cell(seat, OWN_CARDS + waste - 1))] = HIDDEN
    else:
        for position in range(waste - 1, waste - 1 + stock):
            state.cards[at(own_cell(seat, OWN_CARDS + position))] = state.cards[
                at(own_cell(seat, OWN_CARDS + position + 1))
            ]
    state.cards[at(own_cell(seat, OWN_WASTE))] = waste - 1
    show_waste(state, seat)


@helper
def put_back_on_waste(state, seat, card):
    """Lays a card on the waste; the stock's cards make room."""
    waste, stock = load(state.cards, own_cell(seat, OWN_WASTE)), load(state.cards, own_cell(seat, OWN_STOCK))
    if state.memory[at(seat_block(seat) + UNSEEN)] == 0:
        for position in range(waste + stock, waste, -1):
            state.cards[at(own_cell(seat, OWN_CARDS + position))] = state.cards[
                at(own_cell(seat, OWN_CARDS + position - 1))
            ]
    state.cards[at(own_cell(seat, OWN_CARDS + waste))] = card
    state.cards[at(own_cell(seat, OWN_WASTE))] = waste + 1
    show_waste(state, seat)


@helper
def see_stock(state, seat, count):
    """The first `count` cards of an unseen stock become known: copied from the deck to the seat's own view."""
    block = seat_block(seat)
    first = OWN_CARDS + load(state.cards, own_cell(seat, OWN_WASTE))
    source = seat * DECK_STRIDE + state.memory[at(block + UNSEEN_NEXT)]
    for position in range(count):
        state.cards[at(own_cell(seat, first + position))] = state.cards[at(DECK + source + position)]
    state.memory[at(block + UNSEEN_NEXT)] += count
    state.memory[at(block + UNSEEN)] -= count


@helper
def turn_stock(state, seat, count):
    """Turns `count` cards of the stock onto the waste, one by one."""
    if state.memory[at(seat_block(seat) + UNSEEN)] > 0:
        see_stock(state, seat, count)
    state.cards[at(own_cell(seat, OWN_WASTE))] += count
    state.cards[at(own_cell(seat, OWN_STOCK))] -= count
    show_waste(state, seat)


@helper
def hide_stock(state, seat):
    """Nobody knows the order of the stock any more (it was shuffled): its cards go back to the deck, unseen."""
    block = seat_block(seat)
    stock = load(state.cards, own_cell(seat, OWN_STOCK))
    first = OWN_CARDS + load(state.cards, own_cell(seat, OWN_WASTE))
    state.memory[at(block + UNSEEN_NEXT)] = DECK_STRIDE - stock
    state.memory[at(block + UNSEEN)] = stock
    for position in range(stock):
        state.cards[at(DECK + (seat + 1) * DECK_STRIDE - stock + position)] = state.cards[
            at(own_cell(seat, first + position))
        ]
        state.cards[at(own_cell(seat, first + position))] = HIDDEN


@helper
def pop_stock(state, seat):
    """Takes the top card off the stock and returns it."""
    block = seat_block(seat)
    waste, stock = load(state.cards, own_cell(seat, OWN_WASTE)), load(state.cards, own_cell(seat, OWN_STOCK))
    state.cards[at(own_cell(seat, OWN_STOCK))] = stock - 1
    if state.memory[at(block + UNSEEN)] > 0:
        card = load(state.cards, DECK + seat * DECK_STRIDE + state.memory[at(block + UNSEEN_NEXT)])
        state.memory[at(block + UNSEEN_NEXT)] += 1
        state.memory[at(block + UNSEEN)] -= 1
        return card
    card = load(state.cards, own_cell(seat, OWN_CARDS + waste))
    for position in range(waste, waste + stock - 1):
        state.cards[at(own_cell(seat, OWN_CARDS + position))] = state.cards[
            at(own_cell(seat, OWN_CARDS + position + 1))
        ]
    return card


@helper
def put_under_stock(state, seat, card):
    """Puts a card to the bottom of the stock."""
    waste, stock = load(state.cards, own_cell(seat, OWN_WASTE)), load(state.cards, own_cell(seat, OWN_STOCK))
    state.cards[at(own_cell(seat, OWN_CARDS + waste + stock))] = card
    state.cards[at(own_cell(seat, OWN_STOCK))] += 1

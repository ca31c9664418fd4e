"""What jokers that stand for nothing yet may do and become (rule 12). Compiled only for tables of `FullState`."""

from __future__ import annotations

import numpy as np

from nertsim._jit import helper
from nertsim.cards import IDENTITY_MASK, JOKER_SHIFT, NONE
from nertsim.codes import Action, Pile
from nertsim.engine.layout import ACTIONS, FOUNDATION_COUNT, pack_action
from nertsim.engine.memory import (
    GOES_UNDER,
    KEY_LOWEST,
    PILE_KEY,
    TAKEN_BY_KEY,
    at,
    load,
)
from nertsim.engine.table import (
    ALL_CARDS,
    card_bit,
    is_undeclared,
    run_of,
    same_colour,
    work_card,
    work_cell,
    work_changed,
    work_length,
)

NOT_ACES = ALL_CARDS & ~np.int64(0b1111)
FOUNDATION, WORK, PLAY = int(Pile.FOUNDATION), int(Pile.WORK), int(Action.PLAY)


@helper
def add(actions, first, count, action):
    """Puts an action at the end of a list that begins at `first`; returns its new length."""
    actions[at(first + count)] = action
    return count + 1


@helper
def add_each(actions, first, count, action, identities):
    """Adds an action once for each identity in a mask, in ascending order; `action` itself has identity 0."""
    for identity in range(52):
        if (identities >> identity) & 1:
            count = add(actions, first, count, action | pack_action(0, 0, 0, 0, identity, 0))
    return count


@helper
def declared(card):
    """The identity of a joker that is fixed, NONE for an ordinary card: the `identity` of an action that plays it."""
    return card & IDENTITY_MASK if card >> JOKER_SHIFT else np.int64(NONE)


@helper
def add_joker_plays(state, count, source, card):
    """Adds every declaration under which some foundation takes a joker: by pile, then the four aces."""
    memory = state.memory
    piles = load(state.cards, FOUNDATION_COUNT)
    for pile in range(piles):
        key = memory[at(PILE_KEY + pile)] & NONE
        if key != NONE and memory[at(KEY_LOWEST + key)] == pile:
            action = pack_action(PLAY, source, FOUNDATION + pile, 1, 0, card)
            count = add_each(state.memory, ACTIONS, count, action, memory[at(TAKEN_BY_KEY + key)])
    action = pack_action(PLAY, source, FOUNDATION + piles, 1, 0, card)
    return add_each(state.memory, ACTIONS, count, action, np.int64(0b1111))


@helper
def may_become(state, seat, pile, card):
    """Mask of what the undeclared joker on top of a pile may be fixed as when `card` is laid on it."""
    identities = NOT_ACES
    if not is_undeclared(card):
        identities = GOES_UNDER[at(card & IDENTITY_MASK)]
    length = work_length(state, seat, pile)
    if length > 1:
        beneath = work_card(state, seat, pile, length - 2)
        rank = (beneath & IDENTITY_MASK) >> 2
        fitting = np.int64(0)
        if rank > 0:
            fitting = (np.int64(0b1111) << (4 * (rank - 1))) & ~same_colour(beneath)
        identities &= fitting
    return identities


@helper
def may_slide_under(base):
    """Mask of what a card must be, or an undeclared joker may become, to be slid under `base`."""
    return NOT_ACES if is_undeclared(base) else GOES_UNDER[at(base & IDENTITY_MASK)]


@helper
def concerns_joker(state, seat, pile, card):
    """True when an undeclared joker is carried, or on top of the work pile (which has cards)."""
    return is_undeclared(card) or is_undeclared(work_card(state, seat, pile, work_length(state, seat, pile) - 1))


@helper
def add_laying(actions, first, count, state, seat, pile, card, action):
    """Adds laying `card` on a work pile where `concerns_joker`; `action` has identity 0."""
    top = work_card(state, seat, pile, work_length(state, seat, pile) - 1)
    if is_undeclared(top):
        return add_each(actions, first, count, action, may_become(state, seat, pile, card))
    if (top & IDENTITY_MASK) > 3:
        count = add(actions, first, count, action | pack_action(0, 0, 0, 0, NONE, 0))
    return count


@helper
def unfix(state, seat, pile):
    """An uncovered joker on top of a pile is no longer fixed (option `joker_unfix`)."""
    length = work_length(state, seat, pile)
    if length > 0:
        card = work_card(state, seat, pile, length - 1)
        if card >> JOKER_SHIFT:
            state.cards[at(work_cell(seat, pile, length - 1))] = card | NONE
            work_changed(state, seat, pile, length, run_of(state, seat, pile) & ~card_bit(card))


@helper
def fix(state, seat, pile, identity):
    """The undeclared joker on top of a pile becomes what the action that covers it says."""
    length = work_length(state, seat, pile)
    cell = work_cell(seat, pile, length - 1)
    card = identity | (load(state.cards, cell) & ~IDENTITY_MASK)
    state.cards[at(cell)] = card
    work_changed(state, seat, pile, length, run_of(state, seat, pile) | card_bit(card))

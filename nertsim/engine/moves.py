"""What is legal: the list of actions of a hand, in ascending order (sections 2 and 3 of the model).

The list is what a bot chooses from; at its lift an action is looked at by itself (two hands, `act.is_possible`), or,
where nobody else can have interfered, by the one thing that can have changed (`is_accepted`).

What follows from a seat's work piles alone is worked out only when they have changed (`survey`): the masks of their
tops, of what they want on top and under their base, the lowest gap, the moves among them. Most decisions follow a
draw and find it unchanged.
"""

from __future__ import annotations

import numpy as np

from nertsim._jit import helper, lowest_bit, subroutine
from nertsim.cards import IDENTITY_MASK, NONE
from nertsim.codes import Action, Pile
from nertsim.engine.foundations import aim_of
from nertsim.engine.jokers import (
    add,
    add_each,
    add_joker_plays,
    add_laying,
    concerns_joker,
    declared,
    may_slide_under,
)
from nertsim.engine.layout import (
    ACTIONS,
    COUNT_BITS,
    IDENTITY_BITS,
    KIND_BITS,
    NERTS_COUNT,
    NERTS_TOP,
    OWN_STOCK,
    OWN_WASTE,
    SEAT_STRIDE,
    SOURCE_BITS,
    TARGET_BITS,
    WASTE_TOP,
    pack_action,
)
from nertsim.engine.memory import (
    ACCEPTED,
    ALL_WANTS,
    CLOSED,
    GAP,
    GOES_UNDER,
    MAY_ROTATE,
    MOVE_COUNT,
    RUN,
    STALE,
    TOPS,
    WANTS,
    at,
    bit,
    is_full,
    load,
    moves_of,
    own_cell,
    seat_block,
)
from nertsim.engine.table import card_bit, is_undeclared, work_card, work_length

PLAY, BUILD, FILL, MOVE, SLIDE = (
    int(Action.PLAY),
    int(Action.BUILD),
    int(Action.FILL),
    int(Action.MOVE),
    int(Action.SLIDE),
)
DRAW, RECYCLE, ROTATE, CALL, WAIT = (
    int(Action.DRAW),
    int(Action.RECYCLE),
    int(Action.ROTATE),
    int(Action.CALL),
    int(Action.WAIT),
)
NERTS, WASTE, STOCK, WORK, FOUNDATION = (
    int(Pile.NERTS),
    int(Pile.WASTE),
    int(Pile.STOCK),
    int(Pile.WORK),
    int(Pile.FOUNDATION),
)
RECYCLE_ACTION = (
    (RECYCLE << KIND_BITS)
    | (WASTE << SOURCE_BITS)
    | (STOCK << TARGET_BITS)
    | (1 << COUNT_BITS)
    | (NONE << IDENTITY_BITS)
    | NONE
)
NO_GAP = -1


@helper
def is_open(state, seat, pile):
    """True when no partner's card is in mid-air from the pile (section 4, two hands)."""
    return not is_full(state) or (state.memory[at(seat_block(seat) + CLOSED)] >> pile) & 1 == 0


@helper
def moves_into_gap(state, seat, pile, gap, count):
    """Adds to the seat's moves those of a part of a run into a gap; never the whole pile."""
    length = work_length(state, seat, pile)
    if not state.rules.whole_runs:
        for cards in range(1, length):
            card = work_card(state, seat, pile, length - cards)
            action = pack_action(MOVE, WORK + pile, WORK + gap, cards, NONE, card)
            count = add(state.memory, moves_of(seat), count, action)
    return count


@helper
def remember(state, seat, count, action):
    """Puts a move into the seat's list of moves, in ascending order; returns its new length."""
    memory, first = state.memory, moves_of(seat)
    place = count
    while place > 0 and memory[at(first + place - 1)] > action:
        memory[at(first + place)] = memory[at(first + place - 1)]
        place -= 1
    memory[at(first + place)] = action
    return count + 1


@helper
def survey_runs(state, seat, movable):
    """Works out the moves of runs, or parts of them, onto other work piles (rule 5), from the mask of the cards that
    move.
    """
    memory, block = state.memory, seat_block(seat)
    count = np.int64(0)
    while movable:
        card = lowest_bit(movable)
        movable &= movable - 1
        source, targets = np.int64(0), np.int64(0)
        for pile in range(state.rules.work_piles):
            source += pile * ((memory[at(block + RUN + pile)] >> card) & 1)
            targets |= ((memory[at(block + WANTS + pile)] >> card) & 1) << pile
        length = work_length(state, seat, source)
        cards = (card >> 2) - (work_card(state, seat, source, length - 1) >> 2) + 1
        if state.rules.whole_runs and cards < length:
            continue
        while targets:
            action = pack_action(MOVE, WORK + source, WORK + lowest_bit(targets), cards, NONE, card)
            targets &= targets - 1
            count = remember(state, seat, count, action)
    return count


@helper
def full_moves_onto(state, seat, pile, target, count):
    """Adds to the seat's moves those of a run, or a part of it, onto another work pile, where jokers may be about."""
    memory, block = state.memory, seat_block(seat)
    length = work_length(state, seat, pile)
    for cards in range(length if state.rules.whole_runs else 1, length + 1):
        card = work_card(state, seat, pile, length - cards)
        action = pack_action(MOVE, WORK + pile, WORK + target, cards, 0, card)
        if concerns_joker(state, seat, target, card):
            count = add_laying(memory, moves_of(seat), count, state, seat, target, card, action)
        elif (memory[at(block + WANTS + target)] >> (card & IDENTITY_MASK)) & 1:
            count = add(memory, moves_of(seat), count, action | pack_action(0, 0, 0, 0, NONE, 0))
    return count


@subroutine
def survey_full_moves(state, seat, gap):
    """Works out the moves between a seat's work piles where jokers or a partner may be about."""
    piles = state.rules.work_piles
    count = np.int64(0)
    for pile in range(piles):
        if work_length(state, seat, pile) == 0 or not is_open(state, seat, WORK + pile):
            continue
        for target in range(piles):
            if target == gap:
                count = moves_into_gap(state, seat, pile, gap, count)
            elif target != pile and work_length(state, seat, target) > 0 and is_open(state, seat, WORK + target):
                count = full_moves_onto(state, seat, pile, target, count)
    return count


@helper
def survey_moves(state, seat, gap, movable):
    """Works out the moves between a seat's work piles; returns how many there are."""
    if is_full(state):
        return survey_full_moves(state, seat, gap)
    count = survey_runs(state, seat, movable)
    if gap != NO_GAP and not state.rules.whole_runs:
        for pile in range(state.rules.work_piles):
            length = work_length(state, seat, pile)
            for cards in range(1, length):
                card = work_card(state, seat, pile, length - cards)
                count = remember(state, seat, count, pack_action(MOVE, WORK + pile, WORK + gap, cards, NONE, card))
    return count


@helper
def survey(state, seat):
    """Works out what follows from a seat's work piles alone."""
    memory, block = state.memory, seat_block(seat)
    gap = np.int64(NO_GAP)
    tops, wants, runs = np.int64(0), np.int64(0), np.int64(0)
    for pile in range(state.rules.work_piles):
        length = work_length(state, seat, pile)
        if not is_open(state, seat, WORK + pile):
            continue
        if length == 0:
            gap = np.int64(pile) if gap == NO_GAP else gap
        else:
            tops |= card_bit(work_card(state, seat, pile, length - 1))
            wants |= memory[at(block + WANTS + pile)]
            runs |= memory[at(block + RUN + pile)]
    memory[at(block + GAP)] = gap
    memory[at(block + TOPS)] = tops
    memory[at(block + ALL_WANTS)] = wants
    memory[at(block + STALE)] = 0
    memory[at(block + MOVE_COUNT)] = survey_moves(state, seat, gap, wants & runs)


@helper
def add_play(state, count, source, card):
    """Adds the play of a top card, if some foundation takes it; of an undeclared joker all declarations."""
    if is_full(state) and is_undeclared(card):
        return add_joker_plays(state, count, source, card)
    if (state.memory[ACCEPTED] >> (card & IDENTITY_MASK)) & 1:
        identity = declared(card) if is_full(state) else np.int64(NONE)
        target = FOUNDATION + aim_of(state, card & IDENTITY_MASK)
        count = add(state.memory, ACTIONS, count, pack_action(PLAY, source, target, 1, identity, card))
    return count


@helper
def add_plays(state, count, seat, nerts, waste, work):
    """Adds the plays to the foundations (rule 4)."""
    accepted = state.memory[ACCEPTED]
    if is_full(state) or (bit(nerts) | bit(waste)) & accepted:
        count = add_play(state, count, NERTS, nerts)
        count = add_play(state, count, WASTE, waste)
    if work and (is_full(state) or state.memory[at(seat_block(seat) + TOPS)] & accepted):
        for pile in range(state.rules.work_piles):
            length = work_length(state, seat, pile)
            if length > 0 and is_open(state, seat, WORK + pile):
                count = add_play(state, count, WORK + pile, work_card(state, seat, pile, length - 1))
    return count


@helper
def add_builds(state, count, seat, source, card):
    """Adds the builds of a nerts or waste card onto work piles (rule 5)."""
    for pile in range(state.rules.work_piles):
        action = pack_action(BUILD, source, WORK + pile, 1, 0, card)
        if is_full(state) and joker_laying(state, seat, pile, card):
            count = add_laying(state.memory, ACTIONS, count, state, seat, pile, card, action)
        elif is_open(state, seat, WORK + pile) and (
            (state.memory[at(seat_block(seat) + WANTS + pile)] >> (card & IDENTITY_MASK)) & 1
        ):
            count = add(state.memory, ACTIONS, count, action | pack_action(0, 0, 0, 0, NONE, 0))
    return count


@helper
def joker_laying(state, seat, pile, card):
    """True when a card is there that may be laid on an open work pile with cards, and a joker is concerned."""
    if card == NONE or work_length(state, seat, pile) == 0 or not is_open(state, seat, WORK + pile):
        return False
    return concerns_joker(state, seat, pile, card)


@helper
def add_slides(state, count, seat, source, card):
    """Adds what can be slid under a work pile while there is a gap (rule 6)."""
    for pile in range(state.rules.work_piles):
        if card == NONE or work_length(state, seat, pile) == 0 or not is_open(state, seat, WORK + pile):
            continue
        action = pack_action(SLIDE, source, WORK + pile, 1, 0, card)
        base = work_card(state, seat, pile, 0)
        if is_full(state) and is_undeclared(card):
            count = add_each(state.memory, ACTIONS, count, action, may_slide_under(base))
            continue
        under = may_slide_under(base) if is_full(state) else GOES_UNDER[at(base)]
        if (under >> (card & IDENTITY_MASK)) & 1:
            count = add(state.memory, ACTIONS, count, action | pack_action(0, 0, 0, 0, NONE, 0))
    return count


@helper
def add_fill(state, count, source, card, gap):
    """Adds filling a gap (rule 5)."""
    if card != NONE:
        action = pack_action(FILL, source, WORK + gap, 1, NONE, card)
        count = add(state.memory, ACTIONS, count, action)
    return count


@helper
def add_moves(state, count, seat):
    """Adds the moves between work piles."""
    first = moves_of(seat)
    for index in range(state.memory[at(seat_block(seat) + MOVE_COUNT)]):
        count = add(state.memory, ACTIONS, count, state.memory[at(first + index)])
    return count


@helper
def turning(state, seat):
    """The draw or the recycle that is legal now, never both, or 0 (rule 7, option `leftover`)."""
    stock, waste = load(state.cards, own_cell(seat, OWN_STOCK)), load(state.cards, own_cell(seat, OWN_WASTE))
    size = state.rules.draw
    if stock < size:
        if not state.rules.leftover and stock + waste >= size:
            return np.int64(RECYCLE_ACTION)
        if stock == 0:
            return np.int64(RECYCLE_ACTION) if waste > 0 else np.int64(0)
        size = stock
    return pack_action(DRAW, STOCK, WASTE, size, NONE, NONE)


@helper
def add_stock_actions(state, count, seat):
    """Adds drawing, turning the waste over and rotating the stock."""
    if is_open(state, seat, STOCK):
        if is_open(state, seat, WASTE):
            action = turning(state, seat)
            if action:
                count = add(state.memory, ACTIONS, count, action)
        if state.memory[at(seat_block(seat) + MAY_ROTATE)] and load(state.cards, own_cell(seat, OWN_STOCK)) > 0:
            count = add(state.memory, ACTIONS, count, pack_action(ROTATE, STOCK, STOCK, 1, NONE, NONE))
    return count


@helper
def add_layout_actions(state, count, seat, nerts, waste, work, gap):
    """Adds builds, fills, moves and slides."""
    block = seat_block(seat)
    held = bit(nerts) | bit(waste)
    if is_full(state) or held & state.memory[at(block + ALL_WANTS)]:
        count = add_builds(state, count, seat, NERTS, nerts)
        count = add_builds(state, count, seat, WASTE, waste)
    if gap != NO_GAP:
        count = add_fill(state, count, NERTS, nerts, gap)
        count = add_fill(state, count, WASTE, waste, gap)
    if work:
        count = add_moves(state, count, seat)
    if gap != NO_GAP and state.rules.slide:
        count = add_slides(state, count, seat, NERTS, nerts)
        count = add_slides(state, count, seat, WASTE, waste)
    return count


@helper
def list_actions(state, seat, hand, hands):
    """Writes the list of legal actions into `facts`; returns (number of card actions, number of all).

    `hand` is the seat's hand that decides, `hands` how many the seat has. Which piles a hand may use follows from the
    roles (section 3 of the model).
    """
    memory, block = state.memory, seat_block(seat)
    if is_full(state) or memory[at(block + STALE)]:
        survey(state, seat)
    split = is_full(state) and hands == 2 and state.rules.roles == 0
    nerts, waste = np.int64(NONE), np.int64(NONE)
    if not (split and hand == 1) and is_open(state, seat, NERTS):
        nerts = load(state.cards, seat * SEAT_STRIDE + NERTS_TOP)
    if not (split and hand == 0) and is_open(state, seat, WASTE):
        waste = load(state.cards, seat * SEAT_STRIDE + WASTE_TOP)
    work = not (split and hand == 1)
    nerts_count = load(state.cards, seat * SEAT_STRIDE + NERTS_COUNT)
    gap = memory[at(block + GAP)]
    count = np.int64(0)
    if state.rules.nerts_at_once and gap != NO_GAP and nerts_count > 0 and work:
        count = add_fill(state, count, NERTS, nerts, gap)
        return count, count
    count = add_plays(state, count, seat, nerts, waste, work)
    count = add_layout_actions(state, count, seat, nerts, waste, work, gap)
    card_actions = count
    if not (split and hand == 0):
        count = add_stock_actions(state, count, seat)
    if nerts_count == 0 and not state.rules.automatic_call:
        count = add(state.memory, ACTIONS, count, pack_action(CALL, 0, 0, 1, NONE, NONE))
    return card_actions, count

"""What an action does: lifting, landing, coming back (section 4 of the model).

`lift` takes the card from its pile into mid-air, `land` lets the action take effect, `come_back` ends the way back of
a rejected card. Each works for the hand in one slot. Nothing here decides, and nothing here looks at other hands.
"""

from __future__ import annotations

import numpy as np

from nertsim._jit import at, helper, subroutine
from nertsim.cards import IDENTITY_MASK, JOKER_SHIFT, NONE
from nertsim.codes import Result, SeatColumn
from nertsim.engine.foundations import NO_PILE, is_accepted, is_tie, land_on_foundation
from nertsim.engine.jokers import fix, may_become, may_slide_under, unfix
from nertsim.engine.layout import (
    NERTS_COUNT,
    NERTS_TOP,
    OWN_CARDS,
    OWN_STOCK,
    OWN_WASTE,
    SEAT_STRIDE,
    WASTE_TOP,
    action_card,
    action_count_of_cards,
    action_identity,
    action_kind,
    action_source,
    action_target,
    pack_action,
)
from nertsim.engine.log import log_order
from nertsim.engine.memory import (
    ACTION,
    AIR,
    AIR_COUNT,
    CLOSED,
    FRUITLESS,
    GROWTH,
    HAND_SEAT,
    LAND,
    LANDED_BY,
    LANDED_ON,
    MAY_ROTATE,
    MOVED,
    PASS_GROWTH,
    PASS_MOVED,
    PHASE,
    PILE_SEAT,
    TALLY,
    UNSEEN,
    is_full,
    load,
    own_cell,
    seat_block,
    tally,
)
from nertsim.engine.moves import (
    BUILD,
    CALL,
    DRAW,
    FILL,
    FOUNDATION,
    MOVE,
    NERTS,
    PLAY,
    RECYCLE,
    ROTATE,
    SLIDE,
    STOCK,
    WASTE,
    WORK,
    is_open,
    turning,
)
from nertsim.engine.rng import draw, shuffle
from nertsim.engine.table import (
    hide_stock,
    is_undeclared,
    lay_on_work,
    lift_from_work,
    move_run,
    pop_stock,
    put_back_on_waste,
    put_back_on_work,
    put_under_stock,
    see_stock,
    show_waste,
    slide_under_work,
    take_from_waste,
    turn_stock,
    turn_up_nerts,
    wants_of,
    work_card,
    work_length,
)

OK, TIE, REJECTED, ABANDONED = int(Result.OK), int(Result.TIE), int(Result.REJECTED), int(Result.ABANDONED)
COLUMN_PLAY = int(SeatColumn.PLAY_NERTS)
COLUMN_BUILD = int(SeatColumn.BUILD_NERTS)
COLUMN_FILL = int(SeatColumn.FILL_NERTS)
COLUMN_MOVES = int(SeatColumn.MOVES)
COLUMN_SLIDE = int(SeatColumn.SLIDE_NERTS)
COLUMN_DRAWS = int(SeatColumn.DRAWS)
COLUMN_PASSES = int(SeatColumn.PASSES)
COLUMN_ROTATIONS = int(SeatColumn.ROTATIONS)
COLUMN_FOUNDATION = int(SeatColumn.FOUNDATION)
COLUMN_KINGS = int(SeatColumn.KINGS)
COLUMN_RACES_WON = int(SeatColumn.RACES_WON)
COLUMN_RACES_TIED = int(SeatColumn.RACES_TIED)
COLUMN_RACES_LOST = int(SeatColumn.RACES_LOST)
COLUMN_BLOCKED = int(SeatColumn.BLOCKED)
COLUMN_LAST_PLAY = int(SeatColumn.LAST_PLAY_US)

_CLOSES_STOCK = 1 << STOCK
_CLOSES_BOTH = (1 << STOCK) | (1 << WASTE)


@helper
def closes(kind, source):
    """Mask of the piles that an action closes to the partner from its lift until it has landed or come back."""
    if kind == DRAW or kind == RECYCLE:
        return _CLOSES_BOTH
    if kind == ROTATE:
        return _CLOSES_STOCK
    return 0 if kind == CALL else 1 << source


@helper
def close(state, seat, action):
    """Closes to the partner what the action takes from."""
    if is_full(state):
        state.memory[at(seat_block(seat) + CLOSED)] |= closes(action_kind(action), action_source(action))


@helper
def reopen(state, seat, action):
    """Opens it again."""
    if is_full(state):
        state.memory[at(seat_block(seat) + CLOSED)] &= ~closes(action_kind(action), action_source(action))


@helper
def lift_stock(state, seat, action):
    """A draw, recycle or rotation begins: the cards concerned are in mid-air.

    Among single hands nobody can see a draw or rotation before it lands, and nothing is done.
    """
    kind = action_kind(action)
    block = seat_block(seat)
    if kind == RECYCLE:
        unseen = state.memory[at(block + UNSEEN)]
        if unseen > 0:
            see_stock(state, seat, unseen)
        state.memory[at(block + AIR_COUNT)] = load(state.cards, own_cell(seat, OWN_WASTE)) + load(
            state.cards, own_cell(seat, OWN_STOCK)
        )
        state.cards[at(own_cell(seat, OWN_WASTE))] = 0
        state.cards[at(own_cell(seat, OWN_STOCK))] = 0
        show_waste(state, seat)
    else:
        state.memory[at(block + MAY_ROTATE)] = 0
        if is_full(state):
            cards = action_count_of_cards(action)
            if kind == ROTATE and state.rules.rotation == 2:
                cards = load(state.cards, own_cell(seat, OWN_STOCK))
            state.memory[at(block + AIR_COUNT)] = cards
            state.memory[at(block + AIR)] = NONE
            if kind == DRAW or state.rules.rotation != 2:
                for position in range(cards):
                    state.memory[at(block + AIR + position)] = pop_stock(state, seat)
            else:
                state.cards[at(own_cell(seat, OWN_STOCK))] = 0


@helper
def lift(state, seat, action):
    """Takes what the action carries off its pile into mid-air."""
    kind, source = action_kind(action), action_source(action)
    if kind >= DRAW:
        if kind < CALL:
            lift_stock(state, seat, action)
    elif source == NERTS:
        state.cards[at(seat * SEAT_STRIDE + NERTS_TOP)] = NONE
    elif source == WASTE:
        take_from_waste(state, seat)
    else:
        lift_from_work(state, seat, source - WORK, action_count_of_cards(action))
    close(state, seat, action)


@helper
def lift_late(state, slot):
    """Among single hands: lifts now what has been in mid-air since its lift, unseen by anybody."""
    action = state.memory[at(ACTION + slot)]
    kind = action_kind(action)
    state.memory[at(PHASE + slot)] = LAND
    if kind < DRAW or kind == RECYCLE:
        lift(state, state.memory[at(HAND_SEAT + slot)] & 15, action)


@subroutine
def come_back(state, seat, action):
    """What was carried lies where it came from again."""
    source = action_source(action)
    reopen(state, seat, action)
    if source == NERTS:
        turn_up_nerts(state, seat)
    elif source == WASTE:
        put_back_on_waste(state, seat, action_card(action))
    else:
        put_back_on_work(state, seat, source - WORK, action_count_of_cards(action))


@helper
def leave_source(state, seat, action):
    """What was carried has landed elsewhere: its seat has moved a card, and its pile shows what was beneath."""
    source = action_source(action)
    state.memory[at(seat_block(seat) + MOVED)] += 1
    reopen(state, seat, action)
    if source == NERTS:
        state.cards[at(seat * SEAT_STRIDE + NERTS_COUNT)] -= 1
        turn_up_nerts(state, seat)
    elif is_full(state) and source >= WORK and state.rules.joker_unfix:
        unfix(state, seat, source - WORK)


@helper
def land_play(state, seat, action, time):
    """A card lands on a foundation, ties, or is rejected (rule 10): (result, pile)."""
    memory = state.memory
    word = action_card(action)
    card = word & IDENTITY_MASK
    if is_full(state) and action_identity(action) != NONE:
        card = action_identity(action)
        word = card | (word & ~IDENTITY_MASK)
    aim = action_target(action) - FOUNDATION
    pile = land_on_foundation(state, seat, card, word, aim, time)
    result = OK
    if pile == NO_PILE:
        if not is_tie(state, card, time):
            tally(state, seat, COLUMN_RACES_LOST)
            tally(state, memory[at(PILE_SEAT + aim)] & 15, COLUMN_RACES_WON)
            return REJECTED, action_target(action)
        result = TIE
        pile = memory[at(LANDED_ON + card)] & 127
        tally(state, seat, COLUMN_RACES_TIED)
        tally(state, memory[at(LANDED_BY + card)] & 15, COLUMN_RACES_TIED)
    source = action_source(action)
    tally(state, seat, COLUMN_PLAY + (source if source < WORK else 2))
    tally(state, seat, COLUMN_FOUNDATION)
    if card >= 48:
        tally(state, seat, COLUMN_KINGS)
    memory[at(seat_block(seat) + TALLY + COLUMN_LAST_PLAY)] = time
    leave_source(state, seat, action)
    return result, FOUNDATION + pile


@helper
def still_fits(state, seat, action):
    """True when the target in the own layout takes the action at its landing; only a partner can have changed it."""
    source, card = action_source(action), action_card(action)
    whole = False
    if source >= WORK:
        left = work_length(state, seat, source - WORK)
        card, whole = work_card(state, seat, source - WORK, left), left == 0
    return target_takes(state, seat, action, card, whole)


@helper
def has_gap(state, seat):
    """True when the seat has a gap."""
    for pile in range(state.rules.work_piles):
        if work_length(state, seat, pile) == 0 and is_open(state, seat, WORK + pile):
            return True
    return False


@helper
def target_takes(state, seat, action, card, whole):
    """True when a pile of the own layout takes what a build, fill, move (`whole`: of a whole pile) or slide brings.

    `card` is the card as it is now: a joker may have been fixed, or un-fixed, since the decision.
    """
    kind, pile, identity = action_kind(action), action_target(action) - WORK, action_identity(action)
    if not is_open(state, seat, WORK + pile):
        return False
    length = work_length(state, seat, pile)
    if length == 0:
        return kind == FILL or (kind == MOVE and not whole)
    if kind == FILL:
        return False
    if kind == SLIDE:
        under = may_slide_under(work_card(state, seat, pile, 0))
        return has_gap(state, seat) and (under >> (identity if identity != NONE else card & IDENTITY_MASK)) & 1 == 1
    top = work_card(state, seat, pile, length - 1)
    if is_undeclared(top):
        return identity != NONE and (may_become(state, seat, pile, card) >> identity) & 1 == 1
    if is_undeclared(card):
        return (top & IDENTITY_MASK) > 3
    return (wants_of(state, seat, pile, length) >> (card & IDENTITY_MASK)) & 1 == 1


@helper
def card_at_source(state, seat, source, count):
    """The card that can be taken from a pile with those on it (`count` in all), or NONE."""
    if source == NERTS:
        return load(state.cards, seat * SEAT_STRIDE + NERTS_TOP)
    if source == WASTE:
        return load(state.cards, seat * SEAT_STRIDE + WASTE_TOP)
    length = work_length(state, seat, source - WORK)
    return work_card(state, seat, source - WORK, length - count) if length >= count else np.int64(NONE)


@helper
def is_same_card(card, other):
    """True for the same physical card, whatever a joker stands for."""
    number = card >> JOKER_SHIFT
    return number == other >> JOKER_SHIFT and (number > 0 or card == other)


@helper
def covers_undeclared(state, seat, action):
    """True when an undeclared joker is on top of the target of a build or move."""
    pile = action_target(action) - WORK
    length = work_length(state, seat, pile)
    return length > 0 and is_undeclared(work_card(state, seat, pile, length - 1))


@helper
def without_idle_identity(state, seat, action):
    """The action as it lands: a build or move does not fix a joker that is covered, fixed or gone meanwhile."""
    kind = action_kind(action)
    if (kind == BUILD or kind == MOVE) and not covers_undeclared(state, seat, action):
        return action | pack_action(0, 0, 0, 0, NONE, 0)
    return action


@helper
def is_stock_action_possible(state, seat, action):
    """True when a draw (of as many cards), recycle or rotation is possible at its lift."""
    kind = action_kind(action)
    if not is_open(state, seat, STOCK):
        return False
    if kind == ROTATE:
        may_rotate = state.memory[at(seat_block(seat) + MAY_ROTATE)] != 0
        return may_rotate and load(state.cards, own_cell(seat, OWN_STOCK)) > 0
    return is_open(state, seat, WASTE) and turning(state, seat) == action


@subroutine
def is_possible(state, seat, action):
    """True when an action is possible at its lift, on tables of `FullState` (section 4).

    It is looked at by itself, not in the list of legal actions: a gap need not be the lowest, and `nerts_at_once`
    binds only what is decided after the gap has come about.
    """
    kind, source, identity = action_kind(action), action_source(action), action_identity(action)
    if kind == CALL:
        return True
    if kind >= DRAW:
        return is_stock_action_possible(state, seat, action)
    count = action_count_of_cards(action)
    card = card_at_source(state, seat, source, count)
    if not (is_open(state, seat, source) and is_same_card(card, action_card(action))):
        return False
    if kind == PLAY:
        played = identity if identity != NONE else action_card(action)
        return is_accepted(state, played) == 1 and (is_undeclared(card) or card & IDENTITY_MASK == played)
    whole = source >= WORK and count == work_length(state, seat, source - WORK)
    if kind == MOVE and state.rules.whole_runs and not whole:
        return False
    if (kind == BUILD or kind == MOVE) and identity != NONE and not covers_undeclared(state, seat, action):
        return False
    return target_takes(state, seat, action, card, whole)


@helper
def land_on_work(state, seat, action):
    """A build, fill, move or slide takes effect."""
    kind, source, pile = action_kind(action), action_source(action), action_target(action) - WORK
    if kind == SLIDE:
        card = action_card(action)
        if is_full(state) and action_identity(action) != NONE:
            card = action_identity(action) | (card & ~IDENTITY_MASK)
        slide_under_work(state, seat, pile, card)
        tally(state, seat, COLUMN_SLIDE + source)
    elif kind == MOVE:
        fix_covered(state, seat, pile, action)
        move_run(state, seat, source - WORK, pile, action_count_of_cards(action))
        tally(state, seat, COLUMN_MOVES)
    else:
        fix_covered(state, seat, pile, action)
        lay_on_work(state, seat, pile, action_card(action))
        tally(state, seat, (COLUMN_BUILD if kind == BUILD else COLUMN_FILL) + source)
    leave_source(state, seat, action)


@helper
def fix_covered(state, seat, pile, action):
    """Fixes the joker that a build or move covers, if it covers one."""
    if is_full(state) and action_identity(action) != NONE:
        fix(state, seat, pile, action_identity(action))


@helper
def land_draw(state, seat, action):
    """The cards of a draw are turned onto the waste (rule 7)."""
    cards = action_count_of_cards(action)
    tally(state, seat, COLUMN_DRAWS)
    if is_full(state):
        for position in range(cards):
            put_back_on_waste(state, seat, state.memory[at(seat_block(seat) + AIR + position)])
    else:
        state.memory[at(seat_block(seat) + MAY_ROTATE)] = 0
        turn_stock(state, seat, cards)


@helper
def land_recycle(state, seat):
    """The waste is the new stock: a pass has ended, and was fruitless or not (section 4, stuck)."""
    memory, block = state.memory, seat_block(seat)
    state.cards[at(own_cell(seat, OWN_STOCK))] = memory[at(block + AIR_COUNT)]
    tally(state, seat, COLUMN_PASSES)
    fruitless = (
        memory[at(block + PASS_GROWTH)] == memory[GROWTH]
        and memory[at(block + PASS_MOVED)] == memory[at(block + MOVED)]
    )
    memory[at(block + FRUITLESS)] = memory[at(block + FRUITLESS)] + 1 if fruitless else 0
    memory[at(block + MAY_ROTATE)] = fruitless and state.rules.rotation != 1
    memory[at(block + PASS_GROWTH)] = memory[GROWTH]
    memory[at(block + PASS_MOVED)] = memory[at(block + MOVED)]


@helper
def land_rotate(state, seat, rotation_key):
    """The new stock's top card goes to its bottom, or the whole is shuffled (option `rotation`)."""
    memory, block = state.memory, seat_block(seat)
    memory[at(block + MAY_ROTATE)] = 0
    if state.rules.rotation == 2:
        if is_full(state):
            state.cards[at(own_cell(seat, OWN_STOCK))] = memory[at(block + AIR_COUNT)]
        stock, first = (
            load(state.cards, own_cell(seat, OWN_STOCK)),
            OWN_CARDS + load(state.cards, own_cell(seat, OWN_WASTE)),
        )
        if memory[at(block + UNSEEN)] > 0:
            see_stock(state, seat, stock)
        key = draw(rotation_key, memory[at(block + TALLY + COLUMN_ROTATIONS)])
        shuffle(state.cards, own_cell(seat, first), stock, key)
        log_order(state, seat)
        hide_stock(state, seat)
    elif is_full(state):
        put_under_stock(state, seat, memory[at(block + AIR)])
    else:
        put_under_stock(state, seat, pop_stock(state, seat))
    tally(state, seat, COLUMN_ROTATIONS)

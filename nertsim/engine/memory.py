"""What the engine remembers of a deal, and where: one flat array of cards, one of everything else.

Two arrays passed as one value and named offsets into them are several times faster than many arrays (measured): their
addresses stay in registers. The small functions here keep that readable. Seats own a block of SEAT_MEMORY numbers;
hands a column in the rows of facts about hands, indexed by the hand's *slot*: its rank at equal instants, so that the
least of the numbers ``time << SLOT_BITS | slot`` is the next event.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from nertsim._jit import JIT_DISABLED, at, borrow, helper, overload, types, vector
from nertsim.cards import DECK_SIZE, NONE
from nertsim.engine.layout import FACTS_SIZE, OWN_SIZE, TABLE_SIZE

MAX_SEATS = 12
MAX_SLOTS = 24
SLOT_BITS = 5
SLOT_MASK = 31
DECK_STRIDE = 64
NEVER = -(10**15)
LOG_COLUMNS = 9

# cards: what everybody sees (`View.table`), what each seat sees (`View.own`), the dealt decks
OWN = TABLE_SIZE
DECK = OWN + MAX_SEATS * OWN_SIZE
CARDS_SIZE = DECK + MAX_SEATS * DECK_STRIDE

# what a hand's next event is; UNSEEN_LAND: it lands without having been lifted by then (`clock.start_action`)
IDLE, LIFT, LAND, UNSEEN_LAND, COME_BACK, WAKE = range(6)


def _rows(first: int, count: int, width: int) -> range:
    """Offsets of `count` rows of `width` numbers, the first one at `first`."""
    return range(first, first + count * width, width)


# memory: what bots see (`View.facts`) comes first
# a row of 32 numbers for each fact of a hand, indexed by slot
_HAND_ROWS = _rows(FACTS_SIZE, 20, 32)
EVENT, PHASE, ACTION, DECIDED, LIFTED, MOTION, DECISIONS, HAND_SEAT, HAND_NUMBER, WAITED_AT_GROWTH = _HAND_ROWS[:10]
TIMING_KEY, OVERSIGHT_KEY, NOISE_KEY, ORDER_VALUE, HAND_TIMES = _HAND_ROWS[10:15]
# a row of 64 for each fact of a card or of a key of foundations
_CARD_ROWS = _rows(_HAND_ROWS.stop, 8, 64)
KEY_PILES, KEY_LOWEST, LANDED_AT, LANDED_ON, LANDED_BY, STACK_KEY, NEED_KEY, TAKEN_BY_KEY = _CARD_ROWS
# a row of 128 for each fact of a foundation
_PILE_ROWS = _rows(_CARD_ROWS.stop, 2, 128)
PILE_KEY, PILE_SEAT = _PILE_ROWS
# a row of 16 for each fact of a seat that does not change from deal to deal
_SEAT_ROWS = _rows(_PILE_ROWS.stop, 5, 16)
SEAT_HANDS, SEAT_NERTS, SEAT_STRATEGY, SEAT_SCRATCH, SEAT_WATCHES = _SEAT_ROWS
# the whole table
_TABLE_FACTS = _rows(_SEAT_ROWS.stop, 16, 1)
ACCEPTED, GROWTH, SLOTS, CALLER, LOG_LENGTH = _TABLE_FACTS[:5]
FAULT_SEAT, FAULT_TIME, FAULT_VALUE, FAULT_COUNT, DEAL = _TABLE_FACTS[5:10]
# a block a seat
SEAT_BLOCKS = _TABLE_FACTS.stop
SEAT_MEMORY = 128
RUN, WANTS = 0, 8
UNSEEN, UNSEEN_NEXT, MOVED, PASS_MOVED, PASS_GROWTH, FRUITLESS, MAY_ROTATE, CLOSED = range(24, 32)
AIR_COUNT, STALE, GAP, TOPS, ALL_WANTS, MOVE_COUNT = range(32, 38)
TALLY = 48
AIR = 80
# the moves between a seat's work piles that are legal now
MOVES = SEAT_BLOCKS + MAX_SEATS * SEAT_MEMORY
MOVES_SIZE = 1024
# the times of each hand's tempo (seat * 2 + hand), in µs
TIMES = MOVES + MAX_SEATS * MOVES_SIZE
TIMES_STRIDE = 96
TIMES_MOTION, TIMES_OVERSIGHT, TIMES_FACTORS = 64, 80, 81
MEMORY_SIZE = TIMES + MAX_SLOTS * TIMES_STRIDE


class State(NamedTuple):
    """A deal in progress among single hands without jokers; the kernels are specialised on this type."""

    cards: Any
    """uint16 (CARDS_SIZE,): every card that lies somewhere, and the lengths of piles."""
    memory: Any
    """int64 (MEMORY_SIZE,): everything else."""
    log: Any
    """int64 (rows, LOG_COLUMNS): events, where the shell wants them; no rows otherwise."""
    rules: Any
    """KernelRules."""


class FullState(NamedTuple):
    """The same for tables with jokers or seats with two hands: what only those need is compiled for this type alone."""

    cards: Any
    memory: Any
    log: Any
    rules: Any


class Hands(NamedTuple):
    """Who plays: the bots, and what their hands draw from; the same for many deals."""

    bots: Any
    """A tuple of 12 jitted functions: the different strategies at the table, the last one repeated."""
    parameters: Any
    """float64 (12 * MAX_PARAMETERS,), read only."""
    scratch: Any
    """float64 (12 * MAX_SCRATCH,): what bots remember during a deal."""
    factors: Any
    """int32: tables of log-normal factors, for each different tempo one for thinking and one for motion."""


def is_full(state: Any) -> bool:
    """True where jokers or second hands are at the table; known when the kernel is compiled."""
    return isinstance(state, FullState)


if not JIT_DISABLED:

    @overload(is_full)
    def _is_full(state):  # numba compares the bare parameters
        if isinstance(state, types.NamedTuple) and state.instance_class is FullState:
            return lambda state: True
        return lambda state: False


def with_vectors(state):
    """The same state with addresses for arrays (`Vector`), which cost nothing to hand on from kernel to kernel."""
    return state


if not JIT_DISABLED:

    @overload(with_vectors)
    def _with_vectors(state):  # numba compares the bare parameters
        make = state.instance_class
        return lambda state: make(vector(state.cards, 0), vector(state.memory, 0), borrow(state.log), state.rules)


@helper
def hands_with_vectors(hands):
    """The same hands with addresses for arrays."""
    return Hands(hands.bots, vector(hands.parameters, 0), vector(hands.scratch, 0), vector(hands.factors, 0))


def _fitting(offset: int) -> np.ndarray:
    """For each card the mask of the cards that are `offset` ranks above it and of the other colour."""
    masks = np.zeros(64, np.int64)
    for card in range(DECK_SIZE):
        rank = (card >> 2) + offset
        if 0 <= rank <= 12:
            red = card & 3 in (1, 2)
            masks[card] = (0b1001 if red else 0b0110) << (4 * rank)
    return masks


GOES_ON = _fitting(-1)
"""GOES_ON[card]: mask of the cards that go on it in a work pile; 0 for NONE."""
GOES_UNDER = _fitting(+1)
"""GOES_UNDER[card]: mask of the cards that can be slid under it as the base of a pile; 0 for NONE."""
ACES = np.int64(0b1111)


@helper
def key_of_slot(state, stream, slot):
    """The key of one of a hand's random streams (TIMING_KEY, OVERSIGHT_KEY, NOISE_KEY)."""
    return np.uint64(state.memory[at(stream + slot)])


@helper
def seat_block(seat):
    """Offset of a seat's block in `memory`."""
    return SEAT_BLOCKS + seat * SEAT_MEMORY


@helper
def own_cell(seat, offset):
    """Index in `cards` of a number of a seat's own block."""
    return OWN + seat * OWN_SIZE + offset


@helper
def bit(card):
    """The mask of one card, by what it stands for; of NONE the sign bit, which no mask holds."""
    return np.int64(1) << (card & NONE)


@helper
def moves_of(seat):
    """Offset in `memory` of a seat's list of moves."""
    return MOVES + seat * MOVES_SIZE


@helper
def load(array, index):
    """A number of an array as int64."""
    return np.int64(array[np.uint64(index)])


@helper
def tally(state, seat, column):
    """Adds one to what is counted for a seat (`codes.SeatColumn`)."""
    state.memory[at(SEAT_BLOCKS + seat * SEAT_MEMORY + TALLY + column)] += 1


@helper
def schedule(state, slot, phase, time):
    """Sets the hand's next event."""
    state.memory[at(PHASE + slot)] = phase
    state.memory[at(EVENT + slot)] = (time << SLOT_BITS) | slot

"""The clock of the hands: when they decide, lift and land, and what they choose (section 4 of the model).

Every hand has one pending event, kept as ``time << SLOT_BITS | slot``; the least of them is next.
"""

from __future__ import annotations

import numpy as np

from nertsim._jit import at, helper, own_vector, readonly_own_vector, readonly_vector, subroutine
from nertsim.cards import IDENTITY_MASK, NONE
from nertsim.codes import MINIMUM_WAIT_US, Status
from nertsim.engine.act import lift_late
from nertsim.engine.layout import (
    ACTION_COUNT,
    ACTIONS,
    DECISION,
    HAND,
    HANDS,
    MAX_PARAMETERS,
    MAX_SCRATCH,
    NOW,
    SEAT,
    View,
    action_kind,
    pack_action,
)
from nertsim.engine.memory import (
    ACCEPTED,
    ACTION,
    DECIDED,
    DECISIONS,
    EVENT,
    FAULT_COUNT,
    FAULT_SEAT,
    FAULT_TIME,
    FAULT_VALUE,
    GROWTH,
    HAND_NUMBER,
    HAND_SEAT,
    HAND_TIMES,
    LIFT,
    LIFTED,
    MOTION,
    NEED_KEY,
    NOISE_KEY,
    OVERSIGHT_KEY,
    PHASE,
    SEAT_HANDS,
    SEAT_STRATEGY,
    SEAT_WATCHES,
    SLOT_BITS,
    SLOT_MASK,
    SLOTS,
    TAKEN_BY_KEY,
    TIMES_FACTORS,
    TIMES_MOTION,
    TIMES_OVERSIGHT,
    TIMING_KEY,
    UNSEEN_LAND,
    WAITED_AT_GROWTH,
    WAKE,
    is_full,
    key_of_slot,
    own_cell,
    schedule,
)
from nertsim.engine.moves import PLAY, WAIT, list_actions
from nertsim.engine.rng import draw, noise_key
from nertsim.tempo import FACTOR_BITS, QUANTILES

LAST_ALTERNATIVE = TIMES_MOTION - 1
QUANTILE_MASK = QUANTILES - 1
QUANTILE_BITS = QUANTILES.bit_length() - 1
DONE = np.int64(1) << 62
"""The event of a hand that does nothing any more."""
FINE, BAD_ACTION, BAD_WAIT = int(Status.OK), int(Status.BAD_ACTION), int(Status.BAD_WAIT)


@helper
def next_event(state):
    """The least pending event: (time, slot)."""
    memory = state.memory
    event = memory[EVENT]
    for slot in range(1, memory[SLOTS]):
        event = min(event, memory[at(EVENT + slot)])
    return event >> SLOT_BITS, event & SLOT_MASK


FIRST_LOT = 2 * QUANTILE_BITS
SURELY = np.int64(1) << 62
LOTS_OF = np.array([0, 0x8000, 0x80008000, SURELY], np.int64)
"""The bits of `may_overlook` that count for 0, 1, 2 and more card actions."""


@helper
def is_overlooked(key, decision, word, position, oversight):
    """True when a card action is not noticed: by 15 bits of the decision's random word, or of a word for four
    actions.
    """
    if position >= 2:
        word = draw(key, decision * 256 + (position >> 2)) >> np.uint64(16 * (position & 3))
    else:
        word >>= np.uint64(FIRST_LOT + 16 * position)
    return np.int64(word & np.uint64(0x7FFF)) < oversight


@helper
def may_overlook(word, card_actions, oversight):
    """True where one of up to two card actions is overlooked, and for more than two: both lots at once, without a
    branch.
    """
    lots = np.int64(word >> np.uint64(FIRST_LOT)) & 0x7FFF7FFF
    overlooked = ~(lots + (0x8000 - oversight) * 0x10001) | SURELY
    return overlooked & LOTS_OF[at(min(card_actions, np.int64(3)))] != 0


@subroutine
def drop_overlooked(memory, key, decision, word, card_actions, count, oversight):
    """Takes out of the list what the hand does not notice at this decision; returns the new length."""
    kept = np.int64(0)
    for position in range(count):
        if position >= card_actions or not is_overlooked(key, decision, word, position, oversight):
            memory[at(ACTIONS + kept)] = memory[at(ACTIONS + position)]
            kept += 1
    return kept


@helper
def think_and_motion(state, hands, slot, word, count, kind):
    """Think and motion time (µs) of a decision among `count` noticed actions, varied by the hand's random `word`."""
    memory = state.memory
    times = memory[at(HAND_TIMES + slot)]
    factors = memory[at(times + TIMES_FACTORS)]
    quantile = np.int64(word & np.uint64(QUANTILE_MASK))
    think_factor = np.int64(hands.factors[at(factors + quantile)])
    quantile = np.int64((word >> np.uint64(QUANTILE_BITS)) & np.uint64(QUANTILE_MASK))
    motion_factor = np.int64(hands.factors[at(factors + QUANTILES + quantile)])
    think = (memory[at(times + min(count, np.int64(LAST_ALTERNATIVE)))] * think_factor) >> FACTOR_BITS
    return think, (memory[at(times + TIMES_MOTION + kind)] * motion_factor) >> FACTOR_BITS


@helper
def fault(state, slot, time, value, count):
    """Remembers what a bot did wrong, for the message."""
    memory = state.memory
    memory[FAULT_SEAT] = memory[at(HAND_SEAT + slot)]
    memory[FAULT_TIME] = time
    memory[FAULT_VALUE] = value
    memory[FAULT_COUNT] = count


@helper
def start_wait(state, slot, time, wait):
    """The hand waits and then decides afresh."""
    memory = state.memory
    if wait < MINIMUM_WAIT_US:
        fault(state, slot, time, wait, 0)
        return BAD_WAIT
    memory[at(ACTION + slot)] = pack_action(WAIT, 0, 0, 0, 0, 0)
    memory[at(WAITED_AT_GROWTH + slot)] = memory[GROWTH]
    schedule(state, slot, WAKE, time + min(wait, np.int64(1) << 40))
    return FINE


@helper
def start_action(state, hands, slot, time, word, count, action):
    """The hand thinks, then lifts, then lands.

    Among single hands nothing but the foundations can make an action impossible, and everything is scheduled for its
    landing. Its lift is an event of its own only for a play that has become impossible in the meantime
    (`doubt_plays`); in all other cases it happens unseen, at the landing, or before that when a bot looks that
    watches others (`lift_in_sight`).
    """
    memory = state.memory
    kind = action_kind(action)
    think, motion = think_and_motion(state, hands, slot, word, count, kind)
    memory[at(ACTION + slot)] = action
    memory[at(LIFTED + slot)] = time + think
    if is_full(state):
        memory[at(MOTION + slot)] = motion
        schedule(state, slot, LIFT, time + think)
    else:
        schedule(state, slot, UNSEEN_LAND, time + think + motion)


@helper
def doubt_plays(state, landed, card, time):
    """A foundation has grown by `card`: who is about to lift a card that none takes any more looks again at the
    lift.
    """
    memory = state.memory
    lost = memory[at(TAKEN_BY_KEY + (memory[at(NEED_KEY + card)] & NONE))] & ~memory[ACCEPTED]
    for slot in range(memory[SLOTS]):
        action = memory[at(ACTION + slot)]
        if (lost >> (action & IDENTITY_MASK)) & 1:
            lift = (memory[at(LIFTED + slot)] << SLOT_BITS) | slot
            later = lift > (time << SLOT_BITS) | landed
            if later and memory[at(PHASE + slot)] == UNSEEN_LAND and action_kind(action) == PLAY:
                memory[at(MOTION + slot)] = (memory[at(EVENT + slot)] >> SLOT_BITS) - memory[at(LIFTED + slot)]
                schedule(state, slot, LIFT, memory[at(LIFTED + slot)])


@subroutine
def lift_in_sight(state, watcher, time):
    """Lifts what other hands have lifted by now, for a bot that looks at their layouts."""
    memory = state.memory
    for slot in range(memory[SLOTS]):
        lifted = (memory[at(LIFTED + slot)] << SLOT_BITS) | slot
        if memory[at(PHASE + slot)] == UNSEEN_LAND and lifted < (time << SLOT_BITS) | watcher:
            lift_late(state, slot)


@helper
def decide(state, hands, slot, time):
    """The hand is free: its bot sees the table and picks an action, or waits. Returns a status."""
    memory = state.memory
    seat, hand = memory[at(HAND_SEAT + slot)] & 15, memory[at(HAND_NUMBER + slot)] & 1
    decision = memory[at(DECISIONS + slot)]
    memory[at(DECISIONS + slot)] = decision + 1
    if not is_full(state) and memory[at(SEAT_WATCHES + seat)]:
        lift_in_sight(state, slot, time)
    memory[at(DECIDED + slot)] = time
    card_actions, count = list_actions(state, seat, hand, memory[at(SEAT_HANDS + seat)])
    oversight = memory[at(memory[at(HAND_TIMES + slot)] + TIMES_OVERSIGHT)]
    word = draw(key_of_slot(state, TIMING_KEY, slot), decision)
    if oversight > 0 and may_overlook(word, card_actions, oversight):
        key = key_of_slot(state, OVERSIGHT_KEY, slot)
        count = drop_overlooked(memory, key, decision, word, card_actions, count, oversight)
    memory[NOW] = time
    memory[SEAT] = seat
    if is_full(state):
        memory[HAND] = hand
        memory[HANDS] = memory[at(SEAT_HANDS + seat)]
    memory[DECISION] = decision
    memory[ACTION_COUNT] = count
    view = View(
        readonly_vector(state.cards, 0), readonly_vector(state.cards, own_cell(seat, 0)), readonly_vector(memory, 0)
    )
    noise = noise_key(key_of_slot(state, NOISE_KEY, slot), decision)
    parameters = readonly_own_vector(hands.parameters, seat * MAX_PARAMETERS)
    scratch = own_vector(hands.scratch, seat * MAX_SCRATCH)
    chosen = hands.bots[memory[at(SEAT_STRATEGY + seat)]](view, parameters, scratch, noise)
    if chosen < 0:
        return start_wait(state, slot, time, -chosen)
    if chosen >= count:
        fault(state, slot, time, chosen, count)
        return BAD_ACTION
    start_action(state, hands, slot, time, word, count, memory[at(ACTIONS + chosen)])
    return FINE

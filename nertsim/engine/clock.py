"""The clock of the hands: when they decide, lift and land, and what they choose (section 4 of the model).

Every hand has one pending event, kept as ``time << SLOT_BITS | slot``; the least of them is next. Among single hands
only what others can see or take away is lifted in an event of its own (plays, builds, fills, moves, slides, recycles);
a draw, a rotation and a call go from the decision to the landing in one step, with the same times.
"""

from __future__ import annotations

import numpy as np

from nertsim._jit import at, helper, part, readonly_part, subroutine
from nertsim.codes import MINIMUM_WAIT_US, Status
from nertsim.engine.layout import (
    ACTION_COUNT,
    ACTIONS,
    DECISION,
    FACTS_SIZE,
    HAND,
    HANDS,
    MAX_PARAMETERS,
    MAX_SCRATCH,
    NOW,
    OWN_SIZE,
    SEAT,
    TABLE_SIZE,
    View,
    action_kind,
    pack_action,
)
from nertsim.engine.memory import (
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
    LAND,
    LIFT,
    LIFTED,
    MOTION,
    NOISE_KEY,
    OVERSIGHT_KEY,
    SEAT_HANDS,
    SEAT_STRATEGY,
    SLOT_BITS,
    SLOT_MASK,
    SLOTS,
    TIMES_FACTORS,
    TIMES_MOTION,
    TIMES_OVERSIGHT,
    TIMING_KEY,
    WAITED_AT_GROWTH,
    WAKE,
    is_full,
    key_of_slot,
    own_cell,
    schedule,
)
from nertsim.engine.moves import DRAW, RECYCLE, WAIT, list_actions
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


@helper
def overlooked_of_four(word, oversight):
    """For four card actions at once: bit 15, 31, 47 or 63 is set where the 15-bit field of the word is below `oversight`."""
    fields = word & np.uint64(0x7FFF7FFF7FFF7FFF)
    noticed = fields + np.uint64(0x8000 - oversight) * np.uint64(0x0001000100010001)
    return ~noticed & np.uint64(0x8000800080008000)


@helper
def any_overlooked(key, decision, card_actions, oversight):
    """True unless all of up to four card actions are noticed at this decision; also true for more than four."""
    if card_actions > 4:
        return True
    overlooked = overlooked_of_four(draw(key, decision * 256), oversight)
    return overlooked << np.uint64(64 - 16 * card_actions) != np.uint64(0)


@subroutine
def drop_overlooked(memory, key, decision, card_actions, count, oversight):
    """Takes out of the list what the hand does not notice at this decision; returns the new length."""
    overlooked = np.uint64(0)
    kept = np.int64(0)
    for position in range(count):
        if position & 3 == 0:
            overlooked = overlooked_of_four(draw(key, decision * 256 + (position >> 2)), oversight)
        if position >= card_actions or (overlooked >> np.uint64(16 * (position & 3) + 15)) & np.uint64(1) == np.uint64(
            0
        ):
            memory[at(ACTIONS + kept)] = memory[at(ACTIONS + position)]
            kept += 1
    return kept


@helper
def scaled(median, factor):
    """A median time multiplied by a factor in units of 2**-16; at least 1 µs."""
    return max((median * factor) >> FACTOR_BITS, np.int64(1))


@helper
def think_and_motion(state, hands, slot, decision, count, kind):
    """Think and motion time (µs) of a decision among `count` noticed actions, with its random variation."""
    memory = state.memory
    word = np.int64(draw(key_of_slot(state, TIMING_KEY, slot), decision) & np.uint64(0xFFFFFFFF))
    times = memory[at(HAND_TIMES + slot)]
    factors = memory[at(times + TIMES_FACTORS)]
    think_factor = np.int64(hands.factors[at(factors + (word & QUANTILE_MASK))])
    motion_factor = np.int64(hands.factors[at(factors + QUANTILES + ((word >> QUANTILE_BITS) & QUANTILE_MASK))])
    think = scaled(memory[at(times + min(count, np.int64(LAST_ALTERNATIVE)))], think_factor)
    return think, scaled(memory[at(times + TIMES_MOTION + kind)], motion_factor)


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
def start_action(state, hands, slot, time, decision, count, action):
    """The hand thinks, then lifts, then lands."""
    memory = state.memory
    kind = action_kind(action)
    think, motion = think_and_motion(state, hands, slot, decision, count, kind)
    memory[at(ACTION + slot)] = action
    memory[at(LIFTED + slot)] = time + think
    memory[at(MOTION + slot)] = motion
    memory[at(WAITED_AT_GROWTH + slot)] = -1
    if is_full(state) or kind < DRAW or kind == RECYCLE:
        schedule(state, slot, LIFT, time + think)
    else:
        schedule(state, slot, LAND, time + think + motion)


@helper
def decide(state, hands, slot, time):
    """The hand is free: its bot sees the table and picks an action, or waits. Returns a status."""
    memory = state.memory
    seat, hand = memory[at(HAND_SEAT + slot)] & 15, memory[at(HAND_NUMBER + slot)] & 1
    decision = memory[at(DECISIONS + slot)]
    memory[at(DECISIONS + slot)] = decision + 1
    memory[at(DECIDED + slot)] = time
    card_actions, count = list_actions(state, seat, hand, memory[at(SEAT_HANDS + seat)])
    oversight = memory[at(memory[at(HAND_TIMES + slot)] + TIMES_OVERSIGHT)]
    if oversight > 0 and card_actions > 0:
        key = key_of_slot(state, OVERSIGHT_KEY, slot)
        if any_overlooked(key, decision, card_actions, oversight):
            count = drop_overlooked(memory, key, decision, card_actions, count, oversight)
    memory[NOW] = time
    memory[SEAT] = seat
    memory[HAND] = hand
    memory[HANDS] = memory[at(SEAT_HANDS + seat)]
    memory[DECISION] = decision
    memory[ACTION_COUNT] = count
    view = View(
        readonly_part(state.cards, 0, TABLE_SIZE),
        readonly_part(state.cards, own_cell(seat, 0), OWN_SIZE),
        readonly_part(memory, 0, FACTS_SIZE),
    )
    noise = noise_key(key_of_slot(state, NOISE_KEY, slot), decision)
    parameters = readonly_part(hands.parameters, seat * MAX_PARAMETERS, MAX_PARAMETERS)
    scratch = part(hands.scratch, seat * MAX_SCRATCH, MAX_SCRATCH)
    chosen = hands.bots[memory[at(SEAT_STRATEGY + seat)]](view, parameters, scratch, noise)
    if chosen < 0:
        return start_wait(state, slot, time, -chosen)
    if chosen >= count:
        fault(state, slot, time, chosen, count)
        return BAD_ACTION
    start_action(state, hands, slot, time, decision, count, memory[at(ACTIONS + chosen)])
    return FINE

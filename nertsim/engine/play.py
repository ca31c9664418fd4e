"""One deal, from the shuffle to the score (sections 2 and 4 of the model)."""

from __future__ import annotations

import numpy as np

from nertsim._jit import at, helper, subroutine
from nertsim.cards import NONE
from nertsim.codes import WON_WHOLE, Ended, SeatColumn, Status
from nertsim.engine.act import (
    ABANDONED,
    OK,
    REJECTED,
    come_back,
    is_possible,
    land_draw,
    land_on_work,
    land_play,
    land_recycle,
    land_rotate,
    lift,
    lift_late,
    reopen,
    still_fits,
    without_idle_identity,
)
from nertsim.engine.clock import DONE, decide, doubt_plays, next_event
from nertsim.engine.deal import deal_cards
from nertsim.engine.foundations import is_accepted
from nertsim.engine.layout import (
    NERTS_COUNT,
    OWN_STOCK,
    OWN_WASTE,
    SEAT_STRIDE,
    action_card,
    action_kind,
    action_source,
    action_target,
    pack_action,
)
from nertsim.engine.log import log_action
from nertsim.engine.memory import (
    ACTION,
    CALLER,
    COME_BACK,
    DECIDED,
    EVENT,
    FRUITLESS,
    GROWTH,
    HAND_SEAT,
    IDLE,
    LAND,
    LIFT,
    LIFTED,
    LOG_LENGTH,
    MOTION,
    MOVED,
    PASS_GROWTH,
    PASS_MOVED,
    PHASE,
    SLOTS,
    TALLY,
    UNSEEN_LAND,
    WAITED_AT_GROWTH,
    WAKE,
    is_full,
    load,
    own_cell,
    schedule,
    seat_block,
    tally,
)
from nertsim.engine.moves import CALL, DRAW, NERTS, PLAY, RECYCLE, ROTATE, WAIT
from nertsim.engine.rng import Purpose, stream_key

CALLED, STUCK, TIME_LIMIT = int(Ended.CALLED), int(Ended.STUCK), int(Ended.TIME_LIMIT)
RUNNING = -1
ROTATION = int(Purpose.ROTATION)
COLUMN_WAITS, COLUMN_ABANDONED = int(SeatColumn.WAITS), int(SeatColumn.ABANDONED)
COLUMN_BLOCKED, COLUMN_RACES_LOST = int(SeatColumn.BLOCKED), int(SeatColumn.RACES_LOST)
COLUMN_FIRST_ACTION, COLUMN_LAST_ACTION = int(SeatColumn.PLAY_NERTS), int(SeatColumn.ROTATIONS)
COLUMN_SCORE, COLUMN_FOUNDATION = int(SeatColumn.SCORE), int(SeatColumn.FOUNDATION)
COLUMN_KINGS, COLUMN_NERTS_LEFT = int(SeatColumn.KINGS), int(SeatColumn.NERTS_LEFT)
COLUMN_CALLED, COLUMN_WON = int(SeatColumn.CALLED), int(SeatColumn.WON)
FINE, LOG_FULL = int(Status.OK), int(Status.LOG_FULL)


@helper
def land(state, slot, time, key):
    """The hand's action takes effect, is a tie, or is rejected; returns which (`codes.Result`)."""
    memory = state.memory
    seat, action = memory[at(HAND_SEAT + slot)] & 15, memory[at(ACTION + slot)]
    kind, target = action_kind(action), action_target(action)
    result = OK
    if not is_full(state) and kind != DRAW and memory[at(PHASE + slot)] == UNSEEN_LAND:
        lift_late(state, slot)
    if kind == DRAW:
        land_draw(state, seat, action)
    elif kind == PLAY:
        result, target = land_play(state, seat, action, time)
        if not is_full(state) and result == OK:
            doubt_plays(state, slot, action_card(action), time)
    elif kind < DRAW:
        if is_full(state) and not still_fits(state, seat, action):
            result = REJECTED
            tally(state, seat, COLUMN_BLOCKED)
        else:
            if is_full(state):
                action = without_idle_identity(state, seat, action)
            land_on_work(state, seat, action)
    elif kind == RECYCLE:
        land_recycle(state, seat)
    log_action(state, slot, time, memory[at(LIFTED + slot)], action, result, target)
    if kind == ROTATE:
        land_rotate(state, seat, stream_key(key, seat, ROTATION))
    if kind >= DRAW:
        reopen(state, seat, action)
    return result


@helper
def still_legal(state, seat, action):
    """True when the action is possible on the table as it is at its lift (section 4)."""
    if is_full(state):
        return is_possible(state, seat, action)
    return action_kind(action) != PLAY or is_accepted(state, action_card(action)) == 1


@helper
def lift_or_abandon(state, slot, time):
    """The hand lifts, or gives the action up; returns True when it has lifted."""
    memory = state.memory
    seat, action = memory[at(HAND_SEAT + slot)] & 15, memory[at(ACTION + slot)]
    if still_legal(state, seat, action):
        lift(state, seat, action)
        schedule(state, slot, LAND, time + memory[at(MOTION + slot)])
        return True
    tally(state, seat, COLUMN_ABANDONED)
    log_action(state, slot, time, time, action, ABANDONED, action_target(action))
    return False


@helper
def is_exhausted(state, seat):
    """True when the seat can be expected to get no further alone (section 4, stuck)."""
    memory, block = state.memory, seat_block(seat)
    if (
        memory[at(block + FRUITLESS)] >= state.rules.draw
        and memory[at(block + PASS_GROWTH)] == memory[GROWTH]
        and memory[at(block + PASS_MOVED)] == memory[at(block + MOVED)]
    ):
        return True
    return has_no_stock(state, seat) and waits(state, seat)


@helper
def has_no_stock(state, seat):
    """True when the seat has neither stock nor waste."""
    return load(state.cards, own_cell(seat, OWN_STOCK)) + load(state.cards, own_cell(seat, OWN_WASTE)) == 0


@helper
def waits(state, seat):
    """True when the last decision of each hand of the seat was to wait and nothing has grown since."""
    memory = state.memory
    for slot in range(memory[SLOTS]):
        if memory[at(HAND_SEAT + slot)] == seat and (
            action_kind(memory[at(ACTION + slot)]) != WAIT or memory[at(WAITED_AT_GROWTH + slot)] != memory[GROWTH]
        ):
            return False
    return True


@subroutine
def all_exhausted(state):
    """True when every seat is exhausted: the deal ends as stuck."""
    for seat in range(state.rules.seats):
        if not is_exhausted(state, seat):
            return False
    return True


@helper
def nerts_count(state, seat):
    """Cards in a seat's nerts pile, one in mid-air included."""
    return load(state.cards, seat * SEAT_STRIDE + NERTS_COUNT)


@subroutine
def call_by_itself(state, slot, time):
    """An automatic call by the hand that emptied the nerts pile."""
    memory = state.memory
    memory[CALLER] = memory[at(HAND_SEAT + slot)]
    memory[at(DECIDED + slot)] = time
    log_action(state, slot, time, time, pack_action(CALL, 0, 0, 1, NONE, NONE), OK, 0)


@helper
def end_after_landing(state, slot, time):
    """How the deal ends because of what has just landed (`codes.Ended`), or RUNNING."""
    memory = state.memory
    action = memory[at(ACTION + slot)]
    kind = action_kind(action)
    if kind == DRAW:
        return RUNNING
    seat = memory[at(HAND_SEAT + slot)] & 15
    if kind == CALL:
        memory[CALLER] = seat
        return CALLED
    if kind == RECYCLE:
        return STUCK if all_exhausted(state) else RUNNING
    if state.rules.automatic_call and kind < DRAW and action_source(action) == NERTS and nerts_count(state, seat) == 0:
        call_by_itself(state, slot, time)
        return CALLED
    return RUNNING


@helper
def retire(state, slot):
    """The hand does nothing any more."""
    state.memory[at(EVENT + slot)] = DONE
    state.memory[at(PHASE + slot)] = IDLE


@subroutine
def stop_hands(state, time):
    """Only who has lifted, or lifts at the very instant of the end, goes on; a call in motion is dropped."""
    memory = state.memory
    for slot in range(memory[SLOTS]):
        phase = memory[at(PHASE + slot)]
        lifts = LIFT <= phase <= UNSEEN_LAND and memory[at(LIFTED + slot)] <= time
        calls = lifts and action_kind(memory[at(ACTION + slot)]) == CALL
        if calls or not (lifts or phase == COME_BACK):
            retire(state, slot)


@subroutine
def finish_motions(state, slot, time, key):
    """At a call or when all are stuck: who is in motion finishes it; nobody decides any more (section 4, the call)."""
    memory = state.memory
    retire(state, slot)
    stop_hands(state, time)
    while True:
        time, slot = next_event(state)
        if memory[at(EVENT + slot)] == DONE:
            return
        if memory[at(PHASE + slot)] == LIFT:
            if not lift_or_abandon(state, slot, time):
                retire(state, slot)
        elif state.rules.mid_air_returns:
            retire(state, slot)
        elif memory[at(PHASE + slot)] == COME_BACK:
            come_back(state, memory[at(HAND_SEAT + slot)] & 15, memory[at(ACTION + slot)])
            retire(state, slot)
        elif land(state, slot, time, key) == REJECTED:
            schedule(state, slot, COME_BACK, 2 * time - memory[at(LIFTED + slot)])
        else:
            retire(state, slot)


@helper
def run_clock(state, hands, key):
    """Event after event until the deal ends: (status, how it ended, when)."""
    memory = state.memory
    while True:
        time, slot = next_event(state)
        if time > state.rules.time_limit_us:
            return FINE, TIME_LIMIT, state.rules.time_limit_us
        phase = memory[at(PHASE + slot)]
        ended = RUNNING
        if phase == UNSEEN_LAND or phase == LAND:
            if land(state, slot, time, key) == REJECTED:
                schedule(state, slot, COME_BACK, 2 * time - memory[at(LIFTED + slot)])
                continue
            ended = end_after_landing(state, slot, time)
        elif phase == LIFT:
            if lift_or_abandon(state, slot, time):
                continue
        elif phase == COME_BACK:
            come_back(state, memory[at(HAND_SEAT + slot)] & 15, memory[at(ACTION + slot)])
        elif phase == WAKE:
            tally(state, memory[at(HAND_SEAT + slot)] & 15, COLUMN_WAITS)
            log_action(state, slot, time, time, memory[at(ACTION + slot)], OK, 0)
        if ended == RUNNING:
            status = decide(state, hands, slot, time)
            if status != FINE:
                return status, RUNNING, time
            if memory[at(PHASE + slot)] == WAKE and has_no_stock(state, memory[at(HAND_SEAT + slot)] & 15):
                ended = STUCK if all_exhausted(state) else RUNNING
        if ended != RUNNING:
            finish_motions(state, slot, time, key)
            return FINE, ended, time


@helper
def actions_done(state):
    """How many actions landed in the deal, rejected ones and the call included."""
    memory = state.memory
    count = np.int64(memory[CALLER] >= 0)
    for seat in range(state.rules.seats):
        counts = seat_block(seat) + TALLY
        for column in range(COLUMN_FIRST_ACTION, COLUMN_LAST_ACTION + 1):
            count += memory[at(counts + column)]
        count += memory[at(counts + COLUMN_RACES_LOST)] + memory[at(counts + COLUMN_BLOCKED)]
    return count


@subroutine
def score_seats(state):
    """Scores every seat (rule 11, options `penalty`, `call_bonus`, `king_bonus`), and who shares the best score."""
    memory, rules = state.memory, state.rules
    best = np.int64(-(1 << 40))
    for seat in range(rules.seats):
        counts = seat_block(seat) + TALLY
        left = nerts_count(state, seat)
        called = 1 if memory[CALLER] == seat else 0
        score = memory[at(counts + COLUMN_FOUNDATION)] - rules.penalty * left
        score += rules.call_bonus * called + rules.king_bonus * memory[at(counts + COLUMN_KINGS)]
        memory[at(counts + COLUMN_NERTS_LEFT)] = left
        memory[at(counts + COLUMN_CALLED)] = called
        memory[at(counts + COLUMN_SCORE)] = score
        best = max(best, score)
    winners = 0
    for seat in range(rules.seats):
        winners += memory[at(seat_block(seat) + TALLY + COLUMN_SCORE)] == best
    for seat in range(rules.seats):
        counts = seat_block(seat) + TALLY
        memory[at(counts + COLUMN_WON)] = WON_WHOLE // winners if memory[at(counts + COLUMN_SCORE)] == best else 0


@helper
def play_deal(state, hands, key):
    """Plays one deal under the key of the deal: (status, how it ended, when in µs)."""
    deal_cards(state, hands, key)
    status, ended, time = run_clock(state, hands, key)
    score_seats(state)
    if state.log.shape[0] > 0 and state.memory[LOG_LENGTH] > state.log.shape[0]:
        status = LOG_FULL
    return status, ended, time

"""The log of events that a replay asks for: one row an action, in the order in which they take effect."""

from __future__ import annotations

from nertsim._jit import at, helper
from nertsim.engine.layout import OWN_CARDS, OWN_STOCK, OWN_WASTE
from nertsim.engine.memory import (
    DECIDED,
    HAND_NUMBER,
    HAND_SEAT,
    LOG_COLUMNS,
    LOG_LENGTH,
    load,
    own_cell,
)

LOG_TIME, LOG_DECIDED, LOG_LIFTED, LOG_SEAT, LOG_HAND, LOG_ACTION, LOG_RESULT, LOG_TARGET, LOG_ORDER = range(
    LOG_COLUMNS
)
CARDS_A_ROW = LOG_COLUMNS
"""A rotation that shuffled (LOG_ORDER = number of cards) is followed by rows that hold the new stock from its top."""


@helper
def next_row(state):
    """The row to write to, or -1 where the log is full or not wanted; full or not, the row is counted."""
    row = state.memory[LOG_LENGTH]
    state.memory[LOG_LENGTH] = row + 1
    return row if row < state.log.shape[0] else -1


@helper
def log_action(state, slot, time, lifted, action, result, target):
    """Logs what the hand in a slot did."""
    if state.log.shape[0] == 0:
        return
    row = next_row(state)
    if row >= 0:
        log, memory = state.log, state.memory
        log[row, LOG_TIME] = time
        log[row, LOG_DECIDED] = memory[at(DECIDED + slot)]
        log[row, LOG_LIFTED] = lifted
        log[row, LOG_SEAT] = memory[at(HAND_SEAT + slot)]
        log[row, LOG_HAND] = memory[at(HAND_NUMBER + slot)]
        log[row, LOG_ACTION] = action
        log[row, LOG_RESULT] = result
        log[row, LOG_TARGET] = target
        log[row, LOG_ORDER] = 0


@helper
def log_order(state, seat):
    """Logs the order of the stock behind the rotation that shuffled it; called before the stock is hidden."""
    if state.log.shape[0] == 0:
        return
    stock, first = (
        load(state.cards, own_cell(seat, OWN_STOCK)),
        OWN_CARDS + load(state.cards, own_cell(seat, OWN_WASTE)),
    )
    row = state.memory[LOG_LENGTH] - 1
    if row < state.log.shape[0]:
        state.log[row, LOG_ORDER] = stock
    row = -1
    for position in range(stock):
        if position % CARDS_A_ROW == 0:
            row = next_row(state)
        if row >= 0:
            state.log[row, position % CARDS_A_ROW] = load(state.cards, own_cell(seat, first + position))

"""Many deals, one after another, without allocation: what the shell calls."""

from __future__ import annotations

from typing import Any

from nertsim._jit import OWN_LENGTH, Vector, at, helper, kernel, types
from nertsim.codes import DealColumn, SeatColumn, Status
from nertsim.engine.foundations import prepare_foundations
from nertsim.engine.layout import MAX_PARAMETERS, SCORES, View
from nertsim.engine.memory import (
    CALLER,
    DEAL,
    SEAT_NERTS,
    TALLY,
    FullState,
    Hands,
    State,
    hands_with_vectors,
    seat_block,
    with_vectors,
)
from nertsim.engine.play import actions_done, play_deal
from nertsim.engine.rng import deal_key
from nertsim.rules import KernelRules

SEAT_COLUMNS = len(SeatColumn)
ENDED, CALLER_COLUMN, DURATION, ACTIONS_COLUMN = (
    int(DealColumn.ENDED),
    int(DealColumn.CALLER),
    int(DealColumn.DURATION_US),
    int(DealColumn.ACTIONS),
)
FINE = int(Status.OK)


@helper
def begin_match_deal(state, starts, index):
    """Puts the scores of the matches so far where bots see them, and the nerts pile sizes where the dealing reads
    them.
    """
    seats = state.rules.seats
    for seat in range(seats):
        state.memory[at(SCORES + seat)] = starts[index, seat]
        state.memory[at(SEAT_NERTS + seat)] = starts[index, seats + seat]


@helper
def begin_trial(hands, trial_seat, trials, index):
    """Gives the bot at a seat the parameters that it has in this deal."""
    for number in range(trials.shape[1]):
        hands.parameters[at(trial_seat * MAX_PARAMETERS + number)] = trials[index, number]


def play_deals(state, hands, seed, first, numbers, starts, trial_seat, trials, seat_rows, deal_rows):
    """Plays one deal for each row of `deal_rows`: (status, deals played).

    The deals are first, first + 1 … or, if there are any, those in `numbers`, int64 (deals,). Of deals in matches
    each has a row in `starts`, int64 (deals, 2 * seats): the scores so far, then the nerts pile sizes; otherwise it
    has none. Where the bot at `trial_seat` has other parameters in each deal, they are the rows of `trials`, float64
    (deals, its parameters); it has those of the last one afterwards. Written are seat_rows: int64 (deals, seats,
    SEAT_COLUMNS) and deal_rows: int64 (deals, columns of
    `DealColumn`). A status other than OK stops at the deal after those that were played.
    """
    state, hands = with_vectors(state), hands_with_vectors(hands)
    prepare_foundations(state.memory, state.rules.foundations)
    for index in range(deal_rows.shape[0]):
        if starts.shape[0] > 0:
            begin_match_deal(state, starts, index)
        if trials.shape[0] > 0:
            begin_trial(hands, trial_seat, trials, index)
        deal = numbers[index] if numbers.shape[0] > 0 else first + index
        state.memory[DEAL] = deal
        status, ended, time = play_deal(state, hands, deal_key(seed, deal))
        if status != FINE:
            return status, index
        for seat in range(state.rules.seats):
            counts = seat_block(seat) + TALLY
            for column in range(SEAT_COLUMNS):
                seat_rows[index, seat, column] = state.memory[at(counts + column)]
        deal_rows[index, ENDED] = ended
        deal_rows[index, CALLER_COLUMN] = state.memory[CALLER]
        deal_rows[index, DURATION] = time
        deal_rows[index, ACTIONS_COLUMN] = actions_done(state)
    return FINE, deal_rows.shape[0]


def _array(dtype: Any, dimensions: int, readonly: bool = False) -> Any:
    return types.Array(dtype, dimensions, "C", readonly=readonly)


_CARDS, _NUMBERS = Vector(types.uint16, readonly=True), Vector(types.int64, readonly=True)
VIEW_TYPE = types.NamedTuple([_CARDS, _CARDS, _NUMBERS], View)
DECIDE_SIGNATURE = types.int64(
    VIEW_TYPE,
    Vector(types.float64, readonly=True, length=OWN_LENGTH),
    Vector(types.float64, readonly=False, length=OWN_LENGTH),
    types.uint64,
)
"""The signature of every strategy: (view, parameters, scratch, noise) -> int64."""

_RULES_TYPE = types.NamedUniTuple(types.int64, len(KernelRules._fields), KernelRules)
_STATE_FIELDS = [_array(types.uint16, 1), _array(types.int64, 1), _array(types.int64, 2), _RULES_TYPE]
_HANDS_TYPE = types.NamedTuple(
    [
        types.UniTuple(types.FunctionType(DECIDE_SIGNATURE), 12),
        _array(types.float64, 1),
        _array(types.float64, 1),
        _array(types.int32, 1),
    ],
    Hands,
)


def compile_batch(full: bool) -> Any:
    """`play_deals` compiled (or loaded from the cache) for tables of single hands without jokers, or for all tables."""
    state_type = types.NamedTuple(_STATE_FIELDS, FullState if full else State)
    result = types.UniTuple(types.int64, 2)
    numbers, matrix = _array(types.int64, 1), _array(types.int64, 2)
    trials = (types.int64, _array(types.float64, 2))
    rows = (_array(types.int64, 3), matrix)
    signature = result(state_type, _HANDS_TYPE, types.uint64, types.int64, numbers, matrix, *trials, *rows)
    return kernel(signature)(play_deals)

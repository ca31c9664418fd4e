"""The built-in strategies, written in the same interface as anybody's own (see `nertsim.bots.view`).

They are plain functions here; the dealer compiles the ones that sit at the table.
"""

from __future__ import annotations

import numpy as np

from nertsim._jit import helper
from nertsim.bots.view import (
    action,
    action_count,
    action_count_of_cards,
    action_kind,
    action_source,
    below,
    my_seat,
    nerts_count,
    wait,
    work_length,
)
from nertsim.codes import Action, Pile

PLAY, BUILD, FILL, MOVE, SLIDE = (
    int(Action.PLAY),
    int(Action.BUILD),
    int(Action.FILL),
    int(Action.MOVE),
    int(Action.SLIDE),
)
DRAW, RECYCLE, ROTATE, CALL = int(Action.DRAW), int(Action.RECYCLE), int(Action.ROTATE), int(Action.CALL)
NERTS, WASTE, WORK = int(Pile.NERTS), int(Pile.WASTE), int(Pile.WORK)

LOOK_AGAIN_US = 300_000
"""How long a built-in bot that sees nothing to do waits before it looks again: about one eye movement and a glance."""


def random(view, parameters, scratch, noise):
    """Any legal action, each as likely as the others."""
    count = action_count(view)
    if count == 0:
        return wait(LOOK_AGAIN_US)
    return below(noise, 0, count)


def _priorities(order):
    table = np.zeros(64, np.int64)
    for value, (kind, source) in enumerate(reversed(order), start=1):
        table[kind * 4 + source] = value
    return table


GREEDY = _priorities(
    [
        (CALL, 0),
        (PLAY, NERTS),
        (BUILD, NERTS),
        (SLIDE, NERTS),
        (FILL, NERTS),
        (PLAY, 3),
        (PLAY, WASTE),
        (MOVE, 3),
        (SLIDE, WASTE),
        (BUILD, WASTE),
        (ROTATE, 2),
        (DRAW, 2),
        (RECYCLE, WASTE),
    ]
)
"""How much `greedy` likes an action: GREEDY[kind * 4 + source], all work piles as source 3; 0 for never."""


def greedy(view, parameters, scratch, noise):
    """Nerts card first, then foundations, builds, draws; moves a work pile only if that makes a gap."""
    seat = my_seat(view)
    best, best_value = np.int64(-1), np.int64(0)
    for position in range(action_count(view)):
        one = action(view, position)
        kind, source = action_kind(one), action_source(one)
        value = GREEDY[kind * 4 + min(source, WORK)]
        if value > best_value and (kind != MOVE or makes_gap(view, seat, one)):
            best, best_value = np.int64(position), value
    return best if best >= 0 else wait(LOOK_AGAIN_US)


def hasty(view, parameters, scratch, noise):
    """Plays the first thing it sees, wherever its eye falls; never plans. Draws only when it sees nothing."""
    seat = my_seat(view)
    count = action_count(view)
    cards = np.int64(0)
    while cards < count and action_kind(action(view, cards)) < DRAW:
        cards += 1
    if cards > 0:
        start = below(noise, 0, cards)
        for step in range(cards):
            position = (start + step) % cards
            one = action(view, position)
            if action_kind(one) != MOVE or makes_gap(view, seat, one):
                return position
    return count - 1 if count > cards else wait(LOOK_AGAIN_US)


@helper
def makes_gap(view, seat, one):
    """True for a move of a whole work pile, so that a gap is left, while there is a nerts card to fill it."""
    pile = action_source(one) - WORK
    return action_count_of_cards(one) == work_length(view, seat, pile) and nerts_count(view, seat) > 0


def careful(view, parameters, scratch, noise):
    """For now the same as greedy."""
    seat = my_seat(view)
    best, best_value = np.int64(-1), np.int64(0)
    for position in range(action_count(view)):
        one = action(view, position)
        kind, source = action_kind(one), action_source(one)
        value = GREEDY[kind * 4 + min(source, WORK)]
        if value > best_value and (kind != MOVE or makes_gap(view, seat, one)):
            best, best_value = np.int64(position), value
    return best if best >= 0 else wait(LOOK_AGAIN_US)

"""A bot to start from: it gives points to each legal action and takes the one with the most."""

import nertsim
from nertsim.bots.view import (
    BUILD,
    CALL,
    DRAW,
    MOVE,
    NERTS,
    PLAY,
    RECYCLE,
    ROTATE,
    WORK,
    action,
    action_count,
    action_count_of_cards,
    action_kind,
    action_source,
    my_seat,
    nerts_count,
    wait,
    work_length,
)

GAP, TIDY = 0, 1  # where the parameters stand, in the order below
PARAMETERS = {
    "gap": nertsim.Parameter(5.0, 0.0, 20.0, "points for moving a whole work pile, which leaves a gap"),
    "tidy": nertsim.Parameter(3.0, 0.0, 20.0, "points for laying a waste card on a work pile"),
}


@nertsim.helper  # stands above every function that the strategy calls
def makes_gap(view, one):
    """True for moving a whole work pile while there are nerts cards to fill the gap."""
    seat = my_seat(view)
    whole = action_count_of_cards(one) == work_length(view, seat, action_source(one) - WORK)
    return whole and nerts_count(view, seat) > 0


@nertsim.helper
def points(view, parameters, one):
    """How much this bot wants an action; 0 for what it never does."""
    kind = action_kind(one)
    if kind == CALL:
        return 100.0
    if action_source(one) == NERTS:
        return 50.0  # the pile that has to go
    if kind == PLAY:
        return 10.0
    if kind == MOVE:
        return parameters[GAP] if makes_gap(view, one) else 0.0
    if kind == BUILD:
        return parameters[TIDY]
    if kind == ROTATE:
        return 1.5
    return 1.0 if kind in (DRAW, RECYCLE) else 0.0


@nertsim.strategy(parameters=PARAMETERS, watches=False)  # watches=False: it does not look at the others' layouts
def clever(view, parameters, scratch, noise):
    """The nerts pile first, then foundations, gaps, the work piles, and the stock."""
    best, most = -1, 0.0
    for position in range(action_count(view)):
        wanted = points(view, parameters, action(view, position))
        if wanted > most:
            best, most = position, wanted
    return best if best >= 0 else wait(300_000)  # nothing to do: look again in 0.3 s

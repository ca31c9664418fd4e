"""The built-in strategies, written in the same interface as anybody's own (see `nertsim.bots.view`).

They are plain functions here; the dealer compiles the ones that sit at the table.
"""

from __future__ import annotations

import numpy as np

from nertsim._jit import helper
from nertsim.bots.view import (
    BUILD,
    CALL,
    DRAW,
    FILL,
    KING,
    MOVE,
    NERTS,
    NONE,
    PLAY,
    RECYCLE,
    ROTATE,
    SLIDE,
    WASTE,
    WORK,
    action,
    action_card,
    action_count,
    action_count_of_cards,
    action_identity,
    action_kind,
    action_source,
    action_target,
    below,
    call_bonus,
    fits,
    foundation_count,
    foundation_top,
    is_joker,
    king_bonus,
    my_seat,
    nerts_count,
    nerts_top,
    penalty,
    rank,
    seat_count,
    suit,
    wait,
    waste_top,
    work_card,
    work_length,
    work_pile_count,
    work_top,
)
from nertsim.cards import IDENTITY_MASK

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
    if best < 0:
        return wait(LOOK_AGAIN_US)
    return best if action_identity(action(view, best)) == NONE else with_joker(view, seat, best)


@helper
def opened_by(view, seat, declared):
    """What it is worth to declare a joker as that card on a foundation: own cards that can follow at once, a king's
    bonus. An ace comes last.
    """
    following = declared + 4
    value = king_bonus(view) * 8 if rank(declared) == KING else np.int64(0)
    if nerts_top(view, seat) & IDENTITY_MASK == following:
        value += 16
    for pile in range(work_pile_count(view)):
        if work_top(view, seat, pile) & IDENTITY_MASK == following:
            value += 8
    if waste_top(view, seat) & IDENTITY_MASK == following:
        value += 4
    return value + min(rank(declared), 1)


@helper
def with_joker(view, seat, chosen):
    """What to do instead of the chosen action, which plays, covers or slides a joker: the same with the best
    declaration, or on a pile that has no open joker; and an open joker is played rather than covered.
    """
    one = action(view, chosen)
    kind, source, card = action_kind(one), action_source(one), action_card(one)
    best, best_value = np.int64(chosen), np.int64(-1)
    for position in range(action_count(view)):
        other = action(view, position)
        declared = action_identity(other)
        value = np.int64(-1)
        if action_kind(other) == kind and action_source(other) == source and action_card(other) == card:
            value = opened_by(view, seat, declared) if kind == PLAY else np.int64(1000 if declared == NONE else 0)
        elif action_kind(other) == PLAY and action_source(other) == action_target(one):
            value = opened_by(view, seat, declared)
        if value > best_value:
            best, best_value = np.int64(position), value
    return best


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
                return np.int64(position) if action_identity(one) == NONE else with_joker(view, seat, position)
    return count - 1 if count > cards else wait(LOOK_AGAIN_US)


@helper
def makes_gap(view, seat, one):
    """True for a move of a whole work pile, so that a gap is left, while there is a nerts card to fill it."""
    pile = action_source(one) - WORK
    return action_count_of_cards(one) == work_length(view, seat, pile) and nerts_count(view, seat) > 0


@helper
def foundations_below(view, card):
    """How many ranks the best foundation of the card's suit is short of taking it: 0 when it can be played now."""
    best = np.int64(-1)
    for pile in range(foundation_count(view)):
        top = foundation_top(view, pile)
        if suit(top) == suit(card) and rank(top) < rank(card):
            best = max(best, rank(top))
    return rank(card) - 1 - best


@helper
def serves_nerts(view, card, nerts):
    """True when the nerts card can be laid on `card`, or `card` lies open and the foundations take it."""
    return (nerts != NONE and fits(nerts, card)) or foundations_below(view, card) == 0


@helper
def careful_move(view, seat, one, nerts):
    """A whole pile to make a gap for nerts cards; a part of a run only to free a card that is useful at once."""
    if makes_gap(view, seat, one):
        return 800
    pile = action_source(one) - WORK
    beneath = work_length(view, seat, pile) - action_count_of_cards(one) - 1
    if beneath >= 0 and serves_nerts(view, work_card(view, seat, pile, beneath), nerts):
        return 600
    return 0


@helper
def careful_build(view, seat, one, nerts):
    """A waste card goes to a work pile if that helps a nerts card or a pile, or buries nothing that is soon wanted."""
    card = action_card(one)
    if nerts != NONE and fits(nerts, card):
        return 650
    for pile in range(work_pile_count(view)):
        if work_length(view, seat, pile) > 0 and fits(work_card(view, seat, pile, 0), card):
            return 500
    buried = work_top(view, seat, action_target(one) - WORK)
    return 400 if foundations_below(view, buried) > 1 and not is_joker(buried) else 0


@helper
def should_call(view, seat, own_plays):
    """False while a call would most likely lose: some other seat seems to have more points than this one."""
    cards = np.int64(0)
    for pile in range(foundation_count(view)):
        cards += rank(foundation_top(view, pile)) + 1
    others = seat_count(view) - 1
    for other in range(seat_count(view)):
        if other != seat:
            points = (cards - own_plays) / others - penalty(view) * nerts_count(view, other)
            if points > own_plays + call_bonus(view):
                return False
    return True


def careful(view, parameters, scratch, noise):
    """What experienced players advise (section 9 of the model); remembers how many cards it has played."""
    seat = my_seat(view)
    nerts = nerts_top(view, seat)
    best, best_value = np.int64(-1), 0
    for position in range(action_count(view)):
        one = action(view, position)
        kind, source = action_kind(one), action_source(one)
        value = CAREFUL[kind * 4 + min(source, WORK)]
        if kind == MOVE:
            value = careful_move(view, seat, one, nerts)
        elif kind == BUILD and source == WASTE:
            value = careful_build(view, seat, one, nerts)
        elif kind == CALL and not should_call(view, seat, scratch[0]):
            value = 0
        if value > best_value:
            best, best_value = np.int64(position), value
    if best < 0:
        return wait(LOOK_AGAIN_US)
    if action_identity(action(view, best)) != NONE:
        best = with_joker(view, seat, best)
    if action_kind(action(view, best)) == PLAY:
        scratch[0] += 1.0
    return best


CAREFUL = np.zeros(64, np.int64)
"""How much `careful` likes an action that needs no closer look: CAREFUL[kind * 4 + source]."""
for _kind, _source, _value in (
    (CALL, 0, 2000),
    (PLAY, NERTS, 1000),
    (BUILD, NERTS, 900),
    (SLIDE, NERTS, 890),
    (FILL, NERTS, 850),
    (PLAY, 3, 700),
    (PLAY, WASTE, 690),
    (SLIDE, WASTE, 300),
    (ROTATE, 2, 120),
    (DRAW, 2, 100),
    (RECYCLE, WASTE, 90),
):
    CAREFUL[_kind * 4 + _source] = _value

"""The strategy `weighted`: the sum of what it likes and dislikes about each legal action, and the best is taken."""

from __future__ import annotations

import numpy as np

from nertsim._jit import helper
from nertsim.bots.builtin import LOOK_AGAIN_US, with_joker
from nertsim.bots.features import (
    Others,
    beneath,
    blocks_join,
    brings_nerts,
    brings_own,
    buries,
    contested,
    dumps,
    extreme_in_gap,
    gives_place,
    helps_nerts,
    helps_others,
    hurries,
    joins_piles,
    leads,
    look,
    look_at_others,
    makes_gap,
    shifts_triples,
    stands_for,
    takes_place,
    uncovered_waste,
    uncovers,
    uncovers_soon,
    uses_gap,
)
from nertsim.bots.view import (
    BUILD,
    CALL,
    DRAW,
    FILL,
    MOVE,
    NERTS,
    NONE,
    PLAY,
    ROTATE,
    SLIDE,
    WASTE,
    WORK,
    action,
    action_count,
    action_identity,
    action_kind,
    action_source,
    action_target,
    my_stock_count,
    my_waste_count,
    wait,
    work_top,
)
from nertsim.bots.weights import INDEX

PLAY_NERTS, PLAY_WASTE, PLAY_WORK = INDEX["play_nerts"], INDEX["play_waste"], INDEX["play_work"]
BUILD_NERTS, BUILD_WASTE = INDEX["build_nerts"], INDEX["build_waste"]
FILL_NERTS, FILL_WASTE = INDEX["fill_nerts"], INDEX["fill_waste"]
SLIDE_NERTS, SLIDE_WASTE = INDEX["slide_nerts"], INDEX["slide_waste"]
MOVE_PILES, ROTATE_STOCK, CALL_NERTS = INDEX["move_piles"], INDEX["rotate_stock"], INDEX["call_nerts"]
LEADS, BRINGS_NERTS, BRINGS_OWN = INDEX["leads"], INDEX["brings_nerts"], INDEX["brings_own"]
GIVES_PLACE, MAKES_GAP = INDEX["gives_place"], INDEX["makes_gap"]
UNCOVERS, UNCOVERS_SOON = INDEX["uncovers"], INDEX["uncovers_soon"]
JOINS_PILES, DUMPS, SHIFTS_TRIPLES = INDEX["joins_piles"], INDEX["dumps"], INDEX["shifts_triples"]
CONTESTED, HURRIES, TAKES_PLACE = INDEX["contested"], INDEX["hurries"], INDEX["takes_place"]
BURIES, BLOCKS_JOIN, EXTREME_IN_GAP = INDEX["buries"], INDEX["blocks_join"], INDEX["extreme_in_gap"]
USES_GAP, HELPS_NERTS, HELPS_OTHERS = INDEX["uses_gap"], INDEX["helps_nerts"], INDEX["helps_others"]

PLAYS, MOVES, GONE = 0, 1, 2
"""What it remembers: the cards it has played to foundations, its moves, and cards gone from nerts pile, stock and waste
when it counted the moves afresh.
"""
MOST_MOVES = 6
"""Moves between work piles before a card must have gone: else weights could have it move to and fro for ever."""
NEVER = -1.0
"""The points of what is not to be done: less than turning the stock has."""


@helper
def points_of_play(view, weights, seen, others, one):
    """What is good and bad about a play to a foundation."""
    source, card = action_source(one), stands_for(one)
    points = (
        weights[BRINGS_OWN] * brings_own(seen, card)
        + weights[HURRIES] * hurries(others)
        + weights[CONTESTED] * contested(others, card)
        + weights[HELPS_NERTS] * helps_nerts(others, card)
        + weights[HELPS_OTHERS] * helps_others(others, card)
    )
    if source == NERTS:
        return points + weights[PLAY_NERTS]
    points += weights[BRINGS_NERTS] * brings_nerts(seen, card)
    if source == WASTE:
        return points + weights[PLAY_WASTE] + points_of_waste(view, weights, seen)
    uncovered = beneath(view, seen.seat, one)
    return (
        points
        + weights[PLAY_WORK]
        + weights[TAKES_PLACE] * takes_place(seen, card)
        + weights[MAKES_GAP] * makes_gap(seen, uncovered)
        + weights[UNCOVERS] * uncovers(seen.wanted | seen.places, uncovered)
        + weights[UNCOVERS_SOON] * uncovers_soon(seen, uncovered)
    )


@helper
def points_of_waste(view, weights, seen):
    """What is good about taking the top of the waste, wherever it goes."""
    return weights[SHIFTS_TRIPLES] * shifts_triples(view) + weights[UNCOVERS] * uncovers(
        seen.wanted, uncovered_waste(view)
    )


@helper
def points_of_build(view, weights, seen, one):
    """What is good and bad about laying a card onto a work pile."""
    covered = work_top(view, seen.seat, action_target(one) - WORK)
    card = stands_for(one)
    points = weights[BURIES] * buries(seen, covered) + weights[BLOCKS_JOIN] * blocks_join(seen, covered)
    if action_source(one) == NERTS:
        return points + weights[BUILD_NERTS]
    return (
        points
        + weights[BUILD_WASTE]
        + weights[GIVES_PLACE] * gives_place(seen, card)
        + weights[JOINS_PILES] * joins_piles(seen, card)
        + points_of_waste(view, weights, seen)
    )


@helper
def points_of_fill(view, weights, seen, one):
    """What is good and bad about filling a gap."""
    card = stands_for(one)
    points = weights[EXTREME_IN_GAP] * extreme_in_gap(card)
    if action_source(one) == NERTS:
        return points + weights[FILL_NERTS] + weights[DUMPS] * dumps(seen)
    return (
        points
        + weights[FILL_WASTE]
        + weights[GIVES_PLACE] * gives_place(seen, card)
        + weights[JOINS_PILES] * joins_piles(seen, card)
        + points_of_waste(view, weights, seen)
    )


@helper
def points_of_move(view, weights, seen, one):
    """What is good and bad about a move between work piles."""
    uncovered, covered = beneath(view, seen.seat, one), work_top(view, seen.seat, action_target(one) - WORK)
    return (
        weights[MOVE_PILES]
        + weights[MAKES_GAP] * makes_gap(seen, uncovered)
        + weights[UNCOVERS] * uncovers(seen.wanted | seen.places, uncovered)
        + weights[UNCOVERS_SOON] * uncovers_soon(seen, uncovered)
        + weights[BURIES] * buries(seen, covered)
        + weights[USES_GAP] * uses_gap(view, seen, one)
    )


@helper
def points_of_slide(view, weights, seen, one):
    """What is good about sliding a card under a work pile."""
    if action_source(one) == NERTS:
        return weights[SLIDE_NERTS]
    return weights[SLIDE_WASTE] + points_of_waste(view, weights, seen)


@helper
def points(view, weights, scratch, seen, others, one):
    """How much it likes an action."""
    kind = action_kind(one)
    if kind == PLAY:
        return points_of_play(view, weights, seen, others, one)
    if kind == BUILD:
        return points_of_build(view, weights, seen, one)
    if kind == FILL:
        return points_of_fill(view, weights, seen, one)
    if kind == MOVE:
        return points_of_move(view, weights, seen, one) if may_move(view, scratch, seen) else NEVER
    if kind == SLIDE:
        return points_of_slide(view, weights, seen, one)
    if kind == CALL:
        return weights[CALL_NERTS] + weights[LEADS] * leads(view, seen, scratch[PLAYS])
    return weights[ROTATE_STOCK] if kind == ROTATE else 0.0


@helper
def may_move(view, scratch, seen):
    """False where it has made its moves and no card has gone since. What a partner undoes is no progress: only the
    cards that are left count.
    """
    if scratch[MOVES] < MOST_MOVES:
        return True
    gone = 64 - seen.nerts_left - my_stock_count(view) - my_waste_count(view)
    if gone <= scratch[GONE]:
        return False
    scratch[GONE], scratch[MOVES] = gone, 0.0
    return True


@helper
def remember(scratch, kind):
    """Counts the plays and the moves."""
    if kind == PLAY:
        scratch[PLAYS] += 1.0
    elif kind == MOVE:
        scratch[MOVES] += 1.0


def weighted(view, weights, scratch, noise):
    """Takes the action with the most points (the first of equal ones); waits where none has 0 points or more."""
    count = action_count(view)
    if count == 1 and is_turning(action(view, 0)):
        return np.int64(0)
    seen, others = look(view), Others(np.int64(0), np.int64(0), np.int64(0))
    if count > 0 and action_kind(action(view, 0)) == PLAY:
        others = look_at_others(view, seen.seat)
    best, most = np.int64(-1), 0.0
    for position in range(count - 1, -1, -1):
        value = points(view, weights, scratch, seen, others, action(view, position))
        if value >= most:
            best, most = np.int64(position), value
    if best < 0:
        return wait(LOOK_AGAIN_US)
    if action_identity(action(view, best)) != NONE:
        best = with_joker(view, seen.seat, best)
    remember(scratch, action_kind(action(view, best)))
    return best


@helper
def is_turning(one):
    """True for a draw, a recycle, a rotation: where nothing else is possible there is nothing to weigh."""
    return DRAW <= action_kind(one) < CALL

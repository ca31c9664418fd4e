"""Matches side by side, round by round: the rules of section 2.11 of the model, and the handicap between deals.

A match goes on until a seat has the target and is alone at the top: a tie at the top, at or above the target, is
settled by another deal. Where the rules give a number of deals (`match_deals`), that many are played and a tie is
shared. No match has more than `MATCH_STRIDE` deals; one that is not over by then ends as it stands, as *capped*.

The winner of a deal (all of them, where the top score is shared) starts the next with `winner_handicap` nerts cards
more than its usual size: for that deal alone, not on top of an earlier handicap.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from concurrent.futures import CancelledError
from threading import Event
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from nertsim.codes import WON_WHOLE, DealColumn, Ended, SeatColumn
from nertsim.rules import Rules

if TYPE_CHECKING:
    from nertsim.dealer import Chunk, Dealer

MATCH_STRIDE = 4096
"""Deal j of match m (both from 0) is deal ``m * MATCH_STRIDE + j`` of the seed, so no two matches share a deal, and
each deal can be played again alone, given the points at its start. It is also the most deals of a match.
"""


class Round(NamedTuple):
    """The same deal of all matches of a span that are not over: n of them."""

    deal: int
    """Number of the deal in its match, from 0."""
    matches: np.ndarray
    """int64 (n,): their numbers."""
    points: np.ndarray
    """int64 (n, seats): points at the start of the deal."""
    nerts: np.ndarray
    """int64 (n, seats): cards in the nerts piles at the start of the deal."""
    chunk: Chunk
    """What was played."""
    after: np.ndarray
    """int64 (n, seats): points after the deal."""
    over: np.ndarray
    """bool (n,): this was the last deal of the match."""


@dataclasses.dataclass(frozen=True)
class Outcomes:
    """How n matches, consecutive from `first`, ended."""

    first: int
    deals: np.ndarray
    """int64 (n,): deals played."""
    points: np.ndarray
    """int64 (n, seats): points at the end."""
    duration_us: np.ndarray
    """int64 (n,): simulated time of all deals of a match, µs."""
    capped: np.ndarray
    """bool (n,): ended as it stood after MATCH_STRIDE deals."""
    ended: np.ndarray
    """int64 (kinds of `Ended`,): deals of all these matches, by how they ended."""

    @property
    def won(self) -> np.ndarray:
        """int64 (n, seats): share of the win in units of 1/WON_WHOLE; 1/k each where k seats share the top."""
        top = self.points == self.points.max(axis=1, keepdims=True)
        return top * (WON_WHOLE // top.sum(axis=1, keepdims=True))

    @property
    def leads(self) -> np.ndarray:
        """int64 (n, seats): points ahead of the best other seat, negative behind it; 0 where there is one seat."""
        if self.points.shape[1] == 1:
            return np.zeros_like(self.points)
        second, top = np.sort(self.points, axis=1)[:, -2:].T
        best_other = np.where(self.points == top[:, None], second[:, None], top[:, None])
        return self.points - best_other


def rounds(dealer: Dealer, first: int, last: int) -> Iterator[Round]:
    """Plays the matches first … last - 1, the next deal of all of them at a time."""
    rules = dealer.rules
    usual = np.array(rules.nerts_list, np.int64)
    matches = np.arange(first, last, dtype=np.int64)
    points = np.zeros((len(matches), rules.seats), np.int64)
    nerts = np.tile(usual, (len(matches), 1))
    for deal in range(most_deals(rules)):
        chunk = dealer.play_in_matches(matches * MATCH_STRIDE + deal, points, nerts)
        scores = chunk.seats[:, :, SeatColumn.SCORE]
        after = points + scores
        over = _is_decided(rules, after, deal + 1) | (deal + 1 == most_deals(rules))
        yield Round(deal, matches, points, nerts, chunk, after, over)
        if over.all():
            return
        winners = scores == scores.max(axis=1, keepdims=True)
        matches, points, nerts = matches[~over], after[~over], (usual + rules.winner_handicap * winners)[~over]


def play_matches(dealer: Dealer, first: int, last: int, stop: Event) -> Outcomes:
    """Plays the matches first … last - 1 and says how they ended. Raises CancelledError soon after `stop` is set."""
    rules, count = dealer.rules, last - first
    outcomes = Outcomes(
        first=first,
        deals=np.zeros(count, np.int64),
        points=np.zeros((count, rules.seats), np.int64),
        duration_us=np.zeros(count, np.int64),
        capped=np.zeros(count, np.bool_),
        ended=np.zeros(len(Ended), np.int64),
    )
    for one in rounds(dealer, first, last):
        _record(outcomes, rules, one)
        if stop.is_set():
            raise CancelledError
    return outcomes


def most_deals(rules: Rules) -> int:
    """Deals after which a match ends whatever the points are."""
    return MATCH_STRIDE if rules.match_deals is None else rules.match_deals


def _record(outcomes: Outcomes, rules: Rules, one: Round) -> None:
    place = one.matches - outcomes.first
    outcomes.deals[place] = one.deal + 1
    outcomes.points[place] = one.after
    outcomes.duration_us[place] += one.chunk.deals[:, DealColumn.DURATION_US]
    outcomes.capped[place] = one.over & ~_is_decided(rules, one.after, one.deal + 1)
    outcomes.ended[:] += np.bincount(one.chunk.deals[:, DealColumn.ENDED], minlength=len(Ended))


def _is_decided(rules: Rules, points: np.ndarray, deals: int) -> np.ndarray:
    """bool (n,): over by the rules, with points int64 (n, seats) after so many deals."""
    if rules.match_deals is not None:
        return np.full(len(points), deals >= rules.match_deals)
    best = points.max(axis=1, keepdims=True)
    return (best[:, 0] >= rules.target) & ((points == best).sum(axis=1) == 1)

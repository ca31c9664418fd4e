"""What must be true after every event."""

from __future__ import annotations

from itertools import pairwise

from nertsim.cards import ACE, KING, rank

from .legal import fits
from .pieces import DECK_ALL, NERTS, STOCK, WASTE, WORK, Phase, Seat, Table, is_joker, physical, undeclared


class InvariantError(AssertionError):
    """The table is in a state that no play can bring about."""


def check_seat(table: Table, seat: Seat) -> None:
    """After an event of a seat: its cards, and the tops of the foundations."""
    _check_cards(table, seat)
    _check_hands(seat)
    _check_joker_marks(table, seat)
    for pile in seat.work:
        _check_work_pile(pile)
    for foundation in table.foundations:
        _require(len(foundation.cards) == rank(foundation.top) + 1, f"foundation: {foundation.cards}")


def check_all(table: Table) -> None:
    """At the end of a deal: everything."""
    for seat in table.seats:
        check_seat(table, seat)
    for number in range(len(table.foundations)):
        _check_foundation(table, number)


def _require(condition: bool, text: str) -> None:
    if not condition:
        raise InvariantError(text)


def _check_cards(table: Table, seat: Seat) -> None:
    """Each physical card of a seat is in exactly one place."""
    found = [card for pile in seat.piles for card in pile]
    found += [card for hand in seat.hands for card in hand.carried]
    found += table.played_by(seat.number)
    _require(sorted(map(physical, found)) == sorted(seat.deck), f"seat {seat.number} has not its cards: {found}")


def _check_hands(seat: Seat) -> None:
    """Who carries nothing closes nothing; two hands never close the same pile."""
    for hand in seat.hands:
        carrying = hand.phase in (Phase.LAND_AT, Phase.BACK_AT)
        _require(carrying or not hand.carried, f"seat {seat.number}: a free hand carries {hand.carried}")
        _require(bool(hand.carried) == bool(hand.closes), f"seat {seat.number}: {hand.carried} closes {hand.closes}")
    closed = [pile for hand in seat.hands for pile in hand.closes]
    _require(len(closed) == len(set(closed)), f"seat {seat.number}: closed twice: {closed}")


def _check_joker_marks(table: Table, seat: Seat) -> None:
    """Jokers stand for nothing in nerts pile, waste and stock; with `joker_unfix` on top of work piles neither."""
    for code in (NERTS, WASTE, STOCK):
        _require(all(card in DECK_ALL for card in seat.piles[code]), f"seat {seat.number}: {seat.piles[code]}")
    closed = [pile for hand in seat.hands for pile in hand.closes]
    for code in range(WORK, len(seat.piles)):
        pile = seat.piles[code]
        if table.rules.joker_unfix and pile and code not in closed and is_joker(pile[-1]):
            _require(undeclared(pile[-1]), f"seat {seat.number}: fixed joker on top of {pile}")


def _check_work_pile(pile: list[int]) -> None:
    """Down by one in alternating colour; a covered joker is fixed, an open one not on an ace."""
    for under, card in pairwise(pile):
        _require(not undeclared(under), f"covered joker not fixed: {pile}")
        good = rank(under) != ACE if undeclared(card) else fits(card, under)
        _require(good, f"no run: {pile}")


def _check_foundation(table: Table, number: int) -> None:
    """From an ace up by one, as the rules have it; a tied card has its equal in the pile."""
    foundation = table.foundations[number]
    cards = [card for card, _ in foundation.cards]
    _require([rank(card) for card in cards] == list(range(len(cards))), f"foundation {number}: {cards}")
    _require(len(cards) <= KING + 1, f"foundation {number} goes on after its king: {cards}")
    for lower, upper in pairwise(cards):
        same_suit, other_colour = lower & 3 == upper & 3, (lower & 3 in (1, 2)) != (upper & 3 in (1, 2))
        good = {"suit": same_suit, "colour": other_colour, "any": True}[table.rules.foundations]
        _require(good, f"foundation {number}: {cards}")
    equal = {card & 63 for card in cards}
    _require(all(card & 63 in equal for card, _ in foundation.tied), f"foundation {number}: tie without equal")

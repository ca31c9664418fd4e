"""What a bot sees (section 5): arrays filled by `nertsim.engine.layout`."""

from __future__ import annotations

import numpy as np

from nertsim.cards import HIDDEN, NONE
from nertsim.engine import layout
from nertsim.engine.layout import View

from .legal import Action
from .pieces import NERTS, Hand, Seat, Table


class Sight:
    """The arrays of all views of a deal. The table is one for all hands; own and facts are each hand's."""

    def __init__(self, table: Table, scores: list[int] | None) -> None:
        self.state = table
        self.table = np.zeros(layout.TABLE_SIZE, np.uint16)
        self.table[layout.FOUNDATION_TOP :] = NONE
        for block in range(0, layout.FOUNDATION_COUNT, layout.SEAT_STRIDE):
            self.table[[block + layout.NERTS_TOP, block + layout.WASTE_TOP]] = NONE
            self.table[block + layout.WORK_CARDS : block + layout.SEAT_STRIDE] = NONE
        self.own: dict[Hand, np.ndarray] = {}
        self.facts: dict[Hand, np.ndarray] = {}
        self.views: dict[Hand, View] = {}
        for seat in table.seats:
            for hand in seat.hands:
                self._prepare(hand, scores)

    def _prepare(self, hand: Hand, scores: list[int] | None) -> None:
        rules = self.state.rules
        facts = np.zeros(layout.FACTS_SIZE, np.int64)
        facts[layout.SEAT] = hand.seat.number
        facts[layout.HAND] = hand.number
        facts[layout.SEATS] = rules.seats
        facts[layout.DRAW_COUNT] = rules.draw
        facts[layout.WORK_PILES] = rules.work_piles
        facts[layout.PENALTY] = rules.penalty
        facts[layout.CALL_BONUS] = rules.call_bonus
        facts[layout.KING_BONUS] = rules.king_bonus
        facts[layout.HANDS] = len(hand.seat.hands)
        if scores is not None:
            facts[layout.TARGET] = rules.target if rules.match_deals is None else 0
            facts[layout.SCORES : layout.SCORES + len(scores)] = scores
        self.own[hand] = np.full(layout.OWN_SIZE, NONE, np.uint16)
        self.facts[hand] = facts
        self.views[hand] = View(_read_only(self.table), _read_only(self.own[hand]), _read_only(facts))

    def look(self, hand: Hand, now: int, noticed: list[Action]) -> View:
        """The view of a hand that decides now."""
        for seat in self.state.seats:
            if seat.changed:
                self._show_seat(seat)
                seat.changed = False
        self._show_foundations()
        self._show_own(hand)
        facts = self.facts[hand]
        facts[layout.NOW] = now
        facts[layout.DECISION] = hand.decisions
        facts[layout.ACTION_COUNT] = len(noticed)
        facts[layout.ACTIONS : layout.ACTIONS + len(noticed)] = [action.packed() for action in noticed]
        return self.views[hand]

    def _show_seat(self, seat: Seat) -> None:
        block = seat.number * layout.SEAT_STRIDE
        held = any(NERTS in hand.closes for hand in seat.hands)
        nerts = seat.nerts[-1] if seat.nerts and not held else NONE
        waste = seat.waste[-1] if seat.waste else NONE
        front = [nerts, seat.nerts_count(), waste, 0, *map(len, seat.work)]
        self.table[block + layout.NERTS_TOP : block + len(front)] = front
        for number, pile in enumerate(seat.work):
            first = block + layout.WORK_CARDS + number * layout.WORK_STRIDE
            self.table[first : first + len(pile)] = pile

    def _show_foundations(self) -> None:
        tops = [pile.top for pile in self.state.foundations]
        self.table[layout.FOUNDATION_COUNT] = len(tops)
        self.table[layout.FOUNDATION_TOP : layout.FOUNDATION_TOP + len(tops)] = tops

    def _show_own(self, hand: Hand) -> None:
        seat = hand.seat
        stock = seat.stock[::-1] if seat.stock_known else [HIDDEN] * len(seat.stock)
        own = self.own[hand]
        own[layout.OWN_WASTE] = len(seat.waste)
        own[layout.OWN_STOCK] = len(stock)
        cards = seat.waste + stock
        own[layout.OWN_CARDS : layout.OWN_CARDS + len(cards)] = cards
        own[layout.OWN_CARDS + len(cards) :] = NONE


def _read_only(array: np.ndarray) -> np.ndarray:
    view = array.view()
    view.flags.writeable = False
    return view

"""The lines of a trace (section 7), as dicts in the order of their keys."""

from __future__ import annotations

from typing import Any

from nertsim.cards import KING, NONE, card_text, identity_text, rank
from nertsim.codes import Action as Kind
from nertsim.codes import Ended, Result, pile_text

from .effects import Landing
from .legal import CALL, DRAW, MOVE, PLAY, SLIDE, Action
from .pieces import Hand, Seat, Table

Line = dict[str, Any]


def header(table: Table, seed: int, deal: int) -> Line:
    """The first line: what was dealt, to whom, by which rules."""
    seats = [
        {
            "seat": seat.number,
            "bot": seat.setup.name,
            "hands": len(seat.hands),
            "deck": [card_text(card) for card in seat.deck],
        }
        for seat in table.seats
    ]
    rules = table.rules.to_dict()
    return {"type": "deal", "format": "nertsim-trace/1", "seed": seed, "deal": deal, "rules": rules, "seats": seats}


def _start(hand: Hand, now: int, decided: int, lifted: int, kind: int) -> Line:
    times = {"type": "action", "t": now, "decided": decided, "lifted": lifted}
    return times | {"seat": hand.seat.number, "hand": hand.number, "action": Kind(kind).name.lower()}


def action_line(hand: Hand, now: int, landing: Landing) -> Line:
    """An action that took effect now, or was rejected or abandoned."""
    action = hand.action
    assert action is not None
    line = _start(hand, now, hand.decided, hand.lifted, action.kind)
    if action.kind != CALL:
        line |= _what(action, landing)
    if landing.stock is not None:
        line["stock"] = [card_text(card) for card in landing.stock]
    line["result"] = landing.result.name.lower()
    return line


def _what(action: Action, landing: Landing) -> Line:
    line: Line = {}
    if PLAY <= action.kind <= SLIDE:
        line["card"] = card_text(action.card)
    line["from"] = pile_text(action.source)
    line["to"] = pile_text(landing.target)
    if action.kind in (MOVE, DRAW):
        line["count"] = action.count
    if action.identity != NONE and landing.fixes:
        line["as"] = identity_text(action.identity)
    return line


def wait_line(hand: Hand, now: int) -> Line:
    """The end of a wait."""
    return _start(hand, now, hand.decided, now, Kind.WAIT) | {"result": "ok"}


def automatic_call_line(hand: Hand, now: int) -> Line:
    """A call that came by itself."""
    return _start(hand, now, now, now, CALL) | {"result": Result.OK.name.lower()}


def score_line(table: Table, ended: Ended, time: int, caller: int | None) -> Line:
    """The last line (rule 11)."""
    seats = [_score(table, seat, seat.number == caller) for seat in table.seats]
    return {"type": "score", "ended": ended.name.lower(), "t": time, "caller": caller, "seats": seats}


def _score(table: Table, seat: Seat, called: bool) -> Line:
    rules = table.rules
    played = table.played_by(seat.number)
    kings = sum(rank(card) == KING for card in played)
    left = seat.nerts_count()
    score = len(played) - rules.penalty * left + rules.king_bonus * kings + rules.call_bonus * called
    return {"seat": seat.number, "foundation": len(played), "kings": kings, "nerts_left": left, "score": score}

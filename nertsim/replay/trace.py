"""The lines of a trace (section 7 of the model), from the log and the rows of a deal."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from nertsim.cards import IDENTITY_MASK, NONE, card_text, identity_text
from nertsim.codes import Action, DealColumn, Ended, Result, SeatColumn, pile_text
from nertsim.dealer import Chunk
from nertsim.engine.layout import CARD_BITS, COUNT_BITS, IDENTITY_BITS, KIND_BITS, SOURCE_BITS
from nertsim.engine.log import CARDS_A_ROW, LOG_ORDER
from nertsim.replay.decks import dealt_deck
from nertsim.rules import Rules

FORMAT = "nertsim-trace/1"
RESULTS = [result.name.lower() for result in Result]
_COUNTED = (Action.MOVE, Action.DRAW)

Record = dict[str, Any]


def trace_records(
    rules: Rules, labels: Sequence[str], seed: int, deal: int, rows: Sequence[Sequence[int]], chunk: Chunk
) -> list[Record]:
    """The whole trace: `rows` is the log of the deal (`nertsim.engine.log`), `chunk` what was counted of it."""
    return [header(rules, labels, seed, deal), *_actions(rows), score(chunk)]


def header(rules: Rules, labels: Sequence[str], seed: int, deal: int) -> Record:
    """The first line: what was dealt, to whom, by which rules."""
    seats = [
        {
            "seat": seat,
            "bot": label,
            "hands": rules.hands_list[seat],
            "deck": [card_text(card) for card in dealt_deck(seed, deal, seat, rules.jokers)],
        }
        for seat, label in enumerate(labels)
    ]
    return {"type": "deal", "format": FORMAT, "seed": seed, "deal": deal, "rules": rules.to_dict(), "seats": seats}


def _actions(rows: Sequence[Sequence[int]]) -> list[Record]:
    records = []
    position = 0
    while position < len(rows):
        row = rows[position]
        position += 1
        record = _action(row)
        if row[LOG_ORDER]:
            last = position + -(-row[LOG_ORDER] // CARDS_A_ROW)
            order = [card for cards in rows[position:last] for card in cards][: row[LOG_ORDER]]
            result = record.pop("result")
            record |= {"stock": [card_text(card) for card in order], "result": result}
            position = last
        records.append(record)
    return records


def _action(row: Sequence[int]) -> Record:
    """An action that took effect, or was rejected or abandoned, or a wait."""
    time, decided, lifted, seat, hand, action, result, target, _ = row
    name, what = _what(action, target)
    start = {"type": "action", "t": time, "decided": decided, "lifted": lifted, "seat": seat, "hand": hand}
    return start | {"action": name} | what | {"result": RESULTS[result]}


@lru_cache(1 << 16)
def _what(action: int, target: int) -> tuple[str, Record]:
    """The name of an action, and its fields from ``card`` to ``as``."""
    kind = Action(action >> KIND_BITS)
    name = kind.name.lower()
    if kind >= Action.CALL:
        return name, {}
    what: Record = {}
    if kind <= Action.SLIDE:
        what["card"] = card_text(action >> CARD_BITS & 511)
    what["from"] = pile_text(action >> SOURCE_BITS & 15)
    what["to"] = pile_text(target)
    if kind in _COUNTED:
        what["count"] = action >> COUNT_BITS & 15
    identity = action >> IDENTITY_BITS & IDENTITY_MASK
    if identity != NONE:
        what["as"] = identity_text(identity)
    return name, what


def score(chunk: Chunk) -> Record:
    """The last line: how and when the deal ended, and what each seat scored."""
    ended, caller, time = (
        int(chunk.deals[0, column]) for column in (DealColumn.ENDED, DealColumn.CALLER, DealColumn.DURATION_US)
    )
    columns = (SeatColumn.FOUNDATION, SeatColumn.KINGS, SeatColumn.NERTS_LEFT, SeatColumn.SCORE)
    seats = [
        {"seat": seat} | {column.name.lower(): int(row[column]) for column in columns}
        for seat, row in enumerate(chunk.seats[0])
    ]
    return {
        "type": "score",
        "ended": Ended(ended).name.lower(),
        "t": time,
        "caller": None if caller < 0 else caller,
        "seats": seats,
    }

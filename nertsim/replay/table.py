"""The table as a reader of a trace sees it change: piles of card texts, each with its top last."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Record = Mapping[str, Any]


class Layout:
    """The piles of one seat."""

    def __init__(self, deck: list[str], nerts: int, work_piles: int) -> None:
        behind = nerts + work_piles
        self.piles: dict[str, list[str]] = {"nerts": deck[:nerts], "waste": [], "stock": deck[behind:][::-1]}
        self.work = [f"work{number}" for number in range(work_piles)]
        for name, card in zip(self.work, deck[nerts:behind], strict=True):
            self.piles[name] = [card]

    def top(self, pile: str) -> str | None:
        """The top card of a pile."""
        return self.piles[pile][-1] if self.piles[pile] else None

    def _take(self, pile: str, count: int) -> list[str]:
        cards = self.piles[pile][-count:]
        del self.piles[pile][-count:]
        return cards

    def happen(self, record: Record) -> None:
        """What an action that took effect does to the seat's own piles."""
        kind = record["action"]
        if kind == "draw":
            self.piles["waste"] += reversed(self._take("stock", record["count"]))
        elif kind == "recycle":
            waste, stock = self.piles["waste"], self.piles["stock"]
            self.piles["stock"], self.piles["waste"] = (waste + stock[::-1])[::-1], []
        elif kind == "rotate":
            stock = self.piles["stock"]
            self.piles["stock"] = record["stock"][::-1] if "stock" in record else [*stock[-1:], *stock[:-1]]
        elif kind not in ("call", "wait"):
            cards = self._take(record["from"], record.get("count", 1))
            if kind == "slide":
                self.piles[record["to"]][:0] = cards
            elif kind != "play":
                self.piles[record["to"]] += cards


class Table:
    """All layouts, the tops of the foundations, and what the jokers stand for."""

    def __init__(self, header: Record) -> None:
        rules = header["rules"]
        self.seats = [
            Layout(seat["deck"], nerts, rules["work_piles"])
            for seat, nerts in zip(header["seats"], rules["nerts"], strict=True)
        ]
        self.foundations: dict[str, str] = {}
        self.shuffles: bool = rules["rotation"] == "shuffle"
        self._unfix: bool = rules["joker_unfix"]
        self._fixed: dict[tuple[int, str], str] = {}

    def name(self, seat: int, card: str) -> str:
        """A card as it is to be read: ``JK1 (6S)`` for a joker that is fixed."""
        stands_for = self._fixed.get((seat, card))
        return f"{card} ({stands_for})" if stands_for else card

    def covered(self, record: Record) -> str | None:
        """The joker that an action fixes: the one it slides, or the one that it covers."""
        if "as" not in record or record["action"] == "play":
            return None
        return record["card"] if record["action"] == "slide" else self.seats[record["seat"]].top(record["to"])

    def happen(self, record: Record) -> None:
        """An action takes effect."""
        seat, joker = record["seat"], self.covered(record)
        if joker is not None:
            self._fixed[seat, joker] = record["as"]
        self.seats[seat].happen(record)
        if record["action"] == "play" and record["result"] == "ok":
            self.foundations[record["to"]] = record.get("as", record["card"])
        if self._unfix and record.get("from", "").startswith("work"):
            self._fixed.pop((seat, self.seats[seat].top(record["from"]) or ""), None)

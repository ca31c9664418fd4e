"""The common area: every play against the foundations, in file order.

What a hand could see when it decided or lifted is known only up to the order of events at that very microsecond,
so a foundation there is every top that it can have had: see `Foundation.tops_at`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from .cards import follows, is_ace
from .deal import Action, Deal


@dataclass
class Foundation:
    """Cards that made it grow, as (time, line index, identity)."""

    grown: list[tuple[int, int, str]] = field(default_factory=list)

    @property
    def top(self) -> str:
        return self.grown[-1][2]

    def tops_at(self, t: int, before: int) -> list[str]:
        """Each top it may have had at `t` for a hand whose previous line is `before`; empty if not started."""
        tops: list[str] = []
        for when, index, card in self.grown:
            if when < t or index <= before:
                tops = [card]
            elif when == t:
                tops.append(card)
        return tops


class Table:
    """All foundations, numbered as they were started."""

    def __init__(self, rules: dict):
        self.rules = rules
        self.piles: list[Foundation] = []

    def taking(self, card: str) -> list[int]:
        """Piles that accept the card now, without a new one."""
        return [n for n, pile in enumerate(self.piles) if follows(pile.top, card, self.rules["foundations"])]

    def aims(self, action: Action, t: int) -> set[int]:
        """Piles that the action could be aimed at, at `t`: those taking its card, or for an ace the next new one."""
        tops = [pile.tops_at(t, action.before) for pile in self.piles]
        if is_ace(action.stands_for):
            started = [n for n, found in enumerate(tops) if found]
            surely = [n for n, pile in enumerate(self.piles) if self.surely_before(pile, action, t)]
            return set(range(len(surely), len(started) + 1))
        mode = self.rules["foundations"]
        return {n for n, found in enumerate(tops) if any(follows(top, action.stands_for, mode) for top in found)}

    @staticmethod
    def surely_before(pile: Foundation, action: Action, t: int) -> bool:
        when, index, _ = pile.grown[0]
        return when < t or index <= action.before

    def equals(self, action: Action) -> set[int]:
        """Piles that the same rank and suit made grow within the tie window."""
        since = action.t - self.rules["tie_window_us"]
        card = action.stands_for
        return {n for n, pile in enumerate(self.piles) for when, _, c in pile.grown if c == card and when >= since}

    def grow(self, action: Action, number: int) -> None:
        """The card of the action lands on a pile."""
        if number == len(self.piles):
            self.piles.append(Foundation())
        if number < len(self.piles):
            self.piles[number].grown.append((action.t, action.index, action.stands_for))


def check_foundations(deal: Deal) -> list[str]:
    """All plays of a deal."""
    table = Table(deal.rules)
    problems = []
    for action in deal.actions:
        if action.kind == "play":
            problems += [f"{action.name}: {problem}" for problem in check_play(table, action)]
    return problems


def check_play(table: Table, action: Action) -> list[str]:
    """One play; the foundations then follow the file, right or wrong, so that one fault is reported once."""
    number = int(action.target.removeprefix("foundation"))
    aims = table.aims(action, action.decided)
    if action.result == "abandoned":
        problems = check_abandoned(table, action, aims, number)
    else:
        problems = check_landed(table, action, aims, number)
    if not aims:
        problems = [f"decided although no foundation took {action.stands_for}"]
    if action.grew:
        table.grow(action, number)
    return problems


def check_landed(table: Table, action: Action, aims: set[int], number: int) -> list[str]:
    """Still possible at the lift, and at the landing the result and the pile that it had to have."""
    problems = []
    if not table.aims(action, action.lifted):
        problems.append("lifted although no foundation took the card any more (to be abandoned)")
    result, places = landing(table, action, aims)
    if action.result != result:
        problems.append(f"had to be '{result}', not '{action.result}'")
    elif number not in places:
        problems.append(f"had to go to foundation {sorted(places)}, not {number}")
    return problems


def check_abandoned(table: Table, action: Action, aims: set[int], number: int) -> list[str]:
    """Given up at the lift: `to` is the aim; whether it had to be given up is for `layout` to say."""
    if is_ace(action.stands_for):
        aims = aims | set(range(min(aims), len(table.piles) + 1))
    else:
        action.foundation_takes = bool(table.taking(action.stands_for))
    return [] if number in aims else [f"could not be aimed at foundation {number}"]


def landing(table: Table, action: Action, aims: set[int]) -> tuple[str, set[int]]:
    """What must happen to a card that lands: (result, piles that `to` may name).

    The pile aimed at if it accepts, else the lowest-numbered that does; else a tie with an equal card that made a
    pile grow within the window (inclusive); else it goes back.
    """
    if is_ace(action.stands_for):
        return "ok", {len(table.piles)}
    taking = table.taking(action.stands_for)
    if taking:
        return "ok", {aim if aim in taking else min(taking) for aim in aims}
    equals = table.equals(action)
    if equals and table.rules["tie"] == "both":
        return "tie", equals
    return "rejected", aims

"""Passes through the stock, exhaustion, and the end as *stuck* (section 4).

Whether a seat is exhausted can be uncertain from outside: a wait that the end cuts off is not written, and the order
of a decision against a growth at the same microsecond is not in the file. So there are two questions: is the seat
*surely* exhausted (a deal must not go on when all are), and is it *possibly* exhausted (a stuck end needs all to be).
"""

from __future__ import annotations

from dataclasses import dataclass

from .deal import Action, Deal


@dataclass
class Decision:
    """What a hand last decided, as far as the file tells."""

    kind: str  # "wait", "other" or "unknown" (nothing more is written: thinking, or waiting, when the deal ended)
    t: int
    before: int  # index of the line that surely precedes it


class Seat:
    """The counts of one seat."""

    def __init__(self, deal: Deal, number: int):
        rules = deal.rules
        self.hands = [deal.of(number, hand) for hand in deal.hands(number)]
        self.draw = rules["draw"]
        self.pool = len(deal.decks[number]) - rules["nerts"][number] - rules["work_piles"]  # stock and waste
        self.moved = False  # a card of the seat moved, or a foundation grew, in this pass
        self.fruitless = 0  # passes in a row

    def freshen(self) -> None:
        """A move of its own or any growth."""
        self.moved, self.fruitless = True, 0

    def recycle(self) -> bool:
        """A pass ends; True if it was fruitless."""
        was_fruitless = not self.moved
        self.fruitless = self.fruitless + 1 if was_fruitless else 0
        self.moved = False
        return was_fruitless

    def exhausted(self, surely: bool, t: int, index: int, growth: Action | None, closing: bool) -> bool:
        """Exhausted at `t` after line `index`; `closing`: and after every decision at `t`."""
        if self.fruitless >= self.draw:
            return True
        if self.pool:
            return False
        every = all if surely else any
        return all(
            every(idle(decision, growth, surely) for decision in current(actions, t, index, closing))
            for actions in self.hands
        )


def idle(decision: Decision, growth: Action | None, surely: bool) -> bool:
    """The decision was to wait, and nothing has grown since."""
    if surely:
        since = growth is None or growth.t < decision.t or growth.index <= decision.before
        return decision.kind == "wait" and since
    return decision.kind != "other" and (growth is None or growth.t <= decision.t)


def current(actions: list[Action], t: int, index: int, closing: bool) -> list[Decision]:
    """What the hand's last decision at `t`, after line `index`, can be."""
    made = [a for a in actions if a.decided < t or (a.decided == t and a.index <= index)]
    options = [Decision("wait" if a.kind == "wait" else "other", a.decided, a.before) for a in made[-1:]]
    last = made[-1] if made else None
    if last and (last.index > index or last.free_at > t):
        return options
    if len(made) < len(actions):
        following = actions[len(made)]
        if following.decided != t:
            return options
        coming = Decision("wait" if following.kind == "wait" else "other", t, following.before)
    else:
        coming = Decision("unknown", last.free_at if last else 0, last.index if last else -1)
    return [coming] if closing or coming.t < t else [*options, coming]


class Passes:
    """Runs over the lines in order."""

    def __init__(self, deal: Deal):
        self.deal = deal
        self.seats = [Seat(deal, number) for number in deal.seats]
        self.growth: Action | None = None
        self.sure: tuple[int, int | None] | None = None  # (t, line index) of the first sure exhaustion of all
        self.possible = False  # all seats may be exhausted at the instant of the score line

    def take(self, action: Action) -> None:
        """The effect of one line on the counts; annotates recycles and rotations for `layout`."""
        seat = self.seats[action.seat]
        if action.grew:
            self.growth = action
            for other in self.seats:
                other.freshen()
        if action.moved:
            seat.freshen()
            seat.pool -= action.source == "waste"
        if action.kind == "rotate":
            action.fresh = seat.moved
        if action.kind == "recycle" and action.result == "ok":
            action.fruitless = seat.recycle()

    def all_exhausted(self, surely: bool, t: int, index: int, closing: bool) -> bool:
        return all(seat.exhausted(surely, t, index, self.growth, closing) for seat in self.seats)

    def run(self) -> None:
        """Take every line, asking the two questions where the answer can change."""
        end = self.deal.score.t
        waits = sorted({a.decided for a in self.deal.actions if a.kind == "wait"}, reverse=True)
        asked = False
        for action in [*self.deal.actions, None]:
            index = action.index if action else len(self.deal.actions)
            while waits and (action is None or waits[-1] < action.t):
                self.ask_surely(waits.pop(), index - 1, closing=True)
            if not asked and (action is None or action.t >= end):
                self.possible |= self.all_exhausted(False, end, index - 1, closing=False)
                asked = True
            if action is None:
                return
            self.take(action)
            if action.t == end:
                self.possible |= self.all_exhausted(False, end, index, closing=False)
            if action.kind == "recycle" and action.result == "ok":
                self.ask_surely(action.t, index, closing=False)

    def ask_surely(self, t: int, index: int, closing: bool) -> None:
        if self.sure is None and self.all_exhausted(True, t, index, closing):
            self.sure = t, None if closing else index


def check_passes(deal: Deal) -> list[str]:
    """Stuck exactly when every seat is exhausted: not earlier, and not later."""
    passes = Passes(deal)
    passes.run()
    problems = []
    if passes.sure and goes_on_after(deal, *passes.sure):
        problems.append(f"every seat was exhausted at {passes.sure[0]}, but the deal went on")
    if deal.score.ended == "stuck":
        if not passes.possible:
            problems.append("ended as stuck, but not every seat was exhausted")
        elif not exhaustion_at(deal, deal.score.t):
            problems.append("ended as stuck at an instant at which no seat can have become exhausted")
    return problems


def goes_on_after(deal: Deal, t: int, index: int | None) -> bool:
    """The deal did not end at or before `t` (and line `index`, where the order at `t` is known)."""
    if deal.score.t != t:
        return deal.score.t > t
    calls = [action.index for action in deal.actions if action.kind == "call"]
    return index is not None and deal.score.ended == "called" and bool(calls) and calls[0] > index


def exhaustion_at(deal: Deal, t: int) -> bool:
    """A recycle landed at `t`, or a hand can have decided to wait then."""
    if any(a.kind == "recycle" and a.result == "ok" and a.t == t for a in deal.actions):
        return True
    for seat in deal.seats:
        for hand in deal.hands(seat):
            actions = deal.of(seat, hand)
            if any(a.kind == "wait" and a.decided == t for a in actions):
                return True
            if (actions[-1].free_at if actions else 0) == t:
                return True
    return False

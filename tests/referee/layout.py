"""Each seat's own piles, replayed: what its hands may take and lay, when they decide, lift and land.

The foundations are checked apart, so a layout is changed by its own hands alone. With one hand the order of events is
in the file. With two, the order of one hand's decision, lift or return against the other's landing at the very same
microsecond is not: then any order in which all is right is accepted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from .cards import IDENTITIES, is_ace, is_joker, stacks
from .deal import Action, Deal

Event = tuple[str, Action]  # "decide", "lift", "line" (it takes effect) or "return" (a rejected card is back)
STOCK_ACTIONS = ("draw", "recycle", "rotate")
ORDERS = 300  # orders of one instant that are tried


@dataclass(frozen=True)
class Held:
    """Cards in mid-air or on their way back, and the piles that this closes to the partner."""

    source: str
    cards: tuple[str, ...]
    closes: tuple[str, ...]
    whole: bool = False  # the whole of a work pile


class Layout:
    """One seat. Piles are lists: nerts, work and waste with the top last, the stock with its top first."""

    def __init__(self, deal: Deal, seat: int):
        self.rules, self.deal, self.seat = deal.rules, deal, seat
        deck, nerts, work = deal.decks[seat], self.rules["nerts"][seat], self.rules["work_piles"]
        self.work = [f"work{n}" for n in range(work)]
        self.piles = {"nerts": deck[:nerts], "waste": [], "stock": deck[nerts + work :]}
        self.piles |= {name: [deck[nerts + n]] for n, name in enumerate(self.work)}
        self.held: dict[int, Held] = {}
        self.fixed: dict[str, str] = {}  # identities of the jokers that have one
        self.played: list[str] = []
        self.may_rotate = False
        self.onto: dict[int, str] = {}  # of a build or move: what its target was when it was decided

    def copy(self) -> Layout:
        """Independent of the original."""
        other = object.__new__(Layout)
        other.__dict__ |= self.__dict__
        other.piles = {name: list(cards) for name, cards in self.piles.items()}
        other.held, other.fixed, other.onto = dict(self.held), dict(self.fixed), dict(self.onto)
        other.played = list(self.played)
        return other

    # Events

    def happen(self, event: Event) -> list[str]:
        """Apply one event; problems."""
        what, action = event
        handler = {"decide": self.decide, "lift": self.lift, "line": self.line, "return": self.come_back}[what]
        return [f"{action.name}: {problem}" for problem in handler(action)]

    def decide(self, action: Action) -> list[str]:
        """Only what is possible then may be decided."""
        if action.kind in ("build", "move"):
            self.onto[action.index] = self.kind_of_target(action)
        reason = self.why_not(action, exact=action.result == "abandoned")
        if reason is None and action.identity and self.onto.get(action.index, "open joker") != "open joker":
            reason = "no joker was there to be fixed"
        if reason is None and self.must_fill(action) and not self.unseen_partner(action, action.decided):
            reason = "a gap had to be filled from the nerts pile"
        return [f"decided although {reason}"] if reason else []

    def lift(self, action: Action) -> list[str]:
        """Still possible, else it had to be abandoned; the cards leave their pile."""
        reason = self.why_not(action, exact=True)
        if reason:
            return [f"lifted although {reason} (to be abandoned)"]
        if action.kind != "call":
            self.held[action.hand] = self.take(action)
        return []

    def line(self, action: Action) -> list[str]:
        """The action takes effect."""
        if action.kind == "wait":
            return []
        if action.result == "abandoned":
            return self.check_abandoned(action)
        if action.kind == "call":
            reason = self.call_reason()
            return [f"landed although {reason}"] if reason else []
        held = self.held.get(action.hand)
        return self.land(action, held) if held else []  # nothing held: its lift was wrong and is reported

    def come_back(self, action: Action) -> list[str]:
        """A rejected card is on its pile again."""
        held = self.held.pop(action.hand, None)
        if held:
            self.piles[held.source] += held.cards
        return []

    # Lifting

    def take(self, action: Action) -> Held:
        """Take the cards of an action that was found possible from their piles."""
        stock, waste = self.piles["stock"], self.piles["waste"]
        if action.kind == "draw":
            self.may_rotate = False
            self.piles["stock"] = stock[action.count :]
            return Held("stock", tuple(stock[: action.count]), ("stock", "waste"))
        if action.kind == "recycle":
            self.piles["stock"], self.piles["waste"] = [], []
            return Held("waste", tuple(waste + stock), ("stock", "waste"))
        if action.kind == "rotate":
            self.may_rotate = False
            count = len(stock) if self.rules["rotation"] == "shuffle" else 1
            self.piles["stock"] = stock[count:]
            return Held("stock", tuple(stock[:count]), ("stock",))
        pile = self.piles[action.source]
        at = len(pile) - action.count
        self.piles[action.source] = pile[:at]
        return Held(action.source, tuple(pile[at:]), (action.source,), at == 0)

    # Landing

    def land(self, action: Action, held: Held) -> list[str]:
        """Lay down what the hand holds, or leave it in the hand on its way back."""
        problems = []
        if action.kind not in (*STOCK_ACTIONS, "play"):
            problems = self.check_landing(action, held)
        if action.result == "rejected":
            return problems
        del self.held[action.hand]
        if action.kind in STOCK_ACTIONS:
            return self.land_stock(action, held)
        if action.kind == "play":
            self.played += held.cards
        elif action.kind == "slide":
            self.piles[action.target] = [*held.cards, *self.piles[action.target]]
        else:
            self.piles[action.target] += held.cards
        self.uncover(held.source)
        return problems

    def check_landing(self, action: Action, held: Held) -> list[str]:
        """In the own layout: rejected exactly when it is no longer legal. Jokers are fixed here."""
        reason = self.target_reason(action, held.whole)
        if action.result == "rejected":
            allowed = reason or self.target_changed(action) or self.unseen_partner(action, action.t)
            return [] if allowed else ["rejected although it was legal"]
        if reason:
            return [f"landed although {reason}"]
        joker = action.card if action.kind == "slide" else (self.piles[action.target] or [""])[-1]
        fixes = action.kind in ("build", "move", "slide") and is_joker(joker) and joker not in self.fixed
        if fixes != (action.identity is not None):
            return ["'as' is missing" if fixes else "'as' although no joker is fixed by it"]
        if fixes and action.identity:
            self.fixed[joker] = action.identity
        return []

    def land_stock(self, action: Action, held: Held) -> list[str]:
        """Rule 7: the cards keep their order; a rotation moves one to the bottom, or shuffles."""
        if action.kind == "draw":
            self.piles["waste"] += held.cards
        elif action.kind == "recycle":
            self.piles["stock"] = list(held.cards)
            self.may_rotate = action.fruitless
        elif action.stock is None:
            self.piles["stock"] += held.cards
        else:
            if Counter(action.stock) != Counter(held.cards):
                return ["the new stock is not the old one in another order"]
            self.piles["stock"] = list(action.stock)
        return []

    def uncover(self, source: str) -> None:
        """Option `joker_unfix`: an uncovered joker may be any card again."""
        pile = self.piles[source]
        if self.rules["joker_unfix"] and source in self.work and pile:
            self.fixed.pop(pile[-1], None)

    # Abandoning

    def check_abandoned(self, action: Action) -> list[str]:
        """Given up only when it is no longer possible."""
        allowed = (
            self.why_not(action, exact=True)
            or not action.foundation_takes
            or self.must_fill(action)
            or self.target_changed(action)
            or (action.kind == "rotate" and action.fresh)
            or self.unseen_partner(action, action.t)
        )
        return [] if allowed else ["abandoned although it was still possible"]

    def target_changed(self, action: Action) -> bool:
        """A move whose target was a gap and is none, or the other way round, or a build or move whose target had a
        joker that is not fixed on top and has none, or the other way round: the model is open whether it stands.
        """
        was = self.onto.get(action.index)
        return was is not None and was != self.kind_of_target(action)

    def kind_of_target(self, action: Action) -> str:
        """What the target of a build or move is now: a gap, a joker that this would fix, or cards."""
        pile = self.piles[action.target]
        if action.kind == "move" and self.is_gap(action.target):
            return "gap"
        return "open joker" if pile and is_joker(pile[-1]) and pile[-1] not in self.fixed else "cards"

    def unseen_partner(self, action: Action, t: int) -> bool:
        """At `t` the partner may be in a motion that is not in the file, since the end sent its cards back."""
        if not self.deal.cuts_motions():
            return False
        for hand in self.deal.hands(self.seat):
            actions = self.deal.of(self.seat, hand)
            if hand != action.hand and (not actions or actions[-1].free_at <= t):
                return True
        return False

    # What is possible; a reason why not, or None

    def why_not(self, action: Action, exact: bool) -> str | None:
        """Is the action possible on the layout as it is? `exact`: with this very number of cards."""
        if action.kind == "wait":
            return None
        if action.kind == "call":
            return self.call_reason()
        if reason := self.role_reason(action):
            return reason
        if action.kind in STOCK_ACTIONS:
            return self.stock_reason(action, exact)
        if reason := self.source_reason(action, exact):
            return reason
        if action.kind == "play":
            fixed = self.fixed.get(action.card)
            return f"the joker is fixed as {fixed}" if fixed not in (None, action.identity) else None
        return self.target_reason(action, self.piles[action.source][:1] == [action.card])

    def role_reason(self, action: Action) -> str | None:
        """Split roles: hand 0 nerts and work piles, hand 1 stock and waste."""
        if len(self.deal.hands(self.seat)) < 2 or self.rules["roles"] == "free":
            return None
        if action.hand == (1 if action.source in ("stock", "waste") else 0):
            return None
        return "it is the partner's role"

    def call_reason(self) -> str | None:
        """Rule 9; a nerts card in mid-air or on its way back counts as in the pile."""
        if self.piles["nerts"]:
            return "the nerts pile is not empty"
        return "a nerts card is in mid-air" if self.in_air("nerts") else None

    def stock_reason(self, action: Action, exact: bool) -> str | None:
        """Draw, recycle, rotate: one hand at a time, with both piles open, and the options of rule 7."""
        if reason := self.closed("stock", action.hand) or self.closed("waste", action.hand):
            return reason
        if action.kind == "rotate":
            return self.rotate_reason()
        stock, waste, draw = len(self.piles["stock"]), len(self.piles["waste"]), self.rules["draw"]
        needed = 1 if self.rules["leftover"] or stock + waste < draw else draw
        if action.kind == "recycle":
            if stock >= needed:
                return "the stock can still be drawn from"
            return None if stock + waste else "there is neither stock nor waste"
        if stock < needed:
            return "the stock has too few cards"
        if exact and action.count != min(draw, stock):
            return f"the draw is of {min(draw, stock)} cards, not {action.count}"
        return None

    def rotate_reason(self) -> str | None:
        """After a fruitless pass, once, and before anything is drawn from the new stock."""
        if self.rules["rotation"] == "none":
            return "there is no rotation"
        if not self.may_rotate or not self.piles["stock"]:
            return "no fruitless pass has just ended"
        return None

    def source_reason(self, action: Action, exact: bool) -> str | None:
        """The card can be taken: the top of an open pile, or a run of a work pile down to its top."""
        pile = self.piles[action.source]
        if reason := self.closed(action.source, action.hand):
            return reason
        if action.card not in pile or (action.kind != "move" and pile[-1] != action.card):
            return f"{action.card} was not {'in' if action.kind == 'move' else 'on top of'} {action.source}"
        at = pile.index(action.card)
        if exact and len(pile) - at != action.count:
            return f"the run from {action.card} has {len(pile) - at} cards, not {action.count}"
        if action.kind == "move" and at and self.rules["runs"] == "whole":
            return "only whole piles may move"
        return None

    def target_reason(self, action: Action, whole: bool) -> str | None:
        """The card can be laid down in the own layout."""
        target = action.target
        if reason := self.closed(target, action.hand):
            return reason
        if action.kind == "slide":
            return self.slide_reason(action)
        if action.kind == "fill":
            return None if self.is_gap(target) else f"{target} was no gap"
        if action.kind == "move" and self.is_gap(target):
            return "a whole pile may not move into a gap" if whole else None
        pile = self.piles[target]
        if not pile:
            return f"{target} had no card"
        return self.identity_reason(pile[-1], action, self.bearing(pile, action.card))

    def slide_reason(self, action: Action) -> str | None:
        """Rule 6: a gap exists, and the card is one rank above the base card, of the other colour."""
        if not self.rules["slide"]:
            return "there is no sliding"
        if not any(self.is_gap(name) for name in self.work):
            return "there was no gap"
        pile = self.piles[action.target]
        if not pile:
            return f"{action.target} had no card"
        bases = self.identities(pile[0])
        return self.identity_reason(
            action.card, action, {c for c in self.identities(action.card) if any(stacks(c, base) for base in bases)}
        )

    def identity_reason(self, joker: str, action: Action, options: set[str]) -> str | None:
        """`options`: what the covered or slid card can be so that the action fits."""
        if not options:
            return f"{action.card} does not fit {action.target}"
        if is_joker(joker) and joker not in self.fixed and action.identity not in (None, *options):
            return f"the joker cannot be {action.identity}"
        return None

    def bearing(self, pile: list[str], card: str) -> set[str]:
        """Identities of the pile's top that bear the card. Rule 12: a joker must fit the card under it, no ace."""
        tops = self.identities(pile[-1])
        if is_joker(pile[-1]) and len(pile) > 1:
            under = self.identities(pile[-2])
            tops = {top for top in tops if any(stacks(lower, top) for lower in under)}
        uppers = self.identities(card)
        return {top for top in tops if not is_ace(top) and any(stacks(top, upper) for upper in uppers)}

    def identities(self, card: str) -> set[str]:
        """What a card can stand for."""
        if not is_joker(card):
            return {card}
        return {self.fixed[card]} if card in self.fixed else set(IDENTITIES)

    def must_fill(self, action: Action) -> bool:
        """Option `gaps`: does the rule forbid the hand this action? (Waiting is no action of the game.)

        Not asked while the partner has a nerts card in the air: the model is open there.
        """
        bound = self.rules["gaps"] == "nerts_at_once" and self.piles["nerts"] and not self.in_air("nerts")
        if len(self.deal.hands(self.seat)) == 2 and self.rules["roles"] == "split" and action.hand == 1:
            bound = False
        if not bound or action.kind == "wait" or not any(self.is_gap(name) for name in self.work):
            return False
        return not (action.kind == "fill" and action.source == "nerts")

    def in_air(self, source: str) -> bool:
        return any(held.source == source for held in self.held.values())

    def is_gap(self, name: str) -> bool:
        """A pile is a gap only once its last card has landed elsewhere."""
        return not self.piles[name] and not self.in_air(name)

    def closed(self, name: str, hand: int) -> str | None:
        """Closed to the partner while a card from it is in mid-air or on its way back."""
        shut = any(name in held.closes for other, held in self.held.items() if other != hand)
        return f"{name} was closed by the partner" if shut else None

    def cards(self) -> Counter:
        """Every card, wherever it is."""
        places = [*self.piles.values(), *(held.cards for held in self.held.values()), self.played]
        return Counter(card for place in places for card in place)


def events_of(actions: list[Action]) -> Iterator[tuple[int, Event]]:
    """The events of one hand, in order, with their times."""
    for action in actions:
        yield action.decided, ("decide", action)
        if action.kind != "wait" and action.result != "abandoned":
            yield action.lifted, ("lift", action)
        yield action.t, ("line", action)
        if action.result == "rejected":
            yield action.free_at, ("return", action)


def orders(hands: list[list[Event]]) -> Iterator[list[Event]]:
    """Each order of the events of one instant that keeps each hand's order and the file's order of lines."""
    if not any(hands):
        yield []
        return
    lines = [action.index for events in hands for what, action in events if what == "line"]
    for number, events in enumerate(hands):
        if events and (events[0][0] != "line" or events[0][1].index == min(lines)):
            for rest in orders([*hands[:number], events[1:], *hands[number + 1 :]]):
                yield [events[0], *rest]


def replay_instant(layout: Layout, hands: list[list[Event]]) -> tuple[Layout, list[str]]:
    """The layout after the events of one instant, in the first order that is right, and the problems if none is."""
    first: tuple[Layout, list[str]] | None = None
    for _, order in zip(range(ORDERS), orders(hands), strict=False):
        after = layout.copy()
        problems = [problem for event in order for problem in after.happen(event)]
        if not problems:
            return after, []
        first = first or (after, problems)
    return first or (layout, [])


def check_layout(deal: Deal, seat: int) -> list[str]:
    """Replay one seat."""
    layout = Layout(deal, seat)
    count = len(deal.hands(seat))
    instants: dict[int, list[list[Event]]] = {}
    for hand in deal.hands(seat):
        for t, event in events_of(deal.of(seat, hand)):
            instants.setdefault(t, [[] for _ in range(count)])[hand].append(event)
    problems = []
    for t in sorted(instants):
        busy = [events for events in instants[t] if events]
        if len(busy) == 1:
            problems += [problem for event in busy[0] for problem in layout.happen(event)]
        else:
            layout, found = replay_instant(layout, busy)
            problems += found
    if layout.cards() != Counter(deal.decks[seat]):
        problems.append(f"seat {seat}: the cards at the end are not those of its deck")
    return problems


def check_layouts(deal: Deal) -> list[str]:
    """Replay every seat."""
    return [problem for seat in deal.seats for problem in check_layout(deal, seat)]

"""What lies where: hands, seats, foundations and the table that they share. Every pile is a list, its top card last."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple

from nertsim.cards import ACE, DECK_SIZE, IDENTITY_MASK, KING, MAX_JOKERS, NONE, is_red, new_deck, rank, suit
from nertsim.codes import Pile
from nertsim.rules import FOUNDATIONS, Rules
from nertsim.tempo import KernelTempo

if TYPE_CHECKING:
    from .legal import Action

NERTS, WASTE, STOCK = int(Pile.NERTS), int(Pile.WASTE), int(Pile.STOCK)
WORK, FOUNDATION = int(Pile.WORK), int(Pile.FOUNDATION)

ALL_IDENTITIES = range(DECK_SIZE)


class SeatSetup(NamedTuple):
    """Who sits at a seat: a bot, its parameters, and the tempo of each of its hands."""

    name: str
    decide: Callable[..., Any]
    values: Sequence[float]
    scratch: int
    tempos: Sequence[KernelTempo]


class Phase(Enum):
    """What a hand is doing, named by the event that ends it."""

    FREE_AT = "becomes free"
    LIFT_AT = "lifts"
    LAND_AT = "lands"
    BACK_AT = "comes back with a rejected card"
    WAKE_AT = "ends a wait"


class Hand:
    """One physical hand: does one thing at a time (section 4)."""

    def __init__(self, seat: Seat, number: int, tempo: KernelTempo) -> None:
        self.seat = seat
        self.number = number
        self.tempo = tempo
        self.partner: Hand | None = None
        self.rank = 0
        self.decisions = 0
        self.streams: tuple[int, int, int] = (0, 0, 0)
        self.phase = Phase.FREE_AT
        self.action: Action | None = None
        self.decided = self.lifted = self.motion = 0
        self.carried: list[int] = []
        """The cards in mid-air or on their way back, in their order in the pile they came from."""
        self.closes: tuple[int, ...] = ()
        """The piles that are closed to the partner meanwhile."""
        self.waits = False
        """Its last decision was to wait, and no foundation has grown since."""
        self.sources: tuple[int, ...] = ()
        """The piles that its role lets it take cards from."""
        self.has_stock = True
        """Whether its role lets it draw, recycle and rotate."""

    @property
    def closed(self) -> tuple[int, ...]:
        """The piles that are closed to this hand, by its partner."""
        return self.partner.closes if self.partner is not None else ()


class Seat:
    """One deck and its layout."""

    def __init__(self, number: int, setup: SeatSetup, deck: Sequence[int], nerts: int, work_piles: int) -> None:
        self.number = number
        self.setup = setup
        self.deck = list(deck)
        behind = nerts + work_piles
        self.nerts = self.deck[:nerts]
        self.waste: list[int] = []
        self.stock = self.deck[behind:][::-1]
        self.work = [[card] for card in self.deck[nerts:behind]]
        self.piles = [self.nerts, self.waste, self.stock, *self.work]
        """All of them, by `Pile`."""
        self.hands: list[Hand] = []
        self.stock_known = False
        self.fruitful = False
        """In this pass a card of the seat moved or a foundation grew."""
        self.fruitless_passes = 0
        """In a row, up to the last recycle."""
        self.may_rotate = False
        self.rotations = 0
        self.changed = True
        """For `sight`: to be looked at afresh."""

    def nerts_count(self) -> int:
        """Nerts cards left; one in mid-air or on its way back counts until it has landed elsewhere."""
        return len(self.nerts) + sum(len(hand.carried) for hand in self.hands if hand.closes == (NERTS,))

    def exhausted(self, draw: int) -> bool:
        """Section 4, *Stuck*: after `draw` fruitless passes in a row, or with nothing to turn and nothing to do."""
        if self.stock or self.waste:
            return self.fruitless_passes >= draw
        return self.fruitless_passes >= draw or all(hand.waits for hand in self.hands)

    def freshen(self) -> None:
        """A card of the seat moved, or a foundation grew."""
        self.fruitful = True
        self.fruitless_passes = 0


class Foundation:
    """A pile in the common area; each card with the seat that played it."""

    def __init__(self) -> None:
        self.cards: list[tuple[int, int]] = []
        self.wants: frozenset[int] = frozenset()
        """What goes on its top."""
        self.tied: list[tuple[int, int]] = []
        """Cards that stay there by a tie: they count, and the pile did not grow."""

    @property
    def top(self) -> int:
        """The card on top."""
        return self.cards[-1][0]


def goes_on(rule: str, identity: int, top: int) -> bool:
    """Rule 4 and option `foundations`: up by one in suit, in alternating colour, or with any suit; none on a king."""
    if rank(top) == KING or rank(identity) != rank(top) + 1:
        return False
    if rule == "suit":
        return suit(identity) == suit(top)
    if rule == "colour":
        return is_red(identity) != is_red(top)
    return True


WANTS = {
    rule: [frozenset(card for card in ALL_IDENTITIES if goes_on(rule, card, top)) for top in ALL_IDENTITIES]
    for rule in FOUNDATIONS
}
"""By option `foundations` and top card: what a foundation takes."""


class Table:
    """Everything that lies on the table, and the rules."""

    def __init__(self, rules: Rules, seats: list[Seat]) -> None:
        self.rules = rules
        self.seats = seats
        self.foundations: list[Foundation] = []
        self.last_growth: dict[int, tuple[int, int]] = {}
        """For each rank and suit the last landing that made a pile grow: (time, foundation)."""
        self._aims: dict[int, int | None] = {}

    def aim(self, identity: int) -> int | None:
        """The number of the lowest-numbered foundation that takes a card; an ace starts the next one."""
        if identity not in self._aims:
            self._aims[identity] = self._find_aim(identity)
        return self._aims[identity]

    def _find_aim(self, identity: int) -> int | None:
        if rank(identity) == ACE:
            return len(self.foundations)
        for number, pile in enumerate(self.foundations):
            if identity in pile.wants:
                return number
        return None

    def takes(self, number: int, identity: int) -> bool:
        """Whether a foundation takes a card on its top."""
        return identity in self.foundations[number].wants

    def grow(self, number: int, card: int, seat: int, now: int) -> None:
        """A card lands on a foundation (or starts it): every seat is fresh, and nobody waits in vain any more."""
        if number == len(self.foundations):
            self.foundations.append(Foundation())
        pile = self.foundations[number]
        pile.cards.append((card, seat))
        pile.wants = WANTS[self.rules.foundations][card & IDENTITY_MASK]
        self.last_growth[card & IDENTITY_MASK] = (now, number)
        self._aims.clear()
        for other in self.seats:
            other.freshen()
            for hand in other.hands:
                hand.waits = False

    def played_by(self, seat: int) -> list[int]:
        """The cards of a seat on the foundations, ties included."""
        return [card for pile in self.foundations for card, owner in (*pile.cards, *pile.tied) if owner == seat]


def undeclared(card: int) -> bool:
    """A joker that stands for no card yet."""
    return card & IDENTITY_MASK == NONE


def declared(card: int, identity: int) -> int:
    """The joker standing for a card."""
    return card & ~IDENTITY_MASK | identity


def is_joker(card: int) -> bool:
    """Declared or not."""
    return card > IDENTITY_MASK


def physical(card: int) -> int:
    """The card without what it is declared as."""
    return card | NONE if is_joker(card) else card


DECK_ALL = frozenset(new_deck(MAX_JOKERS))
"""Every card that can be in a deck, jokers not declared."""

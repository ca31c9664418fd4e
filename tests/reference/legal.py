"""What is legal: sections 2 and 3 of the model, one function a kind of action.

`legal_actions` lists what a free hand may do; `still_possible` is the look at the lift; `target_accepts` the one at the
landing in the own layout. All three rest on `identities_on` and `identities_under`: whether a card fits, and as what.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from nertsim.cards import ACE, DECK_SIZE, IDENTITY_MASK, NONE, is_red, rank
from nertsim.codes import Action as Kind
from nertsim.engine import layout

from .pieces import ALL_IDENTITIES, FOUNDATION, NERTS, STOCK, WASTE, WORK, Hand, Seat, Table, physical, undeclared

PLAY, BUILD, FILL, MOVE, SLIDE = (int(kind) for kind in (Kind.PLAY, Kind.BUILD, Kind.FILL, Kind.MOVE, Kind.SLIDE))
DRAW, RECYCLE, ROTATE, CALL = (int(kind) for kind in (Kind.DRAW, Kind.RECYCLE, Kind.ROTATE, Kind.CALL))

FIT: tuple[int, ...] = (NONE,)
"""It fits, and fixes nothing."""
NO_FIT: tuple[int, ...] = ()


class Action(NamedTuple):
    """An action; the order of these tuples is the order of the list of legal actions."""

    kind: int
    source: int
    target: int
    count: int
    identity: int
    card: int

    def packed(self) -> int:
        """As one integer, as bots see it."""
        return (
            self.kind << layout.KIND_BITS
            | self.source << layout.SOURCE_BITS
            | self.target << layout.TARGET_BITS
            | self.count << layout.COUNT_BITS
            | self.identity << layout.IDENTITY_BITS
            | self.card << layout.CARD_BITS
        )


def fits(card: int, under: int) -> bool:
    """Rule 5: one rank lower, of the other colour; both ordinary or declared."""
    return rank(card) + 1 == rank(under) and is_red(card) != is_red(under)


def _fit(card: int, under: int) -> tuple[int, ...]:
    """Whether a card goes on one that stands for something; a joker that does not must not lie on an ace (rule 12)."""
    good = rank(under) != ACE if undeclared(card) else fits(card, under)
    return FIT if good else NO_FIT


_ON = [[_fit(card, under) for under in ALL_IDENTITIES] for card in (*ALL_IDENTITIES, *[NONE] * (NONE + 1 - DECK_SIZE))]
"""`_fit` of all pairs, for speed."""


def identities_on(card: int, pile: list[int]) -> tuple[int, ...]:
    """Rules 5 and 12: what laying `card` on a work pile can fix its top joker as; FIT or NO_FIT where there is none."""
    top = pile[-1] & IDENTITY_MASK
    if top != NONE:
        return _ON[card & IDENTITY_MASK][top]
    return tuple(identity for identity in ALL_IDENTITIES if _joker_between(card, identity, pile[:-1]))


def _joker_between(card: int, identity: int, beneath: list[int]) -> bool:
    """Whether a joker that is `identity` fits what it lies on, and `card` fits on it."""
    return _fit(card, identity) == FIT and (not beneath or fits(identity, beneath[-1]))


def identities_under(card: int, pile: list[int]) -> tuple[int, ...]:
    """Rules 6 and 12: what sliding `card` under a work pile can fix it as, when a joker; FIT or NO_FIT otherwise."""
    base = pile[0]
    if undeclared(card):
        return tuple(identity for identity in ALL_IDENTITIES if _fit(base, identity) == FIT)
    return _fit(base, card)


def is_gap(seat: Seat, pile: int, closed: tuple[int, ...]) -> bool:
    """An empty work pile; only once its last card has landed elsewhere."""
    return not seat.piles[pile] and pile not in closed


def lowest_gap(seat: Seat, closed: tuple[int, ...]) -> int | None:
    """The lowest-numbered gap."""
    return next((pile for pile in range(WORK, len(seat.piles)) if is_gap(seat, pile, closed)), None)


def bound_to_fill(table: Table, hand: Hand) -> bool:
    """Option `gaps`: at once, from the nerts pile, and nothing else; with split roles this binds hand 0 only."""
    if table.rules.gaps != "nerts_at_once" or NERTS not in hand.sources:
        return False
    return hand.seat.nerts_count() > 0 and lowest_gap(hand.seat, hand.closed) is not None


def legal_actions(table: Table, hand: Hand) -> list[Action]:
    """All that a free hand may do now, in the order that bots see."""
    closed = hand.closed
    gap = lowest_gap(hand.seat, closed)
    if bound_to_fill(table, hand):
        return [] if NERTS in closed else list(_fills((NERTS,), hand.seat, gap))
    tops = [source for source in hand.sources if source not in closed and hand.seat.piles[source]]
    loose = [source for source in tops if source < WORK]
    targets = [pile for pile in range(WORK, len(hand.seat.piles)) if hand.seat.piles[pile] and pile not in closed]
    found = [*_plays(table, tops, hand.seat), *_builds(loose, targets, hand.seat)]
    if len(tops) > len(loose):
        found += _moves(table, targets, gap, hand.seat)
    if gap is not None:
        found += _fills(loose, hand.seat, gap)
        if table.rules.slide:
            found += _slides(loose, targets, hand.seat)
    found += _stock_actions(table, hand)
    if may_call(table, hand.seat):
        found.append(Action(CALL, 0, 0, 1, NONE, NONE))
    found.sort()
    return found


def _plays(table: Table, tops: list[int], seat: Seat) -> Iterator[Action]:
    """Rule 4: nerts top, tops of work piles, waste top; a joker as whatever a foundation takes (rule 12)."""
    for source in tops:
        card = seat.piles[source][-1]
        for identity in ALL_IDENTITIES if undeclared(card) else (card & IDENTITY_MASK,):
            number = table.aim(identity)
            if number is not None:
                said = identity if card > IDENTITY_MASK else NONE
                yield Action(PLAY, source, FOUNDATION + number, 1, said, card)


def _builds(loose: list[int], targets: list[int], seat: Seat) -> Iterator[Action]:
    """Rule 5: nerts or waste top onto a work pile."""
    for source in loose:
        card = seat.piles[source][-1]
        for target in targets:
            for identity in identities_on(card, seat.piles[target]):
                yield Action(BUILD, source, target, 1, identity, card)


def _fills(loose: list[int] | tuple[int, ...], seat: Seat, gap: int | None) -> Iterator[Action]:
    """Rule 5: nerts or waste top into a gap."""
    for source in loose:
        if seat.piles[source] and gap is not None:
            yield Action(FILL, source, gap, 1, NONE, seat.piles[source][-1])


def _moves(table: Table, piles: list[int], gap: int | None, seat: Seat) -> Iterator[Action]:
    """Rule 5: a card with all cards on it onto another work pile, or into a gap, but never a whole pile into a gap."""
    for source in piles:
        pile = seat.piles[source]
        for count in run_lengths(table, pile):
            card = pile[-count]
            for target in piles:
                if target != source:
                    for identity in identities_on(card, seat.piles[target]):
                        yield Action(MOVE, source, target, count, identity, card)
            if gap is not None and count < len(pile):
                yield Action(MOVE, source, gap, count, NONE, card)


def run_lengths(table: Table, pile: list[int]) -> range:
    """Option `runs`: how many cards may move together from a work pile."""
    return range(len(pile), len(pile) + 1) if table.rules.runs == "whole" else range(1, len(pile) + 1)


def _slides(loose: list[int], targets: list[int], seat: Seat) -> Iterator[Action]:
    """Rule 6: nerts or waste top under the base of a work pile, while there is a gap."""
    for source in loose:
        card = seat.piles[source][-1]
        for target in targets:
            for identity in identities_under(card, seat.piles[target]):
                yield Action(SLIDE, source, target, 1, identity, card)


def _stock_actions(table: Table, hand: Hand) -> Iterator[Action]:
    """Rules 7 and 8."""
    count = draw_count(table, hand)
    if count:
        yield Action(DRAW, STOCK, WASTE, count, NONE, NONE)
    if may_recycle(table, hand):
        yield Action(RECYCLE, WASTE, STOCK, 1, NONE, NONE)
    if may_rotate(table, hand):
        yield Action(ROTATE, STOCK, STOCK, 1, NONE, NONE)


def _turns_leftover(table: Table, seat: Seat) -> bool:
    """Option `leftover`; where stock and waste together hold fewer than `draw`, they are turned all the same."""
    return table.rules.leftover or len(seat.stock) + len(seat.waste) < table.rules.draw


def draw_count(table: Table, hand: Hand) -> int:
    """How many cards a draw would turn; 0 where drawing is not possible."""
    if not hand.has_stock or STOCK in hand.closed or WASTE in hand.closed:
        return 0
    stock = len(hand.seat.stock)
    if stock >= table.rules.draw:
        return table.rules.draw
    return stock if _turns_leftover(table, hand.seat) else 0


def may_recycle(table: Table, hand: Hand) -> bool:
    """Whether the waste (and a leftover that is not turned) may be turned over."""
    if not hand.has_stock or STOCK in hand.closed or WASTE in hand.closed or not hand.seat.waste:
        return False
    stock = len(hand.seat.stock)
    return stock == 0 if _turns_leftover(table, hand.seat) else stock < table.rules.draw


def may_rotate(table: Table, hand: Hand) -> bool:
    """Rule 8: after a fruitless pass, until the next draw or rotation lifts."""
    allowed = hand.has_stock and hand.seat.may_rotate and table.rules.rotation != "none"
    return allowed and STOCK not in hand.closed and bool(hand.seat.stock)


def may_call(table: Table, seat: Seat) -> bool:
    """Rule 9: with an empty nerts pile, where the call does not come by itself."""
    return table.rules.calling == "optional" and not seat.nerts and seat.nerts_count() == 0


def still_possible(table: Table, hand: Hand, action: Action) -> bool:
    """Section 4, *lift*: whether a decided action is possible on the table as it is now.

    `gaps = "nerts_at_once"` is not asked: it binds the next decision, and this one was made before.
    """
    kind = action.kind
    if kind == DRAW:
        return draw_count(table, hand) == action.count
    if kind == RECYCLE:
        return may_recycle(table, hand)
    if kind == ROTATE:
        return may_rotate(table, hand)
    if kind == CALL:
        return may_call(table, hand.seat)
    if action.source in hand.closed or not _in_place(hand.seat, action):
        return False
    if kind == PLAY:
        return _play_possible(table, hand.seat, action)
    pile = hand.seat.piles[action.source]
    if kind == MOVE and action.count not in run_lengths(table, pile):
        return False
    card = pile[-action.count]
    return target_accepts(hand, action, card, whole=action.count == len(pile)) and (
        kind not in (BUILD, MOVE) or action.identity == NONE or covers_open_joker(hand.seat, action)
    )


def _in_place(seat: Seat, action: Action) -> bool:
    """Whether the card still lies where it is to be taken from, with as many cards on it."""
    pile = seat.piles[action.source]
    return len(pile) >= action.count and physical(pile[-action.count]) == physical(action.card)


def _play_possible(table: Table, seat: Seat, action: Action) -> bool:
    """A play stays possible while any foundation takes the card."""
    card = seat.piles[action.source][-1]
    identity = played_as(action)
    return table.aim(identity) is not None and (undeclared(card) or card & IDENTITY_MASK == identity)


def played_as(action: Action) -> int:
    """What the card of a play stands for."""
    return action.card if action.identity == NONE else action.identity


def covers_open_joker(seat: Seat, action: Action) -> bool:
    """Whether a build or move lays its cards on a joker that is not fixed."""
    pile = seat.piles[action.target]
    return bool(pile) and undeclared(pile[-1])


def target_accepts(hand: Hand, action: Action, card: int, whole: bool) -> bool:
    """Whether the target in the own layout accepts a card now; `whole`: a whole pile moves.

    Where a joker is to be fixed, what was decided must be possible. Where a build or move was to fix one that is
    covered or gone meanwhile, it need only fit what lies there.
    """
    pile = hand.seat.piles[action.target]
    closed = hand.closed
    if action.target in closed:
        return False
    if action.kind == FILL:
        return not pile
    if action.kind == SLIDE:
        has_gap = lowest_gap(hand.seat, closed) is not None
        return bool(pile) and has_gap and action.identity in identities_under(card, pile)
    if not pile:
        return action.kind == MOVE and not whole
    found = identities_on(card, pile)
    return found == FIT or action.identity in found

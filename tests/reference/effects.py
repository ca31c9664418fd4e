"""What lifting, landing and coming back do to the table (section 4)."""

from __future__ import annotations

from typing import NamedTuple

from nertsim.cards import IDENTITY_MASK, NONE
from nertsim.codes import Result

from .legal import BUILD, DRAW, MOVE, PLAY, RECYCLE, ROTATE, SLIDE, covers_open_joker, played_as, target_accepts
from .pieces import FOUNDATION, STOCK, WASTE, WORK, Hand, Seat, Table, declared, is_joker, undeclared
from .randoms import draw as random_draw
from .randoms import shuffled


class Landing(NamedTuple):
    """How an action ended, and the pile that it ended on."""

    result: Result
    target: int
    stock: list[int] | None = None
    """The new order of a shuffled stock, from its top."""
    fixes: bool = True
    """False where the joker that was to be fixed is covered or gone meanwhile."""


def lift(table: Table, hand: Hand) -> None:
    """The cards concerned leave their piles and are in mid-air; a call takes nothing."""
    action, seat = hand.action, hand.seat
    assert action is not None
    if action.kind in (DRAW, ROTATE):
        seat.may_rotate = False
    if action.kind == DRAW:
        _take(hand, STOCK, action.count, closes=(STOCK, WASTE))
    elif action.kind == RECYCLE:
        hand.carried = seat.waste + seat.stock[::-1]
        seat.waste.clear()
        seat.stock.clear()
        hand.closes = (STOCK, WASTE)
    elif action.kind == ROTATE:
        count = len(seat.stock) if table.rules.rotation == "shuffle" else 1
        _take(hand, STOCK, count, closes=(STOCK,))
    elif action.count and action.card != NONE:
        _take(hand, action.source, action.count, closes=(action.source,))
    seat.changed = True


def _take(hand: Hand, source: int, count: int, closes: tuple[int, ...]) -> None:
    pile = hand.seat.piles[source]
    hand.carried = pile[-count:]
    del pile[-count:]
    hand.closes = closes


def put_back(hand: Hand) -> None:
    """The cards are again where they came from."""
    action, seat = hand.action, hand.seat
    if hand.carried and action is not None:
        if action.kind == RECYCLE:
            seat.waste.extend(hand.carried)
        else:
            seat.piles[action.source].extend(hand.carried)
    _let_go(hand)


def _let_go(hand: Hand) -> None:
    hand.carried = []
    hand.closes = ()
    hand.seat.changed = True


def land(table: Table, hand: Hand, now: int, rotation_key: int) -> Landing:
    """The action takes effect, or is rejected: then the hand still carries the cards, on their way back."""
    action = hand.action
    assert action is not None
    if action.kind in (DRAW, RECYCLE, ROTATE):
        landing = _land_stock(table, hand, rotation_key)
    elif action.kind == PLAY:
        landing = _land_play(table, hand, now)
    else:
        landing = _land_in_layout(hand)
    if landing.result == Result.REJECTED:
        return landing
    if action.kind not in (DRAW, RECYCLE, ROTATE):
        hand.seat.freshen()
        _uncover(table, hand.seat, action.source)
    _let_go(hand)
    return landing


def _uncover(table: Table, seat: Seat, source: int) -> None:
    """Option `joker_unfix`: a joker whose cover has landed elsewhere is no longer fixed."""
    pile = seat.piles[source]
    if table.rules.joker_unfix and source >= WORK and pile and is_joker(pile[-1]):
        pile[-1] = declared(pile[-1], NONE)


def _land_stock(table: Table, hand: Hand, rotation_key: int) -> Landing:
    """Rules 7 and 8: drawing, recycling, rotating."""
    action, seat = hand.action, hand.seat
    assert action is not None
    if action.kind == DRAW:
        seat.waste.extend(reversed(hand.carried))
        return Landing(Result.OK, WASTE)
    if action.kind == RECYCLE:
        seat.stock.extend(reversed(hand.carried))
        _end_pass(seat)
        return Landing(Result.OK, STOCK)
    if table.rules.rotation == "one":
        seat.stock[:0] = hand.carried
        return Landing(Result.OK, STOCK)
    order = shuffled(hand.carried[::-1], random_draw(rotation_key, seat.rotations))
    seat.rotations += 1
    seat.stock.extend(reversed(order))
    seat.stock_known = False
    return Landing(Result.OK, STOCK, order)


def _end_pass(seat: Seat) -> None:
    """A pass ends, and the next begins, with the landing of a recycle."""
    seat.fruitless_passes = 0 if seat.fruitful else seat.fruitless_passes + 1
    seat.may_rotate = not seat.fruitful
    seat.fruitful = False
    seat.stock_known = True


def _land_play(table: Table, hand: Hand, now: int) -> Landing:
    """Section 4: on the pile aimed at, else the lowest-numbered that takes it, else a tie, else rejected."""
    action, seat = hand.action, hand.seat
    assert action is not None
    identity = played_as(action) & IDENTITY_MASK
    card = declared(hand.carried[0], identity)
    aimed = action.target - FOUNDATION
    number = table.aim(identity)
    if aimed < len(table.foundations) and table.takes(aimed, identity):
        number = aimed
    if number is not None:
        table.grow(number, card, seat.number, now)
        return Landing(Result.OK, FOUNDATION + number)
    if table.rules.tie == "both" and identity in table.last_growth:
        grown_at, pile = table.last_growth[identity]
        if now - grown_at <= table.rules.tie_window_us:
            table.foundations[pile].tied.append((card, seat.number))
            return Landing(Result.TIE, FOUNDATION + pile)
    return Landing(Result.REJECTED, action.target)


def _land_in_layout(hand: Hand) -> Landing:
    """A build, fill, move or slide: what is no longer legal (a partner was quicker) is rejected."""
    action, seat = hand.action, hand.seat
    assert action is not None
    whole = not seat.piles[action.source]
    if not target_accepts(hand, action, hand.carried[0], whole):
        return Landing(Result.REJECTED, action.target)
    pile = seat.piles[action.target]
    if action.kind == SLIDE:
        card = hand.carried[0]
        pile.insert(0, declared(card, action.identity) if undeclared(card) else card)
        return Landing(Result.OK, action.target)
    covers = action.kind in (BUILD, MOVE) and covers_open_joker(seat, action)
    if covers:
        pile[-1] = declared(pile[-1], action.identity)
    pile.extend(hand.carried)
    return Landing(Result.OK, action.target, fixes=covers)

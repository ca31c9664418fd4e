"""The features of an action that `weighted` weighs: one small function each, named like its weight.

What they look at is worked out once for a decision (`look`): what lies open, as masks of cards. Most features are 1
where what they say is so and else 0. They are section 9 of the model, what players advise, made into numbers.
Foundations are judged by the standard rules, up in suit.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from nertsim._jit import at, helper
from nertsim.bots.view import (
    KING,
    NONE,
    WORK,
    action_card,
    action_count_of_cards,
    action_identity,
    action_source,
    action_target,
    call_bonus,
    foundation_count,
    foundation_top,
    my_seat,
    my_stock_count,
    my_waste_card,
    my_waste_count,
    nerts_count,
    nerts_top,
    penalty,
    rank,
    seat_count,
    waste_top,
    work_card,
    work_length,
    work_pile_count,
)
from nertsim.cards import IDENTITY_MASK
from nertsim.engine.memory import ACES, GOES_ON, GOES_UNDER

CARDS = np.int64((1 << 52) - 1)
"""The mask of all cards; what lies open as NONE or an undeclared joker is not in it."""
NEAR_CALL = 4
"""With fewer nerts cards than this a seat is near its call."""


class Seen(NamedTuple):
    """What lies open at a decision. Masks have a bit for each card, by what it stands for."""

    seat: Any
    """The seat that decides."""
    nerts_left: Any
    """Its nerts cards."""
    nerts: Any
    """Mask of its nerts top."""
    places: Any
    """Mask of the cards on which its nerts top can be laid."""
    tops: Any
    """Mask of its work tops and its waste top."""
    bases: Any
    """Mask of the base cards of its work piles."""
    gaps: Any
    """Its empty work piles."""
    wanted: Any
    """Mask of the cards that the foundations take now."""


class Others(NamedTuple):
    """What the other seats show at a decision."""

    nerts: Any
    """Mask of their nerts tops."""
    tops: Any
    """Mask of their work and waste tops."""
    least: Any
    """The fewest nerts cards that one of them has left; never more than NEAR_CALL."""


@helper
def any_bit(card):
    """The mask of one card, by what it stands for; not in CARDS for none and for an undeclared joker."""
    return np.int64(1) << (card & IDENTITY_MASK)


@helper
def bit(card):
    """The mask of one card, by what it stands for; 0 for none and for an undeclared joker."""
    return any_bit(card) & CARDS


@helper
def has(mask, card):
    """1 where the card is in the mask, else 0."""
    return (mask >> (card & IDENTITY_MASK)) & 1


@helper
def follower(card):
    """The mask of the card that follows this one on a foundation; 0 after a king, or where there is no card."""
    return (bit(card) << 4) & CARDS


@helper
def wanted_cards(view):
    """The mask of the cards that the foundations take now: aces, and what follows their tops."""
    tops = np.int64(0)
    for pile in range(foundation_count(view)):
        tops |= any_bit(foundation_top(view, pile))
    return ((tops << 4) & CARDS) | ACES


@helper
def look(view):
    """What lies open at this decision."""
    seat = my_seat(view)
    tops, bases, gaps = any_bit(waste_top(view, seat)), np.int64(0), np.int64(0)
    for pile in range(work_pile_count(view)):
        length = work_length(view, seat, pile)
        if length == 0:
            gaps += 1
        else:
            tops |= any_bit(work_card(view, seat, pile, length - 1))
            bases |= any_bit(work_card(view, seat, pile, 0))
    nerts = nerts_top(view, seat)
    places = GOES_UNDER[at(nerts & IDENTITY_MASK)]
    left = nerts_count(view, seat)
    return Seen(seat, left, bit(nerts), places, tops & CARDS, bases & CARDS, gaps, wanted_cards(view))


@helper
def look_at_others(view, seat):
    """What the other seats show: masks of their nerts tops and of their other tops, and their least nerts count."""
    nerts, tops, least = np.int64(0), np.int64(0), np.int64(NEAR_CALL)
    for other in range(seat_count(view)):
        if other != seat:
            nerts |= any_bit(nerts_top(view, other))
            tops |= any_bit(waste_top(view, other))
            least = min(least, nerts_count(view, other))
            for pile in range(work_pile_count(view)):
                length = work_length(view, other, pile)
                # Of an empty pile the place of the base is looked at, and masked out.
                top = work_card(view, other, pile, max(length - 1, 0))
                tops |= any_bit(top) & -np.int64(length > 0)
    return Others(nerts & CARDS, tops & CARDS, least)


@helper
def stands_for(one):
    """The card that an action carries, or what it declares a joker as."""
    declared = action_identity(one)
    return declared if declared != NONE else action_card(one) & IDENTITY_MASK


@helper
def beneath(view, seat, one):
    """The card that an action on a work pile uncovers, or NONE where it empties the pile."""
    pile = action_source(one) - WORK
    length = work_length(view, seat, pile) - action_count_of_cards(one)
    return work_card(view, seat, pile, length - 1) if length > 0 else np.int64(NONE)


# What it gains


@helper
def leads(view, seen, own_plays):
    """By how many points this seat is ahead of the best of the others: what it has played is known, the rest of the
    foundations' cards is shared out among the others. "Call at once when ahead, play on when a call would lose".
    """
    cards = np.int64(0)
    for pile in range(foundation_count(view)):
        cards += rank(foundation_top(view, pile)) + 1
    share = (cards - own_plays) / max(seat_count(view) - 1, 1)
    best = np.int64(1 << 30) if seat_count(view) > 1 else np.int64(0)
    for other in range(seat_count(view)):
        if other != seen.seat:
            best = min(best, nerts_count(view, other))
    return own_plays + call_bonus(view) - (share - penalty(view) * best)


@helper
def brings_nerts(seen, card):
    """1 for a play that the own nerts top can follow: "it opens a chain to own cards"."""
    return np.int64((follower(card) & seen.nerts) != 0)


@helper
def brings_own(seen, card):
    """1 for a play that an own work top or the waste top can follow: "it opens a chain to own cards"."""
    return np.int64((follower(card) & seen.tops) != 0)


@helper
def gives_place(seen, card):
    """1 for a card on which the nerts top can be laid: waste to work pile "only when it helps the nerts card"."""
    return has(seen.places, card)


@helper
def makes_gap(seen, uncovered):
    """1 for emptying a work pile while nerts cards are left: "use work-pile moves to place nerts cards"."""
    return np.int64(uncovered == NONE and seen.nerts_left > 0)


@helper
def uncovers(useful, uncovered):
    """1 for uncovering a card of a mask, those that are of use at once: "only to unblock something playable now"."""
    return has(useful, uncovered)


@helper
def uncovers_soon(seen, uncovered):
    """1 for uncovering a card that the foundations take after one more card of its suit."""
    return has((seen.wanted << 4) & CARDS, uncovered)


@helper
def uncovered_waste(view):
    """The card beneath the own waste top, or NONE."""
    count = my_waste_count(view)
    return my_waste_card(view, count - 2) if count > 1 else np.int64(NONE)


@helper
def joins_piles(seen, card):
    """1 for a card onto which a whole work pile fits: waste cards to work piles "when it helps a base"."""
    return np.int64((GOES_ON[at(card)] & seen.bases) != 0)


@helper
def dumps(seen):
    """1 where there is a gap for each nerts card: "when gaps ≥ nerts cards left, dump the pile into the gaps"."""
    return np.int64(seen.gaps >= seen.nerts_left)


@helper
def shifts_triples(view):
    """The share of stock and waste that is still in the stock: taking a waste card then "shifts the phase of the
    triples: worth more early in the pass".
    """
    stock = my_stock_count(view)
    return stock / (stock + my_waste_count(view))


@helper
def contested(others, card):
    """1 for a play that another seat could make with a card that lies open: who is first has the place."""
    return has(others.nerts | others.tops, card)


@helper
def hurries(others):
    """How near another seat is to calling: 1 with no nerts card left, 0 with NEAR_CALL and more."""
    return (NEAR_CALL - others.least) / NEAR_CALL


# What it costs


@helper
def takes_place(seen, card):
    """1 for playing a card of a work pile on which the nerts top could be laid: "look at the nerts card first"."""
    return has(seen.places, card)


@helper
def buries(seen, covered):
    """1 for covering a card that the foundations take, or would after one more card of its suit: "cover a work top
    only if it is far from its foundation".
    """
    return has(seen.wanted | (seen.wanted << 4), covered)


@helper
def blocks_join(seen, covered):
    """1 for covering a card onto which a whole work pile fits: "join two piles before laying a nerts card on one"."""
    return np.int64((GOES_ON[at(covered & IDENTITY_MASK)] & seen.bases) != 0)


@helper
def extreme_in_gap(card):
    """1 for an ace, a two or a king: "no king or two into a gap", on which little can be built."""
    number = rank(card)
    return np.int64(number <= 1 or number == KING)


@helper
def uses_gap(view, seen, one):
    """1 for a move into a gap."""
    return np.int64(work_length(view, seen.seat, action_target(one) - WORK) == 0)


@helper
def helps_nerts(others, card):
    """1 for a play that another seat's nerts top can follow: "hold it when it opens one to others"."""
    return np.int64((follower(card) & others.nerts) != 0)


@helper
def helps_others(others, card):
    """1 for a play that another seat's work or waste top can follow: "hold it when it opens one to others"."""
    return np.int64((follower(card) & others.tops) != 0)

"""What a bot sees, and the words it uses to look: the interface of every strategy, built-in or a user's own.

A strategy is one jitted function ``decide(view, parameters, scratch, noise) -> int64``:

- `view` is a `View`, read only: section 5 of the model, and nothing else;
- `parameters` is its float64 vector, read only;
- `scratch` is a float64 vector of its own, zero at the start of each deal, for what it wants to remember;
- `noise` is the key of its own random numbers at this decision: `uniform(noise, i)` and `below(noise, i, n)` draw from
  it.

It returns the position of the action it takes in the list of legal actions, ``0 … action_count(view) - 1``, or
``wait(microseconds)``.

**The list of legal actions** holds what is legal at this instant and was noticed. An action is one integer made of six
numbers, highest first: kind (`codes.Action`), source and target (`codes.Pile`), count, identity, card. The list is in
ascending order of that integer.

========  ==============  ==========================  =====  ==================================================
kind      source          target                      count  remarks
========  ==============  ==========================  =====  ==================================================
PLAY      nerts, waste,   foundation                  1      one action a card: the lowest-numbered pile that takes it;
          work                                               an ace aims at the next new pile
BUILD     nerts, waste    work pile with cards        1
FILL      nerts, waste    lowest-numbered gap         1
MOVE      work            work pile or lowest gap     n      n cards from the top; never a whole pile into a gap
SLIDE     nerts, waste    work pile with cards        1      under its base, while there is a gap
DRAW      stock           waste                       n      n cards are turned
RECYCLE   waste           stock                       1      the waste is turned over
ROTATE    stock           stock                       1
CALL      0               0                           1
========  ==============  ==========================  =====  ==================================================

`card` is the card (`nertsim.cards`) that moves, of a MOVE the one nearest the base, and `NONE` for DRAW, RECYCLE,
ROTATE and CALL. `identity` is `NONE`, except where jokers are concerned: what a joker is declared as when it is played
(also where it was fixed before), or what the action fixes for the joker that it covers or slides; then one action
stands in the list for each possibility.

**Layout.** `table` (uint16) has one block of SEAT_STRIDE numbers a seat, then the foundations; `own` (uint16) is the
deciding seat's waste and stock; `facts` (int64) has the clock, the rules, the scores and the list of actions. Use the
words below instead of offsets. Where there is no card stands `NONE`, where a card's face has not been seen `HIDDEN`. A
card in mid-air lies on no pile: a nerts pile whose top is in mid-air shows `NONE` until it has landed, and still counts
it; waste and work piles show the card beneath.
"""

from __future__ import annotations

import numpy as np

from nertsim._jit import at, helper
from nertsim.cards import (
    ACE,
    CLUBS,
    DIAMONDS,
    HEARTS,
    HIDDEN,
    IDENTITY_MASK,
    JACK,
    JOKER_SHIFT,
    KING,
    NONE,
    QUEEN,
    SPADES,
)
from nertsim.codes import Action, Pile
from nertsim.engine.layout import (
    ACTION_COUNT,
    ACTIONS,
    CALL_BONUS,
    DECISION,
    DRAW_COUNT,
    FOUNDATION_COUNT,
    FOUNDATION_TOP,
    HAND,
    HANDS,
    KING_BONUS,
    NERTS_COUNT,
    NERTS_TOP,
    NOW,
    OWN_CARDS,
    OWN_STOCK,
    OWN_WASTE,
    PENALTY,
    SCORES,
    SEAT,
    SEAT_STRIDE,
    SEATS,
    TARGET,
    WASTE_TOP,
    WORK_CARDS,
    WORK_LENGTH,
    WORK_PILES,
    WORK_STRIDE,
    View,
    action_card,
    action_count_of_cards,
    action_identity,
    action_kind,
    action_source,
    action_target,
)
from nertsim.engine.rng import fold, unit

__all__ = [
    "ACE",
    "BUILD",
    "CALL",
    "CLUBS",
    "DIAMONDS",
    "DRAW",
    "FILL",
    "FOUNDATION",
    "HEARTS",
    "HIDDEN",
    "JACK",
    "KING",
    "MOVE",
    "NERTS",
    "NONE",
    "PLAY",
    "QUEEN",
    "RECYCLE",
    "ROTATE",
    "SLIDE",
    "SPADES",
    "STOCK",
    "WASTE",
    "WORK",
    "View",
    "action",
    "action_card",
    "action_count",
    "action_count_of_cards",
    "action_identity",
    "action_kind",
    "action_source",
    "action_target",
    "below",
    "call_bonus",
    "decision_number",
    "draw_count",
    "fits",
    "foundation_count",
    "foundation_top",
    "hand_count",
    "is_joker",
    "is_red",
    "king_bonus",
    "match_score",
    "match_target",
    "my_hand",
    "my_seat",
    "my_stock_card",
    "my_stock_count",
    "my_waste_card",
    "my_waste_count",
    "nerts_count",
    "nerts_top",
    "now",
    "penalty",
    "rank",
    "seat_count",
    "suit",
    "uniform",
    "wait",
    "waste_top",
    "work_card",
    "work_length",
    "work_pile_count",
    "work_top",
]

# The kinds of actions, in the order of the list, and the piles: plain integers, which compiled code likes best. Work
# pile p is WORK + p, foundation f is FOUNDATION + f.
PLAY, BUILD, FILL = int(Action.PLAY), int(Action.BUILD), int(Action.FILL)
MOVE, SLIDE = int(Action.MOVE), int(Action.SLIDE)
DRAW, RECYCLE, ROTATE, CALL = int(Action.DRAW), int(Action.RECYCLE), int(Action.ROTATE), int(Action.CALL)
NERTS, WASTE, STOCK = int(Pile.NERTS), int(Pile.WASTE), int(Pile.STOCK)
WORK, FOUNDATION = int(Pile.WORK), int(Pile.FOUNDATION)


@helper
def rank(card):
    """Rank of what a card stands for: 0 ace … 12 king; 15 for no card, an unseen one, an undeclared joker."""
    return np.int64((card & IDENTITY_MASK) >> 2)


@helper
def suit(card):
    """Suit of what a card stands for: 0 C, 1 D, 2 H, 3 S."""
    return np.int64(card & 3)


@helper
def is_red(card):
    """1 for diamonds and hearts, 0 for clubs and spades."""
    return np.int64((card ^ (card >> 1)) & 1)


@helper
def is_joker(card):
    """True for a joker, declared or not."""
    return (card >> JOKER_SHIFT) != 0


@helper
def fits(card, under):
    """True when `card` goes on `under` in a work pile: one rank lower, other colour. Both are ordinary or declared."""
    return rank(card) + 1 == rank(under) and is_red(card) != is_red(under) and (under & IDENTITY_MASK) != NONE


@helper
def now(view):
    """The time in µs since the deal began."""
    return view.facts[NOW]


@helper
def my_seat(view):
    """The seat that decides."""
    return view.facts[SEAT]


@helper
def my_hand(view):
    """The hand of the seat that decides: 0 or 1."""
    return view.facts[HAND]


@helper
def decision_number(view):
    """How many decisions this hand has made before in this deal."""
    return view.facts[DECISION]


@helper
def seat_count(view):
    """Seats at the table."""
    return view.facts[SEATS]


@helper
def draw_count(view):
    """Cards turned from the stock at a time."""
    return view.facts[DRAW_COUNT]


@helper
def work_pile_count(view):
    """Work piles of a seat."""
    return view.facts[WORK_PILES]


@helper
def hand_count(view):
    """Hands of the deciding seat."""
    return view.facts[HANDS]


@helper
def penalty(view):
    """Points lost for each nerts card left."""
    return view.facts[PENALTY]


@helper
def call_bonus(view):
    """Points for the seat that calls."""
    return view.facts[CALL_BONUS]


@helper
def king_bonus(view):
    """Points for each own king on a foundation."""
    return view.facts[KING_BONUS]


@helper
def match_score(view, seat):
    """Points of a seat in the match so far; 0 in a single deal."""
    return view.facts[at(SCORES + seat)]


@helper
def match_target(view):
    """Points that end the match; 0 in a single deal, and in a match that has a number of deals instead."""
    return view.facts[TARGET]


@helper
def action_count(view):
    """How many legal actions were noticed."""
    return view.facts[ACTION_COUNT]


@helper
def action(view, position):
    """The legal action at a position of the list."""
    return view.facts[at(ACTIONS + position)]


@helper
def nerts_top(view, seat):
    """The card on top of a seat's nerts pile; NONE where it is empty or its top is in mid-air."""
    return np.int64(view.table[at(seat * SEAT_STRIDE + NERTS_TOP)])


@helper
def nerts_count(view, seat):
    """Cards in a seat's nerts pile, one in mid-air included."""
    return np.int64(view.table[at(seat * SEAT_STRIDE + NERTS_COUNT)])


@helper
def waste_top(view, seat):
    """The card on top of a seat's waste, or NONE."""
    return np.int64(view.table[at(seat * SEAT_STRIDE + WASTE_TOP)])


@helper
def work_length(view, seat, pile):
    """Cards in a work pile (0 …) of a seat."""
    return np.int64(view.table[at(seat * SEAT_STRIDE + WORK_LENGTH + pile)])


@helper
def work_card(view, seat, pile, position):
    """A card of a work pile; position 0 is its base. Only positions below `work_length` hold cards."""
    return np.int64(view.table[at(seat * SEAT_STRIDE + WORK_CARDS + pile * WORK_STRIDE + position)])


@helper
def work_top(view, seat, pile):
    """The card on top of a work pile, or NONE."""
    length = work_length(view, seat, pile)
    return work_card(view, seat, pile, length - 1) if length > 0 else NONE


@helper
def foundation_count(view):
    """Foundations started so far, those that are complete included."""
    return np.int64(view.table[FOUNDATION_COUNT])


@helper
def foundation_top(view, pile):
    """The top card of a foundation (a king: the pile is complete and taken away)."""
    return np.int64(view.table[at(FOUNDATION_TOP + pile)])


@helper
def my_waste_count(view):
    """Cards in the own waste."""
    return np.int64(view.own[OWN_WASTE])


@helper
def my_stock_count(view):
    """Cards in the own stock."""
    return np.int64(view.own[OWN_STOCK])


@helper
def my_waste_card(view, position):
    """A card of the own waste; position 0 is its bottom."""
    return np.int64(view.own[at(OWN_CARDS + position)])


@helper
def my_stock_card(view, position):
    """A card of the own stock, HIDDEN if not yet seen; position 0 is its top."""
    return np.int64(view.own[at(OWN_CARDS + np.int64(view.own[OWN_WASTE]) + position)])


@helper
def wait(microseconds):
    """What to return to wait so long (1000 µs or more) and then decide afresh."""
    # 0 and less must not come out as the position of an action.
    return -max(np.int64(microseconds), np.int64(1))


@helper
def uniform(noise, number):
    """A random float64 in [0, 1), the one with that number of this decision."""
    return unit(fold(noise, number))


@helper
def below(noise, number, bound):
    """A random integer 0 … bound - 1, the one with that number of this decision (even to within bound / 2**53)."""
    return np.int64(uniform(noise, number) * bound)

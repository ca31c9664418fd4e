"""Where things lie in the arrays that a bot sees, and how an action is packed into one integer.

The one source for these offsets: the engine writes by them, the words of `nertsim.bots.view` read by them. Bots
never use an offset. `table` is uint16 (TABLE_SIZE,), `own` uint16 (OWN_SIZE,), `facts` int64 (FACTS_SIZE,).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from nertsim._jit import OWN_LENGTH, helper

# table: one block a seat
SEAT_STRIDE = 128
NERTS_TOP = 0
NERTS_COUNT = 1
WASTE_TOP = 2
WORK_LENGTH = 4
WORK_CARDS = 16
WORK_STRIDE = 16
# table: the common area, behind the blocks of 12 seats
FOUNDATION_COUNT = 12 * SEAT_STRIDE
FOUNDATION_TOP = FOUNDATION_COUNT + 1
MAX_FOUNDATIONS = 96
TABLE_SIZE = FOUNDATION_TOP + MAX_FOUNDATIONS

# own: the deciding seat's waste and stock
OWN_WASTE = 0
OWN_STOCK = 1
OWN_CARDS = 8
OWN_SIZE = 72

# facts
NOW = 0
SEAT = 1
HAND = 2
DECISION = 3
ACTION_COUNT = 4
SEATS = 8
DRAW_COUNT = 9
WORK_PILES = 10
PENALTY = 11
CALL_BONUS = 12
KING_BONUS = 13
HANDS = 14
TARGET = 15
SCORES = 16
ACTIONS = 32
MAX_ACTIONS = 1248  # four lone jokers beside three long runs, all cards accepted by foundations: 1100 or so
FACTS_SIZE = ACTIONS + MAX_ACTIONS

# a bot's own vectors
MAX_PARAMETERS = OWN_LENGTH
MAX_SCRATCH = OWN_LENGTH

# an action, from its lowest bit up
CARD_BITS = 0
IDENTITY_BITS = 9
COUNT_BITS = 15
TARGET_BITS = 19
SOURCE_BITS = 27
KIND_BITS = 31


class View(NamedTuple):
    """What a bot sees at a decision: three read-only arrays; look at them with the functions of this module."""

    table: Any
    """uint16 (TABLE_SIZE,): every seat's visible cards, and the foundations."""
    own: Any
    """uint16 (OWN_SIZE,): the deciding seat's waste from the bottom up, then its stock from the top down."""
    facts: Any
    """int64 (FACTS_SIZE,): clock, rules, scores, the list of actions."""


@helper
def pack_action(kind, source, target, count, identity, card):
    """The integer of an action; see the module's text for the six numbers."""
    return (
        (kind << KIND_BITS)
        | (source << SOURCE_BITS)
        | (target << TARGET_BITS)
        | (count << COUNT_BITS)
        | (identity << IDENTITY_BITS)
        | card
    )


@helper
def action_kind(action):
    """What kind of action it is (`codes.Action`)."""
    return action >> KIND_BITS


@helper
def action_source(action):
    """The pile that it takes from (`codes.Pile`)."""
    return (action >> SOURCE_BITS) & 15


@helper
def action_target(action):
    """The pile that it goes to (`codes.Pile`)."""
    return (action >> TARGET_BITS) & 255


@helper
def action_count_of_cards(action):
    """How many cards it carries or turns."""
    return (action >> COUNT_BITS) & 15


@helper
def action_identity(action):
    """What it declares or fixes a joker as, or NONE."""
    return (action >> IDENTITY_BITS) & 63


@helper
def action_card(action):
    """The card that it carries, of a run the one nearest the base, or NONE."""
    return action & 511

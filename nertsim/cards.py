"""Cards as small integers, and their text notation.

The one place where card arithmetic lives. Plain Python and plain integers: the constants are shared by the
kernels, which repeat ``card >> 2`` and ``card & 3`` as jitted one-liners in `nertsim.bots.view`.

A *card* is one integer:

========================  =====================================================================
0 … 51                    rank * 4 + suit; rank 0 is the ace, 12 the king; suits C D H S = 0 … 3
identity | number << 6    joker `number` (1 … 4) that stands for the card `identity` (0 … 51)
63 | number << 6          joker `number`, not declared
63 (`NONE`)               no card
62 (`HIDDEN`)             a card whose face the viewer has not seen
========================  =====================================================================
"""

from __future__ import annotations

SUITS = "CDHS"
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
ACE, JACK, QUEEN, KING = 0, 10, 11, 12
CLUBS, DIAMONDS, HEARTS, SPADES = 0, 1, 2, 3
DECK_SIZE = 52
MAX_JOKERS = 4

IDENTITY_MASK = 63
JOKER_SHIFT = 6
NONE = 63
HIDDEN = 62


def card_of(rank: int, suit: int) -> int:
    """The card of a rank (0 ace … 12 king) and a suit (0 C, 1 D, 2 H, 3 S)."""
    return rank * 4 + suit


def joker(number: int) -> int:
    """Joker `number` (1 … 4), not declared."""
    return NONE | number << JOKER_SHIFT


def identity(card: int) -> int:
    """What a card stands for: 0 … 51, or `NONE` for an undeclared joker and for no card."""
    return card & IDENTITY_MASK


def rank(card: int) -> int:
    """Rank of what the card stands for, 0 ace … 12 king."""
    return (card & IDENTITY_MASK) >> 2


def suit(card: int) -> int:
    """Suit of what the card stands for, 0 C, 1 D, 2 H, 3 S."""
    return card & 3


def is_red(card: int) -> bool:
    """True for diamonds and hearts."""
    return (card & 3) in (1, 2)


def new_deck(jokers: int) -> list[int]:
    """An unshuffled deck: clubs, diamonds, hearts, spades of each rank from the ace up, then the jokers."""
    return list(range(DECK_SIZE)) + [joker(number) for number in range(1, jokers + 1)]


def card_text(card: int) -> str:
    """``AS``, ``10H``, ``JK1``: the name of the physical card (a declared joker is still ``JK1``)."""
    if card >> JOKER_SHIFT:
        return f"JK{card >> JOKER_SHIFT}"
    return identity_text(card)


def identity_text(card: int) -> str:
    """``AS``, ``10H``: the name of what the card stands for."""
    code = card & IDENTITY_MASK
    if code >= DECK_SIZE:
        raise ValueError(f"{card} stands for no card")
    return RANKS[code >> 2] + SUITS[code & 3]


def parse_card(text: str) -> int:
    """The card that `card_text` would write as `text`; ValueError where there is none."""
    word = text.strip().upper()
    if word.startswith("JK") and word[2:].isdigit() and 1 <= int(word[2:]) <= MAX_JOKERS:
        return joker(int(word[2:]))
    if word[:-1] in RANKS and word[-1:] in SUITS and word[-1:]:
        return card_of(RANKS.index(word[:-1]), SUITS.index(word[-1]))
    raise ValueError(f"'{text}' is no card: write rank and suit, as in AS, 10H, KD, or JK1 for a joker")

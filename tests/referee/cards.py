"""Cards as their text: ``AS``, ``10H``, ``JK1``. An *identity* is the text of one of the 52 cards."""

from __future__ import annotations

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = "CDHS"
IDENTITIES = frozenset(rank + suit for rank in RANKS for suit in SUITS)


def full_deck(jokers: int) -> list[str]:
    """The cards of a deck, in some fixed order."""
    return sorted(IDENTITIES) + [f"JK{number}" for number in range(1, jokers + 1)]


def is_joker(card: str) -> bool:
    return card.startswith("JK")


def rank(identity: str) -> int:
    """0 ace … 12 king."""
    return RANKS.index(identity[:-1])


def is_red(identity: str) -> bool:
    return identity[-1] in "DH"


def is_ace(identity: str) -> bool:
    return rank(identity) == 0


def is_king(identity: str) -> bool:
    return rank(identity) == 12


def stacks(lower: str, upper: str) -> bool:
    """Work piles (rule 5): down by one, in the other colour."""
    return rank(lower) == rank(upper) + 1 and is_red(lower) != is_red(upper)


def follows(top: str, card: str, mode: str) -> bool:
    """Foundations (rule 4 and option `foundations`): may `card` go on `top`?"""
    if rank(card) != rank(top) + 1:
        return False
    if mode == "suit":
        return card[-1] == top[-1]
    return mode == "any" or is_red(card) != is_red(top)

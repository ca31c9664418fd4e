"""The weights of the strategy `weighted`: names, defaults, ranges, and what each means. No numba here.

A weight is how much the bot likes (or, below 0, dislikes) what the name says, in points of its own; only their
proportions matter. Turning the stock has 0 points, and what has less than that is never done. What is weighed, and by
whose advice, is told by the function of the same name in `nertsim.bots.features`. The defaults were
tuned against three `greedy` (CMA-ES, about 50 million deals) and rounded.
"""

from __future__ import annotations

from nertsim.bots.strategy import Parameter

RANGE = 16.0
"""No weight is above this, nor below its negative; twice as much for one that is above it by default."""

# Each weight: its default, and what the bot likes that much.
_TABLE: dict[str, tuple[float, str]] = {
    # what kind of action it is
    "play_nerts": (12, "a nerts card to a foundation"),
    "play_waste": (3.5, "a waste card to a foundation"),
    "play_work": (3.5, "a work card to a foundation"),
    "build_nerts": (10.5, "a nerts card onto a work pile"),
    "build_waste": (0.5, "a waste card onto a work pile"),
    "fill_nerts": (9, "a nerts card into a gap"),
    "fill_waste": (-5, "a waste card into a gap"),
    "slide_nerts": (10.5, "a nerts card under a work pile"),
    "slide_waste": (3, "a waste card under a work pile"),
    "move_piles": (-0.5, "a move between work piles, for itself"),
    "rotate_stock": (1, "rotating the stock"),
    "call_nerts": (20, "calling, where nobody is ahead"),
    # what it gains
    "leads": (1, "calling, for each point ahead"),
    "brings_nerts": (5, "a play the nerts card can follow"),
    "brings_own": (1, "a play another own card can follow"),
    "gives_place": (7.5, "a card on which the nerts card goes"),
    "makes_gap": (7, "emptying a work pile for nerts cards"),
    "uncovers": (3.5, "uncovering a card of use at once"),
    "uncovers_soon": (0, "uncovering a card of use a card later"),
    "joins_piles": (5, "a card on which a whole pile goes"),
    "dumps": (2, "a gap for each nerts card: filling it"),
    "shifts_triples": (0, "a waste card, early in the pass"),
    "contested": (10, "a play that another seat could make"),
    "hurries": (1, "a play, as another seat nears a call"),
    # what it costs
    "takes_place": (-1, "playing the nerts card's place"),
    "buries": (-1.5, "covering a card that is played soon"),
    "blocks_join": (-1, "covering the place of a whole pile"),
    "extreme_in_gap": (-0.5, "an ace, two or king into a gap"),
    "uses_gap": (-6.5, "moving part of a pile into a gap"),
    "helps_nerts": (-1, "a play others' nerts cards can follow"),
    "helps_others": (-0.5, "a play that others' cards can follow"),
}


def _range(default: float) -> float:
    return RANGE if abs(default) < RANGE else 2 * RANGE


WEIGHTS: dict[str, Parameter] = {
    name: Parameter(float(default), -_range(default), _range(default), meaning)
    for name, (default, meaning) in _TABLE.items()
}
"""The parameters of `weighted`, in the order of its vector."""

INDEX: dict[str, int] = {name: index for index, name in enumerate(WEIGHTS)}
"""Where each weight stands in the vector of parameters."""

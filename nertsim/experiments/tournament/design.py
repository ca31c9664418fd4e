"""The tables of a block: which bots sit together, and where.

The bots of a table play the same decks, with the same streams of timing for each seat, in all rotations over the seats.
Each bot sits at each seat equally often, and meets each other bot equally often, either of them at each seat equally
often. So the luck of the deal and of the seat cancels inside a block.

Tables with other bots have decks of their own. Were they all to have the same, the differences between two bots would
vary more for as many deals, 0.95 to 2.15 times for pairs of the built-in bots at four seats, the most for the most
unequal: what these decks give the one rather than the other would be counted again at every table where they meet.
"""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from nertsim.errors import UsageError, unknown
from nertsim.experiments.tournament.subsets import all_subsets, balanced_subsets

CHOICES = ("auto", "all", "balanced")
"""All tables that there are; as few as can be balanced; or the one or the other, whichever makes a short block."""
SHORT_BLOCK = 120
"""Deals in a block up to which all tables are played by themselves."""
MOST_TABLES = 6000
MOST_BOTS = 24


@dataclasses.dataclass(frozen=True, eq=False)
class Design:
    """int8 (tables, seats): the number of the bot at each seat of each table; `decks` int64 (tables,): tables with the
    same number have the same decks. `bots` counts those that are out too.
    """

    tables: np.ndarray
    decks: np.ndarray
    bots: int

    @property
    def size(self) -> int:
        """Deals in a block."""
        return len(self.tables)

    @property
    def playing(self) -> np.ndarray:
        """bool (bots,): those that sit at a table."""
        return np.bincount(self.tables.ravel(), minlength=self.bots) > 0

    @property
    def seat_counts(self) -> np.ndarray:
        """int64 (tables, bots): how many seats each bot has at each table."""
        return (self.tables[:, :, None] == np.arange(self.bots)).sum(axis=1)

    @property
    def meetings(self) -> np.ndarray:
        """int64 (bots, bots): how often a seat of the one and a seat of the other are at a table together."""
        counts = self.seat_counts
        met = counts.T @ counts
        np.fill_diagonal(met, 0)
        return met


def make_design(playing: np.ndarray, seats: int, which: str = "auto", seed: int = 0) -> Design:
    """The tables for the bots that are `playing`, bool (bots,).

    More bots than seats: subsets of them, each in all rotations over the seats. Fewer: all bots at each table, as
    evenly as can be, and those with a seat more than others taking turns. `which` is one of `CHOICES`; what is left to
    chance is drawn from `seed`. UsageError where that cannot be.
    """
    bots = np.flatnonzero(playing)
    if which not in CHOICES:
        raise UsageError(unknown("choice of tables", which, CHOICES))
    if seats < 2:
        raise UsageError("bots meet at tables of at least two seats")
    generator = np.random.default_rng([seed, *bots.tolist()])
    each, rest = divmod(seats, len(bots))
    subsets = _subsets(len(bots), rest, seats, which, generator)
    everybody = np.tile(np.arange(len(bots)), each)
    seated = np.stack([generator.permutation(np.concatenate([everybody, subset])) for subset in subsets])
    shifts = _rotations(seated)
    rotated = np.stack([np.roll(seated, shift, axis=1) for shift in range(shifts)], axis=1)
    tables = bots[rotated.reshape(-1, seats)].astype(np.int8)
    return Design(tables, np.repeat(np.arange(len(seated)), shifts), len(playing))


def _subsets(bots: int, size: int, seats: int, which: str, generator: np.random.Generator) -> np.ndarray:
    """The subsets of bots that have a seat more than the others."""
    count = math.comb(bots, size) * seats
    if which == "all" and count > MOST_TABLES:
        raise UsageError(
            f"{bots} bots at {seats} seats make {count:,} tables; more than {MOST_TABLES:,} "
            "are too many: a balanced choice of them is played with tables='balanced' (--tables balanced)"
        )
    if which == "all" or (which == "auto" and count <= SHORT_BLOCK):
        return all_subsets(bots, size)
    return balanced_subsets(bots, size, generator, MOST_TABLES // seats)


def _rotations(seated: np.ndarray) -> int:
    """How many rotations over the seats there are: fewer than seats, where all tables then come round to themselves."""
    seats = seated.shape[1]
    for shift in range(1, seats):
        if seats % shift == 0 and (np.roll(seated, shift, axis=1) == seated).all():
            return shift
    return seats

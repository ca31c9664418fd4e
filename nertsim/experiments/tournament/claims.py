"""What the sums of a tournament say beyond doubt, at whatever moment one looks."""

from __future__ import annotations

import dataclasses

import numpy as np

from nertsim.errors import UsageError
from nertsim.experiments.tournament.meetings import FINE
from nertsim.experiments.tournament.totals import TournamentTotals
from nertsim.stats.families import PairSums, anytime_p_values, holm, hopeless, who_beats_whom
from nertsim.stats.mixtures import prior_weight, student_radius

FEWEST = 128
"""Blocks before which nothing is claimed: it all rests on the central limit theorem."""
EXTREMES = 3
"""Blocks of the largest size that the variance is taken with, where two bots are called equal (`stats.sequential`)."""


@dataclasses.dataclass(frozen=True)
class Criteria:
    """What a claim takes. `alpha` is the chance that any of a kind is false, ever; sizes in units of the metric.

    `largest` is the largest size of a block score; `best_at` the number of blocks at which claims are sharpest.
    """

    alpha: float
    smallest_effect: float
    largest: float
    best_at: int

    def __post_init__(self) -> None:
        if not 0 < self.alpha <= 0.5:
            raise UsageError(f"alpha must be above 0 and at most 0.5, not {self.alpha!r}")
        if not 0 < self.smallest_effect < np.inf:
            raise UsageError(f"the smallest effect must be a number above 0, not {self.smallest_effect!r}")


@dataclasses.dataclass(frozen=True, eq=False)
class Claims:
    """By pair of bots, "row less column", each (bots, bots).

    `beats`: beyond doubt, and `equal`: they differ by less than the smallest effect, beyond doubt; the chance that any
    of either kind is ever false is at most alpha. `p_values` are those of "no difference", for all pairs together.
    `low` … `high` is the interval of `difference` at level 1 − alpha, for each pair by itself, and at any moment; where
    one beats the other, 0 is outside.
    """

    beats: np.ndarray
    equal: np.ndarray
    p_values: np.ndarray
    difference: np.ndarray
    low: np.ndarray
    high: np.ndarray

    @property
    def open(self) -> np.ndarray:
        """bool (bots, bots): of which it is not known yet."""
        return ~(self.beats | self.beats.T | self.equal | np.eye(len(self.beats), dtype=bool))


def pair_sums(totals: TournamentTotals, metric: str) -> PairSums:
    """The sums of the block scores of a metric, in its units, as `nertsim.stats.families` takes them."""
    bots = len(totals.bots)
    upper = np.triu_indices(bots, 1)

    def square(values: list[int], sign: int, unit: float) -> np.ndarray:
        matrix = np.zeros((bots, bots))
        matrix[upper] = [value / unit for value in values]
        return matrix + sign * matrix.T

    return PairSums(
        square(totals.pair_blocks, 1, 1),
        square(getattr(totals, f"{metric}_sums"), -1, FINE),
        square(getattr(totals, f"{metric}_squares"), 1, FINE**2),
    )


def make_claims(sums: PairSums, criteria: Criteria) -> Claims:
    """What is known of each pair: by Holm's procedure who beats whom, by Bonferroni's who is equal."""
    bots = len(sums.blocks)
    upper = np.triu_indices(bots, 1)
    level = 1 - criteria.alpha / len(upper[0])
    mean = sums.total / np.maximum(sums.blocks, 1)
    radius = _radius(sums, criteria, 1 - criteria.alpha)
    # Two that play alike but for one block of thousands look equal too soon, were it not for these.
    extreme = EXTREMES * criteria.largest**2
    cautious = _radius(sums._replace(squares=sums.squares + extreme), criteria, level)
    p_values = np.full((bots, bots), np.nan)
    blocks, total, squares = (part[upper] for part in sums)
    p_values[upper] = holm(anytime_p_values(blocks, total, squares, criteria.best_at, FEWEST))
    np.copyto(p_values, p_values.T, where=np.isnan(p_values))
    return Claims(
        beats=who_beats_whom(sums, criteria.alpha, criteria.best_at, FEWEST),
        equal=(np.abs(mean) + cautious < criteria.smallest_effect) & ~np.eye(bots, dtype=bool),
        p_values=p_values,
        difference=mean,
        low=mean - radius,
        high=mean + radius,
    )


def drop(sums: PairSums, playing: np.ndarray, criteria: Criteria) -> np.ndarray:
    """bool (bots,): who of those `playing` is out; the best is, ever, with probability alpha at most."""
    return hopeless(sums, playing, criteria.best_at, criteria.alpha, fewest=FEWEST)


def blocks_to_come(sums: PairSums, open_pairs: np.ndarray, criteria: Criteria) -> float:
    """About how many blocks it takes until the open pairs are known, if their differences are what they look like."""
    variance = _variance(sums)[open_pairs]
    mean = np.abs(sums.total / np.maximum(sums.blocks, 1))[open_pairs]
    pairs = len(sums.blocks) * (len(sums.blocks) - 1) / 2
    gap = np.maximum(mean, np.maximum(criteria.smallest_effect - mean, 0))
    wanted = 2 * variance * (np.log(pairs / criteria.alpha) + 3) / np.maximum(gap, 1e-9) ** 2
    return float(wanted.max(initial=0.0))


def _variance(sums: PairSums) -> np.ndarray:
    """Of one block score; inf where there are too few."""
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = (sums.squares - sums.total**2 / sums.blocks) / (sums.blocks - 1)
    return np.where(sums.blocks > 1, np.maximum(spread, 0.0), np.inf)


def _radius(sums: PairSums, criteria: Criteria, level: float) -> np.ndarray:
    """Half-width of the confidence sequences; inf before FEWEST blocks."""
    radius = student_radius(sums.blocks, _variance(sums), prior_weight(criteria.best_at), level)
    return np.where(sums.blocks >= FEWEST, radius, np.inf)

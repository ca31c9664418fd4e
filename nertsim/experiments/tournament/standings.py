"""The ranking: Plackett–Luce ratings of the finishing orders, and their errors."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

import numpy as np

from nertsim.errors import UsageError
from nertsim.experiments.tournament.orders import gathered
from nertsim.experiments.tournament.totals import TournamentTotals
from nertsim.stats.ratings import Ratings, rate_choices

FEWEST_GROUPS = 16
"""Of blocks: with fewer, the error over blocks is too uncertain itself, and the model's stands in."""


@dataclasses.dataclass(frozen=True)
class Standing:
    """A bot, by number; nan where there are no ratings yet. Errors are standard errors: over blocks, by the model."""

    bot: int
    rank: int
    rating: float
    error: float
    model_error: float


def standings(totals: TournamentTotals, labels: Sequence[str]) -> tuple[list[Standing], str | None]:
    """The bots, best first, by their rating; by mean score where there are no ratings, and then why."""
    try:
        found, missing = rated(totals, labels), None
    except UsageError as error:
        return _by_score(totals), str(error)
    errors = found.errors
    used = sum(map(bool, totals.chosen[0])) if totals.chosen else 0
    over_blocks = found.block_errors if used >= FEWEST_GROUPS else errors
    ranks = found.ranks
    rows = [
        Standing(bot, int(ranks[bot]), float(found.ratings[bot]), float(over_blocks[bot]), float(errors[bot]))
        for bot in range(len(labels))
    ]
    return sorted(rows, key=lambda one: one.rank), missing


def rated(totals: TournamentTotals, labels: Sequence[str]) -> Ratings:
    """The ratings; UsageError where the finishing orders have none."""
    if totals.blocks == 0:
        raise UsageError("no ratings yet: no deal was played")
    bots = len(labels)
    ahead = np.zeros((bots, bots), np.int64)
    upper = np.triu_indices(bots, 1)
    met, more, ties = (np.array(part) for part in (totals.pair_meetings, totals.pair_ahead, totals.pair_ties))
    # A tie counts for both.
    ahead[upper] = (met + more + ties) // 2
    ahead.T[upper] = (met - more + ties) // 2
    return rate_choices(gathered(totals.sets, totals.chosen, ahead), labels)


def _by_score(totals: TournamentTotals) -> list[Standing]:
    means = [points / seats if seats else -math.inf for seats, points, _, _ in totals.bots]
    order = sorted(range(len(means)), key=lambda bot: -means[bot])
    return [Standing(bot, rank + 1, math.nan, math.nan, math.nan) for rank, bot in enumerate(order)]

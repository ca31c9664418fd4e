"""How much less the differences vary for being had from blocks."""

from __future__ import annotations

import math

from nertsim.experiments.tournament.meetings import FINE
from nertsim.experiments.tournament.totals import UNIT, TournamentTotals
from nertsim.stats.intervals import variance


def reduction(totals: TournamentTotals, metric: str) -> dict[str, float]:
    """The variance of all differences from as many deals with decks of their own, in that of the blocks.

    Naive: the variance of what a single deal says of two bots, seats and other bots drawn at random, over the number
    of deals in which they met. `deals_saved`: as many more would have been needed so. nan where nothing varied.
    """
    naive = used = 0.0
    raw = totals.pair_points if metric == "score" else totals.pair_ahead
    for pair, blocks in enumerate(totals.pair_blocks):
        deals, meetings = totals.pair_tables[pair], totals.pair_meetings[pair]
        if blocks < 2:
            continue
        squares = getattr(totals, f"table_{metric}_squares")[pair]
        naive += deals * variance(deals, raw[pair], squares) / (meetings * UNIT[metric]) ** 2
        sums, sums_of_squares = (getattr(totals, f"{metric}_{name}")[pair] for name in ("sums", "squares"))
        used += variance(blocks, sums, sums_of_squares) / FINE**2 / blocks
    factor = naive / used if used > 0 else math.nan
    return {"variance_reduction": factor, "deals_saved": totals.deals * (factor - 1)}

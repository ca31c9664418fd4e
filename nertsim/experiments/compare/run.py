"""A comparison that was played, and what it says."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nertsim.codes import WON_WHOLE
from nertsim.experiments.compare.design import A, B
from nertsim.experiments.compare.plan import BLOCKS, RUNNING, ComparePlan
from nertsim.experiments.compare.totals import FINE, CompareTotals
from nertsim.run import BatchRun, opened
from nertsim.stats.intervals import exact_mean, variance
from nertsim.tables import ENDED_NAMES, summary_frame

if TYPE_CHECKING:
    from nertsim.tables import DataFrame


class CompareRun(BatchRun):
    """A comparison, in memory or in a folder (`path`).

    `totals` are its exact sums, `summary` what they say; `blocks` has a row a block, where these were kept. `seconds`
    is the time spent playing, without compiling.
    """

    plan: ComparePlan
    totals: CompareTotals

    @cached_property
    def summary(self) -> dict[str, Any]:
        """What `nertsim compare --format json` prints, as a dict.

        `difference` is A's mean minus B's in the metric, `ci` its interval at level 1 − alpha, which holds although it
        was stopped on what was seen, `estimate` the difference without the bias of having stopped (median unbiased).
        """
        plan, totals = self.plan, self.totals
        return {
            "verdict": self.verdict,
            "metric": plan.metric,
            "difference": exact_mean(totals.adjusted, totals.blocks * FINE),
            "ci": list(plan.interval(totals)),
            "estimate": self._estimate(),
            "raw_difference": exact_mean(totals.total, totals.blocks) * plan.block_unit,
            "blocks": totals.blocks,
            "deals": totals.deals,
            "matches": totals.blocks * plan.design.size if plan.metric == "match" else None,
            **self.reduction,
            "alpha": plan.test.alpha,
            "beta": plan.test.beta,
            "smallest_effect": plan.test.smallest_effect,
            "seed": plan.seed,
            "seconds": self.seconds,
            "deals_per_second": totals.deals / self.seconds if self.seconds > 0 else math.nan,
            "ended": {name: exact_mean(totals.ended[code], totals.deals) for code, name in enumerate(ENDED_NAMES)},
            "bots": [self._bot(side) for side in (A, B)],
            "field": plan.rivals[2].label if len(plan.rivals) > 2 else None,
        }

    @property
    def verdict(self) -> str:
        """ "A better", "B better", "equivalent", or "undecided" where it was stopped before it had an answer."""
        verdict = self.plan.verdict(self.totals)
        return "undecided" if verdict == RUNNING else verdict

    @cached_property
    def reduction(self) -> dict[str, float]:
        """How much less the difference varies than that of as many deals with decks of their own.

        `variance_reduction` in all, of which `…_blocks` by the same decks for all tables of a block, `…_control` by
        control variates; `deals_saved`: as many more would have been needed without. nan where nothing varied.
        """
        plan, totals = self.plan, self.totals
        tables = zip(totals.table_sums, totals.table_squares, strict=True)
        naive = sum(variance(totals.blocks, *sums) for sums in tables) * plan.block_unit**2
        blocks = variance(totals.blocks, totals.total, totals.squares) * plan.block_unit**2
        adjusted = variance(totals.blocks, totals.adjusted, totals.adjusted_squares) / FINE**2
        whole = _ratio(naive, adjusted)
        return {
            "variance_reduction": whole,
            "variance_reduction_blocks": _ratio(naive, blocks),
            "variance_reduction_control": _ratio(blocks, adjusted),
            "deals_saved": totals.deals * (whole - 1),
        }

    @cached_property
    def blocks(self) -> DataFrame:
        """One row a block (`BLOCK_COLUMNS`); UsageError where these were not kept."""
        import pandas as pd

        return pd.DataFrame(self._rows(BLOCKS, self.totals.blocks), copy=False)

    @property
    def by_bot(self) -> DataFrame:
        """A row for each of the two bots: its mean points and win rate over all its seats."""
        return summary_frame(self.summary["bots"], "bot")

    def _bot(self, side: int) -> dict[str, Any]:
        played = self.totals.blocks * self.plan.design.size * self.plan.design.seats_of(side)
        points, won = self.totals.means[side]
        return {
            "bot": self.plan.labels_of_rivals[side],
            "mean_score": exact_mean(points, played),
            "win_rate": exact_mean(won, played * WON_WHOLE),
        }

    def _estimate(self) -> float:
        from nertsim.stats.passage import passage

        mean, deviation = exact_mean(self.totals.adjusted, self.totals.blocks * FINE), self.plan.deviation(self.totals)
        stopped = self.verdict in ("A better", "B better", "equivalent") and self.plan.stops
        if not stopped or not deviation > 0:
            return mean
        return passage(self.plan.test, deviation).median_unbiased(mean)


def open_run(folder: Path, manifest: Mapping[str, Any]) -> CompareRun:
    """The comparison that a folder holds (see `nertsim.load`)."""
    return opened(ComparePlan, CompareRun, folder, manifest)


def _ratio(one: float, other: float) -> float:
    return one / other if other > 0 else math.nan

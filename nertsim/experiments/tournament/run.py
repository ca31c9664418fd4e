"""A tournament that was played, and what it says."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from nertsim.codes import WON_WHOLE
from nertsim.errors import UsageError
from nertsim.experiments.tournament.claims import Claims
from nertsim.experiments.tournament.meetings import pair_index
from nertsim.experiments.tournament.plan import BLOCKS, TournamentPlan
from nertsim.experiments.tournament.standings import Standing, standings
from nertsim.experiments.tournament.totals import TournamentTotals
from nertsim.experiments.tournament.variances import reduction
from nertsim.run import BatchRun, opened
from nertsim.stats.families import circles
from nertsim.stats.intervals import exact_mean
from nertsim.stats.ratings import ELO
from nertsim.tables import ENDED_NAMES, summary_frame

if TYPE_CHECKING:
    from nertsim.tables import DataFrame


class TournamentRun(BatchRun):
    """A tournament, in memory or in a folder (`path`).

    `totals` are its exact sums, `summary` what they say; `ratings`, `pairs`, `win_matrix` and, where they were kept,
    `blocks` are DataFrames. `seconds` is the time spent playing, without compiling.
    """

    plan: TournamentPlan
    totals: TournamentTotals

    @cached_property
    def summary(self) -> dict[str, Any]:
        """What `nertsim tournament --format json` prints, as a dict.

        `ratings` are in log-odds, of average 0: a bot rated 1 above another finishes ahead of it with odds e : 1;
        `elo` is the same in points of the Elo scale, with `elo_se`. `se` is over blocks (`se_model`: by the model
        alone), for the deals that there are; the claims in `pairs` are what holds at whatever moment one looks.
        """
        plan, totals = self.plan, self.totals
        return {
            "ratings": [self._rating(one) for one in self.standings],
            "ratings_missing": self._ranked[1],
            "decided": totals.blocks > 0 and plan.is_decided(totals),
            "metric": plan.metric,
            "pairs": self._pairs(),
            "win_matrix": self._matrix(),
            "circles": [[plan.entrant_labels[bot] for bot in one] for one in circles(self.claims.beats)],
            "dropped": self._dropped(),
            "blocks": totals.blocks,
            "deals": totals.deals,
            "deals_a_block": plan.stages[0].design.size,
            "tables": plan.which,
            **reduction(totals, plan.metric),
            "alpha": plan.criteria.alpha,
            "smallest_effect": plan.criteria.smallest_effect,
            "drops": plan.drops,
            "seed": plan.seed,
            "seconds": self.seconds,
            "deals_per_second": totals.deals / self.seconds if self.seconds > 0 else math.nan,
            "ended": {name: exact_mean(totals.ended[code], totals.deals) for code, name in enumerate(ENDED_NAMES)},
        }

    @cached_property
    def _ranked(self) -> tuple[list[Standing], str | None]:
        return standings(self.totals, self.plan.entrant_labels)

    @property
    def standings(self) -> list[Standing]:
        """Ratings and ranks, the best bot first."""
        return self._ranked[0]

    @cached_property
    def claims(self) -> Claims:
        """What is known of each two bots, in the order of `plan.entrants`."""
        return self.plan.claims(self.totals)

    @property
    def ratings(self) -> DataFrame:
        """The ranking, one row a bot."""
        return summary_frame(self.summary["ratings"], "bot")

    @property
    def pairs(self) -> DataFrame:
        """What is known of each two bots, one row a pair."""
        return summary_frame(self.summary["pairs"], "bot")

    @property
    def win_matrix(self) -> DataFrame:
        """Share of the deals in which the bot of the row scores more than that of the column; ties count half."""
        import pandas as pd

        matrix = self.summary["win_matrix"]
        return pd.DataFrame(matrix["share"], index=matrix["bots"], columns=matrix["bots"])

    @property
    def by_bot(self) -> DataFrame:
        """The same as `ratings`."""
        return self.ratings

    @property
    def by_seat(self) -> DataFrame:
        """A tournament has none: every bot sits at every seat. UsageError."""
        raise UsageError("in a tournament every bot sits at every seat; see its ratings")

    @cached_property
    def blocks(self) -> DataFrame:
        """One row a bot and block (`BLOCK_COLUMNS`); UsageError where these were not kept."""
        import pandas as pd

        ends = [*(stage.first for stage in self.plan.stages[1:]), self.totals.blocks]
        count = sum(
            (end - stage.first) * int(stage.design.playing.sum())
            for stage, end in zip(self.plan.stages, ends, strict=True)
        )
        rows: dict[str, Any] = dict(self._rows(BLOCKS, count))
        rows["bot"] = pd.Categorical.from_codes(rows["bot"], categories=pd.Index(self.plan.bot_names))
        return pd.DataFrame(rows, copy=False)

    def _rating(self, standing: Standing) -> dict[str, Any]:
        bot, claims = standing.bot, self.claims
        seats, points, _, won = self.totals.bots[bot]
        ahead, behind = int(claims.beats[:, bot].sum()), int(claims.beats[bot].sum())
        return {
            "bot": self.plan.entrant_labels[bot],
            "rating": standing.rating,
            "se": standing.error,
            "rank": standing.rank,
            "rank_ci": [1 + ahead, len(self.totals.bots) - behind],
            "se_model": standing.model_error,
            "elo": ELO * standing.rating,
            "elo_se": ELO * standing.error,
            "mean_score": exact_mean(points, seats),
            "win_rate": exact_mean(won, seats * WON_WHOLE),
            "beats": behind,
            "beaten_by": ahead,
            "deals": seats,
        }

    def _pairs(self) -> list[dict[str, Any]]:
        """The pairs, the bot that is ahead first, in the order of the ranking."""
        claims, order = self.claims, [one.bot for one in self.standings]
        found = []
        for place, one in enumerate(order):
            for two in order[place + 1 :]:
                first, second = (two, one) if claims.difference[one, two] < 0 else (one, two)
                found.append(self._pair(first, second))
        return found

    def _pair(self, one: int, two: int) -> dict[str, Any]:
        claims, labels = self.claims, self.plan.entrant_labels
        pair = pair_index(len(labels))[min(one, two), max(one, two)]
        verdict = "better" if claims.beats[one, two] else "equal" if claims.equal[one, two] else "open"
        return {
            "bot": labels[one],
            "other": labels[two],
            "verdict": verdict,
            "difference": float(claims.difference[one, two]),
            "difference_ci": [float(claims.low[one, two]), float(claims.high[one, two])],
            "less_than_smallest_effect": bool(claims.equal[one, two]),
            "p_value": float(claims.p_values[one, two]),
            "ahead": float(self._shares[one, two]),
            "mean_score_difference": float(self._differences[one, two]),
            "meetings": self.totals.pair_meetings[pair],
            "ties": self.totals.pair_ties[pair],
        }

    @cached_property
    def _shares(self) -> np.ndarray:
        """By row and column: the share of meetings in which the row scores more, ties half; nan on the diagonal."""
        ahead = self._by_meeting(self.totals.pair_ahead)
        return 0.5 + ahead / 2

    @cached_property
    def _differences(self) -> np.ndarray:
        return self._by_meeting(self.totals.pair_points)

    def _by_meeting(self, sums: list[int]) -> np.ndarray:
        bots = len(self.totals.bots)
        matrix = np.full((bots, bots), np.nan)
        for one, two in zip(*np.triu_indices(bots, 1), strict=True):
            pair = pair_index(bots)[one, two]
            matrix[one, two] = exact_mean(sums[pair], self.totals.pair_meetings[pair])
            matrix[two, one] = -matrix[one, two]
        return matrix

    def _matrix(self) -> dict[str, Any]:
        order = [one.bot for one in self.standings]
        cells = np.ix_(order, order)
        return {
            "bots": [self.plan.entrant_labels[bot] for bot in order],
            "share": self._shares[cells].tolist(),
            "mean_score_difference": self._differences[cells].tolist(),
            "beats": self.claims.beats[cells].tolist(),
        }

    def _dropped(self) -> list[dict[str, Any]]:
        """The bots that are out, in the order in which they went."""
        plan, labels, found = self.plan, self.plan.entrant_labels, []
        for before, after in zip(plan.stages, plan.stages[1:], strict=False):
            gone = before.design.playing & ~after.design.playing
            found += [{"bot": labels[bot], "blocks": after.first} for bot in np.flatnonzero(gone)]
        if plan.drops and self.totals.blocks:
            gone = plan.out(self.totals)
            found += [{"bot": labels[bot], "blocks": self.totals.blocks} for bot in np.flatnonzero(gone)]
        return found


def open_run(folder: Path, manifest: Mapping[str, Any]) -> TournamentRun:
    """The tournament that a folder holds (see `nertsim.load`)."""
    return opened(TournamentPlan, TournamentRun, folder, manifest)

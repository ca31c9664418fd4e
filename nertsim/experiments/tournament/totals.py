"""The exact sums over blocks, added up while they are played: the same for any chunks, threads and order."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from nertsim.codes import WON_WHOLE, Ended
from nertsim.experiments.tournament.design import Design
from nertsim.experiments.tournament.meetings import Meetings
from nertsim.experiments.tournament.orders import Orders
from nertsim.totals import exact_squares, plus

METRICS = ("score", "ahead")
"""What each two bots are compared by: points a deal, or how often the one finishes ahead of the other."""
UNIT = {"score": 1.0, "ahead": 2.0}
"""What a difference of 1 counts as: one ahead more than behind is half a deal above one half of them."""


@dataclasses.dataclass
class TournamentTotals:
    """Sums over blocks, all whole numbers. Lists `pair_…` are by pair of bots: (0, 1), (0, 2), …, (1, 2), …

    Block scores are the first bot's mean over the block's meetings less the second's, in units of 1/FINE: of points in
    `score_sums` and `score_squares`, of the share of meetings in which it is ahead, less one half, in `ahead_…`.
    """

    blocks: int
    deals: int
    ended: list[int]
    """Deals by `Ended`."""
    bots: list[list[int]]
    """By bot: seats in all deals, points, their squares, won shares in units of 1/WON_WHOLE."""
    pair_blocks: list[int]
    """Blocks in which they met."""
    score_sums: list[int]
    score_squares: list[int]
    ahead_sums: list[int]
    ahead_squares: list[int]
    pair_meetings: list[int]
    """Meetings of a seat of the one with a seat of the other."""
    pair_ties: list[int]
    pair_points: list[int]
    """Differences of points, over all meetings."""
    pair_ahead: list[int]
    """Meetings in which the first bot scored more, less those in which the second did."""
    pair_tables: list[int]
    """Deals in which they met; what follows are sums of squares over these."""
    table_score_squares: list[int]
    table_ahead_squares: list[int]
    chosen: list[list[int]]
    """By bot and group of blocks: how often it was chosen as the next to finish (see `orders`)."""
    sets: dict[str, list[int]]
    """By set of bots and group: how often was chosen from it."""

    @classmethod
    def empty(cls, bots: int, groups: int) -> TournamentTotals:
        """The totals of nothing."""
        pairs = bots * (bots - 1) // 2
        names = [field.name for field in dataclasses.fields(cls)]
        by_pair = {name: [0] * pairs for name in names[names.index("pair_blocks") : names.index("chosen")]}
        return cls(
            blocks=0,
            deals=0,
            ended=[0] * len(Ended),
            bots=[[0] * 4 for _ in range(bots)],
            chosen=[[0] * groups for _ in range(bots)],
            sets={},
            **by_pair,
        )

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> TournamentTotals:
        """What `to_dict` wrote; TypeError where keys are missing or foreign."""
        return cls(**values)

    def to_dict(self) -> dict[str, Any]:
        """All sums as JSON can hold them."""
        return dict(vars(self))

    def __add__(self, other: TournamentTotals) -> TournamentTotals:
        mine, others = dict(vars(self)), dict(vars(other))
        sets, more = mine.pop("sets"), others.pop("sets")
        both = {key: plus(sets[key], more[key]) for key in sets.keys() & more.keys()}
        merged = dict(sorted((sets | more | both).items()))
        return TournamentTotals(**{name: plus(value, others[name]) for name, value in mine.items()}, sets=merged)


@dataclasses.dataclass(frozen=True)
class Outcome:
    """What n blocks of T tables with S seats came to: points and won shares int64 (n, T, S), deals by `Ended`."""

    points: np.ndarray
    won: np.ndarray
    ended: np.ndarray


class Counter:
    """Makes totals of blocks of a design."""

    def __init__(self, design: Design, groups: int) -> None:
        self.design = design
        self.meetings = Meetings(design)
        self.orders = Orders(design, groups)

    def count(self, outcome: Outcome, first: int) -> TournamentTotals:
        """The totals of the blocks from `first` on."""
        blocks = len(outcome.points)
        sets, chosen = self.orders.count(outcome.points, first)
        return TournamentTotals(
            blocks=blocks,
            deals=int(outcome.ended.sum()),
            ended=outcome.ended.tolist(),
            bots=self._by_bot(outcome).tolist(),
            chosen=chosen,
            sets=sets,
            **{name: values.tolist() for name, values in self._by_pair(outcome.points).items()},
        )

    def _by_bot(self, outcome: Outcome) -> np.ndarray:
        """int64 (bots, 4)."""
        points, won = outcome.points, outcome.won
        seats = np.stack([np.full(points.shape[1:], len(points)), points.sum(0), (points**2).sum(0), won.sum(0)], -1)
        found = np.zeros((self.design.bots, 4), np.int64)
        np.add.at(found, self.design.tables.ravel(), seats.reshape(-1, 4))
        return found

    def _by_pair(self, points: np.ndarray) -> dict[str, np.ndarray]:
        """int64 (pairs,) each."""
        meetings, blocks = self.meetings, len(points)
        cells = dict(zip(METRICS, meetings.differences(points), strict=True))
        found = {
            "pair_blocks": blocks * (meetings.per_block > 0),
            "pair_meetings": blocks * meetings.per_block,
            "pair_ties": meetings.ties(points),
            "pair_points": meetings.by_pair(cells["score"]).sum(axis=0),
            "pair_ahead": meetings.by_pair(cells["ahead"]).sum(axis=0),
            "pair_tables": blocks * meetings.cells,
        }
        for metric, values in cells.items():
            scores = meetings.block_scores(values, UNIT[metric])
            found[f"{metric}_sums"] = scores.sum(axis=0)
            # Python's whole numbers: their sums may leave int64.
            found[f"{metric}_squares"] = np.array(exact_squares(scores[:, None, :])[0], object)
            found[f"table_{metric}_squares"] = meetings.by_pair((values**2).sum(axis=0)[None, :])[0]
        return found


def score_by_bot(outcome: Outcome, design: Design) -> tuple[np.ndarray, np.ndarray]:
    """Mean points and win rate of each bot that plays, in each block: float64 (n, bots playing)."""
    seats = np.zeros((design.tables.size, design.bots), np.int64)
    seats[np.arange(design.tables.size), design.tables.ravel()] = 1
    seats = seats[:, design.playing]
    # Whole numbers are added up, so that the last digit is the same whatever the chunks.
    points, won = (
        values.reshape(len(values), -1) @ seats / seats.sum(axis=0) for values in (outcome.points, outcome.won)
    )
    return points, won / WON_WHOLE

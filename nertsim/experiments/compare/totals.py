"""The exact sums over blocks, added up while they are played: the same for any chunks, threads and order."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from nertsim.codes import WON_WHOLE, DealColumn, Ended, SeatColumn
from nertsim.experiments.compare.design import A, B, Design
from nertsim.totals import exact_squares, plus

METRICS = ("score", "win", "match")
"""What two bots can be compared by: points a deal, deals won, matches won."""
FINE = 1 << 20
"""Adjusted block scores are kept in units of 1/FINE, as whole numbers, so that their sums are exact."""


@dataclasses.dataclass
class CompareTotals:
    """Sums over blocks, all whole numbers; `squares` are sums of squares."""

    blocks: int
    deals: int
    ended: list[int]
    """Deals by `Ended`."""
    total: int
    """Of block scores as they were played, in units of `Design.unit` (and, of shares, 1/WON_WHOLE)."""
    squares: int
    table_sums: list[int]
    """The part of each table in it."""
    table_squares: list[int]
    adjusted: int
    """Of block scores with control variates, in units of 1/FINE."""
    adjusted_squares: int
    means: list[list[int]]
    """By bot (A, B): points or match points, and won shares, of its seats."""

    @classmethod
    def empty(cls, design: Design) -> CompareTotals:
        """The totals of nothing."""
        return cls(
            blocks=0,
            deals=0,
            ended=[0] * len(Ended),
            total=0,
            squares=0,
            table_sums=[0] * design.size,
            table_squares=[0] * design.size,
            adjusted=0,
            adjusted_squares=0,
            means=[[0, 0], [0, 0]],
        )

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> CompareTotals:
        """What `to_dict` wrote; TypeError where keys are missing or foreign."""
        return cls(**values)

    def to_dict(self) -> dict[str, Any]:
        """All sums as JSON can hold them."""
        return dict(vars(self))

    def __add__(self, other: CompareTotals) -> CompareTotals:
        return CompareTotals(**{name: plus(value, getattr(other, name)) for name, value in vars(self).items()})


@dataclasses.dataclass(frozen=True)
class Outcome:
    """What n blocks of T tables with S seats came to."""

    points: np.ndarray
    """int64 (n, T, S): points of the deal, or of the match."""
    won: np.ndarray
    """int64 (n, T, S): shares of the win, in units of 1/WON_WHOLE."""
    ended: np.ndarray
    """int64 (kinds of `Ended`,): deals of all tables."""

    @classmethod
    def of_chunks(cls, chunks: list[Any]) -> Outcome:
        """The outcome of the same deals at each table; `chunks` holds a `Chunk` a table."""
        seats = np.stack([chunk.seats[:, :, [SeatColumn.SCORE, SeatColumn.WON]] for chunk in chunks], axis=1)
        ended = sum(np.bincount(chunk.deals[:, DealColumn.ENDED], minlength=len(Ended)) for chunk in chunks)
        return cls(seats[:, :, :, 0], seats[:, :, :, 1], np.asarray(ended))

    def of(self, metric: str) -> np.ndarray:
        """int64 (n, T, S): what a metric is the mean of."""
        return self.points if metric == "score" else self.won


def table_scores(outcome: Outcome, design: Design, metric: str) -> np.ndarray:
    """int64 (n, T): the part of each table in the block scores, in units of `Design.unit`."""
    return np.einsum("nts,ts->nt", outcome.of(metric), design.weights)


def whole(metric: str) -> int:
    """What a win is counted as, where wins are counted; 1 for points."""
    return 1 if metric == "score" else WON_WHOLE


def count_blocks(outcome: Outcome, tables: np.ndarray, adjusted: np.ndarray, design: Design) -> CompareTotals:
    """The totals of some blocks: `tables` as of `table_scores`, `adjusted` int64 (n,) in units of 1/FINE."""
    blocks = tables.sum(axis=1)
    means = [
        [int(values[:, design.tables == side].sum()) for values in (outcome.points, outcome.won)] for side in (A, B)
    ]
    return CompareTotals(
        blocks=len(tables),
        deals=int(outcome.ended.sum()),
        ended=outcome.ended.tolist(),
        total=int(blocks.sum()),
        squares=exact_squares(blocks[:, None, None])[0][0],
        table_sums=tables.sum(axis=0).tolist(),
        table_squares=exact_squares(tables[:, None, :])[0],
        adjusted=int(adjusted.sum()),
        adjusted_squares=exact_squares(adjusted[:, None, None])[0][0],
        means=means,
    )

"""Deals worth seeing: the most lop-sided, the most typical, the longest, and those that did not end by a call."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from nertsim.codes import Ended
from nertsim.tables import ENDED_NAMES, Rows

SHOWN = 5


@dataclasses.dataclass(frozen=True, order=True)
class Deal:
    """A deal of the run; the first by `rank` (the least) are shown."""

    rank: float
    deal: int
    scores: tuple[int, ...] = ()
    seconds: float = 0.0
    ended: str = ""

    @property
    def margin(self) -> int:
        """Points between the best seat and the next."""
        best, *rest = sorted(self.scores, reverse=True)
        return best - rest[0] if rest else best


class Notable:
    """Collects them from part to part. What is typical is measured by means and spreads of the first part.

    A deal is typical where its length, its actions and its scores, put in order, are near their means: the mean of the
    squared distances, each in standard deviations, is the least.
    """

    TITLES = {  # noqa: RUF012 (read only)
        "lopsided": "Most lop-sided",
        "typical": "Most typical",
        "longest": "Longest",
        "stuck": "Stuck",
        "time_limit": "Ended at the time limit",
    }

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.found: dict[str, list[Deal]] = {name: [] for name in self.TITLES}
        self._centre: tuple[np.ndarray, np.ndarray] | None = None

    def add(self, rows: Rows, points: np.ndarray) -> None:
        """Takes the deals of a part: its rows a deal, and scores (deals, seats), of no seats where there are none."""
        features = np.column_stack([rows["duration_us"], rows["actions"], np.sort(points, axis=1)]).astype(float)
        if self._centre is None:
            spread = features.std(axis=0)
            self._centre = features.mean(axis=0), np.where(spread > 0, spread, np.inf)
        mean, spread = self._centre
        ranks = {
            "typical": (((features - mean) / spread) ** 2).mean(axis=1),
            "longest": -rows["duration_us"].astype(float),
            "stuck": np.where(rows["ended"] == Ended.STUCK, rows["deal"], np.inf),
            "time_limit": np.where(rows["ended"] == Ended.TIME_LIMIT, rows["deal"], np.inf),
        }
        if self.seats > 1:
            ranks["lopsided"] = features[:, -2] - features[:, -1]
        elif self.seats == 1:
            ranks["lopsided"] = -np.abs(points[:, 0] - mean[2])
        for name, rank in ranks.items():
            self._keep(name, rank, rows, points)

    def _keep(self, name: str, rank: np.ndarray, rows: Rows, points: np.ndarray) -> None:
        # Of equal ones the first, so that parts do not matter.
        last = np.partition(rank, SHOWN - 1)[SHOWN - 1] if len(rank) > SHOWN else np.inf
        places = np.flatnonzero((rank <= last) & np.isfinite(rank))
        for place in places[np.argsort(rank[places], kind="stable")][:SHOWN].tolist():
            self.found[name].append(
                Deal(
                    float(rank[place]),
                    int(rows["deal"][place]),
                    tuple(points[place].tolist()),
                    float(rows["duration_us"][place]) / 1e6,
                    ENDED_NAMES[rows["ended"][place]],
                )
            )
        self.found[name] = sorted(self.found[name])[:SHOWN]

    def to_dict(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return {name: [dataclasses.asdict(deal) for deal in deals] for name, deals in self.found.items()}

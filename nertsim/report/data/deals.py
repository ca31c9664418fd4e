"""The rows of a batch of deals, read part by part, in memory that does not grow: histograms, and deals worth seeing."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from nertsim.codes import WON_WHOLE, Ended
from nertsim.report.data.counts import Counts
from nertsim.report.data.notable import Notable
from nertsim.run import DEALS, SEATS
from nertsim.tables import ENDED_NAMES, Rows

if TYPE_CHECKING:
    from nertsim.run import Run

LOWEST, SCORES = -512, 2048
"""Of a histogram of scores, in points; rules under which more can be scored are nobody's."""
MOST_SECONDS = 36_000
SAMPLE_DEALS = 200_000
"""Deals of which single results are kept, for the luck of the deal."""

Step = Callable[[int], None]


@dataclasses.dataclass
class DealData:
    """What the rows of a run say. Without rows a seat, what is of seats is empty."""

    deals: int
    with_seats: bool
    scores: list[Counts]
    """By bot, in the order of `plan.bot_names`: the scores of all its seats."""
    margins: Counts
    """Points between the best seat and the next."""
    seconds: list[Counts]
    """By `Ended`: simulated length, in whole seconds."""
    notable: Notable
    sample_scores: np.ndarray
    """int64 (n, seats): scores of the first deals."""
    sample_won: np.ndarray
    """The same of shares won, in units of 1/WON_WHOLE."""

    @property
    def all_seconds(self) -> Counts:
        """Lengths of deals, however they ended."""
        whole = Counts(0, MOST_SECONDS + 1)
        for one in self.seconds:
            whole.totals += one.totals
            whole.squares += one.squares
            whole.units += one.units
        return whole

    def to_dict(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return {
            "deals": self.deals,
            "scores": [one.to_dict() for one in self.scores],
            "margins": self.margins.to_dict() if self.with_seats else None,
            "seconds": {name: one.to_dict() for name, one in zip(ENDED_NAMES, self.seconds, strict=True)},
            "notable": self.notable.to_dict(),
        }


def read_deals(run: Run, step: Step) -> DealData | None:
    """Reads the rows once; None where none were kept. `step` is called with how many deals were read."""
    if DEALS not in run.plan.tables:
        return None
    seats, sides = run.rules.seats, run.plan.sides
    with_seats = SEATS in run.plan.tables
    data = DealData(
        deals=0,
        with_seats=with_seats,
        scores=[Counts(LOWEST, SCORES, len(members)) for members in sides] if with_seats else [],
        margins=Counts(0, SCORES),
        seconds=[Counts(0, MOST_SECONDS + 1) for _ in Ended],
        notable=Notable(seats if with_seats else 0),
        sample_scores=np.empty((0, seats), np.int64),
        sample_won=np.empty((0, seats), np.int64),
    )
    for rows, points, won in _parts(run, with_seats):
        _count(data, sides, rows, points, won)
        step(len(rows["deal"]))
    return data


def _parts(run: Run, with_seats: bool) -> Iterator[tuple[Rows, np.ndarray, np.ndarray]]:
    """Of each part: its rows a deal, and scores and won shares, (deals, seats)."""
    seats = run.rules.seats
    if not with_seats:
        for rows in run.read_rows(DEALS):
            yield rows, np.empty((len(rows["deal"]), 0), np.int16), np.empty((len(rows["deal"]), 0))
        return
    pairs = zip(run.read_rows(SEATS, ("score", "won")), run.read_rows(DEALS), strict=True)
    for by_seat, rows in pairs:
        yield rows, by_seat["score"].reshape(-1, seats), by_seat["won"].reshape(-1, seats)


def _count(data: DealData, sides: list[list[int]], rows: Rows, points: np.ndarray, won: np.ndarray) -> None:
    data.deals += len(rows["deal"])
    seconds = rows["duration_us"] // 1_000_000
    for code in Ended:
        data.seconds[code].add(seconds[rows["ended"] == code])
    data.notable.add(rows, points)
    for counts, members in zip(data.scores, sides, strict=False):
        counts.add(points[:, members])
    if points.shape[1] > 1:
        two = np.partition(points, (-2, -1), axis=1)[:, -2:].astype(np.int64)
        data.margins.add(two[:, 1] - two[:, 0])
    room = SAMPLE_DEALS - len(data.sample_scores)
    if data.with_seats and room > 0:
        data.sample_scores = np.concatenate([data.sample_scores, points[:room].astype(np.int64)])
        shares = np.rint(won[:room] * WON_WHOLE).astype(np.int64)
        data.sample_won = np.concatenate([data.sample_won, shares])

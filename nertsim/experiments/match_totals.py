"""The exact sums over matches, added up while they are played: the same for any chunks, threads and order."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from nertsim.codes import Ended
from nertsim.experiments.match_play import Outcomes
from nertsim.totals import exact_squares, plus

POINTS, LEAD, WON = range(3)
"""What is summed for each seat: points, points ahead of the best other, shares of the win in units of 1/WON_WHOLE."""


@dataclasses.dataclass
class MatchTotals:
    """Sums over matches, all whole numbers; `squares` are sums of squares. A *side* is all seats with the same bot."""

    matches: int
    deals: Counter[int]
    """Matches by the number of their deals."""
    margins: Counter[int]
    """Matches by the points between the best seat and the next; empty where there is one seat."""
    shared: int
    """Matches that more than one seat won."""
    capped: int
    """Matches that ended undecided after `MATCH_STRIDE` deals."""
    ended: list[int]
    """Deals by `Ended`."""
    duration_us: int
    seat_sums: list[list[int]]
    """By seat, then POINTS, LEAD, WON."""
    seat_squares: list[list[int]]
    side_sums: list[int]
    """Shares won, by side."""
    side_squares: list[int]

    @classmethod
    def empty(cls, seats: int, sides: int) -> MatchTotals:
        """The totals of no matches."""
        return cls(
            matches=0,
            deals=Counter(),
            margins=Counter(),
            shared=0,
            capped=0,
            ended=[0] * len(Ended),
            duration_us=0,
            seat_sums=[[0] * 3 for _ in range(seats)],
            seat_squares=[[0] * 3 for _ in range(seats)],
            side_sums=[0] * sides,
            side_squares=[0] * sides,
        )

    @classmethod
    def of_outcomes(cls, outcomes: Outcomes, sides: Sequence[Sequence[int]]) -> MatchTotals:
        """The totals of some matches; `sides` holds the seats of each side."""
        leads, won = outcomes.leads, outcomes.won
        seats = np.stack([outcomes.points, leads, won], axis=2)
        side = np.stack([won[:, list(members)].sum(axis=1) for members in sides], axis=1)
        return cls(
            matches=len(outcomes.deals),
            deals=Counter(outcomes.deals.tolist()),
            margins=Counter(leads.max(axis=1).tolist() if leads.shape[1] > 1 else ()),
            shared=int(((won > 0).sum(axis=1) > 1).sum()),
            capped=int(outcomes.capped.sum()),
            ended=outcomes.ended.tolist(),
            duration_us=int(outcomes.duration_us.sum()),
            seat_sums=seats.sum(axis=0).tolist(),
            seat_squares=exact_squares(seats),
            side_sums=side.sum(axis=0).tolist(),
            side_squares=exact_squares(side[:, None, :])[0],
        )

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> MatchTotals:
        """What `to_dict` wrote; TypeError or ValueError where keys are missing or foreign."""
        counters = {name: Counter({int(one): n for one, n in values[name].items()}) for name in ("deals", "margins")}
        return cls(**(values | counters))

    def to_dict(self) -> dict[str, Any]:
        """All sums as JSON can hold them."""
        counters = {name: {str(one): n for one, n in getattr(self, name).items()} for name in ("deals", "margins")}
        return dict(vars(self)) | counters

    @property
    def deals_played(self) -> int:
        """Deals of all matches."""
        return sum(self.ended)

    def __add__(self, other: MatchTotals) -> MatchTotals:
        return MatchTotals(**{name: plus(value, getattr(other, name)) for name, value in vars(self).items()})

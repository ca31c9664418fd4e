"""When a batch has been played long enough: the target of ``--until-error``."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import Any

from nertsim.errors import UsageError, unknown
from nertsim.stats.intervals import Interval
from nertsim.stats.sequences import FEWEST, mean_sequence, mixture_radius, share_sequence

FIGURES = {"win": "win_rate", "score": "score"}
"""What can be asked for, and what its interval is called in a summary."""
TYPICAL_DEVIATION = {"win": 0.45, "score": 11.0}
"""About that of one seat of four; only how tight the intervals are depends on it, not whether they hold."""
LOOK = 8192


@dataclasses.dataclass(frozen=True)
class Until:
    """Play until half of the 95 % interval of a figure, for every bot, is at most `error`.

    `figure` is "win" (win rate, 0 … 1) or "score" (points). Raises `UsageError` for what cannot be one.
    """

    figure: str
    error: float
    stops: bool = True
    """False where it has stopped, and deals were added to it: the intervals stay what they are."""
    look: int = LOOK
    """It is looked after so many deals, whatever the chunks, so that the batch ends at the same deal always."""

    def __post_init__(self) -> None:
        if self.figure not in FIGURES:
            raise UsageError(unknown("figure to wait for", self.figure, FIGURES))
        number = isinstance(self.error, (int, float)) and not isinstance(self.error, bool)
        if not number or not math.isfinite(self.error) or self.error <= 0:
            raise UsageError(f"the error to wait for must be a number above 0, as 0.001, not {self.error!r}")

    def __str__(self) -> str:
        return f"until the {self.figure}{' rate' if self.figure == 'win' else ''} is known to ±{self.error:g}"

    def to_dict(self) -> dict[str, Any]:
        """All values by name."""
        return dataclasses.asdict(self)

    @property
    def best_at(self) -> float:
        """Deals after which it will end, as far as one can say beforehand: where the intervals are tightest."""
        return max(FEWEST, self.deals_for(TYPICAL_DEVIATION[self.figure]))

    def deals_for(self, deviation: float) -> float:
        """Deals after which a figure with that standard deviation is known well enough, intervals tightest there."""
        return (deviation * mixture_radius(1000, 1.0, 1000) * math.sqrt(1000) / self.error) ** 2

    def mean(self, count: int, total: int, squares: int, unit: float = 1.0) -> Interval:
        """As `intervals.mean_interval`, for a number of deals that depends on what was seen."""
        return mean_sequence(count, total, squares, self.best_at, unit)

    def share(self, count: int, total: int, squares: int, whole: int) -> Interval:
        """As `intervals.share_interval`, likewise."""
        return share_sequence(count, total, squares, whole, self.best_at)

    def outcome(self, summary: Mapping[str, Any]) -> dict[str, Any]:
        """What was asked for, and how far `summary` is from it: half of the widest interval, nan where unknown."""
        half = widest(summary, self.figure)
        return {"figure": self.figure, "error": self.error, "half_width": half, "reached": half <= self.error}

    def expected(self, deals: int, half_width: float) -> float:
        """Deals that it will take in all, from what was seen so far; from what is usual, where that says nothing."""
        if not math.isfinite(half_width):
            return self.best_at
        deviation = half_width / mixture_radius(deals, 1.0, self.best_at)
        expected = self.best_at
        for _ in range(20):  # of which a few are enough: the width is nearly that of a root
            expected *= (deviation * mixture_radius(expected, 1.0, self.best_at) / self.error) ** 2
        return expected


def widest(summary: Mapping[str, Any], figure: str) -> float:
    """Half of the widest interval of a figure among the bots; among the seats where all have the same bot."""
    records = summary["bots"] if len(summary["bots"]) > 1 else summary["seats"]
    halves = [(record[f"{FIGURES[figure]}_ci"][1] - record[f"{FIGURES[figure]}_ci"][0]) / 2 for record in records]
    return math.nan if any(map(math.isnan, halves)) else max(halves)

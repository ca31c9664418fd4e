"""How far the making of a report has come: rows read, deals replayed, plots drawn, all in one count."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from nertsim.report.data.unfold import SAMPLE

if TYPE_CHECKING:
    from nertsim.report.about import Record

READ, PLOT = 1000, 120
"""Deals that are read, and of a plot, in the time that the replay of one takes, about."""
PLOTS = 10
Progress = Callable[[int, int], None]


class Work:
    """Counts steps, of which one takes about a millisecond, and tells of them."""

    def __init__(self, progress: Progress | None = None, expected: float = 0) -> None:
        self._progress = progress
        self._done, self._expected = 0.0, expected

    def read(self, units: int) -> None:
        """So many deals, matches or blocks were read."""
        self._step(units / READ)

    def replayed(self, deals: int) -> None:
        """So many deals were replayed."""
        self._step(deals)

    def drawn(self) -> None:
        """A plot was drawn."""
        self._step(PLOT)

    def _step(self, steps: float) -> None:
        self._done += steps
        if self._progress:
            self._progress(int(self._done), int(max(self._done + 1, self._expected)))


def expected_steps(record: Record, plots: bool = True) -> float:
    """Steps that the report of a run will take, about."""
    rows = 0 if getattr(record.run.plan, "keep", "summary") == "summary" else record.count
    return rows / READ + SAMPLE + (PLOTS * PLOT if plots else 0)

"""The luck of the deal against the result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nertsim.report.data.luck import Bin
from nertsim.report.figures.drawing import curve, figure, legend
from nertsim.report.plots import SOFT

FORETOLD = "luck: points ahead that the cards foretell"


@figure
def leads(panel: Any, bins: Sequence[Sequence[Bin]], names: Sequence[str]) -> None:
    """What came of the deals against what the cards foretold: a curve a bot."""
    for number, (found, name) in enumerate(zip(bins, names, strict=True)):
        places, means = [one.luck for one in found], [one.lead for one in found]
        curve(panel, places, means, [one.lead_interval for one in found], number, name, points=True)
    panel.axhline(0, color=SOFT, linewidth=0.8, linestyle=":")
    panel.set_xlabel(FORETOLD)
    panel.set_ylabel("points ahead in the end")
    legend(panel, len(names))


@figure
def wins(panel: Any, bins: Sequence[Sequence[Bin]], names: Sequence[str], seats: int) -> None:
    """The win rate against what the cards foretold."""
    for number, (found, name) in enumerate(zip(bins, names, strict=True)):
        places, means = [one.luck for one in found], [one.win_rate for one in found]
        curve(panel, places, means, [one.win_interval for one in found], number, name, points=True, scale=100)
    panel.axhline(100 / seats, color=SOFT, linewidth=0.8, linestyle=":")
    panel.set_xlabel(FORETOLD)
    panel.set_ylabel("win rate (% of the deals)")
    panel.set_ylim(bottom=0)
    legend(panel, len(names))

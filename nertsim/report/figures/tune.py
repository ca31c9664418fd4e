"""A tuning: how far it came on the way, and where it went."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nertsim.report.figures.drawing import counted, curve, figure, legend
from nertsim.report.plots import MARKERS, SOFT, colour_of, short_label
from nertsim.stats.intervals import Interval


@figure
def checks(panel: Any, found: Sequence[dict[str, Any]], label: str, scale: float) -> None:
    """How much better the estimate is than the start, at each check."""
    intervals = [Interval(*one["difference_ci"]) for one in found]
    places, means = [one["deals"] for one in found], [one["difference"] for one in found]
    curve(panel, places, means, intervals, 0, points=True, scale=scale)
    panel.axhline(0, color=SOFT, linewidth=0.9, linestyle=":")
    counted(panel, "deals played")
    panel.set_ylabel(label)


@figure
def paths(panel: Any, deals: Sequence[int], names: Sequence[str], path: Sequence[Sequence[float]]) -> None:
    """Where the estimate was at each check, in per cent of each parameter's range."""
    for number, name in enumerate(names):
        places = [100 * point[number] for point in path]
        marker = MARKERS[number // 6 % len(MARKERS)]
        panel.plot(deals, places, color=colour_of(number % 6), marker=marker, markersize=3, label=short_label(name))
    panel.set_ylim(-4, 104)
    counted(panel, "deals played")
    panel.set_ylabel("% of the parameter's range")
    legend(panel, len(names))

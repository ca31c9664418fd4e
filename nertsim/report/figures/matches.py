"""How matches go."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nertsim.report.data.matches import Course
from nertsim.report.figures.drawing import curve, figure, legend
from nertsim.report.plots import SOFT


@figure
def course(panel: Any, found: Course, names: Sequence[str], target: int | None) -> None:
    """Points after each deal: a curve a bot."""
    for number, (one, name) in enumerate(zip(found.points, names, strict=True)):
        curve(panel, found.deals, one.means, one.intervals, number, name, points=True)
    if target is not None:
        panel.axhline(target, color=SOFT, linestyle=":", linewidth=1)
    panel.set_xlabel("deals played")
    panel.set_ylabel("points of a seat")
    legend(panel, len(names))

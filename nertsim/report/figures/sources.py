"""Where points come from: the parts of the mean score of each seat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nertsim.report.figures.drawing import figure
from nertsim.report.plots import INK, colour_of, short_label

COLOURS = {"nerts": 0, "waste": 5, "work": 2, "kings": 3, "calls": 4, "left": 1}
"""The colour of each part, by number."""


@figure
def parts(
    panel: Any,
    names: Sequence[str],
    found: Sequence[dict[str, float]],
    scores: Sequence[float],
    intervals: Sequence[Sequence[float]],
    labels: dict[str, str],
) -> None:
    """A row a seat: what it gains to the right, what it loses to the left, and its score with its interval."""
    for row, by_part in enumerate(found):
        ends = {1: 0.0, -1: 0.0}
        for part, value in by_part.items():
            sign = -1 if value < 0 else 1
            label = labels[part] if row == 0 else None
            panel.barh(row, value, left=ends[sign], height=0.62, color=colour_of(COLOURS[part]), label=label)
            ends[sign] += value
    for row, (score, (low, high)) in enumerate(zip(scores, intervals, strict=True)):
        if low == low:
            panel.plot([low, high], [row, row], color=INK, linewidth=2)
        panel.plot([score], [row], color=INK, marker="D", markersize=4, linestyle="", label="" if row else "score")
    panel.axvline(0, color=INK, linewidth=0.8)
    panel.set_yticks(range(len(names)), [short_label(name) for name in names])
    panel.set_ylim(len(names) - 0.4, -0.6)
    panel.grid(axis="y", visible=False)
    panel.set_xlabel("points a deal")
    panel.figure.legend(fontsize=8, labelcolor=INK, loc="outside upper left", ncols=3, handlelength=1.2)

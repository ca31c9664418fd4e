"""Histograms: of scores, of margins, of lengths of deals and matches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nertsim.report.data.counts import Counts, rebinned
from nertsim.report.figures.drawing import figure, legend, steps

MOST_BINS = 60


@figure
def values(panel: Any, counts: Sequence[Counts], names: Sequence[str], label: str, unit: str, intervals: Any) -> None:
    """A bin a whole number, from the lowest to the highest value; one histogram a bot."""
    low = min(one.span[0] for one in counts)
    high = max(one.span[1] for one in counts)
    edges = [value - 0.5 for value in range(low, high + 2)]
    shade = min(0.28, 0.84 / len(counts))
    for number, (one, name) in enumerate(zip(counts, names, strict=True)):
        found = [one.share(value, intervals) for value in range(low, high + 1)]
        steps(panel, edges, [share for share, _ in found], [ends for _, ends in found], number, name, shade=shade)
    panel.set_xlabel(label)
    panel.set_ylabel(unit)
    panel.set_ylim(bottom=0)
    legend(panel, len(counts))


@figure
def in_bins(
    panel: Any, counts: Sequence[Counts], names: Sequence[str], label: str, unit: str, measure: str, intervals: Any
) -> None:
    """Bins of equal width in `measure`, at most MOST_BINS of them; the last holds the highest 0.1 % too."""
    edges = bin_edges(counts)
    shade = min(0.28, 0.84 / len(counts))
    for number, (one, name) in enumerate(zip(counts, names, strict=True)):
        found = rebinned(one, [*edges[:-1], one.low + len(one.totals)], intervals)
        steps(panel, edges, [share for share, _ in found], [ends for _, ends in found], number, name, shade=shade)
    width = edges[1] - edges[0]
    panel.set_xlabel(label)
    panel.set_ylabel(f"{unit}, in bins of {width} {measure}")
    panel.set_ylim(bottom=0)
    legend(panel, len(counts))


def bin_edges(counts: Sequence[Counts]) -> list[int]:
    """Edges of bins of the same whole width, from the lowest value to about the highest."""
    seen = [one for one in counts if one.totals.any()]
    low = min(one.span[0] for one in seen)
    high = max(one.quantile(0.999) for one in seen)
    width = next(one for one in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10_000) if (high - low) / one < MOST_BINS)
    first = low // width * width
    return list(range(first, high + width + 1, width)) if high >= first else [first, first + width]

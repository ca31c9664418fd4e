"""A comparison: how the answer came about, and how blocks differ."""

from __future__ import annotations

from typing import Any

import numpy as np

from nertsim.report.data.blocks import MOST_BINS, BlockData
from nertsim.report.figures.drawing import count_text, counted, curve, figure
from nertsim.report.plots import SOFT, colour_of


@figure
def course(panel: Any, data: BlockData, label: str, scale: float, effect: float) -> None:
    """The difference and its interval as blocks were added; dotted: the smallest effect."""
    curve(panel, data.blocks, data.means, data.intervals, 0, scale=scale)
    panel.axhline(0, color=SOFT, linewidth=0.9)
    for end in (-effect, effect):
        panel.axhline(scale * end, color=SOFT, linewidth=0.9, linestyle=":")
    counted(panel, "blocks")
    if data.blocks[-1] > 20 * data.blocks[0]:
        panel.set_xscale("log")
        panel.minorticks_off()
        powers = [10.0**power for power in range(1, 10) if data.blocks[0] <= 10**power <= data.blocks[-1]]
        panel.set_xticks(powers, [count_text(one) for one in powers])
    reach = max(abs(end) for one in data.intervals for end in one if end == end) if data.intervals else 1.0
    last = data.intervals[-1]
    wide = scale * max(3 * (last.high - last.low), 3 * effect, 2 * abs(data.means[-1]))
    if last.low == last.low and wide < scale * reach:
        panel.set_ylim(scale * data.means[-1] - wide, scale * data.means[-1] + wide)
    panel.set_ylabel(label)


@figure
def differences(panel: Any, data: BlockData, label: str, scale: float) -> None:
    """A histogram of the block differences, as played."""
    values = scale * data.differences
    edges = np.histogram_bin_edges(values, min(MOST_BINS, max(5, len(values) // 20)))
    counts, _ = np.histogram(values, edges)
    panel.stairs(100 * counts / len(values), edges, fill=True, color=colour_of(0), alpha=0.55)
    panel.axvline(float(values.mean()), color=colour_of(1), linewidth=1.4)
    panel.set_xlabel(label)
    panel.set_ylabel("% of the blocks")

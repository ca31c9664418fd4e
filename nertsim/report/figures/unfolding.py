"""How a deal unfolds: cards on the foundations and in the nerts piles from second to second."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nertsim.report.data.unfold import Curve, Unfolding
from nertsim.report.figures.drawing import curve, figure, legend
from nertsim.report.plots import SOFT


@figure
def cards(panel: Any, found: Unfolding, curves: Sequence[Curve], names: Sequence[str], label: str) -> None:
    """A curve a bot, with bands; the dotted line is the share of the deals that still go on."""
    for number, (one, name) in enumerate(zip(curves, names, strict=True)):
        curve(panel, found.seconds, one.means, one.intervals, number, name)
    panel.set_xlabel("simulated time since the deal (s)")
    panel.set_ylabel(label)
    panel.set_ylim(bottom=0)
    panel.set_xlim(0, found.seconds[-1])
    going = panel.twinx()
    going.plot(found.seconds, [100 * share for share in found.going], color=SOFT, linestyle=":", linewidth=1.2)
    going.set_ylim(0, 105)
    going.set_yticks([0, 50, 100])
    going.grid(visible=False)
    going.tick_params(colors=SOFT, labelsize=8)
    going.set_ylabel("deals still going on (%, dotted)", color=SOFT, fontsize=8)
    legend(panel, len(names))

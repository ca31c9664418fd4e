"""A tournament: ratings, and who is ahead of whom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from nertsim.report.figures.drawing import figure
from nertsim.report.plots import short_label

TEXT_UP_TO = 12
"""Bots up to which each cell of the matrix says its value."""


@figure
def matrix(panel: Any, names: Sequence[str], shares: Sequence[Sequence[float]], sure: Sequence[Sequence[bool]]) -> None:
    """How often the bot of the row is ahead of that of the column; a star where it is better beyond doubt."""
    values = 100 * np.array(shares, float)
    reach = max(1.0, float(np.nanmax(np.abs(values - 50))))
    image = panel.imshow(values, cmap="PuOr", vmin=50 - reach, vmax=50 + reach, aspect="auto")
    panel.grid(False)
    panel.figure.colorbar(image, ax=panel, label="ahead of the other (% of the deals)")
    places = range(len(names))
    panel.set_yticks(places, [f"{place + 1} {short_label(name)}" for place, name in enumerate(names)])
    panel.set_xticks(places, [str(place + 1) for place in places])
    panel.set_xlabel("against the bot of this number")
    panel.tick_params(length=0)
    if len(names) > TEXT_UP_TO:
        return
    for (row, column), value in np.ndenumerate(values):
        if value == value:
            dark = abs(value - 50) > 0.6 * reach
            text = f"{value:.1f}{'*' if sure[row][column] else ''}"
            # Not the ink of the page: it stands on a colour of the plot's own.
            panel.text(column, row, text, ha="center", va="center", fontsize=8, color="#ffffff" if dark else "#101010")

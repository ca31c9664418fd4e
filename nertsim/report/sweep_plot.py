"""The plots of a sweep: curves with intervals for one parameter, a map of colours for two."""

from __future__ import annotations

import math
import os
import textwrap
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from nertsim.experiments.sweep.figures import OF_SIDE, WORDINGS
from nertsim.experiments.sweep.values import value_text
from nertsim.report.plots import MARKERS, check_plot, colour_of, plot_style, save_plot, short_label
from nertsim.stats.intervals import Interval

if TYPE_CHECKING:
    from nertsim.experiments.sweep.axes import Axis
    from nertsim.experiments.sweep.run import SweepRun

Found = Sequence[tuple[float, Interval]]
"""A value and its interval for each combination."""
CELLS_WITH_TEXT = 12
"""Rows and columns of a map up to which each cell says its value."""
TITLE_WIDTH = 80
BESIDE = 0.006
"""Of the width: so much are the points of bots apart, that no interval hides another."""
LOG_RATIO = 1.05
"""Values whose ratios are within this of each other are drawn on a logarithmic axis, if they are not in equal steps."""


def plot_sweep(run: SweepRun, file: str | os.PathLike[str] | None = None, figure: str | None = None) -> Any:
    """See `SweepRun.plot`."""
    check_plot(file)
    if figure is not None:
        run.values_of(figure)  # checks the name
    with plot_style():
        from matplotlib.figure import Figure

        if len(run.plan.axes) == 2:
            drawn = Figure(figsize=(7.2, 5.6))
            draw_map(drawn, run, figure or run.figure)
        elif figure is not None:
            drawn = Figure(figsize=(7.2, 5.0))
            draw_values(drawn.subplots(), run, figure)
        else:
            drawn = Figure(figsize=(9.6, 7.2))
            _draw_overview(drawn, run)
        drawn.suptitle(title(run), fontsize=10, ha="left", x=0.012)
    if file is not None:
        save_plot(drawn, file)
    return drawn


def title(run: SweepRun) -> str:
    """What was varied, at which table, and how many deals stand behind a point."""
    plan = run.plan
    names = " and ".join(axis.key for axis in plan.axes)
    fewest, most = (kind(run.totals.blocks * point.tables for point in plan.points) for kind in (min, max))
    deals = f"{most:,}" if fewest == most else f"{fewest:,} to {most:,}"
    verb = "varies" if len(plan.axes) == 1 else "vary"
    lines = [f"{names} {verb}: {table_text(run)}"]
    lines.append(f"{deals} deals a point, the same cards for all points; 95 % intervals; seed {run.seed}")
    return "\n".join(line for text in lines for line in textwrap.wrap(text, TITLE_WIDTH, break_long_words=False))


def table_text(run: SweepRun) -> str:
    """Who sits at the table: ``1 × greedy,speed=… and 3 × greedy``."""
    point = run.plan.points[run.plan.base]
    sides = [(name, point.members(side)) for side, name in enumerate(run.plan.layout.sides)]
    return " and ".join(f"{seats} × {name}" for name, seats in sides if seats)


def _draw_overview(drawn: Any, run: SweepRun) -> None:
    panels = drawn.subplots(2, 2, sharex=True).flat
    sides = len(run.plan.layout.sides)
    shown = ["score"] if run.is_alike else ["win_rate", "score"]
    for figure in shown:
        draw_values(next(panels), run, figure, with_label=False)
    draw_differences(next(panels), run, run.figure)
    draw_values(next(panels), run, "deal_seconds")
    if run.is_alike:
        draw_endings(next(panels), run)
    for panel in drawn.axes[:2]:
        panel.set_xlabel("")
    if sides > 1:  # one legend for all panels
        drawn.axes[0].get_legend().remove()
        drawn.axes[1].get_legend().remove()
        drawn.legend(*drawn.axes[1].get_legend_handles_labels(), loc="outside upper right", ncols=min(sides, 2))


def draw_values(panel: Any, run: SweepRun, figure: str, with_label: bool = True) -> None:
    """A figure against the values: a curve a bot, or one of the table."""
    wording = WORDINGS[figure]
    sides = range(len(run.plan.layout.sides)) if figure in OF_SIDE else [0]
    several = len(sides) > 1
    for side in sides:
        label = short_label(run.plan.layout.sides[side]) if several else None
        _curve(panel, run, run.values_of(figure, side), wording.scale, side, label)
    seats = {point.rules.seats for point in run.plan.points}
    if figure == "win_rate" and several and len(seats) == 1:
        even = 100 / seats.pop()
        panel.axhline(even, color="#888888", linestyle=":", linewidth=1)
        where = {"xycoords": ("axes fraction", "data"), "xytext": (-2, 2), "textcoords": "offset points", "ha": "right"}
        panel.annotate("even share", (1, even), color="#666666", fontsize=7, **where)
    if several:
        panel.legend(fontsize=8)
    panel.set_title(wording.name, loc="left")
    panel.set_ylabel(f"{wording.name} ({wording.unit})")
    _label_values(panel, run.plan.axes[0], with_label)


def draw_differences(panel: Any, run: SweepRun, figure: str) -> None:
    """The differences to the base: a curve a bot."""
    wording, base = WORDINGS[figure], run.plan.base_text
    for side in range(len(run.plan.layout.sides)):
        _curve(panel, run, run.differences_of(figure, side), wording.scale, side, None)
    panel.axhline(0, color="#888888", linestyle=":", linewidth=1)
    panel.set_title(f"difference to {base}, from the same deals", loc="left")
    unit = "percentage points" if wording.unit.startswith("%") else wording.unit
    panel.set_ylabel(f"difference in {wording.name} ({unit})")
    _label_values(panel, run.plan.axes[0], True)


def draw_endings(panel: Any, run: SweepRun) -> None:
    """How deals end: a curve each."""
    for number, figure in enumerate(("called", "stuck", "time_limit")):
        _curve(panel, run, run.values_of(figure), 100, number, WORDINGS[figure].name)
    panel.legend(fontsize=8)
    panel.set_title("how deals end", loc="left")
    panel.set_ylabel("% of the deals")
    panel.set_ylim(-4, 104)
    _label_values(panel, run.plan.axes[0], True)


def _curve(panel: Any, run: SweepRun, found: Found, scale: float, number: int, label: str | None) -> None:
    """Points with intervals; joined where the values are numbers."""
    axis, colour = run.plan.axes[0], colour_of(number)
    places: list[float] = list(axis.values) if axis.is_numeric else list(range(len(axis.values)))
    order = sorted(range(len(places)), key=places.__getitem__)
    x = [places[index] for index in order]
    y = [scale * found[index][0] for index in order]
    low, high = ([scale * found[index][1][end] for index in order] for end in (0, 1))
    below, above = (
        [max(0.0, one - other) if one == one else 0.0 for one, other in zip(*pair, strict=True)]
        for pair in ((y, low), (high, y))
    )
    marker = MARKERS[number % len(MARKERS)]
    line = "-" if axis.is_numeric else ""
    style = {"color": colour, "marker": marker, "markersize": 4, "linewidth": 1.2, "linestyle": line, "label": label}
    panel.errorbar(_beside(x, number, is_logarithmic(axis)), y, yerr=[below, above], capsize=2.5, **style)
    if axis.is_numeric and len(x) > CELLS_WITH_TEXT:
        panel.fill_between(x, low, high, color=colour, alpha=0.15, linewidth=0)


def _beside(places: Sequence[float], number: int, is_log: bool) -> list[float]:
    """The places of the points of a bot, a little to the right of those of the one before."""
    if is_log:
        return [place * (places[-1] / places[0]) ** (number * BESIDE) for place in places]
    return [place + (places[-1] - places[0]) * number * BESIDE for place in places]


def _label_values(panel: Any, axis: Axis, with_label: bool) -> None:
    if with_label:
        panel.set_xlabel(axis_text(axis))
    if not axis.is_numeric:
        panel.set_xticks(range(len(axis.values)), [value_text(value) for value in axis.values])
        panel.set_xlim(-0.5, len(axis.values) - 0.5)
        return
    if is_logarithmic(axis):
        panel.set_xscale("log")
        panel.minorticks_off()
    if is_logarithmic(axis) or len(axis.values) <= CELLS_WITH_TEXT:
        panel.set_xticks(list(axis.values), [value_text(value) for value in axis.values])


def axis_text(axis: Axis) -> str:
    """The label of an axis: name, meaning, unit."""
    unit = f" ({axis.unit})" if axis.unit and axis.unit not in axis.meaning else ""
    text = f"{axis.key}: {axis.meaning}" if axis.meaning else axis.key
    return "\n".join(textwrap.wrap(text + unit, 62))


def is_logarithmic(axis: Axis) -> bool:
    """True for values in about equal ratios, as a range with ``:log`` gives them."""
    values = sorted(axis.values) if axis.is_numeric else []
    if len(values) < 3 or values[0] <= 0:
        return False
    ratios = [high / low for low, high in pairwise(values)]
    steps = [high - low for low, high in pairwise(values)]
    return max(ratios) < LOG_RATIO * min(ratios) and max(steps) > LOG_RATIO * min(steps)


def draw_map(drawn: Any, run: SweepRun, figure: str) -> None:
    """The first parameter runs upwards, the second to the right."""
    import numpy as np

    wording, (up, right) = WORDINGS[figure], run.plan.axes
    found = run.values_of(figure)
    shape = len(up.values), len(right.values)
    values = wording.scale * np.array([value for value, _ in found]).reshape(shape)
    halves = wording.scale * np.array([interval.half_width for _, interval in found]).reshape(shape)
    panel = drawn.subplots()
    limit = np.nanmax(np.abs(values)) or 1.0
    colours = {"cmap": "RdBu_r", "vmin": -limit, "vmax": limit} if figure == "lead" else {"cmap": "viridis"}
    image = panel.imshow(values, origin="lower", aspect="auto", **colours)
    panel.grid(False)
    bot = f" of {run.plan.layout.sides[0]}" if figure in (*OF_SIDE, "lead") and not run.is_alike else ""
    drawn.colorbar(image, ax=panel, label=f"{wording.name} ({wording.unit})")
    _contours(panel, values, max(shape) > CELLS_WITH_TEXT)
    if max(shape) <= CELLS_WITH_TEXT:
        _cell_texts(panel, image, values, halves, wording.digits)
    _mark_base(panel, run, shape)
    for axis, ticks, label in ((right, panel.set_xticks, panel.set_xlabel), (up, panel.set_yticks, panel.set_ylabel)):
        step = math.ceil(len(axis.values) / CELLS_WITH_TEXT)
        ticks(range(0, len(axis.values), step), [value_text(value) for value in axis.values[::step]])
        label(axis_text(axis))
    panel.set_title(f"{wording.name}{bot} ({wording.unit}); framed: {run.plan.base_text}", loc="left", fontsize=9)


def _contours(panel: Any, values: Any, with_labels: bool) -> None:
    """Lines of equal values, where there are values enough to draw some between."""
    import numpy as np

    if min(values.shape) < 3 or not np.isfinite(values).all() or np.ptp(values) == 0:
        return
    lines = panel.contour(values, levels=6, colors="white", linewidths=0.9, alpha=0.85)
    if with_labels:
        panel.clabel(lines, fontsize=8)


def _cell_texts(panel: Any, image: Any, values: Any, halves: Any, digits: int) -> None:
    import numpy as np
    from matplotlib.patheffects import withStroke

    size = 8 if values.shape[1] <= 8 else 6
    for (row, column), value in np.ndenumerate(values):
        if math.isnan(value):
            continue
        red, green, blue, _ = image.cmap(image.norm(value))
        dark = 0.299 * red + 0.587 * green + 0.114 * blue < 0.5
        half = halves[row, column]
        text = f"{value:.{digits}f}" + (f"\n±{half:.{digits}f}" if half == half else "")
        written = panel.text(
            column, row, text, ha="center", va="center", fontsize=size, color="white" if dark else "black"
        )
        written.set_path_effects([withStroke(linewidth=3, foreground=(red, green, blue))])  # above the contours


def _mark_base(panel: Any, run: SweepRun, shape: tuple[int, int]) -> None:
    from matplotlib.patches import Rectangle

    row, column = divmod(run.plan.base, shape[1])
    panel.add_patch(Rectangle((column - 0.5, row - 0.5), 1, 1, fill=False, edgecolor="black", linewidth=1.8))

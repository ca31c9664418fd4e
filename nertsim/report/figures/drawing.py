"""What the plots have in common: a panel to draw into, points and curves with their intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from nertsim.report.plots import INK, MARKERS, SIZE, SOFT, colour_of, plot_style, short_label
from nertsim.stats.intervals import Interval

LONG_LABEL = 20
"""Labels that have a line of a legend for themselves."""
HEIGHT_A_LINE = 0.17
"""Inches, of a line of a legend."""
HEIGHT_A_ROW = 0.3
"""Inches, of plots that have a row a bot or a seat."""


def figure(draw: Callable[..., Any]) -> Callable[..., Any]:
    """Makes a plot of a function that draws into a panel: it takes a panel first; `size` is in inches."""

    @wraps(draw)
    def make(*arguments: Any, size: tuple[float, float] = SIZE, **keywords: Any) -> Any:
        with plot_style():
            from matplotlib.figure import Figure

            made = Figure(figsize=size)
            draw(made.subplots(), *arguments, **keywords)
        return made

    return make


def rows_size(rows: int, width: float = SIZE[0]) -> tuple[float, float]:
    """The size of a plot with so many rows."""
    return width, max(1.5, 0.9 + HEIGHT_A_ROW * rows)


@figure
def points_by_row(
    panel: Any,
    names: Sequence[str],
    means: Sequence[float],
    intervals: Sequence[Sequence[float]],
    label: str,
    *,
    reference: tuple[float, str] | None = None,
    colours: Sequence[int] | None = None,
) -> None:
    """A row a name: a point with its interval; `reference` is a value to compare with, and what it is."""
    for row, (mean, (low, high)) in enumerate(zip(means, intervals, strict=True)):
        colour = colour_of(colours[row] if colours else row)
        if low == low:
            panel.plot([low, high], [row, row], color=colour, linewidth=2.2, solid_capstyle="butt")
        panel.plot([mean], [row], color=colour, marker="o", markersize=4.5, linestyle="")
    panel.set_yticks(range(len(names)), [short_label(name) for name in names])
    panel.set_ylim(len(names) - 0.4, -0.6)
    panel.grid(axis="y", visible=False)
    panel.set_xlabel(label)
    panel.locator_params(axis="x", nbins=5)
    if reference is not None:
        panel.axvline(reference[0], color=SOFT, linestyle=":", linewidth=1)
        panel.annotate(
            reference[1], (reference[0], 1), xycoords=("data", "axes fraction"), xytext=(3, 2),
            textcoords="offset points", fontsize=8, color=SOFT,
        )  # fmt: skip


def curve(
    panel: Any,
    places: Sequence[float],
    means: Sequence[float],
    intervals: Sequence[Interval],
    number: int,
    label: str | None = None,
    *,
    scale: float = 1.0,
    points: bool = False,
) -> None:
    """A curve with a band, or points with bars, for the bot of that number."""
    colour, middle = colour_of(number), [scale * mean for mean in means]
    low, high = ([scale * one[end] for one in intervals] for end in (0, 1))
    style = {"color": colour, "linewidth": 1.4, "label": None if label is None else short_label(label)}
    if points:
        marker = MARKERS[number % len(MARKERS)]
        panel.vlines(places, low, high, color=colour, linewidth=1.6)
        panel.plot(places, middle, marker=marker, markersize=4, **style | {"linewidth": 0.9})
    else:
        panel.fill_between(places, low, high, color=colour, alpha=0.22, linewidth=0)
        panel.plot(places, middle, **style)


def steps(
    panel: Any,
    edges: Sequence[float],
    shares: Sequence[float],
    intervals: Sequence[Interval],
    number: int,
    label: str | None = None,
    *,
    shade: float = 0.28,
) -> None:
    """A histogram as steps with a band, in per cent; `shade` is how dense the band is."""
    colour = colour_of(number)
    heights = [100 * share for share in shares]
    low, high = ([100 * one[end] for one in intervals] for end in (0, 1))
    wide = {"step": "post", "linewidth": 0}
    panel.fill_between(edges, [*low, low[-1]], [*high, high[-1]], color=colour, alpha=shade, **wide)
    name = None if label is None else short_label(label)
    panel.stairs(heights, edges, color=colour, linewidth=1.2, label=name)


def counted(panel: Any, label: str) -> None:
    """An x axis of large counts: few marks, as 50k or 2M."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    panel.xaxis.set_major_locator(MaxNLocator(5, integer=True))
    panel.xaxis.set_major_formatter(FuncFormatter(lambda value, _: count_text(value)))
    panel.set_xlabel(label)


def count_text(value: float) -> str:
    """``900``, ``50k``, ``2.5M``."""
    for unit, name in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= unit:
            return f"{value / unit:g}{name}"
    return f"{value:g}"


def legend(panel: Any, count: int) -> None:
    """A legend above the panel, where there is more than one thing."""
    if count > 1:
        handles = panel.get_legend_handles_labels()
        columns = 1 if max(map(len, handles[1])) > LONG_LABEL else min(count, 3)
        lines = -(-count // columns)
        panel.figure.set_figheight(panel.figure.get_figheight() + (lines - 1) * HEIGHT_A_LINE)
        style = {"fontsize": 8, "labelcolor": INK, "handlelength": 1.4}
        panel.figure.legend(*handles, loc="outside upper left", ncols=columns, **style)

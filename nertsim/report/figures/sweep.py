"""The plots of a sweep, one by one, as `nertsim.report.sweep_plot` draws them together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nertsim.report.figures.drawing import figure
from nertsim.report.plots import plot_style
from nertsim.report.sweep_plot import draw_differences, draw_map, draw_values

if TYPE_CHECKING:
    from nertsim.experiments.sweep.run import SweepRun


@figure
def values(panel: Any, run: SweepRun, name: str) -> None:
    """A figure against the values of the parameter: a curve a bot."""
    draw_values(panel, run, name)
    panel.set_title("", loc="left")


@figure
def differences(panel: Any, run: SweepRun, name: str) -> None:
    """Its difference to the base, from the same deals."""
    draw_differences(panel, run, name)
    panel.set_title("", loc="left")


def grid(run: SweepRun, name: str, size: tuple[float, float]) -> Any:
    """A figure against the values of two parameters, as a map of colours."""
    with plot_style():
        from matplotlib.figure import Figure

        made = Figure(figsize=size)
        draw_map(made, run, name)
    return made

"""What all plots have in common: matplotlib where it is installed, colours, files.

Figures are made without pyplot, so that nothing here depends on a screen or changes how others' plots look.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from nertsim.errors import StoreError, UsageError, reason

SUFFIXES = (".png", ".svg", ".pdf")
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Those of Okabe & Ito (2008), which colour-blind people tell apart."""
STYLE: Any = {
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#e4e4e4",
    "grid.linewidth": 0.7,
    "axes.axisbelow": True,
    "legend.frameon": False,
    "svg.fonttype": "none",  # text stays text: it can be searched, and read aloud
    "svg.hashsalt": "nertsim",  # the same picture is the same file
    "figure.constrained_layout.use": True,
}
DOTS_PER_INCH = 150


def check_plot(file: str | os.PathLike[str] | None) -> None:
    """UsageError, before anything is played, where matplotlib is missing or the file cannot be one of a plot."""
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError:
        raise UsageError("plots need matplotlib: pip install 'nertsim[plot]'") from None
    if file is None:
        return
    path = Path(file)
    if path.suffix.lower() not in SUFFIXES:
        raise UsageError(f"'{path}' is no file for a plot: its name must end in {', '.join(SUFFIXES)}")
    if not path.parent.is_dir():
        raise UsageError(f"the folder of the plot '{path}' does not exist")


@contextmanager
def plot_style() -> Iterator[None]:
    """The look of all plots, for what is drawn inside."""
    import matplotlib

    with matplotlib.rc_context(STYLE):
        yield


def save_plot(figure: Any, file: str | os.PathLike[str]) -> None:
    """Writes a matplotlib figure, its kind by the name; StoreError where that does not work."""
    metadata = {"Date": None} if str(file).lower().endswith(".svg") else None
    try:
        with plot_style():
            figure.savefig(file, dpi=DOTS_PER_INCH, metadata=metadata)
    except OSError as error:
        raise StoreError(f"cannot write {file}: {reason(error)}") from None

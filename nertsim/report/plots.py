"""What all plots have in common: matplotlib where it is installed, colours, files.

Figures are made without pyplot, so that nothing here depends on a screen or changes how others' plots look.
"""

from __future__ import annotations

import io
import os
import re
import textwrap
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from nertsim.errors import StoreError, UsageError, reason
from nertsim.store import write_file

SUFFIXES = (".png", ".svg", ".pdf")
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Those of Okabe & Ito (2008), which colour-blind people tell apart."""
MARKERS = "osD^vP*"
INK, GRID, SOFT = "#1c2126", "#e4e4e4", "#6b7177"
"""Of text and axes, of the grid, of what stands back. On a page they follow its light or dark colours."""
STYLE: Any = {
    "font.size": 9,
    "axes.titlesize": 10,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": SOFT,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": GRID,
    "grid.linewidth": 0.7,
    "axes.axisbelow": True,
    "legend.frameon": False,
    "text.parse_math": False,  # names are names: a $ in one begins no formula
    "svg.fonttype": "none",  # text stays text: it can be searched, and read aloud
    "svg.hashsalt": "nertsim",  # the same picture is the same file
    "figure.constrained_layout.use": True,
}
DOTS_PER_INCH = 150
SIZE, WIDE = (4.7, 3.2), (7.6, 4.6)
"""Inches of a figure that has half of a page, and of one that has all of it."""
LABEL_LENGTH = 28
LETTERS_AN_INCH = 17
"""Of the small print below a plot."""


def check_matplotlib(extra: str = "plot") -> None:
    """UsageError where matplotlib is missing; `extra` is what brings it."""
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError:
        raise UsageError(f"plots need matplotlib: pip install 'nertsim[{extra}]'") from None


def check_plot(file: str | os.PathLike[str] | None) -> None:
    """UsageError, before anything is played, where matplotlib is missing or the file cannot be one of a plot."""
    check_matplotlib()
    if file is None:
        return
    path = Path(file)
    if path.suffix.lower() not in SUFFIXES:
        raise UsageError(f"'{path}' is no file for a plot: its name must end in {', '.join(SUFFIXES)}")
    if not path.parent.is_dir():
        raise UsageError(f"the folder of the plot '{path}' does not exist")


@contextmanager
def plot_style(**changes: Any) -> Iterator[None]:
    """The look of all plots, for what is drawn inside."""
    import matplotlib

    with warnings.catch_warnings():
        # A name may have letters that the font lacks; a browser finds others.
        warnings.filterwarnings("ignore", message="Glyph")
        with matplotlib.rc_context(STYLE | {name.replace("__", "."): value for name, value in changes.items()}):
            yield


def save_plot(figure: Any, file: str | os.PathLike[str]) -> None:
    """Writes a matplotlib figure, its kind by the name; StoreError where that does not work."""
    metadata = {"Date": None} if str(file).lower().endswith(".svg") else None
    try:
        with plot_style():
            figure.savefig(file, dpi=DOTS_PER_INCH, metadata=metadata)
    except OSError as error:
        raise StoreError(f"cannot write {file}: {reason(error)}") from None


def write_plot(figure: Any, file: Path) -> None:
    """As `save_plot`, as a whole or not at all."""
    kind, data = file.suffix[1:], io.BytesIO()
    with plot_style():
        figure.savefig(data, format=kind, dpi=DOTS_PER_INCH, metadata={"Date": None} if kind == "svg" else None)
    write_file(file, data.getvalue())


def say_below(figure: Any, text: str) -> None:
    """Writes below a plot what stands behind it, for a file that has no page around it."""
    width = int(figure.get_figwidth() * LETTERS_AN_INCH)
    with plot_style():
        figure.supxlabel("\n".join(textwrap.wrap(text, width)), fontsize=7, color=SOFT, x=0.02, ha="left")


def inline_svg(figure: Any, name: str) -> str:
    """The figure as an ``<svg>`` element: as wide as its place, in the page's colours; its ids begin with `name`."""
    data = io.StringIO()
    with plot_style(svg__hashsalt=name):
        figure.savefig(data, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    text = data.getvalue()
    text = text[text.index("<svg") :].strip()
    text = re.sub(r"<metadata>.*?</metadata>", "", text, count=1, flags=re.DOTALL)
    text = re.sub(r'(<svg [^>]*?)width="[^"]*" height="[^"]*"', r"\1", _in_one_line(text), count=1)
    # Both what is named and what names it; texts have no such marks, they are escaped.
    text = re.sub(r'(<[^>]*? (?:id="|xlink:href="#))', rf"\1{name}-", text)
    text = text.replace("url(#", f"url(#{name}-")
    text = re.sub(r"(?<= )(-?\d+\.\d\d)\d+(?= )", r"\1", text)  # coordinates of paths, to 1/100 of a point
    text = re.sub(r" font-family: [^;\"]*;", "", text)  # the page's own
    for number, colour in enumerate(COLOURS[:-1]):
        text = text.replace(colour.lower(), f"var(--c{number})")
    for colour, of_page in ((INK, "currentColor"), (GRID, "var(--grid)"), (SOFT, "var(--soft)")):
        text = text.replace(colour, of_page)
    return text


def _in_one_line(text: str) -> str:
    """The element without the line ends and marks between its attributes, which take a third of its size."""
    text = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    text = re.sub(r"<style[^>]*>.*?</style>", "", text, flags=re.DOTALL)
    return re.sub(r"\s*\n\s*", " ", text)


def short_label(label: str) -> str:
    """A name that a legend has room for."""
    text = " ".join(label.split())
    if len(text) > LABEL_LENGTH:
        text = f"{text[: LABEL_LENGTH - 9]}…{text[-8:]}"
    # What begins with _ has no legend.
    return f"\N{ZERO WIDTH SPACE}{text}" if text.startswith("_") else text


def colour_of(number: int) -> str:
    """The colour of the bot (or seat) with that number; black is that of the text."""
    colour = COLOURS[number % len(COLOURS)]
    return INK if colour == "#000000" else colour

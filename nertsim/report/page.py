"""Pages as one HTML file that needs nothing else: jinja2 with everything escaped, plots as inline SVG."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from nertsim.errors import UsageError
from nertsim.report.document import Figure, Page, Part
from nertsim.report.plots import check_matplotlib, inline_svg

TEMPLATES = Path(__file__).parent / "templates"


def check_libraries() -> None:
    """UsageError, before anything is read, where a library for pages is missing."""
    check_matplotlib("report")
    try:
        import jinja2  # noqa: F401
    except ImportError:
        raise UsageError("reports need jinja2: pip install 'nertsim[report]'") from None


class Group(NamedTuple):
    """Figures that lie beside each other, or another part alone."""

    figures: Sequence[Figure]
    part: Part | None


def by_figures(parts: Iterable[Part]) -> Iterator[Group]:
    """The parts in their order, figures that follow each other together."""
    figures: list[Figure] = []
    for part in parts:
        if isinstance(part, Figure):
            figures.append(part)
            continue
        if figures:
            yield Group(figures, None)
            figures = []
        yield Group([], part)
    if figures:
        yield Group(figures, None)


def render(pages: Sequence[Page], svgs: Mapping[tuple[int, str], str]) -> str:
    """The HTML of pages; `svgs` holds the plot of each figure, by the number of its page and its name."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    from nertsim import __version__

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES, encoding="utf-8"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["by_figures"] = lambda parts: list(by_figures(parts))
    title = pages[0].title if len(pages) == 1 else f"{len(pages)} runs"
    # matplotlib escapes the texts in its SVG itself.
    plots = {key: Markup(svg) for key, svg in svgs.items()}
    values: dict[str, Any] = {
        "pages": pages,
        "svgs": plots,
        "title": f"{title} – nertsim report",
        "version": __version__,
        "made": datetime.now(UTC).strftime("%Y-%m-%d"),
    }
    return environment.get_template("report.html").render(values)


def plots_of(pages: Sequence[Page], drawn: Any) -> dict[tuple[int, str], str]:
    """The plots of all pages as SVG elements; `drawn` is called after each."""
    svgs = {}
    for number, page in enumerate(pages):
        for figure in page.figures:
            svgs[number, figure.name] = inline_svg(figure.draw(), f"r{number}-{figure.name}")
            drawn()
    return svgs

"""A report from its runs to its files."""

from __future__ import annotations

import dataclasses
import importlib
import os
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from nertsim.errors import StoreError, UsageError, reason
from nertsim.report.about import Record, loaded
from nertsim.report.document import Page
from nertsim.report.page import check_libraries, plots_of, render
from nertsim.report.plots import say_below, write_plot
from nertsim.report.work import Progress, Work, expected_steps
from nertsim.store import write_file

KINDS = ("simulate", "match", "compare", "tournament", "sweep", "tune")
"""Kinds of runs that have a page: each a module of `nertsim.report.kinds`."""
PLOT_SUFFIXES = (".png", ".svg")


@dataclasses.dataclass
class Report:
    """The pages of some runs, a page a run."""

    records: list[Record]
    pages: list[Page]
    work: Work = dataclasses.field(repr=False)

    @cached_property
    def data(self) -> dict[str, Any]:
        """What `nertsim report --format json` prints: of each run, its summary, and what was found beside it."""
        return {
            "runs": [
                {
                    "kind": page.kind,
                    "folder": None if record.run.path is None else str(record.run.path),
                    "state": record.state,
                    "title": page.title,
                    "summary": record.run.summary,
                    "found": page.data,
                }
                for record, page in zip(self.records, self.pages, strict=True)
            ]
        }

    @cached_property
    def _html(self) -> str:
        return render(self.pages, plots_of(self.pages, self.work.drawn))

    def html(self) -> str:
        """The page: one HTML document with everything in it."""
        return self._html

    def write(self, file: str | os.PathLike[str]) -> Path:
        """Writes the page into a file, as a whole or not at all."""
        path = checked_file(file)
        write_file(path, self.html().encode())
        return path

    def write_plots(self, folder: str | os.PathLike[str]) -> list[Path]:
        """Writes each plot as PNG and as SVG into a folder, which is made where it is not there: the files."""
        target, written = Path(folder), []
        try:
            target.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"cannot write plots into {target}: {reason(error)}") from None
        for number, page in enumerate(self.pages):
            start = f"{number}-" if len(self.pages) > 1 else ""
            for figure in page.figures:
                drawn = figure.draw()
                say_below(drawn, f"{figure.title}: {figure.stands_on}")
                for suffix in PLOT_SUFFIXES:
                    written.append(target / f"{start}{page.kind}-{figure.name}{suffix}")
                    write_plot(drawn, written[-1])
                self.work.drawn()
        return written


def make_report(runs: Sequence[Any], progress: Progress | None = None, plots: bool = True) -> Report:
    """The report of runs, or of the folders of runs; `plots` says whether plots will be drawn."""
    if not runs:
        raise UsageError("a report is of a run: name the folder of one, at least")
    check_libraries()
    records = [Record(loaded(run)) for run in runs]
    work = Work(progress, sum(expected_steps(record, plots) for record in records))
    return Report(records, [page_of(record, work) for record in records], work)


def page_of(record: Record, work: Work) -> Page:
    """The page of a run."""
    kind = record.run.plan.KIND
    if kind not in KINDS:
        raise StoreError(f"there is no report of a run of the kind '{kind}'")
    maker: Any = importlib.import_module(f"nertsim.report.kinds.{kind}")
    return maker.page(record, work)


def checked_file(file: str | os.PathLike[str]) -> Path:
    """Where a page is to be written; UsageError where that cannot be."""
    path = Path(file)
    if path.is_dir():
        raise UsageError(f"{path} is a folder; name the file of the report, as {path / 'report.html'}")
    if not path.parent.is_dir():
        raise UsageError(f"the folder of the report '{path}' does not exist")
    return path

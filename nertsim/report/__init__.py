"""Pictures and pages of what was played."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nertsim.report.making import Report


def report(
    runs: Any,
    out: str | os.PathLike[str] | None = None,
    *,
    plots: str | os.PathLike[str] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Report:
    """The report of runs: what was run, what came of it and how sure that is, deals worth seeing.

    `runs` is a run, the folder of one, or several of these; each kind of run has a page of its own. `out` is the HTML
    file that gets it, with everything in it, so that it opens without a network; `plots` a folder that gets each plot
    as PNG and SVG. Without either, the `Report` has them: `html()`, `write(file)`, `write_plots(folder)`, and `data`,
    what `nertsim report --format json` prints.

    Sections that need rows which were not kept say so, and how to get them. Deals are replayed to show how they unfold.
    `progress` is called with (steps done, steps in all). Needs `pip install 'nertsim[report]'`. Raises `UsageError`
    where that is missing, or there is nothing to report, and `StoreError` for a folder that is no run or damaged, as
    `nertsim.load` does, and for a file that cannot be written.
    """
    from nertsim.report.making import make_report

    several: Sequence[Any] = runs if isinstance(runs, (list, tuple)) else [runs]
    made = make_report(several, progress, out is not None or plots is not None)
    if out is not None:
        made.write(out)
    if plots is not None:
        made.write_plots(plots)
    return made

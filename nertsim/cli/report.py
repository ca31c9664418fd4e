"""``nertsim report``: what came of runs, as a page, as plots, or here."""

from __future__ import annotations

from typing import Any

import click

from nertsim.cli.options import debug_option
from nertsim.cli.output import note, print_json, print_tables


@click.command("report", short_help="A page of tables and plots of runs that were kept.")
@click.argument("runs", nargs=-1, required=True, metavar="RUN…")
@click.option(
    "-o", "--out", metavar="FILE", help="Write one HTML file ('-': stdout), which any browser opens without a network."
)
@click.option("--plots", metavar="DIR", help="Write each plot into this folder, as PNG and as SVG.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "json"]),
    help="How to print the figures here. [default: table, where neither -o nor --plots is given]",
)
@debug_option
def command(runs: tuple[str, ...], out: str | None, plots: str | None, form: str | None) -> None:
    """Report what came of runs: RUN is a folder that a command with -o DIR has kept, of any kind.

    Win rates and scores with intervals, distributions, where points come from, races, stuck deals, how a deal unfolds,
    what luck does, and deals worth seeing with the commands that replay them. Several runs make one page. Without -o,
    the essentials are printed here.

    \b
    Examples:
      nertsim simulate --bot careful --bot greedy --seats 2 -n 100k -o mine
      nertsim report mine
      nertsim report mine -o mine.html
      nertsim report mine other --plots figures
    """
    from nertsim.cli.progress import ProgressBar
    from nertsim.report.making import checked_file, make_report

    if out not in (None, "-"):
        checked_file(out)
    if form == "table" or (form is None and out is None and plots is None):
        _print(runs)
    if out is None and plots is None and form != "json":
        return
    with ProgressBar("steps") as progress:
        report: Any = make_report(runs, progress, out is not None or plots is not None)
        page = report.html() if out == "-" else None
        size = report.write(out).stat().st_size if page is None and out is not None else 0
        files = report.write_plots(plots) if plots is not None else []
    if form == "json":
        print_json(report.data)
    if page is not None:
        click.echo(page)
    elif out is not None:
        note(f"written: {out} ({size / 1e6:.1f} MB)" if size > 1e5 else f"written: {out} ({size / 1e3:.0f} kB)")
    if files:
        note(f"{len(files)} plots written into {plots}")


def _print(runs: tuple[str, ...]) -> None:
    from nertsim.cli.report_text import parts_of
    from nertsim.report.about import Record, loaded

    parts: list[Any] = []
    for record in [Record(loaded(run)) for run in runs]:
        parts += [*([""] if parts else []), *parts_of(record)]
    print_tables(*parts)

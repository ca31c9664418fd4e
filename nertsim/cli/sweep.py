"""``nertsim sweep``: what happens as one or two parameters vary?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from nertsim.cli.batches import Request, executor_options, folder_options, telling_how_to_go_on
from nertsim.cli.options import COUNT, debug_option, format_option, seed_option, table_options
from nertsim.cli.output import note, print_csv, print_json, print_tables

if TYPE_CHECKING:
    from nertsim.experiments.sweep.run import SweepRun

FIGURES = ("win_rate", "score", "lead", "call_rate", "called", "stuck", "time_limit", "deal_seconds", "actions")


@click.command("sweep", short_help="What happens as one or two parameters vary.")
@click.argument("parameters", nargs=-1, metavar="NAME=VALUES…")
@click.option("--vary", metavar="SEATS", help="Whose bot varies: 0, or 0,2, or all. [default: 0]")
@click.option(
    "--base", multiple=True, metavar="NAME=VALUE", help="What the others are compared to. [default: as usual]"
)
@click.option("--no-rotation", is_flag=True, help="Bots stay at their seats.")
@click.option("-n", "--deals", type=COUNT, metavar="N", help="Deals for each combination of values. [default: 10k]")
@click.option(
    "--figure",
    type=click.Choice(FIGURES),
    metavar="NAME",
    help=f"What is drawn: {', '.join(FIGURES)}. [default: win_rate; score where all seats are alike]",
)
@click.option("--plot", "plot_file", metavar="FILE", help="Draw it into FILE.png, .svg or .pdf (needs nertsim[plot]).")
@table_options
@seed_option
@folder_options(["blocks", "summary"], "What DIR keeps: rows a block, or sums alone. [default: blocks up to 10M rows]")
@executor_options
@format_option()
@debug_option
def command(
    parameters: tuple[str, ...],
    vary: str | None,
    base: tuple[str, ...],
    no_rotation: bool,
    deals: int | None,
    figure: str | None,
    plot_file: str | None,
    bots: tuple[str, ...],
    keep: str | None,
    form: str,
    **shared: Any,
) -> None:
    """Play the same deals for all values of one or two parameters: rules, values of a tempo, or of a bot's strategy.

    VALUES are listed, as 1,3, or a range LOW:HIGH:STEPS with both ends, as 0.8:1.25:10 for ten values;
    LOW:HIGH:STEPS:log has equal ratios. A tempo or a strategy varies for the bot of seat 0 alone, unless --vary says
    more.

    \b
    Examples:
      nertsim sweep speed=0.8:1.25:10 --bot greedy -n 100k --plot speed.png
      nertsim sweep call_bonus=0:25:6 --bot careful --bot greedy --seats 2
      nertsim sweep speed=0.9:1.1:5 oversight=0,0.05,0.1,0.2 --plot map.svg
    """
    from nertsim.cli.progress import ProgressBar
    from nertsim.experiments.sweep.request import sweep
    from nertsim.simulate import DEFAULT_DEALS

    if plot_file is not None:
        from nertsim.report.plots import check_plot

        check_plot(plot_file)
    request = Request(bots, deals or DEFAULT_DEALS, **shared)
    progress = ProgressBar("blocks")
    with telling_how_to_go_on(request, progress, "blocks"):
        run = sweep(
            parameters or None,
            request.bots,
            vary=vary,
            base=base or None,
            rotate=False if no_rotation else None,
            deals=deals,
            keep="summary" if request.out is None else keep,
            **request.keywords(progress),
        )
    _print(run, figure, form)
    request.note_end(run)
    if plot_file is not None:
        run.plot(plot_file, figure)
        note(f"drawn into {plot_file}")


def _print(run: SweepRun, figure: str | None, form: str) -> None:
    if form == "json":
        print_json(run.summary)
    elif form == "csv":
        print_csv(_records(run))
    else:
        from nertsim.cli.sweep_text import parts

        print_tables(*parts(run, figure or run.figure))


def _records(run: SweepRun) -> Sequence[dict[str, Any]]:
    """A record a combination, intervals as two values."""
    from nertsim.tables import flat_record

    return [
        flat_record({name: value for name, value in record.items() if name != "bots"})
        for record in run.summary["values"]
    ]

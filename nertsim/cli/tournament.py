"""``nertsim tournament``: which of many bots is best, in what order, and how sure is it?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from nertsim.cli.batches import Request, executor_options, folder_options, telling_how_to_go_on
from nertsim.cli.options import COUNT, debug_option, format_option, rules_options, seed_option
from nertsim.cli.output import make_table, number, percent, print_csv, print_json, print_tables
from nertsim.report.words.tournament import sentences

if TYPE_CHECKING:
    from rich.table import Table

MOST_COLUMNS = 10
"""Bots up to which the win matrix is printed: so many columns have room."""


@click.command("tournament", short_help="A ranking of many bots, with errors, and who beats whom.")
@click.argument("bots", nargs=-1)
@click.option(
    "--metric",
    type=click.Choice(["score", "ahead"]),
    help="Compare by points, or by how often one scores more than the other. [default: score]",
)
@click.option(
    "--alpha", type=float, default=0.05, show_default=True, help="Chance that any claim of 'better' is false."
)
@click.option(
    "--smallest-effect",
    type=float,
    metavar="E",
    help="The least difference worth knowing. [default: 0.1 points; of --metric ahead 0.005]",
)
@click.option("-n", "--deals", type=COUNT, metavar="N", help="The most deals. [default: 1M]")
@click.option(
    "--drop/--keep-all",
    "drop",
    default=False,
    help="Go on without bots that others beat beyond doubt: to find the best. Else all ratings are equally sure. "
    "[default: keep-all]",
)
@click.option(
    "--tables",
    type=click.Choice(["auto", "all", "balanced"]),
    default="auto",
    show_default=True,
    help="All tables that there are, or a small balanced choice; auto: all where they are few.",
)
@rules_options
@seed_option
@folder_options(["blocks", "summary"], "What DIR keeps: rows a block, or sums alone. [default: blocks]")
@executor_options
@format_option()
@debug_option
def command(
    bots: tuple[str, ...],
    metric: str | None,
    alpha: float,
    smallest_effect: float | None,
    deals: int | None,
    drop: bool,
    tables: str,
    keep: str | None,
    form: str,
    **shared: Any,
) -> None:
    """Rank bots: each at every seat, and with every other bot, equally often, with the same decks for all.

    Blocks of deals are played until of each two bots it is known who is better, or that they are equal. The stated
    error rate is that of all claims together, and holds although one looks again and again.

    \b
    Examples:
      nertsim tournament careful greedy hasty random
      nertsim tournament careful greedy hasty random weighted --seats 4 -n 200k
      nertsim tournament greedy greedy,speed=1.02 greedy,speed=1.05 --drop
    """
    from nertsim.cli.progress import ProgressBar
    from nertsim.experiments.tournament.request import MOST_DEALS, tournament

    request = Request(bots, deals or MOST_DEALS, **shared)
    progress = ProgressBar("blocks")
    with telling_how_to_go_on(request, progress, "blocks"):
        run = tournament(
            bots or None,
            metric=metric,
            alpha=alpha,
            smallest_effect=smallest_effect,
            deals=deals,
            drop=drop,
            tables=tables,
            keep="summary" if request.out is None else keep,
            **request.keywords(progress),
        )
    _print(run.summary, form)
    request.note_end(run)


def _print(summary: Mapping[str, Any], form: str) -> None:
    if form == "json":
        print_json(summary)
    elif form == "csv":
        from nertsim.tables import flat_record

        print_csv([flat_record(record) for record in summary["ratings"]])
    else:
        print_tables(*parts(summary))


def parts(summary: Mapping[str, Any]) -> list[Any]:
    """The tables and sentences of a summary."""
    tables = [_ranking(summary)]
    if len(summary["ratings"]) <= MOST_COLUMNS:
        tables.append(_matrix(summary["win_matrix"]))
    return [*tables, *sentences(summary)]


def _ranking(summary: Mapping[str, Any]) -> Table:
    numbers = ["rank", "rating", "± error", "score", "win %", "beats", "beaten by"]
    table = make_table(["rank", "bot", *numbers[1:]], numbers=numbers)
    for one in summary["ratings"]:
        table.add_row(
            str(one["rank"]),
            one["bot"],
            number(one["rating"], 3),
            number(one["se"], 3),
            number(one["mean_score"]),
            percent(one["win_rate"]).removesuffix(" %"),
            str(one["beats"]),
            str(one["beaten_by"]),
        )
    return table


def _matrix(matrix: Mapping[str, Any]) -> Table:
    """Of each two bots, in how many of a hundred deals the one of the row scores more; starred where it is sure."""
    columns = [str(place + 1) for place in range(len(matrix["bots"]))]
    title = "ahead of the other in % of the deals (* better beyond doubt)"
    table = make_table(["", *columns], numbers=columns, title=title)
    for place, bot in enumerate(matrix["bots"]):
        cells = zip(matrix["share"][place], matrix["beats"][place], strict=True)
        table.add_row(f"{place + 1} {bot}", *[_cell(share, sure) for share, sure in cells])
    return table


def _cell(share: float, sure: bool) -> str:
    return "·" if share != share else f"{100 * share:.1f}{'*' if sure else ' '}"

"""``nertsim compare``: is A better than B, by how much, and after how many deals?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from nertsim.cli.batches import Request, executor_options, folder_options, telling_how_to_go_on
from nertsim.cli.options import COUNT, debug_option, format_option, rules_options, seed_option
from nertsim.cli.output import duration, make_table, note, number, percent, print_csv, print_json, print_tables
from nertsim.report.words.compare import UNITS, sentences

if TYPE_CHECKING:
    from nertsim.experiments.compare.request import Forecast


@click.command("compare", short_help="Is bot A better than bot B, and by how much?")
@click.argument("a", required=False)
@click.argument("b", required=False)
@click.option("--field", metavar="SPEC", help="Give A and B one seat each, and this bot the others.")
@click.option("--seats-of-a", type=int, default=1, show_default=True, metavar="N", help="Seats of A; B has the others.")
@click.option(
    "--metric", type=click.Choice(["score", "win", "match"]), help="Points, deals won or matches won. [default: score]"
)
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Chance of 'better' where they are equal.")
@click.option(
    "--beta", type=float, default=0.05, show_default=True, help="Chance of 'equivalent' where they differ by E."
)
@click.option(
    "--smallest-effect",
    type=float,
    metavar="E",
    help="The least difference worth knowing. [default: 0.1 points, 0.005 of the deals, 0.01 of the matches]",
)
@click.option("-n", "--deals", type=COUNT, metavar="N", help="The most deals (matches). [default: 10M; matches: 1M]")
@click.option("--no-blocks", is_flag=True, help="Every deal with decks of its own, A at seat 0 always.")
@click.option("--no-control", is_flag=True, help="No control variates for the luck of the deal.")
@rules_options
@seed_option
@folder_options(["blocks", "summary"], "What DIR keeps: rows a block, or sums alone. [default: blocks]")
@executor_options
@format_option()
@debug_option
def command(
    a: str | None,
    b: str | None,
    field: str | None,
    seats_of_a: int,
    metric: str | None,
    alpha: float,
    beta: float,
    smallest_effect: float | None,
    deals: int | None,
    no_blocks: bool,
    no_control: bool,
    keep: str | None,
    form: str,
    **shared: Any,
) -> None:
    """Play blocks of deals until it is known whether bot A is better than bot B.

    A block has the same decks and streams of timing with the bots at all seats in turn. The stated error rates hold
    although the test looks again and again.

    \b
    Examples:
      nertsim compare careful greedy
      nertsim compare greedy,speed=1.001 greedy --smallest-effect 0.03
      nertsim compare careful greedy --field hasty --seats 6 --metric win
    """
    from nertsim.cli.progress import ProgressBar
    from nertsim.experiments.compare.request import MOST_DEALS, compare

    bots = tuple(bot for bot in (a, b, field) if bot is not None)
    request = Request(bots, deals or MOST_DEALS, **shared)
    progress = ProgressBar("blocks")
    with telling_how_to_go_on(request, progress, "blocks"):
        run = compare(
            a,
            b,
            field=field,
            seats_of_a=seats_of_a,
            metric=metric,
            alpha=alpha,
            beta=beta,
            smallest_effect=smallest_effect,
            deals=deals,
            blocks=not no_blocks,
            control=not no_control,
            keep="summary" if request.out is None else keep,
            **request.keywords(progress),
            forecast=lambda told: _print_forecast(told, metric or "score"),
        )
    _print(run.summary, form)
    request.note_end(run)


def _print_forecast(told: Forecast, metric: str) -> None:
    """What to expect, on stderr: it is no result."""
    unit, scale, digits = UNITS[metric]
    what = "matches" if metric == "match" else "deals"
    note(f"What to expect, if A is better by so many {unit}:")
    for one in told.expectations:
        effect = number(scale * one.effect, digits)
        played = number(one.blocks * told.deals_a_block, 0)
        note(
            f"  {effect:>8}: {played:>11} {what}, {duration(one.blocks * told.seconds_a_block):>6}; "
            f"'A better' {percent(one.a_better, 0)}, 'equivalent' {percent(one.equivalent, 0)}"
        )


def _print(summary: Mapping[str, Any], form: str) -> None:
    if form == "json":
        print_json(summary)
    elif form == "csv":
        names = ("verdict", "metric", "difference", "estimate", "blocks", "deals", "variance_reduction", "deals_saved")
        low, high = summary["ci"]
        print_csv([{name: summary[name] for name in names} | {"ci_low": low, "ci_high": high}])
    else:
        print_tables(*parts(summary))


def parts(summary: Mapping[str, Any]) -> list[Any]:
    """The table and the sentences of a summary."""
    table = make_table(["bot", "score", "win %"], numbers=["score", "win %"])
    for bot in summary["bots"]:
        table.add_row(bot["bot"], number(bot["mean_score"]), number(100 * bot["win_rate"], 1))
    return [table, *sentences(summary)]

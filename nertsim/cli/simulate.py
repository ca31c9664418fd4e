"""``nertsim simulate``: deals played, and a table of scores and win rates by seat and bot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from nertsim.cli.batches import Request, executor_options, folder_options, telling_how_to_go_on
from nertsim.cli.options import COUNT, debug_option, format_option, seed_option, table_options
from nertsim.cli.output import bot_cell, make_table, note, number, print_summary
from nertsim.report.words.simulate import sentences

if TYPE_CHECKING:
    from rich.table import Table


FIGURES = ("score", "win %", "95 %", "calls %", "foundation", "nerts\nleft")
"""Columns of both tables: mean score ± half of its interval, win rate and its interval, calls, cards, cards."""


@click.command("simulate", short_help="Play deals; scores and win rates by seat and bot.")
@table_options
@click.option("-n", "--deals", type=COUNT, metavar="N", help="Deals: 5000, 1e6, 1M. [default: 10k]")
@click.option(
    "--until-error",
    type=float,
    metavar="E",
    help="Play until every bot's figure is known to ±E (95 %), for -n deals at most. [default: 100M]",
)
@click.option("--figure", type=click.Choice(["win", "score"]), help="What E is of. [default: win, a share of 0 to 1]")
@seed_option
@folder_options(
    ["seats", "deals", "summary"],
    "What DIR keeps: rows a seat and a deal, rows a deal, or sums alone. [default: seats up to 10 million rows]",
)
@executor_options
@format_option()
@debug_option
def command(
    bots: tuple[str, ...],
    deals: int | None,
    until_error: float | None,
    figure: str | None,
    keep: str | None,
    form: str,
    **shared: Any,
) -> None:
    """Play deals and show scores and win rates by seat and bot.

    \b
    Examples:
      nertsim simulate --bot careful --bot greedy --seats 2 -n 100k --seed 1
      nertsim simulate --bot greedy -n 100M -o night     (Ctrl-C, then:)
      nertsim simulate --resume -o night
      nertsim simulate --extend -n 5M -o night
      nertsim simulate --bot greedy,speed=1.1 --bot hasty --until-error 0.002
    """
    from nertsim.cli.progress import ProgressBar
    from nertsim.simulate import DEFAULT_DEALS, simulate

    if keep in ("seats", "deals") and shared["out"] is None:
        raise click.UsageError(f"--keep {keep} says what a folder keeps; name the folder too, with -o DIR")
    request = Request(bots, deals or DEFAULT_DEALS, **shared)
    progress = ProgressBar()
    with telling_how_to_go_on(request, progress, "deals"):
        run = simulate(
            request.bots,
            deals=deals,
            until_error=until_error,
            figure=figure,
            keep=_keep(keep, request, deals, until_error),
            **request.keywords(progress),
        )
    print_summary(run.summary, form, parts)
    request.note_end(run)


def parts(summary: Mapping[str, Any]) -> list[Any]:
    """The tables and sentences of a summary."""
    tables = [_table("seat", summary["seats"])]
    if len(summary["bots"]) > 1:
        tables.append(_table("bot", summary["bots"]))
    return [*tables, *sentences(summary)]


def _table(by: str, records: Sequence[Mapping[str, Any]]) -> Table:
    first = ("seat", "bot") if by == "seat" else ("bot",)
    table = make_table([*first, *FIGURES], numbers=["seat", *FIGURES])
    for record in records:
        seat = [] if by == "bot" else [str(record["seat"])]
        table.add_row(*seat, bot_cell(record["bot"]), *_figures(record))
    return table


def _figures(record: Mapping[str, Any]) -> list[str]:
    (low, high), (win_low, win_high) = record["score_ci"], record["win_rate_ci"]
    return [
        f"{number(record['mean_score'])} ± {number((high - low) / 2)}",
        number(100 * record["win_rate"], 1),
        f"{number(100 * win_low, 1)}–{number(100 * win_high, 1)}",
        number(100 * record["call_rate"], 1),
        number(record["foundation"], 1),
        number(record["nerts_left"], 1),
    ]


def _keep(keep: str | None, request: Request, deals: int | None, until_error: float | None) -> str | None:
    from nertsim.simulate import DEFAULT_DEALS, DEFAULT_MOST_DEALS, default_keep

    if keep is not None or request.goes_on:
        return keep
    if request.out is None or request.rules is None:
        return "summary"
    most = deals or (DEFAULT_DEALS if until_error is None else DEFAULT_MOST_DEALS)
    rows = most * request.rules.seats
    choice = default_keep(rows)
    if choice == "summary":
        note(f"{rows:,} rows are more than ten million: keeping the summary only (--keep seats keeps them)")
    return choice

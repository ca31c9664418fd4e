"""``nertsim match``: whole matches to the target; who wins, and how many deals it takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from nertsim.cli.batches import Request, executor_options, folder_options, telling_how_to_go_on
from nertsim.cli.options import COUNT, debug_option, format_option, seed_option, table_options
from nertsim.cli.output import bot_cell, make_table, note, number, print_summary
from nertsim.report.words.match import mean_text, sentences

if TYPE_CHECKING:
    from rich.table import Table

    from nertsim.experiments.match import MatchRun


@click.command("match", short_help="Play whole matches; who wins, in how many deals.")
@table_options
@click.option("-n", "--matches", type=COUNT, metavar="N", help="Matches: 5000, 1e6, 1M. [default: 1k]")
@seed_option
@folder_options(["matches", "summary"], "What DIR keeps: rows a match, or sums alone. [default: matches]")
@executor_options
@format_option()
@debug_option
def command(
    bots: tuple[str, ...],
    matches: int | None,
    keep: str | None,
    form: str,
    **shared: Any,
) -> None:
    """Play whole matches and show who wins, in how many deals, and by how much.

    A match goes to the rules' target (a tie at the top: another deal), or for a number of deals (a tie is shared). Bots
    know the points so far.

    \b
    Examples:
      nertsim match --bot greedy,speed=1.1 --bot greedy --seats 2 -n 10k
      nertsim match --set target=50 --set winner_handicap=1
      nertsim match --set match_deals=8
    """
    from nertsim.cli.progress import ProgressBar
    from nertsim.experiments.match import DEFAULT_MATCHES, match

    if keep == "matches" and shared["out"] is None:
        raise click.UsageError("--keep matches says what a folder keeps; name the folder too, with -o DIR")
    request = Request(bots, matches or DEFAULT_MATCHES, **shared)
    progress = ProgressBar("matches")
    with telling_how_to_go_on(request, progress, "matches"):
        run = match(
            request.bots,
            matches=matches,
            keep="summary" if request.out is None else keep,
            **request.keywords(progress),
        )
    print_summary(run.summary, form, parts)
    _note_capped(run)
    request.note_end(run)


def parts(summary: Mapping[str, Any]) -> list[Any]:
    """The tables and sentences of a summary."""
    tables = [_seats_table(summary["seats"])]
    if 1 < len(summary["bots"]) < len(summary["seats"]):
        tables.append(_bots_table(summary["bots"]))
    return [*tables, *sentences(summary)]


def _seats_table(records: Sequence[Mapping[str, Any]]) -> Table:
    alone = len(records) == 1
    figures = ("win %", "95 %", "points", *(() if alone else ("ahead",)))
    table = make_table(["seat", "bot", *figures], numbers=["seat", *figures])
    for record in records:
        row = [str(record["seat"]), bot_cell(record["bot"]), *_win_texts(record)]
        row.append(mean_text(record["mean_points"], record["points_ci"]))
        if not alone:
            row.append(mean_text(record["mean_margin"], record["margin_ci"]))
        table.add_row(*row)
    return table


def _bots_table(records: Sequence[Mapping[str, Any]]) -> Table:
    figures = ("win %", "95 %", "points")
    table = make_table(["bot", *figures], numbers=figures)
    for record in records:
        table.add_row(bot_cell(record["bot"]), *_win_texts(record), number(record["mean_points"], 1))
    return table


def _win_texts(record: Mapping[str, Any]) -> tuple[str, str]:
    low, high = record["win_rate_ci"]
    return number(100 * record["win_rate"], 1), f"{number(100 * low, 1)}–{number(100 * high, 1)}"


def _note_capped(run: MatchRun) -> None:
    from nertsim.experiments.match_play import MATCH_STRIDE

    if run.totals.capped:
        note(
            f"{run.totals.capped:,} of {run.totals.matches:,} matches were capped: they were not over after "
            f"{MATCH_STRIDE} deals, and count as they stood"
        )

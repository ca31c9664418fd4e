"""``nertsim match``: whole matches to the target; who wins, and how many deals it takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from nertsim.cli.batches import Request, executor_options, folder_options, telling_how_to_go_on
from nertsim.cli.options import COUNT, debug_option, format_option, seed_option, table_options
from nertsim.cli.output import bot_cell, duration, make_table, note, number, percent, print_summary

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
    print_summary(run.summary, form, _parts)
    _note_capped(run)
    request.note_end(run)


def _parts(summary: Mapping[str, Any]) -> list[Any]:
    tables = [_seats_table(summary["seats"])]
    if 1 < len(summary["bots"]) < len(summary["seats"]):
        tables.append(_bots_table(summary["bots"]))
    return [*tables, *_sentences(summary)]


def _seats_table(records: Sequence[Mapping[str, Any]]) -> Table:
    alone = len(records) == 1
    figures = ("win %", "95 %", "points", *(() if alone else ("ahead",)))
    table = make_table(["seat", "bot", *figures], numbers=["seat", *figures])
    for record in records:
        row = [str(record["seat"]), bot_cell(record["bot"]), *_win_texts(record)]
        row.append(_mean_text(record["mean_points"], record["points_ci"]))
        if not alone:
            row.append(_mean_text(record["mean_margin"], record["margin_ci"]))
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


def _mean_text(mean: float, interval: Sequence[float]) -> str:
    return f"{number(mean, 1)} ± {number((interval[1] - interval[0]) / 2, 1)}"


def _sentences(summary: Mapping[str, Any]) -> list[str]:
    target, deals = summary["target"], summary["match_deals"]
    until = f"to {_count(target, 'point')}" if deals is None else f"of {_count(deals, 'deal')}"
    lines = [f"{_count(summary['matches'], 'match', 'matches')} {until}."]
    if deals is None:
        takes = f"A match takes {_mean_text(summary['mean_deals'], summary['mean_deals_ci'])} deals"
        lines.append(f"{takes} (90 %: {_range(summary['deals_quantiles'])}).")
    lines.append(f"A match lasts {duration(summary['mean_match_seconds'])}.")
    if len(summary["seats"]) > 1:
        margin = number(summary["mean_margin"], 1)
        lines.append(f"The best is {margin} points ahead of the next (90 %: {_range(summary['margin_quantiles'])}).")
    if summary["shared"] > 0:
        lines.append(f"{percent(summary['shared'])} ended in a tie, which counts 1/k for each of k.")
    if summary["ended"]["time_limit"] > 0:
        lines.append(f"{percent(summary['ended']['time_limit'])} of all deals ended at the time limit.")
    return lines


def _count(count: int, one: str, many: str | None = None) -> str:
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def _range(quantiles: Mapping[str, float]) -> str:
    return f"{quantiles['0.05']} to {quantiles['0.95']}"


def _note_capped(run: MatchRun) -> None:
    from nertsim.experiments.match_play import MATCH_STRIDE

    if run.totals.capped:
        note(
            f"{run.totals.capped:,} of {run.totals.matches:,} matches were capped: they were not over after "
            f"{MATCH_STRIDE} deals, and count as they stood"
        )

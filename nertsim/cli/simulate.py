"""``nertsim simulate``: deals played, and a table of scores and win rates by seat and bot."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from nertsim.cli.options import (
    COUNT,
    again,
    debug_option,
    format_option,
    read_bots,
    read_rules,
    seed_option,
    table_options,
    threads_option,
)
from nertsim.cli.output import duration, make_table, note, number, percent, print_summary

if TYPE_CHECKING:
    from rich.table import Table

    from nertsim.run import Run

FIGURES = ("score", "win %", "95 %", "calls %", "foundation", "nerts\nleft")
"""Columns of both tables: mean score ± half of its interval, win rate and its interval, calls, cards, cards."""


@click.command("simulate", short_help="Play deals; scores and win rates by seat and bot.")
@table_options
@click.option("-n", "--deals", type=COUNT, default="10k", show_default=True, metavar="N", help="Deals: 5000, 1e6, 1M.")
@seed_option
@threads_option
@click.option("-o", "--out", metavar="DIR", help="Keep the rows in this new folder, as Parquet files.")
@click.option(
    "--keep",
    type=click.Choice(["seats", "deals", "summary"]),
    help="What DIR keeps: rows a seat and a deal, rows a deal, or sums alone. [default: seats up to 10 million rows]",
)
@format_option()
@debug_option
def command(
    bots: tuple[str, ...],
    seats: int | None,
    hands: Any,
    rules_name: str | None,
    settings: tuple[str, ...],
    deals: int,
    seed: int | None,
    threads: int | None,
    out: str | None,
    keep: str | None,
    form: str,
) -> None:
    """Play deals and show scores and win rates by seat and bot.

    \b
    Example:
      nertsim simulate --bot careful --bot greedy --seats 2 -n 100k --seed 1
    """
    from nertsim.cli.progress import ProgressBar
    from nertsim.simulate import draw_seed, simulate

    if keep in ("seats", "deals") and out is None:
        raise click.UsageError(f"--keep {keep} says what a folder keeps; name the folder too, with -o DIR")
    rules = read_rules(rules_name, settings, seats, hands)
    drawn = draw_seed() if seed is None else seed
    progress = ProgressBar()
    try:
        with progress:
            run = simulate(
                read_bots(bots),
                rules=rules,
                deals=deals,
                seed=drawn,
                threads=threads,
                out=out,
                keep=_keep(keep, out, deals * rules.seats),
                command=["nertsim", *sys.argv[1:]],
                progress=progress,
                notice=note,
            )
    except KeyboardInterrupt:
        note(f"\nstopped after {progress.played:,} of {deals:,} deals{_kept(out)}")
        note(f"to run it again: {again(seed, drawn)}")
        raise
    print_summary(run.summary, form, _parts)
    _closing_notes(run, seed is None)


def _parts(summary: Mapping[str, Any]) -> list[Any]:
    tables = [_table("seat", summary["seats"])]
    if len(summary["bots"]) > 1:
        tables.append(_table("bot", summary["bots"]))
    return [*tables, *_sentences(summary)]


def _table(by: str, records: Sequence[Mapping[str, Any]]) -> Table:
    first = ("seat", "bot") if by == "seat" else ("bot",)
    table = make_table([*first, *FIGURES], numbers=["seat", *FIGURES])
    for record in records:
        table.add_row(*[str(record[name]) for name in first], *_figures(record))
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


def _sentences(summary: Mapping[str, Any]) -> list[str]:
    ended, caller = summary["ended"], summary["caller"]
    lines = [
        f"{summary['deals']:,} deals: {percent(ended['called'])} ended by a call, {percent(ended['stuck'])} stuck, "
        f"{percent(ended['time_limit'])} at the time limit.",
        f"A deal lasts {duration(summary['mean_deal_seconds'])} and takes "
        f"{number(summary['actions_per_deal'], 0)} actions.",
    ]
    if ended["called"] > 0 and len(summary["seats"]) > 1:
        lines.append(
            f"The caller scores {number(caller['mean_score'], 1)}, "
            f"the others {number(caller['others_mean_score'], 1)}; "
            f"the caller has the top score in {percent(caller['win_rate'])}."
        )
    return lines


def _closing_notes(run: Run, drawn: bool) -> None:
    summary = run.summary
    seed = f"seed {run.seed}{' (drawn)' if drawn else ''}"
    note(f"{seed}; {duration(run.seconds)}, {number(summary['deals_per_second'], 0)} deals/s")
    if run.path is not None:
        what = {"seats": "rows a seat and a deal", "deals": "rows a deal", "summary": "the summary"}[run.plan.keep]
        note(f"kept {what} in {run.path}")


def _keep(keep: str | None, out: str | None, rows: int) -> str:
    from nertsim.simulate import default_keep

    if keep is not None:
        return keep
    if out is None:
        return "summary"
    choice = default_keep(rows)
    if choice == "summary":
        note(f"{rows:,} rows are more than ten million: keeping the summary only (--keep seats keeps them)")
    return choice


def _kept(out: str | None) -> str:
    if out is None:
        return ""
    return f"; complete parts are kept in {out}" if (Path(out) / "manifest.json").exists() else ""

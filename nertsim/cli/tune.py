"""``nertsim tune``: better parameters for a bot, and proof that they are better."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from nertsim.cli.batches import Request, telling_how_to_go_on
from nertsim.cli.options import COUNT, debug_option, format_option, rules_options, seed_option, threads_option
from nertsim.cli.output import duration, make_table, note, number, print_csv, print_json, print_tables
from nertsim.report.words.tune import UNITS, sentences

if TYPE_CHECKING:
    from nertsim.experiments.tune.course import Course
    from nertsim.experiments.tune.run import TuneRun


@click.command("tune", short_help="Better parameters for a bot, proved on fresh deals.")
@click.argument("bot", required=False)
@click.option("--param", "parameters", multiple=True, metavar="NAME[=LOW:HIGH]", help="Tune this one. [default: all]")
@click.option("--against", multiple=True, metavar="SPEC", help="A bot at the other seats. [default: BOT and champion]")
@click.option("--metric", type=click.Choice(["score", "win"]), help="Points ahead, or deals won. [default: score]")
@click.option("--method", type=click.Choice(["spsa", "cmaes"]), help="How to search. [default: spsa]")
@click.option(
    "--goal", type=float, metavar="E", help="Least improvement worth having. [default: 0.1 points, 0.005 of the deals]"
)
@click.option("-n", "--deals", type=COUNT, metavar="N", help="The budget. [default: 10M]")
@click.option("--minutes", type=float, metavar="M", help="The budget as a time, in place of -n.")
@rules_options
@seed_option
@click.option("-o", "--out", metavar="DIR", help="Keep the journal, and the tuned bot, in this new folder.")
@click.option("--resume", is_flag=True, help="Go on with the tuning in DIR to its end.")
@click.option("--toml", metavar="FILE.toml", help="Write the tuned bot to this new file, if it is proved better.")
@click.option("--name", default="tuned", show_default=True, help="What the tuned bot is called there.")
@threads_option
@format_option()
@debug_option
def command(
    bot: str | None,
    parameters: tuple[str, ...],
    against: tuple[str, ...],
    metric: str | None,
    method: str | None,
    goal: float | None,
    deals: int | None,
    minutes: float | None,
    toml: str | None,
    name: str,
    form: str,
    **shared: Any,
) -> None:
    """Search for better parameters of a bot, and test on fresh deals whether they are better.

    The bot that is found is written down only if a sequential test on decks that the search never saw says that it is
    better than the start; otherwise the start is kept.

    \b
    Examples:
      nertsim tune weighted --minutes 10 -o tuned
      nertsim tune mybot.py:clever --param gap --param tidy=0:10 -n 2M
      nertsim tune weighted --against greedy --seats 2 --toml two.toml
    """
    from nertsim.cli.progress import ProgressBar
    from nertsim.experiments.tune.request import DEFAULT_DEALS, check_tunable, tune

    request = Request([bot] if bot else [], deals or DEFAULT_DEALS, extend=False, **shared)
    if bot is None and not request.goes_on:
        check_tunable(bot)
    progress = ProgressBar("deals")
    keywords = request.keywords(progress)
    del keywords["extend"]
    with telling_how_to_go_on(request, progress, "deals"):
        run = tune(
            bot,
            parameters or None,
            against=list(against) or None,
            metric=metric,
            method=method,
            goal=goal,
            deals=deals,
            minutes=minutes,
            toml=toml,
            name=name,
            told=_note_check,
            **keywords,
        )
    _print(run.summary, form)
    _note_end(run, request, toml, name)


def _note_check(course: Course) -> None:
    """How far it came, on stderr: it is no result."""
    check, plan = course.checks[-1], course.plan
    unit, scale, digits = UNITS[plan.metric]
    half = scale * (check.difference_ci[1] - check.difference_ci[0]) / 2
    note(
        f"step {check.step:,} of {plan.shares.steps + plan.shares.lines:,}: ahead of the start by "
        f"{number(scale * check.difference, digits)} ± {number(half, digits)} {unit}"
    )


def _note_end(run: TuneRun, request: Request, toml: str | None, name: str) -> None:
    from nertsim.experiments.tune.request import BOT_FILE

    drawn = " (drawn)" if request.given_seed is None and not request.goes_on else ""
    speed = number(run.summary["deals_per_second"], 0)
    note(f"seed {run.plan.seed}{drawn}; {run.course.deals:,} deals, {duration(run.seconds)}, {speed} deals/s")
    if run.path is not None:
        note(f"kept the journal in {run.path}")
    file = toml or (None if run.path is None else str(run.path / BOT_FILE))
    if run.accepted and file is not None:
        note(f"to play with it: --bot {file}:{name}")
    elif run.accepted:
        note("the bot is written down with --toml FILE.toml or -o DIR")
    elif file is not None:
        note("no bot is written: the start is kept")


def _print(summary: Mapping[str, Any], form: str) -> None:
    if form == "json":
        print_json(summary)
    elif form == "csv":
        from nertsim.tables import flat_record

        print_csv([flat_record(row) for row in summary["parameters"]])
    else:
        print_tables(*parts(summary))


def parts(summary: Mapping[str, Any]) -> list[Any]:
    """What a tuning comes to: a table of the parameters, and sentences."""
    return [_table(summary), *sentences(summary)]


def _table(summary: Mapping[str, Any]) -> Any:
    _, scale, digits = UNITS[summary["metric"]]
    cost = "moved, costs"
    table = make_table(["parameter", "start", "tuned", "optimum", cost], ["start", "tuned", "optimum", cost])
    for row in summary["parameters"]:
        half = (row["cost_ci"][1] - row["cost_ci"][0]) / 2
        table.add_row(
            row["parameter"],
            f"{row['start']:g}",
            f"{row['estimate']:g}",
            f"{row['optimum_ci'][0]:.4g} to {row['optimum_ci'][1]:.4g}",
            f"by {row['step']:.3g}: {number(scale * row['cost'], digits)} ± {number(scale * half, digits)}",
        )
    return table

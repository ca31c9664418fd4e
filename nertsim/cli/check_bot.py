"""``nertsim check-bot``: does a bot keep the protocol, and what is wrong if not."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from nertsim.cli.options import COUNT, debug_option, seed_option
from nertsim.cli.output import note, print_json
from nertsim.cli.progress import ProgressBar

if TYPE_CHECKING:
    from nertsim.check import Report, Step


@click.command("check-bot", short_help="Does my own bot keep the protocol, and what is wrong if not.")
@click.argument("spec", metavar="FILE[:NAME]")
@click.option("-n", "--deals", type=COUNT, metavar="N", help="Deals to look for illegal actions. [default: 10k]")
@seed_option
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", help="How to print the steps.")
@debug_option
def command(spec: str, deals: int | None, seed: int | None, form: str) -> None:
    """Say whether a bot keeps the protocol: does it compile, is it always legal, does it end, does it look at hidden
    cards or outside of what it was given, is it repeatable, how fast is it.

    FILE alone means all strategies in it; any bot that --bot takes can be checked. Ends with code 1 if a step fails.

    \b
    Examples:
      nertsim check-bot mybot.py
      nertsim check-bot mybot.py:clever,gap=3
      nertsim check-bot roster.toml:champion -n 100k
    """
    from nertsim.check import check_bot

    shown = _Shown(quiet=form == "json")
    try:
        report = check_bot(
            spec,
            deals=deals,
            seed=seed,
            on_step=shown.step,
            on_progress=shown.progress,
            notice=note,
            debug="--debug" in sys.argv,
        )
    finally:
        shown.end_bar()
    if form == "json":
        print_json(report.to_dict())
    else:
        click.echo(_verdict(report))
        if seed is None:
            note(f"seed {report.seed} (drawn)")
    if not report.passed:
        click.get_current_context().exit(1)


def _verdict(report: Report) -> str:
    if report.passed:
        return f"{report.bot} keeps the protocol"
    several = len({step.bot for step in report.steps}) > 1
    failed = [f"{step.number} {step.name}{f' ({step.bot})' if several else ''}" for step in report.failed]
    return f"{report.bot} does not keep the protocol; failed: {', '.join(failed)}"


class _Shown:
    """The steps on stdout as they are done, and a bar on stderr meanwhile."""

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet
        self._bot = ""
        self._what = ""
        self._bar: ProgressBar | None = None

    def step(self, step: Step) -> None:
        self.end_bar()
        if self._quiet:
            return
        if step.bot != self._bot:
            self._bot = step.bot
            click.echo(step.bot)
        click.echo(f"  {step}")

    def progress(self, what: str, done: int, of: int) -> None:
        if what != self._what or self._bar is None:
            self.end_bar()
            self._what, self._bar = what, ProgressBar(what)
        self._bar(max(done, 1), of)

    def end_bar(self) -> None:
        if self._bar is not None:
            self._bar.__exit__(None, None, None)
            self._bar = None

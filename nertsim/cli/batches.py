"""What all commands that play a batch have in common: its folder, its executor, and what is told when it stops."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from nertsim.cli.options import Command, again, read_bots, read_rules, threads_option
from nertsim.cli.output import duration, note, number
from nertsim.errors import BotFault, NertsimError, UsageError

if TYPE_CHECKING:
    from nertsim.cli.progress import ProgressBar
    from nertsim.rules import Rules
    from nertsim.run import BatchRun

KEPT = {
    "seats": "rows a seat and a deal",
    "deals": "rows a deal",
    "matches": "rows a match",
    "blocks": "rows a block",
    "summary": "the summary",
}
"""What is kept, in words."""


def folder_options(kinds: Sequence[str], keeps: str) -> Callable[[Command], Command]:
    """-o, --keep, --resume, --extend."""

    def add(command: Command) -> Command:
        for option in reversed(
            (
                click.option("-o", "--out", metavar="DIR", help="Keep the rows in this new folder, as Parquet files."),
                click.option("--keep", type=click.Choice(list(kinds)), help=keeps),
                click.option("--resume", is_flag=True, help="Go on with the run in DIR to its end."),
                click.option("--extend", is_flag=True, help="Add -n more to the run in DIR."),
            )
        ):
            command = option(command)
        return command

    return add


def executor_options(command: Command) -> Command:
    """--threads, --executor, --scheduler."""
    for option in reversed(
        (
            threads_option,
            click.option(
                "--executor",
                type=click.Choice(["threads", "dask"]),
                default="threads",
                show_default=True,
                help="Who plays: threads, or the workers of a Dask cluster.",
            ),
            click.option(
                "--scheduler", metavar="ADDRESS", help="Of a Dask cluster, as tcp://host:8786. [default: one here]"
            ),
        )
    ):
        command = option(command)
    return command


class Request:
    """The table that a command is asked to play at; what is not given is None where a run is gone on with."""

    def __init__(
        self,
        bots: Sequence[str],
        count: int,
        *,
        rules_name: str | None,
        settings: Sequence[str],
        seats: int | None,
        hands: Any,
        seed: int | None,
        out: str | None,
        resume: bool,
        extend: bool,
        **executor: Any,
    ) -> None:
        from nertsim.resume import is_begun

        self.out, self.count, self.given_seed = out, count, seed
        self.goes_on = bool(out) and (resume or extend) and is_begun(out or "")
        self._as_given = {"out": out, "resume": resume, "extend": extend, **executor}
        table = bool(rules_name or settings or seats is not None or hands is not None)
        if resume and out and not self.goes_on and not (bots or table):
            raise UsageError(f"{out} holds no run to go on with")
        self.rules: Rules | None = None
        if table or not self.goes_on:
            self.rules = read_rules(rules_name, settings, seats, hands)
        self.bots = list(bots) or (None if self.goes_on else read_bots(bots))
        self.seed = seed
        if seed is None and not self.goes_on:
            from nertsim.simulate import draw_seed

            self.seed = draw_seed()

    def keywords(self, progress: ProgressBar) -> dict[str, Any]:
        """What the functions of the API that play a batch take alike."""
        command = ["nertsim", *sys.argv[1:]]
        told = {"command": command, "progress": progress, "notice": note}
        return {"rules": self.rules, "seed": self.seed, **self._as_given, **told}

    def note_end(self, run: BatchRun) -> None:
        """The last lines: the seed, the time it took, and what is kept where."""
        drawn = " (drawn)" if self.given_seed is None and not self.goes_on else ""
        speed = number(run.summary["deals_per_second"], 0)
        note(f"seed {run.seed}{drawn}; {duration(run.seconds)}, {speed} deals/s")
        if run.path is not None:
            note(f"kept {KEPT[run.plan.keep]} in {run.path}")

    def going_on(self) -> str:
        """The command that goes on with what is kept."""
        context = click.get_current_context()
        words = ["nertsim", context.info_name or "", "--resume", "-o", self.out or ""]
        for name in ("threads", "executor", "scheduler"):
            if context.get_parameter_source(name) == ParameterSource.COMMANDLINE:
                words += [f"--{name}", str(context.params[name])]
        return shlex.join(words)


@contextmanager
def telling_how_to_go_on(request: Request, progress: ProgressBar, unit: str) -> Iterator[None]:
    """Where a batch stops on its way: says what is kept, and the command that goes on."""
    try:
        with progress:
            yield
    except UsageError:
        raise
    except (KeyboardInterrupt, NertsimError, OSError) as error:
        interrupted = isinstance(error, KeyboardInterrupt)
        kept = _kept(request.out) if request.out else None
        if interrupted:
            note(f"\nstopped after {progress.played:,} of {progress.wanted or request.count:,} {unit}")
        if request.out:
            note("nothing is kept" if kept is None else f"{kept:,} {unit} are kept in {request.out}")
        if kept is not None and isinstance(error, BotFault):
            note("the bot would do the same again, and with a changed one it would be another run: -o NEW begins that")
        elif kept is not None:
            note(f"to go on: {request.going_on()}")
        elif interrupted:
            note(f"to run it again: {again(request.given_seed, request.seed or 0)}")
        if interrupted:
            raise click.Abort from None  # which is all said: click would add an empty line
        raise


def _kept(out: str) -> int | None:
    """Units in the folder; None where there is none."""
    from nertsim.store import read_manifest

    try:
        return int(read_manifest(Path(out))["played"])
    except NertsimError:
        return None

"""The command line: each command parses, calls one function of the Python API, and prints.

Commands are modules of this package, imported when they are asked for; what they need of the library is imported when
they run, so that help and errors come at once.
"""

from __future__ import annotations

import click

from nertsim.cli.group import LazyGroup
from nertsim.cli.options import debug_option

COMMANDS = (
    "simulate",
    "match",
    "compare",
    "tournament",
    "sweep",
    "tune",
    "report",
    "selftest",
    "replay",
    "bots",
    "rules",
    "tempos",
    "check-bot",
    "warmup",
)

WELCOME = """\
nertsim plays deals of Nerts between bots, and says what wins. Try first:

  nertsim simulate --bot greedy -n 10k            four greedy bots, ten thousand deals
  nertsim simulate --bot careful --bot greedy --seats 2 -n 100k
  nertsim match --bot greedy,speed=1.1 --bot greedy --seats 2   whole matches
  nertsim replay --bot greedy --seed 1 --deal 0   one deal to read
  nertsim replay --bot greedy --seed 1 --deal 0 --html deal.html   to watch
  nertsim bots                                    who can play; also: rules, tempos

`nertsim --help` lists all commands, `nertsim simulate --help` the options of one."""


def _show_version(context: click.Context, option: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        from nertsim import __version__

        click.echo(f"nertsim {__version__}")
        context.exit()


@click.command(
    cls=LazyGroup,
    commands_in="nertsim.cli",
    names=COMMANDS,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_show_version, help="The version.")
@debug_option
@click.pass_context
def main(context: click.Context) -> None:
    """Plays deals of Nerts (Nertz, Pounce, Racing Demon) between bots, by the million, and says what wins.

    Try first: nertsim simulate --bot greedy -n 10k
    """
    if context.invoked_subcommand is None:
        click.echo(WELCOME)

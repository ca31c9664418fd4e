"""``nertsim warmup``: compile now, so that nothing waits for it later."""

from __future__ import annotations

import click

from nertsim.cli.options import debug_option
from nertsim.cli.output import duration, note


@click.command("warmup", short_help="Compile now, so that later runs start at once.")
@debug_option
def command() -> None:
    """Compile the engine and the built-in bots now, so that later runs start at once.

    \b
    Example:
      nertsim warmup
    """
    from nertsim.simulate import warmup

    seconds, folder = warmup(notice=note)
    click.echo(f"ready after {duration(seconds)}; compiled code is kept in {folder}")

"""``nertsim bots``: who can play, and with which parameters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from nertsim.cli.options import debug_option, format_option
from nertsim.cli.output import note, print_csv, print_json, print_records

if TYPE_CHECKING:
    from nertsim.bots.strategy import Bot

FILE = re.compile(r"[^,]+\.(py|toml)", re.IGNORECASE)


@click.command("bots", short_help="Who can play; one bot as TOML; a file to start from.")
@click.argument("name", metavar="[NAME]", required=False)
@click.option("--example", is_flag=True, help="Print a bot file to start your own from.")
@format_option(default=None)
@debug_option
def command(name: str | None, example: bool, form: str | None) -> None:
    """List the bots, those in a file, or show one as TOML: parameters and tempo, with what each means.

    The TOML is a roster: edit it and give it back, as --bot FILE.toml:NAME.

    \b
    Examples:
      nertsim bots greedy
      nertsim bots --example > mybot.py
      nertsim bots mybot.py
      nertsim bots mybot.py:clever,tempo=expert > roster.toml
    """
    if example:
        if name is not None or form is not None:
            raise click.UsageError("--example stands alone, as in: nertsim bots --example > mybot.py")
        click.echo(_example(), nl=False)
    elif name is None or FILE.fullmatch(name):
        records = [_record(*one) for one in (_all_bots() if name is None else _bots_in(name))]
        print_records(records if form == "json" else _short(records), form or "table", "presets")
    else:
        _show(name, form)


def _show(text: str, form: str | None) -> None:
    from nertsim.bots.roster_text import roster_text
    from nertsim.bots.spec import parse_bot

    bot = parse_bot(text)
    # What stands after the colon of a file; the whole of any other name.
    name = text.split(",")[0].strip()
    name = re.sub(r".*\.(?:py|toml):(?=.)", "", name, flags=re.IGNORECASE)
    if form == "json":
        print_json(_record(name, bot))
    elif form == "csv":
        print_csv(_short([_record(name, bot)]))
    else:
        click.echo(roster_text(name, bot), nl=False)


def _all_bots() -> Iterator[tuple[str, Bot, str | None]]:
    """The built-in bots, the shipped tuned ones, and what packages offer; a note for an offer that fails.

    Names on the command line, bots, own descriptions.
    """
    from nertsim.bots.builtin_names import BUILTIN
    from nertsim.bots.champions import champions
    from nertsim.bots.files import load_offered, offered_strategies
    from nertsim.bots.spec import parse_bot
    from nertsim.bots.strategy import Bot
    from nertsim.errors import NertsimError

    for name, strategy in BUILTIN.items():
        yield name, Bot(strategy), None
    for name, table in champions().items():
        yield name, parse_bot(name), table.get("description")
    for name, entry in offered_strategies().items():
        if name not in BUILTIN and name not in champions():
            try:
                yield name, Bot(load_offered(name, entry)), None
            except NertsimError as error:
                note(f"left out: {error}")


def _bots_in(path: str) -> Iterator[tuple[str, Bot, str | None]]:
    """The strategies of a Python file, or the bots of a roster: names on the command line, bots, own descriptions."""
    from nertsim.bots.files import load_strategies
    from nertsim.bots.roster import read_tables
    from nertsim.bots.spec import parse_bot

    if path.lower().endswith(".py"):
        told: dict[str, Any] = dict.fromkeys(load_strategies(path))
    else:
        told = {name: table.get("description") for name, table in read_tables(path).items()}
    for name, text in told.items():
        yield f"{path}:{name}", parse_bot(f"{path}:{name}"), text


def _record(name: str, bot: Bot, text: str | None = None) -> dict[str, Any]:
    strategy = bot.strategy
    values = dict(zip(strategy.parameters, bot.vector(), strict=True))
    parameters = {
        name: {"value": values[name], "default": one.default, "low": one.low, "high": one.high, "meaning": one.meaning}
        for name, one in strategy.parameters.items()
    }
    record: dict[str, Any] = {"name": name, "description": text or strategy.description, "strategy": strategy.spec}
    record |= {"parameters": parameters, "tempo": bot.tempo.to_dict()}
    return record if bot.second is None else record | {"second": bot.second.to_dict()}


def _short(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"name": one["name"], "description": one["description"]} for one in records]


def _example() -> str:
    from importlib.resources import files

    return (files("nertsim.bots") / "example.py").read_text(encoding="utf-8")

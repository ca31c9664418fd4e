"""``nertsim bots``: who can play, and with which parameters."""

from __future__ import annotations

from typing import Any

import click

from nertsim.cli.options import debug_option, format_option
from nertsim.cli.output import print_csv, print_json, print_records, toml_comment


@click.command("bots", short_help="Who can play; one bot as TOML.")
@click.argument("name", required=False)
@format_option(default=None)
@debug_option
def command(name: str | None, form: str | None) -> None:
    """List the bots, or show one as TOML: its parameters and its tempo, with what each means.

    \b
    Example:
      nertsim bots greedy
    """
    from nertsim.bots.builtin_names import BUILTIN
    from nertsim.bots.spec import find_strategy

    if name is None:
        records = [_record(strategy) for strategy in BUILTIN.values()]
        print_records(records if form == "json" else _short(records), form or "table", "presets")
    elif form == "json":
        print_json(_record(find_strategy(name)))
    elif form == "csv":
        print_csv(_short([_record(find_strategy(name))]))
    else:
        click.echo(_toml(find_strategy(name)), nl=False)


def _record(strategy: Any) -> dict[str, Any]:
    parameters = {
        name: {"default": one.default, "low": one.low, "high": one.high, "meaning": one.meaning}
        for name, one in strategy.parameters.items()
    }
    return {"name": strategy.name, "description": strategy.description, "parameters": parameters}


def _short(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"name": one["name"], "description": one["description"]} for one in records]


def _toml(strategy: Any) -> str:
    lines = [
        toml_comment(f"{strategy.name}: {strategy.description}").rstrip(),
        f"[{strategy.name}]",
        f'strategy = "{strategy.name}"',
        'tempo = "average"',
    ]
    for name, one in strategy.parameters.items():
        lines.append(f"{f'{name} = {one.default!r}':<28} # {one.low:g} to {one.high:g}: {one.meaning}")
    if not strategy.parameters:
        lines.append("# this strategy has no parameters; tempo values may stand here, as speed = 1.1")
    return "\n".join(lines) + "\n"

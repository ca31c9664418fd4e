"""``nertsim rules``: the ways people play."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from nertsim.cli.options import debug_option, format_option
from nertsim.cli.output import make_table, print_csv, print_json, print_tables, toml_comment


@click.command("rules", short_help="The ways people play; one as TOML to edit.")
@click.argument("name", required=False)
@format_option(default=None)
@debug_option
def command(name: str | None, form: str | None) -> None:
    """List the rules, or show one set as TOML to edit and give back with --rules FILE.toml

    \b
    Example:
      nertsim rules standard > mine.toml
      nertsim simulate --rules mine.toml
    """
    from nertsim.presets import PRESETS, load_rules

    if name is None:
        if form == "json":
            print_json({"presets": [_record(preset) for preset in PRESETS]})
        elif form == "csv":
            print_csv([_record(preset) for preset in PRESETS])
        else:
            _print_table()
        return
    rules = load_rules(name)
    if form == "json":
        print_json(_record(name))
    elif form == "csv":
        print_csv([_record(name)])
    else:
        click.echo(_comment(name) + rules.to_toml(), nl=False)


def _record(name: str) -> dict[str, Any]:
    """A preset, or rules in a file, with every option."""
    from nertsim.presets import PRESETS, load_rules

    told: dict[str, Any] = {"name": name, "description": f"the rules in {name}"}
    if name in PRESETS:
        told = {"name": name, "description": PRESETS[name].description, "source": PRESETS[name].source}
    return told | load_rules(name).to_dict()


def _comment(name: str) -> str:
    from nertsim.presets import PRESETS

    if name not in PRESETS:
        return toml_comment(f"{name}: the rules in {name}")
    return toml_comment(f"{name}: {PRESETS[name].description}") + toml_comment(f"Source: {PRESETS[name].source}")


def _print_table() -> None:
    from nertsim.presets import PRESETS

    table = make_table(["name", "what is not standard", "who plays it"])
    for preset in PRESETS.values():
        table.add_row(preset.name, _words(preset.differences()), preset.description)
        table.add_section()
    print_tables(table, "One of them as TOML, with its source: nertsim rules NAME")


def _words(options: Mapping[str, Any]) -> str:
    return "\n".join(f"{name} {str(value).lower()}" for name, value in options.items()) or "–"

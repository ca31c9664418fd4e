"""``nertsim rules``: the ways people play."""

from __future__ import annotations

import click

from nertsim.cli.options import debug_option, format_option
from nertsim.cli.output import print_csv, print_json, print_records, toml_comment


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
    from nertsim.rules import PRESETS, load_rules

    if name is None:
        records = [
            {"name": preset.name, "description": preset.description}
            | (preset.rules.to_dict() if form in ("json", "csv") else {})
            for preset in PRESETS.values()
        ]
        print_records(records, form or "table", "presets")
        return
    rules = load_rules(name)
    description = PRESETS[name].description if name in PRESETS else f"the rules in {name}"
    record = {"name": name, "description": description} | rules.to_dict()
    if form == "json":
        print_json(record)
    elif form == "csv":
        print_csv([record])
    else:
        click.echo(toml_comment(f"{name}: {description}") + rules.to_toml(), nl=False)

"""``nertsim tempos``: how fast and how attentive hands are."""

from __future__ import annotations

import click

from nertsim.cli.options import debug_option, format_option
from nertsim.cli.output import print_csv, print_json, print_records, toml_comment


@click.command("tempos", short_help="How fast hands are; one tempo as TOML to edit.")
@click.argument("name", required=False)
@format_option(default=None)
@debug_option
def command(name: str | None, form: str | None) -> None:
    """List the tempos, or show one as TOML to edit and give back: --bot greedy,tempo=FILE.toml

    \b
    Example:
      nertsim tempos expert > mine.toml
      nertsim simulate --bot greedy,tempo=mine.toml
    """
    from nertsim.bots.spec import read_tempo
    from nertsim.tempo import TEMPOS

    if name is None:
        records = [
            {"name": preset.name, "description": preset.description}
            | (preset.tempo.to_dict() if form in ("json", "csv") else {})
            for preset in TEMPOS.values()
        ]
        print_records(records, form or "table", "presets")
        return
    tempo = read_tempo(name)
    description = TEMPOS[name].description if name in TEMPOS else f"the tempo in {name}"
    record = {"name": name, "description": description} | tempo.to_dict()
    if form == "json":
        print_json(record)
    elif form == "csv":
        print_csv([record])
    else:
        click.echo(toml_comment(f"{name}: {description}") + tempo_toml(tempo.to_dict()), nl=False)


def tempo_toml(values: dict[str, float]) -> str:
    """The values of a tempo as TOML, each with its meaning beside it."""
    from nertsim.tempo import MEANINGS

    return "".join(f"{f'{name} = {value!r}':<28} # {MEANINGS[name]}\n" for name, value in values.items())

"""Bots in a TOML file: what a table of it says, and how a tempo in a file is read.

```toml
[champion]
strategy = "weighted"     # a name, or a Python file beside this one: "mybot.py:clever"
tempo = "expert"          # a name or a TOML file; values of a tempo, as speed = 1.1, may stand beside it
play_nerts = 3.5          # the parameters of the strategy
second.tempo = "average"  # the tempo of the second hand, where there is one
description = "free text"
```

``nertsim bots NAME`` prints such a table. A table ``provenance`` says how the bot came about and is not read.
"""

from __future__ import annotations

import dataclasses
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nertsim.errors import BotError, NertsimError, TempoError, UsageError, reason, unknown
from nertsim.tempo import RANGES, Tempo, load_tempo


@dataclasses.dataclass(frozen=True)
class Description:
    """A table of a roster."""

    name: str
    strategy: str
    folder: str
    """That of the roster: where the files are that it names."""
    values: Mapping[str, float]
    """What is neither the tempo's nor text: the parameters of the strategy."""
    tempo: Tempo
    second: Tempo | None


def read_roster(path: str, name: str | None) -> Description:
    """The table called `name` of a roster, or its only one.

    Raises `BotError` or `TempoError`, naming the file, the table and the key.
    """
    tables = read_tables(path)
    if name is None and len(tables) != 1:
        raise BotError(
            f"{path} has {len(tables)} bots; name one of them, as {path}:NAME ({', '.join(tables) or 'none'})"
        )
    name = name or next(iter(tables))
    if name not in tables:
        raise BotError(unknown(f"bot in {path}", name, tables))
    try:
        return _describe(name, tables[name], os.path.dirname(path))
    except UsageError as error:
        raise type(error)(f"{path}: {name}: {error}") from None


def read_tables(path: str) -> dict[str, dict[str, Any]]:
    """The tables of a roster as they stand there; `BotError` where the file is no roster."""
    tables = _read_toml(path, "roster", BotError)
    loose = [key for key, value in tables.items() if not isinstance(value, dict)]
    if loose:
        raise BotError(f"{path} is not a roster: {loose[0]} stands outside a table such as [champion]")
    return tables


def _describe(name: str, table: Mapping[str, Any], folder: str) -> Description:
    table = {key: value for key, value in table.items() if key not in ("description", "provenance")}
    strategy = table.pop("strategy", None)
    if not isinstance(strategy, str):
        raise BotError('strategy must be a name in quotes, as strategy = "greedy"')
    second = table.pop("second", None)
    if second is not None and not isinstance(second, dict):
        raise BotError('second must have the keys of a tempo, as second.tempo = "beginner"')
    ours = ("tempo", *RANGES)
    tempo = _tempo({key: table.pop(key) for key in ours if key in table}, Tempo(), folder)
    for key, value in table.items():
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise BotError(f"{key} must be a number, not {value!r}")
    return Description(name, strategy, folder, table, tempo, None if second is None else _tempo(second, tempo, folder))


def _tempo(values: Mapping[str, Any], usual: Tempo, folder: str) -> Tempo:
    named = values.get("tempo")
    if named is not None:
        if not isinstance(named, str):
            raise TempoError(f"tempo must be a name or a TOML file in quotes, not {named!r}")
        usual = read_tempo(os.path.join(folder, named) if named.endswith(".toml") else named)
    return usual.replace(**{key: value for key, value in values.items() if key != "tempo"})


def read_tempo(name_or_path: str) -> Tempo:
    """The named tempo, or the one in a TOML file as ``nertsim tempos NAME`` prints it."""
    if not name_or_path.endswith(".toml"):
        return load_tempo(name_or_path)
    values = _read_toml(name_or_path, "tempo", TempoError)
    try:
        return Tempo().replace(**values)
    except TempoError as error:
        raise TempoError(f"{name_or_path}: {error}") from None


def _read_toml(path: str, what: str, kind: type[NertsimError]) -> dict[str, Any]:
    try:
        return tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise kind(f"cannot read the {what} in {path}: {reason(error)}") from None
    except tomllib.TOMLDecodeError as error:
        raise kind(f"{path} is not TOML: {error}") from None

"""The bots that ship with nertsim as values of parameters: tuned by `nertsim tune`, one for each kind of table.

``champions.toml`` is a roster like any other, with the provenance of each bot; `benchmarks/champions.md` tells the
commands that made it, and what came out.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

from nertsim.rules import Rules

CHAMPION = "champion"
TWO_SEATS = "champion-2"
NNA = "champion-nna"
CHAMPIONS = (CHAMPION, TWO_SEATS, NNA)
ROSTER = str(files("nertsim.bots") / "champions.toml")


@cache
def champions() -> dict[str, dict[str, Any]]:
    """The shipped bots as they stand in the roster, by name."""
    from nertsim.bots.roster import read_tables

    return read_tables(ROSTER)


def champion_for(rules: Rules) -> str:
    """The name of the shipped bot for a table like this one."""
    if rules.seats == 2:
        return TWO_SEATS
    return NNA if rules.call_bonus >= 5 else CHAMPION

"""The bot that ships with nertsim as values of parameters, tuned by `nertsim tune`.

``champions.toml`` is a roster like any other, with the provenance of each bot; `benchmarks/champions.md` tells the
commands that made it, and what came out. There is one champion for all tables: those that were tuned for two seats and
for the rules of the NNA did not differ from it.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

CHAMPION = "champion"
CHAMPIONS = (CHAMPION,)
ROSTER = str(files("nertsim.bots") / "champions.toml")


@cache
def champions() -> dict[str, dict[str, Any]]:
    """The shipped bots as they stand in the roster, by name."""
    from nertsim.bots.roster import read_tables

    return read_tables(ROSTER)

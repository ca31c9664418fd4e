"""How each preset plays: how deals end, scores, how long a deal takes; then two seats, and how often they get stuck.

    python benchmarks/presets.py --deals 100k

All seats are `greedy` of average tempo (or `--bot`). The figures beside those of two seats are of another simulator of
the game (the model, section 8).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from typing import Any

from machine import write

import nertsim
from nertsim.cli.options import parse_count
from nertsim.presets import PRESETS
from nertsim.rules import Rules

Row = dict[str, Any]

TWO_SEATS: Mapping[str, dict[str, Any]] = {
    "draw 3, rotation one": {},
    "draw 3, rotation none": {"rotation": "none"},
    "draw 3, rotation shuffle": {"rotation": "shuffle"},
    "draw 2, rotation one": {"draw": 2},
    "draw 1, rotation one": {"draw": 1},
    "draw 1, rotation none": {"draw": 1, "rotation": "none"},
    "five piles, rotation one": {"work_piles": 5},
    "five piles, rotation none": {"work_piles": 5, "rotation": "none"},
}
ELSEWHERE = {"draw 3, rotation none": 0.68, "draw 3, rotation one": 0.96}
"""Share of deals that end by a call, in the model's table."""


def play(name: str, rules: Rules, options: argparse.Namespace) -> Row:
    """The figures of one set of rules."""
    run = nertsim.simulate(
        options.bot, rules=rules, deals=options.deals, seed=options.seed, threads=options.threads, keep="summary"
    )
    summary = run.summary
    return {
        "rules": name,
        "seats": rules.seats,
        **summary["ended"],
        "mean_score": sum(seat["mean_score"] for seat in summary["seats"]) / rules.seats,
        "foundation": sum(seat["foundation"] for seat in summary["seats"]) / rules.seats,
        "nerts_left": sum(seat["nerts_left"] for seat in summary["seats"]) / rules.seats,
        "seconds_a_deal": summary["mean_deal_seconds"],
        "deals_per_second": summary["deals_per_second"],
    }


def lines(rows: list[Row]) -> Iterator[str]:
    """A table to read."""
    yield f"{'rules':<26}seats  called  stuck  limit   score  cards  nerts  s/deal  deals/s"
    for row in rows:
        ended = f"{row['called']:>7.2%}{row['stuck']:>7.2%}{row['time_limit']:>7.2%}"
        means = f"{row['mean_score']:>8.2f}{row['foundation']:>7.2f}{row['nerts_left']:>7.2f}"
        times = f"{row['seconds_a_deal']:>8.1f}{row['deals_per_second']:>9.0f}"
        elsewhere = f"   called elsewhere: {ELSEWHERE[row['rules']]:.0%}" if row["rules"] in ELSEWHERE else ""
        yield f"{row['rules']:<26}{row['seats']:>5} {ended}{means}{times}{elsewhere}"


def main() -> None:
    """Plays them all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=parse_count, default=100_000)
    parser.add_argument("--bot", default="greedy")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=None)
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    presets = [play(name, preset.rules, options) for name, preset in PRESETS.items()]
    print("\n".join(lines(presets)), end="\n\n")
    pairs = [play(name, Rules(seats=2, **changes), options) for name, changes in TWO_SEATS.items()]
    print("\n".join(lines(pairs)))
    write(options.json, {"presets": presets, "two_seats": pairs, "deals": options.deals, "bot": options.bot})


if __name__ == "__main__":
    main()

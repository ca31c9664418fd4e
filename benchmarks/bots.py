"""The built-in bots: how strong each is, one seat against three of another, and how fast.

    python benchmarks/bots.py --yardstick PATH/TO/yardstick

The speeds are those of tables where all seats have the same bot, on one pinned core, in turn with the yardstick where
one is given (see `against_yardstick.py`). A bot that plays otherwise than greedy has deals of another length, so that
nanoseconds an action say more than deals a second.
"""

from __future__ import annotations

import argparse
import itertools
import math
import os
import statistics
from typing import Any

from against_yardstick import run_nertsim, run_yardstick
from machine import write

import nertsim
from nertsim.bots.builtin_names import BUILTIN

SEATS = 4
NORMAL_95 = 1.96


def strength(bot: str, other: str, deals: int, seed: int) -> dict[str, Any]:
    """One seat of `bot` against three of `other`: its win rate, and by how many points it is ahead of them on average.

    Every seat in turn is the bot's, on the same decks.
    """
    ahead, won = [], []
    for seat in range(SEATS):
        bots = [bot if one == seat else other for one in range(SEATS)]
        seats = nertsim.simulate(bots, deals=deals // SEATS, seed=seed, keep="seats").seats
        scores = seats["score"].to_numpy().reshape(-1, SEATS)
        ahead.append(scores[:, seat] - (scores.sum(axis=1) - scores[:, seat]) / (SEATS - 1))
        won.append(seats["won"].to_numpy().reshape(-1, SEATS)[:, seat])
    # A block is the same decks with the bot at each seat in turn.
    blocks, wins = (sum(values) / SEATS for values in (ahead, won))
    return {
        "bot": bot,
        "against": other,
        "deals": len(blocks) * SEATS,
        "win_rate": float(wins.mean()),
        "win_rate_half_width": NORMAL_95 * float(wins.std(ddof=1)) / math.sqrt(len(wins)),
        "points_ahead": float(blocks.mean()),
        "points_ahead_half_width": NORMAL_95 * float(blocks.std(ddof=1)) / math.sqrt(len(blocks)),
    }


def strengths(deals: int, seed: int) -> list[dict[str, Any]]:
    """All pairs of built-in bots, both ways."""
    records = []
    for bot, other in itertools.permutations(BUILTIN, 2):
        one = strength(bot, other, deals, seed)
        records.append(one)
        print(
            f"{bot:>9} against three {other:<9} wins {100 * one['win_rate']:5.1f} ± "
            f"{100 * one['win_rate_half_width']:.1f} %, {one['points_ahead']:+6.2f} ± "
            f"{one['points_ahead_half_width']:.2f} points ahead ({one['deals']:,} deals)"
        )
    return records


def speeds(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Medians of deals/s of each bot on one core, and of its ratio to the yardstick, in turn."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})
    rounds: dict[str, list[dict[str, Any]]] = {bot: [] for bot in BUILTIN}
    ratios: dict[str, list[float]] = {bot: [] for bot in BUILTIN}
    for number in range(options.rounds):
        for bot in BUILTIN:
            one = run_nertsim(bot, options.speed_deals, SEATS, options.seed + number)
            rounds[bot].append(one)
            if options.yardstick:
                other = run_yardstick(options.yardstick, options.speed_deals, SEATS, options.seed + number)
                ratios[bot].append(one["deals_per_second"] / other["deals_per_second"])
    os.sched_setaffinity(0, cores)
    records = []
    for bot, ours in rounds.items():
        speed = statistics.median(one["deals_per_second"] for one in ours)
        actions = ours[0]["actions_per_deal"]
        ratio = statistics.median(ratios[bot]) if ratios[bot] else math.nan
        records.append({"bot": bot, "deals_per_second": speed, "actions_per_deal": actions, "ratio": ratio})
        print(
            f"{bot:>9}: {speed:9,.0f} deals/s, {actions:5.0f} actions a deal, {1e9 / speed / actions:5.1f} ns an action"
            f"{f', {ratio:.3f} of the yardstick' if ratios[bot] else ''}"
        )
    return records


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--yardstick", help="a compiled program as in against_yardstick.py")
    parser.add_argument("--deals", type=int, default=40_000, help="of each pair")
    parser.add_argument("--speed-deals", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", help="write the figures to this file")
    options = parser.parse_args()
    fast = speeds(options)
    strong = strengths(options.deals, options.seed)
    write(options.json, {"speeds": fast, "strengths": strong})


if __name__ == "__main__":
    main()

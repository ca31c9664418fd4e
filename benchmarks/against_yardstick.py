"""Deals a second against a compiled yardstick, in turn on one pinned core; then the gain from more threads.

    python benchmarks/against_yardstick.py PATH/TO/yardstick --bot greedy --seats 4

The yardstick is run as ``yardstick DEALS SEATS SEED`` and prints one line, of its best of three. nertsim gets its best
of three as well, of `simulate` from start to end. First the two must play the same kind of game: mean score and actions
a deal have to be alike.
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import subprocess
import sys
from typing import Any

from machine import about, write

import nertsim

BEST_OF = 3
SCORE_APART = 1.5
"""Points by which the mean scores may differ."""
ACTIONS_APART = 0.15
"""Share by which the numbers of actions a deal may differ."""


def run_yardstick(path: str, deals: int, seats: int, seed: int) -> dict[str, float]:
    """Its line: deals_per_second, actions_per_deal, mean_score."""
    done = subprocess.run([path, str(deals), str(seats), str(seed)], capture_output=True, text=True, check=True)
    found = {}
    for name, pattern in (
        ("deals_per_second", r"([\d.]+) deals/s"),
        ("actions_per_deal", r"actions/deal ([\d.]+)"),
        ("mean_score", r"score (-?[\d.]+)"),
    ):
        match = re.search(pattern, done.stdout)
        if match is None:
            sys.exit(f"{path} printed no {name}: {done.stdout.strip() or done.stderr.strip()!r}")
        found[name] = float(match[1])
    return found


def run_nertsim(
    bot: str, deals: int, seats: int, seed: int, threads: int = 1, best_of: int = BEST_OF
) -> dict[str, Any]:
    """The same figures of nertsim."""
    runs = [
        nertsim.simulate(bot, seats=seats, deals=deals, seed=seed, threads=threads, keep="summary")
        for _ in range(best_of)
    ]
    summary = runs[0].summary
    return {
        "deals_per_second": max(run.summary["deals_per_second"] for run in runs),
        "actions_per_deal": summary["actions_per_deal"],
        "mean_score": statistics.mean(seat["mean_score"] for seat in summary["seats"]),
    }


def check_parity(ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    """Ends the program where the two do not play the same kind of game."""
    for name, one in (("yardstick", theirs), ("nertsim", ours)):
        print(f"{name:<10} mean score {one['mean_score']:6.2f}, {one['actions_per_deal']:6.1f} actions a deal")
    apart = abs(ours["actions_per_deal"] / theirs["actions_per_deal"] - 1)
    if abs(ours["mean_score"] - theirs["mean_score"]) > SCORE_APART or apart > ACTIONS_APART:
        sys.exit("these are different games: their speeds cannot be compared")


def compare(options: argparse.Namespace) -> dict[str, Any]:
    """Rounds in turn on one core: medians of deals/s, and their ratio."""
    cores = os.sched_getaffinity(0)
    core = max(cores) if options.core is None else options.core
    os.sched_setaffinity(0, {core})  # the yardstick inherits it
    try:
        ours, theirs = [], []
        for number in range(options.rounds):
            theirs.append(run_yardstick(options.yardstick, options.deals, options.seats, options.seed + number))
            ours.append(run_nertsim(options.bot, options.deals, options.seats, options.seed + number))
            if number == 0:
                check_parity(ours[0], theirs[0])
            ratio = ours[-1]["deals_per_second"] / theirs[-1]["deals_per_second"]
            print(
                f"round {number + 1}: yardstick {theirs[-1]['deals_per_second']:9,.0f}, "
                f"nertsim {ours[-1]['deals_per_second']:9,.0f} deals/s, ratio {ratio:.3f}"
            )
    finally:
        os.sched_setaffinity(0, cores)
    pairs = [(one["deals_per_second"], other["deals_per_second"]) for one, other in zip(ours, theirs, strict=True)]
    speed, speed_of_yardstick = (statistics.median(values) for values in zip(*pairs, strict=True))
    result = {
        "core": core,
        "nertsim_deals_per_second": speed,
        "yardstick_deals_per_second": speed_of_yardstick,
        "ratio": statistics.median(one / other for one, other in pairs),
        "ns_per_action": 1e9 / speed / ours[0]["actions_per_deal"],
        "rounds": {"nertsim": ours, "yardstick": theirs},
    }
    print(
        f"medians: yardstick {speed_of_yardstick:,.0f}, nertsim {speed:,.0f} deals/s "
        f"({result['ns_per_action']:.1f} ns an action), ratio {result['ratio']:.3f}"
    )
    return result


def scaling(options: argparse.Namespace) -> dict[str, Any]:
    """Medians of deals/s by number of threads, measured in turn, and how many times one thread each is."""
    numbers = [threads for threads in (1, 2, 4, 8, 16, 32) if threads <= len(os.sched_getaffinity(0))]
    speeds: dict[int, list[float]] = {threads: [] for threads in numbers}
    for number in range(options.rounds):
        for threads in numbers:
            deals = options.deals * threads
            one = run_nertsim(options.bot, deals, options.seats, options.seed + number, threads, best_of=1)
            speeds[threads].append(one["deals_per_second"])
    medians = {threads: statistics.median(values) for threads, values in speeds.items()}
    for threads, speed in medians.items():
        print(f"{threads} threads: {speed:,.0f} deals/s, {speed / medians[1]:.2f} times one thread")
    return {
        "deals_per_second": medians,
        "times_one_thread": {threads: speed / medians[1] for threads, speed in medians.items()},
    }


def main() -> None:
    """Reads the options, measures, prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("yardstick", help="path of the program to compare with")
    parser.add_argument("--bot", default="greedy")
    parser.add_argument("--seats", type=int, default=4, choices=(2, 3, 4, 6, 8))
    parser.add_argument("--deals", type=int, default=100_000, help="a run")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--core", type=int, help="core to pin both to [default: the last]")
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    print(f"{options.bot}, {options.seats} seats, {options.deals:,} deals a run, load {about()['load']}")
    run_nertsim(options.bot, 1000, options.seats, options.seed)  # compiles
    against = compare(options)
    threads = scaling(options)
    asked = {name: getattr(options, name) for name in ("bot", "seats", "deals", "rounds", "seed")}
    write(options.json, {**asked, "one_core": against, "threads": threads})


if __name__ == "__main__":
    main()

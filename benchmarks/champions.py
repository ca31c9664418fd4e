"""How the shipped champions do: one seat against seats of each built-in bot, at equal tempo, for 2, 4 and 6 seats.

    python benchmarks/champions.py [DEALS]

What comes out stands in benchmarks/champions.md, beside the commands that made the champions.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import nertsim

RIVALS = ("random", "hasty", "greedy", "careful", "weighted")
TABLES = (("champion-2", 2, None), ("champion", 4, None), ("champion", 6, None), ("champion-nna", 4, "nna"))
SEED = 20261201


def rows(deals: int) -> Iterator[tuple[str, ...]]:
    """A row a table and rival: champion, seats, rules, rival, and what came out."""
    for champion, seats, rules in TABLES:
        for rival in (*RIVALS, "champion") if champion != "champion" else RIVALS:
            bots = [champion, *[rival] * (seats - 1)]
            run = nertsim.simulate(bots, rules=rules, seats=seats, deals=deals, seed=SEED, keep="summary")
            own, other = run.by_bot.loc[champion], run.by_bot.loc[rival]
            half = 50 * (own["win_rate_ci_high"] - own["win_rate_ci_low"])
            # A bot's row is the mean over its seats.
            ahead = own["mean_score"] - other["mean_score"]
            yield (
                champion,
                str(seats),
                rules or "standard",
                rival,
                f"{100 / seats:.1f}",
                f"{100 * own['win_rate']:.1f} ± {half:.1f}",
                f"{ahead:+.2f}",
            )


def main() -> None:
    """Prints a table in Markdown."""
    deals = int(float(sys.argv[1])) if len(sys.argv) > 1 else 100_000
    print(f"{deals:,} deals a row, seed {SEED}.\n")
    print("| champion | seats | rules | against | even, % | wins, % | points ahead |")
    print("|---|---|---|---|---|---|---|")
    for row in rows(deals):
        print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()

"""How the shipped champion does: one seat against seats of each built-in bot, at equal tempo, for 2, 4 and 6 seats.

    python benchmarks/champions.py [DEALS]

What comes out stands in benchmarks/champions.md, beside the command that made the champion.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import nertsim

RIVALS = ("random", "hasty", "greedy", "careful", "weighted")
TABLES = ((2, None), (4, None), (6, None), (4, "nna"))
CHAMPION = "champion"
SEED = 20261201


def rows(deals: int) -> Iterator[tuple[str, ...]]:
    """A row a table and rival: seats, rules, rival, an even share, wins, points ahead."""
    for seats, rules in TABLES:
        for rival in RIVALS:
            run = nertsim.simulate(
                [CHAMPION, *[rival] * (seats - 1)], rules=rules, seats=seats, deals=deals, seed=SEED, keep="summary"
            )
            own, other = run.by_bot.loc[CHAMPION], run.by_bot.loc[rival]
            half = 50 * (own["win_rate_ci_high"] - own["win_rate_ci_low"])
            # A bot's row is the mean over its seats.
            ahead = own["mean_score"] - other["mean_score"]
            won = f"{100 * own['win_rate']:.1f} ± {half:.1f}"
            yield str(seats), rules or "standard", rival, f"{100 / seats:.1f}", won, f"{ahead:+.2f}"


def main() -> None:
    """Prints a table in Markdown."""
    deals = int(float(sys.argv[1])) if len(sys.argv) > 1 else 100_000
    print(f"{deals:,} deals a row, seed {SEED}.\n")
    print("| seats | rules | against | even, % | wins, % | points ahead |")
    print("|---|---|---|---|---|---|")
    for row in rows(deals):
        print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()

"""``nertsim replay``: a deal again, as text to read or as a trace."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

import click

from nertsim.cli.options import DEALS, SCORES, debug_option, read_bots, read_rules, seed_option, table_options
from nertsim.cli.output import note
from nertsim.errors import UsageError


@click.command("replay", short_help="One deal again: as a text, or as a trace.")
@table_options
@seed_option
@click.option(
    "--deal", "deals", type=DEALS, default="0", show_default=True, metavar="K|A:B", help="One deal, or A to B−1."
)
@click.option(
    "--jsonl", metavar="FILE", help="Write the trace, JSON Lines, to this file ('-': stdout) instead of a text."
)
@click.option(
    "--scores", type=SCORES, metavar="N,N,…", help="In a match: points of each seat at the start, 55,80,12,40."
)
@debug_option
def command(
    bots: tuple[str, ...],
    seats: int | None,
    hands: Any,
    rules_name: str | None,
    settings: tuple[str, ...],
    seed: int | None,
    deals: tuple[int, int],
    jsonl: str | None,
    scores: tuple[int, ...] | None,
) -> None:
    """Play a deal of a batch again, alone: as a text to read, or as a trace.

    A deal of a match depends on the points at its start, since bots may look at them: give them with --scores.

    \b
    Examples:
      nertsim replay --bot greedy --seed 1 --deal 42
      nertsim replay --bot greedy --seed 1 --deal 0:200 --jsonl trace.jsonl
    """
    from nertsim.bots.spec import seat_bots
    from nertsim.simulate import announcing, draw_seed

    rules = read_rules(rules_name, settings, seats, hands)
    seated = seat_bots(read_bots(bots), rules.seats, rules.hands_list)
    if scores is not None:
        from nertsim.replay import check_scores

        check_scores(scores, rules.seats)
    with _target(jsonl) as file:
        if seed is None:
            seed = draw_seed()
            note(f"seed {seed} (drawn)")
        from nertsim.replay import replay

        for deal in range(*deals):
            with announcing(note):
                one = replay(seated, rules, seed, deal, scores=scores)
            if jsonl is None:
                file.write(one.text().rstrip("\n") + "\n" + ("\n" if deal + 1 < deals[1] else ""))
            else:
                file.writelines(line.rstrip("\n") + "\n" for line in one.lines())


@contextmanager
def _target(jsonl: str | None) -> Iterator[IO[str]]:
    if jsonl is None or jsonl == "-":
        yield sys.stdout
        return
    try:
        file = open(jsonl, "w", encoding="utf-8")  # noqa: SIM115 (only a failure to open is wrong use)
    except OSError as error:
        raise UsageError(f"cannot write '{jsonl}': {error.strerror}") from None
    with file:
        yield file

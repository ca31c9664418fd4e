"""``nertsim replay``: a deal again, as text to read, as a trace, or as a page to watch."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any

import click

from nertsim.cli.options import DEALS, SCORES, SEATS, debug_option, read_bots, read_rules, seed_option, table_options
from nertsim.cli.output import note
from nertsim.errors import UsageError

if TYPE_CHECKING:
    from nertsim.bots.strategy import Bot
    from nertsim.rules import Rules


@click.command("replay", short_help="One deal again: as a text, a trace, or a page to watch.")
@table_options
@seed_option
@click.option(
    "--deal", "deals", type=DEALS, default="0", show_default=True, metavar="K|A:B", help="One deal, or A to B−1."
)
@click.option(
    "--jsonl", metavar="FILE", help="Write the trace, JSON Lines, to this file ('-': stdout) instead of a text."
)
@click.option("--html", metavar="FILE", help="Write a page to watch one deal, HTML, to this file ('-': stdout).")
@click.option(
    "--versus",
    metavar="SPEC",
    help="In the page, beside it: the same deal with this bot in the seat of --follow, else in seat 0.",
)
@click.option("--follow", type=SEATS, metavar="SEAT", help="In the page: the seat that is followed at first.")
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
    html: str | None,
    versus: str | None,
    follow: int | None,
    scores: tuple[int, ...] | None,
) -> None:
    """Play a deal of a batch again, alone: as a text to read, as a trace, or as a page to watch.

    The page is one file that any browser opens, without a network: cards that fly, races, the clock and the scores.
    With --versus it has the same deal twice, side by side, and says where the two bots part.

    A deal of a match depends on the points at its start, since bots may look at them: give them with --scores.

    \b
    Examples:
      nertsim replay --bot greedy --seed 1 --deal 42
      nertsim replay --bot greedy --seed 1 --deal 0:200 --jsonl trace.jsonl
      nertsim replay --bot greedy --seed 1 --deal 42 --html deal.html
      nertsim replay --seed 1 --deal 42 --versus careful --html two.html
    """
    from nertsim.bots.spec import seat_bots
    from nertsim.simulate import announcing, draw_seed

    _check_page(jsonl, html, versus, follow, deals)
    rules = read_rules(rules_name, settings, seats, hands)
    seated = seat_bots(read_bots(bots), rules.seats, rules.hands_list)
    if follow is not None and follow not in range(rules.seats):
        raise UsageError(f"--follow {follow}: there is no such seat; seats are 0 to {rules.seats - 1}")
    other = None if versus is None else _with_bot(seated, versus, follow or 0, rules)
    if scores is not None:
        from nertsim.replay import check_scores

        check_scores(scores, rules.seats)
    with _target("-" if html is not None else jsonl) as file:
        if seed is None:
            seed = draw_seed()
            note(f"seed {seed} (drawn)")
        from nertsim.replay import replay

        for deal in range(*deals):
            with announcing(note):
                one = replay(seated, rules, seed, deal, scores=scores)
                two = None if other is None else replay(other, rules, seed, deal, scores=scores)
            if html == "-":
                file.write(one.html(two, follow))
            elif html is not None:
                one.write_html(html, two, follow)
            elif jsonl is None:
                file.write(one.text().rstrip("\n") + "\n" + ("\n" if deal + 1 < deals[1] else ""))
            else:
                file.writelines(line.rstrip("\n") + "\n" for line in one.lines())


def _check_page(
    jsonl: str | None, html: str | None, versus: str | None, follow: int | None, deals: tuple[int, int]
) -> None:
    """UsageError where the options of the page do not go together."""
    if html is None:
        for name, value in (("--versus", versus), ("--follow", follow)):
            if value is not None:
                raise UsageError(f"{name} is for a page: give --html FILE, too")
    elif jsonl is not None:
        raise UsageError("--html and --jsonl are given: one or the other")
    elif deals[1] - deals[0] > 1:
        raise UsageError(f"--html shows one deal, not {deals[1] - deals[0]}: give its number, as --deal {deals[0]}")


def _with_bot(seated: tuple[Bot, ...], spec: str, seat: int, rules: Rules) -> tuple[Bot, ...]:
    """The bots with another one in a seat."""
    from nertsim.bots.spec import parse_bot, seat_bots

    others = [parse_bot(spec) if number == seat else bot for number, bot in enumerate(seated)]
    return seat_bots(others, rules.seats, rules.hands_list)


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

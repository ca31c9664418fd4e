"""One deal again: its trace (section 7 of the model), a text to read, and a page to watch."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from nertsim.bots.builtin_names import DEFAULT_BOT
from nertsim.bots.strategy import Bot
from nertsim.errors import UsageError
from nertsim.rules import Rules
from nertsim.simulate import make_plan, whole_number

if TYPE_CHECKING:
    from nertsim.dealer import Dealer

MOST_POINTS = 10**9

_encode = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode


@dataclasses.dataclass(frozen=True)
class Replay:
    """One deal as it was played."""

    records: list[dict[str, Any]] = dataclasses.field(repr=False)
    """The lines of the trace as dicts: the header, one an action, the score."""
    scores: tuple[int, ...] | None = None
    """The points of each seat at the start of the deal, where they were given. The trace has no place for them."""

    def lines(self) -> list[str]:
        """The trace: JSON Lines without line ends."""
        return [_encode(record) for record in self.records]

    def text(self) -> str:
        """The deal to read, from the layout to the score, 80 columns wide. Waits are left out."""
        from nertsim.replay.text import deal_text

        return deal_text(self.records, self.scores)

    def html(self, versus: Replay | None = None, follow: int | None = None) -> str:
        """The deal to watch: a page with everything in it, which any browser opens without a network.

        With `versus`, a replay of the same deal by other bots, both side by side, and the moment where they part;
        `follow` is the seat that is followed at first. Raises `UsageError` for a replay of another deal, and for a
        seat that does not exist.
        """
        from nertsim.replay.page import deal_page

        return deal_page(self.records, self.scores, None if versus is None else versus.records, follow)

    def write_html(self, path: str | os.PathLike[str], versus: Replay | None = None, follow: int | None = None) -> None:
        """Writes `html` to a file, as a whole or not at all; raises `UsageError` where that does not work, too."""
        from nertsim.replay.page import write_page

        write_page(path, self.html(versus, follow))

    @cached_property
    def score(self) -> dict[str, Any]:
        """How and when the deal ended, the caller, and a dict a seat: the last line of the trace without its type."""
        return {name: value for name, value in self.records[-1].items() if name != "type"}


def replay(
    bots: str | Bot | Sequence[str | Bot] = DEFAULT_BOT,
    rules: Rules | str | None = None,
    seed: int | None = None,
    deal: int = 0,
    *,
    seats: int | None = None,
    scores: Sequence[int] | None = None,
) -> Replay:
    """Plays deal `deal` of the batch with these bots, rules and seed again, alone.

    Bots, rules and seats are given as to `simulate`; without a seed one is drawn. `scores` are the points of each seat
    at the start of the deal, where it belongs to a match: bots know them (`MatchRun.deals` tells them, and the nerts
    pile sizes, which are a rule). Raises `UsageError` for what cannot be accepted, `BotFault` when a bot breaks the
    protocol.
    """
    plan = make_plan(bots, rules, seats, 1, seed, deal, "summary")
    if scores is not None:
        scores = check_scores(scores, plan.rules.seats)
    rows, chunk = _dealer_for(plan.rules, plan.bots, plan.seed).log(plan.first, scores)

    from nertsim.replay.trace import trace_records

    return Replay(trace_records(plan.rules, plan.labels, plan.seed, plan.first, rows.tolist(), chunk), scores)


def check_scores(scores: Sequence[int], seats: int) -> tuple[int, ...]:
    """The points of each seat as ints; UsageError where there are more or fewer, or they are no whole numbers."""
    if len(scores) != seats:
        raise UsageError(f"{len(scores)} scores for {seats} seats; give the points of each seat")
    return tuple(whole_number("scores", score, -MOST_POINTS, MOST_POINTS) for score in scores)


_last: tuple[Any, Dealer] | None = None


def _dealer_for(rules: Rules, bots: tuple[Bot, ...], seed: int) -> Dealer:
    """The dealer of the replay before, where it plays the same: a range of deals makes it ready once."""
    global _last
    key = rules, seed, [(bot.strategy.decide, bot.strategy, bot.vector(), bot.tempo, bot.second) for bot in bots]
    last = _last
    if last is None or last[0] != key:
        from nertsim.dealer import Dealer

        last = _last = key, Dealer(rules, bots, seed)
    return last[1]

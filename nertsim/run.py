"""A batch of deals: what was asked for, and what came of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nertsim.bots.strategy import Bot
from nertsim.errors import UsageError
from nertsim.rules import Rules
from nertsim.summary import summarize
from nertsim.tables import DEAL_COLUMNS, SEAT_COLUMNS, Rows, deals_frame, join, seats_frame, summary_frame
from nertsim.totals import Totals, sides_of

if TYPE_CHECKING:
    from nertsim.tables import DataFrame

KEEP = ("seats", "deals", "summary")
"""What can be kept: rows a seat (and a deal), rows a deal alone, the summary alone."""

SEATS, DEALS = "seats", "deals"
"""The two kinds of rows."""


@dataclasses.dataclass(frozen=True)
class Plan:
    """What decides every number of a batch (rules, bots, seed, first deal, deals), and what is kept of it."""

    rules: Rules
    bots: tuple[Bot, ...]
    """One a seat."""
    seed: int
    deals: int
    first_deal: int = 0
    keep: str = "summary"

    @property
    def labels(self) -> tuple[str, ...]:
        """The label of the bot at each seat."""
        return tuple(bot.label for bot in self.bots)

    @property
    def bot_names(self) -> list[str]:
        """The labels, each once, in the order of their first seat."""
        return list(sides_of(self.labels))

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of rows that are kept."""
        return {"seats": (SEATS, DEALS), "deals": (DEALS,), "summary": ()}[self.keep]

    @property
    def last_deal(self) -> int:
        """The deal after the last."""
        return self.first_deal + self.deals


@dataclasses.dataclass(frozen=True)
class Run:
    """A batch that was played, in memory or in a folder (`path`).

    `totals` are its exact sums; `summary`, `by_seat` and `by_bot` what they say; `seats` and `deals` its rows as
    DataFrames, where they were kept. `seconds` is the time spent playing, without compiling.
    """

    plan: Plan
    totals: Totals
    seconds: float
    read_rows: Callable[[str], Iterator[Rows]] = dataclasses.field(repr=False)
    """The rows of a kind ("seats" or "deals"), part by part."""
    path: Path | None = None

    @property
    def rules(self) -> Rules:
        """The rules that were played by."""
        return self.plan.rules

    @property
    def bots(self) -> tuple[Bot, ...]:
        """The bot at each seat."""
        return self.plan.bots

    @property
    def seed(self) -> int:
        """The seed; with the same plan it gives the same rows."""
        return self.plan.seed

    @cached_property
    def summary(self) -> dict[str, Any]:
        """What `nertsim simulate --format json` prints, as a dict; intervals as [low, high], nan where unknown."""
        summary = summarize(self.totals, self.plan.labels)
        return {
            "deals": summary.pop("deals"),
            "seed": self.seed,
            "first_deal": self.plan.first_deal,
            "seconds": self.seconds,
            "deals_per_second": self.totals.deals / self.seconds if self.seconds > 0 else float("nan"),
            **summary,
        }

    @property
    def by_seat(self) -> DataFrame:
        """The summary, one row a seat."""
        return summary_frame(self.summary["seats"], "seat")

    @property
    def by_bot(self) -> DataFrame:
        """The summary, one row a bot; a bot at several seats is one sample a deal, so its interval is right."""
        return summary_frame(self.summary["bots"], "bot")

    @cached_property
    def seats(self) -> DataFrame:
        """One row a seat of a deal (`nertsim.tables.SEAT_COLUMNS`); UsageError where these were not kept."""
        count = self.totals.deals * self.rules.seats
        return seats_frame(join(self._rows(SEATS), count, SEAT_COLUMNS), self.plan.bot_names)

    @cached_property
    def deals(self) -> DataFrame:
        """One row a deal (`nertsim.tables.DEAL_COLUMNS`); UsageError where these were not kept."""
        return deals_frame(join(self._rows(DEALS), self.totals.deals, DEAL_COLUMNS))

    def _rows(self, kind: str) -> Iterator[Rows]:
        if kind not in self.plan.kinds:
            raise UsageError(f"the rows a {kind[:-1]} of this run were not kept; play it again with keep='{kind}'")
        return self.read_rows(kind)

    def __repr__(self) -> str:
        bots = ", ".join(self.plan.bot_names)
        return f"<Run of {self.totals.deals:,} deals, {self.rules.seats} seats ({bots}), seed {self.seed}>"

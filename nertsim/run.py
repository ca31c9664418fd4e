"""A batch of deals: what was asked for, and what came of it."""

from __future__ import annotations

import abc
import dataclasses
import math
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any, TypeVar

from nertsim.bots.strategy import Bot
from nertsim.errors import UsageError
from nertsim.executors import Span
from nertsim.plans import BatchPlan, Piece
from nertsim.rules import Rules
from nertsim.stopping import Until, widest
from nertsim.store import read_parts
from nertsim.summary import summarize
from nertsim.tables import (
    DEAL_COLUMNS,
    SEAT_COLUMNS,
    Column,
    Rows,
    chosen,
    deal_rows,
    deals_frame,
    join,
    seat_rows,
    seats_frame,
    summary_frame,
)
from nertsim.totals import Totals

if TYPE_CHECKING:
    from nertsim.dealer import Dealer
    from nertsim.tables import DataFrame

SEATS, DEALS = "seats", "deals"
"""The two kinds of rows."""
COLUMNS: dict[str, tuple[Column, ...]] = {SEATS: SEAT_COLUMNS, DEALS: DEAL_COLUMNS}
KEEP: dict[str, tuple[str, ...]] = {"seats": (SEATS, DEALS), "deals": (DEALS,), "summary": ()}
"""What can be kept: rows a seat (and a deal), rows a deal alone, the summary alone."""
PART_ROWS = 1_000_000
"""Rows a seat in a part of a run folder; no chunk crosses the end of a part."""


@dataclasses.dataclass(frozen=True)
class Plan(BatchPlan):
    """What decides every number of a batch of deals, and what is kept of it."""

    KIND = "simulate"
    UNIT = "deals"

    until: Until | None = None

    @property
    def tables(self) -> dict[str, tuple[Column, ...]]:
        return {kind: COLUMNS[kind] for kind in KEEP[self.keep]}

    @property
    def part_units(self) -> int:
        return max(1, PART_ROWS // self.rules.seats)

    def empty(self) -> Totals:
        return Totals.empty(self.rules.seats, len(self.sides))

    def totals_from(self, values: dict[str, Any]) -> Totals:
        return Totals.from_dict(values)

    def played(self, totals: Totals) -> int:
        return totals.deals

    def next_look(self, done: int) -> int | None:
        if self.until is None or not self.until.stops:
            return None
        return (done // self.until.look + 1) * self.until.look

    def expected(self, totals: Totals) -> int:
        if self.until is None:
            return self.count
        half = widest(summarize(totals, self.labels, self.until), self.until.figure)
        expected = self.until.expected(totals.deals, half)
        if half <= self.until.error:
            return totals.deals
        return min(self.count, max(totals.deals + 1, math.ceil(expected)))

    @property
    def expected_beforehand(self) -> int:
        if self.until is None or not self.until.stops:
            return self.count
        return min(self.count, math.ceil(self.until.best_at))

    def to_dict(self) -> dict[str, Any]:
        return super().to_dict() | {"until": None if self.until is None else self.until.to_dict()}

    def without_stopping(self) -> dict[str, Any]:
        # It has stopped, and deals are added to it: the intervals stay what they are.
        return {} if self.until is None else {"until": dataclasses.replace(self.until, stops=False)}

    @classmethod
    def more_from(cls, values: Mapping[str, Any]) -> dict[str, Any]:
        return {"until": None if values["until"] is None else Until(**values["until"])}

    def player(self, dealer: Dealer, stop: Event) -> Callable[[Span], Piece]:
        names, sides, kinds = self.bot_names, self.sides, KEEP[self.keep]
        codes = [names.index(label) for label in self.labels]

        def play(span: Span) -> Piece:
            chunk = dealer.play(*span)
            rows = {kind: seat_rows(chunk, codes) if kind == SEATS else deal_rows(chunk) for kind in kinds}
            return Piece(rows, Totals.of_chunk(chunk, sides))

        return play


@dataclasses.dataclass(frozen=True)
class BatchRun(abc.ABC):
    """A batch that was played, in memory or in a folder (`path`).

    `totals` are its exact sums; `seconds` is the time spent playing, without compiling.
    """

    plan: Any
    totals: Any
    seconds: float
    read_rows: Callable[..., Iterator[Rows]] = dataclasses.field(repr=False)
    """The rows of a kind, part by part; all columns, or those whose names are given: ``read_rows("seats", names)``."""
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
        """The seed; with the same plan it gives the same numbers."""
        return self.plan.seed

    @property
    @abc.abstractmethod
    def summary(self) -> Mapping[str, Any]:
        """What the command prints with ``--format json``, as a dict; intervals as [low, high], nan where unknown."""

    @property
    def by_seat(self) -> DataFrame:
        """The summary, one row a seat."""
        return summary_frame(self.summary["seats"], "seat")

    @property
    def by_bot(self) -> DataFrame:
        """The summary, one row a bot; a bot at several seats is one sample, so its interval is right."""
        return summary_frame(self.summary["bots"], "bot")

    def _rows(self, kind: str, count: int) -> Rows:
        if kind not in self.plan.tables:
            raise UsageError(f"the rows a {_ONE[kind]} of this run were not kept; play it again with keep='{kind}'")
        return join(self.read_rows(kind), count, self.plan.tables[kind])

    def __repr__(self) -> str:
        bots, played = ", ".join(self.plan.bot_names), self.plan.played(self.totals)
        what = f"{played:,} {self.plan.UNIT}, {self.rules.seats} seats ({bots}), seed {self.seed}"
        return f"<{type(self).__name__} of {what}>"


AnyRun = TypeVar("AnyRun", bound=BatchRun)


def opened(plan_type: type[BatchPlan], run_type: type[AnyRun], folder: Path, manifest: Mapping[str, Any]) -> AnyRun:
    """The run that a folder with that manifest holds, as far as it was played; KeyError, TypeError or ValueError for a
    manifest that does not say so.
    """
    plan = plan_type.from_dict(manifest)
    totals = plan.totals_from(manifest["totals"])
    plan = dataclasses.replace(plan, count=plan.played(totals))
    parts, tables, categories = manifest["parts"], plan.tables, plan.categories
    return run_type(
        plan,
        totals,
        float(manifest["seconds"]),
        lambda kind, names=None: read_parts(folder, parts[kind], chosen(tables[kind], names), categories),
        folder,
    )


_ONE = {"seats": "seat", "deals": "deal", "matches": "match", "blocks": "block"}


class Run(BatchRun):
    """A batch of deals that was played, in memory or in a folder (`path`).

    `totals` are its exact sums; `summary`, `by_seat` and `by_bot` what they say; `seats` and `deals` its rows as
    DataFrames, where they were kept. `seconds` is the time spent playing, without compiling.
    """

    @cached_property
    def summary(self) -> dict[str, Any]:
        """What `nertsim simulate --format json` prints, as a dict; intervals as [low, high], nan where unknown."""
        until = self.plan.until
        summary = summarize(self.totals, self.plan.labels, until)
        return {
            "deals": summary.pop("deals"),
            "seed": self.seed,
            "first_deal": self.plan.first,
            "seconds": self.seconds,
            "deals_per_second": self.totals.deals / self.seconds if self.seconds > 0 else float("nan"),
            "intervals": "fixed" if until is None else "anytime",
            **({} if until is None else {"until": until.outcome(summary)}),
            **summary,
        }

    @cached_property
    def seats(self) -> DataFrame:
        """One row a seat of a deal (`nertsim.tables.SEAT_COLUMNS`); UsageError where these were not kept."""
        return seats_frame(self._rows(SEATS, self.totals.deals * self.rules.seats), self.plan.bot_names)

    @cached_property
    def deals(self) -> DataFrame:
        """One row a deal (`nertsim.tables.DEAL_COLUMNS`); UsageError where these were not kept."""
        return deals_frame(self._rows(DEALS, self.totals.deals))

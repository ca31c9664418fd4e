"""Whole matches: the request is checked, spans of matches are played on threads, and added up in order."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Sequence
from contextlib import closing
from functools import cached_property
from threading import Event
from typing import TYPE_CHECKING, Any

import numpy as np

from nertsim.bots.builtin_names import DEFAULT_BOT
from nertsim.bots.strategy import Bot
from nertsim.codes import WON_WHOLE
from nertsim.errors import RulesError, UsageError, unknown
from nertsim.executors import Span, in_order, usable_cores
from nertsim.experiments.match_play import MATCH_STRIDE, Outcomes, play_matches, rounds
from nertsim.experiments.match_summary import summarize_matches
from nertsim.experiments.match_totals import MatchTotals
from nertsim.rules import Rules
from nertsim.simulate import (
    MAX_DEALS,
    MAX_THREADS,
    ROWS_BY_DEFAULT,
    Notice,
    Progress,
    make_dealer,
    make_plan,
    whole_number,
)
from nertsim.tables import Rows, join, match_columns, matches_frame, summary_frame
from nertsim.totals import sides_of

if TYPE_CHECKING:
    from nertsim.dealer import Dealer
    from nertsim.tables import DataFrame

DEFAULT_MATCHES = 1000
MAX_MATCHES = MAX_DEALS // MATCH_STRIDE
"""So that the number of every deal is one that `replay` takes."""
MATCHES_A_CHUNK = 256
KEEP = ("matches", "summary")
"""What can be kept: a row a match, or the summary alone."""


@dataclasses.dataclass(frozen=True)
class MatchPlan:
    """What decides every number of a batch of matches (rules, bots, seed, matches), and what is kept of it."""

    rules: Rules
    bots: tuple[Bot, ...]
    """One a seat."""
    seed: int
    matches: int
    keep: str = "summary"

    @property
    def labels(self) -> tuple[str, ...]:
        """The label of the bot at each seat."""
        return tuple(bot.label for bot in self.bots)


@dataclasses.dataclass(frozen=True)
class MatchRun:
    """Matches that were played.

    `totals` are their exact sums, `summary`, `by_seat` and `by_bot` what they say; `matches` has a row a match, where
    these were kept. `seconds` is the time spent playing, without compiling.
    """

    plan: MatchPlan
    totals: MatchTotals
    seconds: float
    parts: Sequence[Rows] = dataclasses.field(repr=False)
    """The rows a match, where these were kept, in the order of matches."""

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
        """The seed; with the same plan it gives the same matches."""
        return self.plan.seed

    @cached_property
    def summary(self) -> dict[str, Any]:
        """What `nertsim match --format json` prints, as a dict; intervals as [low, high], nan where unknown."""
        rules = self.rules
        summary = summarize_matches(self.totals, self.plan.labels)
        return {
            "matches": summary.pop("matches"),
            "seed": self.seed,
            "target": rules.target if rules.match_deals is None else None,
            "match_deals": rules.match_deals,
            "seconds": self.seconds,
            "deals_per_second": self.totals.deals_played / self.seconds if self.seconds > 0 else float("nan"),
            **summary,
        }

    @property
    def by_seat(self) -> DataFrame:
        """The summary, one row a seat."""
        return summary_frame(self.summary["seats"], "seat")

    @property
    def by_bot(self) -> DataFrame:
        """The summary, one row a bot; a bot at several seats is one sample a match, so its interval is right."""
        return summary_frame(self.summary["bots"], "bot")

    @cached_property
    def matches(self) -> DataFrame:
        """One row a match (`nertsim.tables.match_columns`); UsageError where these were not kept."""
        if self.plan.keep != "matches":
            raise UsageError("the rows a match of this run were not kept; play it again with keep='matches'")
        return matches_frame(join(self.parts, self.totals.matches, match_columns(self.rules.seats)))

    def deals(self, match: int) -> DataFrame:
        """Plays match number `match` again: one row a deal, with what `nertsim.replay` needs to show it.

        Columns: deal (its number in the seed), and for each seat points_… (at the start of the deal), nerts_… (cards in
        its pile then), score_… (of the deal). UsageError where there is no such match.
        """
        match = whole_number("match", match, 0, self.plan.matches - 1)
        return _deals_frame(make_dealer(self.rules, self.bots, self.seed), match)

    def __repr__(self) -> str:
        bots = ", ".join(sides_of(self.plan.labels))
        return f"<MatchRun of {self.totals.matches:,} matches, {self.rules.seats} seats ({bots}), seed {self.seed}>"


def match(
    bots: str | Bot | Sequence[str | Bot] = DEFAULT_BOT,
    *,
    rules: Rules | str | None = None,
    seats: int | None = None,
    matches: int = DEFAULT_MATCHES,
    seed: int | None = None,
    threads: int | None = None,
    chunk: int | None = None,
    keep: str | None = None,
    progress: Progress | None = None,
    notice: Notice | None = None,
) -> MatchRun:
    """Plays `matches` whole matches between `bots`, by the rules' target, match_deals and winner_handicap.

    A match ends when a seat has `target` points and is alone at the top (a tie there is settled by another deal), or,
    where the rules give `match_deals`, after that many deals (a tie then is shared). A match that is not over after
    4096 deals ends as it stands and is counted as capped. Deal j of match m is deal ``4096 * m + j`` of the seed.

    Bots, rules, seats, seed, threads, progress and notice are as in `simulate`; `progress` is called with matches.
    `chunk` is how many matches a thread plays side by side; it and `threads` change the time it takes and nothing else.
    `keep` is "matches" (a row a match) or "summary"; default: "matches" up to ten million.

    Everything is checked before anything is compiled or played: `UsageError` (a ValueError) for what cannot be
    accepted. Raises `BotFault` for a bot that breaks the protocol.
    """
    plan = make_match_plan(bots, rules, seats, matches, seed, keep)
    threads = whole_number("threads", usable_cores() if threads is None else threads, 1, MAX_THREADS)
    if chunk is None:
        chunk = max(1, min(MATCHES_A_CHUNK, plan.matches // (2 * threads)))
    chunk = whole_number("chunk", chunk, 1, MAX_MATCHES)
    return _play(plan, make_dealer(plan.rules, plan.bots, plan.seed, notice), chunk, threads, progress)


def make_match_plan(
    bots: str | Bot | Sequence[str | Bot],
    rules: Rules | str | None,
    seats: int | None,
    matches: int,
    seed: int | None,
    keep: str | None,
) -> MatchPlan:
    """The request, checked and completed; UsageError for what cannot be accepted."""
    table = make_plan(bots, rules, seats, 1, seed, 0, "summary")
    if (table.rules.match_deals or 0) > MATCH_STRIDE:
        raise RulesError(f"match_deals must be at most {MATCH_STRIDE} to play matches, not {table.rules.match_deals}")
    matches = whole_number("matches", matches, 1, MAX_MATCHES)
    if keep is None:
        keep = "matches" if matches <= ROWS_BY_DEFAULT else "summary"
    if keep not in KEEP:
        raise UsageError(unknown("choice for keep", keep, KEEP))
    return MatchPlan(table.rules, table.bots, table.seed, matches, keep)


def _play(plan: MatchPlan, dealer: Dealer, chunk: int, threads: int, progress: Progress | None) -> MatchRun:
    sides = list(sides_of(plan.labels).values())
    stop = Event()

    def task(span: Span) -> tuple[Rows | None, MatchTotals]:
        outcomes = play_matches(dealer, *span, stop)
        return match_rows(outcomes) if plan.keep == "matches" else None, MatchTotals.of_outcomes(outcomes, sides)

    spans = ((first, min(first + chunk, plan.matches)) for first in range(0, plan.matches, chunk))
    totals, parts = MatchTotals.empty(plan.rules.seats, len(sides)), []
    start = time.perf_counter()
    with closing(in_order(task, spans, threads, stop)) as results:
        for rows, added in results:
            totals += added
            if rows is not None:
                parts.append(rows)
            if progress:
                progress(totals.matches, plan.matches)
    return MatchRun(plan, totals, time.perf_counter() - start, parts)


def match_rows(outcomes: Outcomes) -> Rows:
    """The columns of `match_columns`, one row a match; -1 for a winner or a margin that there is not."""
    won, count, seats = outcomes.won, *outcomes.points.shape
    rows: Rows = {
        "match": np.arange(outcomes.first, outcomes.first + count),
        "deals": outcomes.deals,
        "winner": np.where(won.max(axis=1) == WON_WHOLE, won.argmax(axis=1), -1),
        "margin": outcomes.leads.max(axis=1) if seats > 1 else np.full(count, -1),
        "duration_us": outcomes.duration_us,
        "capped": outcomes.capped,
    }
    for seat in range(seats):
        rows[f"points_{seat}"] = outcomes.points[:, seat]
        rows[f"won_{seat}"] = won[:, seat] / WON_WHOLE
    return {column.name: rows[column.name].astype(column.dtype) for column in match_columns(seats)}


def _deals_frame(dealer: Dealer, match: int) -> DataFrame:
    import pandas as pd

    from nertsim.codes import SeatColumn

    records = []
    for one in rounds(dealer, match, match + 1):
        record = {"deal": match * MATCH_STRIDE + one.deal}
        scores = one.chunk.seats[:, :, SeatColumn.SCORE]
        for name, values in (("points", one.points), ("nerts", one.nerts), ("score", scores)):
            record |= {f"{name}_{seat}": int(value) for seat, value in enumerate(values[0])}
        records.append(record)
    return pd.DataFrame(records)

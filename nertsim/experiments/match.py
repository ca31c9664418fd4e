"""Whole matches: the request is checked, spans of matches are played side by side, and added up in order."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

import numpy as np

from nertsim.batch import Notice, Progress, Settings, make_dealer, make_sink, play_batch
from nertsim.bots.strategy import Bot
from nertsim.codes import WON_WHOLE
from nertsim.errors import RulesError
from nertsim.executors import Span
from nertsim.experiments.match_play import MATCH_STRIDE, Outcomes, play_matches, rounds
from nertsim.experiments.match_summary import summarize_matches
from nertsim.experiments.match_totals import MatchTotals
from nertsim.plans import CHUNK_SECONDS, BatchPlan, Piece
from nertsim.resume import recorded_plan
from nertsim.rules import Rules
from nertsim.run import BatchRun, opened
from nertsim.simulate import MAX_DEALS, ROWS_BY_DEFAULT, asked_for, check_keep, goes_on, make_plan, plan_to_go_on
from nertsim.tables import Column, match_columns, matches_frame
from nertsim.values import whole_number

if TYPE_CHECKING:
    from nertsim.dealer import Dealer
    from nertsim.tables import DataFrame, Rows

DEFAULT_MATCHES = 1000
MAX_MATCHES = MAX_DEALS // MATCH_STRIDE
"""So that the number of every deal is one that `replay` takes."""
MATCHES_A_CHUNK = 256
DEALS_A_MATCH = 12
"""About; only how long a chunk takes depends on it."""
MATCHES_A_PART = 16_384
MATCHES = "matches"
KEEP: dict[str, tuple[str, ...]] = {"matches": (MATCHES,), "summary": ()}
"""What can be kept: a row a match, or the summary alone."""


@dataclasses.dataclass(frozen=True)
class MatchPlan(BatchPlan):
    """What decides every number of a batch of matches, and what is kept of it."""

    KIND = "match"
    UNIT = "matches"

    @property
    def tables(self) -> dict[str, tuple[Column, ...]]:
        return {kind: match_columns(self.rules.seats) for kind in KEEP[self.keep]}

    @property
    def part_units(self) -> int:
        return MATCHES_A_PART

    def empty(self) -> MatchTotals:
        return MatchTotals.empty(self.rules.seats, len(self.sides))

    def totals_from(self, values: dict[str, Any]) -> MatchTotals:
        return MatchTotals.from_dict(values)

    def played(self, totals: MatchTotals) -> int:
        return totals.matches

    def player(self, dealer: Dealer, stop: Event) -> Callable[[Span], Piece]:
        sides, keep = self.sides, self.keep

        def play(span: Span) -> Piece:
            outcomes = play_matches(dealer, *span, stop)
            rows = {MATCHES: match_rows(outcomes)} if keep == MATCHES else {}
            return Piece(rows, MatchTotals.of_outcomes(outcomes, sides))

        return play

    def fitting_chunk(self, dealer: Dealer, threads: int) -> int:
        in_time = CHUNK_SECONDS / (DEALS_A_MATCH * self.deal_seconds(dealer))
        return max(1, min(MATCHES_A_CHUNK, self.count // (2 * threads), int(in_time)))


class MatchRun(BatchRun):
    """Matches that were played, in memory or in a folder (`path`).

    `totals` are their exact sums, `summary`, `by_seat` and `by_bot` what they say; `matches` has a row a match, where
    these were kept. `seconds` is the time spent playing, without compiling.
    """

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

    @cached_property
    def matches(self) -> DataFrame:
        """One row a match (`nertsim.tables.match_columns`); UsageError where these were not kept."""
        return matches_frame(self._rows(MATCHES, self.totals.matches))

    def deals(self, match: int) -> DataFrame:
        """Plays match number `match` again: one row a deal, with what `nertsim.replay` needs to show it.

        Columns: deal (its number in the seed), and for each seat points_… (at the start of the deal), nerts_… (cards in
        its pile then), score_… (of the deal). UsageError where there is no such match.
        """
        match = whole_number("match", match, 0, self.plan.count - 1)
        return _deals_frame(make_dealer(self.rules, self.bots, self.seed), match)


def match(
    bots: str | Bot | Sequence[str | Bot] | None = None,
    *,
    rules: Rules | str | None = None,
    seats: int | None = None,
    matches: int | None = None,
    seed: int | None = None,
    out: str | os.PathLike[str] | None = None,
    keep: str | None = None,
    resume: bool = False,
    extend: bool = False,
    threads: int | None = None,
    chunk: int | None = None,
    executor: str = "threads",
    scheduler: str | None = None,
    command: Sequence[str] | None = None,
    progress: Progress | None = None,
    notice: Notice | None = None,
) -> MatchRun:
    """Plays `matches` (1000) whole matches between `bots`, by the rules' target, match_deals and winner_handicap.

    A match ends when a seat has `target` points and is alone at the top (a tie there is settled by another deal), or,
    where the rules give `match_deals`, after that many deals (a tie then is shared). A match that is not over after
    4096 deals ends as it stands and is counted as capped. Deal j of match m is deal ``4096 * m + j`` of the seed.

    Bots, rules, seats, seed, out, resume, extend, threads, executor, scheduler, command, progress and notice are as in
    `simulate`; `progress` is called with matches. `chunk` is how many matches a thread plays side by side. `keep` is
    "matches" (a row a match) or "summary"; default: "matches" up to ten million.

    Everything is checked before anything is compiled or played: `UsageError` (a ValueError) for what cannot be
    accepted. Raises `BotFault` for a bot that breaks the protocol, `StoreError` for a folder that fails on the way or
    cannot be trusted.
    """
    settings = Settings(threads, chunk, executor, scheduler, tuple(command or ()), progress, notice)
    go_on = goes_on(out, resume, extend)
    if go_on:
        assert out is not None
        asked = asked_for(bots, rules, seats, seed=seed, keep=keep)
        plan = plan_to_go_on(recorded_plan(MatchPlan, out), out, asked, matches, extend)
    else:
        plan = make_match_plan(bots, rules, seats, DEFAULT_MATCHES if matches is None else matches, seed, keep)
    sink = make_sink(plan, out, settings, go_on)
    totals, seconds = play_batch(plan, sink, settings)
    return MatchRun(plan, totals, seconds, sink.read_rows, sink.path)


def open_run(folder: Path, manifest: Mapping[str, Any]) -> MatchRun:
    """The run that a folder holds (see `nertsim.load`)."""
    return opened(MatchPlan, MatchRun, folder, manifest)


def make_match_plan(
    bots: str | Bot | Sequence[str | Bot] | None,
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
    check_keep(keep, KEEP)
    return MatchPlan(table.rules, table.bots, table.seed, matches, keep=keep)


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

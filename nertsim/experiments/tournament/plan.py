"""What a tournament is asked to play: blocks, with fewer bots from stage to stage where hopeless ones are dropped."""

from __future__ import annotations

import dataclasses
import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from threading import Event
from typing import TYPE_CHECKING, Any

import numpy as np

from nertsim.bots.spec import bot_from_dict
from nertsim.bots.strategy import Bot
from nertsim.codes import DealColumn, Ended, SeatColumn
from nertsim.executors import Span
from nertsim.experiments.tournament.claims import (
    FEWEST,
    Claims,
    Criteria,
    blocks_to_come,
    drop,
    make_claims,
    pair_sums,
)
from nertsim.experiments.tournament.design import Design, make_design
from nertsim.experiments.tournament.orders import group_count
from nertsim.experiments.tournament.totals import Counter, Outcome, TournamentTotals, score_by_bot
from nertsim.plans import BatchPlan, Piece
from nertsim.tables import Column, Rows

if TYPE_CHECKING:
    from nertsim.dealer import Dealer

BLOCKS = "blocks"
BLOCK_COLUMNS: tuple[Column, ...] = (
    Column("block", "int64", "", "number of the block; its deals have this number, or one that ends in it"),
    Column("bot", "int8", "category", "label of the bot"),
    Column("score", "float64", "points", "its mean over all its seats in the block"),
    Column("win_rate", "float64", "share", "deals won a seat, shared ones in part"),
)
KEEP: dict[str, tuple[str, ...]] = {"blocks": (BLOCKS,), "summary": ()}
LOOKS_A_DOUBLING = 16
"""It is looked after every FEWEST blocks, and later sixteen times while their number doubles."""
BLOCKS_A_PART = 1 << 14
FEWEST_BLOCKS_A_CHUNK, BLOCKS_A_CHUNK = 16, 128
SAMPLE_DEALS = 8
DECKS_APART = 10**8
"""Between the numbers of deals of tables that have decks of their own: the most blocks that there can be."""


@dataclasses.dataclass(frozen=True, eq=False)
class Stage:
    """From the block `first` on, these tables are played."""

    first: int
    design: Design


@dataclasses.dataclass(frozen=True)
class TournamentPlan(BatchPlan):
    """What decides every number of a tournament. `bots` are those of its first table.

    `count` is the most blocks that are played, `most` the same for all stages together. A plan plays its last stage:
    where bots are out, it ends, and `next_stage` is the plan that goes on.
    """

    KIND = "tournament"
    UNIT = "blocks"

    entrants: tuple[Bot, ...] = ()
    stages: tuple[Stage, ...] = ()
    metric: str = "score"
    criteria: Criteria = None  # type: ignore[assignment]
    which: str = "auto"
    """The tables that are chosen (`design.CHOICES`)."""
    drops: bool = False
    most: int = 0
    stops: bool = True
    """False where it has ended, and blocks were added to it."""

    @property
    def tables(self) -> dict[str, tuple[Column, ...]]:
        return dict.fromkeys(KEEP[self.keep], BLOCK_COLUMNS)

    @property
    def part_units(self) -> int:
        return BLOCKS_A_PART

    @cached_property
    def entrant_labels(self) -> tuple[str, ...]:
        """The label of each bot."""
        return tuple(bot.label for bot in self.entrants)

    @property
    def bot_names(self) -> list[str]:
        return list(self.entrant_labels)

    @property
    def stage(self) -> Stage:
        """The one that is played."""
        return self.stages[-1]

    @cached_property
    def groups(self) -> int:
        """Of blocks, for the errors of the ratings."""
        return group_count(self.stages[0].design)

    def empty(self) -> TournamentTotals:
        return TournamentTotals.empty(len(self.entrants), self.groups)

    def totals_from(self, values: dict[str, Any]) -> TournamentTotals:
        return TournamentTotals.from_dict(values)

    def played(self, totals: TournamentTotals) -> int:
        return totals.blocks

    def next_look(self, done: int) -> int | None:
        if not self.stops:
            return None
        step = max(FEWEST, (1 << done.bit_length()) // (2 * LOOKS_A_DOUBLING))
        return (done // step + 1) * step

    def expected(self, totals: TournamentTotals) -> int:
        if self.is_decided(totals) or (self.drops and self.out(totals).any()):
            return totals.blocks
        open_pairs = self.claims(totals).open & self._playing_pairs
        to_come = blocks_to_come(pair_sums(totals, self.metric), open_pairs, self.criteria)
        return min(self.count, max(totals.blocks + 1, math.ceil(min(to_come, 1e15))))

    def claims(self, totals: TournamentTotals) -> Claims:
        """What is known of each two bots."""
        return make_claims(pair_sums(totals, self.metric), self.criteria)

    @property
    def _playing_pairs(self) -> np.ndarray:
        playing = self.stage.design.playing
        return playing[:, None] & playing

    def out(self, totals: TournamentTotals) -> np.ndarray:
        """bool (bots,): those playing that are hopeless by now."""
        return drop(pair_sums(totals, self.metric), self.stage.design.playing, self.criteria)

    def is_decided(self, totals: TournamentTotals) -> bool:
        """True where each two bots that play are known to differ, or to be equal for all that matters; where bots are
        dropped, where one is left, or all that are left are equal.
        """
        left = self.stage.design.playing & ~self.out(totals) if self.drops else self.stage.design.playing
        return bool(left.sum() < 2 or not (self.claims(totals).open & left[:, None] & left).any())

    def next_stage(self, totals: TournamentTotals) -> TournamentPlan | None:
        """The plan without the bots that are out; None where it has ended."""
        played = totals.blocks
        at_look = played > 0 and self.next_look(played - 1) == played
        if not (self.stops and self.drops and at_look) or played >= self.most or self.is_decided(totals):
            return None
        out = self.out(totals)
        if not out.any():
            return None
        left = self.stage.design.playing & ~out
        stage = Stage(played, make_design(left, self.rules.seats, self.which, self.seed))
        return dataclasses.replace(self, stages=(*self.stages, stage), count=self.most)

    def without_stopping(self) -> dict[str, Any]:
        return {"stops": False}

    def seated(self, design: Design, table: int) -> tuple[Bot, ...]:
        """The bots at a table."""
        return tuple(self.entrants[bot] for bot in design.tables[table])

    def player(self, dealer: Dealer, stop: Event) -> Callable[[Span], Piece]:
        from nertsim.dealer import Dealer

        design = self.stage.design
        counter = Counter(design, self.groups)
        dealers = [Dealer(self.rules, self.seated(design, table), self.seed) for table in range(design.size)]

        def play(span: Span) -> Piece:
            outcome = play_tables(dealers, design.decks, span, stop)
            rows: dict[str, Rows] = {BLOCKS: block_rows(outcome, design, span)} if self.keep == BLOCKS else {}
            return Piece(rows, counter.count(outcome, span[0]))

        return play

    def fitting_chunk(self, dealer: Dealer, threads: int) -> int:
        # Each table is a call for itself, and a call costs as much as some thirty deals.
        enough = min(BLOCKS_A_CHUNK, self.count // (2 * threads))
        return max(FEWEST_BLOCKS_A_CHUNK, enough, super().fitting_chunk(dealer, threads) // self.stage.design.size)

    def sample(self, dealer: Dealer) -> str:
        """Of as many tables of the first stage as it takes to see every bot."""
        from nertsim.dealer import Dealer

        design, seen = self.stages[0].design, set[int]()
        digest = hashlib.sha256()
        for table, bots in enumerate(design.tables.tolist()):
            if not seen.issuperset(bots):
                seen.update(bots)
                chunk = Dealer(self.rules, self.seated(design, table), self.seed).play(0, SAMPLE_DEALS)
                digest.update(chunk.seats.astype("<i8").tobytes() + chunk.deals.astype("<i8").tobytes())
        return digest.hexdigest()

    def to_dict(self) -> dict[str, Any]:
        stages = [
            {
                "first": stage.first,
                "tables": stage.design.tables.tolist(),
                "decks": stage.design.decks.tolist(),
            }
            for stage in self.stages
        ]
        return super().to_dict() | {
            "entrants": [bot.to_dict() for bot in self.entrants],
            "stages": stages,
            "metric": self.metric,
            "criteria": dataclasses.asdict(self.criteria),
            "which": self.which,
            "drops": self.drops,
            "most": self.most,
            "stops": self.stops,
        }

    @classmethod
    def more_from(cls, values: Mapping[str, Any]) -> dict[str, Any]:
        entrants = tuple(bot_from_dict(bot) for bot in values["entrants"])
        stages = (
            Stage(one["first"], Design(np.array(one["tables"], np.int8), np.array(one["decks"]), len(entrants)))
            for one in values["stages"]
        )
        return {
            "entrants": entrants,
            "stages": tuple(stages),
            "criteria": Criteria(**values["criteria"]),
            **{name: values[name] for name in ("metric", "which", "drops", "most", "stops")},
        }


def play_tables(dealers: Sequence[Any], decks: np.ndarray, span: Span, stop: Event) -> Outcome:
    """A deal a block at each table, with its decks; once `stop` is set, those of one table may stand for all."""
    seats, ended, chunk = [], np.zeros(len(Ended), np.int64), None
    for dealer, deck in zip(dealers, decks.tolist(), strict=True):
        if chunk is None or not stop.is_set():
            chunk = dealer.play(span[0] + deck * DECKS_APART, span[1] + deck * DECKS_APART)
        seats.append(chunk.seats[:, :, [SeatColumn.SCORE, SeatColumn.WON]])
        ended += np.bincount(chunk.deals[:, DealColumn.ENDED], minlength=len(Ended))
    both = np.stack(seats, axis=1)
    return Outcome(both[..., 0], both[..., 1], ended)


def block_rows(outcome: Outcome, design: Design, span: Span) -> Rows:
    """A row a bot that plays, and block."""
    score, won = score_by_bot(outcome, design)
    bots = np.flatnonzero(design.playing).astype(np.int8)
    return {
        "block": np.repeat(np.arange(*span), len(bots)),
        "bot": np.tile(bots, len(score)),
        "score": score.ravel(),
        "win_rate": won.ravel(),
    }

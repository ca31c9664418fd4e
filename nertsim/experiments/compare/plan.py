"""What a comparison is asked to play: blocks, until the test has an answer."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from threading import Event
from typing import TYPE_CHECKING, Any

import numpy as np

from nertsim.bots.spec import bot_from_dict
from nertsim.bots.strategy import Bot
from nertsim.executors import Span
from nertsim.experiments.compare.design import Design
from nertsim.experiments.compare.totals import FINE, CompareTotals, Outcome, count_blocks, table_scores, whole
from nertsim.experiments.match_play import play_matches
from nertsim.plans import BatchPlan, Piece
from nertsim.stats.intervals import Interval
from nertsim.stats.sequential import VERDICTS, SequentialTest
from nertsim.tables import Column

if TYPE_CHECKING:
    from nertsim.dealer import Dealer

BLOCKS = "blocks"
BLOCK_COLUMNS: tuple[Column, ...] = (
    Column("block", "int64", "", "number of the block; its deals (or matches) have this number"),
    Column("difference", "float64", "points or share", "A's mean minus B's, as played"),
    Column("adjusted", "float64", "points or share", "the same with control variates: what the test adds up"),
)
KEEP: dict[str, tuple[str, ...]] = {"blocks": (BLOCKS,), "summary": ()}
RUNNING = VERDICTS[0]
TYPICAL_SHARE = 0.6
"""Of the blocks of a test whose number is fixed beforehand, what the sequential one takes, about."""
FIRST_LOOK = 256
LOOKS_A_DOUBLING = 16
"""It is looked after every 256 blocks, and later sixteen times while their number doubles."""
BLOCKS_A_PART = 1 << 16
MATCH_BLOCKS_A_PART = 1 << 12
MATCH_BLOCKS_A_CHUNK = 64


@dataclasses.dataclass(frozen=True)
class ComparePlan(BatchPlan):
    """What decides every number of a comparison. `bots` are those of the first table of a block.

    `count` is the most blocks that are played.
    """

    KIND = "compare"
    UNIT = "blocks"

    rivals: tuple[Bot, ...] = ()
    """A, B, and the bot of the field where there is one."""
    design: Design = None  # type: ignore[assignment]
    metric: str = "score"
    test: SequentialTest = None  # type: ignore[assignment]
    control: tuple[float, ...] = ()
    """Coefficients of the control variates; none where there are none."""
    stops: bool = True
    """False where it has ended, and blocks were added to it."""

    @property
    def tables(self) -> dict[str, tuple[Column, ...]]:
        return dict.fromkeys(KEEP[self.keep], BLOCK_COLUMNS)

    @property
    def part_units(self) -> int:
        return MATCH_BLOCKS_A_PART if self.metric == "match" else BLOCKS_A_PART

    @property
    def deals_a_block(self) -> int:
        """Deals (or matches) in a block."""
        return self.design.size

    @property
    def block_unit(self) -> float:
        """What a block score of 1 in `CompareTotals.total` is worth."""
        return self.design.unit / whole(self.metric)

    def empty(self) -> CompareTotals:
        return CompareTotals.empty(self.design)

    def totals_from(self, values: dict[str, Any]) -> CompareTotals:
        return CompareTotals.from_dict(values)

    def played(self, totals: CompareTotals) -> int:
        return totals.blocks

    def next_look(self, done: int) -> int | None:
        if not self.stops:
            return None
        step = max(FIRST_LOOK, (1 << done.bit_length()) // (2 * LOOKS_A_DOUBLING))
        return (done // step + 1) * step

    def expected(self, totals: CompareTotals) -> int:
        if self.verdict(totals) != RUNNING:
            return totals.blocks
        return min(self.count, max(totals.blocks + 1, math.ceil(self.typical_blocks(self.deviation(totals)))))

    def verdict(self, totals: CompareTotals) -> str:
        """What the test says of these blocks: one of `sequential.VERDICTS`."""
        test = dataclasses.replace(self.test, maximum=max(self.count, self.test.fewest))
        return test.verdict(totals.blocks, totals.adjusted, totals.adjusted_squares, 1 / FINE)

    def interval(self, totals: CompareTotals) -> Interval:
        """The interval of the difference, which holds at every moment."""
        return self.test.interval(totals.blocks, totals.adjusted, totals.adjusted_squares, 1 / FINE)

    def deviation(self, totals: CompareTotals) -> float:
        """Standard deviation of the block scores that the test adds up, in units of the metric."""
        return (
            math.sqrt(
                float(self.test.in_units(1 / FINE).variance(totals.blocks, totals.adjusted, totals.adjusted_squares))
            )
            / FINE
        )

    def typical_blocks(self, deviation: float) -> float:
        """Blocks that the test takes, as a rule, for block scores with that standard deviation."""
        return TYPICAL_SHARE * self.test.fixed_blocks(deviation)

    def without_stopping(self) -> dict[str, Any]:
        return {"stops": False}

    def seated(self, table: int) -> tuple[Bot, ...]:
        """The bots at a table of a block."""
        return tuple(self.rivals[side] for side in self.design.tables[table])

    def player(self, dealer: Dealer, stop: Event) -> Callable[[Span], Piece]:
        blocks = self.block_player(dealer, stop)

        def play(span: Span) -> Piece:
            outcome = blocks(span)
            tables = table_scores(outcome, self.design, self.metric)
            adjusted = self.adjust(tables, span)
            rows = {}
            if self.keep == BLOCKS:
                rows[BLOCKS] = {
                    "block": np.arange(*span),
                    "difference": tables.sum(axis=1) * self.block_unit,
                    "adjusted": adjusted / FINE,
                }
            return Piece(rows, count_blocks(outcome, tables, adjusted, self.design))

        return play

    def block_player(self, dealer: Dealer, stop: Event) -> Callable[[Span], Outcome]:
        """What plays the blocks of a span."""
        from nertsim.dealer import Dealer

        dealers = [dealer] + [Dealer(self.rules, self.seated(table), self.seed) for table in range(1, self.design.size)]
        if self.metric != "match":
            return lambda span: Outcome.of_chunks([one.play(*span) for one in dealers])

        def matches(span: Span) -> Outcome:
            outcomes = [play_matches(one, *span, stop) for one in dealers]
            points, won = (np.stack([getattr(one, name) for one in outcomes], axis=1) for name in ("points", "won"))
            return Outcome(points, won, np.sum([one.ended for one in outcomes], axis=0))

        return matches

    def adjust(self, tables: np.ndarray, span: Span) -> np.ndarray:
        """int64 (n,): block scores in units of 1/FINE, less what the luck of the deal explains of them."""
        scores = tables.sum(axis=1) * self.block_unit
        if self.control:
            scores = scores - self.luck(span) @ np.array(self.control)
        return np.rint(scores * FINE).astype(np.int64)

    def luck(self, span: Span) -> np.ndarray:
        """float64 (n, covariates): the luck of the deals of each block, expectation 0.

        That of A's seats less that of B's, on average over the tables (nothing, where both have had every seat), then
        that of all seats.
        """
        from nertsim.engine.luck import deal_luck

        rules = self.rules
        first, last = span
        nerts = np.array(rules.nerts_list)
        luck = deal_luck(self.seed, first, last - first, rules.jokers, nerts, rules.work_piles, rules.draw)
        weights = self.design.weights.sum(axis=0) * self.design.unit
        return np.concatenate([np.einsum("nsl,s->nl", luck, weights), luck.mean(axis=1)], axis=1)

    def fitting_chunk(self, dealer: Dealer, threads: int) -> int:
        if self.metric == "match":
            return max(1, min(MATCH_BLOCKS_A_CHUNK, self.count // (2 * threads)))
        # `count` is a maximum that may be far away: chunks are those of the looks to come.
        return max(16, super().fitting_chunk(dealer, threads) // self.design.size)

    @cached_property
    def labels_of_rivals(self) -> tuple[str, ...]:
        """The labels of A, B and the field's bot."""
        return tuple(bot.label for bot in self.rivals)

    def to_dict(self) -> dict[str, Any]:
        return super().to_dict() | {
            "rivals": [bot.to_dict() for bot in self.rivals],
            "design": self.design.tables.tolist(),
            "metric": self.metric,
            "test": dataclasses.asdict(self.test),
            "control": list(self.control),
            "stops": self.stops,
        }

    @classmethod
    def more_from(cls, values: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "rivals": tuple(bot_from_dict(bot) for bot in values["rivals"]),
            "design": Design(np.array(values["design"], np.int8)),
            "metric": values["metric"],
            "test": SequentialTest(**values["test"]),
            "control": tuple(values["control"]),
            "stops": values["stops"],
        }


def seat_rivals(rivals: Sequence[Bot], design: Design) -> tuple[Bot, ...]:
    """The bots at the first table of a block."""
    return tuple(rivals[side] for side in design.tables[0])

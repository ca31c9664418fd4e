"""What a sweep is asked to play: blocks of the same deals for all combinations of values."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable, Mapping, Sequence
from threading import Event
from typing import TYPE_CHECKING, Any

import numpy as np

from nertsim.bots.spec import bot_from_dict
from nertsim.bots.strategy import Bot
from nertsim.executors import Span
from nertsim.experiments.sweep.axes import Axis
from nertsim.experiments.sweep.figures import OF_SIDE, count_figures, figure_count, position, unit
from nertsim.experiments.sweep.layout import Layout, Point, make_layout
from nertsim.experiments.sweep.totals import SweepTotals
from nertsim.experiments.sweep.values import exact_text
from nertsim.plans import BatchPlan, Piece, recorded_rules
from nertsim.tables import Column, Rows

if TYPE_CHECKING:
    from nertsim.dealer import Dealer

BLOCKS = "blocks"
BLOCK_COLUMNS: tuple[Column, ...] = (
    Column("block", "int64", "", "number of the block; its deals have this number"),
    Column("combination", "int16", "", "number of the combination of values, from 0"),
    Column("bot", "int8", "category", "the bot, with … for what varies"),
    Column("score", "float64", "points", "its mean over its seats and all rotations"),
    Column("win_rate", "float64", "share", "deals won a seat, shared ones in part"),
    Column("call_rate", "float64", "share", "deals called a seat"),
    Column("lead", "float64", "points", "the first bot's score less that of all others; missing where it is alone"),
    Column("called", "float64", "share", "deals that ended by a call"),
    Column("deal_seconds", "float64", "s", "simulated time a deal"),
)
KEEP: dict[str, tuple[str, ...]] = {"blocks": (BLOCKS,), "summary": ()}
ROWS_A_PART = 1_000_000
FEWEST_BLOCKS_A_CHUNK = 128
"""A call costs as much as some thirty deals, and there are many tables."""
SAMPLE_DEALS = 4


@dataclasses.dataclass(frozen=True)
class SweepPlan(BatchPlan):
    """What decides every number of a sweep. `rules` and `bots` are those without the changes; `count` is in blocks."""

    KIND = "sweep"
    UNIT = "blocks"

    axes: tuple[Axis, ...] = ()
    vary: tuple[int, ...] = (0,)
    """The seats (of the first rotation) whose bots vary."""
    rotate: bool = True
    base: int = 0
    """The combination to which the others are compared."""
    layout: Layout = None  # type: ignore[assignment]

    @property
    def tables(self) -> dict[str, tuple[Column, ...]]:
        return dict.fromkeys(KEEP[self.keep], BLOCK_COLUMNS)

    @property
    def bot_names(self) -> list[str]:
        return list(self.layout.sides)

    @property
    def rows_a_block(self) -> int:
        """One a combination and bot."""
        return len(self.points) * len(self.layout.sides)

    @property
    def part_units(self) -> int:
        return max(1, ROWS_A_PART // self.rows_a_block)

    @property
    def points(self) -> tuple[Point, ...]:
        """All combinations."""
        return self.layout.points

    @property
    def parameters(self) -> str:
        """What varies, with its values."""
        return " ".join(axis.text() for axis in self.axes)

    @property
    def base_text(self) -> str:
        """The values that the others are compared to: ``speed=1``."""
        values = self.points[self.base].values
        return ", ".join(f"{axis.key}={exact_text(value)}" for axis, value in zip(self.axes, values, strict=True))

    def recast(self) -> SweepPlan:
        """The same plan with the combinations made anew of its bots, which may not be in its record."""
        return dataclasses.replace(self, layout=make_layout(self.axes, self.rules, self.bots, self.vary, self.rotate))

    def empty(self) -> SweepTotals:
        return SweepTotals.empty([point.tables for point in self.points], figure_count(len(self.layout.sides)))

    def totals_from(self, values: dict[str, Any]) -> SweepTotals:
        return SweepTotals.from_dict(values)

    def played(self, totals: SweepTotals) -> int:
        return totals.blocks

    def seated(self, seating: Sequence[int]) -> tuple[Bot, ...]:
        """The bots at a table."""
        return tuple(self.layout.cast[number] for number in seating)

    def player(self, dealer: Dealer, stop: Event) -> Callable[[Span], Piece]:
        from nertsim.dealer import Dealer

        dealers = {table: Dealer(table[0], self.seated(table[1]), self.seed) for table in self.layout.tables}

        def play(span: Span) -> Piece:
            chunks = {}
            for table, one in dealers.items():
                if stop.is_set():
                    return Piece({}, self.empty())
                chunks[table] = one.play(*span)
            counted = count_figures(self.layout, chunks)
            rows = {BLOCKS: block_rows(self.layout, counted, span[0])} if self.keep == BLOCKS else {}
            return Piece(rows, SweepTotals.of_figures(counted, self.base))

        return play

    def fitting_chunk(self, dealer: Dealer, threads: int) -> int:
        return max(FEWEST_BLOCKS_A_CHUNK, super().fitting_chunk(dealer, threads) // len(self.layout.tables))

    def sample(self, dealer: Dealer) -> str:
        """Of the first table of each combination."""
        from nertsim.dealer import Dealer

        digest = hashlib.sha256()
        for rules, seating in dict.fromkeys(tables[0] for tables in self.layout.tables_of):
            chunk = Dealer(rules, self.seated(seating), self.seed).play(self.first, self.first + SAMPLE_DEALS)
            digest.update(chunk.seats.astype("<i8").tobytes() + chunk.deals.astype("<i8").tobytes())
        return digest.hexdigest()

    def to_dict(self) -> dict[str, Any]:
        return super().to_dict() | {
            "axes": [dataclasses.asdict(axis) for axis in self.axes],
            "vary": list(self.vary),
            "rotate": self.rotate,
            "base": self.base,
            "cast": [bot.to_dict() for bot in self.layout.cast],
            "sides": list(self.layout.sides),
            "combinations": [
                {"values": list(one.values), "seating": one.seating.tolist(), "sides": one.sides.tolist()}
                for one in self.points
            ],
        }

    @classmethod
    def more_from(cls, values: Mapping[str, Any]) -> dict[str, Any]:
        axes = tuple(Axis(**one | {"values": _plain(one["values"])}) for one in values["axes"])
        rules = recorded_rules(values["rules"])
        points = []
        for one in values["combinations"]:
            table = rules
            for axis, value in zip(axes, _plain(one["values"]), strict=True):
                table = axis.changed_rules(table, value)
            seating, sides = np.array(one["seating"], np.int16), np.array(one["sides"], np.int8)
            points.append(Point(_plain(one["values"]), table, seating, sides))
        cast = tuple(bot_from_dict(bot) for bot in values["cast"])
        return {
            "axes": axes,
            "vary": tuple(values["vary"]),
            "rotate": values["rotate"],
            "base": values["base"],
            "layout": Layout(cast, tuple(values["sides"]), tuple(points)),
        }


def _plain(values: Sequence[Any]) -> tuple[Any, ...]:
    """Values as they were before JSON."""
    return tuple(tuple(value) if isinstance(value, list) else value for value in values)


def block_rows(layout: Layout, counted: Sequence[np.ndarray], first: int) -> Rows:
    """A row a block, combination and bot."""
    whole = np.stack([one.sum(axis=1) for one in counted], axis=1)
    blocks, points, sides = len(whole), len(layout.points), len(layout.sides)
    rows: Rows = {
        "block": np.repeat(np.arange(first, first + blocks), points * sides),
        "combination": np.tile(np.repeat(np.arange(points, dtype=np.int16), sides), blocks),
        "bot": np.tile(np.arange(sides, dtype=np.int8), blocks * points),
    }
    for figure in (*OF_SIDE, "lead", "called", "deal_seconds"):
        places = [position(figure, side) for side in range(sides)]
        units = [[float(unit(figure, one, side) or np.nan) for side in range(sides)] for one in layout.points]
        rows[figure] = (whole[:, :, places] * np.array(units)).ravel()
    return rows

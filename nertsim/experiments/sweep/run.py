"""A sweep that was played, and what it says."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from nertsim.errors import UsageError, unknown
from nertsim.experiments.sweep.figures import (
    FIGURES,
    MEANS,
    OF_SIDE,
    Sums,
    covariance,
    difference,
    figure_interval,
    p_values,
    position,
    student_interval,
    unit,
)
from nertsim.experiments.sweep.plan import BLOCKS, SweepPlan
from nertsim.experiments.sweep.totals import SweepTotals
from nertsim.experiments.sweep.values import value_text
from nertsim.run import BatchRun, opened
from nertsim.stats.intervals import LEVEL, UNKNOWN, Interval
from nertsim.tables import flat_record

if TYPE_CHECKING:
    from nertsim.tables import DataFrame


class SweepRun(BatchRun):
    """A sweep, in memory or in a folder (`path`).

    `totals` are its exact sums, `summary` what they say, `table` the same as a DataFrame; `blocks` has a row a block,
    combination and bot, where these were kept. `seconds` is the time spent playing, without compiling.
    """

    plan: SweepPlan
    totals: SweepTotals

    @cached_property
    def summary(self) -> dict[str, Any]:
        """What `nertsim sweep --format json` prints, as a dict.

        `deals` were played in all, tables that are the same for several combinations once. `values` has a record a
        combination: the figures of the first bot and of the table, each with its 95 % interval `…_ci`, and
        `…_difference` to the `base`, from the same blocks. Each interval holds by itself.
        """
        plan, totals = self.plan, self.totals
        deals = totals.blocks * len(plan.layout.tables)
        return {
            "parameters": [self._parameter(number) for number in range(len(plan.axes))],
            "base": self._values(plan.base),
            "bots": [
                {"bot": name, "seats": plan.points[plan.base].members(side), "varies": "=…" in name}
                for side, name in enumerate(plan.layout.sides)
            ],
            "blocks": totals.blocks,
            "deals": deals,
            "seed": plan.seed,
            "level": LEVEL,
            "intervals": "fixed",
            "seconds": self.seconds,
            "deals_per_second": deals / self.seconds if self.seconds > 0 else math.nan,
            "figure": self.figure,
            "values": [self._record(number) for number in range(len(plan.points))],
        }

    @property
    def figure(self) -> str:
        """What is looked at first: the win rate where there are several bots, else the mean score."""
        return "score" if self.is_alike else "win_rate"

    @property
    def is_alike(self) -> bool:
        """True where the same bot plays all seats."""
        return len(self.plan.layout.sides) == 1

    @cached_property
    def table(self) -> DataFrame:
        """One row a combination of values: the figures of the first bot and of the table, each with `…_low` and
        `…_high`, the ends of its 95 % interval.
        """
        return self._frame([self._flat(number) for number in range(len(self.plan.points))], [])

    @cached_property
    def by_bot(self) -> DataFrame:
        """One row a combination of values and bot."""
        records = [
            self._values(number) | flat_record(record)
            for number in range(len(self.plan.points))
            for record in self._bots(number)
        ]
        return self._frame(records, ["bot"])

    @property
    def by_seat(self) -> DataFrame:
        """A sweep counts by bot: UsageError."""
        raise UsageError("a sweep counts by value (run.table) and by bot (run.by_bot), not by seat")

    @cached_property
    def blocks(self) -> DataFrame:
        """One row a block, combination and bot (`BLOCK_COLUMNS`), with its values; UsageError where none were kept."""
        import pandas as pd

        rows = self._rows(BLOCKS, self.totals.blocks * self.plan.rows_a_block)
        values = {
            axis.key: np.array([point.values[number] for point in self.plan.points])[rows["combination"]]
            for number, axis in enumerate(self.plan.axes)
            if axis.is_numeric
        }
        names = pd.Index(self.plan.bot_names)
        whole: np.ndarray[Any, np.dtype[np.int8]] = rows["bot"]
        bots = pd.Categorical.from_codes(whole, categories=names, validate=False)
        return pd.DataFrame(rows | {"bot": bots} | values, copy=False)

    def plot(self, file: str | os.PathLike[str] | None = None, figure: str | None = None) -> Any:
        """Draws it with matplotlib (`pip install 'nertsim[plot]'`): the matplotlib figure.

        With intervals: one parameter as curves, two as a map of colours. `file` (.png, .svg, .pdf) gets it; `figure`
        is one of `FIGURES`, by default several for one parameter. UsageError where matplotlib is missing, or the file
        cannot be written.
        """
        from nertsim.report.sweep_plot import plot_sweep

        return plot_sweep(self, file, figure)

    def values_of(self, figure: str, side: int = 0) -> list[tuple[float, Interval]]:
        """A figure and its interval for each combination, of a side or of the table; UsageError for one of no name."""
        self._check(figure)
        found = []
        for number, point in enumerate(self.plan.points):
            sums = self._sums(number, figure, side)
            found.append(
                (math.nan, UNKNOWN) if sums is None else (sums.mean, figure_interval(figure, sums, point, side))
            )
        return found

    def differences_of(self, figure: str, side: int = 0) -> list[tuple[float, Interval]]:
        """Its difference to the base, and the interval of that, for each combination, by paired blocks."""
        self._check(figure)
        return [
            (mean, student_interval(mean, variance, self.totals.blocks))
            for mean, variance in self._paired(figure, side)
        ]

    def certain(self, figure: str, alpha: float = 1 - LEVEL) -> list[bool]:
        """For each combination, whether its figure differs from the base's beyond doubt: the chance that any of it is
        false is `alpha` at most (Holm), for a number of blocks that was fixed beforehand.
        """
        self._check(figure)
        if self.totals.blocks < 2:
            return [False] * len(self.plan.points)
        found = [one for number, one in enumerate(self._paired(figure, 0)) if number != self.plan.base]
        sure = (p_values(found, self.totals.blocks) <= alpha).tolist()
        return [*sure[: self.plan.base], False, *sure[self.plan.base :]]

    def gains(self, figure: str) -> list[float]:
        """For each combination, how much less its difference to the base varies than that of as many deals which all
        have decks of their own.
        """
        self._check(figure)
        alone, found = [self._variance_alone(number, figure) for number in range(len(self.plan.points))], []
        for number, (_, variance) in enumerate(self._paired(figure, 0)):
            naive = alone[number] + alone[self.plan.base]
            found.append(naive / variance if number != self.plan.base and variance > 0 else math.nan)
        return found

    def _variance_alone(self, number: int, figure: str) -> float:
        """Of a block whose deals all have decks of their own."""
        worth, place, count = unit(figure, self.plan.points[number]), position(figure), self.totals.blocks
        if worth is None or count < 2:
            return math.nan
        tables = zip(self.totals.table_sums[number], self.totals.table_squares[number], strict=True)
        sums = (covariance(count, one[place], one[place], squares[place]) for one, squares in tables)
        return float(sum(sums) * worth**2)

    def _check(self, figure: str) -> None:
        if figure not in FIGURES:
            raise UsageError(unknown("figure", figure, FIGURES))
        if figure == "lead" and self.is_alike:
            raise UsageError("there is no lead where the same bot plays all seats; give bots that differ, or vary one")

    def _paired(self, figure: str, side: int) -> list[tuple[float, float]]:
        """Mean and variance of the difference to the base of a block."""
        base, found = self._sums(self.plan.base, figure, side), []
        for number in range(len(self.plan.points)):
            sums = self._sums(number, figure, side)
            if sums is None or base is None or sums.blocks < 2:
                found.append((math.nan, math.nan))
            else:
                found.append(difference(sums, base, self.totals.with_base[number][position(figure, side)]))
        return found

    def _sums(self, number: int, figure: str, side: int) -> Sums | None:
        """None where nobody is there to have the figure."""
        worth, place = unit(figure, self.plan.points[number], side), position(figure, side)
        if worth is None:
            return None
        return Sums(self.totals.blocks, self.totals.sums[number][place], self.totals.squares[number][place], worth)

    def _parameter(self, number: int) -> dict[str, Any]:
        axis = self.plan.axes[number]
        told = {"name": axis.key, "of": axis.of, "meaning": axis.meaning, "unit": axis.unit}
        return told | {"values": [_plain(value) for value in axis.values]}

    def _values(self, number: int) -> dict[str, Any]:
        values = self.plan.points[number].values
        return {axis.key: _plain(value) for axis, value in zip(self.plan.axes, values, strict=True)}

    def _record(self, number: int) -> dict[str, Any]:
        """Everything about a combination."""
        record = self._values(number) | {"deals": self.totals.blocks * self.plan.points[number].tables}
        for figure in FIGURES:
            if figure != "lead" or not self.is_alike:
                mean, interval = self._all_values(figure)[number]
                change, about = self._all_differences(figure)[number]
                record |= {MEANS.get(figure, figure): mean, f"{figure}_ci": list(interval)}
                record |= {f"{figure}_difference": change, f"{figure}_difference_ci": list(about)}
        return record | {
            "variance_reduction": self._all_gains[number],
            "differs": self._all_certain[number],
            "bots": self._bots(number),
        }

    def _flat(self, number: int) -> dict[str, Any]:
        return flat_record({name: value for name, value in self.summary["values"][number].items() if name != "bots"})

    def _bots(self, number: int) -> list[dict[str, Any]]:
        found = []
        for side, name in enumerate(self.plan.layout.sides):
            record: dict[str, Any] = {"bot": name, "seats": self.plan.points[number].members(side)}
            for figure in OF_SIDE:
                mean, interval = self._all_values(figure, side)[number]
                record |= {MEANS.get(figure, figure): mean, f"{figure}_ci": list(interval)}
            found.append(record)
        return found

    @cached_property
    def _found(self) -> dict[tuple[str, str, int], list[tuple[float, Interval]]]:
        return {}

    def _all_values(self, figure: str, side: int = 0) -> list[tuple[float, Interval]]:
        key = "values", figure, side
        if key not in self._found:
            self._found[key] = self.values_of(figure, side)
        return self._found[key]

    def _all_differences(self, figure: str) -> list[tuple[float, Interval]]:
        key = "differences", figure, 0
        if key not in self._found:
            self._found[key] = self.differences_of(figure)
        return self._found[key]

    @cached_property
    def _all_gains(self) -> list[float]:
        return self.gains(self.figure)

    @cached_property
    def _all_certain(self) -> list[bool]:
        return self.certain(self.figure)

    def _frame(self, records: Sequence[Mapping[str, Any]], more: list[str]) -> DataFrame:
        import pandas as pd

        return pd.DataFrame(list(records)).set_index([*(axis.key for axis in self.plan.axes), *more])


def open_run(folder: Path, manifest: Mapping[str, Any]) -> SweepRun:
    """The sweep that a folder holds (see `nertsim.load`)."""
    return opened(SweepPlan, SweepRun, folder, manifest)


def _plain(value: Any) -> Any:
    """A value as JSON and a DataFrame hold it."""
    return value_text(value) if isinstance(value, tuple) else value

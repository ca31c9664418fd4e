"""What a sweep says on a terminal: a table, a plot in characters, sentences."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from nertsim.cli.output import WIDTH, make_table, number
from nertsim.experiments.sweep.figures import OF_SIDE, WORDINGS
from nertsim.experiments.sweep.values import value_text
from nertsim.report.words.sweep import sentences

if TYPE_CHECKING:
    from nertsim.experiments.sweep.run import SweepRun
    from nertsim.stats.intervals import Interval

HEADINGS = {
    "win_rate": "win %",
    "score": "score",
    "lead": "lead",
    "call_rate": "call %",
    "called": "called %",
    "deal_seconds": "seconds",
}
BAR_WIDTH = 48
MOST_BARS = 40
WIDEST_MAP = 9
"""Columns of a map that fit beside each other."""


def parts(run: SweepRun, figure: str) -> list[Any]:
    """The tables and sentences of a sweep; `figure` is what is drawn."""
    run.values_of(figure)  # checks the name
    found: list[Any] = [_table(run)]
    if len(run.plan.axes) == 2 and len(run.plan.axes[1].values) <= WIDEST_MAP:
        found += _map(run, figure)
    elif len(run.plan.points) <= MOST_BARS:
        found += ["\n".join(_bars(run, figure)), ""]
    if len(run.plan.layout.sides) > 2 and figure in OF_SIDE:
        found += _by_bot(run, figure)
    return [*found, *sentences(run, figure)]


def _table(run: SweepRun) -> Any:
    """A row a combination; of the columns, those that fit."""
    columns = [
        _column(axis.key, [point.values[number] for point in run.plan.points], value_text)
        for number, axis in enumerate(run.plan.axes)
    ]
    if run.is_alike:
        columns += [_values(run, "score"), _changes(run, "score"), _values(run, "deal_seconds")]
        columns += [_changes(run, "deal_seconds"), _plain(run, "called")]
    else:
        columns += [_values(run, "win_rate"), _changes(run, "win_rate"), _values(run, "lead"), _values(run, "score")]
        columns += [_plain(run, "call_rate"), _plain(run, "deal_seconds")]
    widths = [max(map(len, column)) for column in columns]
    while sum(widths) + 2 * len(widths) > WIDTH and len(widths) > len(run.plan.axes) + 1:
        widths.pop()
    names = [column[0] for column in columns[: len(widths)]]
    table = make_table(names, numbers=names)
    for cells in zip(*(column[1:] for column in columns[: len(widths)]), strict=True):
        table.add_row(*cells)
    return table


def _column(name: str, values: Sequence[Any], text: Callable[[Any], str]) -> list[str]:
    """A heading, and the cells below it."""
    return [name, *map(text, values)]


def _values(run: SweepRun, figure: str) -> list[str]:
    return _column(HEADINGS[figure], run.values_of(figure), lambda one: _with_error(figure, one[0], one[1]))


def _changes(run: SweepRun, figure: str) -> list[str]:
    cells = _column(
        f"Δ {HEADINGS[figure]}", run.differences_of(figure), lambda one: _with_error(figure, one[0], one[1], True)
    )
    cells[1 + run.plan.base] = "–"
    return cells


def _plain(run: SweepRun, figure: str) -> list[str]:
    scale = WORDINGS[figure].scale
    return _column(HEADINGS[figure], run.values_of(figure), lambda one: number(scale * one[0], 1))


def _by_bot(run: SweepRun, figure: str) -> list[Any]:
    """A row a combination, a column a bot, by number."""
    wording, sides = WORDINGS[figure], range(len(run.plan.layout.sides))
    keys = [axis.key for axis in run.plan.axes]
    numbers = [str(side + 1) for side in sides]
    table = make_table([*keys, *numbers], numbers=[*keys, *numbers])
    found = [run.values_of(figure, side) for side in sides]
    for place, point in enumerate(run.plan.points):
        values = (number(wording.scale * one[place][0], wording.digits) for one in found)
        table.add_row(*map(value_text, point.values), *values)
    names = ", ".join(f"{side + 1} {name}" for side, name in enumerate(run.plan.layout.sides))
    return [f"{wording.name} ({wording.unit}) of {names}:", table]


def _with_error(figure: str, value: float, interval: Interval, sign: bool = False) -> str:
    """``44.1 ±0.6``"""
    scale, digits = WORDINGS[figure].scale, WORDINGS[figure].digits
    if math.isnan(value):
        return "–"
    half = scale * interval.half_width
    error = "" if math.isnan(half) else f" ±{half:.{digits}f}"
    return f"{scale * value:{'+' if sign else ''}.{digits}f}{error}"


def _bars(run: SweepRun, figure: str) -> list[str]:
    """A line a combination: where its value and interval lie between the lowest and the highest."""
    wording, found = WORDINGS[figure], run.values_of(figure)
    ends = [wording.scale * end for _, interval in found for end in interval if not math.isnan(end)]
    low, high = min(ends, default=0.0), max(ends, default=1.0)
    span = (high - low) or 1.0
    labels = [", ".join(value_text(value) for value in point.values) for point in run.plan.points]
    wide = max(map(len, labels))
    lines = [f"{wording.name}{_whose(run, figure)} ({wording.unit}), with its 95 % interval:"]
    for label, (value, interval) in zip(labels, found, strict=True):
        text = number(wording.scale * value, wording.digits)
        lines.append(f"{label:>{wide}} │{_bar(wording.scale, value, interval, low, span)}│ {text}")
    return lines


def _bar(scale: float, value: float, interval: Interval, low: float, span: float) -> str:
    cells = [" "] * BAR_WIDTH
    if math.isnan(value):
        return "".join(cells)

    def place(one: float) -> int:
        return min(BAR_WIDTH - 1, max(0, round((scale * one - low) / span * (BAR_WIDTH - 1))))

    if not math.isnan(interval.low):
        first, last = place(interval.low), place(interval.high)
        cells[first : last + 1] = "─" * (last - first + 1)
    cells[place(value)] = "●"
    return "".join(cells)


def _map(run: SweepRun, figure: str) -> list[Any]:
    """A row a value of the first parameter, a column a value of the second."""
    wording, (up, right) = WORDINGS[figure], run.plan.axes
    found = run.values_of(figure)
    columns = [value_text(value) for value in right.values]
    table = make_table([up.key, *columns], numbers=[up.key, *columns])
    for row, value in enumerate(up.values):
        line = found[row * len(columns) : (row + 1) * len(columns)]
        table.add_row(value_text(value), *(number(wording.scale * one, wording.digits) for one, _ in line))
    return [f"{wording.name}{_whose(run, figure)} ({wording.unit}); {right.key} runs to the right:", table]


def _whose(run: SweepRun, figure: str) -> str:
    return "" if run.is_alike or figure not in (*OF_SIDE, "lead") else f" of {run.plan.layout.sides[0]}"

"""The tables of a sweep: for each combination of values, who sits where, by which rules.

All tables have the same decks and streams of timing for each seat. Where the seats are not all played by the same bot,
each combination has a table for each rotation of the bots over the seats, so that the luck of a seat cancels.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from nertsim.bots.spec import seat_bots
from nertsim.bots.strategy import Bot
from nertsim.errors import UsageError
from nertsim.experiments.sweep.axes import RULE, WHOLE_TEMPO, Axis
from nertsim.rules import Rules

MAX_POINTS = 1000


@dataclasses.dataclass(frozen=True, eq=False)
class Point:
    """A combination of values, and its tables."""

    values: tuple[Any, ...]
    """One an axis."""
    rules: Rules
    seating: np.ndarray
    """int16 (tables, seats): the number in `Layout.cast` of the bot at each seat."""
    sides: np.ndarray
    """int8 (tables, seats): the number in `Layout.sides` of the side it counts for."""

    @property
    def tables(self) -> int:
        """Deals of a block."""
        return len(self.seating)

    def members(self, side: int) -> int:
        """Seats that a side has at each table."""
        return int((self.sides[0] == side).sum())


@dataclasses.dataclass(frozen=True, eq=False)
class Layout:
    """All combinations, the last axis varying fastest."""

    cast: tuple[Bot, ...]
    """All bots that sit anywhere, each once."""
    sides: tuple[str, ...]
    """What is counted together: seats with the same bot that all vary, or do not. The first one is looked at."""
    points: tuple[Point, ...]

    @cached_property
    def tables(self) -> tuple[tuple[Rules, tuple[int, ...]], ...]:
        """Rules and seating of each table that has to be played; equal ones once."""
        return tuple(dict.fromkeys(table for tables in self.tables_of for table in tables))

    @cached_property
    def tables_of(self) -> list[list[tuple[Rules, tuple[int, ...]]]]:
        """The tables of each combination."""
        return [[(point.rules, tuple(row)) for row in point.seating.tolist()] for point in self.points]


def make_layout(
    axes: Sequence[Axis], rules: Rules, bots: Sequence[Bot], vary: Sequence[int], rotate: bool = True
) -> Layout:
    """The tables for all combinations of values; `vary` holds the seats whose bots vary.

    UsageError where rules or bots cannot have a value, or there are too many combinations.
    """
    combinations = list(itertools.product(*(axis.values for axis in axes)))
    if len(combinations) > MAX_POINTS:
        raise UsageError(f"{len(combinations):,} combinations of values are too many; {MAX_POINTS:,} are the most")
    varies = vary if any(axis.of != RULE for axis in axes) else ()
    cast, sides = _Numbered(), _Numbered()
    # Names of tempos come before values that change them.
    order = sorted(range(len(axes)), key=lambda number: axes[number].name != WHOLE_TEMPO)
    points = []
    for values in combinations:
        table = rules
        for axis, value in zip(axes, values, strict=True):
            table = axis.changed_rules(table, value)
        there = list(_bots_for(table, bots))
        names = [bot.label for bot in there]
        for seat in varies:
            if seat >= table.seats:
                raise UsageError(f"the bot of seat {seat} is to vary, but there are {table.seats} seats")
            for axis in (axes[number] for number in order if axes[number].of != RULE):
                there[seat] = axis.changed_bot(there[seat], values[axes.index(axis)])
            names[seat] = _varied_name(names[seat], axes)
        seat_bots(there, table.seats, table.hands_list)  # checks hands
        first = names[varies[0] if varies else 0]
        sides.number(first)
        seating = [cast.number(_identity(bot), bot) for bot in there]
        points.append(Point(values, table, *_rotations(seating, [sides.number(name) for name in names], rotate)))
    return Layout(tuple(cast.things), tuple(sides.things), tuple(points))


class _Numbered:
    """Things by number, each once, in the order in which they came."""

    def __init__(self) -> None:
        self.things: list[Any] = []
        self._numbers: dict[Any, int] = {}

    def number(self, key: Any, thing: Any = None) -> int:
        if key not in self._numbers:
            self._numbers[key] = len(self.things)
            self.things.append(key if thing is None else thing)
        return self._numbers[key]


def _bots_for(rules: Rules, bots: Sequence[Bot]) -> Sequence[Bot]:
    if len(bots) == rules.seats:
        return bots
    if len({bot.label for bot in bots}) > 1:
        raise UsageError(f"{len(bots)} bots are given, but one table has {rules.seats} seats: give one for all seats")
    return [bots[0]] * rules.seats


def _identity(bot: Bot) -> str:
    """Equal for bots that play alike."""
    values = bot.to_dict() | {"label": ""}
    return f"{values} {id(bot.strategy) if values.get('origin', '') is None else ''}"


def _varied_name(label: str, axes: Sequence[Axis]) -> str:
    """``greedy,speed=…``"""
    keys = [axis.key for axis in axes if axis.of != RULE]
    words = [word for word in label.split(",") if word.partition("=")[0] not in keys]
    return ",".join([*words, *(f"{key}=…" for key in keys)])


def _rotations(cast: Sequence[int], sides: Sequence[int], rotate: bool) -> tuple[np.ndarray, np.ndarray]:
    """Seatings and sides, rotated over the seats; those that are equal once."""
    shifts = range(len(cast) if rotate else 1)
    both = dict.fromkeys((tuple(np.roll(cast, shift)), tuple(np.roll(sides, shift))) for shift in shifts)
    return np.array([one for one, _ in both], np.int16), np.array([one for _, one in both], np.int8)

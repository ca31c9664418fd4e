"""What is tuned: parameters with their ranges, as the unit cube that the methods search."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

import numpy as np

from nertsim.bots.strategy import Bot
from nertsim.errors import UsageError, unknown

DIGITS = 3
"""A tuned value is rounded to a thousandth of its range, about: finer than any tuning can tell apart."""


@dataclasses.dataclass(frozen=True)
class Axis:
    """A parameter that is tuned, and its range."""

    name: str
    low: float
    high: float
    whole: bool = False
    """True for whole numbers, and for switches, which are 0 or 1."""

    @property
    def width(self) -> float:
        """The range, in units of the parameter."""
        return self.high - self.low


@dataclasses.dataclass(frozen=True)
class Space:
    """The parameters that are tuned. A *point* is float64 (axes,), each 0 … 1 from `low` to `high`.

    A whole number is searched as if there were something between: 2.3 is played as 3 in three of ten trials, and as 2
    in the others.
    """

    axes: tuple[Axis, ...]

    def __len__(self) -> int:
        return len(self.axes)

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters, in the order of a point."""
        return tuple(axis.name for axis in self.axes)

    @property
    def low(self) -> np.ndarray:
        """float64 (axes,): where the ranges begin."""
        return np.array([axis.low for axis in self.axes])

    @property
    def width(self) -> np.ndarray:
        """float64 (axes,): the ranges."""
        return np.array([axis.width for axis in self.axes])

    @property
    def whole(self) -> np.ndarray:
        """bool (axes,): which are whole numbers."""
        return np.array([axis.whole for axis in self.axes], bool)

    def point(self, values: Sequence[float]) -> np.ndarray:
        """The point of these values, float64 (axes,)."""
        return (np.asarray(values, float) - self.low) / self.width

    def played(self, points: np.ndarray, shares: np.ndarray | float = 0.5) -> np.ndarray:
        """The values that points (…, axes) are played with; of a whole number the next below, or the one above where
        what is over is at least 1 − `shares` (…, axes; 0 … 1).
        """
        values = self.low + points * self.width
        whole = np.clip(np.floor(values + shares), self.low, self.low + self.width)
        return np.where(self.whole, whole, values)

    def rounded(self, point: np.ndarray) -> list[float]:
        """The values of a point as they are written down."""
        values = self.played(point)
        return [
            float(value) if axis.whole else _round(float(value), axis)
            for value, axis in zip(values, self.axes, strict=True)
        ]


def _round(value: float, axis: Axis) -> float:
    digits = DIGITS - math.floor(math.log10(axis.width))
    return min(max(round(value, digits), axis.low), axis.high)


def make_space(bot: Bot, parameters: Sequence[str] | None) -> Space:
    """The space of a bot's parameters: ``NAME`` or ``NAME=LOW:HIGH`` each, all of them where none is given.

    UsageError for a parameter or a range that it does not have, and for a start out of the range.
    """
    known = bot.strategy.parameters
    if not known:
        raise UsageError(f"the bot {bot.label} has no parameters to tune")
    chosen: dict[str, Axis] = {}
    for text in parameters or known:
        axis = _axis(bot, text)
        if axis.name in chosen:
            raise UsageError(f"the parameter {axis.name} is given twice")
        chosen[axis.name] = axis
    return Space(tuple(chosen[name] for name in known if name in chosen))


def _axis(bot: Bot, text: str) -> Axis:
    name, equals, span = (part.strip() for part in text.partition("="))
    known = bot.strategy.parameters
    if name not in known:
        raise UsageError(unknown(f"parameter of {bot.strategy.name}", name, known))
    one = known[name]
    low, high = _span(name, span) if equals else (float(one.low), float(one.high))
    if not one.low <= low < high <= one.high:
        fixed = "is always" if one.low == one.high else "can be tuned within"
        raise UsageError(f"{name} {fixed} {one.low:g}:{one.high:g}, not {low:g}:{high:g}")
    if one.whole and not (low.is_integer() and high.is_integer()):
        raise UsageError(f"{name} is a whole number; its range cannot be {low:g}:{high:g}")
    value = bot.values.get(name, one.default)
    if not low <= value <= high:
        raise UsageError(f"{name} starts at {value:g}, which is not within {low:g}:{high:g}; give it another start")
    return Axis(name, low, high, one.whole)


def _span(name: str, text: str) -> tuple[float, float]:
    low, colon, high = text.partition(":")
    try:
        if not colon:
            raise ValueError
        return float(low), float(high)
    except ValueError:
        raise UsageError(f"the range of {name} must be LOW:HIGH, as {name}=0:10, not '{text}'") from None

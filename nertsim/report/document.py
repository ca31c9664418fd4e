"""What a report is made of: pages of sections of texts, tables, figures and commands. Nothing here knows HTML."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from typing import Any

from nertsim.report.words.numbers import number


@dataclasses.dataclass(frozen=True)
class Cell:
    """A figure in a table: its text, and the value to the last digit, with the place where the API has it."""

    text: str
    value: float | int | None = None
    key: str = ""
    """``seats.0.mean_score``: keys and places in the run's summary, or in the report's own data."""

    @property
    def exact(self) -> str:
        """The value as JSON writes it; nothing where there is none."""
        return "" if self.value is None or self.value != self.value else repr(self.value)


@dataclasses.dataclass(frozen=True)
class Table:
    """Rows of texts and cells; columns in `numbers` are set to the right."""

    columns: Sequence[str]
    rows: Sequence[Sequence[Cell | str]]
    caption: str = ""
    numbers: frozenset[int] = frozenset()


@dataclasses.dataclass(frozen=True)
class Figure:
    """A plot: `draw` makes the matplotlib figure when it is asked for."""

    name: str
    """Names the file, and the element of the page; unique on its page."""
    title: str
    stands_on: str
    """What stands behind it, and what its intervals are: ``100,000 deals; bands: 95 % intervals``."""
    draw: Callable[[], Any]
    wide: bool = False
    """As wide as the page, not half of it."""


@dataclasses.dataclass(frozen=True)
class Text:
    """A paragraph."""

    text: str


@dataclasses.dataclass(frozen=True)
class Command:
    """Something to type, with what it is for."""

    label: str
    command: str
    figures: Sequence[Cell] = ()
    """Of what it shows."""


@dataclasses.dataclass(frozen=True)
class Missing:
    """What cannot be told of this run, why, and how one gets it."""

    text: str
    command: str = ""


@dataclasses.dataclass(frozen=True)
class Facts:
    """Names and what they are, for what is no table."""

    facts: Sequence[tuple[str, str]]


Part = Text | Table | Figure | Command | Missing | Facts


@dataclasses.dataclass(frozen=True)
class Section:
    """A part of a page with a heading; `name` is unique on its page."""

    name: str
    title: str
    parts: Sequence[Part]


@dataclasses.dataclass(frozen=True)
class Page:
    """Everything about one run. `answers` are the first things that one wants to know: what, how much, how sure."""

    kind: str
    title: str
    subtitle: str
    answers: Sequence[tuple[str, Cell, str]]
    sections: Sequence[Section]
    data: dict[str, Any] = dataclasses.field(default_factory=dict)
    """What the report found beside the run's summary, as JSON can hold it."""

    @property
    def figures(self) -> list[Figure]:
        """All plots, in their order."""
        return [part for section in self.sections for part in section.parts if isinstance(part, Figure)]


MOST_DIGITS = 6


def mean_cell(mean: float, interval: Sequence[float], key: str, digits: int = 2, scale: float = 1.0) -> Cell:
    """``6.01 ± 0.07``, with as many digits as the error has at least one of; the value is the mean."""
    half, digits = scale * (interval[1] - interval[0]) / 2, fitting_digits(interval, digits, scale)
    error = "" if math.isnan(half) else f" ± {text_of(half, digits)}"
    return Cell(f"{text_of(scale * mean, digits)}{error}", mean, key)


def range_cell(interval: Sequence[float], key: str, digits: int = 1, scale: float = 100.0) -> Cell:
    """``24.8 to 25.0``; the value is the lower end, as in the API."""
    digits = fitting_digits(interval, digits, scale)
    low, high = (text_of(scale * end, digits) for end in interval)
    return Cell("–" if low == "–" else f"{low} to {high}", interval[0], f"{key}.0")


def number_cell(
    value: float, key: str, digits: int = 1, scale: float = 1.0, interval: Sequence[float] = (math.nan, math.nan)
) -> Cell:
    """A figure alone, with the digits that its interval has."""
    return Cell(text_of(scale * value, fitting_digits(interval, digits, scale)), value, key)


def share_cell(share: float, key: str, digits: int = 1) -> Cell:
    """A share in per cent; no 100.0 or 0.0 where it is not."""
    while digits < MOST_DIGITS and 0 < share < 1 and round(100 * share, digits) in (0, 100):
        digits += 1
    return Cell(text_of(100 * share, digits), share, key)


def count_cell(value: int, key: str) -> Cell:
    """A whole number."""
    return Cell(f"{value:,}", value, key)


def text_of(value: float, digits: int) -> str:
    """A number with so many digits, and a minus that is as wide as a plus."""
    text = number(value, digits)
    return text.replace("-", "−") if text.strip("-0.") else text.lstrip("-")  # no minus before nothing


def fitting_digits(interval: Sequence[float], digits: int, scale: float) -> int:
    """Digits after the point, `digits` at least, so that half of the interval has one that is not 0."""
    half = abs(scale) * (interval[1] - interval[0]) / 2
    while half > 0 and digits < MOST_DIGITS and half < 10.0**-digits:
        digits += 1
    return digits

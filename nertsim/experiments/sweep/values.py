"""Values and ranges as text: ``0.8,1,1.25``, ``0.8:1.25:10``, ``1:64:7:log``, and both in one line."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from nertsim.errors import UsageError

MAX_VALUES = 1000
NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]{1,2})?", re.ASCII)
LOG = "log"
FORMS = "LOW:HIGH:STEPS, as 0.8:1.25:10 for ten values, or LOW:HIGH:STEPS:log for equal ratios"


def parse_values(name: str, text: str, read: Callable[[str], Any], numbers: str) -> list[Any]:
    """The values that `text` lists: single ones, read by `read`, and ranges, both ends included.

    `numbers` is "whole" or "real" where ranges make sense, else "". Linear steps are exact: 0.8:1.25:10 holds 0.85 as
    one would write it. UsageError, naming the parameter, for what cannot be read.
    """
    values: list[Any] = []
    for word in (part.strip() for part in text.split(",")):
        if not word:
            raise UsageError(f"{name}={text} has an empty value; write {name}=VALUE,VALUE or {name}=LOW:HIGH:STEPS")
        if numbers and ":" in word:
            values += parse_range(name, word, numbers == "whole")
        else:
            values.append(read(word))
    return values


def parse_range(name: str, text: str, whole: bool) -> list[float] | list[int]:
    """The values of a range, floats or whole numbers; UsageError where it is none."""
    words = [word.strip() for word in text.split(":")]
    is_log = len(words) == 4 and words[-1] == LOG
    if is_log:
        words.pop()
    if len(words) == 2 and whole and all(NUMBER.fullmatch(word) for word in words):
        words.append(str(max(0, int(Fraction(words[1]) - Fraction(words[0]))) + 1))
    if len(words) != 3 or not all(NUMBER.fullmatch(word) for word in words) or not words[2].isdecimal():
        raise UsageError(f"'{text}' for {name} is not a range: {FORMS}")
    low, high, steps = Fraction(words[0]), Fraction(words[1]), int(words[2])
    if not low < high or not 2 <= steps <= MAX_VALUES:
        raise UsageError(f"'{text}' for {name} needs LOW below HIGH and from 2 to {MAX_VALUES} steps")
    if is_log and low <= 0:
        raise UsageError(f"'{text}' for {name} has equal ratios, so LOW must be above 0")
    if whole:
        return _whole_range(name, text, low, high, steps, is_log)
    if is_log:
        ratio = float(high / low)
        inner = [float(low) * ratio ** (step / (steps - 1)) for step in range(1, steps - 1)]
        return [float(low), *inner, float(high)]
    return [float(low + (high - low) * step / (steps - 1)) for step in range(steps)]


def _whole_range(name: str, text: str, low: Fraction, high: Fraction, steps: int, is_log: bool) -> list[int]:
    if low.denominator != 1 or high.denominator != 1:
        raise UsageError(f"{name} is a whole number, but '{text}' has other ends")
    if is_log:
        ratio = float(high / low)
        rounded = [round(float(low) * ratio ** (step / (steps - 1))) for step in range(steps)]
        return list(dict.fromkeys(rounded))
    distance = int(high - low)
    if distance % (steps - 1):
        fitting = min((one for one in range(1, distance + 1) if distance % one == 0), key=lambda n: abs(n + 1 - steps))
        raise UsageError(
            f"{name} is a whole number, but '{text}' has values between; {int(low)}:{int(high)}:{fitting + 1} has none"
        )
    return [int(low) + distance // (steps - 1) * step for step in range(steps)]


def value_text(value: Any) -> str:
    """A value as one writes it, to at most six digits: ``0.85``, ``true``, ``first``, ``13/10``."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (tuple, list)):
        return "/".join(map(value_text, value))
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def exact_text(value: Any) -> str:
    """The same to the last digit."""
    return repr(value).removesuffix(".0") if isinstance(value, float) else value_text(value)

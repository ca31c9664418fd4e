"""Values that people give to functions, checked."""

from __future__ import annotations

from numbers import Integral
from typing import Any

from nertsim.errors import UsageError


def whole_number(name: str, value: Any, low: int, high: int) -> int:
    """`value` as an int; UsageError where it is not a whole number from `low` to `high`."""
    whole = isinstance(value, Integral) or (isinstance(value, float) and value.is_integer())
    if isinstance(value, bool) or not whole or not low <= value <= high:
        raise UsageError(f"{name} must be a whole number from {low} to {high}, not {value!r}")
    return int(value)

"""How fast and how attentive a hand is: the human side of the clock, apart from any strategy.

A hand that decides among `n` actions thinks for ``think + think_per_bit * log2(n + 1)`` (Hick–Hyman) and then moves for
a time that depends on the kind of action alone (Fitts: near inside the layout, far to the common area). Each of the two
is multiplied by a log-normal variate with median 1. `speed` divides all of it. `oversight` is the chance that a legal
card action is not noticed at a decision; drawing, recycling, rotating and calling are never overlooked, since they are
what a hand does that sees nothing else.
"""

from __future__ import annotations

import dataclasses
import math
from statistics import NormalDist
from typing import Any, NamedTuple

from nertsim.codes import Action
from nertsim.errors import TempoError, unknown

QUANTILES = 1024
"""Entries in a table of log-normal quantiles, at the midpoints (i + 0.5) / 1024."""
ALTERNATIVES = 64
"""Entries in a table of think times: the number of alternatives, the last for all larger ones."""
FACTOR_BITS = 16
"""Factors are integers in units of 2**-16."""
SHORTEST_US = 100
"""The least median time, so that no variation brings a time below 1 µs."""
OVERSIGHT_SCALE = 32768


class KernelTempo(NamedTuple):
    """A tempo as the kernels take it, in integers (lists here, arrays in the engine)."""

    think_us: list[int]
    """Median think time for 0 … 63 alternatives."""
    motion_us: list[int]
    """Median motion time by `Action`; entry 0 and WAIT are not used."""
    think_factor: list[int]
    """Log-normal quantiles in units of 2**-16, QUANTILES of them."""
    motion_factor: list[int]
    oversight: int
    """In units of 1/32768."""


@dataclasses.dataclass(frozen=True)
class Tempo:
    """How fast and how attentive a hand is; times in seconds. Raises `TempoError` for values out of range."""

    think: float = 0.40
    think_per_bit: float = 0.08
    near: float = 0.60
    far: float = 0.80
    draw: float = 0.70
    recycle: float = 1.30
    rotate: float = 0.70
    call: float = 0.35
    think_variation: float = 0.30
    motion_variation: float = 0.20
    oversight: float = 0.05
    speed: float = 1.0

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            low, high = RANGES[field.name]
            value = getattr(self, field.name)
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
                raise TempoError(f"{field.name} must be a number from {low:g} to {high:g}, not {value!r}")
            object.__setattr__(self, field.name, float(value))

    def replace(self, **changes: Any) -> Tempo:
        """The same tempo with some values changed; TempoError for a name that is none of its values."""
        for name in changes:
            if name not in RANGES:
                raise TempoError(unknown("tempo value", name, RANGES))
        return dataclasses.replace(self, **changes)

    def to_dict(self) -> dict[str, float]:
        """All values by name."""
        return dataclasses.asdict(self)

    def to_kernel(self) -> KernelTempo:
        """The tables that the kernels read, all in whole µs and whole units of 2**-16."""
        motion = [1] * (max(Action) + 1)
        for action, seconds in self._motion_seconds().items():
            motion[action] = _microseconds(seconds / self.speed)
        return KernelTempo(
            think_us=[
                _microseconds((self.think + self.think_per_bit * math.log2(count + 1)) / self.speed)
                for count in range(ALTERNATIVES)
            ],
            motion_us=motion,
            think_factor=_lognormal_factors(self.think_variation),
            motion_factor=_lognormal_factors(self.motion_variation),
            oversight=round(self.oversight * OVERSIGHT_SCALE),
        )

    def _motion_seconds(self) -> dict[Action, float]:
        return {
            Action.PLAY: self.far,
            Action.BUILD: self.near,
            Action.FILL: self.near,
            Action.MOVE: self.near,
            Action.SLIDE: self.near,
            Action.DRAW: self.draw,
            Action.RECYCLE: self.recycle,
            Action.ROTATE: self.rotate,
            Action.CALL: self.call,
        }


def _microseconds(seconds: float) -> int:
    return max(SHORTEST_US, round(seconds * 1e6))


def _lognormal_factors(sigma: float) -> list[int]:
    normal = NormalDist()
    quantiles = (normal.inv_cdf((index + 0.5) / QUANTILES) for index in range(QUANTILES))
    return [round(math.exp(sigma * quantile) * 2**FACTOR_BITS) for quantile in quantiles]


_SECONDS = (0.001, 60.0)
RANGES: dict[str, tuple[float, float]] = {
    "think": _SECONDS,
    "think_per_bit": (0.0, 60.0),
    "near": _SECONDS,
    "far": _SECONDS,
    "draw": _SECONDS,
    "recycle": _SECONDS,
    "rotate": _SECONDS,
    "call": _SECONDS,
    "think_variation": (0.0, 1.0),
    "motion_variation": (0.0, 1.0),
    "oversight": (0.0, 0.95),
    "speed": (0.01, 100.0),
}

MEANINGS: dict[str, str] = {
    "think": "seconds to see the table and settle on an action, before any choice",
    "think_per_bit": "seconds more each time the number of alternatives doubles (Hick–Hyman)",
    "near": "seconds to carry a card inside the own layout (Fitts)",
    "far": "seconds to carry a card to the common area (Fitts)",
    "draw": "seconds to count off and turn cards from the stock",
    "recycle": "seconds to turn the waste over",
    "rotate": "seconds to put the top card of the stock to its bottom",
    "call": "seconds to call",
    "think_variation": "standard deviation of the logarithm of a think time",
    "motion_variation": "standard deviation of the logarithm of a motion time",
    "oversight": "chance that a legal card action is not noticed at a decision",
    "speed": "everything is so many times as fast",
}


class TempoPreset(NamedTuple):
    """A tempo under a name, with where its figures come from."""

    name: str
    tempo: Tempo
    description: str


TEMPOS: dict[str, TempoPreset] = {
    preset.name: preset
    for preset in (
        TempoPreset(
            "beginner",
            Tempo(
                think=0.63,
                think_per_bit=0.16,
                near=0.85,
                far=1.15,
                draw=1.10,
                recycle=2.00,
                rotate=1.10,
                call=0.60,
                think_variation=0.40,
                motion_variation=0.25,
                oversight=0.15,
            ),
            "Searches the table instead of knowing it: 0.30 s and one more eye movement of 0.23 s before a choice "
            "(Cockburn 2007; Card, Moran & Newell 1983), twice the practised cost of an alternative, a card sorted in "
            "about 1 s.",
        ),
        TempoPreset(
            "average",
            Tempo(),
            "A practised choice of 0.24 + 0.08 log2 n s (Cockburn 2007) after one glance of 0.16 s; a card is picked "
            "up and put down in two Fitts movements of 150 + 90 log2(2D/W) ms, cards 6 cm wide, 12 cm inside the "
            "layout and 20 to 30 cm to the common area, partly overlapped.",
        ),
        TempoPreset(
            "expert",
            Tempo(
                think=0.27,
                think_per_bit=0.06,
                near=0.42,
                far=0.56,
                draw=0.45,
                recycle=0.80,
                rotate=0.45,
                call=0.25,
                think_variation=0.22,
                motion_variation=0.15,
                oversight=0.01,
            ),
            "A simple reaction of 0.23 s (Woods 2015) plus a short choice, movements at the fast end of the ranges of "
            "Card, Moran & Newell (1983).",
        ),
    )
}


def load_tempo(name: str) -> Tempo:
    """The tempo of that name; TempoError with the nearest spelling where there is none."""
    if name not in TEMPOS:
        raise TempoError(unknown("tempo", name, TEMPOS))
    return TEMPOS[name].tempo

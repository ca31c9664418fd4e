"""A strategy is a jitted function and its parameters; a bot is a strategy with values and a tempo.

No numba here: the function of a built-in strategy is imported when it is first asked for, so that names and
values are checked, and errors told, before anything slow is loaded.
"""

from __future__ import annotations

import dataclasses
import importlib
from collections.abc import Mapping
from typing import Any

from nertsim.errors import BotError, unknown
from nertsim.tempo import TEMPOS, Tempo

MAX_PARAMETERS = 64
MAX_SCRATCH = 64
SECOND = "second."
"""What stands before the words for the tempo of the second hand."""


@dataclasses.dataclass(frozen=True)
class Parameter:
    """A number that changes how a strategy plays: default, range, and what it means."""

    default: float
    low: float
    high: float
    meaning: str


@dataclasses.dataclass(frozen=True)
class Strategy:
    """A way to play: `decide` (see `nertsim.bots.view`), its parameters by name, how much scratch it wants.

    `watches` says whether it looks at the layouts of other seats. A strategy that does not may say so and is faster
    at the table; what it sees of other layouts may then be as they were before the motion that is under way.

    `decide` may be given as text, ``"package.module:function"``; it is then imported when `decide` is first read.
    """

    name: str
    decide: Any = dataclasses.field(repr=False, compare=False)
    description: str
    parameters: Mapping[str, Parameter] = dataclasses.field(default_factory=dict)
    scratch: int = 0
    watches: bool = True

    def __post_init__(self) -> None:
        if isinstance(self.decide, str):
            object.__setattr__(self, "_where", self.decide)
            object.__delattr__(self, "decide")

    def __getattr__(self, name: str) -> Any:
        # Called only for what the instance does not have: `decide`, while it is still a text.
        if name != "decide" or "_where" not in self.__dict__:
            raise AttributeError(f"a strategy has no {name!r}")
        module, _, function = self.__dict__["_where"].partition(":")
        decide = getattr(importlib.import_module(module), function)
        object.__setattr__(self, "decide", decide)
        return decide


@dataclasses.dataclass(frozen=True)
class Bot:
    """A strategy, the values of its parameters, and a tempo for its hands.

    `label` names the bot in every table (its strategy and what differs from the defaults, where none is given); seats
    whose bots have the same label are counted as one bot. Raises `BotError` for a parameter that the strategy does not
    have, and for a value out of its range.
    """

    strategy: Strategy
    tempo: Tempo = dataclasses.field(default_factory=Tempo)
    values: Mapping[str, float] = dataclasses.field(default_factory=dict)
    label: str = ""
    second: Tempo | None = None
    """Tempo of the second hand, where the seat has two; None: as the first."""

    def __post_init__(self) -> None:
        known = self.strategy.parameters
        for name, value in self.values.items():
            if name not in known:
                raise BotError(unknown(f"parameter of {self.strategy.name}", name, known))
            parameter = known[name]
            if not parameter.low <= value <= parameter.high:
                raise BotError(
                    f"{self.strategy.name}: {name} must be from {parameter.low:g} to {parameter.high:g}, not {value!r}"
                )
        object.__setattr__(self, "label", self.label or self._own_label())

    @property
    def second_tempo(self) -> Tempo:
        """Tempo of the second hand."""
        return self.tempo if self.second is None else self.second

    def vector(self) -> list[float]:
        """The values of all parameters in the strategy's order."""
        return [float(self.values.get(name, one.default)) for name, one in self.strategy.parameters.items()]

    def to_dict(self) -> dict[str, Any]:
        """Everything that decides how the bot plays, in plain values (the manifest of a run)."""
        parameters = dict(zip(self.strategy.parameters, self.vector(), strict=True))
        return {
            "label": self.label,
            "strategy": self.strategy.name,
            "parameters": parameters,
            "tempo": self.tempo.to_dict(),
        } | ({} if self.second is None else {"second": self.second.to_dict()})

    def _own_label(self) -> str:
        words = [self.strategy.name] + [f"{name}={value:g}" for name, value in self.values.items()]
        words += _tempo_words(self.tempo, Tempo())
        words += [SECOND + word for word in _tempo_words(self.second_tempo, self.tempo)]
        return ",".join(words)


def _tempo_words(tempo: Tempo, usual: Tempo) -> list[str]:
    """What makes `tempo` of the usual one: nothing, the name of a preset, or values."""
    if tempo == usual:
        return []
    for preset in TEMPOS.values():
        if preset.tempo == tempo:
            return [f"tempo={preset.name}"]
    before = usual.to_dict()
    return [f"{name}={value:g}" for name, value in tempo.to_dict().items() if value != before[name]]

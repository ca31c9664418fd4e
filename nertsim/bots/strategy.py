"""A strategy and its parameters; a bot is a strategy with values and a tempo.

No numba here: the function of a built-in strategy is imported when it is first asked for, so that names and
values are checked, and errors told, before anything slow is loaded.
"""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import math
from collections.abc import Callable, Mapping
from typing import Any, overload

from nertsim.errors import BotError, unknown
from nertsim.tempo import RANGES, TEMPOS, Tempo

MAX_PARAMETERS = 64
MAX_SCRATCH = 64
"""Numbers in a bot's scratch, as the engine has them (`nertsim.engine.layout`)."""
SECOND = "second."
"""What stands before the words for the tempo of the second hand."""
ARGUMENTS = ("view", "parameters", "scratch", "noise")
RESERVED = ("strategy", "tempo", "second", "description", "provenance", *RANGES)
"""Keys of a bot that no parameter can have as its name."""


@dataclasses.dataclass(frozen=True)
class Parameter:
    """A number that changes how a strategy plays: default, range, and what it means.

    Raises `BotError` for a range that is none, and for a default out of it.
    """

    default: float
    low: float
    high: float
    meaning: str
    whole: bool = False
    """True for a whole number, and for a switch, which is 0 or 1."""

    def __post_init__(self) -> None:
        try:
            numbers = [float(self.default), float(self.low), float(self.high)]
        except (TypeError, ValueError):
            raise BotError(f"default, low and high of a parameter must be numbers: {self!r}") from None
        if not all(map(math.isfinite, numbers)) or not numbers[1] <= numbers[0] <= numbers[2]:
            raise BotError(f"a parameter needs finite numbers with low <= default <= high: {self!r}")
        if self.whole and not all(number.is_integer() for number in numbers):
            raise BotError(f"default, low and high of a whole number must be whole: {self!r}")


@dataclasses.dataclass(frozen=True)
class Origin:
    """Where a strategy that is not built in comes from."""

    spec: str
    """What names it on the command line: ``mybot.py:clever``, or the name that a package gives it."""
    file: str
    """The file with its function."""
    sha256: str
    """Fingerprint of the file, and of what it imports from beside it."""


@dataclasses.dataclass(frozen=True)
class Later:
    """A function that is not there yet."""

    load: Callable[[], Callable[..., Any]]


@dataclasses.dataclass(frozen=True)
class Strategy:
    """A way to play: `decide` (see `nertsim.bots.view`), its parameters by name, how much scratch it wants.

    `watches` says whether it looks at the layouts of other seats. A strategy that does not may say so and is faster
    at the table; what it sees of other layouts may then be as they were before the motion that is under way.

    `decide` may be given as text, ``"package.module:function"``, or as `Later`; the function is then fetched when
    `decide` is first read. Raises `BotError` for parameters that no bot can be given.
    """

    name: str
    decide: Any = dataclasses.field(repr=False, compare=False)
    description: str
    parameters: Mapping[str, Parameter] = dataclasses.field(default_factory=dict)
    scratch: int = MAX_SCRATCH
    watches: bool = True
    origin: Origin | None = None
    """None for what is built in, or exists in this process alone."""

    def __post_init__(self) -> None:
        self._check_parameters()
        if isinstance(self.decide, (str, Later)):
            object.__setattr__(self, "_later", self.decide)
            object.__delattr__(self, "decide")

    def _check_parameters(self) -> None:
        if len(self.parameters) > MAX_PARAMETERS:
            raise BotError(f"{self.name} has {len(self.parameters)} parameters; {MAX_PARAMETERS} are the most")
        for name, one in self.parameters.items():
            if not isinstance(name, str) or not name.isidentifier() or name in RESERVED:
                what = "means something else" if name in RESERVED else "is not a name of letters, digits and _"
                raise BotError(f"{self.name}: a parameter cannot be called '{name}', which {what}")
            if not isinstance(one, Parameter):
                raise BotError(f"{self.name}: the parameter {name} must be a nertsim.Parameter, not {one!r}")

    def __getattr__(self, name: str) -> Any:
        # Called only for what the instance does not have: `decide`, while it is still to be fetched.
        if name != "decide" or "_later" not in self.__dict__:
            raise AttributeError(f"a strategy has no {name!r}")
        later = self.__dict__["_later"]
        decide = later.load() if isinstance(later, Later) else _import(later)
        object.__setattr__(self, "decide", decide)
        return decide

    @property
    def is_built_in(self) -> bool:
        """True for the strategies of nertsim itself."""
        later = self.__dict__.get("_later")
        return isinstance(later, str) and later.startswith("nertsim.")

    @property
    def spec(self) -> str:
        """What names it on the command line; BotError for one that exists in Python alone."""
        if self.origin is not None:
            return self.origin.spec
        if not self.is_built_in:
            raise BotError(f"the bot {self.name} has no name on the command line: it was made in Python")
        return self.name


def _import(where: str) -> Any:
    module, _, function = where.partition(":")
    return getattr(importlib.import_module(module), function)


@overload
def strategy(function: Callable[..., Any], /) -> Strategy: ...
@overload
def strategy(
    *,
    parameters: Mapping[str, Parameter] | None = None,
    watches: bool = True,
    name: str | None = None,
    description: str | None = None,
) -> Callable[[Callable[..., Any]], Strategy]: ...
def strategy(
    function: Callable[..., Any] | None = None,
    /,
    *,
    parameters: Mapping[str, Parameter] | None = None,
    watches: bool = True,
    name: str | None = None,
    description: str | None = None,
) -> Any:
    """Decorator that makes a strategy of a function ``decide(view, parameters, scratch, noise)``.

    Its name and the first line of its docstring are those of the strategy, unless others are given; see `Strategy`
    for the rest. Raises `BotError` for a function that cannot be one.
    """

    def make(decide: Callable[..., Any]) -> Strategy:
        plain = getattr(decide, "py_func", decide)
        _check_arguments(plain)
        lines = (inspect.getdoc(plain) or "").strip().splitlines()
        return Strategy(
            name=name or plain.__name__,
            decide=plain,
            description=description or (lines[0] if lines else "no description"),
            parameters=dict(parameters or {}),
            watches=watches,
        )

    return make if function is None else make(function)


def _check_arguments(function: Any) -> None:
    if not inspect.isfunction(function):
        raise BotError(f"{function!r} is not a function; a strategy is one, of {', '.join(ARGUMENTS)}")
    wanted = len(ARGUMENTS)
    kinds = [one.kind for one in inspect.signature(function).parameters.values()]
    if len(kinds) != wanted or any(kind is not inspect.Parameter.POSITIONAL_OR_KEYWORD for kind in kinds):
        raise BotError(
            f"{function.__name__}{inspect.signature(function)} is not a strategy: "
            f"it must take exactly ({', '.join(ARGUMENTS)})"
        )


@dataclasses.dataclass(frozen=True)
class Bot:
    """A strategy, the values of its parameters, and a tempo for its hands.

    `label` names the bot in every table (its strategy and what differs from the defaults, where none is given); seats
    whose bots have the same label are counted as one bot. A function ``decide(view, parameters, scratch, noise)`` is
    taken for a strategy without parameters. Raises `BotError` for a parameter that the strategy does not have, and for
    a value out of its range.
    """

    strategy: Strategy
    tempo: Tempo = dataclasses.field(default_factory=Tempo)
    values: Mapping[str, float] = dataclasses.field(default_factory=dict)
    label: str = ""
    second: Tempo | None = None
    """Tempo of the second hand, where the seat has two; None: as the first."""

    def __post_init__(self) -> None:
        if not isinstance(self.strategy, Strategy):
            object.__setattr__(self, "strategy", strategy(self.strategy))
        known = self.strategy.parameters
        for name, value in self.values.items():
            if name not in known:
                raise BotError(unknown(f"parameter of {self.strategy.name}", name, known))
            low, high = known[name].low, known[name].high
            if isinstance(value, str) or not low <= value <= high:
                raise BotError(f"{self.strategy.name}: {name} must be from {low:g} to {high:g}, not {value!r}")
            if known[name].whole and not float(value).is_integer():
                raise BotError(f"{self.strategy.name}: {name} must be a whole number, not {value!r}")
        if self.second == self.tempo:
            object.__setattr__(self, "second", None)  # one bot, however it is written
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
        } | self._more()

    def _more(self) -> dict[str, Any]:
        second = {} if self.second is None else {"second": self.second.to_dict()}
        if self.strategy.is_built_in:
            return second
        origin = self.strategy.origin
        return second | {"origin": None if origin is None else dataclasses.asdict(origin)}

    def spec(self) -> str:
        """What names the bot on the command line, to the last digit; BotError for one that exists in Python alone."""
        return self._words(self.strategy.spec, repr)

    def _own_label(self) -> str:
        return self._words(self.strategy.name, _short)

    def _words(self, name: str, text: Callable[[float], str]) -> str:
        words = [name] + [f"{key}={text(float(value))}" for key, value in self.values.items()]
        words += _tempo_words(self.tempo, Tempo(), text)
        words += [SECOND + word for word in _tempo_words(self.second_tempo, self.tempo, text)]
        return ",".join(words)


def _short(value: float) -> str:
    # Two bots that differ have different labels.
    text = f"{value:g}"
    return text if float(text) == value else repr(value)


def _tempo_words(tempo: Tempo, usual: Tempo, text: Callable[[float], str]) -> list[str]:
    named, changed = tempo_changes(tempo, usual)
    words = [] if named is None else [f"tempo={named}"]
    return words + [f"{name}={text(value)}" for name, value in changed.items()]


def tempo_changes(tempo: Tempo, usual: Tempo) -> tuple[str | None, dict[str, float]]:
    """The least that makes `tempo` of the usual one: the name of a preset, or none, and values."""
    starts: dict[str | None, Tempo] = {None: usual} | {preset.name: preset.tempo for preset in TEMPOS.values()}
    ways = [(named, _changed(tempo, start)) for named, start in starts.items()]
    return min(ways, key=lambda way: len(way[1]) + (way[0] is not None))


def _changed(tempo: Tempo, before: Tempo) -> dict[str, float]:
    return {name: value for name, value in tempo.to_dict().items() if value != before.to_dict()[name]}

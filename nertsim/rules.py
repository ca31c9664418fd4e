"""The rules of a deal: every option of section 3 of the model, checked together, read from and written to TOML."""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from nertsim.cards import DECK_SIZE, MAX_JOKERS
from nertsim.errors import RulesError, unknown

MAX_SEATS = 12
MAX_WORK_PILES = 7
MAX_MICROSECONDS = 10**11

ROLES = ("split", "free")
CALLING = ("optional", "automatic")
MID_AIR = ("count", "return")
TIE = ("both", "first")
GAPS = ("any", "nerts_at_once")
RUNS = ("any", "whole")
ROTATION = ("one", "none", "shuffle")
FOUNDATIONS = ("suit", "colour", "any")


class KernelRules(NamedTuple):
    """The rules as the kernels take them: plain integers; choices are positions in the tuples above."""

    seats: int
    roles: int
    work_piles: int
    draw: int
    leftover: int
    penalty: int
    call_bonus: int
    king_bonus: int
    automatic_call: int
    mid_air_returns: int
    tie_window_us: int
    nerts_at_once: int
    whole_runs: int
    slide: int
    rotation: int
    foundations: int
    jokers: int
    joker_unfix: int
    time_limit_us: int


def _option(meaning: str, check: Callable[[str, Any], Any]) -> dict[str, Any]:
    return {"meaning": meaning, "check": check}


def _whole(low: int, high: int) -> Callable[[str, Any], int]:
    def check(name: str, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise RulesError(f"{name} must be a whole number from {low} to {high}, not {value!r}")
        return value

    return check


def _whole_or_none(low: int, high: int) -> Callable[[str, Any], int | None]:
    def check(name: str, value: Any) -> int | None:
        return None if value is None else _whole(low, high)(name, value)

    return check


def _choice(choices: Sequence[str]) -> Callable[[str, Any], str]:
    def check(name: str, value: Any) -> str:
        if value not in choices:
            raise RulesError(f"{name} must be one of {', '.join(choices)}, not {value!r}")
        return str(value)

    return check


def _switch(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise RulesError(f"{name} must be true or false, not {value!r}")
    return value


def _each_seat(low: int, high: int) -> Callable[[str, Any], int | tuple[int, ...]]:
    one = _whole(low, high)

    def check(name: str, value: Any) -> int | tuple[int, ...]:
        if isinstance(value, str):
            raise RulesError(f"{name} must be one whole number, or one for each seat as [{high}, {low}], not {value!r}")
        if not isinstance(value, (list, tuple)):
            return one(name, value)
        return tuple(one(f"{name}[{seat}]", item) for seat, item in enumerate(value))

    return check


def _field(default: Any, meaning: str, check: Callable[[str, Any], Any]) -> Any:
    return dataclasses.field(default=default, metadata=_option(meaning, check))


@dataclasses.dataclass(frozen=True)
class Rules:
    """The rules of a deal and of a match; frozen and checked when made (section 3 of the model).

    Raises `RulesError` for a value that is not accepted and for a combination that cannot work.
    """

    seats: int = _field(4, "seats at the table, 1 (solitaire practice) to 12", _whole(1, MAX_SEATS))
    hands: int | tuple[int, ...] = _field(1, "hands a seat, 1 or 2: one number, or one for each seat", _each_seat(1, 2))
    roles: str = _field("split", "two hands: split (nerts and work piles / stock and waste) or free", _choice(ROLES))
    nerts: int | tuple[int, ...] = _field(
        13, "cards in the nerts pile: one number, or one for each seat (handicap)", _each_seat(1, 40)
    )
    work_piles: int = _field(4, "work piles a seat", _whole(1, MAX_WORK_PILES))
    draw: int = _field(3, "cards turned from the stock at a time", _whole(1, 5))
    leftover: bool = _field(True, "the last one or two cards of the stock are turned before it is turned over", _switch)
    penalty: int = _field(2, "points lost for each nerts card left", _whole(0, 100))
    call_bonus: int = _field(0, "points for the seat that calls", _whole(0, 1000))
    king_bonus: int = _field(0, "points for each own card that stands for a king on a foundation", _whole(0, 1000))
    calling: str = _field("optional", "the call is the bot's decision, or comes by itself", _choice(CALLING))
    mid_air: str = _field("count", "cards in mid-air at the call finish their motion, or return", _choice(MID_AIR))
    tie: str = _field("both", "in a tie both cards stay, or only the first", _choice(TIE))
    tie_window_us: int = _field(30_000, "how close two landings are a tie, in µs", _whole(0, MAX_MICROSECONDS))
    gaps: str = _field("any", "who has a gap may fill it, or must at once from the nerts pile", _choice(GAPS))
    runs: str = _field("any", "what moves between work piles: any part of a run, or only the whole", _choice(RUNS))
    slide: bool = _field(True, "a card may be slid under a work pile while there is a gap", _switch)
    rotation: str = _field("one", "what a stuck seat may do to its new stock", _choice(ROTATION))
    foundations: str = _field(
        "suit", "foundations go up in suit, in alternating colour, or with any suit", _choice(FOUNDATIONS)
    )
    jokers: int = _field(0, "jokers in each deck", _whole(0, MAX_JOKERS))
    joker_unfix: bool = _field(False, "a joker that is uncovered is no longer fixed", _switch)
    time_limit_us: int = _field(1_800_000_000, "a deal ends after this time, in µs", _whole(1, MAX_MICROSECONDS))
    target: int = _field(100, "points that end a match", _whole(1, 1_000_000))
    match_deals: int | None = _field(None, "deals in a match, instead of a target", _whole_or_none(1, 1_000_000))
    winner_handicap: int = _field(0, "nerts cards more for the winner of the deal before", _whole(0, 10))

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            object.__setattr__(self, field.name, field.metadata["check"](field.name, getattr(self, field.name)))
        self._check_together()

    def _check_together(self) -> None:
        for name in ("nerts", "hands"):
            value = getattr(self, name)
            if isinstance(value, tuple) and len(value) != self.seats:
                raise RulesError(f"{name} has {len(value)} values, but there are {self.seats} seats")
        cards = DECK_SIZE + self.jokers
        largest = max(self.nerts_list)
        if largest + self.winner_handicap + self.work_piles > cards:
            more = f", {self.winner_handicap} more for the winner" if self.winner_handicap else ""
            raise RulesError(
                f"a nerts pile of {largest}{more} and {self.work_piles} work piles need more than {cards} cards"
            )

    @property
    def nerts_list(self) -> tuple[int, ...]:
        """Nerts pile size of each seat."""
        return self.nerts if isinstance(self.nerts, tuple) else (self.nerts,) * self.seats

    @property
    def hands_list(self) -> tuple[int, ...]:
        """Hands of each seat."""
        return self.hands if isinstance(self.hands, tuple) else (self.hands,) * self.seats

    @property
    def largest_difference(self) -> int:
        """The largest difference that there can be between the scores of two seats in a deal."""
        kings = 4 + self.jokers
        most = DECK_SIZE + self.jokers + self.call_bonus + kings * self.king_bonus
        return most + self.penalty * max(self.nerts_list)

    def replace(self, **changes: Any) -> Rules:
        """The same rules with some options changed; RulesError for a name that is no option."""
        _check_names(changes)
        return dataclasses.replace(self, **changes)

    def to_dict(self) -> dict[str, Any]:
        """Every option with its effective value, `nerts` and `hands` as lists (the header of a trace)."""
        values = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        return values | {"hands": list(self.hands_list), "nerts": list(self.nerts_list)}

    def to_options(self) -> dict[str, str]:
        """What is not standard, as `parse_option` reads it."""
        values = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        standard = Rules()
        return {
            name: value if isinstance(value, str) else "none" if value is None else _toml_value(value)
            for name, value in values.items()
            if value != getattr(standard, name)
        }

    def to_kernel(self) -> KernelRules:
        """The rules as the kernels take them; nerts pile sizes and hands travel apart, as arrays."""
        return KernelRules(
            seats=self.seats,
            roles=ROLES.index(self.roles),
            work_piles=self.work_piles,
            draw=self.draw,
            leftover=int(self.leftover),
            penalty=self.penalty,
            call_bonus=self.call_bonus,
            king_bonus=self.king_bonus,
            automatic_call=CALLING.index(self.calling),
            mid_air_returns=MID_AIR.index(self.mid_air),
            tie_window_us=self.tie_window_us if self.tie == "both" else -1,
            nerts_at_once=GAPS.index(self.gaps),
            whole_runs=RUNS.index(self.runs),
            slide=int(self.slide),
            rotation=ROTATION.index(self.rotation),
            foundations=FOUNDATIONS.index(self.foundations),
            jokers=self.jokers,
            joker_unfix=int(self.joker_unfix),
            time_limit_us=self.time_limit_us,
        )

    def to_toml(self) -> str:
        """TOML that `from_toml` reads back, each option with its meaning beside it."""
        lines = []
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            text = f"# {field.name} = 10" if value is None else f"{field.name} = {_toml_value(value)}"
            lines.append(f"{text:<28} # {field.metadata['meaning']}")
        return "\n".join(lines) + "\n"

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Rules:
        """Rules from option names and values; what is not given is standard."""
        _check_names(values)
        given: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in values.items()
        }
        return cls(**given)

    @classmethod
    def from_toml(cls, text: str, source: str = "the rules") -> Rules:
        """Rules from TOML text; `source` names the text in errors."""
        try:
            values = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise RulesError(f"{source} is not TOML: {error}") from None
        values.pop("description", None)
        try:
            return cls.from_dict(values)
        except RulesError as error:
            raise RulesError(f"{source}: {error}") from None


def _toml_value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, tuple):
        return "[" + ", ".join(str(item) for item in value) + "]"
    return str(value)


def option_names() -> list[str]:
    """The names of all options, in the order of the model's table."""
    return [field.name for field in dataclasses.fields(Rules)]


def _check_names(values: Mapping[str, Any]) -> None:
    names = option_names()
    for name in values:
        if name not in names:
            raise RulesError(unknown("rule", name, names))


def parse_option(text: str) -> tuple[str, Any]:
    """``draw=1`` as (name, value), the value read as TOML, a bare word as text; RulesError where it has no '='."""
    name, equals, value = text.partition("=")
    name = name.strip()
    if not equals:
        raise RulesError(f"'{text}' is not of the form rule=value, as in draw=1")
    _check_names({name: None})
    if value.strip() in ("null", "none") and getattr(Rules(), name) is None:
        return name, None
    try:
        return name, tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return name, value.strip()

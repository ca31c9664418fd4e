"""Options that mean the same in every command, and how their values are written."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeVar

import click

from nertsim.errors import RulesError

if TYPE_CHECKING:
    from nertsim.rules import Rules

Command = TypeVar("Command", bound=Callable[..., Any])

LARGEST = 10**12
SUFFIXES = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9}
NUMBER = re.compile(r"([0-9][0-9_]*(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?)([kKmMgG]?)", re.ASCII)
RANGE = re.compile(r"([0-9_]+)(?::([0-9_]+))?", re.ASCII)


def parse_count(text: str) -> int:
    """``1000``, ``2_000_000``, ``1e6``, ``100k``, ``2.5M`` as a whole number; ValueError with what is accepted."""
    match = NUMBER.fullmatch(text.strip())
    if match:
        number = Decimal(match[1].replace("_", "")) * SUFFIXES[match[2].lower()]
        if number <= LARGEST and number == int(number) and number >= 1:
            return int(number)
    raise ValueError(f"'{text}' is not a whole number from 1 to 10^12, written as 5000, 2_000_000, 1e6, 100k or 1M")


def parse_deals(text: str) -> tuple[int, int]:
    """``K`` as (K, K+1), ``A:B`` as (A, B); ValueError with what is accepted."""
    match = RANGE.fullmatch(text.strip())
    if match and match[1].strip("_") and (match[2] is None or match[2].strip("_")):
        first = int(match[1].replace("_", ""))
        last = int(match[2].replace("_", "")) if match[2] else first + 1
        if first < last <= LARGEST:
            return first, last
    raise ValueError(f"'{text}' is neither the number of a deal, as 42, nor a range A:B with A below B, as 0:200")


class _Parsed(click.ParamType):
    """A value read by a function that raises ValueError with a whole sentence."""

    def __init__(self, name: str, parse: Callable[[str], Any]) -> None:
        self.name = name
        self._parse = parse

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str):
            return value
        try:
            return self._parse(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


def parse_hands(text: str) -> int | tuple[int, ...]:
    """``2`` as 2, ``1,2,2`` as a number for each seat; ValueError with what is accepted."""
    words = [word.strip() for word in text.split(",")]
    if any(word not in ("1", "2") for word in words):
        raise ValueError(f"'{text}' is neither 1 or 2 nor one of these for each seat, as 1,2,2")
    return int(words[0]) if len(words) == 1 else tuple(int(word) for word in words)


def parse_scores(text: str) -> tuple[int, ...]:
    """``55,80,-3,40`` as a number for each seat; ValueError with what is accepted."""
    words = [word.strip() for word in text.split(",")]
    if all(re.fullmatch(r"-?[0-9]{1,9}", word, re.ASCII) for word in words):
        return tuple(map(int, words))
    raise ValueError(f"'{text}' is not a whole number for each seat, as 55,80,-3,40")


def parse_seats(text: str) -> int:
    """``4`` as 4; ValueError for what is no whole number (how many seats there can be is a rule)."""
    digits = text.strip()
    if re.fullmatch(r"[+-]?[0-9]{1,30}", digits, re.ASCII):
        return int(digits)
    raise ValueError(f"'{text}' is not a whole number, as 4")


def _whole(low: int, high: int, words: str) -> Callable[[str], int]:
    def parse(text: str) -> int:
        digits = text.strip()
        if re.fullmatch(r"[0-9]{1,30}", digits, re.ASCII) and low <= int(digits) <= high:
            return int(digits)
        raise ValueError(f"'{text}' is not a whole number from {words}")

    return parse


COUNT = _Parsed("number", parse_count)
DEALS = _Parsed("deals", parse_deals)
SEATS = _Parsed("seats", parse_seats)
HANDS = _Parsed("hands", parse_hands)
SCORES = _Parsed("scores", parse_scores)
SEED = _Parsed("seed", _whole(0, 2**63 - 1, "0 to 9223372036854775807"))
THREADS = _Parsed("threads", _whole(1, 1024, "1 to 1024"))

debug_option = click.option("--debug", is_flag=True, expose_value=False, help="Show the traceback of an error.")

seed_option = click.option(
    "--seed", type=SEED, metavar="N", help="Seed of all randomness, 0 to 2^63 - 1. [default: drawn, and told]"
)

threads_option = click.option("--threads", type=THREADS, metavar="N", help="Threads. [default: all cores]")


def table_options(command: Command) -> Command:
    """--rules, --set, --seats, --hands, --bot: who sits at the table, and by which rules."""
    return click.option("--bot", "bots", multiple=True, metavar="SPEC", help=_BOT_HELP)(rules_options(command))


def rules_options(command: Command) -> Command:
    """--rules, --set, --seats, --hands: how many sit at the table, and by which rules."""
    for option in reversed(
        (
            click.option("--seats", type=SEATS, metavar="N", help="Seats, 1 to 12. [default: the rules']"),
            click.option("--hands", type=HANDS, metavar="N", help="Hands a seat, 1 or 2, or one for each: 1,2,2."),
            click.option("--rules", "rules_name", metavar="PRESET|FILE.toml", help="Rules: see `nertsim rules`."),
            click.option(
                "--set", "settings", multiple=True, metavar="KEY=VALUE", help="One rule, as draw=1. Repeatable."
            ),
        )
    ):
        command = option(command)
    return command


_BOT_HELP = "NAME[,key=value…], as greedy,speed=1.1: once for all seats, or once for each. [default: greedy]"


def format_option(default: str | None = "table") -> Callable[[Command], Command]:
    """--format table|csv|json."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(["table", "csv", "json"]),
        default=default,
        help="How to print the figures.",
    )


def read_rules(rules_name: str | None, settings: Sequence[str], seats: int | None, hands: Any) -> Rules:
    """The rules that --rules, --set, --seats and --hands name together."""
    from nertsim.presets import load_rules
    from nertsim.rules import Rules, parse_option

    rules = Rules() if rules_name is None else load_rules(rules_name)
    changes: dict[str, Any] = {}
    for name, value in (("seats", seats), ("hands", hands)):
        if value is not None:
            changes[name] = value
    for name, value in map(parse_option, settings):
        if changes.get(name, value) != value:
            raise RulesError(f"{name} is given twice, as {changes[name]} and as {value}")
        changes[name] = tuple(value) if isinstance(value, list) else value
    return rules.replace(**changes)


def again(seed: int | None, drawn: int) -> str:
    """The command that was given, with the seed that was drawn where it named none."""
    return shlex.join(["nertsim", *sys.argv[1:], *([] if seed is not None else ["--seed", str(drawn)])])


def read_bots(bots: Sequence[str]) -> list[str]:
    """The bots of --bot; the default one where there is none."""
    from nertsim.bots.builtin_names import DEFAULT_BOT

    return list(bots) or [DEFAULT_BOT]

"""How a bot is named in one line: ``NAME[,key=value…]``, as in ``greedy,tempo=expert,oversight=0.05``.

Keys are the parameters of the strategy, ``tempo`` (a named tempo, or a TOML file with a tempo's values) and the values
of a tempo, which change the named one wherever they stand in the line.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from nertsim.bots.builtin_names import BUILTIN
from nertsim.bots.strategy import Bot, Strategy
from nertsim.errors import BotError, TempoError, reason, unknown
from nertsim.tempo import RANGES, Tempo, load_tempo


def parse_bot(text: str) -> Bot:
    """The bot that `text` names; its label is `text` without blanks.

    Raises `BotError` or `TempoError`, naming the wrong word, what there is, and the nearest right spelling.
    """
    name, *options = (word.strip() for word in text.split(","))
    strategy = find_strategy(name)
    values: dict[str, float] = {}
    tempo_values: dict[str, float] = {}
    tempo = Tempo()
    for key, value in _pairs(options, text):
        if key == "tempo":
            tempo = read_tempo(value)
        elif key in strategy.parameters:
            values[key] = _number(key, value)
        elif key in RANGES:
            tempo_values[key] = _number(key, value)
        else:
            raise BotError(unknown(f"value of the bot {name}", key, _keys(strategy)))
    return Bot(strategy, tempo.replace(**tempo_values), values, label=",".join([name, *options]))


def find_strategy(name: str) -> Strategy:
    """The built-in strategy of that name; BotError where there is none."""
    if name in BUILTIN:
        return BUILTIN[name]
    if ":" in name or name.endswith((".py", ".toml")):
        raise BotError(f"'{name}' is not the name of a bot; bots in files cannot be read yet (there are: {_names()})")
    raise BotError(unknown("bot", name, BUILTIN))


def seat_bots(specs: str | Bot | Sequence[str | Bot], seats: int) -> tuple[Bot, ...]:
    """One bot for each seat, from one for all or one for each; BotError for any other number of them."""
    given: Sequence[str | Bot] = [specs] if isinstance(specs, (str, Bot)) else list(specs)
    if len(given) not in (1, seats):
        raise BotError(f"{len(given)} bots for {seats} seats; give one for all seats, or one for each seat")
    bots = [spec if isinstance(spec, Bot) else parse_bot(spec) for spec in given]
    return tuple(bots * seats if len(bots) == 1 else bots)


def bot_from_dict(values: Mapping[str, Any]) -> Bot:
    """The bot that `Bot.to_dict` wrote; BotError or TempoError where it is not known here."""
    strategy = find_strategy(values["strategy"])
    return Bot(strategy, Tempo().replace(**values["tempo"]), dict(values["parameters"]), label=values["label"])


def read_tempo(name_or_path: str) -> Tempo:
    """The named tempo, or the one in a TOML file as ``nertsim tempos NAME`` prints it."""
    if not name_or_path.endswith(".toml"):
        return load_tempo(name_or_path)
    try:
        values = tomllib.loads(Path(name_or_path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise TempoError(f"cannot read the tempo in {name_or_path}: {reason(error)}") from None
    except tomllib.TOMLDecodeError as error:
        raise TempoError(f"{name_or_path} is not TOML: {error}") from None
    try:
        return Tempo().replace(**values)
    except TempoError as error:
        raise TempoError(f"{name_or_path}: {error}") from None


def _pairs(options: Iterable[str], text: str) -> Iterable[tuple[str, str]]:
    seen = set()
    for option in options:
        key, equals, value = (part.strip() for part in option.partition("="))
        if not equals or not key or not value:
            raise BotError(f"'{option}' in the bot '{text}' is not of the form key=value, as in speed=1.1")
        if key in seen:
            raise BotError(f"{key} stands twice in the bot '{text}'")
        seen.add(key)
        yield key, value


def _number(key: str, value: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise BotError(f"{key} must be a number, not '{value}'") from None


def _keys(strategy: Strategy) -> list[str]:
    return ["tempo", *strategy.parameters, *RANGES]


def _names() -> str:
    return ", ".join(BUILTIN)

"""How a bot is named in one line: ``NAME[,key=value…]``, as in ``greedy,tempo=expert,oversight=0.05``.

Keys are the parameters of the strategy, ``tempo`` (a named tempo, or a TOML file with a tempo's values) and the values
of a tempo, which change the named one wherever they stand in the line. Where the seat has two hands, the second has
the tempo of the first, but for the keys that begin with ``second.``: ``second.tempo=beginner``, ``second.speed=0.9``.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from nertsim.bots.builtin_names import BUILTIN
from nertsim.bots.strategy import SECOND, Bot, Strategy
from nertsim.errors import BotError, TempoError, UsageError, reason, unknown
from nertsim.tempo import RANGES, Tempo, load_tempo


def parse_bot(text: str) -> Bot:
    """The bot that `text` names; its label is `text` without blanks.

    Raises `BotError` or `TempoError`, naming the wrong word, what there is, and the nearest right spelling.
    """
    name, *options = (word.strip() for word in text.split(","))
    strategy = find_strategy(name)
    values: dict[str, float] = {}
    first: dict[str, str] = {}
    second: dict[str, str] = {}
    for key, value in _pairs(options, text):
        hand, word = (second, key.removeprefix(SECOND)) if key.startswith(SECOND) else (first, key)
        if word in strategy.parameters and hand is first:
            values[word] = _number(key, value)
        elif word == "tempo" or word in RANGES:
            hand[word] = value
        else:
            raise BotError(unknown(f"value of the bot {name}", key, _keys(strategy)))
    tempo = _tempo(first, Tempo())
    label = ",".join([name, *options])
    return Bot(strategy, tempo, values, label, _tempo(second, tempo, SECOND) if second else None)


def _tempo(words: Mapping[str, str], usual: Tempo, before: str = "") -> Tempo:
    """The named tempo, or the usual one, with the values that are given; `before` stands before the keys in errors."""
    tempo = read_tempo(words["tempo"]) if "tempo" in words else usual
    try:
        return tempo.replace(**{key: _number(key, value) for key, value in words.items() if key != "tempo"})
    except UsageError as error:
        raise type(error)(f"{before}{error}") from None


def find_strategy(name: str) -> Strategy:
    """The built-in strategy of that name; BotError where there is none."""
    if name in BUILTIN:
        return BUILTIN[name]
    if ":" in name or name.endswith((".py", ".toml")):
        raise BotError(f"'{name}' is not the name of a bot; bots in files cannot be read yet (there are: {_names()})")
    raise BotError(unknown("bot", name, BUILTIN))


def seat_bots(
    specs: str | Bot | Sequence[str | Bot], seats: int, hands: Sequence[int] | None = None
) -> tuple[Bot, ...]:
    """One bot for each seat, from one for all or one for each.

    BotError for any other number of them, and, where `hands` says how many hands each seat has, for a bot with a tempo
    for a second hand that its seat does not have.
    """
    given: Sequence[str | Bot] = [specs] if isinstance(specs, (str, Bot)) else list(specs)
    if len(given) not in (1, seats):
        raise BotError(f"{len(given)} bots for {seats} seats; give one for all seats, or one for each seat")
    bots = [spec if isinstance(spec, Bot) else parse_bot(spec) for spec in given]
    seated = tuple(bots * seats if len(bots) == 1 else bots)
    for seat, (bot, count) in enumerate(zip(seated, hands or (), strict=hands is not None)):
        if count == 1 and bot.second is not None:
            raise BotError(f"'{bot.label}' has a tempo for a second hand, but seat {seat} has one hand (--hands 2)")
    return seated


def bot_from_dict(values: Mapping[str, Any]) -> Bot:
    """The bot that `Bot.to_dict` wrote; BotError or TempoError where it is not known here."""
    strategy = find_strategy(values["strategy"])
    second = Tempo().replace(**values["second"]) if "second" in values else None
    return Bot(strategy, Tempo().replace(**values["tempo"]), dict(values["parameters"]), values["label"], second)


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
    tempo_keys = ["tempo", *RANGES]
    return ["tempo", *strategy.parameters, *RANGES, *(SECOND + key for key in tempo_keys)]


def _names() -> str:
    return ", ".join(BUILTIN)

"""How a bot is named in one line: ``NAME[,key=value…]``, as in ``greedy,tempo=expert,oversight=0.05``.

NAME is that of a built-in strategy or of one that an installed package offers, ``mybot.py:clever`` for one in a Python
file, or ``roster.toml:champion`` for a bot that a TOML file describes (`nertsim.bots.roster`). Keys are the parameters
of the strategy, ``tempo`` (a named tempo, or a TOML file with a tempo's values) and the values of a tempo, which change
the named one wherever they stand in the line. Where the seat has two hands, the second has the tempo of the first, but
for the keys that begin with ``second.``: ``second.tempo=beginner``, ``second.speed=0.9``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from nertsim.bots.builtin_names import BUILTIN
from nertsim.bots.champions import CHAMPIONS, ROSTER
from nertsim.bots.files import load_offered, load_strategy, offered_strategies
from nertsim.bots.roster import Description, read_roster, read_tempo
from nertsim.bots.strategy import SECOND, Bot, Later, Origin, Parameter, Strategy
from nertsim.errors import BotError, UsageError, unknown
from nertsim.tempo import RANGES, Tempo

IN_FILE = re.compile(r"(.+\.(?P<kind>py|toml))(?::(.*))?", re.IGNORECASE)


def parse_bot(text: str) -> Bot:
    """The bot that `text` names; its label is `text` without blanks.

    Raises `BotError` or `TempoError`, naming the wrong word, what there is, and the nearest right spelling.
    """
    name, *options = (word.strip() for word in text.split(","))
    start = _start(name)
    known = start.strategy.parameters
    values: dict[str, float] = {}
    first: dict[str, str] = {}
    second: dict[str, str] = {}
    for key, value in _pairs(options, text):
        hand, word = (second, key.removeprefix(SECOND)) if key.startswith(SECOND) else (first, key)
        if word in known and hand is first:
            values[word] = _number(key, value)
        elif word == "tempo" or word in RANGES:
            hand[word] = value
        else:
            raise BotError(unknown(f"value of the bot {name}", key, _keys(start.strategy)))
    tempo = _tempo(first, start.tempo)
    usual = start.second or tempo
    return Bot(
        start.strategy,
        tempo,
        {**start.values, **values},
        ",".join([name, *options]),
        _tempo(second, usual, SECOND) if second else start.second,
    )


def _start(name: str) -> Bot:
    """What a name means by itself, before the words that follow it."""
    in_file = IN_FILE.fullmatch(name)
    if in_file is not None and in_file["kind"].lower() == "toml":
        return from_roster(in_file[1], in_file[3])
    if name in CHAMPIONS:
        return from_roster(ROSTER, name)
    return Bot(find_strategy(name))


def from_roster(path: str, name: str | None) -> Bot:
    """The bot called `name` in a roster, or its only one; errors as of `parse_bot`, with the roster's name."""
    one = read_roster(path, name)
    try:
        return _described(one)
    except UsageError as error:
        raise type(error)(f"{path}: {one.name}: {error}") from None


def _described(one: Description) -> Bot:
    if IN_FILE.fullmatch(one.strategy) and one.strategy.lower().split(":")[0].endswith(".toml"):
        raise BotError(f"strategy must be the name of a strategy or one in a Python file, not '{one.strategy}'")
    strategy = find_strategy(one.strategy, one.folder)
    for key in one.values:
        if key not in strategy.parameters:
            raise BotError(unknown(f"value of a bot that plays {strategy.name}", key, _keys(strategy)))
    return Bot(strategy, one.tempo, one.values, second=one.second)


def _tempo(words: Mapping[str, str], usual: Tempo, before: str = "") -> Tempo:
    """The named tempo, or the usual one, with the values that are given; `before` stands before the keys in errors."""
    tempo = read_tempo(words["tempo"]) if "tempo" in words else usual
    try:
        return tempo.replace(**{key: _number(key, value) for key, value in words.items() if key != "tempo"})
    except UsageError as error:
        raise type(error)(f"{before}{error}") from None


def find_strategy(name: str, folder: str = "") -> Strategy:
    """The strategy of that name: built in, in a Python file (its path from `folder`), or offered by a package.

    Raises `BotError` where there is none, or its file cannot be used.
    """
    if name in BUILTIN:
        return BUILTIN[name]
    in_file = IN_FILE.fullmatch(name)
    if in_file and in_file["kind"].lower() == "py":
        return load_strategy(os.path.join(folder, in_file[1]), in_file[3])
    offered = offered_strategies()
    if name in offered:
        return load_offered(name, offered[name])
    raise BotError(unknown("bot", name, [*BUILTIN, *CHAMPIONS, *offered]))


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


def bot_from_dict(values: Mapping[str, Any], ranges: Mapping[str, Parameter] | None = None) -> Bot:
    """The bot that `Bot.to_dict` wrote, as it was then; BotError or TempoError where it is not known here.

    A strategy from a file is loaded when it is first asked to play, and only if the file has not changed; its
    parameters are as they were, or within `ranges`.
    """
    second = Tempo().replace(**values["second"]) if "second" in values else None
    parameters = dict(values["parameters"])
    if "origin" in values:
        strategy = _recorded(values["strategy"], values["origin"], parameters, ranges or {})
    else:
        strategy = find_strategy(values["strategy"])
    return Bot(strategy, Tempo().replace(**values["tempo"]), parameters, values["label"], second)


def _recorded(
    name: str,
    origin: Mapping[str, str] | None,
    parameters: Mapping[str, float],
    ranges: Mapping[str, Parameter],
) -> Strategy:
    known = {key: Parameter(value, value, value, "as it was played") for key, value in parameters.items()} | {**ranges}
    source = None if origin is None else Origin(**origin)
    return Strategy(name, Later(lambda: _again(name, source)), "as it was played", known, origin=source)


def _again(name: str, origin: Origin | None) -> Any:
    if origin is None:
        raise BotError(f"the bot {name} was made in Python and is not kept with the run; give it again")
    in_file = IN_FILE.fullmatch(origin.spec)
    one = load_strategy(origin.file, in_file[3] or None) if in_file else find_strategy(origin.spec)
    if one.origin is None or one.origin.sha256 != origin.sha256:
        raise BotError(f"the bot {origin.spec} ({origin.file}) has changed since the run")
    return one.decide


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

"""What varies: a rule, a value of a tempo, or a parameter of a strategy, with its values."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from nertsim.bots.roster import read_tempo
from nertsim.bots.strategy import SECOND, Bot
from nertsim.errors import UsageError, nearest
from nertsim.experiments.sweep.values import MAX_VALUES, exact_text, parse_values
from nertsim.rules import Rules, option_names, parse_option
from nertsim.tempo import MEANINGS, RANGES

RULE, TEMPO, SECOND_TEMPO, PARAMETER = "rule", "tempo", "second tempo", "parameter"
"""What an axis can be one of."""
PREFIXES = {"rules.": RULE, "tempo.": TEMPO, SECOND: SECOND_TEMPO, "bot.": PARAMETER}
"""What may stand before a name, and has to where it would mean two things."""
WHOLE_TEMPO = "tempo"
"""The name that stands for all values of a tempo; its own values are names of tempos."""
OF_MATCHES = ("target", "match_deals", "winner_handicap")
MOST_AXES = 2
UNITS = {"nerts": "cards", "draw": "cards", "penalty": "points a card", "time_limit_us": "µs", "tie_window_us": "µs"}
UNITS |= {"call_bonus": "points", "king_bonus": "points", "jokers": "a deck", "speed": "times as fast"}

Given = str | Sequence[str] | Mapping[str, Any]
"""Parameters as people give them: ``"speed=0.8:1.25:10"``, some of these, or a dict of names and values."""


@dataclasses.dataclass(frozen=True)
class Axis:
    """A parameter and its values, in the order in which they were given."""

    of: str
    """RULE, TEMPO, SECOND_TEMPO or PARAMETER."""
    name: str
    """By which rules, tempo or strategy know it."""
    values: tuple[Any, ...]
    meaning: str = ""

    @property
    def key(self) -> str:
        """The name as in the words of a bot: ``speed``, ``second.speed``."""
        return SECOND + self.name if self.of == SECOND_TEMPO else self.name

    @property
    def is_numeric(self) -> bool:
        """True where the values are numbers."""
        return all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in self.values)

    @property
    def unit(self) -> str:
        """What the values count; empty where it has no unit."""
        if self.of in (TEMPO, SECOND_TEMPO) and MEANINGS.get(self.name, "").startswith("seconds"):
            return "s"
        return UNITS.get(self.name, "") if self.of != PARAMETER else ""

    def text(self) -> str:
        """The parameter with its values, as one can give it again."""
        return f"{self.key}={','.join(map(exact_text, self.values))}"

    def changed_rules(self, rules: Rules, value: Any) -> Rules:
        """The rules with that value, where it is one of a rule."""
        return rules.replace(**{self.name: value}) if self.of == RULE else rules

    def changed_bot(self, bot: Bot, value: Any) -> Bot:
        """The bot with that value, where it is not one of a rule; BotError or TempoError where it cannot have it."""
        words = [word for word in bot.label.split(",") if not word.startswith(f"{self.key}=")]
        label = ",".join([*words, f"{self.key}={exact_text(value)}"])
        if self.of == PARAMETER:
            return dataclasses.replace(bot, values={**bot.values, self.name: value}, label=label)
        if self.of == SECOND_TEMPO:
            return dataclasses.replace(bot, second=self._changed_tempo(bot.second_tempo, value), label=label)
        return dataclasses.replace(bot, tempo=self._changed_tempo(bot.tempo, value), label=label)

    def _changed_tempo(self, tempo: Any, value: Any) -> Any:
        return read_tempo(value) if self.name == WHOLE_TEMPO else tempo.replace(**{self.name: value})

    def value_of(self, rules: Rules, bot: Bot) -> Any:
        """The value that it has without the sweep; None where that has no name."""
        if self.of == RULE:
            return getattr(rules, self.name)
        if self.of == PARAMETER:
            return bot.values.get(self.name, bot.strategy.parameters[self.name].default)
        tempo = bot.tempo if self.of == TEMPO else bot.second_tempo
        if self.name == WHOLE_TEMPO:
            return next((value for value in self.values if read_tempo(value) == tempo), None)
        return getattr(tempo, self.name)


def make_axes(given: Given, rules: Rules, bots: Sequence[Bot]) -> tuple[Axis, ...]:
    """The parameters that vary; `bots` are those of which one of the strategy or tempo is looked for.

    UsageError, in one line with what there is, for a name that is unknown or means two things, and for values that
    cannot be read.
    """
    pairs = _pairs(given)
    axes = tuple(_make_axis(word, values, bots) for word, values in pairs)
    if not 1 <= len(axes) <= MOST_AXES:
        raise UsageError(f"a sweep varies one or two parameters, not {len(axes)}")
    if len({(axis.of, axis.name) for axis in axes}) < len(axes):
        raise UsageError(f"{axes[0].key} is given twice")
    return axes


def _pairs(given: Given) -> list[tuple[str, Any]]:
    if isinstance(given, Mapping):
        return list(given.items())
    pairs = []
    for text in [given] if isinstance(given, str) else given:
        name, equals, values = text.partition("=")
        if not equals or not name.strip() or not values.strip():
            raise UsageError(f"'{text}' is not of the form NAME=VALUES, as speed=0.8:1.25:10 or draw=1,3")
        pairs.append((name.strip(), values))
    return pairs


def _make_axis(word: str, given: Any, bots: Sequence[Bot]) -> Axis:
    of, name = find_parameter(word, bots)
    read, numbers = _reader(of, name)
    if isinstance(given, str):
        values = parse_values(word, given, read, numbers)
    else:
        values = [read(value) if isinstance(value, str) else _plain(value) for value in given]
    values = [float(value) if numbers == "real" else value for value in values]
    if not 2 <= len(values) <= MAX_VALUES:
        raise UsageError(f"{word} needs from 2 to {MAX_VALUES} values, as {word}=A,B or {word}=LOW:HIGH:STEPS")
    if len(set(values)) < len(values):
        twice = next(value for value in values if values.count(value) > 1)
        raise UsageError(f"{word} has the value {exact_text(twice)} twice")
    return Axis(of, name, tuple(values), _meaning(of, name, bots))


def _plain(value: Any) -> Any:
    """A value of numpy or a list as what rules and bots take."""
    return tuple(value) if isinstance(value, list) else value.item() if hasattr(value, "item") else value


def find_parameter(word: str, bots: Sequence[Bot]) -> tuple[str, str]:
    """What a name means, and the name without prefix; UsageError where it is unknown or means two things."""
    known = _known(bots)
    prefix = next((one for one in PREFIXES if word.startswith(one)), "")
    if prefix:
        of, name = PREFIXES[prefix], word.removeprefix(prefix)
        found = [of] if name in known[of] else []
    else:
        found, name = [of for of in (RULE, TEMPO, PARAMETER) if word in known[of]], word
    if not found:
        raise UsageError(_unknown(word, known, bots))
    if len(found) > 1:
        ways = [next(prefix for prefix, of in PREFIXES.items() if of == one) + name for one in found]
        raise UsageError(f"{word} means {' and '.join(f'a {one}' for one in found)}: write {' or '.join(ways)}")
    if found[0] == RULE and name in OF_MATCHES:
        raise UsageError(f"the rule {name} matters in matches only, and a sweep plays deals")
    return found[0], name


def _known(bots: Sequence[Bot]) -> dict[str, list[str]]:
    tempo = [WHOLE_TEMPO, *RANGES]
    shared = [name for name in bots[0].strategy.parameters if all(name in bot.strategy.parameters for bot in bots)]
    return {RULE: option_names(), TEMPO: tempo, SECOND_TEMPO: tempo, PARAMETER: shared}


def _unknown(word: str, known: Mapping[str, list[str]], bots: Sequence[Bot]) -> str:
    strategies = " and ".join(dict.fromkeys(bot.strategy.name for bot in bots))
    names = [*known[RULE], *known[TEMPO], *known[PARAMETER]]
    rules = [name for name in known[RULE] if name not in OF_MATCHES]
    lists = [f"rules: {', '.join(rules)}", f"tempo: {', '.join(known[TEMPO])}"]
    lists.append(f"parameters of {strategies}: {', '.join(known[PARAMETER]) or 'none'}")
    return f"there is no '{word}' to vary{nearest(word, names)} ({'; '.join(lists)})"


def _meaning(of: str, name: str, bots: Sequence[Bot]) -> str:
    if of == RULE:
        return str(Rules.__dataclass_fields__[name].metadata["meaning"])
    if of == PARAMETER:
        return bots[0].strategy.parameters[name].meaning
    return MEANINGS.get(name, "how fast and how attentive the hands are")


def _reader(of: str, name: str) -> tuple[Callable[[str], Any], str]:
    """How a value is read, and what numbers it is ("whole", "real", or "" for none)."""
    if of == RULE:
        standard = getattr(Rules(), name)
        whole = isinstance(standard, int) and not isinstance(standard, bool)
        return lambda word: parse_option(f"{name}={word}")[1], "whole" if whole else ""
    if name == WHOLE_TEMPO:
        return str, ""

    def number(word: str) -> float:
        try:
            return float(word)
        except ValueError:
            raise UsageError(f"{name} must be a number, not '{word}'") from None

    return number, "real"

"""A bot as a table of a roster, which `nertsim.bots.roster` reads back."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator

from nertsim.bots.strategy import SECOND, Bot, Parameter, tempo_changes
from nertsim.tempo import MEANINGS, TEMPOS, Tempo

WIDTH = 80
REMARKS = 28
"""Where remarks begin."""
BARE = re.compile(r"[A-Za-z0-9_-]+")
USUAL = "average"
"""The name of the tempo of hands of which nothing is said."""


def roster_text(name: str, bot: Bot, strategy: str | None = None) -> str:
    """The table that makes this bot, called `name`, with the meaning of every value beside it, 80 columns wide.

    `strategy` is what names its strategy there, where that is not what names it here.

    Raises `BotError` for a bot that was made in Python and cannot be named in a file.
    """
    title = textwrap.wrap(f"{name}: {bot.strategy.description}", WIDTH - 2, break_on_hyphens=False)
    strategy = quoted(strategy or bot.strategy.spec)
    lines = [*(f"# {line}" for line in title), f"[{key_text(name)}]", f"strategy = {strategy}"]
    lines += _tempo_lines(bot.tempo, Tempo(), "", USUAL)
    values = dict(zip(bot.strategy.parameters, bot.vector(), strict=True))
    for key, parameter in bot.strategy.parameters.items():
        lines += _line(f"{key_text(key)} = {values[key]!r}", _remark(parameter, values[key]))
    if bot.second is not None:
        lines += _tempo_lines(bot.second, bot.tempo, SECOND, None)
    return "\n".join(lines) + "\n"


def _remark(parameter: Parameter, value: float) -> str:
    usual = f", usually {parameter.default:g}" if value != parameter.default else ""
    kind = "whole, " if parameter.whole else ""
    return f"{kind}{parameter.low:g} to {parameter.high:g}{usual}: {parameter.meaning}"


def _tempo_lines(tempo: Tempo, before: Tempo, prefix: str, named: str | None) -> Iterator[str]:
    preset, changed = tempo_changes(tempo, before)
    if preset or named:
        others = ", ".join(name for name in TEMPOS if name != (preset or named))
        yield from _line(f"{prefix}tempo = {quoted(preset or named or '')}", f"also: {others}, or a TOML file")
    for key, value in changed.items():
        yield from _line(f"{prefix}{key} = {value!r}", MEANINGS[key])


def _line(assignment: str, remark: str) -> Iterator[str]:
    """``key = value  # remark``, the remark in as many lines as it needs."""
    column = max(REMARKS, len(assignment) + 1)
    start = assignment
    for line in textwrap.wrap(remark, max(20, WIDTH - column - 2), break_on_hyphens=False):
        yield f"{start:<{column}}# {line}"
        start = ""


def key_text(name: str) -> str:
    """A name as a key of TOML."""
    return name if BARE.fullmatch(name) else quoted(name)


def quoted(value: str) -> str:
    """A text as TOML has it."""
    # JSON's text is TOML's, but for DEL.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")

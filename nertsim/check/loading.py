"""What a spec names, loaded; and which step it fails where it cannot be."""

from __future__ import annotations

import re
import traceback
from pathlib import Path

from nertsim.bots import strategy as strategy_module
from nertsim.bots.files import load_strategies
from nertsim.bots.spec import parse_bot
from nertsim.bots.strategy import Bot
from nertsim.errors import BotError, UsageError, reason, unknown

IN_PYTHON = re.compile(r"(?P<file>[^,]+\.py)(?::(?P<name>[^,]*))?(?P<rest>,.*)?", re.IGNORECASE | re.DOTALL)
IMPORTS, TYPES = 1, 3


class Failed(Exception):
    """A step that failed, and why."""

    def __init__(self, number: int, text: str) -> None:
        super().__init__(text)
        self.number = number
        self.text = text


def check_path(spec: str) -> None:
    """BotError for a Python file that does not exist or cannot be read."""
    found = IN_PYTHON.fullmatch(spec.strip())
    if found:
        try:
            Path(found["file"].strip()).read_bytes()
        except OSError as error:
            raise BotError(f"cannot read the bot file {found['file'].strip()}: {reason(error)}") from None


def specs_of(spec: str) -> list[str]:
    """One spec for each bot that is meant: for a Python file without a name each of its strategies.

    Raises `Failed` where the file has none or cannot be loaded, `UsageError` for a name that it does not have.
    """
    found = IN_PYTHON.fullmatch(spec.strip())
    if found is None:
        return [spec]
    file, name, rest = found["file"].strip(), (found["name"] or "").strip(), found["rest"] or ""
    try:
        there = load_strategies(file)
    except BotError as error:
        raise Failed(_step_of(error) or IMPORTS, str(error)) from error
    if name and name not in there:
        raise BotError(unknown(f"strategy in {file}", name, there))
    return [f"{file}:{one}{rest}" for one in ([name] if name else there)]


def load_bot(spec: str) -> Bot:
    """The bot. Raises `Failed` for one that is there but is not as it has to be, `UsageError` for wrong use."""
    try:
        bot = parse_bot(spec)
        _ = bot.strategy.decide  # a built-in one is imported now
        return bot
    except UsageError as error:
        step = _step_of(error)
        if step is None:
            raise
        raise Failed(step, str(error)) from error


def _step_of(error: BaseException | None) -> int | None:
    """The step that fails by an error, or None for wrong use: told by what raised the error, or one under it."""
    step = None
    while error is not None:
        frames = traceback.extract_tb(error.__traceback__)
        if frames and isinstance(error, BotError):
            if frames[-1].filename == strategy_module.__file__:
                return TYPES  # what it says about its arguments and parameters
            if frames[-1].name in ("_foreign", "load_strategies"):
                step = IMPORTS
        error = error.__context__
    return step

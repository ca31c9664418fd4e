"""A tuned bot as a table of a roster, with how it came about."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nertsim.bots.roster_text import key_text, quoted, roster_text
from nertsim.commands import spec_of, table_words

if TYPE_CHECKING:
    from nertsim.experiments.tune.plan import TunePlan
    from nertsim.experiments.tune.run import TuneRun


def tuned_text(name: str, run: TuneRun, folder: Path | None = None) -> str:
    """The table of the bot that came of a tuning, called `name`, as it stands in a file in `folder` (default: the
    working folder); `BotError` for a bot that was made in Python.
    """
    lines = [roster_text(name, run.bot, _seen_from(folder or Path(), run)), f"[{key_text(name)}.provenance]"]
    return "\n".join([*lines, *(f"{key} = {_value(value)}" for key, value in _provenance(run))]) + "\n"


def _seen_from(folder: Path, run: TuneRun) -> str:
    """What names the strategy there: the path of a file is looked for from the folder of the roster."""
    strategy = run.plan.bot.strategy
    origin, name = strategy.origin, strategy.spec
    file, colon, function = name.rpartition(":")
    if origin is None or not colon or not file.lower().endswith(".py"):
        return name
    return f"{os.path.relpath(origin.file, folder.absolute())}:{function}"


def _provenance(run: TuneRun) -> Iterator[tuple[str, Any]]:
    plan, summary = run.plan, run.summary
    validation = summary["validation"]
    yield "made_by", f"nertsim {_version()}"
    yield "command", shlex.join(["nertsim", "tune", *tune_words(plan), "--seed", str(plan.seed)])
    yield "start", spec_of(plan.bot)
    yield "against", [spec_of(bot) for bot in plan.against]
    yield "rules", [f"{key}={value}" for key, value in plan.rules.to_options().items()]
    for key in ("metric", "method", "seed", "deals"):
        yield key, summary[key]
    yield "verdict", {"A better": "better than the start"}.get(validation["verdict"], "the start is kept")
    yield "difference", round(validation["difference"], 6)
    yield "difference_ci", [round(end, 6) for end in validation["ci"]]
    yield "validation_deals", validation["deals"]
    yield "validation_seed", validation["seed"]


def tune_words(plan: TunePlan) -> list[str]:
    """What follows ``nertsim tune`` where the same is tuned again, but for the seed; `BotError` for a bot that was made
    in Python.
    """
    words = [spec_of(plan.bot)]
    for bot in plan.against:
        words += ["--against", spec_of(bot)]
    ranges = plan.bot.strategy.parameters
    usual = [(axis.low, axis.high) == (ranges[axis.name].low, ranges[axis.name].high) for axis in plan.space.axes]
    if len(plan.space) < len(ranges) or not all(usual):
        for axis in plan.space.axes:
            words += ["--param", f"{axis.name}={axis.low:g}:{axis.high:g}"]
    words += [*table_words(plan.rules, ()), "--metric", plan.metric, "--method", plan.method]
    return [*words, "--goal", f"{plan.goal:g}", "-n", str(plan.deals)]


def _value(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_value, value))}]"
    return quoted(value) if isinstance(value, str) else repr(value)


def _version() -> str:
    try:
        return version("nertsim")
    except PackageNotFoundError:
        return "from a checkout"

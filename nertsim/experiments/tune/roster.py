"""A tuned bot as a table of a roster, with how it came about."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nertsim.bots.roster_text import key_text, quoted, roster_text

if TYPE_CHECKING:
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
    yield "command", tune_command(run)
    yield "start", plan.bot.spec()
    yield "against", [bot.spec() for bot in plan.against]
    yield "rules", [f"{key}={value}" for key, value in plan.rules.to_options().items()]
    for key in ("metric", "method", "seed", "deals"):
        yield key, summary[key]
    yield "verdict", {"A better": "better than the start"}.get(validation["verdict"], "the start is kept")
    yield "difference", round(validation["difference"], 6)
    yield "difference_ci", [round(end, 6) for end in validation["ci"]]
    yield "validation_deals", validation["deals"]
    yield "validation_seed", validation["seed"]


def tune_command(run: TuneRun) -> str:
    """The command that tunes the same again."""
    plan = run.plan
    words = ["nertsim", "tune", plan.bot.spec()]
    for bot in plan.against:
        words += ["--against", bot.spec()]
    ranges = plan.bot.strategy.parameters
    if len(plan.space) < len(ranges) or any(
        (axis.low, axis.high) != (ranges[axis.name].low, ranges[axis.name].high) for axis in plan.space.axes
    ):
        for axis in plan.space.axes:
            words += ["--param", f"{axis.name}={axis.low:g}:{axis.high:g}"]
    for key, value in plan.rules.to_options().items():
        words += ["--seats", value] if key == "seats" else ["--set", f"{key}={value}"]
    words += ["--metric", plan.metric, "--method", plan.method, "--goal", f"{plan.goal:g}"]
    return shlex.join([*words, "-n", str(plan.deals), "--seed", str(plan.seed)])


def _value(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_value, value))}]"
    return quoted(value) if isinstance(value, str) else repr(value)


def _version() -> str:
    try:
        return version("nertsim")
    except PackageNotFoundError:
        return "from a checkout"

"""`nertsim.tune`: the request is checked, the noise measured, and the course is played to its end."""

from __future__ import annotations

import dataclasses
import math
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from nertsim.batch import Notice, Progress, Settings, make_dealer
from nertsim.bots.champions import CHAMPION
from nertsim.bots.spec import parse_bot, seat_bots
from nertsim.bots.strategy import Bot
from nertsim.errors import StoreError, UsageError, unknown
from nertsim.experiments.tune.arena import METRICS
from nertsim.experiments.tune.course import Course, Task
from nertsim.experiments.tune.evolution import check_cmaes
from nertsim.experiments.tune.journal import JOURNAL, Journal
from nertsim.experiments.tune.plan import TunePlan
from nertsim.experiments.tune.play import Player, play_course
from nertsim.experiments.tune.run import TuneRun, feed
from nertsim.experiments.tune.shares import METHODS, share_out
from nertsim.experiments.tune.space import make_space
from nertsim.resume import check_same, recorded_plan
from nertsim.rules import Rules
from nertsim.simulate import MAX_DEALS, MAX_SEED, draw_seed, goes_on, make_rules
from nertsim.store import RunFolder, about, explaining_manifest, write_file
from nertsim.values import whole_number

DEFAULT_DEALS = 10_000_000
DEFAULT_METHOD = "spsa"
GOAL = {"score": 0.1, "win": 0.005}
"""The least improvement worth having, where nothing is said: points a deal, shares of deals."""
NOISE_BLOCKS = 1024
NOISE_MOVE = 1 / 20
MOST_MINUTES = 60 * 24 * 365
BOT_FILE = "bot.toml"
"""In the folder of a tuning: the tuned bot, where it was proved better."""


def tune(
    bot: str | Bot | None = None,
    parameters: Sequence[str] | None = None,
    *,
    against: str | Bot | Sequence[str | Bot] | None = None,
    metric: str | None = None,
    method: str | None = None,
    goal: float | None = None,
    deals: int | None = None,
    minutes: float | None = None,
    rules: Rules | str | None = None,
    seats: int | None = None,
    seed: int | None = None,
    out: str | os.PathLike[str] | None = None,
    resume: bool = False,
    toml: str | os.PathLike[str] | None = None,
    name: str = "tuned",
    threads: int | None = None,
    command: Sequence[str] | None = None,
    progress: Progress | None = None,
    notice: Notice | None = None,
    told: Callable[[Course], None] | None = None,
) -> TuneRun:
    """Better parameters for a bot, and a test on fresh deals whether they are better.

    `parameters` are those that are tuned, ``"NAME"`` or ``"NAME=LOW:HIGH"``; default: all of them, over their whole
    ranges. The bot sits among the bots `against` (default: itself and the shipped champion), at
    every seat in turn, and what is made large is `metric`: "score", its points a deal ahead of the others' mean, or
    "win", its share of deals won. Both by the same decks for all that is compared.

    The budget is `deals` (ten million), or as many as can be played in so many `minutes`. 65 % of it is for the
    search: `method` "spsa" (the default) or "cmaes"; 5 % for checks on the way, 10 % for the profile (what each
    parameter is worth), at most 20 % for the validation: a sequential test of the estimate against the start on decks
    that nothing else saw. `goal` is the least improvement worth having (0.1 points, 0.005 of the deals): the gains of
    the search follow from it, and the validation says "equivalent" where the bots differ by less (by less than the
    budget can show, where that is more).

    The result is the estimate of the optimum, never the best bot that was tried, and it is taken only where the
    validation says "A better". Then, and only then, it is written to `toml` and, in the folder `out`, to ``bot.toml``,
    as the bot `name` of a roster. `out` is a new folder that keeps the journal; with `resume` the tuning in it is gone
    on with and ends as it would have ended in one go.

    `progress` is called with (deals played, deals in all), `told` with the course after each check, `notice` with a
    line worth showing; `command` is recorded. Raises `UsageError` for what cannot be accepted, `BotFault` for a bot
    that breaks the protocol, `StoreError` for a folder that fails or cannot be trusted.
    """
    settings = Settings(threads, command=tuple(command or ()), progress=progress, notice=notice)
    check_name(name)
    check_new_file(toml)
    folder: RunFolder | None
    if goes_on(out, resume, False):
        assert out is not None
        plan = _recorded(bot, parameters, against, out, metric, method, goal, deals, minutes, rules, seats, seed)
        folder = RunFolder(Path(out))
    else:
        table = make_rules(rules, seats)
        plan = make_tune_plan(bot, parameters, against, metric, method, goal, deals, minutes, table, seed)
        plan = _measured(plan, settings)
        folder = None if out is None else _new_folder(Path(out), plan, settings)
    return _play(plan, folder, settings, toml, name, told)


def make_tune_plan(
    bot: str | Bot | None,
    parameters: Sequence[str] | None,
    against: str | Bot | Sequence[str | Bot] | None,
    metric: str | None,
    method: str | None,
    goal: float | None,
    deals: int | None,
    minutes: float | None,
    rules: Rules,
    seed: int | None,
) -> TunePlan:
    """The request, checked and completed, without what is measured; UsageError for what cannot be accepted."""
    check_tunable(bot)
    assert bot is not None
    metric, method = metric or "score", method or DEFAULT_METHOD
    if metric not in METRICS:
        raise UsageError(unknown("metric", metric, METRICS))
    if method not in METHODS:
        raise UsageError(unknown("method", method, METHODS))
    if method == "cmaes":
        check_cmaes()
    goal = GOAL[metric] if goal is None else goal
    if not (math.isfinite(goal) and goal > 0):
        raise UsageError(f"the goal must be a number above 0, not {goal!r}")
    if minutes is not None and deals is not None:
        raise UsageError("the budget is a number of deals or of minutes: give one of them")
    if minutes is not None and not 0 < minutes <= MOST_MINUTES:
        raise UsageError(f"minutes must be above 0 and at most {MOST_MINUTES}, not {minutes!r}")
    start = seat_bots(bot, 1)[0]
    plan = TunePlan(
        rules=rules,
        bot=start,
        against=_others(start, against),
        space=make_space(start, parameters),
        metric=metric,
        method=method,
        goal=float(goal),
        seed=draw_seed() if seed is None else whole_number("seed", seed, 0, MAX_SEED),
        deals=DEFAULT_DEALS if deals is None else whole_number("deals", deals, 1, MAX_DEALS),
        minutes=minutes,
    )
    tables = len(plan.tables)
    if minutes is None:
        share_out(plan.deals, tables, len(plan.space), method)
    return plan


def check_tunable(bot: str | Bot | None) -> None:
    """UsageError where no bot is named."""
    if bot is None:
        raise UsageError("a bot is tuned: name it, as in `nertsim tune weighted`")


def _others(start: Bot, against: str | Bot | Sequence[str | Bot] | None) -> tuple[Bot, ...]:
    """The bots at the other seats, each once: given, or the start and the champion."""
    if against is None:
        found = [start, parse_bot(CHAMPION)]
    else:
        given = [against] if isinstance(against, (str, Bot)) else list(against)
        found = [one if isinstance(one, Bot) else parse_bot(one) for one in given]
    if not found:
        raise UsageError("against whom? name at least one other bot, or leave it out for the default")
    return tuple({_identity(one): one for one in found}.values())


def _identity(bot: Bot) -> str:
    return repr({key: value for key, value in bot.to_dict().items() if key != "label"})


def _measured(plan: TunePlan, settings: Settings) -> TunePlan:
    """The plan with the noise and, where the budget is a time, the deals that can be played in it."""
    make_dealer(plan.rules, plan.tables[0].bots, plan.seed, settings.notice)
    # The start against a bot that is off by a little of each range at random.
    off = plan.random("noise").choice([-NOISE_MOVE, NOISE_MOVE], len(plan.space))
    values = plan.space.played(np.stack([plan.start, (plan.start + off).clip(0.0, 1.0)]))
    task = Task("noise", 0, plan.vectors(values)[None], 0, NOISE_BLOCKS, True)
    with Player(plan, settings) as player:
        noise, seconds = player.measure("noise", task)
    # Bots that play alike leave no noise to measure, and a little keeps the search from taking none for a promise.
    least = (plan.unit * len(plan.tables)) ** 2
    plan = dataclasses.replace(plan, noise=float(max(noise, least)))
    if plan.minutes is None:
        return plan
    deals = max(1, min(MAX_DEALS, int(60 * plan.minutes / seconds * len(plan.tables))))
    share_out(deals, len(plan.tables), len(plan.space), plan.method)
    return dataclasses.replace(plan, deals=deals)


def _recorded(
    bot: str | Bot | None,
    parameters: Sequence[str] | None,
    against: str | Bot | Sequence[str | Bot] | None,
    out: str | os.PathLike[str],
    metric: str | None,
    method: str | None,
    goal: float | None,
    deals: int | None,
    minutes: float | None,
    rules: Rules | str | None,
    seats: int | None,
    seed: int | None,
) -> TunePlan:
    """The plan of the tuning in a folder; UsageError where something else is asked for than it was."""
    plan = recorded_plan(TunePlan, out)
    asked: dict[str, Any] = {
        "metric": metric,
        "method": method,
        "goal": goal,
        "minutes": minutes,
        "seed": seed,
        "count": deals,
    }
    if rules is not None or seats is not None:
        asked["rules"] = make_rules(rules, seats)
    if bot is not None:
        start = seat_bots(bot, 1)[0]
        asked["bots"] = (start, *(plan.against if against is None else _others(start, against)))
        asked["space"] = make_space(start, parameters)
    check_same(out, plan, {name: value for name, value in asked.items() if value is not None})
    return plan


def check_name(name: str) -> None:
    """UsageError for what cannot be the name of a bot in a roster."""
    if not name.strip() or any(sign in name for sign in ",=") or not name.isprintable():
        raise UsageError(f"'{name}' cannot be the name of a bot: it needs letters, and no comma or equals sign")


def check_new_file(path: str | os.PathLike[str] | None) -> None:
    """UsageError where a file cannot be made: it is there already, or its folder is not."""
    if path is None:
        return
    file = Path(path)
    if file.suffix.lower() != ".toml":
        raise UsageError(f"the file of the bot must end in .toml, as bot.toml, not '{path}'")
    if file.exists():
        raise UsageError(f"{file} exists; give a new file for the tuned bot")
    if not file.absolute().parent.is_dir():
        raise UsageError(f"cannot write {file}: its folder does not exist")


def _new_folder(path: Path, plan: TunePlan, settings: Settings) -> RunFolder:
    header = plan.to_dict() | {"state": "running", "played": 0, "seconds": 0.0, "sessions": [_session(settings)]}
    return RunFolder.create(path, (), header)


def _session(settings: Settings) -> dict[str, Any]:
    return about() | {"command": list(settings.command), "threads": settings.workers}


def _play(
    plan: TunePlan,
    folder: RunFolder | None,
    settings: Settings,
    toml: str | os.PathLike[str] | None,
    name: str,
    told: Callable[[Course], None] | None,
) -> TuneRun:
    path, seconds = (None, 0.0) if folder is None else (folder.path, _seconds(folder))
    course = Course(plan)
    with _kept(folder, course) as clock:
        journal = Journal(path)
        try:
            feed(course, journal.records, (path or Path()) / JOURNAL)
            _new_session(folder, journal, settings)
            with Player(plan, settings) as player:
                play_course(course, journal, player, settings, seconds, told, clock)
        finally:
            journal.close()
    run = TuneRun(plan, course, clock[-1], path)
    if run.accepted:
        for file in [toml, None if path is None else path / BOT_FILE]:
            if file is not None:
                write_file(Path(file), run.to_toml(name, Path(file).parent).encode())
    return run


def _seconds(folder: RunFolder) -> float:
    with explaining_manifest(folder.path):
        return float(folder.manifest["seconds"])


def _new_session(folder: RunFolder | None, journal: Journal, settings: Settings) -> None:
    if folder is not None and not folder.is_new:
        folder.commit({"sessions": [*folder.manifest["sessions"], _session(settings)], "state": "running"})


@contextmanager
def _kept(folder: RunFolder | None, course: Course) -> Iterator[list[float]]:
    """Writes into the manifest how far a tuning came, however it ends; the list is for the seconds that were spent."""
    clock = [0.0]
    if folder is None:
        yield clock
        return
    state = "failed"
    try:
        clock[0] = _seconds(folder)
        yield clock
        state = "done"
    except KeyboardInterrupt:
        state = "interrupted"
        raise
    finally:
        try:
            folder.commit({"state": state, "played": course.deals, "seconds": clock[-1]})
        except StoreError:
            if state == "done":
                raise
        finally:
            folder.close()

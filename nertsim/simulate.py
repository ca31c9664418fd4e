"""Deals by the thousand or the million: the request is checked, then played as a batch."""

from __future__ import annotations

import dataclasses
import os
import secrets
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from nertsim.batch import Notice, Progress, Settings, announcing, make_dealer, make_sink, play_batch
from nertsim.bots.builtin_names import BUILTIN, DEFAULT_BOT
from nertsim.bots.spec import seat_bots
from nertsim.bots.strategy import Bot
from nertsim.errors import UsageError, unknown
from nertsim.presets import load_rules
from nertsim.resume import check_same, has_ended, is_begun, recorded_plan
from nertsim.rules import Rules
from nertsim.run import KEEP, Plan, Run, opened
from nertsim.stopping import Until
from nertsim.values import whole_number

DEFAULT_DEALS = 10_000
DEFAULT_MOST_DEALS = 100_000_000
"""The most deals of a batch that is to end by itself."""
MAX_DEALS = 10**12
MAX_SEED = 2**63 - 1
ROWS_BY_DEFAULT = 10_000_000
"""Rows a seat are kept up to this number, unless `keep` says otherwise."""


def simulate(
    bots: str | Bot | Sequence[str | Bot] | None = None,
    *,
    rules: Rules | str | None = None,
    seats: int | None = None,
    deals: int | None = None,
    seed: int | None = None,
    first_deal: int | None = None,
    until_error: float | None = None,
    figure: str | None = None,
    out: str | os.PathLike[str] | None = None,
    keep: str | None = None,
    resume: bool = False,
    extend: bool = False,
    threads: int | None = None,
    chunk: int | None = None,
    executor: str = "threads",
    scheduler: str | None = None,
    command: Sequence[str] | None = None,
    progress: Progress | None = None,
    notice: Notice | None = None,
) -> Run:
    """Plays `deals` deals (10,000) between `bots` (greedy) and returns the run.

    `bots` is one bot for all seats or one for each, as text (``"greedy,speed=1.1"``) or `Bot`; `rules` a `Rules`, the
    name of a preset or a TOML file; `seats` replaces theirs. `seed` is drawn where it is None, and recorded. Deals are
    numbered from `first_deal` (0). What is played depends on these alone; `threads` (default: all cores), `chunk`
    (deals that a thread plays at a time; default: what takes about 0.15 s), `executor` ("threads" or "dask") and
    `scheduler` (the address of a Dask cluster; default: one on this computer) change the time it takes and nothing
    else.

    With `until_error` it ends as soon as half of every bot's 95 % interval of `figure` ("win", the win rate, or
    "score") is at most that; `deals` is then the most (100 million). All its intervals hold although it ended on what
    was seen (`nertsim.stats.sequences`).

    `keep` is "seats" (rows a seat and a deal), "deals" (rows a deal) or "summary"; default: "seats" up to ten million
    rows, else "summary". `out` is a new folder that gets them as Parquet files; without it they stay in memory.
    With `resume` the run in `out` is gone on with to its end (begun, where there is none); with `extend`, `deals` more
    are added to it, as if they had been asked for at first. What else is given has to be as it was.
    `progress` is called with (deals played, deals in all) after each chunk, `notice` with a line worth showing;
    `command` is recorded in the folder.

    Everything is checked before anything is compiled or played: `UsageError` (a ValueError) for what cannot be
    accepted. Raises `BotFault` for a bot that breaks the protocol and `StoreError` for a folder that fails on the way
    or cannot be trusted.
    """
    settings = Settings(threads, chunk, executor, scheduler, tuple(command or ()), progress, notice)
    until = make_until(until_error, figure)
    go_on = goes_on(out, resume, extend)
    if go_on:
        assert out is not None
        asked = asked_for(bots, rules, seats, seed=seed, first=first_deal, keep=keep, until=until)
        plan = plan_to_go_on(recorded_plan(Plan, out), out, asked, deals, extend)
    else:
        if deals is None:
            deals = DEFAULT_DEALS if until is None else DEFAULT_MOST_DEALS
        plan = make_plan(bots, rules, seats, deals, seed, first_deal or 0, keep, until)
    sink = make_sink(plan, out, settings, go_on)
    totals, seconds = play_batch(plan, sink, settings)
    return Run(dataclasses.replace(plan, count=totals.deals), totals, seconds, sink.read_rows, sink.path)


def make_plan(
    bots: str | Bot | Sequence[str | Bot] | None,
    rules: Rules | str | None,
    seats: int | None,
    deals: int,
    seed: int | None,
    first_deal: int,
    keep: str | None,
    until: Until | None = None,
) -> Plan:
    """The request, checked and completed; UsageError for what cannot be accepted."""
    table = make_rules(rules, seats)
    deals = whole_number("deals", deals, 1, MAX_DEALS)
    if keep is None:
        keep = default_keep(deals * table.seats)
    check_keep(keep, KEEP)
    return Plan(
        rules=table,
        bots=seat_bots(DEFAULT_BOT if bots is None else bots, table.seats, table.hands_list),
        seed=draw_seed() if seed is None else whole_number("seed", seed, 0, MAX_SEED),
        count=deals,
        first=whole_number("first_deal", first_deal, 0, MAX_DEALS),
        keep=keep,
        until=until,
    )


def asked_for(
    bots: str | Bot | Sequence[str | Bot] | None, rules: Rules | str | None, seats: int | None, **others: Any
) -> dict[str, Any]:
    """What is given of a request to go on with a run, by the names of a plan."""
    asked: dict[str, Any] = {} if rules is None and seats is None else {"rules": make_rules(rules, seats)}
    return asked | {name: value for name, value in {"bots": bots, **others}.items() if value is not None}


def goes_on(out: str | os.PathLike[str] | None, resume: bool, extend: bool) -> bool:
    """True where the run in a folder is gone on with; UsageError where what is asked for makes no sense."""
    if out is not None and not os.fspath(out):
        raise UsageError("the name of the folder of the run is empty; give a new folder")
    if resume and extend:
        raise UsageError("resume goes on to the end that was asked for, extend adds to it: give one of them")
    if (resume or extend) and out is None:
        raise UsageError(f"{'resume' if resume else 'extend'} needs the folder of the run: out (-o DIR)")
    if extend and not is_begun(out or ""):
        raise UsageError(f"{out} holds no run to extend; leave extend (--extend) out to begin one")
    return (resume or extend) and is_begun(out or "")


def plan_to_go_on(
    plan: Any, out: str | os.PathLike[str], asked: dict[str, Any], count: int | None, extend: bool
) -> Any:
    """The plan of a run that is gone on with; UsageError where something else is asked for than it was."""
    if "bots" in asked:
        asked["bots"] = seat_bots(asked["bots"], plan.rules.seats, plan.rules.hands_list)
    if count is not None:
        count = whole_number(plan.UNIT, count, 1, MAX_DEALS)
    ends_by_itself = plan.next_look(0) is not None
    if count is not None and not extend and not (ends_by_itself and has_ended(out)):
        asked["count"] = count
    check_same(out, plan, asked)
    if "bots" in asked:
        plan = dataclasses.replace(plan, bots=asked["bots"])
    if not extend:
        return plan
    if ends_by_itself and not has_ended(out):
        raise UsageError(f"{out} has not ended yet, and ends by itself: go on with it first (--resume), then extend it")
    if count is None:
        raise UsageError(f"extend needs how many {plan.UNIT} are added (-n)")
    count = whole_number(plan.UNIT, plan.count + count, 1, MAX_DEALS)
    return dataclasses.replace(plan, count=count, **plan.without_stopping())


def make_until(until_error: float | None, figure: str | None) -> Until | None:
    """When to stop; UsageError for what cannot be accepted."""
    if until_error is None and figure is not None:
        raise UsageError("a figure is named for until_error (--until-error), which is missing")
    return None if until_error is None else Until(figure or "win", until_error)


def open_run(folder: Path, manifest: Mapping[str, Any]) -> Run:
    """The run that a folder holds (see `nertsim.load`)."""
    return opened(Plan, Run, folder, manifest)


def make_rules(rules: Rules | str | None, seats: int | None = None) -> Rules:
    """The rules, by name or file where a text is given, with the number of seats that is asked for."""
    if rules is None:
        rules = Rules()
    elif isinstance(rules, str):
        rules = load_rules(rules)
    return rules if seats is None else rules.replace(seats=seats)


def warmup(notice: Notice | None = None) -> tuple[float, Path]:
    """Compiles the engine and all built-in bots, or loads them: for tables of all kinds. The seconds it took, and where
    compiled code is kept.
    """
    from nertsim._jit import CACHE_FOLDER

    start = time.perf_counter()
    with announcing(notice):
        for name in BUILTIN:
            make_dealer(Rules(seats=1), seat_bots(name, 1), 0).play(0, 1)
        # Tables with two hands a seat, or with jokers, have kernels of their own.
        make_dealer(Rules(seats=1, hands=2), seat_bots(DEFAULT_BOT, 1), 0).play(0, 1)
    return time.perf_counter() - start, CACHE_FOLDER


def draw_seed() -> int:
    """A seed from the system's randomness, 0 … 2**63 - 1."""
    return secrets.randbits(63)


def default_keep(rows: int) -> str:
    """What is kept of so many rows a seat where nothing is said."""
    return "seats" if rows <= ROWS_BY_DEFAULT else "summary"


def check_keep(keep: str, known: Mapping[str, Any]) -> None:
    """UsageError for what cannot be kept."""
    if keep not in known:
        raise UsageError(unknown("choice for keep", keep, known))

"""`nertsim.sweep`: the request is checked, and the same deals are played for all values."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Sequence
from typing import Any

from nertsim.batch import Notice, Progress, Settings, make_dealer, make_sink, play_batch
from nertsim.bots.builtin_names import DEFAULT_BOT
from nertsim.bots.spec import seat_bots
from nertsim.bots.strategy import Bot
from nertsim.errors import UsageError
from nertsim.experiments.sweep.axes import Axis, Given, make_axes
from nertsim.experiments.sweep.layout import Layout, make_layout
from nertsim.experiments.sweep.plan import KEEP, SweepPlan
from nertsim.experiments.sweep.run import SweepRun
from nertsim.experiments.sweep.values import exact_text
from nertsim.resume import recorded_plan
from nertsim.rules import Rules
from nertsim.simulate import (
    DEFAULT_DEALS,
    MAX_DEALS,
    MAX_SEED,
    ROWS_BY_DEFAULT,
    asked_for,
    check_keep,
    draw_seed,
    goes_on,
    make_rules,
    plan_to_go_on,
)
from nertsim.values import whole_number

ALL = "all"
"""Every seat's bot varies."""


def sweep(
    parameters: Given | None = None,
    bots: str | Bot | Sequence[str | Bot] | None = None,
    *,
    vary: str | int | Sequence[int] | None = None,
    base: Given | None = None,
    rotate: bool | None = None,
    deals: int | None = None,
    rules: Rules | str | None = None,
    seats: int | None = None,
    seed: int | None = None,
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
) -> SweepRun:
    """What happens as one or two `parameters` vary, all else and the deals being the same?

    A parameter is a rule, a value of a tempo, or a parameter of the bot's strategy, with values or a range, both ends
    included: ``"speed=0.8:1.25:10"`` (ten values), ``"draw=1,3"``, ``"think=0.1:1.6:5:log"`` (equal ratios), a list of
    two such texts, or a dict as ``{"speed": [0.8, 1.0]}``. Two make a grid. ``rules.``, ``tempo.``, ``second.`` (a
    second hand's tempo) and ``bot.`` before a name say which is meant; ``tempo=beginner,expert`` varies a tempo as a
    whole.

    Rules vary for the table. A tempo or a strategy varies for the bot of seat 0 alone, or of the seats in `vary` (a
    number, some of them, or "all"). Where the seats are not all played alike, every deal is played with all rotations
    of the bots over the seats (unless `rotate` is False): a block. `deals` (10,000) are played for each combination of
    values, in blocks; cards and streams of timing of a block are the same for all combinations, so that differences
    between values are known much better than the values.

    Differences are to the combination `base` (``"speed=1"``; default: what the rules and the bot have without the
    sweep, where it is among the values, else the first). Intervals are for a number of deals that was fixed
    beforehand. `keep` is "blocks" (rows a block, combination and bot) or "summary"; default: rows up to ten million.
    Bots, rules, `seats`, `seed`, `out`, `resume`, `extend` and the rest are as in `simulate`; `extend` adds `deals`
    more for each combination. Raises as `simulate` does.
    """
    settings = Settings(threads, chunk, executor, scheduler, tuple(command or ()), progress, notice)
    go_on = goes_on(out, resume, extend)
    if go_on:
        assert out is not None
        recorded = recorded_plan(SweepPlan, out)
        asked = asked_for(None, rules, seats, seed=seed, keep=keep, rotate=rotate)
        asked |= _asked_of_sweep(recorded, parameters, bots, vary, base)
        count = None if deals is None else _blocks(deals, recorded.layout)
        plan = plan_to_go_on(recorded, out, asked, count, extend)
        if "bots" in asked:
            plan = plan.recast()
    else:
        if parameters is None:
            raise UsageError("name what is to vary, as speed=0.8:1.25:10")
        table = make_rules(rules, seats)
        plan = make_sweep_plan(
            parameters,
            bots,
            table,
            vary,
            base,
            rotate is not False,
            DEFAULT_DEALS if deals is None else deals,
            seed,
            keep,
        )
    _compile(plan, settings)
    sink = make_sink(plan, out, settings, go_on)
    totals, seconds = play_batch(plan, sink, settings)
    return SweepRun(plan, totals, seconds, sink.read_rows, sink.path)


def make_sweep_plan(
    parameters: Given,
    bots: str | Bot | Sequence[str | Bot] | None,
    rules: Rules,
    vary: str | int | Sequence[int] | None,
    base: Given | None,
    rotate: bool,
    deals: int,
    seed: int | None,
    keep: str | None,
) -> SweepPlan:
    """The request, checked and completed; UsageError for what cannot be accepted."""
    seated = seat_bots(DEFAULT_BOT if bots is None else bots, rules.seats, rules.hands_list)
    varied = varied_seats(vary, rules.seats)
    axes = make_axes(parameters, rules, [seated[seat] for seat in varied])
    layout = make_layout(axes, rules, seated, varied, rotate)
    check_keep(keep or "blocks", KEEP)
    plan = SweepPlan(
        rules=rules,
        bots=seated,
        seed=draw_seed() if seed is None else whole_number("seed", seed, 0, MAX_SEED),
        count=_blocks(deals, layout),
        keep=keep or "blocks",
        axes=axes,
        vary=varied,
        rotate=rotate,
        base=find_base(base, axes, layout, rules, seated[varied[0]]),
        layout=layout,
    )
    if keep is None and plan.count * plan.rows_a_block > ROWS_BY_DEFAULT:
        return dataclasses.replace(plan, keep="summary")
    return plan


def varied_seats(vary: str | int | Sequence[int] | None, seats: int) -> tuple[int, ...]:
    """The seats whose bots vary: "all", a number, or some; UsageError where there is none such."""
    if vary == ALL:
        return tuple(range(seats))
    if vary is None:
        return (0,)
    if isinstance(vary, str):
        words = [word.strip() for word in vary.split(",")]
        if not all(word.isdecimal() for word in words):
            raise UsageError(f"the seats to vary are 'all' or numbers, as 0 or 0,2, not '{vary}'")
        vary = [int(word) for word in words]
    numbers = [vary] if isinstance(vary, int) else list(vary)
    found = {whole_number("a seat to vary", number, 0, seats - 1) for number in numbers}
    if not found:
        raise UsageError("give one seat to vary, at least")
    return tuple(sorted(found))


def find_base(given: Given | None, axes: Sequence[Axis], layout: Layout, rules: Rules, bot: Bot) -> int:
    """The number of the combination that the others are compared to; UsageError where it is none of them."""
    usual = [axis.value_of(rules, bot) for axis in axes]
    known = [value in axis.values for axis, value in zip(axes, usual, strict=True)]
    wanted = [value if there else axis.values[0] for axis, value, there in zip(axes, usual, known, strict=True)]
    for name, value in _base_values(given):
        number = next((number for number, axis in enumerate(axes) if name in (axis.key, axis.name)), None)
        if number is None:
            raise UsageError(f"the base names {name}, which does not vary")
        texts = [exact_text(one) for one in axes[number].values]
        if str(value) not in texts and value not in axes[number].values:
            raise UsageError(f"{name}={value} is none of the values, which are {', '.join(texts)}")
        wanted[number] = axes[number].values[texts.index(str(value))] if str(value) in texts else value
    return next(number for number, point in enumerate(layout.points) if list(point.values) == wanted)


def _base_values(given: Given | None) -> list[tuple[str, Any]]:
    if given is None:
        return []
    if not isinstance(given, str) and hasattr(given, "items"):
        return list(given.items())
    pairs = []
    for text in [given] if isinstance(given, str) else given:
        name, equals, value = text.partition("=")
        if not equals:
            raise UsageError(f"the base '{text}' is not of the form NAME=VALUE, as speed=1")
        pairs.append((name.strip(), value.strip()))
    return pairs


def _blocks(deals: int, layout: Layout) -> int:
    """Blocks for so many deals a combination; where these have different tables, for the one with the most."""
    deals = whole_number("deals", deals, 1, MAX_DEALS)
    return max(1, deals // max(point.tables for point in layout.points))


def _asked_of_sweep(
    recorded: SweepPlan,
    parameters: Given | None,
    bots: str | Bot | Sequence[str | Bot] | None,
    vary: str | int | Sequence[int] | None,
    base: Given | None,
) -> dict[str, Any]:
    """What is given of a request to go on, by the names of the plan."""
    asked: dict[str, Any] = {}
    seated = recorded.bots
    if bots is not None:
        asked["bots"] = seated = seat_bots(bots, recorded.rules.seats, recorded.rules.hands_list)
    if vary is not None:
        asked["vary"] = varied_seats(vary, recorded.rules.seats)
    axes = recorded.axes
    if parameters is not None:
        axes = make_axes(parameters, recorded.rules, [seated[seat] for seat in recorded.vary])
        asked["parameters"] = " ".join(axis.text() for axis in axes)
    if base is not None:
        bot = seated[recorded.vary[0]]
        asked["base"] = find_base(base, recorded.axes, recorded.layout, recorded.rules, bot)
    return asked


def _compile(plan: SweepPlan, settings: Settings) -> None:
    """Tables with two hands a seat, or with jokers, have kernels of their own, which may have to be compiled."""
    kinds = {}
    for rules, seating in plan.layout.tables:
        strategies = frozenset(id(bot.strategy) for bot in plan.seated(seating))
        kinds[rules.jokers > 0 or max(rules.hands_list) > 1, strategies] = rules, seating
    for rules, seating in kinds.values():
        make_dealer(rules, plan.seated(seating), plan.seed, settings.notice)

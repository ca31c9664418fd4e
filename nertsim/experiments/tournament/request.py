"""`nertsim.tournament`: the request is checked, and blocks are played, stage after stage."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from nertsim.batch import Notice, Progress, Settings, make_sink, play_batch
from nertsim.bots.builtin_names import BUILTIN
from nertsim.bots.spec import parse_bot, seat_bots
from nertsim.bots.strategy import Bot
from nertsim.errors import UsageError, unknown
from nertsim.experiments.tournament.claims import FEWEST, Criteria
from nertsim.experiments.tournament.design import MOST_BOTS, make_design
from nertsim.experiments.tournament.plan import DECKS_APART, KEEP, Stage, TournamentPlan
from nertsim.experiments.tournament.run import TournamentRun
from nertsim.experiments.tournament.totals import METRICS, TournamentTotals
from nertsim.resume import recorded_plan
from nertsim.rules import Rules
from nertsim.simulate import MAX_DEALS, MAX_SEED, asked_for, check_keep, draw_seed, goes_on, make_rules, plan_to_go_on
from nertsim.sinks import Sink
from nertsim.values import whole_number

SMALLEST_EFFECT = {"score": 0.1, "ahead": 0.005}
"""The least difference that is worth knowing, where nothing is said: points a deal, share of deals above one half."""
MOST_DEALS = 1_000_000
MOST_BLOCKS = DECKS_APART
SHARPEST = 16
"""Claims are sharpest after this part of the most blocks: a little earlier or later they are hardly less so."""


def tournament(
    bots: Sequence[str | Bot] | None = None,
    *,
    metric: str | None = None,
    alpha: float = 0.05,
    smallest_effect: float | None = None,
    deals: int | None = None,
    drop: bool = False,
    tables: str = "auto",
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
) -> TournamentRun:
    """Which of `bots` is best, in what order do they stand, and how sure is each of it?

    In a block each bot sits at each seat, and with each other bot, equally often; the bots of a table play the same
    decks and streams of timing in all rotations over the seats. `tables` are "all" that there are, a "balanced" choice
    of them that is as small as can be found, or all where that makes a short block ("auto"). Blocks are played until of
    each two bots it is known who is better, or that they differ by less than `smallest_effect` (0.1 points; 0.005), or
    `deals` (1 million) were played.

    Bots are compared by `metric`: "score", mean points at the tables where both sit, or "ahead", the share of deals in
    which the one scores more than the other. The chance that any claim of "better" in a whole tournament is false is at
    most `alpha`, however often one looks; so is that of any "equal". Ratings are those of Plackett and Luce, of
    finishing orders.

    With `drop`, a bot is out as soon as another is better beyond doubt, and the rest play on, until one is left or
    those left are equal. The chance that the best bot is ever dropped is at most `alpha`. By default all play on: then
    all ratings have errors alike, and all means are over the same tables.

    Rules, seats, seed, out, keep ("blocks" or "summary"), resume, extend and the rest are as in `simulate`; `extend`
    adds `deals` more. Raises as `simulate` does.
    """
    settings = Settings(threads, chunk, executor, scheduler, tuple(command or ()), progress, notice)
    go_on = goes_on(out, resume, extend)
    if go_on:
        assert out is not None
        recorded = recorded_plan(TournamentPlan, out)
        entrants = None if bots is None else make_entrants(bots)
        asked = asked_for(None, rules, seats, entrants=entrants, seed=seed, keep=keep, metric=metric)
        count = None if deals is None else max(1, deals // recorded.stages[0].design.size)
        plan = plan_to_go_on(recorded, out, asked, count, extend)
        if entrants is not None:  # with the strategies as they were given: one made in Python is not kept
            plan = dataclasses.replace(plan, entrants=entrants, bots=plan.seated(plan.stages[0].design, 0))
    else:
        plan = make_tournament_plan(
            make_entrants(() if bots is None else bots),
            make_rules(rules, seats),
            metric or "score",
            alpha,
            smallest_effect,
            whole_number("deals", MOST_DEALS if deals is None else deals, 1, MAX_DEALS),
            drop,
            tables,
            seed,
            keep,
        )
    return play_stages(plan, out, settings, go_on)


def play_stages(
    plan: TournamentPlan, out: str | os.PathLike[str] | None, settings: Settings, go_on: bool
) -> TournamentRun:
    """Plays a plan, and those of the stages that follow it, into one folder or memory."""
    sink = make_sink(plan, out, settings, go_on)
    while True:
        totals, seconds = play_batch(plan, sink, settings)
        following = plan.next_stage(totals)
        if following is None:
            return TournamentRun(plan, totals, seconds, sink.read_rows, sink.path)
        plan = following
        sink = make_sink(plan, out, settings, True) if out is not None else _moved_on(sink, plan, totals, seconds)


def _moved_on(sink: Sink, plan: TournamentPlan, totals: TournamentTotals, seconds: float) -> Sink:
    sink.plan, sink.totals, sink.seconds = plan, totals, seconds
    return sink


def make_tournament_plan(
    entrants: tuple[Bot, ...],
    rules: Rules,
    metric: str,
    alpha: float,
    smallest_effect: float | None,
    deals: int,
    drop: bool,
    tables: str,
    seed: int | None,
    keep: str | None,
) -> TournamentPlan:
    """The request, checked and completed; UsageError for what cannot be accepted."""
    if metric not in METRICS:
        raise UsageError(unknown("metric", metric, METRICS))
    check_keep(keep or "blocks", KEEP)
    for bot in entrants:
        seat_bots(bot, rules.seats, rules.hands_list)  # checks hands
    seed = draw_seed() if seed is None else whole_number("seed", seed, 0, MAX_SEED)
    design = make_design(np.ones(len(entrants), bool), rules.seats, tables, seed)
    count = min(MOST_BLOCKS, max(1, deals // design.size))
    criteria = Criteria(
        alpha=alpha,
        smallest_effect=SMALLEST_EFFECT[metric] if smallest_effect is None else smallest_effect,
        largest=float(rules.largest_difference) if metric == "score" else 0.5,
        best_at=max(FEWEST, count // SHARPEST),
    )
    return TournamentPlan(
        rules=rules,
        bots=tuple(entrants[bot] for bot in design.tables[0]),
        seed=seed,
        count=count,
        keep=keep or "blocks",
        entrants=entrants,
        stages=(Stage(0, design),),
        metric=metric,
        criteria=criteria,
        which=tables,
        drops=drop,
        most=count,
    )


def make_entrants(bots: str | Bot | Sequence[str | Bot]) -> tuple[Bot, ...]:
    """The bots of a tournament; UsageError where they are too few, too many, or two have the same name."""
    given: Sequence[Any] = [bots] if isinstance(bots, (str, Bot)) else list(bots)
    if not 2 <= len(given) <= MOST_BOTS:
        have = f"; there are {', '.join(BUILTIN)}, and your own" if len(given) < 2 else ""
        raise UsageError(f"a tournament takes from 2 to {MOST_BOTS} bots, not {len(given)}{have}")
    entrants = tuple(bot if isinstance(bot, Bot) else parse_bot(bot) for bot in given)
    labels = [bot.label for bot in entrants]
    for label in labels:
        if labels.count(label) > 1:
            raise UsageError(f"'{label}' is named twice; each bot of a tournament has a name of its own")
    return entrants

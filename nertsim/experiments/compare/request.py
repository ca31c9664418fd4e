"""`nertsim.compare`: the request is checked, a plan is made from a few blocks beforehand, and blocks are played."""

from __future__ import annotations

import dataclasses
import os
import time
from collections.abc import Callable, Sequence
from threading import Event
from typing import NamedTuple

from nertsim.batch import Notice, Progress, Settings, make_dealer, make_sink, play_batch
from nertsim.bots.spec import seat_bots
from nertsim.bots.strategy import Bot
from nertsim.errors import UsageError, unknown
from nertsim.experiments.compare.design import Design, make_design
from nertsim.experiments.compare.plan import FIRST_LOOK, KEEP, ComparePlan, seat_rivals
from nertsim.experiments.compare.run import CompareRun
from nertsim.experiments.compare.totals import FINE, METRICS, table_scores
from nertsim.resume import recorded_plan
from nertsim.rules import Rules
from nertsim.simulate import MAX_DEALS, MAX_SEED, asked_for, check_keep, draw_seed, goes_on, make_rules, plan_to_go_on
from nertsim.stats.control import coefficients, moments
from nertsim.stats.passage import Expectation, passage
from nertsim.stats.sequential import SequentialTest
from nertsim.values import whole_number

SMALLEST_EFFECT = {"score": 0.1, "win": 0.005, "match": 0.01}
"""The least difference that is worth knowing, where nothing is said: points a deal, shares of deals, of matches."""
MOST_DEALS = 10_000_000
MOST_MATCHES = 1_000_000
PILOT_FIRST = MAX_DEALS
"""The first of the blocks that are played beforehand: numbers that no batch can have."""
PILOT_BLOCKS = 1024
PILOT_MATCHES = 64


class Forecast(NamedTuple):
    """What to expect of a comparison, from the blocks that were played beforehand."""

    deals_a_block: int
    seconds_a_block: float
    """Of all threads together, about."""
    expectations: list[Expectation]
    """For some true effects."""


def compare(
    a: str | Bot | None = None,
    b: str | Bot | None = None,
    *,
    field: str | Bot | None = None,
    seats_of_a: int = 1,
    metric: str | None = None,
    alpha: float = 0.05,
    beta: float = 0.05,
    smallest_effect: float | None = None,
    deals: int | None = None,
    blocks: bool = True,
    control: bool = True,
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
    forecast: Callable[[Forecast], None] | None = None,
) -> CompareRun:
    """Is bot `a` better than bot `b`, by how much, and how sure is it?

    A has `seats_of_a` seats among B's; with a `field`, one seat each among seats of that bot. A block is the same decks
    and streams of timing with the bots at all seats in turn; `metric` is "score" (points a deal; the default), "win"
    (deals won) or "match" (matches won). Blocks are played until a sequential test knows the answer, or `deals` (10
    million; of matches, 1 million) were played:

    - "A better" or "B better": where the two are equal, either is said in at most `alpha` of all comparisons;
    - "equivalent": where they differ by `smallest_effect` or more, it is said in at most `beta` of them;
    - "undecided": neither is known after so many deals.

    Default smallest effects: 0.1 points, 0.005 of the deals, 0.01 of the matches. With `control` the luck of the deal
    is taken out by control variates, whose coefficients come from some blocks that are played beforehand and count for
    nothing else. Without `blocks` every deal is a block of its own, with A at the first seat.

    Rules, seats, seed, out, keep ("blocks" or "summary"), resume, extend and the rest are as in `simulate`; `extend`
    adds `deals` more. `forecast` is called with what is to be expected before the first block is played. Raises as
    `simulate` does.
    """
    settings = Settings(threads, chunk, executor, scheduler, tuple(command or ()), progress, notice)
    go_on = goes_on(out, resume, extend)
    if go_on:
        assert out is not None
        recorded = recorded_plan(ComparePlan, out)
        rivals = _rivals(a, b, field) if a is not None or b is not None else None
        asked = asked_for(None, rules, seats, rivals=rivals, seed=seed, keep=keep, metric=metric)
        count = None if deals is None else max(1, deals // recorded.design.size)
        plan = plan_to_go_on(recorded, out, asked, count, extend)
    else:
        if deals is None:
            deals = MOST_MATCHES if metric == "match" else MOST_DEALS
        table = make_rules(rules, seats)
        plan = make_compare_plan(
            _rivals(a, b, field),
            table,
            make_design(table.seats, seats_of_a, field is not None, blocks),
            metric or "score",
            (alpha, beta, smallest_effect),
            whole_number("deals", deals, 1, MAX_DEALS),
            seed,
            keep,
        )
    if not go_on:
        plan, told = _prepared(plan, settings, control)
        if forecast:
            forecast(told)
    sink = make_sink(plan, out, settings, go_on)
    totals, seconds = play_batch(plan, sink, settings)
    return CompareRun(plan, totals, seconds, sink.read_rows, sink.path)


def make_compare_plan(
    rivals: tuple[Bot, ...],
    rules: Rules,
    design: Design,
    metric: str,
    errors: tuple[float, float, float | None],
    deals: int,
    seed: int | None,
    keep: str | None,
) -> ComparePlan:
    """The request, checked and completed, without control variates; `errors` are alpha, beta and the smallest effect.

    UsageError for what cannot be accepted.
    """
    if metric not in METRICS:
        raise UsageError(unknown("metric", metric, METRICS))
    check_keep(keep or "blocks", KEEP)
    count = max(FIRST_LOOK, deals // design.size)
    alpha, beta, effect = errors
    test = SequentialTest(
        smallest_effect=SMALLEST_EFFECT[metric] if effect is None else effect,
        alpha=alpha,
        beta=beta,
        look=FIRST_LOOK,
        fewest=FIRST_LOOK,
        largest=float(rules.largest_difference) if metric == "score" else 1.0,
    )
    seat_bots(list(seat_rivals(rivals, design)), rules.seats, rules.hands_list)  # checks hands
    return ComparePlan(
        rules=rules,
        bots=seat_rivals(rivals, design),
        seed=draw_seed() if seed is None else whole_number("seed", seed, 0, MAX_SEED),
        count=count,
        keep=keep or "blocks",
        rivals=rivals,
        design=design,
        metric=metric,
        test=test,
    )


def _rivals(a: str | Bot | None, b: str | Bot | None, field: str | Bot | None) -> tuple[Bot, ...]:
    if a is None or b is None:
        raise UsageError("two bots are compared: name both")
    return tuple(seat_bots(bot, 1)[0] for bot in (a, b, field) if bot is not None)


def _prepared(plan: ComparePlan, settings: Settings, control: bool) -> tuple[ComparePlan, Forecast]:
    """The plan with its control variates, and what to expect, from blocks that are played beforehand."""
    dealer = make_dealer(plan.rules, plan.bots, plan.seed, settings.notice)
    matches = plan.metric == "match"
    count = PILOT_MATCHES if matches else PILOT_BLOCKS
    play = plan.block_player(dealer, Event())
    first = 0 if matches else PILOT_FIRST
    play((first, first + 1))
    start = time.perf_counter()
    outcome = play((first, first + count))
    seconds = (time.perf_counter() - start) / count / settings.workers
    tables = table_scores(outcome, plan.design, plan.metric)
    if control and not matches:
        fitted = coefficients(moments(tables.sum(axis=1) * plan.block_unit, plan.luck((first, first + count))))
        if fitted is not None and fitted.any():
            plan = dataclasses.replace(plan, control=tuple(fitted.tolist()))
    scores = plan.adjust(tables, (first, first + count)) / FINE
    test = dataclasses.replace(plan.test, maximum=plan.count)
    # Where nothing varied, the test still reckons with the block that will.
    deviation = float(scores.std(ddof=1)) or float(test.variance(count, scores.sum(), (scores**2).sum()) ** 0.5)
    passed = passage(test, deviation)
    effects = [0.0, 0.5, 1.0, 2.0]
    return plan, Forecast(
        plan.design.size, seconds, [passed.expect(effect * test.smallest_effect) for effect in effects]
    )

"""The command that plays a run again: as it would be typed, whatever was typed then."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from nertsim.commands import spec_of, table_words
from nertsim.errors import BotError, UsageError

if TYPE_CHECKING:
    from nertsim.bots.strategy import Bot
    from nertsim.experiments.sweep.axes import Axis
    from nertsim.run import BatchRun


def again(run: Any) -> str | None:
    """The command; None where a bot has no name on the command line."""
    makers: dict[str, Any] = {
        "simulate": _simulate,
        "match": _match,
        "compare": _compare,
        "tournament": _tournament,
        "sweep": _sweep,
        "tune": _tune,
    }
    maker = makers.get(run.plan.KIND)
    begins_later = run.plan.KIND != "tune" and run.plan.first > 0
    if maker is None or begins_later:
        return None
    try:
        words = maker(run)
    except BotError:
        return None
    return shlex.join(["nertsim", run.plan.KIND, *words, "--seed", str(run.plan.seed)])


def _rules(run: BatchRun) -> list[str]:
    return table_words(run.rules, ())


def _simulate(run: Any) -> list[str]:
    # What ended by itself is the same as so many deals, but for its intervals.
    until = run.plan.until
    words = [*table_words(run.rules, run.bots), "--deals", str(run.totals.deals)]
    if until is not None and until.stops:
        words += ["--until-error", repr(until.error), "--figure", until.figure]
    return words


def _match(run: Any) -> list[str]:
    return [*table_words(run.rules, run.bots), "--matches", str(run.totals.matches)]


def _compare(run: Any) -> list[str]:
    from nertsim.experiments.compare.design import A

    plan = run.plan
    a, b, *field = (spec_of(bot) for bot in plan.rivals)
    words = [a, b, *_rules(run), "--metric", plan.metric, "--smallest-effect", repr(plan.test.smallest_effect)]
    words += ["--alpha", repr(plan.test.alpha), "--beta", repr(plan.test.beta)]
    words += ["--deals", str(plan.count * plan.design.size)]
    words += ["--field", field[0]] if field else []
    words += ["--seats-of-a", str(plan.design.seats_of(A))] if plan.design.seats_of(A) > 1 else []
    words += ["--no-blocks"] if plan.design.size == 1 else []
    return words + ([] if plan.control or plan.metric == "match" else ["--no-control"])


def _tournament(run: Any) -> list[str]:
    plan = run.plan
    words = [*(spec_of(bot) for bot in plan.entrants), *_rules(run), "--metric", plan.metric]
    words += ["--alpha", repr(plan.criteria.alpha), "--smallest-effect", repr(plan.criteria.smallest_effect)]
    words += ["--tables", plan.which, *(["--drop"] if plan.drops else [])]
    deals = plan.most * plan.stages[0].design.size if plan.stops else run.totals.deals
    return [*words, "--deals", str(deals)]


def _sweep(run: Any) -> list[str]:
    plan = run.plan
    varied = [plan.bots[seat] for seat in plan.vary]
    words = [f"{_prefix(axis, varied)}{axis.text()}" for axis in plan.axes] + table_words(plan.rules, plan.bots)
    words += ["--vary", ",".join(map(str, plan.vary))] if plan.vary else []
    words += ["--base", *plan.base_text.split(", ")[:1]]
    for more in plan.base_text.split(", ")[1:]:
        words += ["--base", more]
    words += [] if plan.rotate else ["--no-rotation"]
    return [*words, "--deals", str(run.totals.blocks * max(point.tables for point in plan.points))]


def _prefix(axis: Axis, bots: Sequence[Bot]) -> str:
    """What has to stand before the name of a parameter, where it would mean two things."""
    from nertsim.experiments.sweep.axes import PREFIXES, find_parameter

    try:
        find_parameter(axis.key, bots)
    except UsageError:
        return next(prefix for prefix, of in PREFIXES.items() if of == axis.of)
    return ""


def _tune(run: Any) -> list[str]:
    from nertsim.experiments.tune.roster import tune_words

    return tune_words(run.plan)

"""What a sweep says, in words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from nertsim.experiments.sweep.figures import WORDINGS
from nertsim.experiments.sweep.values import value_text
from nertsim.report.words.numbers import number

if TYPE_CHECKING:
    from nertsim.experiments.sweep.run import SweepRun

LARGE = 100
"""A gain above this is told as such: little is left that varies."""


def sentences(run: SweepRun, figure: str) -> list[str]:
    """What a sweep says, in words."""
    plan, blocks = run.plan, run.totals.blocks
    table = " and ".join(
        f"{plan.points[plan.base].members(side)} × {name}" for side, name in enumerate(plan.layout.sides)
    )
    most = max(point.tables for point in plan.points)
    rotated = f", in {most} rotations of the seats" if most > 1 else ""
    lines = [
        f"At the table: {table}. ±: half of a 95 % interval.",
        f"{blocks * most:,} deals for each value{rotated}; the cards are the same for all values.",
        *_gain(run.gains(figure), plan.base_text),
    ]
    return [" ".join([*lines, *_findings(run, figure)])]


def _gain(gains: Sequence[float], base: str) -> list[str]:
    known = [gain for gain in gains if not math.isnan(gain)]
    if not known:
        return [f"Δ: the difference to {base}, from the same deals."]
    low, high = (number(end, 1) if end < LARGE else f"over {LARGE}" for end in (min(known), max(known)))
    worth = low if low == high else f"{low} to {high}"
    return [f"Δ: the difference to {base}, from the same deals, of which each is worth {worth} of others."]


def _findings(run: SweepRun, figure: str) -> list[str]:
    wording, found, sure = WORDINGS[figure], run.values_of(figure), run.certain(figure)
    known = [place for place in range(len(found)) if not math.isnan(found[place][0])]
    if not known:
        return []

    def told(place: int) -> str:
        values = zip(run.plan.axes, run.plan.points[place].values, strict=True)
        where = ", ".join(f"{axis.key}={value_text(value)}" for axis, value in values)
        return f"{number(wording.scale * found[place][0], wording.digits)} at {where}"

    lowest, highest = (kind(known, key=lambda place: found[place][0]) for kind in (min, max))
    others = len(found) - 1
    differ = f"{sum(sure)} of {others} values differ" if 0 < sum(sure) < others else f"all {others} values differ"
    if not any(sure):
        differ = "no value differs"
    return [
        f"The {wording.name} ({wording.unit}) goes from {told(lowest)} to {told(highest)};",
        f"{differ} from {run.plan.base_text} beyond doubt (5 % for all together).",
    ]

"""What a tuning says, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nertsim.report.words.numbers import number, percent

UNITS = {"score": ("points a deal", 1.0, 3), "win": ("% of the deals", 100.0, 2)}
"""Of each metric: its unit, what a figure is multiplied with, digits after the point."""


def sentences(summary: Mapping[str, Any]) -> list[str]:
    """What a tuning says, in words."""
    unit, scale, digits = UNITS[summary["metric"]]
    validation = summary["validation"]
    level = percent(1 - validation["alpha"], 0)
    low, high = (number(scale * end, digits) for end in validation["ci"])
    effect = f"{number(scale * validation['smallest_effect'], digits)} {unit}"
    verdict = {
        "A better": "The tuned bot is better than the start.",
        "B better": "The tuned bot is worse than the start, which is kept.",
        "equivalent": f"The tuned bot and the start are equivalent (a difference of {effect} or more would have been "
        "seen): the start is kept.",
        "undecided": "It is not proved that the tuned bot is better: the start is kept. A larger budget may tell.",
    }[validation["verdict"]]
    others = ", ".join(summary["against"])
    lines = [
        f"optimum: {level} interval while the others stay; moved, costs: what it costs, in {unit}, to move it to "
        "either side.",
        verdict,
    ]
    if validation["blocks"]:
        lines.append(
            f"On {validation['deals']:,} fresh deals against {others} it is ahead by "
            f"{number(scale * validation['difference'], digits)} {unit} ({level}: {low} to {high}; the interval holds "
            "although one looks again and again)."
        )
    return lines

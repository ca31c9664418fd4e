"""What a comparison says, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nertsim.report.words.numbers import number, percent

UNITS = {
    "score": ("points a deal", 1.0, 3),
    "win": ("% of the deals", 100.0, 2),
    "match": ("% of the matches", 100.0, 1),
}
"""Of each metric: its unit, what a figure is multiplied with, digits after the point."""


def sentences(summary: Mapping[str, Any]) -> list[str]:
    """What a comparison says, in words."""
    unit, scale, digits = UNITS[summary["metric"]]
    a, b = (bot["bot"] for bot in summary["bots"])
    effect = f"{number(scale * summary['smallest_effect'], digits)} {unit}"
    verdict = {
        "A better": f"{a} is better than {b}.",
        "B better": f"{b} is better than {a}.",
        "equivalent": f"{a} and {b} are equivalent: where they differed by {effect} or more, this would be said in at "
        f"most {percent(summary['beta'], 0)} of all comparisons.",
        "undecided": f"Undecided: neither a difference nor that it is less than {effect} is known yet.",
    }[summary["verdict"]]
    lines = [
        verdict,
        _ahead(summary, a, b),
        f"{summary['blocks']:,} blocks, {summary['deals']:,} deals"
        + (f", {summary['matches']:,} matches." if summary["matches"] else "."),
    ]
    return lines + _reduction_sentences(summary)


def _ahead(summary: Mapping[str, Any], a: str, b: str) -> str:
    """Who is ahead, by how much, with the interval, and without the bias of having stopped."""
    unit, scale, digits = UNITS[summary["metric"]]
    ends, sign = summary["ci"], 1
    if summary["difference"] < 0:
        a, sign, ends = b, -1, [-end for end in reversed(ends)]
    low, high = (number(scale * end, digits) for end in ends)
    difference, estimate = (number(sign * scale * summary[name], digits) for name in ("difference", "estimate"))
    text = f"{a} is ahead by {difference} {unit} ({percent(1 - summary['alpha'], 0)}: {low} to {high}"
    if estimate != difference:
        text += f"; {estimate} without the bias of having stopped on what was seen"
    return text + "; the interval holds although one looks again and again)."


def _reduction_sentences(summary: Mapping[str, Any]) -> list[str]:
    whole = summary["variance_reduction"]
    if whole != whole:
        return ["In every block both came to the same: they play alike."]
    saved = "" if whole <= 1 else f": {number(summary['deals_saved'], 0)} deals saved"
    return [
        f"Same decks for both make one deal worth {number(whole)} (blocks "
        f"{number(summary['variance_reduction_blocks'])}, control variates "
        f"{number(summary['variance_reduction_control'])}){saved}."
    ]

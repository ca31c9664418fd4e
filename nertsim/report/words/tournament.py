"""What a tournament says, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nertsim.report.words.numbers import number, percent

METRIC = {"score": ("points", 1.0, 2), "ahead": ("% of the deals", 100.0, 1)}
"""Of each metric: its unit, what a figure is multiplied with, digits after the point."""
MOST_NAMED = 6
"""Pairs that are named one by one."""


def sentences(summary: Mapping[str, Any]) -> list[str]:
    """The answer first, then how sure it is, then what it took."""
    return [
        _best(summary),
        *_who_beats_whom(summary),
        *_circles(summary),
        *_upsets(summary),
        *_dropped(summary),
        *_about_ratings(summary),
        _effort(summary),
    ]


def _best(summary: Mapping[str, Any]) -> str:
    """Who is best, as far as it is known."""
    ratings, pairs = summary["ratings"], summary["pairs"]
    for one in ratings:
        if one["beats"] == len(ratings) - 1:
            return f"{one['bot']} is the best: better than each other beyond doubt."
    out = {one["bot"] for one in summary["dropped"]}
    left = [one["bot"] for one in ratings if one["bot"] not in out and not one["beaten_by"]]
    if len(left) == 1 and out:
        return f"{left[0]} is the best: all others are out."
    if not left:
        return "No bot is the best: each is beaten by another beyond doubt."
    among = [pair for pair in pairs if pair["bot"] in left and pair["other"] in left]
    if len(left) == 1:
        return f"{left[0]} alone is beaten by nobody; it is not known yet whether it is better than each other."
    if among and all(pair["verdict"] == "equal" for pair in among):
        return f"{_list(left)} are the best, and equal for all that matters."
    return f"The best is one of {_list(left)}; which one is not known yet."


def _who_beats_whom(summary: Mapping[str, Any]) -> list[str]:
    pairs, alpha = summary["pairs"], percent(summary["alpha"], 0)
    sure = [one for one in pairs if one["verdict"] == "better"]
    equal = [one for one in pairs if one["verdict"] == "equal"]
    unknown = [one for one in pairs if one["verdict"] == "open"]
    unit, scale, digits = METRIC[summary["metric"]]
    effect = f"{number(scale * summary['smallest_effect'], digits)} {unit}"
    follows = "." if not sure else ":" if len(sure) <= MOST_NAMED else "; the closest:"
    lines = [
        f"Beyond doubt in {len(sure)} of {len(pairs)} pairs (the chance that any of these is wrong is at most {alpha}, "
        f"although one looks again and again){follows}"
    ]
    closest = sorted(sure, key=lambda one: abs(one["difference"]))[:MOST_NAMED]
    lines += [f"  {_pair_sentence(one, summary)}" for one in closest]
    if equal:
        lines.append(f"Equal, less than {effect} apart: {_pairs(equal)}.")
    if unknown:
        lines.append(f"Not known yet: {_pairs(unknown)}.")
    return lines


def _pair_sentence(pair: Mapping[str, Any], summary: Mapping[str, Any]) -> str:
    unit, scale, digits = METRIC[summary["metric"]]
    low, high = (number(scale * end, digits) for end in pair["difference_ci"])
    by = number(scale * pair["difference"], digits)
    return f"{pair['bot']} is ahead of {pair['other']} by {by} {unit} ({low} to {high})"


def _pairs(pairs: Sequence[Mapping[str, Any]]) -> str:
    named = [f"{one['bot']} and {one['other']}" for one in pairs[:MOST_NAMED]]
    rest = len(pairs) - len(named)
    return "; ".join(named) + (f"; and {rest} more" if rest else "")


def _circles(summary: Mapping[str, Any]) -> list[str]:
    return [
        f"In a circle, beyond doubt: {' beats '.join([*circle, circle[0]])}. No order of these bots is right."
        for circle in summary["circles"]
    ]


def _upsets(summary: Mapping[str, Any]) -> list[str]:
    """Pairs in which the better one is rated below the other."""
    rank = {one["bot"]: one["rank"] for one in summary["ratings"]}
    found = [
        pair for pair in summary["pairs"] if pair["verdict"] == "better" and rank[pair["bot"]] > rank[pair["other"]]
    ]
    how = "scores more where they meet" if summary["metric"] == "score" else "is ahead more often where they meet"
    return [f"{one['bot']} is rated below {one['other']}, but {how}, beyond doubt." for one in found]


def _dropped(summary: Mapping[str, Any]) -> list[str]:
    if not summary["dropped"]:
        return []
    named = ", ".join(f"{one['bot']} after {one['blocks']:,} blocks" for one in summary["dropped"])
    return [
        f"Out: {named}. The chance that the best bot is ever dropped is at most {percent(summary['alpha'], 0)}. Scores "
        "and wins are those of the tables at which a bot sat: those left meet stronger ones."
    ]


def _about_ratings(summary: Mapping[str, Any]) -> list[str]:
    if summary["ratings_missing"]:
        return [summary["ratings_missing"][0].upper() + summary["ratings_missing"][1:] + ". Ranked by mean score."]
    return ["A bot rated 1 above another finishes ahead of it in 73 % of the deals; errors are standard errors."]


def _effort(summary: Mapping[str, Any]) -> str:
    text = f"{summary['blocks']:,} blocks, {summary['deals']:,} deals."
    factor = summary["variance_reduction"]
    if factor != factor:
        return text
    saved = f": {number(summary['deals_saved'], 0)} deals saved" if factor > 1 else ""
    return f"{text} Same decks in rotation make one deal worth {number(factor)}{saved}."


def _list(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"

"""The luck of the deal against the result: how much of it do the cards decide, before anybody plays?

What lies in a seat's deck (`nertsim.engine.luck`), less that of the others on average, foretells by how many points the
seat finishes ahead of the others. The weights are fitted on one half of the deals, and looked at on the other.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from nertsim.codes import WON_WHOLE
from nertsim.stats.control import coefficients, moments
from nertsim.stats.intervals import FixedIntervals, Interval

if TYPE_CHECKING:
    from nertsim.report.data.deals import DealData
    from nertsim.run import Run

BINS = 10
FEWEST_DEALS = 400


@dataclasses.dataclass(frozen=True)
class Bin:
    """Deals with about the same luck: their number, its mean (points), and what came of them."""

    deals: int
    luck: float
    lead: float
    lead_interval: Interval
    win_rate: float
    win_interval: Interval


@dataclasses.dataclass(frozen=True)
class LuckData:
    """What the cards decide. `bins` by bot; `explained` is the share of the variance of the lead, in fresh deals."""

    deals: int
    bins: list[list[Bin]]
    explained: float

    def to_dict(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return dataclasses.asdict(self)


def luck_of(run: Run, data: DealData) -> LuckData | None:
    """The luck of the first deals; None where there are too few, or one seat alone."""
    rules, deals = run.rules, len(data.sample_scores)
    if deals < FEWEST_DEALS or rules.seats < 2:
        return None
    from nertsim.engine.luck import deal_luck

    nerts = np.array(rules.nerts_list)
    luck = deal_luck(run.seed, run.plan.first, deals, rules.jokers, nerts, rules.work_piles, rules.draw)
    lead, won = _ahead(data.sample_scores[:, :, None])[..., 0], data.sample_won
    luck = _ahead(luck)
    taught = deals // 2
    # One seat a deal teaches, in turn: those of a deal are not independent of each other.
    turn = np.arange(deals) % rules.seats
    weights = coefficients(moments(lead[:taught][_pick(turn[:taught])], luck[:taught][_pick(turn[:taught])]))
    if weights is None:
        return None
    foretold = luck @ weights
    check = slice(taught, deals)
    picked = _pick(turn[check])
    left = lead[check][picked] - foretold[check][picked]
    explained = 1 - float(left.var() / max(lead[check][picked].var(), 1e-12))
    intervals = run.plan.until or FixedIntervals()
    bins = [_bins(members, foretold[check], lead[check], won[check], intervals) for members in run.plan.sides]
    return LuckData(deals - taught, bins, explained)


def _ahead(values: np.ndarray) -> np.ndarray:
    """By seat, less the mean of the others: (deals, seats, columns)."""
    seats = values.shape[1]
    return (values - values.mean(axis=1, keepdims=True)) * seats / (seats - 1)


def _pick(turn: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return np.arange(len(turn)), turn


def _bins(members: Sequence[int], foretold: np.ndarray, lead: np.ndarray, won: np.ndarray, intervals: Any) -> list[Bin]:
    """As many deals in each, by the luck of one of the bot's seats: another from deal to deal."""
    picked = _pick(np.array(members)[np.arange(len(foretold)) % len(members)])
    luck, ahead, shares = foretold[picked], lead[picked], won[picked]
    seats = lead.shape[1]
    whole = np.rint(ahead * (seats - 1)).astype(np.int64)  # points, so that sums are exact
    found = []
    for one in np.array_split(np.argsort(luck, kind="stable"), BINS):
        count, total, squares = len(one), int(whole[one].sum()), int((whole[one] ** 2).sum())
        wins, win_squares = int(shares[one].sum()), int((shares[one] ** 2).sum())
        found.append(
            Bin(
                deals=count,
                luck=float(luck[one].mean()),
                lead=total / count / (seats - 1),
                lead_interval=intervals.mean(count, total, squares, 1 / (seats - 1)),
                win_rate=wins / count / WON_WHOLE,
                win_interval=intervals.share(count, wins, win_squares, WON_WHOLE),
            )
        )
    return found

"""Finishing orders as what a Plackett–Luce likelihood needs of them: how often was chosen from which set of bots."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from nertsim.errors import UsageError

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclasses.dataclass(frozen=True, eq=False)
class Choices:
    """Choices of the next finisher, in `blocks` blocks of deals, among k bots.

    `sets` float64 (s, k): how often each bot sits in each of the distinct sets. `weights` sparse (blocks, s): how often
    a choice was made from it; `chosen` sparse (blocks, k): how often each bot was chosen. `ahead` int64 (k, k): how
    often the bot of the row finished ahead of that of the column, a tie counting for both.
    """

    sets: np.ndarray
    weights: csr_array
    chosen: csr_array
    ahead: np.ndarray


def choices(bots: Any, scores: Any, blocks: Any = None, count: int | None = None) -> Choices:
    """From integers 0 … k − 1 (deals, seats), the bot of each seat, and what each scored: higher finishes ahead.

    `bots` may also be (seats,), the same for all deals. `blocks` int (deals,) numbers the block of each deal; without
    it each deal is one. `count` is k.

    A tie counts as the average over the orders that agree with it, of the logarithm of the likelihood. So with two bots
    it is half a win for each, which is how a shared win counts everywhere here; of the remedies of survival analysis
    (Breslow, Efron, exact) it is the one that leaves the likelihood that of plain orders, concave, and without a
    further parameter as in Davidson & Beaver (1977), whose tie rate would have to be alike for all. Of the m! orders of
    m tied seats only the 2^m sets matter: each set of s still to come is as likely as any other, 1/C(m, s).
    """
    scored = np.asarray(scores)
    seated = np.broadcast_to(np.asarray(bots), scored.shape).astype(np.int64)
    if scored.ndim != 2 or scored.shape[1] < 2:
        raise UsageError(f"finishing orders take an array of (deals, two seats or more), not of shape {scored.shape}")
    if np.isnan(scored.astype(float)).any():
        raise UsageError("a score is not a number")
    count = int(seated.max()) + 1 if count is None else count
    if seated.min() < 0 or seated.max() >= count:
        raise UsageError(f"bots must be numbered from 0 to {count - 1}")
    rows = np.arange(len(scored)) if blocks is None else np.unique(np.asarray(blocks), return_inverse=True)[1]
    order = np.argsort(-scored, axis=1, kind="stable")
    finish = np.take_along_axis(seated, order, 1)
    tied = np.diff(np.take_along_axis(scored, order, 1), axis=1) == 0
    return _gather(finish, tied, rows, count)


def _gather(finish: np.ndarray, tied: np.ndarray, rows: np.ndarray, count: int) -> Choices:
    from scipy.sparse import coo_array

    blocks, seats = int(rows.max()) + 1, finish.shape[1]
    keys, deals, shares = [], [], []
    chosen = [coo_array((np.ones(finish.size), (np.repeat(rows, seats), finish.ravel())), shape=(blocks, count))]
    for some, groups in _patterns(tied):
        for members, share in _sets(groups):
            if len(members) == 1:  # the last one is no choice
                ones = np.full(len(some), -share)
                chosen.append(coo_array((ones, (rows[some], finish[some, members[0]])), shape=(blocks, count)))
                continue
            key = np.full((len(some), seats), count, np.int64)
            key[:, : len(members)] = np.sort(finish[some][:, members], axis=1)
            keys.append(key)
            deals.append(rows[some])
            shares.append(np.full(len(some), share))
    distinct, which = _distinct(np.concatenate(keys), count)
    cells = (np.concatenate(deals), which)
    weights = coo_array((np.concatenate(shares), cells), shape=(blocks, len(distinct))).tocsr()
    sets = np.stack([(distinct == bot).sum(axis=1) for bot in range(count)], axis=1).astype(float)
    return Choices(sets, weights, sum(part.tocsr() for part in chosen), _ahead(finish, tied, count))


def _patterns(tied: np.ndarray) -> Iterator[tuple[np.ndarray, list[tuple[int, int]]]]:
    """The deals that have their ties at the same places, and those places: (first, one past the last) of each group."""
    code = tied @ (1 << np.arange(tied.shape[1]))
    for value in np.unique(code):
        some = np.flatnonzero(code == value)
        cuts = [0, *(np.flatnonzero(~tied[some[0]]) + 1).tolist(), tied.shape[1] + 1]
        yield some, list(pairwise(cuts))


def _sets(groups: list[tuple[int, int]]) -> Iterator[tuple[list[int], float]]:
    """The places still to come at each choice, with the share of the consistent orders in which they are these."""
    last = groups[-1][1]
    for first, end in groups:
        for size in range(end - first, 0, -1):
            share = 1 / math.comb(end - first, size)
            for left in combinations(range(first, end), size):
                yield [*left, *range(end, last)], share


def _distinct(keys: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Distinct rows, and for each row which of them it is."""
    seats = keys.shape[1]
    if (count + 1) ** seats >= 2**62:
        return np.unique(keys, axis=0, return_inverse=True)
    codes = keys @ (count + 1) ** np.arange(seats)
    _, first, which = np.unique(codes, return_index=True, return_inverse=True)
    return keys[first], which


def _ahead(finish: np.ndarray, tied: np.ndarray, count: int) -> np.ndarray:
    counts = np.zeros(count * count, np.int64)
    seats = finish.shape[1]
    for one in range(seats):
        level = np.ones(len(finish), bool)
        for two in range(one + 1, seats):
            level &= tied[:, two - 1]
            counts += np.bincount(finish[:, one] * count + finish[:, two], minlength=count * count)
            both = finish[level, two] * count + finish[level, one]
            counts += np.bincount(both, minlength=count * count)
    return counts.reshape(count, count)

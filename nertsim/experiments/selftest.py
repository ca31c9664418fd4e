"""The tool's own error rates: thousands of comparisons on block scores that the engine has played.

Scores of real deals, and the very functions that commands use; what is known beforehand is the truth: two bots that are
the same, or the same block scores with a sign drawn for each (then neither is better), or moved by a known effect.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator
from threading import Event
from typing import Any

import numpy as np

from nertsim.batch import Notice, make_dealer
from nertsim.codes import WON_WHOLE, SeatColumn
from nertsim.executors import in_order, usable_cores
from nertsim.experiments.compare.design import make_design
from nertsim.experiments.compare.request import make_compare_plan
from nertsim.experiments.compare.totals import table_scores
from nertsim.rules import Rules
from nertsim.simulate import draw_seed, make_plan
from nertsim.stats.families import PairSums, holm, hopeless, mean_p_values, who_beats_whom
from nertsim.stats.intervals import LEVEL, mean_interval, share_interval
from nertsim.stats.ratings import rate
from nertsim.stats.selftest import Comparisons
from nertsim.stats.sequences import FEWEST, mean_sequence, share_sequence
from nertsim.stats.sequential import SequentialTest
from nertsim.values import whole_number

ALPHA = 0.05
MARGIN = 0.005
"""What a rate may be off, beside the two standard errors that it has for being observed so many times."""
POOL = 40_000
"""Blocks (or deals) that the scores are drawn from."""
PIECE = 256
EFFECT_SHARE = 0.09
"""The smallest effect that is tested for, in standard deviations of a block score: decided after some 1,500 blocks."""
MOST_BLOCKS = 20_000
CHUNK = 2048

Report = Callable[[dict[str, Any]], None]


def selftest(
    comparisons: int = 2000,
    *,
    seed: int | None = None,
    report: Report | None = None,
    notice: Notice | None = None,
) -> list[dict[str, Any]]:
    """Simulates `comparisons` comparisons for every method: a record for each figure, with what was stated.

    Keys: method, figure, comparisons, stated, observed, limit (what it may be at most, or at least for coverage and
    power), passed. `report` is called with each record as it is known. A seed is drawn where there is none.
    """
    comparisons = whole_number("comparisons", comparisons, 100, 1_000_000)
    lab = _Lab(comparisons, draw_seed() if seed is None else seed, notice)
    records = []
    for method in (_fresh_deals, _blocks, _until, _fixed, _family, _ratings):
        for record in method(lab):
            records.append(record)
            if report:
                report(record)
    return records


@dataclasses.dataclass
class _Lab:
    """What the methods share: sizes, random numbers, and scores that the engine has played."""

    comparisons: int
    seed: int
    notice: Notice | None

    def __post_init__(self) -> None:
        self.random = np.random.default_rng(self.seed)
        dealer = make_dealer(Rules(), make_plan("greedy", None, None, 1, 1, 0, None).bots, self.seed, self.notice)
        chunks = [dealer.play(first, first + CHUNK) for first in range(0, POOL, CHUNK)]
        rows = np.concatenate([chunk.seats for chunk in chunks])
        self.scores = rows[:, :, SeatColumn.SCORE]
        """int64 (deals, seats): four equal bots."""
        self.won = rows[:, :, SeatColumn.WON]

    def record(
        self, method: str, figure: str, stated: float, observed: float, at_least: bool, times: int = 1
    ) -> dict[str, Any]:
        """A figure beside what was stated of it; it passes within MARGIN and two standard errors of it."""
        comparisons = self.comparisons * times
        off = MARGIN + 2 * math.sqrt(stated * (1 - stated) / comparisons)
        limit = stated - off if at_least else stated + off
        return {
            "method": method,
            "figure": figure,
            "comparisons": comparisons,
            "stated": stated,
            "observed": observed,
            "limit": limit,
            "passed": bool(observed >= limit if at_least else observed <= limit),
        }


def _block_scores(a: str, blocks: int, seed: int, with_blocks: bool) -> np.ndarray:
    """Block scores of a bot against three greedy ones, points: float64 (blocks,)."""
    plan = make_plan([a, "greedy", "greedy", "greedy"], None, None, 1, seed, 0, None)
    design = make_design(4, blocks=with_blocks)
    rivals = plan.bots[:2]
    compared = make_compare_plan(rivals, plan.rules, design, "score", (ALPHA, ALPHA, 1.0), blocks * 4, seed, None)
    play = compared.block_player(make_dealer(plan.rules, compared.bots, seed), Event())
    spans = [(first, min(first + CHUNK, blocks)) for first in range(0, blocks, CHUNK)]
    tables = [table_scores(one, design, "score") for one in in_order(play, spans, usable_cores())]
    return np.concatenate(tables).sum(axis=1) * compared.block_unit


def _test(scores: np.ndarray) -> SequentialTest:
    effect = EFFECT_SHARE * float(scores.std())
    return SequentialTest(effect, ALPHA, ALPHA, look=PIECE, fewest=PIECE, maximum=MOST_BLOCKS)


def _fresh_deals(lab: _Lab) -> Iterator[dict[str, Any]]:
    """A against A, every deal with decks of its own and used once: the true difference is 0."""
    pilot = _block_scores("greedy", CHUNK, lab.seed + 1, with_blocks=False)
    test = dataclasses.replace(
        _test(pilot), smallest_effect=2 * EFFECT_SHARE * float(pilot.std()), look=100, fewest=100
    )
    done, deals = Comparisons(test, lab.comparisons), 0
    while len(done.running):
        need = len(done.running) * 100
        scores = _block_scores_from(deals, need, lab.seed)
        done.add(scores.reshape(len(done.running), 100))
        deals += need
    yield from _verdict_records(lab, "compare, A against A, fresh deals", done, 0.0)


def _block_scores_from(first: int, count: int, seed: int) -> np.ndarray:
    """Differences of seat 0 to the others among four equal bots, of the deals first …: float64 (count,)."""
    plan = make_plan("greedy", None, None, 1, seed, 0, None)
    dealer = make_dealer(plan.rules, plan.bots, seed)
    spans = [(one, min(one + CHUNK, first + count)) for one in range(first, first + count, CHUNK)]

    def task(span: tuple[int, int]) -> np.ndarray:
        scores = dealer.play(*span).seats[:, :, SeatColumn.SCORE]
        return scores[:, 0] - scores[:, 1:].mean(axis=1)

    return np.concatenate(list(in_order(task, spans, usable_cores())))


def _blocks(lab: _Lab) -> Iterator[dict[str, Any]]:
    """Blocks of a bot that is 1 % faster: with signs drawn at random, and moved by the smallest effect."""
    pool = _block_scores("greedy,speed=1.01", POOL // 4, lab.seed + 2, with_blocks=True)
    pool -= pool.mean()
    test = _test(pool)
    for what, effect in (("no difference", 0.0), ("the smallest effect", test.smallest_effect)):
        done = Comparisons(test, lab.comparisons)
        while len(done.running):
            shape = (len(done.running), PIECE)
            drawn = lab.random.choice(pool, shape) * lab.random.choice([-1.0, 1.0], shape) + effect
            done.add(drawn)
        yield from _verdict_records(lab, f"compare, blocks, {what}", done, effect)


def _verdict_records(lab: _Lab, method: str, done: Comparisons, effect: float) -> Iterator[dict[str, Any]]:
    record = done.record(effect, 1.0)
    if effect == 0:
        yield lab.record(method, "said 'better'", ALPHA, record["wrong"], at_least=False)
    else:
        yield lab.record(method, "said 'A better'", 1 - ALPHA, record["a_better"], at_least=True)
        yield lab.record(method, "said 'equivalent'", ALPHA, record["equivalent"], at_least=False)
    yield lab.record(method, "interval covers", LEVEL, record["coverage"], at_least=True)


def _until(lab: _Lab) -> Iterator[dict[str, Any]]:
    """--until-error: the interval where it stops, and at every look before."""
    looks = np.unique(np.geomspace(FEWEST, 8 * FEWEST, 24).astype(int))
    wholes = {"score": 1, "win": WON_WHOLE}
    for figure, pool in (("score", lab.scores[:, 0]), ("win", lab.won[:, 0])):
        truth, whole = float(pool.mean()) / wholes[figure], wholes[figure]
        missed = 0
        for _ in range(lab.comparisons):
            values = lab.random.choice(pool, looks[-1])
            sums, squares = np.cumsum(values)[looks - 1], np.cumsum(values * values)[looks - 1]
            ends = [
                _sequence(figure, int(n), int(a), int(b), whole) for n, a, b in zip(looks, sums, squares, strict=True)
            ]
            missed += any(not one.low <= truth <= one.high for one in ends)
        observed = 1 - missed / lab.comparisons
        yield lab.record(f"--until-error, {figure}", "interval covers at all looks", LEVEL, observed, at_least=True)


def _sequence(figure: str, count: int, total: int, squares: int, whole: int) -> Any:
    if figure == "score":
        return mean_sequence(count, total, squares, 4 * FEWEST)
    return share_sequence(count, total, squares, whole, 4 * FEWEST)


def _fixed(lab: _Lab) -> Iterator[dict[str, Any]]:
    """The intervals of `simulate` and `match`, at a number of deals that was fixed before."""
    for figure, pool in (("score", lab.scores[:, 0]), ("win", lab.won[:, 0])):
        times = 10  # they are quick, and meant to be just right
        values = lab.random.choice(pool, (times * lab.comparisons, 500))
        whole = 1 if figure == "score" else WON_WHOLE
        truth = float(pool.mean()) / whole
        covered = 0
        for row in values:
            sums = len(row), int(row.sum()), int((row * row).sum())
            ends = mean_interval(*sums) if figure == "score" else share_interval(*sums, whole)
            covered += ends.low <= truth <= ends.high
        observed = covered / len(values)
        yield lab.record(f"simulate, {figure}", "interval covers", LEVEL, observed, at_least=True, times=times)


def _equal_bots(lab: _Lab, deals: int) -> np.ndarray:
    """Scores of four bots of which none is better: rows of real deals, the seats shuffled; float64 (deals, 4)."""
    rows = lab.scores[lab.random.integers(0, len(lab.scores), deals)].astype(float)
    return lab.random.permuted(rows, axis=1)


def _family(lab: _Lab) -> Iterator[dict[str, Any]]:
    """Four equal bots: whoever is said to beat another, or is dropped, is wronged."""
    looked, fixed, dropped = 0, 0, 0
    for _ in range(lab.comparisons):
        pairs = PairSums.of(_equal_bots(lab, 200))
        claimed = out = False
        for _ in range(8):
            claimed |= bool(who_beats_whom(pairs, ALPHA, best_at=800).any())
            # Only the first bot counts as the best: of equal ones each is.
            out |= bool(hopeless(pairs, np.ones(4, bool), best_at=800, alpha=ALPHA)[0])
            pairs = pairs + PairSums.of(_equal_bots(lab, 200))
        upper = np.triu_indices(4, 1)
        p_values = holm(mean_p_values(*(part[upper] for part in pairs)))
        looked, fixed, dropped = looked + claimed, fixed + bool((p_values <= ALPHA).any()), dropped + out
    for figure, count in (("any claim, at all looks", looked), ("any claim, at the end (Holm)", fixed)):
        yield lab.record("tournament, equal bots", figure, ALPHA, count / lab.comparisons, at_least=False)
    yield lab.record("tournament, equal bots", "the best dropped", ALPHA, dropped / lab.comparisons, at_least=False)


def _ratings(lab: _Lab) -> Iterator[dict[str, Any]]:
    """Ratings of four equal bots: the truth is 0 for each."""
    covered = 0
    bots = np.tile(np.arange(4), (300, 1))
    for _ in range(lab.comparisons):
        found = rate(bots, _equal_bots(lab, 300))
        covered += abs(found.ratings[0]) <= 1.96 * found.block_errors[0]
    yield lab.record("tournament, ratings", "± 1.96 errors covers", LEVEL, covered / lab.comparisons, at_least=True)

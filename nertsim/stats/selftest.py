"""Thousands of sequential comparisons at once: what a method does, against what it says. Nothing here plays a deal."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from nertsim.stats.sequential import A_BETTER, B_BETTER, EQUIVALENT, RUNNING, UNDECIDED, SequentialTest

Draw = Callable[[np.random.Generator, tuple[int, int]], np.ndarray]
"""Draws block scores with mean 0: (generator, (comparisons, blocks)) → float64 array of that shape."""


@dataclasses.dataclass
class Comparisons:
    """Many comparisons by one test, each until its verdict; their block scores come in pieces.

    `verdicts` int8, `blocks` int64, `means`, `lows`, `highs` float64, all (comparisons,): as they were where each
    stopped, or as they are now where it still runs.
    """

    test: SequentialTest
    comparisons: int

    def __post_init__(self) -> None:
        shape = self.comparisons
        self.verdicts = np.full(shape, RUNNING, np.int8)
        self.blocks = np.zeros(shape, np.int64)
        self.means, self.lows, self.highs = (np.full(shape, np.nan) for _ in range(3))
        self._seen, self._total, self._squares = 0, np.zeros(shape), np.zeros(shape)
        self._next = self.test.next_look(0)

    @property
    def running(self) -> np.ndarray:
        """Positions of the comparisons without a verdict."""
        return np.flatnonzero(self.verdicts == RUNNING)

    def add(self, scores: np.ndarray) -> None:
        """More block scores: float64 (running comparisons, blocks), in the order of `running`."""
        rows = self.running
        if scores.shape[0] != len(rows):
            raise ValueError(f"{len(rows)} comparisons still run, but scores of {scores.shape[0]} were given")
        used = 0
        while used < scores.shape[1] and len(rows):
            part = scores[:, used : used + self._next - self._seen]
            self._total[rows] += part.sum(axis=1)
            self._squares[rows] += (part * part).sum(axis=1)
            self._seen, used = self._seen + part.shape[1], used + part.shape[1]
            if self._seen == self._next:
                self._look(rows)
                keep = self.verdicts[rows] == RUNNING
                rows, scores = rows[keep], scores[keep]

    def _look(self, rows: np.ndarray) -> None:
        total, squares = self._total[rows], self._squares[rows]
        self.verdicts[rows] = self.test.verdicts(self._seen, total, squares)
        self.lows[rows], self.highs[rows] = self.test.intervals(self._seen, total, squares)
        self.means[rows], self.blocks[rows] = total / self._seen, self._seen
        self._next = self.test.next_look(self._seen)

    def record(self, effect: float, deviation: float, **names: Any) -> dict[str, Any]:
        """What was observed where the true effect is `effect`: shares of the verdicts, coverage, blocks.

        `wrong` is the share of false verdicts: "better" for the worse or where there is no difference, "equivalent"
        where the difference is the smallest effect or more. `relative_to_fixed` compares with the fixed number of
        blocks at the same errors, `deviation` being the standard deviation of a block score.
        """
        share = {name: float(np.mean(self.verdicts == code)) for name, code in SHARES.items()}
        wrong = (share["a_better"] if effect <= 0 else 0.0) + (share["b_better"] if effect >= 0 else 0.0)
        if abs(effect) >= self.test.smallest_effect:
            wrong += share["equivalent"]
        covered = (self.lows <= effect) & (effect <= self.highs)
        return {
            **names,
            "comparisons": self.comparisons,
            "effect": effect,
            **share,
            "wrong": wrong,
            "coverage": float(covered.mean()),
            "mean_blocks": float(self.blocks.mean()),
            "relative_to_fixed": float(self.blocks.mean()) / self.test.fixed_blocks(deviation),
            "bias": float(self.means.mean()) - effect,
        }


SHARES = {"a_better": A_BETTER, "b_better": B_BETTER, "equivalent": EQUIVALENT, "undecided": UNDECIDED}


def run_comparisons(scores: np.ndarray | Iterable[np.ndarray], test: SequentialTest) -> Comparisons:
    """Runs `test` on block scores (comparisons, blocks), or on pieces of such a matrix, each with all comparisons.

    Comparisons whose scores end before a verdict stay "running".
    """
    pieces = [scores] if isinstance(scores, np.ndarray) else scores
    comparisons = None
    for piece in pieces:
        comparisons = comparisons or Comparisons(test, len(piece))
        comparisons.add(piece[comparisons.running])
    if comparisons is None:
        raise ValueError("no block scores were given")
    return comparisons


def simulate_comparisons(
    draw: Draw, effect: float, test: SequentialTest, comparisons: int, seed: int, piece: int = 400
) -> Comparisons:
    """Runs `test` on synthetic block scores, `draw` plus `effect`, until all comparisons have a verdict.

    Needs a `maximum` in the test where the distribution could keep it from ever ending.
    """
    generator = np.random.default_rng(seed)
    done = Comparisons(test, comparisons)
    while len(done.running):
        done.add(draw(generator, (len(done.running), piece)) + effect)
    return done


def normal_scores(generator: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    """Standard normal: deviation 1."""
    return generator.standard_normal(shape)


def skewed_scores(generator: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    """Exponential less its mean: deviation 1, skewness 2."""
    return generator.standard_exponential(shape) - 1


def heavy_scores(generator: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    """Student's t with 5 degrees of freedom, scaled to deviation 1: excess kurtosis 6."""
    return generator.standard_t(5, shape) * np.sqrt(3 / 5)


def tied_scores(generator: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    """−2, −1, 0, 1, 2, of which 0 comes nine times of ten (bots that seldom differ), scaled to deviation 1."""
    sizes = np.array([-2.0, -1.0, 1.0, 2.0]) / np.sqrt(0.25)
    return np.where(generator.random(shape) < 0.1, sizes[generator.integers(0, 4, shape)], 0.0)


DISTRIBUTIONS: dict[str, Draw] = {
    "normal": normal_scores,
    "skewed": skewed_scores,
    "heavy": heavy_scores,
    "tied": tied_scores,
}
"""Synthetic block scores of mean 0 and deviation 1, by name."""

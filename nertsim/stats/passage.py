"""What to expect of a sequential test before it is run, and an estimate without the bias of having stopped.

Where and when the running sum leaves the region in which the test goes on is computed once, for a true effect of 0, by
the recursion of Armitage, McPherson & Rowe (1969) on a grid. For any other effect the same paths are weighed by their
likelihood ratio, exp(m·x − m²·t/2), so that one recursion answers all questions.
"""

from __future__ import annotations

import dataclasses
import math
from typing import NamedTuple

import numpy as np

from nertsim.stats.mixtures import student_radius
from nertsim.stats.sequential import A_BETTER, B_BETTER, EQUIVALENT, LINE_SHARE, UNDECIDED, SequentialTest

FINEST = 0.02
"""Shortest step between looks, in units of (σ/δ)² blocks; for shorter ones the bounds are moved instead."""
SIEGMUND = 0.5826
"""−ζ(1/2)/√(2π): by so many standard deviations of a step a random walk overshoots a bound, on average (Siegmund 1985);
a bound that is looked at less often stands for one that is nearer by so much."""
LONGEST = 100.0
"""Where the recursion ends at the latest; by then the mixture has long met the bound for "equivalent"."""


class Expectation(NamedTuple):
    """What a test will do where the true effect is `effect` (units of the metric).

    Chances of the four verdicts; `blocks` expected, and the quantiles at 5, 50 and 95 %.
    """

    effect: float
    a_better: float
    b_better: float
    equivalent: float
    undecided: float
    blocks: float
    blocks_5: float
    blocks_50: float
    blocks_95: float


@dataclasses.dataclass(frozen=True, eq=False)
class Passage:
    """Where a test ends: points (time, position) with the chance of ending there where the true effect is 0.

    Time t is n·(δ/σ)², position x is Σ·δ/σ²; an effect of m·δ is a drift of m. `verdicts` are the codes of
    `sequential`. Normal block scores of known standard deviation `deviation`; that of real ones is as good as known
    after some hundred blocks.
    """

    test: SequentialTest
    deviation: float
    times: np.ndarray
    positions: np.ndarray
    chances: np.ndarray
    verdicts: np.ndarray

    @property
    def blocks_per_time(self) -> float:
        """(σ/δ)²."""
        return (self.deviation / self.test.smallest_effect) ** 2

    def weights(self, effect: float) -> np.ndarray:
        """The chance of ending at each of the points where the true effect is `effect`; they sum to 1."""
        drift = effect / self.test.smallest_effect
        exponents = drift * self.positions - drift**2 * self.times / 2
        weights = self.chances * np.exp(exponents - exponents.max())
        return weights / weights.sum()

    def expect(self, effect: float) -> Expectation:
        """What the test will do where the true effect is `effect`."""
        weights = self.weights(effect)
        verdicts = np.bincount(self.verdicts, weights, minlength=UNDECIDED + 1)
        blocks = np.round(self.times * self.blocks_per_time)
        summed = np.cumsum(weights)
        quantiles = blocks[np.searchsorted(summed, [0.05, 0.5, 0.95]).clip(max=len(blocks) - 1)]
        return Expectation(effect, *map(float, (*verdicts[A_BETTER:], blocks @ weights, *quantiles)))

    def median_unbiased(self, mean: float) -> float:
        """The effect that would end in a larger mean than the observed one as often as in a smaller one.

        So it is above and below the truth equally often, which the mean after a stop is not: it stopped because it was
        far out. Outcomes are ordered by the mean (Emerson & Fleming 1990; Whitehead 1997).
        """
        from scipy.optimize import brentq

        means = self.positions / self.times
        seen = mean / self.test.smallest_effect
        if self._ends_at_once(abs(seen)) or not means.min() < seen < means.max():
            return mean  # nothing to correct, or further out than any path of the grid
        larger = (means > seen + 1e-12) + 0.5 * (np.abs(means - seen) <= 1e-12)

        def excess(drift: float) -> float:
            return float(self.weights(drift * self.test.smallest_effect) @ larger) - 0.5

        width = 1.0
        while excess(seen - width) > 0 or excess(seen + width) < 0:
            width *= 2
        return self.test.smallest_effect * brentq(excess, seen - width, seen + width, xtol=1e-3)

    def _ends_at_once(self, drift: float) -> bool:
        """Whether an effect is so large that the first look decides all but surely: then the mean has no bias."""
        first = self.times[0]
        return drift * first > _better(self.test, first) + 4 * math.sqrt(first)


def passage(test: SequentialTest, deviation: float) -> Passage:
    """Where `test` ends for block scores with standard deviation `deviation` (units of the metric); some 0.1 s."""
    scale = (test.smallest_effect / deviation) ** 2
    last = LONGEST if test.maximum is None else min(LONGEST, test.maximum * scale)
    reach = last / 2 + test.better_bound + 3
    # A step of the grid well below that of the walk, and so that neither takes more than some thousand points.
    cell = min(0.05, math.sqrt(max(test.look * scale, FINEST)) / 4)
    grid = cell * np.arange(-math.ceil(reach / cell), math.ceil(reach / cell) + 1)
    time = min(test.next_look(0) * scale, last)
    mass = np.exp(-(grid**2) / (2 * time)) if time > 4 * cell**2 else np.exp(-(grid**2) / (8 * cell**2))
    mass /= mass.sum()
    ends: list[tuple[np.ndarray, ...]] = []
    while mass.sum() > 1e-9:
        step = max(test.look * scale, FINEST * (1 + time / 4))
        shift = SIEGMUND * (math.sqrt(step) - math.sqrt(test.look * scale))
        final = time >= last * (1 - 1e-9)
        mass = _absorb(test, grid, mass, time, shift, final, ends)
        if final:
            break
        step = min(step, last - time)
        mass, time = _spread(mass, _kernel(step, cell)), time + step
    return Passage(test, deviation, *(np.concatenate(column) for column in zip(*ends, strict=True)))


def _spread(mass: np.ndarray, kernel: np.ndarray) -> np.ndarray:
    """`mass` after a step, on its own grid, which may be shorter than the kernel."""
    first = len(kernel) // 2
    return np.convolve(mass, kernel)[first : first + len(mass)]


def _kernel(step: float, cell: float) -> np.ndarray:
    """A normal step of variance `step` on a grid; sums to 1."""
    half = math.ceil(8 * math.sqrt(step) / cell)
    kernel = np.exp(-((cell * np.arange(-half, half + 1)) ** 2) / (2 * step))
    return kernel / kernel.sum()


def _better(test: SequentialTest, time: float) -> float:
    """The position from which A is better: time × `SequentialTest.radius`, for many blocks."""
    mixture = time * float(student_radius(1e9, 1e9 / time, time * 1e-9, 1 - (1 - LINE_SHARE) * test.alpha))
    return min(time / 2 + test.better_bound, mixture)


def _absorb(
    test: SequentialTest,
    grid: np.ndarray,
    mass: np.ndarray,
    time: float,
    shift: float,
    final: bool,
    ends: list[tuple[np.ndarray, ...]],
) -> np.ndarray:
    """Takes out of `mass` what ends at `time`, and returns what goes on. Cells that a bound cuts end in part."""
    cell = grid[1] - grid[0]
    better = _better(test, time) - shift
    equal = time / 2 - test.equivalent_bound + shift
    above = np.clip((grid - better) / cell + 0.5, 0, 1)
    below = above[::-1]
    inside = np.clip((equal - np.abs(grid)) / cell + 0.5, 0, 1) * (1 - above) * (1 - below)
    going = np.clip(1 - above - below - inside, 0, 1)
    kinds = ((A_BETTER, above), (B_BETTER, below), (EQUIVALENT, inside), (UNDECIDED, going if final else 0 * going))
    for verdict, share in kinds:
        some = np.flatnonzero(share * mass > 0)
        ends.append((np.full(len(some), time), grid[some], (share * mass)[some], np.full(len(some), verdict)))
    return mass * going

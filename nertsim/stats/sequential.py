"""The sequential test of `compare`: is A better, is B better, or are they equal for all that matters?"""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np

from nertsim.errors import UsageError
from nertsim.stats.intervals import UNKNOWN, Interval
from nertsim.stats.mixtures import line_radius, student_radius

RUNNING, A_BETTER, B_BETTER, EQUIVALENT, UNDECIDED = range(5)
VERDICTS = ("running", "A better", "B better", "equivalent", "undecided")
"""Names of the codes above."""

LINE_SHARE = 0.9
"""Of α, what the two likelihood ratios get. The rest goes to a mixture over all effects, which is quicker where the
effect is large and keeps the interval shrinking where blocks are added after the verdict."""

EXTREMES = 3
"""Blocks of the largest size, half of them of either sign, that the variance is taken with. With two, power fell to
0.94 at β = 0.05 for the most extreme scores; see the slow tests."""


@dataclasses.dataclass(frozen=True)
class SequentialTest:
    """Two one-sided sequential probability ratio tests of 0 against ±`smallest_effect`, on running sums.

    Sobel & Wald (1949), with generalised likelihood ratios: LLR± = n·δ(±x̄ − δ/2)/s², which is the ratio with an
    estimated variance, (n/2)·ln[(s² + (x̄ − μ0)²)/(s² + (x̄ − μ1)²)], to first order in δ/s (Van den Bergh, "A practical
    introduction to the GSPRT"; unlike that ratio it always grows with x̄).

    - "A better" / "B better": `interval` leaves 0 outside. By Ville's inequality the chance of either, ever, where the
      true difference is 0 is at most `alpha`, however often one looks, and also after blocks were added; of the wrong
      one of the two, `alpha`/2.
    - "equivalent": both LLR ≤ ln β. Its chance where the difference is ±δ or beyond is at most `beta`.
    - "undecided": none of them at `maximum` blocks.

    The guarantees hold as the central limit theorem does; from `fewest` blocks on. All sizes are in the units of the
    metric; `smallest_effect` is δ, `look` says after how many blocks one looks (the same whatever the chunks, so that
    results do not depend on them), `maximum` ends the test.

    `largest` is the largest size that a block score can have. Give it wherever bots may differ in few blocks: without,
    a bot that wins one block of thousands is called equivalent after a hundred blocks of zeros, at whatever β. With it
    the variance is that of three blocks of that size more, and "equivalent" takes √(6 ln(1/β))·`largest`/δ zeros; power
    then holds in the worst case there is, scores of 0 and of +`largest` only. Other tests notice next to nothing.
    Raises `UsageError` for values that cannot be.
    """

    smallest_effect: float
    alpha: float = 0.05
    beta: float = 0.05
    look: int = 100
    fewest: int = 100
    maximum: int | None = None
    largest: float | None = None

    def __post_init__(self) -> None:
        if not (math.isfinite(self.smallest_effect) and self.smallest_effect > 0):
            raise UsageError(f"the smallest effect must be a number above 0, not {self.smallest_effect!r}")
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) <= 0.5:
                raise UsageError(f"{name} must be above 0 and at most 0.5, not {getattr(self, name)!r}")
        if self.look < 1 or self.fewest < 2:
            raise UsageError(f"a look takes 1 block and the first one 2, at least, not {self.look} and {self.fewest}")
        if self.maximum is not None and self.maximum < self.fewest:
            raise UsageError(f"the maximum of {self.maximum} blocks is below the {self.fewest} of the first look")
        if self.largest is not None and not self.largest > 0:
            raise UsageError(f"the largest block score must be above 0, not {self.largest!r}")

    @property
    def better_bound(self) -> float:
        """What a likelihood ratio must reach, as a logarithm, for "better": ln(2/(0.9·α))."""
        return math.log(2 / (LINE_SHARE * self.alpha))

    @property
    def equivalent_bound(self) -> float:
        """How far below 0 both must be for "equivalent": ln(1/β)."""
        return math.log(1 / self.beta)

    def next_look(self, count: int) -> int:
        """The number of blocks, above `count`, at which one looks next."""
        following = max(self.fewest, (count // self.look + 1) * self.look)
        return min(following, self.maximum) if self.maximum is not None and count < self.maximum else following

    def variance(self, count: Any, total: Any, squares: Any) -> np.ndarray:
        """Variance of one block score from Σx and Σx², with the three blocks of size `largest` where that is given."""
        if self.largest is not None:
            count, squares = count + EXTREMES, squares + EXTREMES * self.largest**2
        with np.errstate(divide="ignore", invalid="ignore"):
            # Python's integers are exact here; only then is it divided.
            spread = np.asarray((count * squares - total * total) / np.asarray(count * (count - 1), float), float)
        return np.maximum(spread, 0.0)

    def evidence(self, count: Any, total: Any, squares: Any) -> tuple[np.ndarray, np.ndarray]:
        """The logarithms of the likelihood ratios of +δ and of −δ against 0; arguments as for `verdicts`."""
        effect, mean = self.smallest_effect, total / np.asarray(count, float)
        with np.errstate(divide="ignore", invalid="ignore"):
            scale = count * effect / self.variance(count, total, squares)
            # Nothing varied, and the mean is half of the effect: no evidence for either.
            better, worse = (
                np.nan_to_num(scale * (sign * mean - effect / 2), nan=0.0, posinf=np.inf, neginf=-np.inf)
                for sign in (1, -1)
            )
        return better, worse

    def radius(self, count: Any, variance: Any) -> np.ndarray:
        """Half-width of the confidence sequence at level 1 − `alpha`: the smaller of two that share α.

        `line_radius` with 0.9·α, and `student_radius` with 0.1·α and a prior of standard deviation δ.
        """
        with np.errstate(divide="ignore"):
            weight = self.smallest_effect**2 / np.asarray(variance, float)
        line = line_radius(count, variance, self.smallest_effect, 1 - LINE_SHARE * self.alpha)
        mixture = student_radius(count, variance, np.minimum(weight, 1e12), 1 - (1 - LINE_SHARE) * self.alpha)
        return np.minimum(line, mixture)

    def intervals(self, count: Any, total: Any, squares: Any) -> tuple[np.ndarray, np.ndarray]:
        """Ends of the anytime-valid interval of the mean block score; nan before `fewest` blocks."""
        mean = total / np.asarray(count, float)
        radius = self.radius(count, self.variance(count, total, squares))
        radius = np.where(np.asarray(count) >= self.fewest, radius, np.nan)
        return mean - radius, mean + radius

    def verdicts(self, count: Any, total: Any, squares: Any) -> np.ndarray:
        """int8 codes (see `VERDICTS`) from the number of blocks, Σx and Σx²: plain numbers or arrays that broadcast."""
        low, high = self.intervals(count, total, squares)
        better, worse = self.evidence(count, total, squares)
        count = np.asarray(count)
        ended = np.full(np.broadcast(low, count).shape, RUNNING, np.int8)
        if self.maximum is not None:
            ended[count >= self.maximum] = UNDECIDED
        ended[(np.maximum(better, worse) <= -self.equivalent_bound) & (count >= self.fewest)] = EQUIVALENT
        ended[low > 0], ended[high < 0] = A_BETTER, B_BETTER
        return ended

    def verdict(self, count: int, total: Any, squares: Any, unit: float = 1.0) -> str:
        """The verdict from exact sums (Python integers, each worth `unit`) at a look: one of `VERDICTS`."""
        test = self.in_units(unit)
        return VERDICTS[int(test.verdicts(count, total, squares))] if count else VERDICTS[RUNNING]

    def interval(self, count: int, total: Any, squares: Any, unit: float = 1.0) -> Interval:
        """The anytime-valid interval from exact sums, at level 1 − `alpha`; unknown before `fewest` blocks."""
        if count < self.fewest:
            return UNKNOWN
        low, high = self.in_units(unit).intervals(count, total, squares)
        return Interval(float(low) * unit, float(high) * unit)

    def in_units(self, unit: float) -> SequentialTest:
        """The same test for values of which each is worth `unit` of the metric."""
        if unit == 1.0:
            return self
        largest = None if self.largest is None else self.largest / unit
        return dataclasses.replace(self, smallest_effect=self.smallest_effect / unit, largest=largest)

    def fixed_blocks(self, deviation: float) -> float:
        """Blocks of the test with a fixed number of them and the same errors: ((z(1−α/2) + z(1−β))·σ/δ)²."""
        from statistics import NormalDist

        quantile = NormalDist().inv_cdf
        return ((quantile(1 - self.alpha / 2) + quantile(1 - self.beta)) * deviation / self.smallest_effect) ** 2

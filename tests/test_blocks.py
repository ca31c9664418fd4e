"""Block scores, their intervals and the variance they save: against scipy, and against data of known variance."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from nertsim import UsageError
from nertsim.stats.blocks import block_interval, block_scores, bootstrap_interval, variance_reduction
from nertsim.stats.intervals import UNKNOWN

ROTATIONS = 4
LUCK, NOISE = 3.0, 2.0


def deals(blocks: int, seed: int) -> np.ndarray:
    """Two bots in the same seats of the same deals: float64 (blocks, 2, ROTATIONS), luck in common, noise apart.

    The first bot is better by 1; seats differ by up to 6.
    """
    generator = np.random.default_rng(seed)
    luck = generator.normal(0, LUCK, (blocks, 1, ROTATIONS))
    noise = generator.normal(0, NOISE, (blocks, 2, ROTATIONS))
    return luck + noise + np.array([[[1.0]], [[0.0]]])[:, :, 0] + 2 * np.arange(ROTATIONS)


CONTRAST = np.array([[1.0], [-1.0]]) * np.ones(ROTATIONS) / ROTATIONS


def test_a_block_score_is_the_mean_of_its_deals_or_a_contrast() -> None:
    values = deals(50, 1)
    assert block_scores(values) == pytest.approx(values.mean(axis=(1, 2)))
    assert block_scores(values, CONTRAST) == pytest.approx((values[:, 0] - values[:, 1]).mean(axis=1))


def test_the_interval_is_scipys() -> None:
    scores = block_scores(deals(40, 2), CONTRAST)
    expected = stats.ttest_1samp(scores, 0.0).confidence_interval(0.9)
    assert block_interval(scores, level=0.9) == pytest.approx((expected.low, expected.high))
    assert block_interval(scores[:1]) is UNKNOWN


@pytest.mark.parametrize("count", [60, 3000])
def test_the_bootstrap_is_reproducible_and_near_the_interval(count: int) -> None:
    scores = block_scores(deals(count, 3), CONTRAST)
    found = bootstrap_interval(scores, seed=5)
    assert found == bootstrap_interval(scores, seed=5)
    assert found != bootstrap_interval(scores, seed=6)
    plain = block_interval(scores)
    assert found == pytest.approx(plain, abs=0.25 * plain.half_width)


def test_the_bootstrap_takes_any_statistic() -> None:
    scores = np.random.default_rng(4).exponential(1.0, 400)
    low, high = bootstrap_interval(scores, np.median, seed=1)
    assert low < math.log(2) < high
    assert bootstrap_interval(scores[:1]) is UNKNOWN
    assert bootstrap_interval(np.full(30, 2.5)) == (2.5, 2.5)


def test_the_factor_is_that_of_the_model() -> None:
    """Luck in common goes: from 2(L² + N²)/r to 2N²/r; what seats differ by is nobody's variance."""
    found = variance_reduction(deals(20_000, 7), CONTRAST)
    assert found.factor == pytest.approx((LUCK**2 + NOISE**2) / NOISE**2, rel=0.03)
    assert found.factor_ci.low < (LUCK**2 + NOISE**2) / NOISE**2 < found.factor_ci.high
    assert found.used * 20_000 == pytest.approx(2 * NOISE**2 / ROTATIONS, rel=0.03)
    assert found.deals == 20_000 * 2 * ROTATIONS
    assert found.deals_saved == pytest.approx(found.deals * (found.factor - 1))


def test_the_deals_saved_are_those_that_independent_deals_would_take() -> None:
    """As many independent deals as the factor says have the error of the blocks."""
    blocks, samples = 100, 3000
    contrast = [block_scores(deals(blocks, 100 + sample), CONTRAST).mean() for sample in range(samples)]
    factor = (LUCK**2 + NOISE**2) / NOISE**2
    generator = np.random.default_rng(8)
    deviation = math.sqrt(LUCK**2 + NOISE**2)
    count = round(blocks * ROTATIONS * factor)
    apart = [
        generator.normal(1, deviation, count).mean() - generator.normal(0, deviation, count).mean()
        for _ in range(samples)
    ]
    assert np.std(contrast) == pytest.approx(np.std(apart), rel=0.06)


def test_blocks_without_common_luck_save_nothing() -> None:
    values = np.random.default_rng(9).normal(size=(4000, 6))
    found = variance_reduction(values)
    assert found.factor_ci.low < 1 < found.factor_ci.high
    assert abs(found.deals_saved) < 0.1 * found.deals


def test_the_factors_interval_covers_it() -> None:
    """1,000 experiments of 200 blocks; skewed luck as well."""
    factor, inside = (LUCK**2 + NOISE**2) / NOISE**2, []
    for sample in range(1000):
        interval = variance_reduction(deals(200, 2000 + sample), CONTRAST).factor_ci
        inside.append(interval.low < factor < interval.high)
    assert abs(np.mean(inside) - 0.95) < 0.025


def test_adjusted_scores_may_stand_in() -> None:
    values = deals(500, 10)
    scores = block_scores(values, CONTRAST)
    assert variance_reduction(values, CONTRAST, scores) == variance_reduction(values, CONTRAST)
    halved = variance_reduction(values, CONTRAST, scores / 2)
    assert halved.factor == pytest.approx(4 * variance_reduction(values, CONTRAST).factor)


def test_what_does_not_vary() -> None:
    same = variance_reduction(np.zeros((10, 4)))
    assert math.isnan(same.factor)
    assert same.factor_ci is UNKNOWN
    luck = np.random.default_rng(11).normal(size=(10, 1)) * np.ones(2)
    whole = variance_reduction(luck, [1.0, -1.0])
    assert (whole.factor, whole.deals_saved) == (math.inf, math.inf)


@pytest.mark.parametrize(
    ("values", "weights", "said"),
    [(np.zeros(5), None, "array of"), (np.zeros((1, 4)), None, "two blocks"), (np.zeros((9, 4)), [1, 1], "2 weights")],
)
def test_what_cannot_be_is_told(values: np.ndarray, weights: list[int] | None, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        variance_reduction(values, weights)

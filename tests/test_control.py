"""Control variates: unbiased, worth what they explain, harmless where they explain nothing, and mergeable."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from nertsim import UsageError
from nertsim.stats.control import (
    Moments,
    Predictable,
    adjusted_sums,
    coefficients,
    cross_fitted_scores,
    moments,
    predictable_scores,
    predictable_sums,
)
from nertsim.stats.selftest import run_comparisons
from nertsim.stats.sequential import A_BETTER, B_BETTER, SequentialTest

TRUE = np.array([2.0, -1.0, 0.0])
MEANS = np.array([5.0, 0.0, 1.0])


def lucky(blocks: int, seed: int, size: int = 3) -> tuple[np.ndarray, np.ndarray]:
    """Scores with mean 1 and variance 5 + 1, of which 5 is luck: float64 (blocks,), (blocks, size)."""
    generator = np.random.default_rng(seed)
    luck = generator.normal(size=(blocks, size))
    beta = np.resize(TRUE, size) if size == 3 else np.zeros(size)
    return 1 + luck @ beta + generator.normal(size=blocks), luck + (MEANS if size == 3 else 0.0)


def test_the_coefficients_are_least_squares_and_shrunk_a_little() -> None:
    y, z = lucky(400, 1)
    plain = np.linalg.lstsq(np.column_stack([np.ones(400), z]), y, rcond=None)[0][1:]
    found = coefficients(moments(y, z))
    assert found is not None
    ratio = found / plain
    assert ratio == pytest.approx(ratio[0], rel=1e-9)
    assert 0.99 < ratio[0] < 1


def test_the_sums_are_those_of_the_adjusted_scores() -> None:
    y, z = lucky(300, 2)
    beta = np.array([1.5, -0.5, 0.25])
    direct = y - (z - MEANS) @ beta
    count, total, squares = adjusted_sums(moments(y, z), beta, MEANS)
    assert (count, total, squares) == pytest.approx((300, direct.sum(), (direct**2).sum()))


def test_whole_numbers_merge_exactly_in_any_order() -> None:
    generator = np.random.default_rng(3)
    parts = [moments(generator.integers(-90, 90, 50), generator.integers(0, 13, (50, 4))) for _ in range(4)]
    wholes = [sum(order[1:], order[0]) for order in itertools.permutations(parts)]
    for whole in wholes:
        assert whole.blocks == 200
        assert np.array_equal(whole.total, wholes[0].total)
        assert np.array_equal(whole.products, wholes[0].products)


def test_sums_chunk_by_chunk_are_those_of_the_scores() -> None:
    y, z = lucky(1750, 4)
    adjusted = predictable_scores(y, z, MEANS, chunk=250)
    chunks = [moments(y[first : first + 250], z[first : first + 250]) for first in range(0, 1750, 250)]
    for number, sums in enumerate(predictable_sums(chunks, MEANS), start=1):
        seen = adjusted[: 250 * number]
        assert tuple(sums) == pytest.approx((len(seen), seen.sum(), (seen**2).sum()))


def test_chunks_that_only_teach_are_not_counted() -> None:
    y, z = lucky(800, 4)
    chunks = [moments(y[first : first + 100], z[first : first + 100]) for first in range(0, 800, 100)]
    *_, sums = predictable_sums(chunks, MEANS, teaching=2)
    counted = predictable_scores(y, z, MEANS, chunk=100)[200:]
    assert tuple(sums) == pytest.approx((600, counted.sum(), (counted**2).sum()))
    assert next(predictable_sums(chunks, MEANS, teaching=1)) == (0, 0, 0)


def test_no_block_is_adjusted_by_what_it_taught() -> None:
    y, z = lucky(1000, 5)
    changed = y.copy()
    changed[600:] += 100
    before, after = predictable_scores(y, z, chunk=200), predictable_scores(changed, z, chunk=200)
    assert np.array_equal(before[:200], y[:200])
    assert np.array_equal(before[:600], after[:600])
    assert after[600:800] - before[600:800] == pytest.approx(100)


@pytest.mark.parametrize("way", ["predictable", "cross-fitted"])
def test_the_mean_stays_and_the_variance_falls(way: str) -> None:
    """2,000 samples of 300 blocks: unbiased, and with a sixth of the variance, as the model has it."""
    means, plain, inside = [], [], []
    for sample in range(2000):
        y, z = lucky(300, 10_000 + sample)
        adjusted = (
            cross_fitted_scores(y, z, MEANS) if way == "cross-fitted" else predictable_scores(y, z, MEANS, 60)[60:]
        )
        means.append(adjusted.mean())
        plain.append(y.mean())
        inside.append(abs(means[-1] - 1) < 1.96 * adjusted.std(ddof=1) / np.sqrt(len(adjusted)))
    assert abs(np.mean(means) - 1) < 4 * np.std(means) / np.sqrt(2000)
    assert 5 < np.var(plain) / np.var(means) * (300 / len(adjusted)) < 7
    assert abs(np.mean(inside) - 0.95) < 0.02


def test_means_that_are_not_known_are_taken_from_the_blocks() -> None:
    """As a regression: the scores' mean is that of the luck at hand, moved by the difference of the two halves only."""
    y, z = lucky(5000, 6)
    adjusted = cross_fitted_scores(y, z)
    assert adjusted.mean() == pytest.approx(y.mean(), abs=0.01)
    assert 5 < y.var() / adjusted.var() < 7


@pytest.mark.parametrize("size", [1, 5, 20])
def test_useless_covariates_cost_nothing(size: int) -> None:
    """Factors of 100 samples of 1,000 blocks. Fitted on the blocks themselves they would look like a gain."""
    factors, flattering = [], []
    for sample in range(100):
        generator = np.random.default_rng(20_000 + sample)
        y, z = generator.normal(size=1000), generator.normal(size=(1000, size))
        running = Predictable()
        for first in range(0, 1000, 250):
            running.add(moments(y[first : first + 250], z[first : first + 250]))
        factors.append(running.factor)
        fitted = z @ np.linalg.solve(z.T @ z, z.T @ y)
        flattering.append(y.var() / (y - fitted).var())
    assert 0.99 < np.mean(factors) <= 1.001
    assert np.min(factors) > 0.95
    assert np.mean(flattering) > 1 + 0.8 * size / 1000


def test_the_factor_is_what_the_luck_explains() -> None:
    y, z = lucky(40_000, 7)
    running = Predictable(MEANS)
    for first in range(0, 40_000, 500):
        running.add(moments(y[first : first + 500], z[first : first + 500]))
    assert running.factor == pytest.approx(6, rel=0.1)
    assert running.raw.total == pytest.approx(y.sum())
    assert running.mean_error(10**6) == pytest.approx(5 / 10**6, rel=0.05)


def test_covariates_that_repeat_one_another_do_no_harm() -> None:
    y, z = lucky(2000, 8)
    twice = np.column_stack([z, z[:, 0], np.zeros(2000)])
    means = [*MEANS, MEANS[0], 0.0]
    assert predictable_scores(y, twice, means) == pytest.approx(predictable_scores(y, z, MEANS), abs=0.05)


def test_few_blocks_or_none_that_vary_are_left_alone() -> None:
    y, z = lucky(59, 9)
    assert coefficients(moments(y, z)) is None
    assert coefficients(None) is None
    assert coefficients(moments(np.zeros(200), np.ones((200, 2)))) is None
    assert np.array_equal(cross_fitted_scores(y, z), y)


def test_what_does_not_fit_is_told() -> None:
    with pytest.raises(UsageError, match="covariates of 3 blocks"):
        predictable_scores(np.zeros(4), np.zeros((3, 1)))
    running = Predictable()
    running.add(moments(np.zeros(4), np.zeros((4, 2))))
    with pytest.raises(UsageError, match="same covariates"):
        running.add(moments(np.zeros(4), np.zeros((4, 3))))
    assert Moments.__add__(moments([1.0], [1.0]), 3) is NotImplemented


@pytest.mark.slow
@pytest.mark.parametrize("effect", [0.0, 0.2])
def test_a_sequential_test_on_adjusted_scores_keeps_its_errors(effect: float) -> None:
    """2,000 comparisons with luck that explains three quarters of the variance, chunks and looks of 50 blocks."""
    generator = np.random.default_rng(30)
    comparisons, blocks = 2000, 1500
    scores = np.empty((comparisons, blocks))
    for row in range(comparisons):
        z = generator.exponential(1.0, (blocks + 50, 2)) - 1
        y = effect + z @ np.array([1.5, 0.9]) + generator.normal(size=blocks + 50)
        scores[row] = predictable_scores(y, z, chunk=50)[50:]  # the first chunk only teaches
    found = run_comparisons(scores, SequentialTest(0.2, look=50, maximum=1500)).record(effect, 1.0)
    assert found["coverage"] >= 0.945
    if effect:
        assert found["a_better"] >= 0.95
        assert found["relative_to_fixed"] < 0.8  # of the fixed number for what luck leaves, a quarter of the variance
    else:
        assert found["wrong"] <= 0.055
    assert set(SequentialTest(0.2).verdicts(500, np.array([400.0, -400.0]), 900.0)) == {A_BETTER, B_BETTER}

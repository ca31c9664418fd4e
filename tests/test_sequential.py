"""The sequential test, its intervals and its planner: against ville, published chess results, and what they promise.

Seeds are fixed, so a test that passes once always passes.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
import ville
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, optimize, stats

from nertsim import UsageError
from nertsim.stats.intervals import mean_interval
from nertsim.stats.likelihood import constrained_shares, finite_ratio, normal_ratio, standardized_ratio, wald_bounds
from nertsim.stats.mixtures import line_radius, prior_weight, student_evidence, student_radius
from nertsim.stats.passage import passage
from nertsim.stats.selftest import DISTRIBUTIONS, Comparisons, Draw, run_comparisons, simulate_comparisons
from nertsim.stats.sequences import mean_sequence, mixture_radius
from nertsim.stats.sequential import A_BETTER, B_BETTER, EQUIVALENT, RUNNING, UNDECIDED, VERDICTS, SequentialTest

# Confidence sequences


@pytest.mark.parametrize("count", [100, 1000, 10_000, 1_000_000])
@pytest.mark.parametrize("level", [0.9, 0.95, 0.999])
def test_the_mixture_is_villes(count: int, level: float) -> None:
    weight = prior_weight(5000, level)
    expected = ville.normal_mixture(count, 1 - level, 1 / weight) / count
    assert mixture_radius(count, 1.0, 5000, level) == pytest.approx(float(expected), rel=1e-12)
    # Student's is wider by what the estimated variance costs, and no more than that.
    assert 1 < student_radius(count, 1.0, weight, level) / expected < 1 + 45 / count


def test_the_weight_is_nearly_the_best() -> None:
    best = ville.normal_mixture(5000, 0.05, ville.best_rho(5000, 0.05))
    assert 1 <= ville.normal_mixture(5000, 0.05, 1 / prior_weight(5000)) / best < 1.001


def test_the_sequence_of_a_mean_is_villes() -> None:
    values = np.random.default_rng(1).integers(-30, 50, 4000)
    theirs = ville.AsymptoticCS(alpha=0.05, t_opt=2000, min_samples=1000)
    theirs.rho_ = 1 / prior_weight(2000)
    theirs.update(values.astype(float))
    for count in (1000, 2500, 4000):
        seen = values[:count]
        ours = mean_sequence(count, int(seen.sum()), int((seen**2).sum()), best_at=2000)
        assert ours == pytest.approx((theirs.lower_[count - 1], theirs.upper_[count - 1]), rel=1e-9)


@pytest.mark.parametrize(("count", "mean"), [(2, 3.0), (5, -0.4), (30, 0.8), (60, 0.3)])
def test_students_evidence_is_the_bayes_factor(count: int, mean: float) -> None:
    """The integral over the prior of the noncentral t density, over the central one: Rouder et al. (2009)."""
    variance, weight = 1.7, 0.3
    t = mean / math.sqrt(variance / count)

    def density(effect: np.ndarray) -> np.ndarray:
        prior = stats.norm.pdf(effect, scale=math.sqrt(weight))
        return stats.nct.pdf(t, count - 1, effect * math.sqrt(count)) * prior

    middle, width = mean / math.sqrt(variance), 12 / math.sqrt(count)
    grid = np.linspace(middle - width, middle + width, 4001)
    factor = integrate.trapezoid(density(grid), grid)
    expected = math.log(factor / stats.t.pdf(t, count - 1))
    assert float(student_evidence(count, mean, variance, weight)) == pytest.approx(expected, abs=1e-5)


@given(st.integers(2, 10**6), st.floats(1e-3, 1e3), st.floats(1e-5, 10), st.sampled_from([0.9, 0.95, 0.995]))
def test_students_radius_is_where_the_evidence_suffices(
    count: int, variance: float, weight: float, level: float
) -> None:
    radius = float(student_radius(count, variance, weight, level))
    if math.isfinite(radius):
        assert float(student_evidence(count, radius, variance, weight)) == pytest.approx(-math.log(1 - level), rel=1e-6)
    else:  # no mean, however far out, is evidence enough
        assert float(student_evidence(count, 1e9, variance, weight)) <= -math.log(1 - level) + 1e-6


def test_too_few_values_or_none_that_vary() -> None:
    assert student_radius(1, 1.0, 1.0) == math.inf
    assert student_radius(50, 0.0, 1.0) == 0
    assert student_evidence(1, 5.0, 1.0, 1.0) == 0
    assert student_evidence(10, 1.0, 0.0, 1.0) == math.inf
    assert student_evidence(10, 0.0, 0.0, 1.0) < 0
    assert line_radius(0, 1.0, 0.1) == math.inf


def test_the_line_is_the_ratio_of_two_normal_likelihoods() -> None:
    values, effect, level = np.random.default_rng(2).normal(0.2, 1.5, 60), 0.3, 0.95
    radius = float(line_radius(60, 1.5**2, effect, level))
    theta = values.mean() - radius
    ratio = stats.norm.logpdf(values, theta + effect, 1.5).sum() - stats.norm.logpdf(values, theta, 1.5).sum()
    assert ratio == pytest.approx(math.log(2 / (1 - level)))


# Likelihood ratios

LOGISTIC = [
    # Pairs of games with 0, ½, 1, 1½, 2 points; bounds in Elo; the ratio that fishtest gave. Pull requests of
    # github.com/official-stockfish/Stockfish: 3098, 2493, 3331, 3209, 2920, 3017, 2971, 2951, each at two speeds.
    ((491, 7345, 29693, 7670, 465), -0.25, 1.25, 2.96),
    ((53, 2220, 21459, 2445, 47), 0.25, 1.25, 2.97),
    ((424, 2948, 5832, 3045, 460), -1.0, 3.0, 2.94),
    ((1284, 17437, 55536, 18085, 1292), 0.0, 2.0, 2.94),
    ((115, 2196, 11328, 2317, 136), -0.25, 1.25, 2.94),
    ((14, 1030, 14318, 1163, 19), 0.25, 1.25, 2.93),
    ((253, 4282, 17604, 4431, 286), -0.25, 1.25, 2.94),
    ((58, 3302, 33130, 3518, 84), 0.25, 1.25, 2.97),
    ((665, 4806, 9333, 4893, 747), -0.5, 1.5, 2.95),
    ((328, 4564, 15580, 4789, 371), 0.25, 1.75, 2.98),
    ((174, 2658, 10273, 2713, 178), -1.5, 0.5, 2.96),
    ((40, 1272, 12142, 1300, 30), -1.5, 0.5, 3.01),
    ((17, 253, 1042, 337, 39), -0.5, 1.5, 2.96),
    ((11, 407, 3238, 513, 11), 0.25, 1.75, 2.93),
    ((59, 754, 2467, 865, 75), -0.5, 1.5, 2.95),
    ((33, 1185, 8378, 1302, 50), 0.25, 1.75, 2.95),
]
NORMALIZED = [
    # The same with bounds in normalized Elo: pull requests 5452, 4194 and 6616, each at two speeds.
    ((758, 38802, 84253, 39511, 772), 0.0, 2.0, 2.93),
    ((19, 6089, 15803, 6441, 22), 0.5, 2.5, 2.95),
    ((371, 10263, 24989, 10642, 379), 0.0, 2.0, 2.95),
    ((47, 8181, 25234, 8575, 47), 0.5, 2.5, 2.94),
    ((2, 1925, 6607, 2176, 2), 0.0, 2.0, 2.94),
    ((5, 2968, 10474, 3253, 5), 0.5, 2.5, 2.96),
]
POINTS = np.arange(5) / 4


def share_of(elo: float) -> float:
    return 1 / (1 + 10 ** (-elo / 400))


@pytest.mark.parametrize(("counts", "elo_0", "elo_1", "published"), LOGISTIC)
def test_the_exact_ratio_is_the_published_one(
    counts: tuple[int, ...], elo_0: float, elo_1: float, published: float
) -> None:
    means = share_of(elo_0), share_of(elo_1)
    found = np.array(counts)
    assert finite_ratio(found, POINTS, *means, prior=0.001) == pytest.approx(published, abs=0.0051)
    normal = float(normal_ratio(found.sum(), found @ POINTS, found @ POINTS**2, *means))
    assert normal == pytest.approx(published, abs=0.02)


@pytest.mark.parametrize(("counts", "elo_0", "elo_1", "published"), NORMALIZED)
def test_the_standardized_ratio_is_the_published_one(
    counts: tuple[int, ...], elo_0: float, elo_1: float, published: float
) -> None:
    found, scale = np.array(counts), math.sqrt(2) * math.log(10) / 800
    mean = found @ POINTS / found.sum()
    deviation = math.sqrt(found @ (POINTS - mean) ** 2 / found.sum())
    ratio = standardized_ratio(found.sum(), (mean - 0.5) / deviation, elo_0 * scale, elo_1 * scale)
    assert float(ratio) == pytest.approx(published, abs=0.0051)


def test_walds_bounds_are_the_published_ones() -> None:
    assert [round(bound, 2) for bound in wald_bounds(0.05, 0.05)] == [-2.94, 2.94]


def test_no_shares_with_that_mean_are_likelier() -> None:
    counts, values, mean = np.array([7, 3, 12, 2]), np.array([-3.0, 0.0, 1.0, 4.0]), 0.4

    def loss(shares: np.ndarray) -> float:
        return -float(counts @ np.log(shares))

    constraints = [
        {"type": "eq", "fun": lambda shares: shares.sum() - 1},
        {"type": "eq", "fun": lambda shares: shares @ values - mean},
    ]
    best = optimize.minimize(loss, np.full(4, 0.25), bounds=[(1e-6, 1)] * 4, constraints=constraints, tol=1e-12)
    assert constrained_shares(counts, values, mean) == pytest.approx(best.x, abs=1e-4)
    assert constrained_shares(counts, values, mean) @ values == pytest.approx(mean)


def test_a_mean_beyond_the_values_is_told() -> None:
    with pytest.raises(UsageError, match="not between"):
        constrained_shares(np.array([3, 4]), np.array([0.0, 1.0]), 1.5)


def test_the_tests_evidence_is_the_generalised_ratio() -> None:
    """To first order in the effect over the deviation."""
    test, values = SequentialTest(0.02), np.random.default_rng(3).normal(0.015, 1, 5000)
    sums = len(values), values.sum(), (values**2).sum()
    better, worse = test.evidence(*sums)
    assert float(better) == pytest.approx(float(normal_ratio(*sums, 0, 0.02)), abs=0.01)
    assert float(worse) == pytest.approx(float(normal_ratio(*sums, 0, -0.02)), abs=0.01)


# Verdicts


@given(st.integers(100, 10**6), st.floats(-3, 3), st.floats(0.01, 10), st.booleans())
def test_better_means_that_the_interval_leaves_nought_outside(
    count: int, mean: float, deviation: float, bounded: bool
) -> None:
    test = SequentialTest(0.1, largest=20.0 if bounded else None)
    squares = count * mean**2 + (count - 1) * deviation**2
    verdict, interval = test.verdict(count, count * mean, squares), test.interval(count, count * mean, squares)
    assert (verdict == "A better") == (interval.low > 0)
    assert (verdict == "B better") == (interval.high < 0)
    assert interval.low < mean < interval.high
    mirror = {"A better": "B better", "B better": "A better"}
    assert test.verdict(count, -count * mean, squares) == mirror.get(verdict, verdict)
    if verdict == "equivalent":
        assert abs(mean) < test.smallest_effect / 2


def test_bots_that_play_the_same_are_equivalent() -> None:
    test = SequentialTest(0.03, look=50)
    assert test.verdict(50, 0, 0) == "running"
    assert test.verdict(100, 0, 0) == "equivalent"
    assert test.interval(100, 0, 0) == (0, 0)


def test_zeros_are_believed_later_where_a_block_can_bring_much() -> None:
    test = SequentialTest(0.03, largest=78.0)
    enough = math.sqrt(6 * math.log(1 / 0.05)) * 78 / 0.03
    assert test.verdict(int(0.99 * enough), 0, 0) == "running"
    assert test.verdict(int(1.01 * enough), 0, 0) == "equivalent"
    assert 0.015 < test.interval(int(enough), 0, 0).high < 0.05


@pytest.mark.parametrize(
    ("score", "expected"), [(1, "A better"), (-1, "B better"), (Fraction(1, 2), "A better"), (0, "equivalent")]
)
def test_scores_that_never_vary(score: Fraction, expected: str) -> None:
    count = 200
    assert SequentialTest(1.0).verdict(count, float(score * count), float(score * score * count)) == expected


def test_nothing_is_said_before_the_first_look() -> None:
    test = SequentialTest(0.1, fewest=100)
    assert test.verdict(0, 0, 0) == "running"
    assert test.verdict(99, 990, 9901) == "running"
    assert math.isnan(test.interval(99, 990, 9901).low)
    assert test.verdict(100, 1000, 10001) == "A better"


def test_the_maximum_ends_it() -> None:
    test = SequentialTest(0.1, maximum=1000)
    sums = (1000, 50.0, 1000.0)
    assert dataclasses.replace(test, maximum=None).verdict(*sums) == "running"
    assert test.verdict(*sums) == "undecided"
    assert test.verdict(1000, 300.0, 1000.0) == "A better"


def test_looks_are_the_same_whatever_the_chunks() -> None:
    test = SequentialTest(0.1, look=40, fewest=100, maximum=190)
    looks = [0]
    while looks[-1] < 190:
        looks.append(test.next_look(looks[-1]))
    assert looks == [0, 100, 120, 160, 190]
    assert test.next_look(107) == 120


def test_huge_exact_sums_and_their_unit() -> None:
    """Scores of about 10⁸ in units of 10⁻⁸: floating point sums would lose the variance."""
    values = [10**12 + step for step in range(-60, 60)] * 10
    total, squares = sum(values), sum(value**2 for value in values)
    test = SequentialTest(0.1)
    mean = 1e12 * 1e-8
    found = test.interval(len(values), total, squares, unit=1e-8)
    assert found.low < mean < found.high
    small = test.in_units(1e-8)
    assert float(small.variance(len(values), total, squares)) == pytest.approx(np.var(np.arange(-60, 60)), rel=0.01)
    assert small.smallest_effect == pytest.approx(1e7)
    assert test.verdict(len(values), total, squares, unit=1e-8) == "A better"


@given(st.lists(st.integers(-20, 20), min_size=100, max_size=150), st.sampled_from([0.25, 2.0]))
def test_a_unit_scales_everything(values: list[int], unit: float) -> None:
    sums = len(values), sum(values), sum(value**2 for value in values)
    whole = SequentialTest(3.0, largest=20.0)
    scaled = SequentialTest(3.0 * unit, largest=20.0 * unit)
    assert whole.verdict(*sums) == scaled.verdict(*sums, unit=unit)
    assert scaled.interval(*sums, unit=unit) == pytest.approx([end * unit for end in whole.interval(*sums)], abs=1e-9)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"smallest_effect": 0.0}, "smallest effect"),
        ({"smallest_effect": math.nan}, "smallest effect"),
        ({"alpha": 0.0}, "alpha"),
        ({"beta": 0.7}, "beta"),
        ({"look": 0}, "look"),
        ({"fewest": 1}, "look"),
        ({"maximum": 50}, "maximum"),
        ({"largest": -1.0}, "largest"),
    ],
)
def test_what_cannot_be_is_told(wrong: dict[str, float], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        SequentialTest(**{"smallest_effect": 0.1, **wrong})  # type: ignore[arg-type]


# The harness


def test_the_harness_does_what_the_test_says_block_by_block() -> None:
    scores = np.random.default_rng(4).integers(-3, 5, (30, 700)).astype(float) - 0.5
    test = SequentialTest(0.4, look=30, maximum=600)
    found = run_comparisons(scores, test)
    for row, values in enumerate(scores):
        count, verdict = 0, "running"
        while verdict == "running":
            count = test.next_look(count)
            seen = values[:count]
            verdict = test.verdict(count, seen.sum(), (seen**2).sum())
        assert (verdict, count) == (VERDICTS[found.verdicts[row]], found.blocks[row])
        interval = test.interval(count, seen.sum(), (seen**2).sum())
        assert (found.lows[row], found.highs[row]) == pytest.approx(interval)
        assert found.means[row] == pytest.approx(seen.mean())
    assert {EQUIVALENT, UNDECIDED} <= set(found.verdicts)


def test_pieces_give_what_the_whole_gives() -> None:
    scores = np.random.default_rng(5).integers(-3, 4, (40, 900)).astype(float)
    test = SequentialTest(0.3, look=25)
    whole, pieces = run_comparisons(scores, test), run_comparisons(np.split(scores, [70, 71, 500], axis=1), test)
    for name in ("verdicts", "blocks", "means", "lows", "highs"):
        assert np.array_equal(getattr(whole, name), getattr(pieces, name), equal_nan=True)


def test_the_harness_wants_scores_of_those_that_run() -> None:
    comparisons = Comparisons(SequentialTest(1.0), 3)
    with pytest.raises(ValueError, match="3 comparisons still run"):
        comparisons.add(np.zeros((2, 100)))
    with pytest.raises(ValueError, match="no block scores"):
        run_comparisons([], SequentialTest(1.0))
    assert (comparisons.verdicts == RUNNING).all()


# Error rates


def peeking(generator: np.random.Generator, comparisons: int) -> float:
    """False alarms of looking at a 95 % interval after every 100 of 5,000 blocks."""
    sums = generator.standard_normal((comparisons, 50, 100))
    total, squares = sums.sum(axis=2).cumsum(axis=1), (sums**2).sum(axis=2).cumsum(axis=1)
    counts = np.arange(100, 5001, 100)
    error = np.sqrt((squares / counts - (total / counts) ** 2) / counts)
    return float((np.abs(total / counts) > 1.96 * error).any(axis=1).mean())


def test_looking_at_a_fixed_interval_would_fail() -> None:
    assert peeking(np.random.default_rng(6), 1000) > 0.3


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_error_rates_hold(name: str) -> None:
    """At looks every 25 blocks, 1,000 comparisons: within three standard errors of what is promised."""
    test = SequentialTest(0.15, look=25)
    same = simulate_comparisons(DISTRIBUTIONS[name], 0.0, test, 1000, seed=7).record(0.0, 1.0)
    other = simulate_comparisons(DISTRIBUTIONS[name], 0.15, test, 1000, seed=8).record(0.15, 1.0)
    assert same["wrong"] < 0.05 + 0.02
    assert other["a_better"] > 0.95 - 0.02
    assert min(same["coverage"], other["coverage"]) > 0.95 - 0.02
    assert other["relative_to_fixed"] < 0.75


RATES = [(name, effect) for name in DISTRIBUTIONS for effect in (0.05, 0.1, 0.2)]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "effect"), RATES)
@pytest.mark.parametrize("true", [0.0, 0.5, 1.0, -1.0, 3.0])
def test_error_rates_hold_in_many_comparisons(name: str, effect: float, true: float) -> None:
    """4,000 comparisons, looks every 25 blocks, until a verdict; the figures that `nertsim selftest` promises."""
    test = SequentialTest(effect, look=25)
    found = simulate_comparisons(DISTRIBUTIONS[name], true * effect, test, 4000, seed=9).record(true * effect, 1.0)
    assert found["coverage"] >= 0.945
    assert found["wrong"] <= 0.055
    assert found["undecided"] == 0
    if abs(true) == 1:
        assert max(found["a_better"], found["b_better"]) >= 0.95
        assert found["relative_to_fixed"] < (0.66 if effect < 0.2 else 0.8)


def seldom(chance: float, size: float, both: bool) -> Draw:
    """0 but for one block of many; mean 0."""

    def draw(generator: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
        number = generator.random(shape)
        if both:
            return np.where(number < chance / 2, size, np.where(number < chance, -size, 0.0))
        return np.where(number < chance, size, 0.0) - chance * size

    return draw


@pytest.mark.slow
@pytest.mark.parametrize("times", [1, 2, 4])
def test_bots_that_seldom_differ_are_told_apart(times: int) -> None:
    """Scores of 0 and 50, with an effect of 0.1 or, `times` as often, of 0 and ±50: the most extreme there are."""
    test = SequentialTest(0.1, look=50, largest=50.0)
    chance = 0.1 / 50
    deviation = 50 * math.sqrt(chance * times)
    one = simulate_comparisons(seldom(chance * times, 50.0, False), 0.1 * times, test, 2000, seed=10, piece=2000)
    two = simulate_comparisons(seldom(chance * times, 50.0, True), 0.0, test, 2000, seed=11, piece=2000)
    assert one.record(0.1 * times, deviation)["a_better"] >= 0.95
    assert two.record(0.0, deviation)["wrong"] <= 0.055
    assert two.record(0.0, deviation)["coverage"] >= 0.945


def test_without_the_largest_score_they_are_not() -> None:
    """What `largest` is for: the same bots, called equivalent after some hundred blocks of zeros."""
    test = SequentialTest(0.1, look=50)
    found = simulate_comparisons(seldom(0.002, 50.0, False), 0.1, test, 200, seed=10, piece=2000)
    assert (found.verdicts == EQUIVALENT).mean() > 0.5


@pytest.mark.slow
@pytest.mark.parametrize("name", DISTRIBUTIONS)
@pytest.mark.parametrize(("fewest", "best_at"), [(100, 100), (100, 1000), (1000, 1000), (1000, 10_000)])
def test_the_sequences_hold_at_all_counts_at_once(name: str, fewest: int, best_at: int) -> None:
    """2,000 sequences of 20,000 values, looked at all along: how many ever leave the mean out."""
    generator, looks = np.random.default_rng(12), np.unique(np.geomspace(fewest, 20_000, 400).astype(int))
    missed = 0
    for _ in range(20):
        values = DISTRIBUTIONS[name](generator, (100, 20_000))
        means = values.cumsum(axis=1)[:, looks - 1] / looks
        variances = ((values**2).cumsum(axis=1)[:, looks - 1] / looks - means**2) * looks / (looks - 1)
        radii = student_radius(looks, variances, prior_weight(best_at))
        missed += int((np.abs(means) > radii).any(axis=1).sum())
    assert missed / 2000 <= 0.055


def test_students_sequence_holds_from_two_normal_values_on() -> None:
    """Exact: 4,000 sequences, looked at after each of the first 200 values. The plain mixture would fail here."""
    values = np.random.default_rng(13).standard_normal((4000, 200))
    counts = np.arange(2, 201)
    means = values.cumsum(axis=1)[:, 1:] / counts
    variances = ((values**2).cumsum(axis=1)[:, 1:] / counts - means**2) * counts / (counts - 1)
    assert (np.abs(means) > student_radius(counts, variances, prior_weight(30))).any(axis=1).mean() <= 0.055
    plain = np.array([mixture_radius(int(count), 1.0, 30) for count in counts]) * np.sqrt(variances)
    assert (np.abs(means) > plain).any(axis=1).mean() > 0.1


def test_it_holds_after_blocks_are_added() -> None:
    """Nobody is held to the verdict: going on to 20 times the blocks, "better" stays as rare where nothing differs."""
    test, generator = SequentialTest(0.2, look=25), np.random.default_rng(14)
    values = generator.standard_normal((1000, 400, 25))
    total, squares = values.sum(axis=2).cumsum(axis=1), (values**2).sum(axis=2).cumsum(axis=1)
    ever = np.isin(test.verdicts(25 * np.arange(1, 401), total, squares), (A_BETTER, B_BETTER)).any(axis=1)
    assert ever.mean() <= 0.055


# The planner


@pytest.mark.parametrize("alpha", [0.01, 0.05])
@pytest.mark.parametrize("beta", [0.05, 0.2])
@pytest.mark.parametrize("effect", [0.003, 0.1, 0.3])
def test_the_plan_keeps_the_stated_errors(alpha: float, beta: float, effect: float) -> None:
    """No simulation: the chances themselves, for normal scores."""
    test = SequentialTest(effect, alpha, beta, look=10)
    plan = passage(test, 1.0)
    same, other = plan.expect(0.0), plan.expect(effect)
    assert same.a_better == pytest.approx(same.b_better, rel=1e-9)
    assert same.a_better + same.b_better <= alpha
    assert other.a_better >= 1 - beta
    assert other.b_better < alpha / 20
    if effect < 0.1 and beta < 0.1:
        assert 0.5 < other.blocks / test.fixed_blocks(1.0) < 0.6
        assert plan.expect(3 * effect).blocks < 0.25 * other.blocks


def test_the_plan_is_walds_where_only_one_bound_matters() -> None:
    """Far beyond the effect: the blocks of a line with drift, (bound·σ²/δ)/(μ − δ/2), from Wald's identity."""
    test = SequentialTest(0.002, look=1)
    expected = test.better_bound / 0.002 / (0.004 - 0.001)
    assert passage(test, 1.0).expect(0.004).blocks == pytest.approx(expected, rel=0.03)


@pytest.mark.parametrize(("effect", "look", "maximum"), [(0.2, 50, None), (0.2, 20, 900), (0.6, 7, None)])
@pytest.mark.parametrize("true", [0.0, 0.5, 1.0, 2.5])
def test_the_plan_is_what_simulation_gives(effect: float, look: int, maximum: int | None, true: float) -> None:
    test = SequentialTest(effect, look=look, maximum=maximum)
    plan = passage(test, 2.0).expect(true * effect)

    def draw(generator: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
        return 2 * generator.standard_normal(shape)

    done = simulate_comparisons(draw, true * effect, test, 1500, seed=15)
    for code, planned in ((A_BETTER, plan.a_better), (EQUIVALENT, plan.equivalent), (UNDECIDED, plan.undecided)):
        observed = float((done.verdicts == code).mean())
        assert abs(observed - planned) < 4 * math.sqrt(planned * (1 - planned) / 1500) + 0.006
    assert abs(done.blocks.mean() - plan.blocks) < 4 * done.blocks.std() / math.sqrt(1500) + 0.02 * plan.blocks
    for part, blocks in ((0.05, plan.blocks_5), (0.5, plan.blocks_50), (0.95, plan.blocks_95)):
        assert (done.blocks < blocks - look).mean() < part + 0.05
        assert (done.blocks <= blocks + look).mean() > part - 0.05


@pytest.mark.parametrize("true", [0.5, 1.0, 3.0])
def test_the_estimate_after_the_stop_is_above_and_below_equally_often(true: float) -> None:
    test = SequentialTest(0.1, look=25)
    plan = passage(test, 1.0)
    done = simulate_comparisons(DISTRIBUTIONS["normal"], true * 0.1, test, 1000, seed=16)
    # It grows with the mean, so some thirty of them tell the others.
    some = np.quantile(done.means, np.linspace(0, 1, 30))
    corrected = np.interp(done.means, some, [plan.median_unbiased(mean) for mean in some])
    assert abs((corrected < true * 0.1).mean() - 0.5) < 0.06
    if true in (1.0, 3.0):
        assert (done.means < true * 0.1).mean() < 0.475
        assert abs(corrected.mean() - true * 0.1) < abs(done.means.mean() - true * 0.1)


def test_an_estimate_far_out_is_left_as_it_is() -> None:
    assert passage(SequentialTest(0.01), 1.0).median_unbiased(5.0) == pytest.approx(5.0, rel=0.1)


def test_the_fixed_test_it_is_compared_with_has_those_errors() -> None:
    blocks = SequentialTest(0.1).fixed_blocks(1.0)
    power: Callable[[float], float] = stats.norm.cdf
    assert blocks == pytest.approx(((stats.norm.ppf(0.975) + stats.norm.ppf(0.95)) / 0.1) ** 2)
    assert power(0.1 * math.sqrt(blocks) - stats.norm.ppf(0.975)) == pytest.approx(0.95)
    exact = mean_interval(1300, 0, 1300)
    assert exact.high == pytest.approx(1.96 / math.sqrt(1300), rel=0.01)

"""Families of claims: Holm against closed testing, error rates with looking, dropping of bots, circles."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from nertsim import UsageError
from nertsim.stats.families import (
    PairSums,
    anytime_p_values,
    circles,
    holm,
    hopeless,
    mean_p_values,
    who_beats_whom,
)
from nertsim.stats.mixtures import prior_weight, student_radius


@given(st.lists(st.floats(0, 1), min_size=1, max_size=6))
def test_holm_is_the_closure_of_bonferroni(p_values: list[float]) -> None:
    """A claim's adjusted p-value is the largest of min(1, m·min p) over all m claims that it is among."""
    members = range(len(p_values))
    subsets = [set(some) for size in members for some in itertools.combinations(members, size + 1)]
    for claim, found in enumerate(holm(p_values)):
        expected = max(min(1, len(some) * min(p_values[one] for one in some)) for some in subsets if claim in some)
        assert found == pytest.approx(expected)


def test_holm_leaves_out_what_is_not_there() -> None:
    assert holm([[0.01, math.nan], [0.04, 0.03]]) == pytest.approx(
        np.array([[0.03, math.nan], [0.06, 0.06]]), nan_ok=True
    )


def test_p_values_are_scipys() -> None:
    values = np.random.default_rng(1).normal(0.2, 1, (40, 7))
    found = mean_p_values(40, values.sum(axis=0), (values**2).sum(axis=0))
    assert found == pytest.approx(stats.ttest_1samp(values, 0.0).pvalue)
    assert mean_p_values([1, 50, 50], [3.0, 0.0, 50.0], [9.0, 0.0, 50.0]).tolist() == [1, 1, 0]


def test_anytime_p_values_agree_with_the_sequence() -> None:
    """At most α exactly where the confidence sequence leaves 0 outside."""
    values = np.random.default_rng(2).normal(0.12, 1, (200, 600))
    count, total, squares = 600, values.sum(axis=1), (values**2).sum(axis=1)
    found = anytime_p_values(count, total, squares, best_at=500)
    radius = student_radius(count, values.var(axis=1, ddof=1), prior_weight(500))
    assert np.array_equal(found <= 0.05, np.abs(values.mean(axis=1)) >= radius)
    assert 0 < (found <= 0.05).sum() < 200
    assert (anytime_p_values(99, 500.0, 2600.0, best_at=500) == 1).all()


def test_sums_of_pairs_are_those_of_the_differences() -> None:
    scores = np.random.default_rng(3).integers(-20, 40, (60, 4)).astype(float)
    scores[20:, 2] = np.nan
    found = PairSums.of(scores[:30]) + PairSums.of(scores[30:])
    for one, two in itertools.product(range(4), repeat=2):
        difference = scores[:, one] - scores[:, two]
        difference = difference[~np.isnan(difference)]
        assert found.blocks[one, two] == len(difference)
        assert found.total[one, two] == difference.sum()
        assert found.squares[one, two] == (difference**2).sum()
    assert PairSums.__add__(found, 1) is NotImplemented


def tournaments(means: np.ndarray, count: int, looks: int, seed: int) -> list[list[PairSums]]:
    """Sums at each of `looks` looks, 100 blocks apart, of `count` tournaments with luck of the block in common."""
    generator = np.random.default_rng(seed)
    out = []
    for _ in range(count):
        luck = generator.normal(0, 3, (looks, 100, 1))
        scores = means + luck + generator.exponential(1.0, (looks, 100, len(means)))
        sums = [PairSums.of(part) for part in scores]
        out.append(list(itertools.accumulate(sums, PairSums.__add__)))
    return out


def test_who_beats_whom_beyond_doubt() -> None:
    sums = tournaments(np.array([0.0, 0.5, 0.5]), 1, 20, seed=4)[0][-1]
    for best_at in (None, 1000):
        found = who_beats_whom(sums, best_at=best_at)
        assert found[1, 0] and found[2, 0]
        assert not found[0].any()
        assert not found[1, 2] and not found[2, 1]


MIXED = np.array([0.3, 0.0, 0.0, 0.0, -0.3])
"""Three equal bots among five, so that three claims would be false."""


def false_claims(means: np.ndarray, count: int, looks: int, seed: int, best_at: float | None) -> float:
    """Share of tournaments in which anything false is ever claimed, at any look."""
    truly = means[:, None] > means[None, :] + 1e-12
    return float(
        np.mean(
            [
                any((who_beats_whom(sums, best_at=best_at) & ~truly).any() for sums in tournament)
                for tournament in tournaments(means, count, looks, seed)
            ]
        )
    )


def test_false_claims_are_rare_at_one_look_and_not_at_twenty() -> None:
    """Ordinary p-values are for one look; the second figure shows what they do at many."""
    one = np.mean(
        [
            (who_beats_whom(tournament[-1]) & ~(MIXED[:, None] > MIXED[None, :])).any()
            for tournament in tournaments(MIXED, 500, 5, seed=5)
        ]
    )
    assert one <= 0.05 + 0.025
    assert false_claims(MIXED, 100, 20, seed=6, best_at=None) > 0.12


@pytest.mark.slow
@pytest.mark.parametrize("means", [np.zeros(5), MIXED], ids=["equal", "mixed"])
def test_family_wise_errors_hold_with_continuous_looking(means: np.ndarray) -> None:
    """2,000 tournaments of five bots, 25 looks: anything false, ever."""
    assert false_claims(means, 2000, 25, seed=7, best_at=1000) <= 0.055


def elimination(means: np.ndarray, count: int, looks: int, seed: int) -> tuple[float, np.ndarray]:
    """How often a best bot was ever dropped, and how often each bot was alive at the end."""
    wrong, alive_at_end = 0, np.zeros(len(means))
    for tournament in tournaments(means, count, looks, seed):
        alive = np.ones(len(means), bool)
        for sums in tournament:
            alive &= ~hopeless(sums, alive, best_at=1000)
        wrong += not alive[np.argmax(means)]
        alive_at_end += alive
    return wrong / count, alive_at_end / count


def test_hopeless_bots_are_dropped_and_the_best_is_not() -> None:
    wrong, alive = elimination(np.array([0.5, 0.4, 0.0, -2.0]), 100, 15, seed=8)
    assert wrong <= 0.05
    assert alive[0] == 1
    assert alive[2] == alive[3] == 0


@pytest.mark.slow
def test_the_best_of_equals_is_seldom_dropped() -> None:
    """2,000 tournaments of six bots, of which the first is as good as three others."""
    wrong, alive = elimination(np.array([0.0, 0.0, 0.0, 0.0, -0.2, -1.0]), 2000, 20, seed=9)
    assert wrong <= 0.055
    assert alive[5] == 0


def test_the_dead_drop_nobody_and_margins_spare() -> None:
    sums = tournaments(np.array([1.0, 0.0]), 1, 5, seed=10)[0][-1]
    assert hopeless(sums, [True, True], best_at=500).tolist() == [False, True]
    assert hopeless(sums, [False, True], best_at=500).tolist() == [False, False]
    assert hopeless(sums, [True, True], best_at=500, margin=2.0).tolist() == [False, False]
    assert hopeless(sums, [True, True], best_at=500, fewest=501).tolist() == [False, False]


def matrix(size: int, *pairs: tuple[int, int]) -> np.ndarray:
    beats = np.zeros((size, size), bool)
    for one, two in pairs:
        beats[one, two] = True
    return beats


def test_circles_are_found() -> None:
    assert circles(matrix(4, (0, 1), (1, 2), (0, 2), (2, 3))) == []
    assert circles(matrix(3, (0, 2), (2, 1), (1, 0))) == [[0, 2, 1]]
    assert [set(found) for found in circles(matrix(6, (0, 1), (1, 0), (2, 3), (3, 4), (4, 2), (0, 2)))] == [
        {0, 1},
        {2, 3, 4},
    ]
    with pytest.raises(UsageError, match="square"):
        circles(np.zeros((2, 3)))


@given(st.integers(0, 2**20 - 1))
def test_a_circle_is_one_and_none_is_shorter(code: int) -> None:
    beats = np.zeros((5, 5), bool)
    beats[~np.eye(5, dtype=bool)] = [(code >> bit) & 1 for bit in range(20)]

    def is_circle(way: tuple[int, ...]) -> bool:
        return all(beats[one, two] for one, two in zip(way, way[1:] + way[:1], strict=True))

    ways = [way for size in range(2, 6) for way in itertools.permutations(range(5), size) if is_circle(way)]
    reach = np.linalg.matrix_power(np.eye(5, dtype=int) + beats, 5) > 0
    found = circles(beats)
    assert bool(found) == bool(ways)
    for circle in found:
        assert is_circle(tuple(circle))
        group = reach[circle[0]] & reach[:, circle[0]]
        assert len(circle) == min(len(way) for way in ways if group[list(way)].all())

"""Plackett–Luce ratings: against choix, against enumeration of ties, and against what they promise."""

from __future__ import annotations

import itertools
import math
import time

import choix
import numpy as np
import pytest

from nertsim import UsageError
from nertsim.stats.choices import choices
from nertsim.stats.ratings import ELO, bootstrap_ratings, check_connected, rate, rate_choices


def played(
    deals: int, seats: int, strengths: np.ndarray, seed: int, coarse: float | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Tables drawn at random, and scores of which the order is Plackett–Luce; ties where they are rounded."""
    generator = np.random.default_rng(seed)
    bots = generator.permuted(np.tile(np.arange(len(strengths)), (deals, 1)), axis=1)[:, :seats]
    scores = strengths[bots] + generator.gumbel(size=bots.shape)
    return bots, scores if coarse is None else np.round(scores / coarse)


STRENGTHS = np.array([0.9, 0.5, 0.1, 0.0, -0.3, -1.2])


def orders(bots: np.ndarray, scores: np.ndarray) -> list[list[int]]:
    return np.take_along_axis(bots, np.argsort(-scores, axis=1), 1).tolist()


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_ratings_are_choixs(seats: int) -> None:
    bots, scores = played(600, seats, STRENGTHS, seed=1)
    found, data = rate(bots, scores), orders(bots, scores)
    theirs = choix.ilsr_rankings(6, data)
    assert found.ratings == pytest.approx(theirs - theirs.mean(), abs=1e-6)
    assert found.ratings.sum() == pytest.approx(0)
    assert found.log_likelihood == pytest.approx(choix.log_likelihood_rankings(data, found.ratings))


def test_a_tie_is_the_average_over_the_orders_that_agree_with_it() -> None:
    """Each deal as 24 plain orders, all that agree with it equally often; choix knows no ties."""
    bots, scores = played(150, 4, STRENGTHS, seed=2, coarse=1.5)
    assert any(len(set(row)) < 3 for row in scores.tolist())
    data = []
    for seated, scored in zip(bots.tolist(), scores.tolist(), strict=True):
        agreeing = [
            [seated[place] for place in order]
            for order in itertools.permutations(range(4))
            if all(scored[one] >= scored[two] for one, two in itertools.pairwise(order))
        ]
        data += agreeing * (24 // len(agreeing))
    theirs = choix.ilsr_rankings(6, data)
    found = rate(bots, scores)
    assert found.ratings == pytest.approx(theirs - theirs.mean(), abs=1e-6)
    assert found.log_likelihood == pytest.approx(choix.log_likelihood_rankings(data, found.ratings) / 24)


def test_with_two_bots_a_tie_is_half_a_win_for_each() -> None:
    scores = np.array([[1, 0]] * 6 + [[0, 1]] * 2 + [[5, 5]] * 4)
    found = rate([0, 1], scores)
    assert found.difference(0, 1)[0] == pytest.approx(math.log(8 / 4))


def test_a_bot_may_sit_in_several_seats() -> None:
    """One against three of another: it is ahead of all with chance w/(w + 3)."""
    generator = np.random.default_rng(3)
    scores = np.array([0.7, 0, 0, 0]) + generator.gumbel(size=(40_000, 4))
    found = rate([0, 1, 1, 1], scores)
    difference, error = found.difference(0, 1)
    assert abs(difference - 0.7) < 4 * error
    assert error < 0.02


def test_wins_alone_tell_the_odds() -> None:
    scores = np.array([[1, 0]] * 73 + [[0, 1]] * 27)
    found = rate([0, 1], scores)
    assert found.difference(0, 1)[0] == pytest.approx(math.log(73 / 27))
    # The standard error of a log odds: √(1/73 + 1/27).
    assert math.sqrt(4 * found.covariance[0, 0]) == pytest.approx(math.sqrt(1 / 73 + 1 / 27))
    assert found.ranks.tolist() == [1, 2]
    assert ELO * math.log(10) == pytest.approx(400)


def test_nobody_is_favoured_by_number_seat_or_order_of_deals() -> None:
    bots, scores = played(500, 4, STRENGTHS, seed=4, coarse=1.0)
    found = rate(bots, scores).ratings
    shuffled = np.random.default_rng(5).permutation(500)
    turned = np.roll(bots[shuffled], 1, axis=1), np.roll(scores[shuffled], 1, axis=1)
    assert rate(*turned).ratings == pytest.approx(found, abs=1e-8)
    numbers = np.array([3, 5, 0, 1, 4, 2])
    assert rate(numbers[bots], scores).ratings[numbers] == pytest.approx(found, abs=1e-8)
    assert rate(bots, scores * 3 + 7).ratings == pytest.approx(found, abs=1e-12)


def test_many_bots_at_many_seats() -> None:
    """More sets than fit in one number each, and tables of twelve."""
    strengths = np.linspace(-1, 1, 60)
    bots, scores = played(400, 12, strengths, seed=6)
    found = rate(bots, scores)
    assert np.corrcoef(found.ratings, strengths)[0, 1] > 0.95
    theirs = choix.ilsr_rankings(60, orders(bots, scores))
    assert found.ratings == pytest.approx(theirs - theirs.mean(), abs=1e-5)


def test_standard_errors_are_how_much_ratings_vary() -> None:
    """400 tournaments of 300 deals, against their own errors: by information, over blocks, and by bootstrap."""
    ratings, errors, block_errors = [], [], []
    for seed in range(400):
        found = rate(*played(300, 4, STRENGTHS, seed=100 + seed))
        ratings.append(found.ratings)
        errors.append(found.errors)
        block_errors.append(found.block_errors)
    spread = np.std(ratings, axis=0)
    assert np.mean(errors, axis=0) == pytest.approx(spread, rel=0.12)
    assert np.mean(block_errors, axis=0) == pytest.approx(spread, rel=0.12)
    bias = np.mean(ratings, axis=0) - (STRENGTHS - STRENGTHS.mean())
    assert np.abs(bias).max() < 4 * spread.max() / math.sqrt(400) + 0.01
    drawn = bootstrap_ratings(choices(*played(300, 4, STRENGTHS, seed=100)), seed=1, resamples=300)
    assert np.nanstd(drawn, axis=0) == pytest.approx(spread, rel=0.2)


def test_deals_of_a_block_that_repeat_one_another_count_once() -> None:
    """Each deal four times: the information matrix believes four times the deals, blocks do not."""
    bots, scores = played(500, 4, STRENGTHS, seed=7)
    once = rate(bots, scores)
    again = rate(np.repeat(bots, 4, axis=0), np.repeat(scores, 4, axis=0), blocks=np.repeat(np.arange(500) * 7, 4))
    assert again.ratings == pytest.approx(once.ratings)
    assert again.errors == pytest.approx(once.errors / 2)
    assert again.block_errors == pytest.approx(once.block_errors)


def test_the_bootstrap_is_reproducible() -> None:
    data = choices(*played(200, 3, STRENGTHS, seed=8, coarse=1.0))
    one, two = bootstrap_ratings(data, seed=3, resamples=20), bootstrap_ratings(data, seed=3, resamples=20)
    assert np.array_equal(one, two)
    assert not np.array_equal(one, bootstrap_ratings(data, seed=4, resamples=20))


@pytest.mark.parametrize("seats", [4, 8])
def test_fifty_thousand_deals_take_well_under_a_second(seats: int) -> None:
    bots, scores = played(50_000, seats, np.linspace(-1, 1, 12), seed=9, coarse=0.4)
    start = time.process_time()
    found = rate(bots, scores)
    assert time.process_time() - start < (1.0 if seats == 4 else 4.0)
    assert found.errors.max() < 0.03


def test_bots_that_cannot_be_compared_are_named() -> None:
    names = ["greedy", "slow", "hasty", "random"]
    with pytest.raises(UsageError, match="slow never finished ahead"):
        rate([0, 1], np.array([[3, 2], [5, 1]]), names=names[:2])
    apart = np.array([[0, 1], [1, 0], [2, 3], [3, 2]])
    with pytest.raises(UsageError, match="greedy, slow never finished ahead of any other"):
        rate(apart, np.array([[2, 1]] * 4), names=names)
    rate(apart[[0, 1, 2, 3, 0, 2]] + np.array([[0, 0]] * 4 + [[2, 0], [-2, 0]]), np.array([[2, 1]] * 6), names=names)
    check_connected(np.ones((3, 3)))


def test_a_bot_that_did_not_play_cannot_be_rated() -> None:
    with pytest.raises(UsageError, match="2 played no deal"):
        rate([0, 1], np.array([[3, 2], [1, 5]]), count=3)


@pytest.mark.parametrize(
    ("bots", "scores", "said"),
    [
        ([0, 1], [3, 2], "array of"),
        ([0], [[3], [2]], "array of"),
        ([0, 1], [[3, math.nan]], "not a number"),
        ([0, -1], [[3, 2]], "numbered"),
    ],
)
def test_what_cannot_be_is_told(bots: list[int], scores: list[object], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        rate(bots, np.array(scores))


def test_a_tie_of_all_twelve_is_as_good_as_no_deal() -> None:
    bots = np.tile(np.arange(12), (3, 1))
    found = rate(bots, np.zeros((3, 12)))
    assert found.ratings == pytest.approx(np.zeros(12), abs=1e-12)
    assert found.log_likelihood == pytest.approx(-3 * math.lgamma(13))


@pytest.mark.slow
def test_intervals_of_differences_cover() -> None:
    """2,000 tournaments of 200 blocks of 4 deals with rounded scores and luck of the block in common."""
    inside, strengths = [], np.array([0.4, 0.0, 0.0, -0.4])
    generator = np.random.default_rng(11)
    for _ in range(2000):
        luck = generator.gumbel(size=(200, 1, 4))
        seat = np.arange(4)
        rotation = (seat + np.arange(4)[:, None]) % 4
        scores = (strengths[rotation] + luck).reshape(800, 4)
        difference, error = rate(np.tile(rotation, (200, 1)), scores, blocks=np.repeat(np.arange(200), 4)).difference(
            0, 3
        )
        inside.append(abs(difference - 0.8) < 1.96 * error)
    assert np.mean(inside) >= 0.935


def test_choices_can_be_gathered_before() -> None:
    bots, scores = played(300, 4, STRENGTHS, seed=12)
    assert rate_choices(choices(bots, scores)).ratings == pytest.approx(rate(bots, scores).ratings)

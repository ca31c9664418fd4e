"""The methods that tune: how near they come to the top of hills that are known, and what they say of it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nertsim.errors import UsageError
from nertsim.experiments.tune.evolution import Evolution, cloud_size
from nertsim.experiments.tune.lines import PLACES, Lines
from nertsim.experiments.tune.profile import PLACES as PROFILE_PLACES
from nertsim.experiments.tune.profile import Moments, profile_points, sensitivities
from nertsim.experiments.tune.shares import LINES, MOST_STEPS, share_out
from nertsim.experiments.tune.space import Axis, Space
from nertsim.experiments.tune.spsa import FINE, LINES_AT, SPREAD, Moves, Spsa, fitting_moves
from tests.landscapes import AXES, PAIR_ELO, Hill, make_hill

PAIRS = 100_000
GOAL = 2.0
"""Elo."""


def climb(method: Any, hill: Hill, noise: float, random: np.random.RandomState) -> tuple[np.ndarray, int]:
    """Where a method ends, and the trials it took; `noise` is the standard deviation of what a trial tells."""
    played = 0
    while not method.done:
        trials = method.ask()
        played += trials.points.shape[0] * trials.points.shape[1] * trials.blocks
        error = noise / math.sqrt(trials.blocks)
        told = hill.at(trials.points) + error * random.normal(size=trials.points.shape[:2])
        method.tell(told, np.where(np.arange(told.shape[1]) > 0, math.sqrt(2) * error, 0.0)[None])
    return method.estimate, played


def spsa(hill: Hill, seed: int, pairs: int = PAIRS) -> Spsa:
    """As `nertsim tune` sets it up for so many pairs in all."""
    lined = int(LINES * pairs)
    directions = 1
    blocks = (pairs - lined) // MOST_STEPS["spsa"] // directions
    steps = (pairs - lined) // (blocks * directions)
    moves = fitting_moves(AXES, steps * directions * blocks, GOAL, PAIR_ELO**2)
    line_blocks = 2 * lined // (len(LINES_AT) * AXES * (1 + PLACES))
    return Spsa(hill.start, steps, directions, blocks, GOAL, moves, line_blocks, np.random.RandomState(seed))


def cmaes(hill: Hill, seed: int, pairs: int = PAIRS) -> Evolution:
    """Fifty pairs for each point, against the same other bot."""
    return Evolution(hill.start, pairs // (cloud_size(AXES) * 50), 50, np.random.RandomState(seed))


def residual_of_spsa(seed: int, askew: bool) -> float:
    # The two points of a direction play each other: half of the variance of what a pair tells is either's.
    hill = make_hill(seed, askew)
    end, trials = climb(spsa(hill, seed), hill, PAIR_ELO / math.sqrt(2), np.random.RandomState(1000 + seed))
    assert trials <= 2 * PAIRS
    return -float(hill.at(end))


def residual_of_cmaes(seed: int, askew: bool) -> float:
    hill = make_hill(seed, askew)
    end, trials = climb(cmaes(hill, seed), hill, PAIR_ELO, np.random.RandomState(1000 + seed))
    assert trials <= PAIRS
    return -float(hill.at(end))


@pytest.mark.parametrize("askew", [False, True])
@pytest.mark.parametrize("residual", [residual_of_spsa, residual_of_cmaes])
def test_the_residual_is_two_elo_or_less(residual: Callable[[int, bool], float], askew: bool) -> None:
    assert np.median([residual(seed, askew) for seed in range(20)]) <= 2.0


@pytest.mark.parametrize("make", [spsa, cmaes])
def test_without_noise_the_top_is_found(make: Callable[..., Any]) -> None:
    for askew in (False, True):
        hill = make_hill(3, askew)
        assert hill.at(climb(make(hill, 3), hill, 0.0, np.random.RandomState(0))[0]) > -0.25 * GOAL


@pytest.mark.parametrize("make", [spsa, cmaes])
def test_a_method_does_the_same_again(make: Callable[..., Any]) -> None:
    hill = make_hill(1, True)
    ends = [climb(make(hill, 5, 10_000), hill, 20.0, np.random.RandomState(9))[0] for _ in range(2)]
    assert (ends[0] == ends[1]).all()


def test_the_best_point_that_was_tried_is_not_the_estimate() -> None:
    # Nothing but noise: what is best was lucky, and the estimate stays in the middle.
    flat = Hill(np.full(AXES, 0.5), np.zeros((AXES, AXES)), np.full(AXES, 0.5))
    search = Evolution(flat.start, 30, 1, np.random.RandomState(0))
    seen = []
    random = np.random.RandomState(1)
    while not search.done:
        points = search.ask().points
        told = random.normal(size=points.shape[:2])
        seen += list(zip(told[0], points[0], strict=True))
        search.tell(told)
    best = max(seen, key=lambda one: one[0])[1]
    assert np.abs(search.estimate - 0.5).mean() < 0.5 * np.abs(best - 0.5).mean()


def test_what_lies_behind_a_plateau_is_found_on_a_line() -> None:
    def worth(points: np.ndarray) -> np.ndarray:
        return 1.0 * (points[..., 2] > 0.7) - (points[..., 0] - 0.5) ** 2

    random = np.random.RandomState(3)
    search = Spsa(np.array([0.5, 0.5, 0.2, 0.5]), 200, 2, 4, 0.1, Moves(0.02, 1.0), 50, random)
    while not search.done:
        trials = search.ask()
        told = worth(trials.points) + random.normal(size=trials.points.shape[:2]) / math.sqrt(trials.blocks)
        search.tell(told, np.full(told.shape, math.sqrt(2 / trials.blocks)))
    assert search.estimate[2] > 0.7


def test_a_line_leads_nowhere_where_nothing_is_sure() -> None:
    moved, random = 0, np.random.RandomState(1)
    for seed in range(200):
        lines = Lines(1, 100, 0.05, np.random.RandomState(seed))
        points = lines.ask(np.array([0.4])).points
        told, errors = random.normal(size=points.shape[1]), np.full(points.shape[1], math.sqrt(2))
        errors[0] = 0.0
        moved += lines.tell(told, errors) is not None
        assert lines.done
    assert moved <= 20


def test_points_stay_in_the_cube() -> None:
    corner = Hill(np.zeros(3), np.eye(3), np.array([0.0, 1.0, 0.5]))
    for search in (
        Spsa(corner.start, 50, 4, 1, 0.1, Moves(0.05, 1.0), 10, np.random.RandomState(0)),
        Evolution(corner.start, 50, 1, np.random.RandomState(0)),
    ):
        while not search.done:
            points = search.ask().points
            assert points.min() >= 0 and points.max() <= 1
            search.tell(corner.at(points), np.ones(points.shape[:2]))
        assert search.estimate.min() >= 0 and search.estimate.max() <= 1


def test_the_spread_follows_from_the_noise() -> None:
    assert fitting_moves(8, 1000, 2.0, 1e9) == (SPREAD, 1.0)
    assert fitting_moves(8, 10**9, 2.0, 1e-9) == (FINE, 2 / 8)
    some = fitting_moves(30, 40_000, 0.1, 10.0)
    assert FINE < some.spread < SPREAD and some.share == 1
    assert fitting_moves(30, 80_000, 0.1, 10.0).spread == pytest.approx(some.spread / math.sqrt(2))
    fewer = fitting_moves(30, 10**6, 0.1, 10.0)
    assert fewer.spread == FINE and fewer.spread**2 * fewer.share == pytest.approx(some.spread**2 / 25)


# The profile


CUBE = Space(
    (
        Axis("wide", -10.0, 30.0),
        Axis("edge", 0.0, 1.0),
        Axis("count", 0, 9, whole=True),
        Axis("switch", 0, 1, whole=True),
    )
)


def told(
    space: Space, points: np.ndarray, worth: Callable[[np.ndarray], np.ndarray], noise: float, seed: int
) -> Moments:
    """What 400 blocks say of points, with noise of that standard deviation in each."""
    random = np.random.RandomState(seed)
    values = worth(space.played(points))[:, None] + noise * random.normal(size=(len(points), 400))
    off = values - values[0]
    steps = np.diff(values, axis=0, prepend=values[:1])
    return Moments(400, off.mean(axis=1), off.var(axis=1, ddof=1), steps.var(axis=1, ddof=1))


def parabolas(values: np.ndarray) -> np.ndarray:
    tops, bends = np.array([4.0, 0.3, 6.0, 1.0]), np.array([0.01, 8.0, 0.2, 0.5])
    return -(bends * (values - tops) ** 2).sum(axis=-1)


def test_the_optimum_of_each_parameter_is_enclosed_without_noise() -> None:
    point = CUBE.point([6.0, 0.05, 3, 0])
    points = profile_points(CUBE, point)
    found = sensitivities(CUBE, points, told(CUBE, points, parabolas, 0.0, 0))
    # Worse to the left at once; to the right at the nearest place that is further from the top than it is.
    assert found[0].optimum_ci == pytest.approx((-4.0, 6 + 40 / 60))
    assert found[1].optimum_ci == pytest.approx((0.05 - 1 / 60, 1.0))
    assert found[2].optimum_ci == (3, 9)
    assert found[3].optimum_ci == (0, 1)
    # Moved by 4 to either side of 6 it is 6 and 2 away from the top.
    assert found[0].step == pytest.approx(4.0)
    assert found[0].cost == pytest.approx(0.01 * ((6**2 + 2**2) / 2 - 2**2))


def test_a_switch_that_is_right_stays_where_it_is() -> None:
    point = CUBE.point([4.0, 0.3, 6, 1])
    points = profile_points(CUBE, point)
    found = sensitivities(CUBE, points, told(CUBE, points, parabolas, 0.01, 0))
    assert found[3].optimum_ci == (1, 1)
    assert found[2].optimum_ci == (6, 6)
    assert found[0].optimum_ci == pytest.approx((4 - 40 / 60, 4 + 40 / 60))


def test_a_cliff_on_one_side_does_not_move_the_interval_off_the_estimate() -> None:
    space = Space((Axis("cliff", 0.0, 10.0),))
    points = profile_points(space, np.array([0.5]))

    def cliff(values: np.ndarray) -> np.ndarray:
        return np.where(values[..., 0] < 4.5, -5.0, -0.001 * (values[..., 0] - 5.0) ** 2)

    (found,) = sensitivities(space, points, told(space, points, cliff, 0.5, 2))
    assert 4.0 <= found.optimum_ci.low < 4.5 and found.optimum_ci.high == 10.0


def test_what_does_not_matter_has_its_whole_range() -> None:
    point = CUBE.point([6.0, 0.5, 3, 0])
    points = profile_points(CUBE, point)
    found = sensitivities(CUBE, points, told(CUBE, points, lambda values: np.zeros(len(values)), 1.0, 5))
    assert [one.optimum_ci for one in found] == [(axis.low, axis.high) for axis in CUBE.axes]
    assert all(one.cost_ci.low <= 0 <= one.cost_ci.high for one in found)


def test_the_interval_of_the_optimum_holds() -> None:
    inside, costs = np.zeros(3), 0
    for seed in range(400):
        # The estimate is a little off, as estimates are.
        off = np.random.RandomState(seed).normal(size=2) * [0.8, 0.03]
        point = CUBE.point([4.0 + off[0], 0.3 + off[1], 6, 1])
        points = profile_points(CUBE, point)
        found = sensitivities(CUBE, points, told(CUBE, points, parabolas, 0.6, seed))
        tops = (4.0, 0.3, 6.0)
        inside += [one.optimum_ci.low <= top <= one.optimum_ci.high for one, top in zip(found, tops, strict=False)]
        costs += found[0].cost_ci.low <= 0.01 * 4.0**2 <= found[0].cost_ci.high
    assert (inside / 400 > 0.95).all()
    assert 0.92 < costs / 400 < 0.98


@given(st.lists(st.floats(0, 1), min_size=4, max_size=4))
def test_a_profile_moves_one_parameter_at_a_time_and_stays_in_its_range(point: list[float]) -> None:
    points = profile_points(CUBE, np.array(point))
    assert len(points) == 1 + 4 * PROFILE_PLACES
    assert points.min() >= 0 and points.max() <= 1
    for number in range(4):
        for row in range(1 + number * PROFILE_PLACES, 1 + (number + 1) * PROFILE_PLACES):
            assert set(np.flatnonzero(points[row] != points[0])) <= {number}


# Spaces


@given(st.lists(st.floats(0, 1), min_size=4, max_size=4), st.floats(0, 0.999))
def test_whole_numbers_are_played_whole_and_in_range(point: list[float], share: float) -> None:
    values = CUBE.played(np.array(point), share)
    assert (values >= CUBE.low).all() and (values <= CUBE.low + CUBE.width).all()
    assert values[2].is_integer() and values[3].is_integer()
    assert abs(values[2] - 9 * point[2]) < 1 or values[2] in (0, 9)


def test_a_whole_number_between_two_is_played_as_either_in_proportion() -> None:
    shares = np.random.RandomState(0).random_sample((10_000, 4))
    counts = CUBE.played(np.tile(CUBE.point([0, 0, 2.3, 0]), (10_000, 1)), shares)[:, 2]
    assert set(counts) == {2.0, 3.0}
    assert counts.mean() == pytest.approx(2.3, abs=0.02)


@given(st.floats(-10, 30))
def test_values_are_written_down_finer_than_a_hundredth_of_a_percent(value: float) -> None:
    written = CUBE.rounded(CUBE.point([value, 0.5, 3, 1]))
    assert written[0] == pytest.approx(value, abs=0.005)
    assert len(repr(abs(written[0])).partition(".")[2]) <= 2


# Shares


@given(st.integers(1, 10**10), st.sampled_from([2, 4, 12, 36]), st.integers(1, 64), st.sampled_from(["spsa", "cmaes"]))
def test_no_more_than_the_budget_is_played(deals: int, tables: int, axes: int, method: str) -> None:
    try:
        shares = share_out(deals, tables, axes, method)
    except UsageError as error:
        assert "is too small here" in str(error)
        return
    searched = shares.steps * shares.groups * shares.points * shares.blocks
    searched += shares.lines * (1 + PLACES) * shares.line_blocks
    checked = 2 * shares.check_blocks * math.ceil((shares.steps + shares.lines) / shares.check_every)
    profiled = (1 + PROFILE_PLACES * axes) * shares.profile_tasks * shares.profile_blocks
    played = searched + checked + profiled + 2 * shares.validation_blocks
    assert played * tables <= deals
    assert min(shares._replace(lines=1, line_blocks=1)) > 0
    assert (shares.lines > 0) == (shares.line_blocks > 0) == (method == "spsa")
    assert shares.validation_blocks >= 256
    assert searched * tables > 0.4 * deals

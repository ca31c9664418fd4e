"""The intervals, against scipy and against what they promise."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from nertsim.codes import WON_WHOLE
from nertsim.stats.intervals import (
    UNKNOWN,
    mean_interval,
    normal_quantile,
    share_interval,
    variance,
    wilson_interval,
)


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
def test_the_quantile_is_scipys(level: float) -> None:
    assert normal_quantile(level) == pytest.approx(stats.norm.ppf(0.5 + level / 2), rel=1e-12)


@given(st.lists(st.integers(-(10**9), 10**9), min_size=2, max_size=50), st.sampled_from([0.9, 0.95]))
def test_the_interval_of_a_mean_is_scipys(values: list[int], level: float) -> None:
    found = mean_interval(len(values), sum(values), sum(value * value for value in values), level=level)
    error = stats.sem(values)
    expected = stats.norm.interval(level, np.mean(values), error) if error > 0 else (values[0], values[0])
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-3)


def test_the_variance_of_large_numbers_loses_nothing() -> None:
    values = [10**15, 10**15 + 1, 10**15 + 2]
    assert variance(3, sum(values), sum(value * value for value in values)) == 1.0


def test_the_unit_scales_the_interval() -> None:
    assert mean_interval(4, 10, 30, unit=0.5) == pytest.approx([end / 2 for end in mean_interval(4, 10, 30)])


@given(st.integers(1, 10**6), st.data())
def test_wilsons_interval_is_scipys(count: int, data: st.DataObject) -> None:
    wins = data.draw(st.integers(0, count))
    expected = stats.binomtest(wins, count).proportion_ci(0.95, method="wilson")
    found = wilson_interval(count, wins / count)
    assert found == pytest.approx((expected.low, expected.high), abs=1e-9)
    assert 0 <= found.low <= wins / count <= found.high <= 1


@given(st.lists(st.sampled_from([0, 1]), min_size=1, max_size=60))
def test_whole_wins_give_wilsons_interval_itself(wins: list[int]) -> None:
    total = sum(wins) * WON_WHOLE
    found = share_interval(len(wins), total, total * WON_WHOLE, WON_WHOLE)
    assert found == pytest.approx(wilson_interval(len(wins), sum(wins) / len(wins)), abs=1e-12)


@given(st.lists(st.sampled_from([0, 0, 1, 2, 3, 4]), min_size=1, max_size=60))
def test_shared_wins_narrow_the_interval_and_it_holds_the_share(sharers: list[int]) -> None:
    shares = [WON_WHOLE // k if k else 0 for k in sharers]
    found = share_interval(len(shares), sum(shares), sum(share * share for share in shares), WON_WHOLE)
    share = sum(shares) / len(shares) / WON_WHOLE
    whole = wilson_interval(len(shares), share)
    assert 0 <= found.low <= share + 1e-12
    assert share - 1e-12 <= found.high <= 1
    assert found.half_width <= whole.half_width + 1e-12


def test_too_few_values_give_no_interval() -> None:
    assert mean_interval(1, 5, 25) is UNKNOWN
    assert wilson_interval(0, 0.0) is UNKNOWN
    assert share_interval(0, 0, 0, WON_WHOLE) is UNKNOWN
    assert math.isnan(variance(1, 5, 25))


def test_the_share_interval_covers_what_it_says() -> None:
    """4,000 samples of 200 deals, won with chance 1/5, shared by two with 1/10: rate 0.25; 95 % ± 4 standard errors."""
    random = np.random.default_rng(7)
    values = np.array([0, WON_WHOLE // 2, WON_WHOLE])
    draws = values[random.choice(3, size=(4000, 200), p=[0.7, 0.1, 0.2])]
    inside = [share_interval(200, int(row.sum()), int((row * row).sum()), WON_WHOLE) for row in draws]
    coverage = np.mean([low <= 0.25 <= high for low, high in inside])
    assert abs(coverage - 0.95) < 4 * math.sqrt(0.95 * 0.05 / 4000)

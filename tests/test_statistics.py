"""Statistics of what is dealt and played: shuffles, the model's combinatorics (section 8), fairness, independence.

Seeds are fixed, so a test that passes once always passes. A chance of 1 in 1,000 under the hypothesis would fail it.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

import nertsim
from nertsim import Strategy, Tempo
from nertsim.bots.strategy import Bot
from nertsim.bots.view import action, action_count, action_kind, wait
from nertsim.cards import ACE
from nertsim.codes import Action
from nertsim.rules import Rules

from .dealing import shuffled_decks
from .reference import SeatSetup, compiled_bot, play_reference

RARE = 0.001
DECKS = 200_000

NERTS = slice(0, 13)
VISIBLE = slice(12, 17)
"""Of a deck in dealing order: the nerts top and the four work piles."""
STOCK = slice(17, 52)


@pytest.fixture(scope="module")
def decks() -> np.ndarray:
    """uint16 (DECKS, 52): one deck of each deal."""
    return shuffled_decks(seed=11, first=0, deals=DECKS, seats=1)[:, 0]


def is_uniform(counts: np.ndarray, degrees: int, scale: float = 1.0) -> bool:
    """Pearson's chi-square of counts that should all be equal."""
    mean = counts.mean()
    assert mean > 20
    statistic = float(((counts - mean) ** 2).sum() / mean) * scale
    return bool(RARE < stats.chi2.sf(statistic, degrees) < 1 - RARE)


def pairs(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """How often each two numbers below 52 stand together."""
    return np.bincount(left.astype(np.int64) * 52 + right, minlength=52 * 52)


def is_near(found: np.ndarray, mean: float) -> bool:
    """Whether the mean of independent values is what it should be."""
    error = found.std(ddof=1) / math.sqrt(len(found))
    return bool(2 * stats.norm.sf(abs(found.mean() - mean) / error) > RARE)


# Shuffles


@pytest.mark.parametrize("jokers", [0, 4])
def test_every_card_is_everywhere_equally_often(jokers: int) -> None:
    decks = shuffled_decks(seed=12, first=0, deals=DECKS // 4, seats=4, jokers=jokers).reshape(DECKS, 52 + jokers)
    size = 52 + jokers
    numbers = np.where(decks < 52, decks, 51 + (decks >> 6)).astype(np.int64)
    counts = np.bincount((np.arange(size) * size + numbers).ravel(), minlength=size * size)
    # Rows and columns have fixed sums: for random permutations the sum of squares is size/(size - 1) of a chi-square.
    assert is_uniform(counts, (size - 1) ** 2, scale=(size - 1) / size)


@pytest.mark.parametrize(("one", "two"), [(0, 1), (12, 13), (12, 51), (0, 51), (17, 18), (25, 26), (50, 51)])
def test_every_pair_of_cards_is_at_two_places_equally_often(decks: np.ndarray, one: int, two: int) -> None:
    counts = pairs(decks[:, one], decks[:, two])
    possible = ~np.eye(52, dtype=bool).ravel()
    assert not counts[~possible].any()
    assert is_uniform(counts[possible], 52 * 51 - 1)


@pytest.mark.parametrize("place", [0, 12, 31, 51])
def test_seats_have_nothing_in_common(place: int) -> None:
    decks = shuffled_decks(seed=13, first=0, deals=DECKS, seats=2)
    assert is_uniform(pairs(decks[:, 0, place], decks[:, 1, place]), 52 * 52 - 1)


@pytest.mark.parametrize("place", [0, 12, 31, 51])
def test_neighbouring_deals_have_nothing_in_common(decks: np.ndarray, place: int) -> None:
    assert is_uniform(pairs(decks[:-1, place], decks[1:, place]), 52 * 52 - 1)


@pytest.mark.parametrize("place", [0, 12, 31, 51])
def test_neighbouring_seeds_have_nothing_in_common(decks: np.ndarray, place: int) -> None:
    others = shuffled_decks(seed=12, first=0, deals=DECKS, seats=1)[:, 0]
    assert is_uniform(pairs(decks[:, place], others[:, place]), 52 * 52 - 1)


@pytest.mark.slow
def test_every_card_is_everywhere_equally_often_in_two_million_decks() -> None:
    counts = np.zeros(52 * 52, np.int64)
    for part in range(10):
        decks = shuffled_decks(seed=14, first=part * DECKS, deals=DECKS, seats=1)[:, 0].astype(np.int64)
        counts += np.bincount((np.arange(52) * 52 + decks).ravel(), minlength=52 * 52)
    assert is_uniform(counts, 51**2, scale=51 / 52)


# Combinatorics


def test_no_ace_is_visible_in_66_deals_of_100(decks: np.ndarray) -> None:
    none = ~((decks[:, VISIBLE] >> 2) == ACE).any(axis=1)
    expected = math.comb(48, 5) / math.comb(52, 5)
    assert round(expected, 3) == 0.659
    assert is_near(none.astype(float), expected)


@pytest.mark.parametrize(("where", "expected"), [(NERTS, 1.0), (STOCK, 4 * 35 / 52)], ids=["nerts", "stock"])
def test_aces_in_nerts_pile_and_stock(decks: np.ndarray, where: slice, expected: float) -> None:
    assert is_near(((decks[:, where] >> 2) == ACE).sum(axis=1), expected)


def draw_only(view, parameters, scratch, noise):  # type: ignore[no-untyped-def]
    """A bot that goes through its stock and does nothing else."""
    for position in range(action_count(view)):
        if action_kind(action(view, position)) in (Action.DRAW, Action.RECYCLE):
            return position
    return wait(1_000_000)


def test_a_stock_shows_11_triples_and_2_left_over() -> None:
    tempo = Tempo()
    setup = SeatSetup("draws", compiled_bot(draw_only), [], 0, [tempo.to_kernel()])
    lines = play_reference(Rules(seats=1), [setup], 1, 0)
    counts = [line["count"] for line in lines if line.get("action") == "draw"]
    assert counts == ([3] * 11 + [2]) * 3
    run = nertsim.simulate(Bot(Strategy("draws", draw_only, "draws"), tempo), seats=1, deals=20, seed=1)
    # Three fruitless passes with a draw of three: then a lone seat is stuck.
    assert (run.seats["draws"] == 36).all()
    assert (run.seats["passes"] == 3).all()
    assert (run.seats["score"] == -26).all()
    assert (run.deals["ended"] == "stuck").all()


@pytest.mark.parametrize("seats", [1, 2, 4, 12])
def test_scores_lie_between_minus_26_and_52(seats: int) -> None:
    rows = nertsim.simulate("greedy", seats=seats, deals=4000 // seats, seed=2).seats
    assert rows["score"].between(-26, 52).all()
    assert (rows["score"] == rows["foundation"] - 2 * rows["nerts_left"]).all()


# Fairness and independence of what is played


def by_deal(run: nertsim.Run, column: str) -> np.ndarray:
    """A column of the rows a seat as float64 (deals, seats)."""
    return run.seats[column].to_numpy(dtype=float).reshape(-1, run.rules.seats)


def seats_are_alike(values: np.ndarray) -> float:
    """The p-value of Hotelling's test that no seat differs: on the differences within a deal, which are independent
    from deal to deal, whatever the seats of a deal have in common.
    """
    differences = values[:, 1:] - values[:, :1]
    mean = differences.mean(axis=0)
    covariance = np.atleast_2d(np.cov(differences.T))
    statistic = len(values) * mean @ np.linalg.solve(covariance, mean)
    return float(stats.chi2.sf(statistic, len(mean)))


def are_independent(left: np.ndarray, right: np.ndarray) -> float:
    """The p-value that no column of one has to do with any column of the other, row by row."""

    def whitened(values: np.ndarray) -> np.ndarray:
        centred = values - values.mean(axis=0)
        return np.linalg.solve(np.linalg.cholesky(np.cov(centred.T)), centred.T)

    together = whitened(left) @ whitened(right).T / math.sqrt(len(left))
    return float(stats.chi2.sf((together**2).sum(), together.size))


FAIRNESS_COLUMNS = ("score", "won", "called", "draws", "play_nerts", "races_won", "last_play_us")


def fairness(**request: Any) -> dict[str, float]:
    """For each column, the p-value that seats with the same bot have the same mean."""
    run = nertsim.simulate(**request)
    return {column: seats_are_alike(by_deal(run, column)) for column in FAIRNESS_COLUMNS}


@pytest.mark.parametrize("bot", ["greedy", "random", "hasty", "careful", "weighted", "greedy,tempo=expert"])
def test_no_seat_has_an_advantage(bot: str) -> None:
    assert min(fairness(bots=bot, seats=4, deals=5000, seed=21).values()) > RARE / len(FAIRNESS_COLUMNS)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bot", "seats", "deals"),
    [("greedy", 4, 200_000), ("hasty", 4, 200_000), ("greedy", 2, 200_000), ("greedy", 12, 50_000)],
)
def test_no_seat_has_an_advantage_in_many_deals(bot: str, seats: int, deals: int) -> None:
    assert min(fairness(bots=bot, seats=seats, deals=deals, seed=22).values()) > RARE / len(FAIRNESS_COLUMNS)


@pytest.mark.slow
def test_no_seat_has_an_advantage_where_instants_are_equal() -> None:
    # Without variation all hands keep the same beat, so that who is first is decided by the order of hands alone.
    bot = "greedy,think_variation=0,motion_variation=0,think_per_bit=0,oversight=0"
    assert min(fairness(bots=bot, seats=4, deals=100_000, seed=23).values()) > RARE / len(FAIRNESS_COLUMNS)


def outcomes(seed: int, deals: int) -> np.ndarray:
    """Scores of the four seats and the duration of each deal: float64 (deals, 5)."""
    run = nertsim.simulate("greedy", seats=4, deals=deals, seed=seed)
    return np.column_stack([by_deal(run, "score"), run.deals["duration_us"].to_numpy(dtype=float)])


def neighbours(deals: int) -> None:
    one, two = outcomes(31, deals), outcomes(32, deals)
    assert are_independent(one[:-1], one[1:]) > RARE
    assert are_independent(one, two) > RARE
    assert are_independent(one[:-1], two[1:]) > RARE


def test_neighbouring_deals_and_seeds_are_independent() -> None:
    neighbours(10_000)


@pytest.mark.slow
def test_neighbouring_deals_and_seeds_are_independent_in_many_deals() -> None:
    neighbours(200_000)


# Strength


def points_ahead(bot: str, other: str, deals: int, seed: int) -> np.ndarray:
    """How far `bot` is above the mean of three of `other`, by block: the same decks with it at each seat in turn."""
    blocks = np.zeros(deals)
    for seat in range(4):
        bots = [bot if one == seat else other for one in range(4)]
        scores = by_deal(nertsim.simulate(bots, deals=deals, seed=seed), "score")
        blocks += scores[:, seat] - np.delete(scores, seat, axis=1).mean(axis=1)
    return blocks / 4


@pytest.mark.slow
@pytest.mark.parametrize("other", ["greedy", "careful"])
def test_weighted_is_stronger_beyond_doubt(other: str) -> None:
    ahead = points_ahead("weighted", other, 10_000, seed=41)
    assert ahead.mean() > 6 * ahead.std(ddof=1) / math.sqrt(len(ahead))


def test_the_tests_above_can_fail() -> None:
    """Each finds what it looks for."""
    random = np.random.default_rng(1)
    values = random.normal(size=(10_000, 4))
    assert seats_are_alike(values) > RARE
    assert seats_are_alike(values + [0, 0, 0, 0.1]) < RARE
    assert are_independent(values[:-1], values[1:]) > RARE
    assert are_independent(values[:-1], values[1:] + 0.1 * values[:-1]) < RARE
    counts = random.multinomial(10**6, [1 / 2652] * 2652)
    assert is_uniform(counts, 2651)
    assert not is_uniform(counts + (np.arange(2652) < 26) * 60, 2651)
    assert not is_uniform(np.full(2652, 400), 2651)  # too good to be random

"""`--until-error`: it ends at the same deal however it is played, and says honestly how long it will take."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import nertsim
from nertsim import UsageError
from nertsim.cli import main
from nertsim.cli.progress import ProgressBar
from nertsim.dealer import Dealer
from nertsim.run import Plan
from nertsim.simulate import make_plan
from nertsim.stats.sequences import FEWEST, mean_sequence, mixture_radius, share_evidence, share_sequence
from nertsim.stopping import FIGURES, LOOK, Until
from nertsim.summary import summarize
from tests.fakes import FakeDealer
from tests.runs import contents, interrupting, manifest

ENDS_AT = 21 * LOOK
"""Where `play` ends by itself."""


@pytest.fixture(autouse=True)
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeDealer:
    dealer = FakeDealer(4)
    monkeypatch.setattr("nertsim.dealer.Dealer", lambda rules, bots, seed: dealer)
    return dealer


def play(out: Path | None, **keywords: Any) -> Any:
    """A run of the fake dealer that ends after ENDS_AT deals."""
    asked = {"bots": "greedy", "seed": 3, "out": out, "until_error": 0.13, "figure": "score", "keep": "summary"}
    return nertsim.simulate(**(asked | {"chunk": 4096} | keywords))


@pytest.mark.parametrize(("threads", "chunk"), [(1, 8192), (2, 100), (2, 3000), (1, 50_000)])
def test_it_ends_at_the_same_deal_for_any_threads_and_chunks(tmp_path: Path, threads: int, chunk: int) -> None:
    run = play(tmp_path / "run", threads=threads, chunk=chunk)
    assert run.totals.deals == ENDS_AT
    assert run.summary["until"]["reached"]
    assert run.summary["until"]["half_width"] <= 0.13
    assert manifest(tmp_path / "run")["count"] == ENDS_AT
    shorter = play(None, deals=ENDS_AT - LOOK, threads=threads, chunk=chunk)
    assert shorter.summary["until"]["half_width"] > 0.13
    assert not shorter.summary["until"]["reached"]


def test_it_ends_at_the_same_deal_when_it_is_interrupted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nertsim.run.PART_ROWS", 80_000)
    play(tmp_path / "whole")
    for seed in range(3):
        chance = random.Random(seed)
        folder, go_on = tmp_path / str(seed), False
        while True:
            try:
                settings = {"chunk": chance.choice([900, 3000, 8192]), "threads": chance.choice([1, 2])}
                play(folder, resume=go_on, **settings, progress=interrupting(chance.randint(1, 20)))
                break
            except KeyboardInterrupt:
                go_on = True
        assert contents(folder) == contents(tmp_path / "whole")


def test_one_that_was_stopped_right_at_its_end_has_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Parts of so many deals that one ends where the run does: the manifest then has all, but not that it is done.
    monkeypatch.setattr("nertsim.run.PART_ROWS", 4 * ENDS_AT)
    with pytest.raises(KeyboardInterrupt):
        play(tmp_path / "run", chunk=LOOK, progress=interrupting(21))
    assert manifest(tmp_path / "run")["played"] == ENDS_AT
    assert manifest(tmp_path / "run")["state"] == "interrupted"
    assert play(tmp_path / "run", resume=True).totals.deals == ENDS_AT
    assert manifest(tmp_path / "run")["state"] == "done"


def test_one_that_has_ended_is_gone_on_with_for_nothing_and_extended(tmp_path: Path) -> None:
    run = play(tmp_path / "run")
    assert play(tmp_path / "run", resume=True).totals == run.totals
    more = nertsim.simulate(out=tmp_path / "run", extend=True, deals=12_345, chunk=1000)
    assert more.totals.deals == ENDS_AT + 12_345
    assert more.summary["intervals"] == "anytime"
    assert more.totals == nertsim.simulate("greedy", seed=3, deals=ENDS_AT + 12_345, keep="summary").totals
    assert nertsim.load(tmp_path / "run").summary["seats"] == more.summary["seats"]
    again = nertsim.simulate(out=tmp_path / "run", extend=True, deals=5, until_error=0.13, figure="score")
    assert again.totals.deals == ENDS_AT + 12_350


def test_one_that_has_not_ended_is_not_extended(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        play(tmp_path / "run", progress=interrupting(3))
    with pytest.raises(UsageError, match=r"has not ended yet, and ends by itself: go on with it first \(--resume\)"):
        nertsim.simulate(out=tmp_path / "run", extend=True, deals=100)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"until_error": 0.1, "figure": "score"}, "until the score is known to ±0.13, not until the score is known to"),
        ({"until_error": 0.13}, "not until the win rate is known to ±0.13"),
        ({"deals": 10**6}, "was to have 100,000,000 deals, not 1,000,000"),
    ],
)
def test_another_target_is_refused(tmp_path: Path, asked: dict[str, Any], words: str) -> None:
    with pytest.raises(KeyboardInterrupt):
        play(tmp_path / "run", progress=interrupting(3))
    with pytest.raises(UsageError) as caught:
        nertsim.simulate(out=tmp_path / "run", resume=True, **asked)
    assert words in str(caught.value)


@pytest.mark.parametrize("error", [0, -1, math.nan, math.inf, "x", True])
def test_what_can_be_no_error_is_refused(error: Any) -> None:
    with pytest.raises(UsageError, match="the error to wait for must be a number above 0"):
        nertsim.simulate("greedy", until_error=error)


def test_what_can_be_no_figure_is_refused() -> None:
    with pytest.raises(UsageError, match="did you mean 'score'"):
        nertsim.simulate("greedy", until_error=0.1, figure="scores")
    with pytest.raises(UsageError, match="a figure is named for until_error"):
        nertsim.simulate("greedy", figure="score")


def test_the_most_deals_are_not_exceeded() -> None:
    run = play(None, deals=5000)
    assert run.totals.deals == 5000
    assert not run.summary["until"]["reached"]


def test_few_deals_say_nothing() -> None:
    run = play(None, deals=FEWEST - 1)
    assert math.isnan(run.summary["until"]["half_width"])
    assert not run.summary["until"]["reached"]


# How long it will take


def test_how_long_it_takes_is_said_honestly() -> None:
    told: list[tuple[int, int]] = []
    run = play(None, chunk=LOOK, progress=lambda played, expected: told.append((played, expected)))
    assert told[-1] == (ENDS_AT, ENDS_AT)
    assert all(0.9 * run.totals.deals < expected < 1.1 * run.totals.deals for _, expected in told)
    assert all(played <= expected for played, expected in told)


@pytest.mark.parametrize("figure", ["win", "score"])
def test_before_anything_is_known_it_is_what_is_usual(figure: str) -> None:
    until = Until(figure, {"win": 0.001, "score": 0.02}[figure])
    deviation = {"win": 0.45, "score": 11.0}[figure]
    usual = until.expected(0, math.nan)
    assert 10**6 < usual < 3 * 10**6
    assert mixture_radius(usual, deviation, until.best_at) == pytest.approx(until.error, rel=0.01)
    # Half as much again of a deviation takes about 1.5² times as long.
    half = mixture_radius(10_000, 1.5 * deviation, until.best_at)
    assert until.expected(10_000, half) == pytest.approx(2.25 * usual, rel=0.1)


def test_the_bar_shows_what_it_will_take(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = nertsim.simulate("greedy", until_error=0.01, seed=1, deals=2000, keep="summary").plan
    assert isinstance(plan, Plan)
    assert plan.expected_beforehand == 2000
    bar = ProgressBar()
    monkeypatch.setattr(bar, "_wanted", True)
    seconds = iter([100.0, 100.6, 101.0])
    monkeypatch.setattr("nertsim.cli.progress.time.monotonic", lambda: next(seconds))
    shown: list[int] = []
    monkeypatch.setattr(bar, "_show", shown.append)
    # A run that is gone on with: nine tenths were played before, in no time of this process.
    bar(9_000_000, 10_000_000)
    bar(9_010_000, 10_000_000)
    assert shown == [10_000_000]


# What is printed


def test_the_table_says_how_far_it_is_known(tmp_path: Path) -> None:
    words = ["simulate", "--bot", "greedy", "--until-error", "0.13", "--figure", "score", "--seed", "3"]
    done = CliRunner().invoke(main, [*words, "-o", str(tmp_path / "run")])
    assert done.exit_code == 0, done.stderr
    assert "Every bot's score is known to ±0.1" in done.stdout
    assert "The intervals hold at every moment of the run" in done.stdout
    found = json.loads(CliRunner().invoke(main, [*words, "--format", "json"]).stdout)
    assert found["deals"] == ENDS_AT
    assert found["intervals"] == "anytime"
    assert found["until"] == {"figure": "score", "error": 0.13, "half_width": pytest.approx(0.13, rel=0.05)} | {
        "reached": True
    }


# The intervals, against an oracle and by simulation


def test_the_radius_is_that_of_an_independent_implementation() -> None:
    """Robbins' normal mixture, written out from its boundary: |S_n| ≤ s·√((n + r)·ln((n + r)/(r·α²)))."""
    for count in (1000, 5000, 10**6):
        for best_at in (1000, 40_000, 10**7):
            narrow = 2 * math.log(1 / 0.05)
            r = best_at / (narrow + math.log(1 + narrow))
            boundary = 7.0 * math.sqrt((count + r) * math.log((count + r) / (r * 0.05**2)))
            assert mixture_radius(count, 7.0, best_at) == pytest.approx(boundary / count, rel=1e-9)


def test_the_radius_is_nearly_the_least_at_its_best() -> None:
    widths = [mixture_radius(10_000, 1.0, best_at) for best_at in np.geomspace(100, 10**6, 400)]
    assert mixture_radius(10_000, 1.0, 10_000) < 1.01 * min(widths)
    assert mixture_radius(10_000, 1.0, 10_000) < 1.6 * 1.96 / 100


def test_shares_that_never_varied_are_not_certain() -> None:
    low, high = share_sequence(2000, 0, 0, 6, best_at=5000)
    assert low == 0.0 < high < 0.02
    low, high = share_sequence(2000, 6 * 2000, 36 * 2000, 6, best_at=5000)
    assert 0.98 < low < high == 1.0
    assert math.isnan(mean_sequence(FEWEST - 1, 5, 5, best_at=5000).low)


@given(st.integers(1, 10**7), st.floats(0, 1), st.floats(1000, 1e7))
def test_the_interval_of_a_share_holds_it(count: int, share: float, best_at: float) -> None:
    won = round(6 * count * share)
    low, high = share_sequence(count, won, 6 * won, 6, best_at)
    assert 0 <= low <= won / (6 * count) <= high <= 1
    assert low < high


def test_for_many_deals_it_is_as_wide_as_for_a_mean() -> None:
    for count, best_at in ((10_000, 10_000), (10**6, 2 * 10**5), (10**9, 10**8)):
        low, high = share_sequence(count, 6 * count // 4, 36 * count // 4, 6, best_at)
        assert (high - low) / 2 == pytest.approx(mixture_radius(count, math.sqrt(3 / 16), best_at), rel=2e-3)


def test_the_evidence_against_a_share_is_a_martingale() -> None:
    """On average over what the next deal can be, it stays what it is where the share is the true one."""
    for won, share in ((3, 0.25), (0, 0.01), (9.5, 0.6)):
        now = math.exp(share_evidence(10, won, share, 300.0))
        lost, gained = (math.exp(share_evidence(11, won + one, share, 300.0)) for one in (0, 1))
        half = math.exp(share_evidence(11, won + 0.5, share, 300.0))
        assert (1 - share) * lost + share * gained == pytest.approx(now, rel=1e-9)
        assert half <= (lost + gained) / 2


ALTERNATIVES = 600
MOST = 40_000


def _ever_outside(values: np.ndarray, truth: float, interval: Any) -> bool:
    sums, squares = values.cumsum(), (values.astype(np.int64) ** 2).cumsum()
    looks = np.unique(np.geomspace(FEWEST, len(values), 120).astype(int))
    for count in looks:
        low, high = interval(int(count), int(sums[count - 1]), int(squares[count - 1]))
        if not low <= truth <= high:
            return True
    return False


@pytest.mark.slow
@pytest.mark.parametrize("best_at", [2000, 20_000])
@pytest.mark.parametrize("law", ["score", "win", "rare"])
def test_looking_all_the_time_misses_the_truth_in_at_most_one_of_twenty(law: str, best_at: int) -> None:
    """It holds at all moments at once: so also at the worst one, which whoever stops on what is seen may choose."""
    random_numbers = np.random.default_rng(7)
    missed = 0
    for _ in range(ALTERNATIVES):
        if law == "score":
            values = np.rint(random_numbers.gamma(2.0, 8.0, MOST) - 10.3).astype(np.int64)
            interval: Any = lambda n, total, squares: mean_sequence(n, total, squares, best_at)  # noqa: E731
            truth = _mean_of_rounded_gamma()
        else:
            share = {"win": 0.25, "rare": 0.01}[law]
            values = 6 * (random_numbers.random(MOST) < share).astype(np.int64)
            interval = lambda n, total, squares: share_sequence(n, total, squares, 6, best_at)  # noqa: E731
            truth = share
        missed += _ever_outside(values, truth, interval)
    print(f"{law}, tightest at {best_at}: missed at some moment {missed / ALTERNATIVES:.4f}")
    assert missed / ALTERNATIVES <= 0.055


@pytest.mark.slow
@pytest.mark.parametrize("figure", ["win", "score"])
def test_of_real_runs_that_ended_by_themselves_enough_hold_the_truth(
    monkeypatch: pytest.MonkeyPatch, figure: str
) -> None:
    monkeypatch.undo()  # real deals
    bots, runs = ["greedy,speed=1.1", "greedy"], 250
    key, error = {"win": ("win_rate", 0.03), "score": ("mean_score", 1.0)}[figure]
    truth = nertsim.simulate(bots, seats=2, deals=400_000, seed=999, keep="summary").summary["bots"][0][key]
    plan = make_plan(bots, None, 2, 100_000, 1, 0, "summary", Until(figure, error, look=128))
    dealer, missed, deals = Dealer(plan.rules, plan.bots, plan.seed), 0, []
    play = plan.player(dealer, Event())
    for number in range(runs):
        totals, start = plan.empty(), 10**7 * (number + 1)
        while not plan.ends(totals):
            totals = totals + play((start + totals.deals, start + totals.deals + 128)).totals
        low, high = summarize(totals, plan.labels, plan.until)["bots"][0][FIGURES[figure] + "_ci"]
        missed, deals = missed + (not low <= truth <= high), [*deals, totals.deals]
    print(f"{figure}: {missed} of {runs} runs missed the truth; they took {np.mean(deals):,.0f} deals")
    assert 1 - missed / runs >= 0.945


def _mean_of_rounded_gamma() -> float:
    from scipy.stats import gamma

    values = np.arange(-12, 600)
    return float((values * np.diff(gamma.cdf(np.append(values - 0.5, 599.5) + 10.3, 2.0, scale=8.0))).sum())

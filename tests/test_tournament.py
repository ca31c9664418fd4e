"""Tournaments: designs are balanced, totals do not depend on how they are played, ratings and claims are right."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

import nertsim
from nertsim import UsageError
from nertsim.cli import main
from nertsim.experiments.tournament.design import Design, make_design
from nertsim.experiments.tournament.orders import WHOLE, choice_weights
from nertsim.experiments.tournament.plan import DECKS_APART
from nertsim.stats.choices import choices
from tests.made_up_dealers import dealer_of
from tests.runs import contents, interrupting, play_with_breaks

THREE = ("greedy", "hasty", "random")
LABELS = [f"greedy,speed={1 + step / 1000}" for step in range(6)]
"""Bots that a made-up dealer knows by their names."""


def tournament(bots: Any = THREE, **keywords: Any) -> nertsim.TournamentRun:
    return nertsim.tournament(bots, **({"seed": 1, "seats": 2, "deals": 3000} | keywords))


def made_up(monkeypatch: pytest.MonkeyPatch, strengths: Any, **keywords: Any) -> nertsim.TournamentRun:
    known = dict(zip(LABELS, strengths, strict=False))
    monkeypatch.setattr("nertsim.dealer.Dealer", dealer_of(lambda labels: [known[label] for label in labels]))
    return nertsim.tournament(LABELS[: len(known)], **({"seed": 1, "deals": 20_000, "threads": 1} | keywords))


# The tables of a block


@settings(max_examples=60)
@given(st.integers(2, 12), st.integers(2, 12), st.sampled_from(["auto", "balanced"]), st.integers(0, 2**63 - 1))
def test_bots_sit_at_all_seats_and_meet_equally_often(bots: int, seats: int, which: str, seed: int) -> None:
    design = make_design(np.ones(bots, bool), seats, which, seed)
    often = np.array([(design.tables == bot).sum(axis=0) for bot in range(bots)])
    assert often.min() == often.max() > 0
    meetings = design.meetings[np.triu_indices(bots, 1)]
    assert meetings.min() == meetings.max() > 0
    counts = design.seat_counts
    assert counts.max() - counts.min() <= 1
    for deck in np.unique(design.decks):
        same = design.tables[design.decks == deck]
        assert len({tuple(sorted(table)) for table in same.tolist()}) == 1
        assert len({tuple(table) for table in same.tolist()}) == len(same) or len(set(same[0])) < seats


@pytest.mark.parametrize(("bots", "seats", "tables"), [(5, 4, 20), (7, 4, 28), (8, 4, 56), (12, 4, 132), (13, 4, 52)])
def test_balanced_designs_are_as_small_as_any(bots: int, seats: int, tables: int) -> None:
    assert make_design(np.ones(bots, bool), seats, "balanced").size == tables


def test_all_tables_are_all() -> None:
    design = make_design(np.ones(6, bool), 3, "all")
    assert {tuple(sorted(table)) for table in design.tables.tolist()} == {
        (one, two, three) for one in range(6) for two in range(one + 1, 6) for three in range(two + 1, 6)
    }


def test_bots_that_are_out_sit_nowhere() -> None:
    design = make_design(np.array([True, False, True, True]), 2)
    assert design.playing.tolist() == [True, False, True, True]
    assert design.meetings[1].sum() == 0


def test_a_design_that_cannot_be_is_refused() -> None:
    with pytest.raises(UsageError, match="at least two seats"):
        make_design(np.ones(3, bool), 1)
    with pytest.raises(UsageError, match="did you mean 'balanced'"):
        make_design(np.ones(3, bool), 2, "balancd")
    with pytest.raises(UsageError, match="tables='balanced'"):
        make_design(np.ones(20, bool), 6, "all")


# What is counted


def test_choices_are_those_of_the_statistics() -> None:
    scores = np.random.default_rng(1).integers(0, 5, (200, 5))
    known = choices(np.arange(5), scores)
    weights = choice_weights(scores)
    for row, members in enumerate(known.sets.astype(int)):
        mask = sum(1 << seat for seat in range(5) if members[seat])
        np.testing.assert_allclose(weights[:, mask] / WHOLE, known.weights.toarray()[:, row])
    last = np.array([weights[:, 1 << seat] for seat in range(5)]).T / WHOLE
    np.testing.assert_allclose(1 - last, known.chosen.toarray())


def test_blocks_are_deals_with_the_bots_at_all_seats() -> None:
    bots = ["careful", "greedy", "hasty", "random"]
    run = nertsim.tournament(bots, seats=3, seed=5, deals=240, threads=1)
    design: Design = run.plan.stage.design
    assert run.totals.blocks == 20
    assert run.totals.deals == 20 * design.size
    ahead, apart, shares = np.zeros((4, 4)), np.zeros((4, 4)), np.zeros((4, 2))
    for table, deck in zip(design.tables.tolist(), design.decks.tolist(), strict=True):
        at = [bots[bot] for bot in table]
        played = nertsim.simulate(at, seats=3, deals=20, seed=5, first_deal=deck * DECKS_APART).seats
        scores = played["score"].to_numpy().reshape(20, 3)
        wins = played["won"].to_numpy().reshape(20, 3)
        for seat, one in enumerate(table):
            shares[one] += scores[:, seat].sum(), wins[:, seat].sum()
            for other, two in enumerate(table):
                if one != two:
                    apart[one, two] += (scores[:, seat] - scores[:, other]).sum()
                    ahead[one, two] += np.sum(0.5 + np.sign(scores[:, seat] - scores[:, other]) / 2)
    met = 20 * design.meetings[0, 1]
    matrix = run.win_matrix.loc[bots, bots].to_numpy()
    off = ~np.eye(4, dtype=bool)
    np.testing.assert_allclose(matrix[off], (ahead / met)[off])
    for pair in run.summary["pairs"]:
        one, two = bots.index(pair["bot"]), bots.index(pair["other"])
        assert pair["mean_score_difference"] == pytest.approx(apart[one, two] / met)
        assert pair["difference"] == pytest.approx(apart[one, two] / met, abs=1e-6)
    seats = run.summary["ratings"][0]["deals"]
    np.testing.assert_allclose(run.ratings.loc[bots, ["mean_score", "win_rate"]], shares / seats)
    means = run.blocks.groupby("bot", observed=True)[["score", "win_rate"]].mean()
    np.testing.assert_allclose(means.loc[bots], shares / seats)


@pytest.mark.parametrize("keywords", [{}, {"seats": 4, "metric": "ahead"}, {"drop": True, "seats": 3}])
def test_totals_do_not_depend_on_threads_and_chunks(keywords: dict[str, Any]) -> None:
    runs = [tournament(threads=threads, chunk=chunk, **keywords) for threads, chunk in ((1, 300), (2, 37))]
    assert runs[0].totals == runs[1].totals
    assert runs[0].blocks.equals(runs[1].blocks)
    for name, value in runs[0].summary.items():
        if "second" not in name:
            assert json.dumps(value) == json.dumps(runs[1].summary[name])


def test_totals_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    run = made_up(monkeypatch, [0, 0.5, 1, 2], deals=3000)
    totals = run.totals
    assert (totals + run.plan.empty()) == totals == (run.plan.empty() + totals)
    assert run.plan.totals_from(json.loads(json.dumps(totals.to_dict()))) == totals
    assert sum(map(sum, totals.chosen)) == 3 * WHOLE * totals.deals  # at four seats the last one is no choice


# Resume and extend


def close_bots(out: Path | None, **keywords: Any) -> nertsim.TournamentRun:
    """A run of several stages: the first ones out are out at the first look."""
    bots = ["greedy,speed=1.001", "greedy", "hasty", "random"]
    return tournament(bots, **({"seed": 6, "deals": 8000, "drop": True, "out": out} | keywords))


def test_a_run_with_breaks_is_the_same(tmp_path: Path) -> None:
    whole = close_bots(tmp_path / "whole")
    assert len(whole.plan.stages) > 1
    breaks = play_with_breaks(close_bots, tmp_path / "broken", random.Random(3))
    assert breaks > 1
    assert contents(tmp_path / "broken") == contents(tmp_path / "whole")
    again = nertsim.load(tmp_path / "broken")
    assert again.totals == whole.totals == close_bots(None).totals
    assert again.blocks.equals(whole.blocks)
    assert again.summary["dropped"] == whole.summary["dropped"]


def test_a_run_that_ended_between_two_stages_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = close_bots(tmp_path / "whole")
    with monkeypatch.context() as patch:
        patch.setattr("nertsim.experiments.tournament.plan.TournamentPlan.next_stage", lambda *_: None)
        assert close_bots(tmp_path / "cut").totals.blocks < whole.totals.blocks
    assert close_bots(tmp_path / "cut", resume=True).totals == whole.totals


def test_more_can_be_added(tmp_path: Path) -> None:
    bots = ("greedy", "greedy,speed=1.001")
    first = tournament(bots, deals=400, out=tmp_path / "run")
    more = nertsim.tournament(out=tmp_path / "run", extend=True, deals=600)
    assert (first.totals.blocks, more.totals.blocks) == (200, 500)
    assert more.totals == tournament(bots, deals=1000).totals


def test_what_is_gone_on_with_has_to_be_the_same(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        tournament(deals=2000, chunk=10, out=tmp_path, progress=interrupting(2))
    with pytest.raises(UsageError, match="bot 3 is random, whose strategy is random, not careful"):
        tournament(("greedy", "hasty", "careful"), out=tmp_path, resume=True)
    with pytest.raises(UsageError, match="it has 3 entrants, not 2"):
        tournament(("greedy", "hasty"), out=tmp_path, resume=True)
    with pytest.raises(UsageError, match="its metric is 'score', not 'ahead'"):
        tournament(metric="ahead", out=tmp_path, resume=True)


# Ratings


def test_known_strengths_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    strengths = np.array([0.3, -0.2, 1.0, 0.0, -0.6])
    run = made_up(monkeypatch, strengths, seats=3, deals=30_000, smallest_effect=1e-3, keep="summary")
    by_label = {one["bot"]: one for one in run.summary["ratings"]}
    errors = [
        by_label[label]["rating"] - true for label, true in zip(LABELS, strengths - strengths.mean(), strict=False)
    ]
    deviations = np.array([by_label[label]["se"] for label in LABELS[:5]])
    assert (np.abs(errors) < 4 * deviations + 0.02).all()  # scores are rounded, so that there are ties
    assert [one["bot"] for one in run.summary["ratings"]] == [LABELS[bot] for bot in np.argsort(-strengths)]
    assert [one["rank"] for one in run.summary["ratings"]] == [1, 2, 3, 4, 5]
    assert all(one["se"] < one["se_model"] * 1.3 for one in run.summary["ratings"])


def test_ratings_are_the_maximum_of_the_likelihood(monkeypatch: pytest.MonkeyPatch) -> None:
    from nertsim.experiments.tournament.standings import rated

    strengths = [0.0, 0.4, 0.9, 1.2]
    run = made_up(monkeypatch, strengths, seats=3, deals=240)
    design = run.plan.stage.design
    dealer = dealer_of(lambda labels: [strengths[LABELS.index(label)] for label in labels])
    orders = []
    for table, deck in zip(design.tables, design.decks, strict=True):
        played = dealer(None, [run.plan.entrants[bot] for bot in table], 1)
        scores = played.play(deck * DECKS_APART, deck * DECKS_APART + run.totals.blocks).seats[:, :, 0]
        orders += [(table, one) for one in scores]

    def loss(free: np.ndarray) -> float:
        theta, value = np.append(free, -free.sum()), 0.0
        for table, scores in orders:
            value -= likelihood(theta[table], scores)
        return value

    best = minimize(loss, np.zeros(3), method="BFGS").x
    found = rated(run.totals, LABELS[:4])
    np.testing.assert_allclose(found.ratings, np.append(best, -best.sum()), atol=1e-4)
    assert found.log_likelihood == pytest.approx(-loss(best), rel=1e-6)


def likelihood(theta: np.ndarray, scores: np.ndarray) -> float:
    """Of one finishing order; where seats are tied, the mean over the orders that agree."""
    from itertools import permutations

    agreeing = [order for order in permutations(range(len(scores))) if (np.diff(scores[list(order)]) <= 0).all()]
    values = [
        sum(theta[one] - math.log(np.exp(theta[list(order[place:])]).sum()) for place, one in enumerate(order))
        for order in agreeing
    ]
    return float(np.mean(values))


def test_there_may_be_no_ratings(monkeypatch: pytest.MonkeyPatch) -> None:
    run = made_up(monkeypatch, [0, 50, 100], seats=2, deals=1000)
    assert "never finished ahead" in run.summary["ratings_missing"]
    assert [one["bot"] for one in run.summary["ratings"]] == LABELS[2::-1]
    assert math.isnan(run.summary["ratings"][0]["rating"])
    assert run.summary["pairs"][0]["verdict"] == "better"


# Claims


def test_a_circle_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    beats = {0: 1, 1: 2, 2: 0}
    numbers = {label: number for number, label in enumerate(LABELS)}

    def advantage(labels: Any) -> list[float]:
        seated = [numbers[label] for label in labels]
        return [1.0 if beats[one] in seated else 0.0 for one in seated]

    monkeypatch.setattr("nertsim.dealer.Dealer", dealer_of(advantage))
    run = nertsim.tournament(LABELS[:3], seats=2, seed=1, deals=3000)
    assert [sorted(circle) for circle in run.summary["circles"]] == [LABELS[:3]]
    assert all(one["rank_ci"] == [2, 2] for one in run.summary["ratings"])


def test_bots_that_play_alike_are_equal() -> None:
    run = tournament(("greedy", "greedy,speed=1"), deals=40_000)
    assert run.summary["pairs"][0]["verdict"] == "equal"
    assert run.summary["decided"]


def test_hopeless_bots_are_dropped_and_the_best_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    strengths = [0.0, 0.1, 0.6, 0.54, -1.0]
    run = made_up(monkeypatch, strengths, seats=3, deals=200_000, drop=True)
    out = [one["bot"] for one in run.summary["dropped"]]
    assert sorted(out) == [LABELS[0], LABELS[1], LABELS[3], LABELS[4]]
    all_played = made_up(monkeypatch, strengths, seats=3, deals=200_000)
    assert run.summary["deals"] < 0.9 * all_played.summary["deals"]
    assert run.summary["decided"]


@pytest.mark.slow
def test_equal_bots_are_told_apart_or_dropped_seldom(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of tournaments of equal bots, looked at some twenty times each: any claim in at most alpha."""
    count, alpha, false, dropped = 200, 0.1, 0, 0
    for seed in range(count):
        run = made_up(monkeypatch, [0, 0, 0, 0], seats=2, deals=24_000, alpha=alpha, smallest_effect=1e-3, seed=seed)
        false += any(pair["verdict"] == "better" for pair in run.summary["pairs"])
        run = made_up(
            monkeypatch, [0, 0, 0, 0], seats=2, deals=24_000, alpha=alpha, smallest_effect=1e-3, seed=seed, drop=True
        )
        dropped += LABELS[0] in [one["bot"] for one in run.summary["dropped"]]
    # Above by more than chance would have it in one of a thousand such tests.
    bound = alpha * count + 3.1 * math.sqrt(alpha * (1 - alpha) * count)
    assert false <= bound
    assert dropped <= bound


@pytest.mark.slow
def test_the_built_in_bots_stand_in_order() -> None:
    bots = ["random", "hasty", "greedy", "careful", "weighted"]
    run = nertsim.tournament(bots, seed=3, deals=200_000)
    rank = {one["bot"]: one["rank"] for one in run.summary["ratings"]}
    assert max(rank["careful"], rank["weighted"]) < rank["greedy"] < rank["hasty"] < rank["random"]
    assert run.claims.beats.sum() >= 9
    assert run.summary["circles"] == []
    assert run.summary["variance_reduction"] > 1.2


# The command


def invoke(*words: str) -> Any:
    return CliRunner().invoke(main, ["tournament", *words])


def test_the_command_prints_json() -> None:
    done = invoke(*THREE, "--seats", "2", "-n", "1000", "--seed", "1", "--format", "json")
    assert done.exit_code == 0, done.output
    summary = json.loads(done.stdout)
    assert [one["rank"] for one in summary["ratings"]] == [1, 2, 3]
    assert [one["bot"] for one in summary["ratings"]] == list(THREE)
    assert {"bot", "rating", "se", "rank"} <= summary["ratings"][0].keys()
    assert summary["win_matrix"]["share"][0][0] is None
    assert summary["deals"] == summary["blocks"] * 6


def test_the_command_says_it_in_words_and_in_csv() -> None:
    done = invoke(*THREE, "--seats", "2", "-n", "2000", "--seed", "1")
    assert "greedy is the best: better than each other beyond doubt." in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80
    rows = invoke(*THREE, "--seats", "2", "-n", "1000", "--seed", "1", "--format", "csv").stdout.splitlines()
    assert rows[0].startswith("bot,rating,se,rank,rank_ci_low,rank_ci_high")
    assert len(rows) == 4


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "from 2 to 24 bots, not 0; there are random, greedy"),
        (("greedy",), "from 2 to 24 bots, not 1"),
        (("greedy", "greedy"), "'greedy' is named twice"),
        (("greedy", "hastty"), "did you mean 'hasty'?"),
        (("greedy", "hasty", "--seats", "1"), "at least two seats"),
        (("greedy", "hasty", "--alpha", "0.7"), "alpha must be above 0 and at most 0.5"),
        (("greedy", "hasty", "--smallest-effect", "0"), "must be a number above 0"),
        (("greedy", "hasty", "--metric", "wins"), "'wins' is not one of 'score', 'ahead'"),
        (("greedy", "hasty", "--tables", "some"), "'some' is not one of"),
        (("greedy", "hasty", "--extend"), "extend needs the folder"),
    ],
)
def test_a_wrong_use_gets_one_line(words: tuple[str, ...], message: str) -> None:
    done = invoke(*words)
    assert done.exit_code == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr

"""Whole matches: when they end, who wins, the handicap between deals, and that nothing else decides a number."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError
from threading import Event
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner, Result

import nertsim
from nertsim import RulesError, UsageError
from nertsim.cli import main
from nertsim.codes import WON_WHOLE, DealColumn, SeatColumn
from nertsim.dealer import Chunk, Dealer
from nertsim.experiments.match import match_rows
from nertsim.experiments.match_play import MATCH_STRIDE, Outcomes, play_matches, rounds
from nertsim.experiments.match_summary import quantile, summarize_matches
from nertsim.experiments.match_totals import MatchTotals
from nertsim.rules import Rules
from nertsim.stats.intervals import share_interval, wilson_interval

from .interrupts import interrupt

BOTS = ("greedy,speed=1.2", "careful", "greedy")
Scores = Callable[[int, int], Sequence[int]]


class ScriptedDealer:
    """Deals whose scores a function of (match, deal of the match) says; notes what each was started with."""

    def __init__(self, rules: Rules, scores: Scores) -> None:
        self.rules = rules
        self.scores = scores
        self.seen: dict[int, tuple[list[int], list[int]]] = {}

    def play_in_matches(self, numbers: np.ndarray, scores: np.ndarray, nerts: np.ndarray) -> Chunk:
        seats = np.zeros((len(numbers), self.rules.seats, len(SeatColumn)), np.int64)
        deals = np.zeros((len(numbers), len(DealColumn)), np.int64)
        deals[:, DealColumn.DURATION_US] = 1_000_000
        for row, number in enumerate(numbers.tolist()):
            assert number not in self.seen
            self.seen[number] = scores[row].tolist(), nerts[row].tolist()
            seats[row, :, SeatColumn.SCORE] = self.scores(*divmod(number, MATCH_STRIDE))
        return Chunk(int(numbers[0]), seats, deals)


def scripted(scores: Scores, matches: int = 1, **rules: Any) -> tuple[Outcomes, ScriptedDealer]:
    dealer = ScriptedDealer(Rules(**({"seats": 2} | rules)), scores)
    return play_matches(dealer, 0, matches, Event()), dealer  # type: ignore[arg-type]


def play(**keywords: Any) -> nertsim.MatchRun:
    return nertsim.match(**({"bots": BOTS, "seats": 3, "matches": 40, "seed": 5} | keywords))


# When a match ends


def test_a_match_ends_when_a_seat_has_the_target() -> None:
    for target, deals in [(60, 2), (61, 3), (90, 3), (91, 4)]:
        outcomes, _ = scripted(lambda match, deal: (30, 10), target=target)
        assert outcomes.deals.tolist() == [deals]
        assert outcomes.points.tolist() == [[30 * deals, 10 * deals]]
        assert outcomes.won.tolist() == [[WON_WHOLE, 0]]


def test_the_highest_total_wins_whoever_had_the_target_first() -> None:
    outcomes, _ = scripted(lambda match, deal: [(99, 60), (1, 45)][deal], target=100)
    assert outcomes.points.tolist() == [[100, 105]]
    assert outcomes.won.tolist() == [[0, WON_WHOLE]]
    assert outcomes.leads.tolist() == [[-5, 5]]


def test_a_tie_at_the_top_is_settled_by_another_deal() -> None:
    outcomes, _ = scripted(lambda match, deal: [(60, 60), (45, 45), (3, 3), (-2, -3)][deal], target=100)
    assert outcomes.deals.tolist() == [4]
    assert outcomes.points.tolist() == [[106, 105]]
    # What they have after a tie may be less than the target: the match then goes on until one has it again.
    outcomes, _ = scripted(lambda match, deal: [(100, 100), (-20, -30), (10, 10), (11, 5)][deal], target=100)
    assert outcomes.points.tolist() == [[101, 85]]


def test_a_tie_below_the_top_does_not_matter() -> None:
    outcomes, _ = scripted(lambda match, deal: (101, 100, 100), seats=3)
    assert outcomes.deals.tolist() == [1]
    assert outcomes.leads.tolist() == [[1, -1, -1]]


def test_a_match_of_a_number_of_deals_has_that_many_and_a_tie_is_shared() -> None:
    outcomes, _ = scripted(lambda match, deal: (50, 50, 50 - deal), seats=3, match_deals=5)
    assert outcomes.deals.tolist() == [5]
    assert outcomes.won.tolist() == [[WON_WHOLE // 2, WON_WHOLE // 2, 0]]
    assert outcomes.leads.tolist() == [[0, 0, -10]]
    assert not outcomes.capped.any()
    rows = match_rows(outcomes)
    assert (rows["winner"].tolist(), rows["margin"].tolist(), rows["won_0"].tolist()) == ([-1], [0], [0.5])


def test_a_match_without_end_is_capped_and_counted() -> None:
    outcomes, dealer = scripted(lambda match, deal: (0, 0) if match == 0 else (100, 0), matches=2)
    assert outcomes.deals.tolist() == [MATCH_STRIDE, 1]
    assert outcomes.capped.tolist() == [True, False]
    assert outcomes.won.tolist() == [[WON_WHOLE // 2, WON_WHOLE // 2], [WON_WHOLE, 0]]
    assert max(dealer.seen) == MATCH_STRIDE
    totals = MatchTotals.of_outcomes(outcomes, [[0], [1]])
    assert (totals.capped, totals.shared, totals.deals_played) == (1, 1, MATCH_STRIDE + 1)
    assert summarize_matches(totals, "ab")["capped"] == 0.5


def test_a_match_decided_by_its_last_possible_deal_is_not_capped() -> None:
    outcomes, _ = scripted(lambda match, deal: (100, 0) if deal == MATCH_STRIDE - 1 else (0, 0))
    assert outcomes.deals.tolist() == [MATCH_STRIDE]
    assert not outcomes.capped.any()


def test_one_seat_plays_to_the_target_alone() -> None:
    outcomes, _ = scripted(lambda match, deal: (20,), seats=1)
    assert outcomes.deals.tolist() == [5]
    summary = summarize_matches(MatchTotals.of_outcomes(outcomes, [[0]]), ["a"])
    assert summary["seats"][0]["win_rate"] == 1
    assert math.isnan(summary["mean_margin"]) and math.isnan(summary["seats"][0]["mean_margin"])


# The handicap, the scores


def test_the_winner_of_a_deal_starts_the_next_with_more_nerts_cards() -> None:
    deals = [(9, 5, 1), (2, 5, 4), (7, 7, 6), (8, 0, 0), (99, 0, 0)]
    _, dealer = scripted(lambda match, deal: deals[deal], seats=3, nerts=(13, 10, 13), winner_handicap=2)
    nerts = [started[1] for started in dealer.seen.values()]
    # Not on top of an earlier handicap, and all of those who share the top score.
    assert nerts == [[13, 10, 13], [15, 10, 13], [13, 12, 13], [15, 12, 13], [15, 10, 13]]
    assert [started[0] for started in dealer.seen.values()][:3] == [[0, 0, 0], [9, 5, 1], [11, 10, 5]]


def test_without_the_house_rule_the_piles_stay_as_they_are() -> None:
    _, dealer = scripted(lambda match, deal: (30, 1), nerts=(13, 11))
    assert {tuple(started[1]) for started in dealer.seen.values()} == {(13, 11)}


def test_a_handicap_has_its_effect_on_the_deal() -> None:
    for one in rounds(Dealer(Rules(seats=2, winner_handicap=5), play(seats=2, bots=BOTS[:2]).plan.bots, 1), 0, 30):
        left = one.chunk.seats[:, :, SeatColumn.NERTS_LEFT]
        assert (left <= one.nerts).all()
        if one.deal:
            assert set(one.nerts.ravel().tolist()) == {13, 18}


# Against a slow and obvious loop


def slow_match(dealer: Dealer, match: int) -> dict[str, Any]:
    """One match, one deal after another."""
    rules = dealer.rules
    points, nerts = [0] * rules.seats, list(rules.nerts_list)
    duration = 0
    for deal in range(MATCH_STRIDE):
        _, chunk = dealer.log(4096 * match + deal, points, nerts)
        scores = chunk.seats[0, :, SeatColumn.SCORE].tolist()
        points = [before + score for before, score in zip(points, scores, strict=True)]
        duration += int(chunk.deals[0, DealColumn.DURATION_US])
        nerts = [
            usual + (rules.winner_handicap if score == max(scores) else 0)
            for usual, score in zip(rules.nerts_list, scores, strict=True)
        ]
        if rules.match_deals is not None:
            if deal + 1 == rules.match_deals:
                break
        elif max(points) >= rules.target and points.count(max(points)) == 1:
            break
    best = [seat for seat, total in enumerate(points) if total == max(points)]
    row = {"match": match, "deals": deal + 1, "winner": best[0] if len(best) == 1 else None, "duration_us": duration}
    row |= {f"points_{seat}": total for seat, total in enumerate(points)}
    row |= {f"won_{seat}": (seat in best) / len(best) for seat in range(rules.seats)}
    return row | {"margin": sorted(points)[-1] - sorted(points)[-2], "capped": False}


@pytest.mark.parametrize(
    "rules",
    [
        {"target": 40},
        {"target": 25, "winner_handicap": 2, "nerts": (10, 7, 12)},
        {"match_deals": 2, "nerts": 5},
        {"target": 30, "hands": (1, 2, 1), "jokers": 2, "winner_handicap": 1},
    ],
    ids=str,
)
def test_matches_are_what_a_slow_loop_says(rules: dict[str, Any]) -> None:
    run = play(rules=Rules(seats=3, **rules), matches=12, chunk=5)
    dealer = Dealer(run.rules, run.bots, run.seed)
    expected = pd.DataFrame([slow_match(dealer, match) for match in range(12)])
    found = run.matches
    assert set(found.columns) == set(expected.columns)
    assert found["winner"].isna().tolist() == expected["winner"].isna().tolist()
    for name in found.columns:
        assert found[name].dropna().tolist() == expected[name].dropna().tolist(), name


@pytest.mark.parametrize(("threads", "chunk"), [(1, 1), (2, 7), (2, None), (3, 16)])
def test_matches_do_not_depend_on_threads_and_chunks(threads: int, chunk: int | None) -> None:
    one, two = play(threads=1, chunk=40), play(threads=threads, chunk=chunk)
    pd.testing.assert_frame_equal(one.matches, two.matches, check_exact=True)
    assert one.totals == two.totals


def test_more_matches_are_the_same_matches_and_more() -> None:
    pd.testing.assert_frame_equal(play(matches=40).matches.head(15), play(matches=15).matches)


def test_a_deal_of_a_match_can_be_seen_again() -> None:
    run = play(rules=Rules(seats=3, target=60, winner_handicap=1), matches=4)
    deals = run.deals(3)
    assert len(deals) == run.matches.loc[3, "deals"]
    for _, row in deals.iterrows():
        assert row["deal"] // MATCH_STRIDE == 3
        rules = run.rules.replace(nerts=tuple(int(row[f"nerts_{seat}"]) for seat in range(3)))
        points = [int(row[f"points_{seat}"]) for seat in range(3)]
        again = nertsim.replay(BOTS, rules, run.seed, int(row["deal"]), scores=points)
        assert [seat["score"] for seat in again.score["seats"]] == [row[f"score_{seat}"] for seat in range(3)]
    last = deals.iloc[-1]
    assert [last[f"points_{seat}"] + last[f"score_{seat}"] for seat in range(3)] == [
        run.matches.loc[3, f"points_{seat}"] for seat in range(3)
    ]
    with pytest.raises(UsageError, match="match must be a whole number from 0 to 3, not 4"):
        run.deals(4)


def test_a_stop_ends_a_match_that_would_go_on_for_long() -> None:
    stop = Event()
    dealer = ScriptedDealer(Rules(seats=2), lambda match, deal: stop.set() or (0, 0) if deal == 3 else (0, 0))
    with pytest.raises(CancelledError):
        play_matches(dealer, 0, 1, stop)  # type: ignore[arg-type]
    assert len(dealer.seen) == 4


# What is said of them


def test_the_summary_is_what_the_rows_say() -> None:
    run = play(matches=60, bots=["greedy", "greedy,speed=1.2", "greedy"], rules=Rules(seats=3, match_deals=2))
    rows, summary = run.matches, run.summary
    assert summary["matches"] == 60 and summary["deals"] == rows["deals"].sum()
    assert summary["mean_margin"] == pytest.approx(rows["margin"].mean())
    assert summary["margin_quantiles"]["0.5"] == rows["margin"].sort_values().iloc[29]
    assert summary["mean_match_seconds"] == pytest.approx(rows["duration_us"].mean() / 1e6)
    assert summary["shared"] == pytest.approx(rows["winner"].isna().mean())
    assert sum(summary["ended"].values()) == pytest.approx(1)
    points = rows[[f"points_{seat}" for seat in range(3)]].to_numpy()
    for seat, record in enumerate(summary["seats"]):
        won = rows[f"won_{seat}"]
        assert record["win_rate"] == pytest.approx(won.mean())
        units = (won * WON_WHOLE).round().astype(int)
        expected = share_interval(60, int(units.sum()), int((units**2).sum()), WON_WHOLE)
        assert record["win_rate_ci"] == list(expected)
        assert record["mean_points"] == pytest.approx(points[:, seat].mean())
        others = np.delete(points, seat, axis=1).max(axis=1)
        assert record["mean_margin"] == pytest.approx((points[:, seat] - others).mean())
    assert list(run.by_bot["win_rate"]) == pytest.approx(
        [(rows["won_0"] + rows["won_2"]).mean() / 2, rows["won_1"].mean()]
    )
    assert sum(run.by_seat["win_rate"]) == pytest.approx(1)
    assert "60 matches" in repr(run)


def test_the_interval_of_a_win_rate_is_wilsons() -> None:
    run = play(matches=50)
    for record in run.summary["seats"]:
        assert record["win_rate_ci"] == pytest.approx(list(wilson_interval(50, record["win_rate"])))


def test_a_quantile_is_the_least_value_that_enough_do_not_exceed() -> None:
    counts = MatchTotals.empty(1, 1).deals
    assert math.isnan(quantile(counts, 0.5))
    counts.update({3: 1, 5: 2, 9: 1})
    assert [quantile(counts, share) for share in (0.05, 0.25, 0.5, 0.75, 0.95)] == [3, 3, 5, 5, 9]


def test_rows_that_were_not_kept_are_not_there() -> None:
    run = play(keep="summary")
    assert list(run.read_rows("matches")) == []
    with pytest.raises(UsageError, match="keep='matches'"):
        _ = run.matches


def test_progress_is_told_in_matches() -> None:
    told: list[tuple[int, int]] = []
    play(matches=10, chunk=4, progress=lambda *numbers: told.append(numbers))
    assert told == [(4, 10), (8, 10), (10, 10)]


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"matches": 0}, "matches must be a whole number from 1 to"),
        ({"matches": 10**9}, "matches must be a whole number from 1 to 244140625"),
        ({"rules": Rules(seats=3, match_deals=5000)}, "match_deals must be at most 4096 to play matches, not 5000"),
        ({"keep": "seats"}, "no choice for keep called 'seats'"),
        ({"chunk": 0}, "chunk must be"),
        ({"bots": ["greedy", "greedy"]}, "2 bots for 3 seats"),
    ],
)
def test_a_wrong_request_is_refused(wrong: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError) as caught:
        play(**wrong)
    assert words in str(caught.value)


def test_a_handicap_that_the_deck_does_not_have_is_refused() -> None:
    with pytest.raises(RulesError, match="10 more for the winner"):
        Rules(nerts=40, winner_handicap=10, work_piles=4)


# Bots in matches


def test_in_a_match_of_a_number_of_deals_bots_see_no_target(monkeypatch: pytest.MonkeyPatch) -> None:
    from nertsim.engine.layout import TARGET

    for rules, target in [({"target": 77}, 77), ({"target": 77, "match_deals": 3}, 0)]:
        dealer = Dealer(Rules(seats=2, **rules), play(seats=2, bots="greedy").plan.bots, 1)
        seen: list[int] = []
        real = dealer._play
        monkeypatch.setattr(
            dealer, "_play", lambda state, *rest, s=seen, r=real: s.append(int(state.memory[TARGET])) or r(state, *rest)
        )
        dealer.log(0, [0, 0])
        dealer.log(0)
        assert seen == [target, 0]


def test_a_deal_alone_knows_nothing_of_matches_before_it() -> None:
    dealer = Dealer(Rules(seats=2), play(seats=2, bots="greedy").bots, 1)
    before = dealer.play(0, 10).seats
    dealer.play_in_matches(np.arange(3), np.full((3, 2), 50), np.full((3, 2), 5))
    assert (dealer.play(0, 10).seats == before).all()


# The command line


def call(*words: str) -> Result:
    return CliRunner().invoke(main, ["match", *words])


def ok(*words: str) -> Result:
    result = call(*words)
    assert result.exit_code == 0, result.output
    return result


def test_the_table_says_who_wins_and_how_long_it_takes() -> None:
    bots = ["--bot", "greedy,tempo=expert,oversight=0.05", "--bot", "greedy", "--bot", "greedy"]
    result = ok(*bots, "--seats", "3", "-n", "50", "--seed", "1")
    assert all(len(line) <= 80 for line in result.stdout.splitlines())
    for words in ("win %", "points", "ahead", "50 matches to 100 points", "A match takes", "ahead of the next"):
        assert words in result.stdout
    assert result.stdout.count("tempo=expert,") == 2  # by seat, and by bot
    assert "seed 1" in result.stderr and "deals/s" in result.stderr
    assert ok(*bots, "--seats", "3", "-n", "50", "--seed", "1", "--threads", "1").stdout == result.stdout


def test_json_has_the_keys_that_programs_read() -> None:
    found = json.loads(ok("-n", "1e2", "--seed", "1", "--seats", "2", "--format", "json").stdout)
    assert (found["matches"], found["seed"], found["target"], found["match_deals"]) == (100, 1, 100, None)
    assert found["mean_deals_ci"][0] < found["mean_deals"] < found["mean_deals_ci"][1]
    assert found["deals_quantiles"]["0.05"] <= found["deals_quantiles"]["0.95"]
    assert {"mean_margin", "capped", "shared", "seconds", "deals_per_second", "ended"} <= found.keys()
    assert [(record["seat"], record["bot"]) for record in found["seats"]] == [(0, "greedy"), (1, "greedy")]
    for record in found["seats"]:
        assert record["win_rate_ci"][0] <= record["win_rate"] <= record["win_rate_ci"][1]


def test_json_of_one_seat_is_json() -> None:
    words = ("-n", "1", "--seats", "1", "--set", "match_deals=2", "--format", "json")
    assert json.loads(ok(*words).stdout)["mean_margin"] is None
    text = ok(*words[:-2]).stdout
    assert "1 match of 2 deals." in text
    assert "ahead" not in text


def test_csv_has_a_row_a_seat() -> None:
    rows = list(csv.DictReader(io.StringIO(ok("-n", "20", "--seats", "3", "--format", "csv").stdout)))
    assert [row["seat"] for row in rows] == ["0", "1", "2"]
    assert {"bot", "win_rate", "win_rate_ci_low", "mean_points", "mean_margin"} <= rows[0].keys()


def test_a_drawn_seed_is_told_and_gives_the_matches_again() -> None:
    first = ok("-n", "20")
    seed = first.stderr.split("seed ")[1].split()[0]
    assert "(drawn)" in first.stderr
    assert ok("-n", "20", "--seed", seed).stdout == first.stdout


def test_a_number_of_deals_and_its_ties_are_told() -> None:
    text = ok("-n", "200", "--seats", "2", "--set", "match_deals=1", "--set", "nerts=1", "--seed", "1").stdout
    assert "200 matches of 1 deal." in text
    assert "ended in a tie" in text
    assert "A match takes" not in text


def test_capped_matches_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nertsim.experiments.match_play.MATCH_STRIDE", 3)
    result = ok("-n", "5", "--seed", "1", "--set", "target=1000")
    assert "5 of 5 matches were capped" in result.stderr


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["-n", "0"], "'0' is not a whole number"),
        (["-n", "1e9"], "matches must be a whole number from 1 to 244140625"),
        (["--deals", "5"], "no option of nertsim match called '--deals'"),
        (["--set", "target=0"], "target must be a whole number from 1"),
        (["--set", "match_deals=5000"], "match_deals must be at most 4096"),
        (["--bot", "gredy"], "did you mean 'greedy'?"),
    ],
)
def test_wrong_use_is_one_line_and_exit_2(words: list[str], line: str) -> None:
    result = CliRunner().invoke(main, ["match", *words], prog_name="nertsim")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert line in result.stderr


def test_replay_takes_the_points_at_the_start() -> None:
    def replay(*words: str) -> Result:
        return CliRunner().invoke(main, ["replay", "--seats", "2", "--seed", "1", *words])

    shown = replay("--scores", "-5,80")
    assert shown.stdout.splitlines()[0] == "Deal 0 of seed 1: 2 seats, standard rules, at -5 / 80 points"
    for words, line in [("1", "1 scores for 2 seats"), ("a,2", "'a,2' is not a whole number for each seat")]:
        wrong = replay("--scores", words)
        assert wrong.exit_code == 2
        assert line in wrong.stderr


def test_ctrl_c_stops_matches_that_go_on_for_ever() -> None:
    play(bots="greedy", matches=1)  # compiled before, so that the process below plays soon
    words = ["match", "-n", "1e6", "--set", "target=1000000"]
    done = interrupt(words)
    assert done.seconds < 2
    assert done.returncode == 130
    assert done.stdout == ""
    stderr = done.stderr
    assert "of 1,000,000 matches\nto run it again: nertsim match -n 1e6" in stderr
    assert "Traceback" not in stderr


# What is known of real matches


@pytest.mark.slow
def test_a_faster_seat_wins_more_matches_than_deals() -> None:
    bots = ["greedy,speed=1.1", "greedy", "greedy", "greedy"]
    matches = nertsim.match(bots, matches=4000, seed=11).by_seat
    deals = nertsim.simulate(bots, deals=40_000, seed=11).by_seat
    assert matches.loc[0, "win_rate_ci_low"] > deals.loc[0, "win_rate_ci_high"] + 0.1
    assert 0.45 < matches.loc[0, "win_rate"] < 0.60
    equal = matches.loc[1:3]
    assert (equal["win_rate_ci_low"].max() < equal["win_rate_ci_high"].min()) and equal["win_rate"].sum() < 0.55


@pytest.mark.slow
def test_equal_bots_win_equally_often_and_the_handicap_makes_matches_closer() -> None:
    usual = nertsim.match("greedy", seats=3, matches=4000, seed=3)
    for record in usual.summary["seats"]:
        low, high = wilson_interval(4000, record["win_rate"], level=0.9999)
        assert low < 1 / 3 < high
    bots = ["greedy,speed=1.25", "greedy", "greedy"]
    plain = nertsim.match(bots, seats=3, matches=4000, seed=3).by_seat.loc[0]
    handicap = nertsim.match(bots, rules=Rules(seats=3, winner_handicap=8), matches=4000, seed=3).by_seat.loc[0]
    assert handicap["margin_ci_high"] < plain["margin_ci_low"]
    assert handicap["win_rate_ci_high"] < plain["win_rate_ci_low"]

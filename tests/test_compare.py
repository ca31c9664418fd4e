"""Comparisons: blocks are what they say, totals do not depend on how they are played, verdicts follow from them."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import nertsim
from nertsim import UsageError
from nertsim.cli import main
from nertsim.codes import WON_WHOLE
from nertsim.engine.luck import Luck, deal_luck, expected_luck
from nertsim.experiments.compare.design import FIELD, A, B, make_design
from nertsim.replay.decks import dealt_deck


def compare(**keywords: Any) -> nertsim.CompareRun:
    given = {"a": "greedy,speed=1.1", "b": "greedy", "seed": 1, "smallest_effect": 2.0, "deals": 20_000}
    return nertsim.compare(**(given | keywords))


# The tables of a block


@given(st.integers(2, 12), st.data())
def test_every_seat_is_played_by_either_bot_equally_often(seats: int, data: st.DataObject) -> None:
    field = seats > 2 and data.draw(st.booleans())
    seats_of_a = 1 if field else data.draw(st.integers(1, seats - 1))
    design = make_design(seats, seats_of_a, field)
    for side in (A, B, FIELD):
        often = (design.tables == side).sum(axis=0)
        assert often.min() == often.max()
    assert len({tuple(table) for table in design.tables.tolist()}) == design.size
    assert design.weights.sum() == 0
    mean = np.where(design.tables == A, 7.0, np.where(design.tables == B, 4.0, 99.0))
    assert (mean * design.weights).sum() * design.unit == pytest.approx(3.0)


def test_a_design_that_cannot_be_is_refused() -> None:
    for arguments, words in [((1,), "at least two seats"), ((4, 4), "A can have from 1 to 3"), ((2, 1, True), "third")]:
        with pytest.raises(UsageError, match=words):
            make_design(*arguments)


# What is played


def test_blocks_are_the_same_deals_with_the_bots_at_all_seats() -> None:
    run = compare(smallest_effect=0.5, deals=1200, seats=3, control=False)
    ahead = []
    for seat in range(3):
        bots = ["greedy,speed=1.1" if one == seat else "greedy" for one in range(3)]
        scores = nertsim.simulate(bots, seats=3, deals=400, seed=1).seats["score"].to_numpy().reshape(400, 3)
        ahead.append(scores[:, seat] - (scores.sum(axis=1) - scores[:, seat]) / 2)
    played = run.totals.blocks
    assert 0 < played <= 400
    np.testing.assert_allclose(run.blocks["difference"], np.mean(ahead, axis=0)[:played], atol=1e-12)
    np.testing.assert_allclose(run.blocks["adjusted"], run.blocks["difference"], atol=1e-6)
    assert run.summary["raw_difference"] == pytest.approx(np.mean(ahead, axis=0)[:played].mean())
    naive = np.mean([np.var(values[:played], ddof=1) for values in ahead]) / 3
    factor = naive / np.mean(ahead, axis=0)[:played].var(ddof=1)
    assert run.summary["variance_reduction_blocks"] == pytest.approx(factor)


@pytest.mark.parametrize("metric", ["score", "win", "match"])
def test_totals_do_not_depend_on_threads_and_chunks(metric: str) -> None:
    deals = 600 if metric == "match" else 3000
    runs = [
        compare(metric=metric, smallest_effect=0.001, deals=deals, seats=2, threads=threads, chunk=chunk)
        for threads, chunk in ((1, 300), (2, 37))
    ]
    assert runs[0].totals == runs[1].totals
    assert runs[0].totals.blocks == deals // 2
    assert runs[0].blocks.equals(runs[1].blocks)


def test_win_rates_of_both_are_those_of_the_seats() -> None:
    run = compare(metric="win", deals=2000, seats=2)
    a, b = run.by_bot["win_rate"]
    assert a + b == pytest.approx(1)
    assert run.summary["raw_difference"] == pytest.approx(a - b)


def test_a_bot_against_itself_is_equivalent_and_nothing_varies() -> None:
    run = compare(a="greedy", smallest_effect=0.5)
    assert run.verdict == "equivalent"
    assert run.summary["difference"] == 0
    assert math.isnan(run.summary["variance_reduction"])


def test_a_faster_bot_is_better_whichever_comes_first() -> None:
    assert compare().verdict == "A better"
    assert compare(a="greedy", b="greedy,speed=1.1").verdict == "B better"
    run = compare(a="greedy,speed=1.1", field="hasty", seats=3)
    assert run.verdict == "A better"
    assert run.summary["field"] == "hasty"


def test_what_is_not_known_after_the_most_deals_is_undecided() -> None:
    run = compare(a="greedy,speed=1.001", smallest_effect=0.01, deals=2000)
    assert run.verdict == "undecided"
    assert run.summary["deals"] == 2000
    low, high = run.summary["ci"]
    assert low < 0 < high


def test_blocks_vary_less_than_deals_of_their_own() -> None:
    with_blocks = compare(a="greedy,speed=1.01", smallest_effect=0.01, deals=8000)
    without = compare(a="greedy,speed=1.01", smallest_effect=0.01, deals=8000, blocks=False)
    assert with_blocks.summary["variance_reduction"] > 2.3
    assert without.summary["variance_reduction_blocks"] == pytest.approx(1)
    assert 1.02 < without.summary["variance_reduction_control"] < 1.2
    assert with_blocks.totals.deals == without.totals.deals == 8000


# Luck


def test_the_luck_of_a_deal_is_what_lies_in_its_decks() -> None:
    found = deal_luck(3, 5, 2, 0, np.array([13, 10]), 4, 3)
    for deal in (0, 1):
        for seat, nerts in enumerate((13, 10)):
            deck = dealt_deck(3, 5 + deal, seat, 0)
            low = [card // 4 < 3 for card in deck]
            expected = expected_luck(0, nerts, 4, 3)
            assert found[deal, seat, Luck.NERTS_LOW] == pytest.approx(sum(low[:nerts]) - expected[Luck.NERTS_LOW])
            assert found[deal, seat, Luck.PASS_LOW] == pytest.approx(
                sum(low[nerts + 4 + 2 :: 3]) - expected[Luck.PASS_LOW]
            )


@pytest.mark.parametrize("jokers", [0, 2])
def test_the_expectation_of_luck_is_right(jokers: int) -> None:
    luck = deal_luck(1, 0, 20_000, jokers, np.full(2, 13), 4, 3).reshape(-1, len(Luck))
    errors = luck.std(axis=0) / math.sqrt(len(luck))
    assert (np.abs(luck.mean(axis=0)) < 4 * errors).all()


# Folders


def test_a_comparison_is_kept_extended_and_resumed(tmp_path: Path) -> None:
    at_once = compare(smallest_effect=0.001, deals=6000, out=tmp_path / "once")
    compare(smallest_effect=0.001, deals=2400, out=tmp_path / "run")
    nertsim.compare(out=tmp_path / "run", extend=True, deals=3600)
    run = nertsim.load(tmp_path / "run")
    assert run.totals == at_once.totals
    assert run.blocks.equals(at_once.blocks)
    again = nertsim.compare("greedy,speed=1.1", "greedy", out=tmp_path / "run", resume=True)
    assert again.totals == run.totals
    with pytest.raises(UsageError, match="bot A is greedy,speed"):
        nertsim.compare("hasty", "greedy", out=tmp_path / "run", resume=True)
    with pytest.raises(UsageError, match="nertsim simulate"):
        nertsim.simulate(out=tmp_path / "run", resume=True)


# The command


def call(*words: str) -> Any:
    return CliRunner(env=os.environ).invoke(main, ["compare", *words])


def test_the_command_has_the_keys_that_programs_read() -> None:
    result = call("careful", "hasty", "--seed", "1", "--smallest-effect", "2", "--format", "json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert set(found) >= {"verdict", "difference", "ci", "blocks", "deals", "variance_reduction"}
    assert found["verdict"] == "A better"
    assert found["ci"][0] < found["estimate"] < found["ci"][1]
    assert "What to expect" in result.stderr


def test_the_command_says_it_in_words() -> None:
    result = call("greedy", "greedy,speed=1.2", "--seed", "1", "--smallest-effect", "2", "--metric", "score")
    assert "greedy,speed=1.2 is better than greedy." in result.stdout
    assert "deals saved" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80
    result = call("greedy", "hasty", "--seed", "1", "--smallest-effect", "0.2", "--metric", "win", "--format", "csv")
    assert result.stdout.startswith("verdict,metric,difference")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["greedy"], "two bots are compared: name both"),
        (["greedy", "greddy"], "did you mean 'greedy'"),
        (["greedy", "hasty", "--seats", "1"], "at least two seats"),
        (["greedy", "hasty", "--alpha", "0.7"], "alpha must be above 0 and at most 0.5"),
        (["greedy", "hasty", "--smallest-effect", "0"], "the smallest effect must be a number above 0"),
        (["greedy", "hasty", "--seats-of-a", "4"], "A can have from 1 to 3"),
        (["greedy", "hasty", "--metric", "luck"], "luck"),
        (["--resume", "-o", "/nowhere/run"], "holds no run to go on with"),
    ],
)
def test_wrong_use_is_one_line(words: list[str], said: str) -> None:
    result = call(*words)
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_block_score_of_shares_is_in_shares() -> None:
    run = compare(metric="match", smallest_effect=0.4, deals=600, seats=2)
    values = run.blocks["difference"].unique() * 2
    assert set(np.round(values * WON_WHOLE) % (WON_WHOLE / 2)) == {0}
    assert -1 <= run.summary["difference"] <= 1

"""Sweeps: values and names are read as meant, all values have the same deals, differences are those of the rows."""

from __future__ import annotations

import json
import math
import os
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import nertsim
from nertsim import UsageError
from nertsim.bots.spec import parse_bot
from nertsim.cli import main
from nertsim.experiments.sweep.axes import PARAMETER, RULE, SECOND_TEMPO, TEMPO, find_parameter, make_axes
from nertsim.experiments.sweep.layout import make_layout
from nertsim.experiments.sweep.values import exact_text, parse_values
from nertsim.rules import Rules

BOT_WITH_PARAMETER = """
import nertsim

@nertsim.strategy(parameters={"patience": nertsim.Parameter(0.0, 0.0, 10.0, "nothing")})
def waiting(view, parameters, scratch, noise):
    return 0
"""


def sweep(parameters: Any = "speed=0.9,1,1.2", bots: Any = "greedy", **keywords: Any) -> nertsim.SweepRun:
    return nertsim.sweep(parameters, bots, **({"seed": 1, "deals": 200, "seats": 2} | keywords))


def values(text: str, numbers: str = "real") -> list[Any]:
    return parse_values("x", text, int if numbers == "whole" else float, numbers)


# Values and ranges


def test_ranges_hold_both_ends_and_what_one_would_write() -> None:
    assert values("0.8:1.25:10") == [0.8, 0.85, 0.9, 0.95, 1.0, 1.05, 1.1, 1.15, 1.2, 1.25]
    assert values("0:25:6", "whole") == [0, 5, 10, 15, 20, 25]
    assert values("1:3", "whole") == [1, 2, 3]
    assert values("1:64:4:log", "whole") == [1, 4, 16, 64]
    assert values("0.5,1:2:2,-3") == [0.5, 1.0, 2.0, -3.0]
    assert values("0.1:1.6:5:log") == pytest.approx([0.1, 0.2, 0.4, 0.8, 1.6])


@given(st.integers(-1000, 1000), st.integers(1, 1000), st.integers(2, 40))
def test_linear_ranges_are_in_equal_steps(low: int, span: int, steps: int) -> None:
    found = values(f"{low / 100}:{(low + span) / 100}:{steps}")
    assert len(found) == steps
    assert found[0] == low / 100
    assert found[-1] == (low + span) / 100
    np.testing.assert_allclose(np.diff(found), span / 100 / (steps - 1), rtol=1e-9)


@given(st.integers(1, 1000), st.integers(1, 1000), st.integers(2, 40))
def test_logarithmic_ranges_are_in_equal_ratios(low: int, span: int, steps: int) -> None:
    found = np.array(values(f"{low / 100}:{(low + span) / 100}:{steps}:log"))
    assert found[0] == low / 100
    assert found[-1] == (low + span) / 100
    np.testing.assert_allclose(found[1:] / found[:-1], ((low + span) / low) ** (1 / (steps - 1)), rtol=1e-9)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=5, unique=True))
def test_what_is_written_exactly_is_read_exactly(numbers: list[float]) -> None:
    assert values(",".join(map(exact_text, numbers))) == numbers


@given(st.text("0123456789.:,log-e+ ", max_size=12))
def test_any_text_is_values_or_one_line(text: str) -> None:
    try:
        assert values(text, "whole")
    except ValueError as error:
        assert "\n" not in str(error)


@pytest.mark.parametrize(
    ("text", "numbers", "said"),
    [
        ("1:2:1", "real", "from 2 to 1000 steps"),
        ("2:1:3", "real", "LOW below HIGH"),
        ("1:2", "real", "not a range"),
        ("1:2:3:lin", "real", "not a range"),
        ("0:2:3:log", "real", "LOW must be above 0"),
        ("0:25:5", "whole", "0:25:6 has none"),
        ("0:2.5:2", "whole", "has other ends"),
        ("1,,2", "real", "empty value"),
    ],
)
def test_a_range_that_is_none_is_one_line(text: str, numbers: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        values(text, numbers)


# Names


def test_names_mean_a_rule_a_tempo_or_a_parameter() -> None:
    bots = [parse_bot("weighted")]
    assert find_parameter("call_bonus", bots) == (RULE, "call_bonus")
    assert find_parameter("speed", bots) == (TEMPO, "speed")
    assert find_parameter("tempo.draw", bots) == (TEMPO, "draw")
    assert find_parameter("rules.draw", bots) == (RULE, "draw")
    assert find_parameter("second.speed", bots) == (SECOND_TEMPO, "speed")
    assert find_parameter("leads", bots) == find_parameter("bot.leads", bots) == (PARAMETER, "leads")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("draw=1,3", "draw means a rule and a tempo: write rules.draw or tempo.draw"),
        ("sped=1,2", "there is no 'sped' to vary; did you mean 'speed'.*call_bonus.*parameters of greedy: none"),
        ("target=50,100", "matters in matches only"),
        ("speed", "not of the form NAME=VALUES"),
        ("speed=1", "from 2 to 1000 values"),
        ("speed=1,2,1", "has the value 1 twice"),
        ("speed=a,b", "speed must be a number, not 'a'"),
        ("speed=1,1000", "speed must be a number from 0.01 to 100"),
        ("tempo=expert,slow", "slow"),
        ("rules.draw=1,9", "draw must be a whole number from 1 to 5"),
        ("tie=both,none", "tie must be one of both, first"),
        (["speed=1,2", "call_bonus=0,1", "penalty=1,2"], "one or two parameters, not 3"),
        (["speed=1,2", "tempo.speed=3,4"], "given twice"),
        (["speed=1:2:100", "think=1:2:100"], "10,000 combinations"),
    ],
)
def test_what_cannot_vary_is_one_line(asked: Any, said: str) -> None:
    with pytest.raises(UsageError, match=said) as caught:
        sweep(asked)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("keywords", "said"),
    [
        ({"vary": 2}, "a seat to vary must be a whole number from 0 to 1"),
        ({"vary": "some"}, "'all' or numbers"),
        ({"base": "speed=3"}, "speed=3 is none of the values, which are 0.9, 1, 1.2"),
        ({"base": "think=3"}, "names think, which does not vary"),
        ({"parameters": None}, "name what is to vary"),
        ({"parameters": "seats=2,3", "bots": ["greedy", "hasty"]}, "one table has 3 seats"),
        ({"deals": 0}, "deals"),
    ],
)
def test_wrong_requests_are_one_line(keywords: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        sweep(**keywords)


# Who sits where


def layout(parameters: Any, bots: list[str], vary: tuple[int, ...] = (0,), rotate: bool = True) -> Any:
    seated, rules = [parse_bot(bot) for bot in bots], Rules(seats=len(bots))
    return make_layout(make_axes(parameters, rules, [seated[seat] for seat in vary]), rules, seated, vary, rotate)


def test_one_seat_varies_in_all_rotations() -> None:
    found = layout("speed=0.9,1", ["greedy"] * 4)
    assert found.sides == ("greedy,speed=…", "greedy")
    assert [point.tables for point in found.points] == [4, 4]
    assert (found.points[0].sides.sum(axis=0) == 3).all()
    assert [bot.label for bot in found.cast] == ["greedy,speed=0.9", "greedy"]
    assert len(found.tables) == 4 + 1  # at speed 1 all tables are the same


def test_all_seats_vary_or_the_rules_do() -> None:
    assert [point.tables for point in layout("speed=0.9,1", ["greedy"] * 3, (0, 1, 2)).points] == [1, 1]
    assert layout("call_bonus=0,10", ["greedy"] * 3).sides == ("greedy",)
    found = layout("call_bonus=0,10", ["hasty", "greedy", "hasty", "greedy"])
    assert found.sides == ("hasty", "greedy")
    assert [point.tables for point in found.points] == [2, 2]
    assert [point.rules.call_bonus for point in found.points] == [0, 10]
    assert [point.tables for point in layout("speed=0.9,1", ["greedy"] * 3, rotate=False).points] == [1, 1]


def test_a_named_tempo_comes_before_its_values() -> None:
    found = layout(["speed=0.9,1.1", "tempo=expert,beginner"], ["greedy", "hasty"])
    bot = found.cast[found.points[1].seating[0][0]]
    assert (bot.tempo.speed, bot.tempo.think) == (0.9, 0.63)
    assert found.sides[0] == "greedy,speed=…,tempo=…"


# What is played


def rows_of(run: nertsim.SweepRun, figure: str) -> np.ndarray:
    """(blocks, combinations, bots)"""
    shape = run.totals.blocks, len(run.plan.points), len(run.plan.layout.sides)
    return run.blocks[figure].to_numpy().reshape(shape)


def test_all_values_have_the_same_deals_in_all_rotations() -> None:
    run = sweep(deals=120, seats=3)
    for place, speed in enumerate((0.9, 1.0, 1.2)):
        scores, won, seconds = [], [], []
        for seat in range(3):
            bots = [f"greedy,speed={speed}" if one == seat else "greedy" for one in range(3)]
            alone = nertsim.simulate(bots, seats=3, deals=40, seed=1)
            scores.append(alone.seats["score"].to_numpy().reshape(40, 3)[:, seat])
            won.append(alone.seats["won"].to_numpy().reshape(40, 3)[:, seat])
            seconds.append(alone.deals["duration_us"].to_numpy() / 1e6)
        np.testing.assert_allclose(rows_of(run, "score")[:, place, 0], np.mean(scores, axis=0))
        np.testing.assert_allclose(rows_of(run, "win_rate")[:, place, 0], np.mean(won, axis=0))
        np.testing.assert_allclose(rows_of(run, "deal_seconds")[:, place, 1], np.mean(seconds, axis=0))


def test_a_rule_that_only_counts_leaves_the_play_alone() -> None:
    run = sweep("call_bonus=0,4,8", "hasty", seats=3)
    seconds, score, calls = (rows_of(run, name)[:, :, 0] for name in ("deal_seconds", "score", "call_rate"))
    assert (seconds == seconds[:, :1]).all()
    np.testing.assert_allclose(score[:, 2] - score[:, 0], 8 * calls[:, 0], atol=1e-9)


@pytest.mark.parametrize("parameters", ["speed=0.8,1,1.2", ["seats=2,3", "penalty=1,2"]])
def test_figures_and_paired_differences_are_those_of_the_rows(parameters: Any) -> None:
    run = sweep(parameters, base=None if isinstance(parameters, str) else ["seats=3"])
    for figure in ("score", "lead", "win_rate", "deal_seconds", "called"):
        if figure == "lead" and run.is_alike:
            continue
        found = rows_of(run, figure)[:, :, 0]
        pairs = zip(run.values_of(figure), run.differences_of(figure), strict=True)
        for place, ((mean, interval), (change, about)) in enumerate(pairs):
            paired = found[:, place] - found[:, run.plan.base]
            assert mean == pytest.approx(found[:, place].mean())
            assert change == pytest.approx(paired.mean(), abs=1e-9)
            error = stats.sem(paired) * stats.t.ppf(0.975, len(paired) - 1)
            assert about.half_width == pytest.approx(error, abs=1e-9)
            assert interval.low <= mean <= interval.high
            if figure in ("score", "lead", "deal_seconds") and found[:, place].std() > 0:
                low, high = stats.t.interval(0.95, len(paired) - 1, mean, stats.sem(found[:, place]))
                assert tuple(interval) == pytest.approx((low, high))


def test_the_gain_is_that_over_decks_of_their_own() -> None:
    run = sweep(deals=400)
    naive = []
    for speed in (0.9, 1.0, 1.2):
        alone = [
            nertsim.simulate(bots, seats=2, deals=200, seed=1).seats["won"].to_numpy().reshape(200, 2)[:, seat]
            for seat, bots in enumerate(([f"greedy,speed={speed}", "greedy"], ["greedy", f"greedy,speed={speed}"]))
        ]
        naive.append(sum(np.var(one, ddof=1) for one in alone) / 4)
    won = rows_of(run, "win_rate")[:, :, 0]
    for place in (0, 2):
        expected = (naive[place] + naive[1]) / np.var(won[:, place] - won[:, 1], ddof=1)
        assert run.gains("win_rate")[place] == pytest.approx(expected)
    assert math.isnan(run.gains("win_rate")[1])


def test_the_base_is_what_it_would_be_without_the_sweep() -> None:
    assert sweep().plan.base_text == "speed=1"
    assert sweep("speed=0.8,0.9").plan.base_text == "speed=0.8"
    assert sweep("call_bonus=0,5", base="call_bonus=5").plan.base_text == "call_bonus=5"
    run = sweep({"speed": [0.9, 1], "tie": ["first", "both"]}, deals=40)
    assert run.plan.base_text == "speed=1, tie=both"
    assert run.summary["values"][run.plan.base]["win_rate"] == 0.5
    assert run.summary["values"][run.plan.base]["win_rate_ci"] == [0.5, 0.5]


def test_totals_do_not_depend_on_threads_and_chunks() -> None:
    runs = [sweep(deals=600, threads=threads, chunk=chunk) for threads, chunk in ((1, 300), (2, 37))]
    assert runs[0].totals == runs[1].totals
    assert runs[0].totals.blocks == 300
    assert runs[0].blocks.equals(runs[1].blocks)
    assert runs[0].table.equals(runs[1].table)


# Folders


def test_a_sweep_is_kept_extended_and_resumed(tmp_path: Path) -> None:
    asked: dict[str, Any] = {"parameters": ["speed=0.9,1", "nerts=10,13"], "bots": ["greedy", "hasty"]}
    at_once = sweep(**asked, deals=600)
    sweep(**asked, deals=200, out=tmp_path / "run")
    nertsim.sweep(out=tmp_path / "run", extend=True, deals=400)
    run = nertsim.load(tmp_path / "run")
    assert isinstance(run, nertsim.SweepRun)
    assert run.totals == at_once.totals
    assert run.blocks.equals(at_once.blocks)
    again = nertsim.sweep(**asked, out=tmp_path / "run", resume=True)
    assert again.totals == run.totals
    for keywords, said in (
        ({"parameters": ["speed=0.9,1.1", "nerts=10,13"]}, "its parameters is"),
        ({"base": "nerts=10"}, "its base is"),
        ({"vary": "all"}, "its vary is"),
        ({"bots": "greedy"}, "at seat 1 sits hasty"),
    ):
        with pytest.raises(UsageError, match=said):
            nertsim.sweep(out=tmp_path / "run", resume=True, **keywords)


def test_a_sweep_of_a_bot_in_a_file_is_gone_on_with(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(BOT_WITH_PARAMETER)
    bots = [f"{tmp_path}/mine.py:waiting", "greedy"]
    at_once = sweep("patience=0:4:3", bots, deals=80)
    sweep("patience=0:4:3", bots, deals=40, out=tmp_path / "run")
    run = nertsim.sweep(out=tmp_path / "run", extend=True, deals=40)
    assert run.totals == at_once.totals
    assert nertsim.sweep("patience=0,2,4", bots, out=tmp_path / "run", resume=True).totals == at_once.totals
    assert run.summary["bots"][0]["bot"].endswith("mine.py:waiting,patience=…")


# Plots


def test_plots_are_pictures_with_labels(tmp_path: Path) -> None:
    curves, grid = sweep(), sweep(["speed=0.9,1,1.1", "oversight=0,0.1,0.2"], deals=40)
    for run, name in ((curves, "curves"), (grid, "map")):
        run.plot(tmp_path / f"{name}.png")
        data = (tmp_path / f"{name}.png").read_bytes()
        assert data.startswith(b"\x89PNG\r\n\x1a\n")
        assert len(data) > 10_000
        run.plot(tmp_path / f"{name}.svg")
        root = ElementTree.parse(tmp_path / f"{name}.svg").getroot()
        text = " ".join("".join(one.itertext()) for one in root.iter("{http://www.w3.org/2000/svg}text"))
        for label in ("greedy,speed=…", "win rate (% of the deals)", "95 % intervals; seed 1", "everything is so many"):
            assert label in text
    assert "40 deals a point" in text
    run.plot(tmp_path / "again.svg")
    assert (tmp_path / "again.svg").read_bytes() == (tmp_path / "map.svg").read_bytes()


def test_every_point_and_interval_is_in_the_picture() -> None:
    bots = ["careful", "greedy", "hasty"]
    for run in (sweep(), sweep("call_bonus=0,5,9", bots, seats=3), sweep("think=0.1:1.6:5:log", "hasty", vary="all")):
        panels = run.plot().axes
        assert len(panels) == 4
        for panel in panels:
            (left, right), (bottom, top) = panel.get_xlim(), panel.get_ylim()
            values = run.plan.axes[0].values
            assert left < min(values) < max(values) < right
            assert right - left < 2 * (max(values) - min(values))
            bars = [bar for collection in panel.collections for bar in collection.get_segments()]
            ends = np.concatenate(bars)
            assert len(bars) >= len(values)
            assert bottom < ends[:, 1].min() <= ends[:, 1].max() < top
        found = [value for value, _ in run.values_of("score")]
        drawn = panels[0 if run.is_alike else 1].lines[0].get_ydata()
        assert list(drawn) == pytest.approx(found)


@pytest.mark.parametrize("parameters", ["tie=both,first", "think=0.1:1.6:5:log", "seats=1,2,3", "nerts=5:34:30"])
def test_all_kinds_of_values_can_be_drawn(parameters: str, tmp_path: Path) -> None:
    run = sweep(parameters, deals=20)
    for figure in (None, "score", "call_rate", "stuck"):
        run.plot(tmp_path / "a.pdf", figure)


def test_wrong_plots_are_told_before_anything_is_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "must end in .png, .svg, .pdf" in call("speed=0.9,1", "--plot", "a.jpeg").stderr
    assert "does not exist" in call("speed=0.9,1", "--plot", str(tmp_path / "no" / "a.png")).stderr
    run = sweep("call_bonus=0,5", deals=20)
    with pytest.raises(UsageError, match="no figure called 'luck'"):
        run.plot(figure="luck")
    with pytest.raises(UsageError, match="there is no lead"):
        run.plot(figure="lead")
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    result = call("speed=0.9,1", "--plot", str(tmp_path / "a.png"))
    assert result.exit_code == 2
    assert "pip install 'nertsim[plot]'" in result.stderr
    assert result.stderr.count("\n") == 1


# The command


def call(*words: str) -> Any:
    return CliRunner(env=os.environ).invoke(main, ["sweep", *words, "-n", "60", "--seed", "1"])


def test_the_command_has_the_keys_that_programs_read() -> None:
    result = call("speed=0.9:1.1:3", "--bot", "greedy", "--format", "json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert set(found) >= {"parameters", "base", "bots", "blocks", "deals", "seed", "level", "values"}
    assert found["parameters"][0]["values"] == [0.9, 1.0, 1.1]
    assert found["base"] == {"speed": 1.0}
    record = found["values"][0]
    figures = ("win_rate", "score", "lead", "call_rate", "called", "stuck", "time_limit", "deal_seconds", "actions")
    for figure in figures:
        assert {f"{figure}_ci", f"{figure}_difference", f"{figure}_difference_ci"} <= set(record)
    assert {"speed", "deals", "win_rate", "mean_score", "mean_deal_seconds", "differs", "bots"} <= set(record)
    assert [bot["bot"] for bot in record["bots"]] == ["greedy,speed=…", "greedy"]


def test_the_command_says_it_in_80_columns() -> None:
    for words in (
        ["speed=0.9:1.1:3"],
        ["call_bonus=0:25:6"],
        ["speed=0.9:1.1:3", "oversight=0,0.1"],
        ["time_limit_us=10000000,20000000", "tempo=beginner,expert"],
        ["bot.extreme_in_gap=-5,-1,5", "second.think_per_bit=0.05,0.1", "--hands", "2", "--bot", "weighted"],
        ["call_bonus=0,10", "--bot", "careful", "--bot", "greedy", "--bot", "hasty", "--bot", "weighted"],
    ):
        result = call(*words)
        assert result.exit_code == 0, result.output
        assert max(map(len, result.stdout.splitlines())) <= 80
        assert "beyond doubt" in result.stdout
    csv = call("speed=0.9,1", "--format", "csv").stdout.splitlines()
    assert csv[0].startswith("speed,deals,win_rate,win_rate_ci_low")
    assert len(csv) == 3


@pytest.mark.parametrize("words", [["speed=1"], ["draw=1,3"], [], ["speed=1,2", "--vary", "x"], ["leads=1,2"]])
def test_wrong_use_is_one_line(words: list[str]) -> None:
    result = call(*words)
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1


@pytest.mark.slow
def test_faster_hands_win_more() -> None:
    run = nertsim.sweep("speed=0.8:1.25:10", "greedy", deals=40_000, seed=1, keep="summary")
    for figure in ("win_rate", "score", "lead", "call_rate"):
        found = [value for value, _ in run.values_of(figure)]
        assert found == sorted(found)
    assert run.summary["values"][4]["win_rate"] == 0.25
    assert [record["differs"] for record in run.summary["values"]] == [True] * 4 + [False] + [True] * 5


@pytest.mark.slow
def test_intervals_of_differences_cover() -> None:
    whole = nertsim.sweep("speed=0.9,1.1", "greedy", seats=2, deals=200_000, seed=2, base="speed=0.9")
    truth, covered = whole.differences_of("score")[1][0], 0
    differences = np.diff(rows_of(whole, "score")[:, :, 0], axis=1)[:, 0].reshape(-1, 50)
    half = differences.std(axis=1, ddof=1) / math.sqrt(50) * stats.t.ppf(0.975, 49)
    covered = (np.abs(differences.mean(axis=1) - truth) <= half).mean()
    assert 0.94 < covered < 0.96

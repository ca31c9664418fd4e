"""Tuning: what is played, what is proved, what is kept, and what a person is told."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import math
import os
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

import nertsim
from nertsim.bots.spec import parse_bot
from nertsim.cli import main
from nertsim.codes import WON_WHOLE, SeatColumn
from nertsim.dealer import Dealer
from nertsim.errors import StoreError, UsageError
from nertsim.experiments.tune import shares
from nertsim.experiments.tune.arena import Arena, block_unit, make_tables
from nertsim.experiments.tune.course import Course
from nertsim.experiments.tune.journal import JOURNAL, Journal, read_journal
from nertsim.experiments.tune.plan import TunePlan
from nertsim.experiments.tune.request import make_tune_plan
from nertsim.experiments.tune.space import make_space
from nertsim.rules import Rules
from tests.interrupts import interrupt
from tests.landscapes import Hill, make_hill
from tests.runs import manifest

PARAMETERS = ["build_waste=-10:10", "makes_gap=0:16"]
ASKED: dict[str, Any] = {
    "bot": "weighted,build_waste=-5",
    "parameters": PARAMETERS,
    "against": "greedy",
    "seats": 2,
    "seed": 7,
    "deals": 8000,
}


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Budgets of a second: steps of few blocks."""
    monkeypatch.setattr(shares, "TRIALS_A_STEP", 20)
    monkeypatch.setattr(shares, "LEAST_BLOCKS", 20)
    monkeypatch.setattr(shares, "LOOKS", 4)


def tune(**changes: Any) -> nertsim.TuneRun:
    return nertsim.tune(**(ASKED | changes))


def call(*words: str) -> Result:
    return CliRunner().invoke(main, list(words))


# The tables of a block


@given(st.integers(2, 6), st.integers(1, 5))
def test_a_bot_has_every_seat_and_meets_all_others_equally_often(seats: int, others: int) -> None:
    bot = parse_bot("weighted")
    against = [parse_bot(f"greedy,speed={1 + number / 10}") for number in range(others)]
    tables = make_tables(bot, against, Rules(seats=seats))
    assert sorted(table.seat for table in tables) == sorted(list(range(seats)) * (len(tables) // seats))
    assert all(table.bots[table.seat] is bot and len(table.bots) == seats for table in tables)
    met = [sum(one is other for table in tables for one in table.bots) for other in against]
    assert len(set(met)) == 1
    # Of every other bot, it has as often each place to its left.
    for other in against:
        places = [
            [table.bots[(table.seat + step) % seats] is other for table in tables].count(True)
            for step in range(1, seats)
        ]
        assert sum(places) == met[0]


def test_what_a_trial_comes_to_is_what_the_deals_at_its_tables_come_to() -> None:
    rules = Rules(seats=3)
    bot = parse_bot("weighted")
    tables = make_tables(bot, [parse_bot("greedy"), parse_bot("careful")], rules)
    other = parse_bot("weighted,play_waste=-3,build_waste=9")
    values = np.array([bot.vector(), other.vector()] * 20)
    numbers = np.repeat(np.arange(100, 120), 2)
    wanted = np.zeros((2, 40))
    for table in tables:
        for row, one in enumerate((bot, other)):
            seated = [one if seat == table.seat else mate for seat, mate in enumerate(table.bots)]
            rows = Dealer(rules, seated, 5).play(100, 120).seats
            scores = rows[:, :, SeatColumn.SCORE]
            ahead = scores[:, table.seat] - np.delete(scores, table.seat, axis=1).mean(axis=1)
            wanted[0, row::2] += ahead / len(tables)
            wanted[1, row::2] += rows[:, table.seat, SeatColumn.WON] / WON_WHOLE / len(tables)
    for row, metric in enumerate(("score", "win")):
        for threads in (1, 2, 20):
            with ThreadPoolExecutor(threads) as pool:
                found = Arena(rules, tables, metric, 5, pool, threads).play(values, numbers)
            np.testing.assert_allclose(found * block_unit(metric, 3, len(tables)), wanted[row], atol=1e-12)


def test_a_fault_of_a_trial_names_the_parameters_it_was_played_with(tmp_path: Path) -> None:
    file = tmp_path / "mybot.py"
    file.write_text(
        "import nertsim\n"
        'P = {"limit": nertsim.Parameter(5, 0, 9, "the decision at which it breaks the protocol")}\n'
        "@nertsim.strategy(parameters=P)\n"
        "def breaks(view, parameters, scratch, noise):\n"
        "    scratch[0] += 1\n"
        "    return 0 if scratch[0] < 5 + 20 * parameters[0] else 99999\n"
    )
    dealer = Dealer(Rules(seats=2), [parse_bot(f"{file}:breaks"), parse_bot("greedy")], 1)
    with pytest.raises(nertsim.BotFault, match=r"limit=2.*mybot\.py:breaks,limit=2") as caught:
        dealer.play_trials(0, np.array([4]), np.array([[2.0]]))
    what, _, again = str(caught.value).partition("; to see the deal: nertsim ")
    assert what.partition("deal 4, ")[2] in call(*again.replace("'", "").split()).output


# What is proved: hills in place of the engine


class HillPlayer:
    """Plays the tasks of a plan on a hill: what a bot is worth is known, and noise comes on top."""

    def __init__(self, plan: TunePlan, hill: Hill, noise: float, seed: int) -> None:
        self._plan, self._hill, self._noise = plan, hill, noise
        self._random = np.random.RandomState(seed)

    def play(self, task: Any) -> dict[str, Any]:
        names = list(self._plan.bot.strategy.parameters)
        own = [names.index(name) for name in self._plan.space.names]
        worth = self._hill.at((task.vectors[..., own] - self._plan.space.low) / self._plan.space.width)
        shape = (*worth.shape, task.blocks)
        values = np.rint((worth[..., None] + self._noise * self._random.normal(size=shape)) / self._plan.unit).astype(
            np.int64
        )
        record = {
            "stage": task.stage,
            "number": task.number,
            "bots": task.fingerprint,
            "values": values.sum(axis=2).tolist(),
        }
        if task.spread:
            record["squares"] = ((values - values[:, :1]) ** 2).sum(axis=2).tolist()
            record["between"] = (np.diff(values, axis=1, prepend=values[:, :1]) ** 2).sum(axis=2).tolist()
        return record


def hill_course(hill: Hill, seed: int, noise: float = 3.0, deals: int = 16_000, method: str = "spsa") -> Course:
    """A whole tuning on a hill."""
    axes = len(hill.start)
    names = list(parse_bot("weighted").strategy.parameters)[:axes]
    start = nertsim.Bot(
        parse_bot("weighted").strategy, values=dict(zip(names, (hill.start * 32 - 16).tolist(), strict=True))
    )
    plan = make_tune_plan(start, names, "greedy", "score", method, 0.5, deals, None, Rules(seats=2), seed)
    plan = dataclasses.replace(plan, noise=2 * noise**2)
    course, player = Course(plan), HillPlayer(plan, hill, noise, seed)
    while course.task is not None:
        course.take(player.play(course.task))
    return course


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("method", ["spsa", "cmaes"])
def test_what_is_better_is_proved_and_taken(method: str) -> None:
    hill = make_hill(4, True, 3)
    course = hill_course(hill, 1, method=method)
    assert course.verdict == "A better"
    gained = hill.at(course.estimate) - hill.at(hill.start)
    assert gained > 30
    low, high = course.validation_ci
    assert low <= gained <= high
    assert course.checks[-1].difference == pytest.approx(gained, abs=1.0)


@pytest.mark.usefixtures("small")
def test_from_the_optimum_no_improvement_is_claimed() -> None:
    claimed = 0
    for seed in range(100):
        hill = make_hill(seed, True, 3)
        claimed += hill_course(dataclasses.replace(hill, start=hill.top), seed).verdict == "A better"
    assert claimed <= 5


@pytest.mark.usefixtures("small")
def test_where_nothing_matters_both_are_equivalent_and_the_start_is_kept() -> None:
    flat = Hill(np.full(2, 0.5), np.zeros((2, 2)), np.full(2, 0.5))
    course = hill_course(flat, 1, noise=0.3, deals=40_000)
    assert course.verdict == "equivalent"
    run = nertsim.TuneRun(course.plan, course, 1.0)
    assert not run.accepted and run.best == run.start and run.bot is course.plan.bot


@pytest.mark.usefixtures("small")
def test_the_verdict_of_the_validation_stays() -> None:
    course = hill_course(make_hill(4, True, 3), 1)
    assert course.validation.blocks > 256 or course.validation_ci[1] - course.validation_ci[0] <= 1.0
    assert course.verdict == "A better"


# What is played


@pytest.fixture
def whole(small: None, tmp_path: Path) -> Iterator[tuple[nertsim.TuneRun, Path]]:
    out = tmp_path / "whole"
    yield tune(out=out), out


def test_a_tuning_says_what_the_contract_asks_for(whole: tuple[nertsim.TuneRun, Path]) -> None:
    run, _ = whole
    summary = run.summary
    assert set(summary["start"]) == set(summary["best"]) == set(parse_bot("weighted").strategy.parameters)
    assert {"verdict", "difference", "ci", "deals"} <= set(summary["validation"])
    assert summary["start"]["build_waste"] == -5.0
    assert 0.8 * 8000 <= summary["deals"] <= 8000
    assert run.course.task is None and summary["done"]
    assert [one["parameter"] for one in summary["parameters"]] == ["build_waste", "makes_gap"]
    untouched = set(summary["start"]) - {"build_waste", "makes_gap"}
    assert all(summary["start"][name] == summary["estimate"][name] for name in untouched)
    assert -10 <= summary["estimate"]["build_waste"] <= 10
    assert list(run.by_parameter.index) == ["build_waste", "makes_gap"]
    assert len(run.checks) == len(summary["checks"]) == 4


def test_the_validation_is_what_a_comparison_of_the_same_deals_says(whole: tuple[nertsim.TuneRun, Path]) -> None:
    run, _ = whole
    validation = run.summary["validation"]
    blocks, seed = validation["blocks"], validation["seed"]
    tuned = dataclasses.replace(run.plan.bot, values=run.estimate, label="tuned")
    ahead = []
    for bot in (tuned, run.plan.bot):
        sides = []
        for seat in range(2):
            bots = [bot, parse_bot("greedy")] if seat == 0 else [parse_bot("greedy"), bot]
            scores = (
                nertsim.simulate(bots, seats=2, deals=blocks, seed=seed).seats["score"].to_numpy().reshape(blocks, 2)
            )
            sides.append(scores[:, seat] - scores[:, 1 - seat])
        ahead.append(np.mean(sides, axis=0))
    assert validation["difference"] == pytest.approx((ahead[0] - ahead[1]).mean(), abs=1e-12)


def test_threads_change_nothing(small: None, whole: tuple[nertsim.TuneRun, Path], tmp_path: Path) -> None:
    _, out = whole
    tune(out=tmp_path / "one", threads=1)
    tune(out=tmp_path / "three", threads=3)
    for name in ("one", "three"):
        assert (tmp_path / name / JOURNAL).read_bytes() == (out / JOURNAL).read_bytes()


@pytest.mark.parametrize("share", [0.0, 0.3, 0.75, 0.85])
def test_a_tuning_that_was_interrupted_ends_as_in_one_go(
    share: float, whole: tuple[nertsim.TuneRun, Path], tmp_path: Path
) -> None:
    run, out = whole
    stopped = tmp_path / "stopped"

    def stop(deals: int, _: int) -> None:
        if deals >= share * run.course.deals:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tune(out=stopped, progress=stop)
    kept = nertsim.load(stopped)
    assert manifest(stopped)["state"] == "interrupted" and manifest(stopped)["played"] == kept.course.deals > 0
    assert not kept.summary["done"] and not (stopped / "bot.toml").exists()
    ended = nertsim.tune(out=stopped, resume=True)
    assert (stopped / JOURNAL).read_bytes() == (out / JOURNAL).read_bytes()
    assert ended.summary["validation"] == run.summary["validation"]
    assert manifest(stopped)["state"] == "done"
    assert (stopped / "bot.toml").exists() == (out / "bot.toml").exists() == run.accepted


def test_a_tuning_that_was_killed_goes_on_from_its_journal(whole: tuple[nertsim.TuneRun, Path], tmp_path: Path) -> None:
    _, out = whole
    lines = (out / JOURNAL).read_bytes()
    cut = tmp_path / "cut"
    with pytest.raises(KeyboardInterrupt):
        tune(out=cut, progress=lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    for length in (0, 100, len(lines) // 2, len(lines) - 1):
        (cut / JOURNAL).write_bytes(lines[:length])
        nertsim.tune(out=cut, resume=True)
        assert (cut / JOURNAL).read_bytes() == lines


def test_a_tuning_is_played_again_by_nobody(whole: tuple[nertsim.TuneRun, Path]) -> None:
    run, out = whole
    before = (out / JOURNAL).read_bytes()
    again = nertsim.tune(out=out, resume=True)
    assert (out / JOURNAL).read_bytes() == before
    assert again.summary["validation"] == run.summary["validation"]
    assert again.summary["seconds"] == pytest.approx(run.summary["seconds"])


def test_the_clock_ends_the_stages(small: None) -> None:
    run = nertsim.tune(**(ASKED | {"deals": None, "minutes": 0.02}))
    assert run.summary["done"]
    assert run.seconds < 10
    assert run.plan.deals > 0


def test_minutes_that_are_over_end_the_search_where_it_is(
    small: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "nertsim.experiments.tune.play.ENDS_BY", dict.fromkeys(["search", "profile", "validation"], -1.0)
    )
    out = tmp_path / "over"
    run = nertsim.tune(**(ASKED | {"deals": None, "minutes": 0.02, "out": out}))
    stages = [json.loads(line)["stage"] for line in (out / JOURNAL).read_text().splitlines()]
    assert stages == ["search", "time", "check", "time", "validation", "time"]
    assert run.course.steps == 1
    assert math.isnan(run.summary["parameters"][0]["cost"])
    assert nertsim.load(out).summary["done"]


# What is written


def test_a_better_bot_is_written_with_its_provenance_and_can_be_played(small: None, tmp_path: Path) -> None:
    file = tmp_path / "better.toml"
    awful = "weighted,play_nerts=-9,play_waste=-9"
    run = tune(bot=awful, parameters=["play_nerts=-10:10", "play_waste=-10:10"], toml=file, name="mine", deals=12_000)
    assert run.accepted and run.summary["validation"]["verdict"] == "A better"
    bot = parse_bot(f"{file}:mine")
    assert dict(zip(bot.strategy.parameters, bot.vector(), strict=True)) == run.best == run.estimate
    provenance = tomllib.loads(file.read_text())["mine"]["provenance"]
    assert provenance["seed"] == 7 and provenance["against"] == ["greedy"]
    assert provenance["difference_ci"][0] > 0
    assert provenance["command"].startswith("nertsim tune weighted,play_nerts=-9")
    assert nertsim.simulate(f"{file}:mine", seats=2, deals=10, seed=1).summary["deals"] == 10


@pytest.mark.usefixtures("small")
def test_the_command_in_the_provenance_tunes_the_same(tmp_path: Path) -> None:
    file = tmp_path / "one.toml"
    tune(
        bot="weighted,play_nerts=-9,play_waste=-9",
        parameters=["play_nerts=-10:10", "play_waste=-10:10"],
        toml=file,
        deals=12_000,
    )
    command = tomllib.loads(file.read_text())["tuned"]["provenance"]["command"]
    result = call(*command.split()[1:], "--toml", str(tmp_path / "two.toml"))
    assert result.exit_code == 0, result.output
    assert (tmp_path / "two.toml").read_text() == file.read_text()


def test_without_proof_nothing_is_written(small: None, tmp_path: Path) -> None:
    # Against bots as slow as these nothing that is tuned here matters.
    run = tune(
        bot="weighted", parameters=["call_nerts=15:25", "hurries=0:2"], toml=tmp_path / "no.toml", out=tmp_path / "out"
    )
    assert not run.accepted
    assert not (tmp_path / "no.toml").exists() and not (tmp_path / "out" / "bot.toml").exists()


# The journal

RECORDS = st.lists(st.fixed_dictionaries({"stage": st.text(), "values": st.lists(st.integers())}), max_size=5)


@given(RECORDS)
def test_a_journal_is_read_as_it_was_written(
    tmp_path_factory: pytest.TempPathFactory, records: list[dict[str, Any]]
) -> None:
    folder = tmp_path_factory.mktemp("journal")
    for record in records:
        journal = Journal(folder)
        journal.add(record)
        journal.close()
    assert read_journal(folder / JOURNAL)[0] == records


@settings(max_examples=200)
@given(RECORDS, st.data())
def test_a_journal_that_was_changed_is_noticed_or_only_cut(
    tmp_path_factory: pytest.TempPathFactory, records: list[dict[str, Any]], data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("journal")
    journal = Journal(folder)
    for record in records:
        journal.add(record)
    journal.close()
    file = folder / JOURNAL
    whole = file.read_bytes()
    if not whole:
        return
    place = data.draw(st.integers(0, len(whole) - 1))
    if data.draw(st.booleans()):
        file.write_bytes(whole[:place])
    else:
        file.write_bytes(whole[:place] + bytes([whole[place] ^ data.draw(st.integers(1, 255))]) + whole[place + 1 :])
    try:
        found, _ = read_journal(file)
    except StoreError as error:
        assert "line" in str(error)
        return
    assert found == records[: len(found)]


def test_a_full_disk_ends_it_with_one_line_and_what_is_kept_stays(
    whole: tuple[nertsim.TuneRun, Path], tmp_path: Path
) -> None:
    _, out = whole
    journal = Journal(out)
    before = (out / JOURNAL).read_bytes()
    descriptor = os.open("/dev/full", os.O_WRONLY)
    os.dup2(descriptor, journal._file.fileno())
    with pytest.raises(StoreError, match=r"cannot write .*journal\.jsonl: No space left"):
        journal.add({"stage": "search"})
    assert (out / JOURNAL).read_bytes() == before
    with contextlib.suppress(OSError):
        journal._file.close()
    os.close(descriptor)


def test_a_journal_of_another_tuning_is_refused(whole: tuple[nertsim.TuneRun, Path], tmp_path: Path) -> None:
    _, out = whole
    other = tmp_path / "other"
    tune(out=other, seed=8)
    (other / JOURNAL).write_bytes((out / JOURNAL).read_bytes())
    with pytest.raises(StoreError, match=r"journal\.jsonl, line \d does not belong to this tuning: other bots"):
        nertsim.load(other)
    result = call("tune", "--resume", "-o", str(other))
    assert result.exit_code == 1 and "does not belong to this tuning" in result.output
    assert "Traceback" not in result.output


# What is asked for

BAD: dict[str, tuple[dict[str, Any], str]] = {
    "no bot": ({"bot": None}, "a bot is tuned: name it"),
    "no parameters": ({"bot": "greedy", "parameters": None}, "the bot greedy has no parameters to tune"),
    "unknown": ({"parameters": ["biuld_waste"]}, "did you mean 'build_waste'"),
    "twice": ({"parameters": ["build_waste", "build_waste"]}, "build_waste is given twice"),
    "range": ({"parameters": ["build_waste=3"]}, "must be LOW:HIGH"),
    "turned": ({"parameters": ["build_waste=3:1"]}, "can be tuned within -16:16, not 3:1"),
    "too far": ({"parameters": ["build_waste=0:1000"]}, "can be tuned within -16:16, not 0:1000"),
    "nan": ({"parameters": ["build_waste=nan:3"]}, "can be tuned within -16:16, not nan:3"),
    "start outside": ({"parameters": ["build_waste=0:5"]}, "build_waste starts at -5, which is not within 0:5"),
    "one seat": ({"seats": 1}, "at least two seats"),
    "metric": ({"metric": "points"}, "no metric called 'points'"),
    "method": ({"method": "tpe"}, "no method called 'tpe'"),
    "goal": ({"goal": 0.0}, "the goal must be a number above 0"),
    "budget": ({"deals": 100}, "is too small here"),
    "both": ({"minutes": 1.0}, "give one of them"),
    "minutes": ({"deals": None, "minutes": -1.0}, "minutes must be above 0"),
    "file": ({"toml": "bot.txt"}, r"must end in \.toml"),
    "no folder": ({"toml": "nowhere/bot.toml"}, "its folder does not exist"),
    "name": ({"name": "a,b"}, "cannot be the name of a bot"),
    "nobody": ({"against": []}, "against whom"),
    "many": ({"against": [f"greedy,speed={1 + one / 1000}" for one in range(300)], "seats": 4}, "too many tables"),
}


@pytest.mark.parametrize(("changes", "words"), BAD.values(), ids=BAD)
def test_a_wrong_request_is_one_line(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words) as caught:
        nertsim.tune(**(ASKED | changes))
    assert "\n" not in str(caught.value)


def test_a_file_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    file = tmp_path / "bot.toml"
    file.write_text("mine\n")
    with pytest.raises(UsageError, match="exists; give a new file"):
        tune(toml=file)
    assert file.read_text() == "mine\n"


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--seed", "8"], "its seed is 7, not 8"),
        (["--metric", "win"], "its metric is 'score', not 'win'"),
        (["-n", "9000"], "was to have 8,000 deals, not 9,000"),
        (["--seats", "3"], "its rule seats is 2, not 3"),
        (["--method", "cmaes"], "its method is 'spsa'"),
    ],
)
def test_another_tuning_is_not_gone_on_with(whole: tuple[nertsim.TuneRun, Path], words: list[str], told: str) -> None:
    _, out = whole
    result = call("tune", "--resume", "-o", str(out), *words)
    assert result.exit_code == 2 and told in result.output, result.output


@pytest.mark.usefixtures("small")
def test_a_bot_of_a_file_is_tuned_whole_numbers_and_switches_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mybot.py").write_text(
        "import nertsim\n"
        "from nertsim.bots.view import DRAW, action, action_count, action_kind, wait\n"
        "PARAMETERS = {\n"
        '    "lazy": nertsim.Parameter(1, 0, 1, "waits before it does anything", whole=True),\n'
        '    "pause": nertsim.Parameter(6, 0, 9, "how long, in seconds", whole=True),\n'
        "}\n"
        "@nertsim.strategy(parameters=PARAMETERS, watches=False)\n"
        "def idle(view, parameters, scratch, noise):\n"
        '    """Takes the first action, or idles."""\n'
        "    if action_count(view) == 0 or (parameters[0] > 0.5 and scratch[0] == 0 and parameters[1] > 0):\n"
        "        scratch[0] = 1\n"
        "        return wait(1_000_000 * (1 + int(parameters[1])))\n"
        "    scratch[0] = 0\n"
        "    return 0\n"
    )
    monkeypatch.chdir(tmp_path)
    words = ["tune", "mybot.py:idle", "--against", "greedy", "--seats", "2", "-n", "12k", "--seed", "1", "-o", "out"]
    result = call(*words, "--format", "json")
    assert result.exit_code == 0, result.output
    summary = json.loads(result.stdout)
    assert summary["validation"]["verdict"] == "A better"
    assert all(value.is_integer() for value in summary["best"].values())
    assert summary["best"]["lazy"] == 0 or summary["best"]["pause"] == 0
    played = call("simulate", "--bot", "out/bot.toml:tuned", "-n", "10", "--seats", "1", "--seed", "1")
    assert played.exit_code == 0, played.output
    again = nertsim.load("out")
    assert again.bot.vector() == list(summary["best"].values())
    # A file that has changed since is not played on with.
    text = Path("mybot.py").read_text()
    lines = Path("out", JOURNAL).read_text().splitlines(keepends=True)
    Path("out", JOURNAL).write_text("".join(lines[:30]))
    Path("mybot.py").write_text(text.replace("1_000_000", "1_000_001"))
    result = call("tune", "--resume", "-o", "out")
    assert result.exit_code != 0 and "has changed since the run" in result.output
    Path("mybot.py").write_text(text)
    assert call("tune", "--resume", "-o", "out").exit_code == 0
    assert Path("out", JOURNAL).read_text() == "".join(lines)


def test_a_whole_number_takes_no_other() -> None:
    with pytest.raises(nertsim.BotError, match="must be whole"):
        nertsim.Parameter(0.5, 0, 1, "a switch", whole=True)
    bot = nertsim.Strategy(
        "switching", lambda view, parameters, scratch, noise: 0, "", {"on": nertsim.Parameter(0, 0, 1, "", True)}
    )
    with pytest.raises(nertsim.BotError, match=r"on must be a whole number, not 0\.5"):
        nertsim.Bot(bot, values={"on": 0.5})
    with pytest.raises(UsageError, match=r"on is a whole number; its range cannot be 0:0\.5"):
        make_space(nertsim.Bot(bot), ["on=0:0.5"])
    fixed = nertsim.Strategy(
        "fixed", lambda view, parameters, scratch, noise: 0, "", {"on": nertsim.Parameter(1, 1, 1, "")}
    )
    with pytest.raises(UsageError, match="on is always 1:1"):
        make_space(nertsim.Bot(fixed), None)


# On the command line


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("form", ["table", "csv", "json"])
def test_the_command_prints_what_the_function_says(form: str, whole: tuple[nertsim.TuneRun, Path]) -> None:
    run, _ = whole
    words = ["tune", ASKED["bot"], "--against", "greedy", "--seats", "2", "--seed", "7", "-n", "8k", "--format", form]
    for parameter in PARAMETERS:
        words += ["--param", parameter]
    result = call(*words)
    assert result.exit_code == 0, result.output
    if form == "json":
        found = json.loads(result.stdout)
        for name in ("start", "best", "validation", "deals"):
            assert found[name] == json.loads(json.dumps(run.summary[name]))
    elif form == "csv":
        rows = result.stdout.splitlines()
        assert rows[0].startswith("parameter,start,estimate,optimum_ci_low,optimum_ci_high,step,cost")
        assert len(rows) == 3
    else:
        assert max(map(len, result.stdout.splitlines())) <= 80
        assert f"{run.estimate['build_waste']:g}" in result.stdout
    assert "ahead of the start by" in result.stderr and "seed 7" in result.stderr


def test_an_interrupt_says_how_to_go_on(tmp_path: Path) -> None:
    out = tmp_path / "out"
    words = [
        "tune",
        "weighted",
        "--param",
        "build_waste",
        "--against",
        "greedy",
        "-n",
        "50M",
        "--seed",
        "1",
        "-o",
        str(out),
    ]
    ended = interrupt(words, when=lambda: (out / JOURNAL).exists() and len(read_journal(out / JOURNAL)[0]) > 2)
    assert ended.returncode == 130
    assert f"to go on: nertsim tune --resume -o {out}" in ended.stderr
    assert "Traceback" not in ended.stderr
    kept = nertsim.load(out).course.deals
    assert f"{kept:,} deals are kept in {out}" in ended.stderr and kept > 0
    assert ended.seconds < 5


def test_the_default_field_is_the_start_and_the_champion() -> None:
    plan = make_tune_plan("weighted", None, None, None, None, None, None, None, Rules(seats=2), 1)
    assert [bot.label for bot in plan.against] == ["weighted", "champion"]
    # Each once: the champion has itself for a rival.
    plan = make_tune_plan("champion", None, None, None, None, None, None, None, Rules(), 1)
    assert [bot.label for bot in plan.against] == ["champion"]


@pytest.mark.slow
def test_tuning_from_nothing_finds_how_to_play() -> None:
    nothing = nertsim.Bot(
        parse_bot("weighted").strategy, values=dict.fromkeys(parse_bot("weighted").strategy.parameters, 0.0)
    )
    run = nertsim.tune(nothing, against="greedy", deals=2_600_000, seed=1)
    assert run.accepted
    assert run.summary["validation"]["ci"][0] > 3.0
    assert not math.isnan(run.summary["parameters"][0]["cost"])

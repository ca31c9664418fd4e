"""The command line: what it prints where, and its exit codes."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

import nertsim
from nertsim.cli import COMMANDS, main
from nertsim.cli.options import LARGEST, parse_count, parse_deals

from .interrupts import interrupt

NERTSIM = [sys.executable, "-m", "nertsim"]


def call(*words: str) -> Result:
    return CliRunner().invoke(main, list(words))


def ok(*words: str) -> Result:
    result = call(*words)
    assert result.exit_code == 0, result.output
    return result


# Help


def test_nertsim_alone_says_what_to_try_first() -> None:
    result = ok()
    assert "nertsim simulate --bot greedy" in result.stdout


def test_help_lists_every_command_with_a_sentence() -> None:
    text = ok("--help").stdout
    for name in COMMANDS:
        line = next(line for line in text.splitlines() if line.strip().startswith(name))
        assert len(line.split()) > 3
        assert "..." not in line
    assert ok("-h").stdout == text


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_helps_with_an_example(name: str) -> None:
    text = ok(name, "--help").stdout
    assert f"nertsim {name}" in text.split("Options:")[0].split("Usage:")[1].split("\n", 1)[1]
    assert text == ok(name, "-h").stdout
    assert all(len(line) <= 80 for line in text.splitlines())
    assert "--debug" in text


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_has_a_help_text(name: str) -> None:
    command = main.get_command(None, name)  # type: ignore[arg-type]
    assert command is not None
    for parameter in command.params:
        assert parameter.param_type_name == "argument" or getattr(parameter, "help", None), parameter.name


def test_the_version_is_told() -> None:
    assert ok("--version").stdout == f"nertsim {nertsim.__version__}\n"


def test_help_comes_at_once() -> None:
    seconds = []
    for _ in range(3):
        start = time.perf_counter()
        subprocess.run([*NERTSIM, "--help"], check=True, capture_output=True)
        seconds.append(time.perf_counter() - start)
    assert min(seconds) < 0.3


# Numbers


@pytest.mark.parametrize(
    ("text", "number"),
    [("1", 1), ("1e6", 10**6), ("2_000_000", 2 * 10**6), ("1M", 10**6), ("100k", 10**5), ("2.5M", 2_500_000)]
    + [("1.5e3", 1500), ("1E2", 100), (" 7 ", 7), ("1G", 10**9), ("1e12", 10**12), ("0.5k", 500)],
)
def test_counts_are_read(text: str, number: int) -> None:
    assert parse_count(text) == number


@pytest.mark.parametrize(
    "text",
    ["", "abc", "0", "-1", "1.5", "1e-1", "1e13", "1e999", "inf", "nan", "1,000", "0x10", "1kk", "٣", "_1", "+5"],
)
def test_other_counts_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a whole number from 1 to"):
        parse_count(text)


@given(st.integers(1, LARGEST), st.sampled_from(["{}", "{:_}", "{}e0", "{}.0", "{}.000e0"]))
def test_every_whole_number_is_read_as_itself(number: int, form: str) -> None:
    assert parse_count(form.format(number)) == number


@given(st.integers(1, 999), st.sampled_from([("k", 3), ("M", 6), ("m", 6), ("e5", 5), ("G", 9)]))
def test_suffixes_multiply(number: int, suffix: tuple[str, int]) -> None:
    assert parse_count(f"{number}{suffix[0]}") == number * 10 ** suffix[1]


@given(st.text(max_size=12))
def test_any_text_is_a_number_or_a_value_error(text: str) -> None:
    for parse in (parse_count, parse_deals):
        try:
            parse(text)
        except ValueError as error:
            assert "is n" in str(error)


@pytest.mark.parametrize(("text", "deals"), [("42", (42, 43)), ("0:200", (0, 200)), ("1_000:1_001", (1000, 1001))])
def test_deals_are_read(text: str, deals: tuple[int, int]) -> None:
    assert parse_deals(text) == deals


@pytest.mark.parametrize("text", ["", ":", "5:", ":5", "5:5", "6:5", "a:b", "-1", "1:2:3", "_", "1e3"])
def test_other_deals_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="neither the number of a deal"):
        parse_deals(text)


# simulate


def test_the_table_fits_80_columns_and_notes_go_to_stderr() -> None:
    bots = ["--bot", "careful,tempo=expert,oversight=0.05", "--bot", "greedy", "--bot", "greedy", "--bot", "random"]
    result = ok("simulate", *bots, "-n", "200", "--seed", "1")
    assert all(len(line) <= 80 for line in result.stdout.splitlines())
    for words in ("score", "win %", "calls %", "foundation", "200 deals", "A deal lasts", "The caller scores"):
        assert words in result.stdout
    assert result.stdout.count("random") == 2  # by seat, and by bot
    assert "seed 1" in result.stderr
    assert "deals/s" in result.stderr
    assert "deals/s" not in result.stdout


def test_one_bot_gives_one_table() -> None:
    assert ok("simulate", "-n", "50", "--seed", "1").stdout.count("score  ") == 1


def test_the_same_seed_prints_the_same_table() -> None:
    words = ("simulate", "-n", "100", "--seed", "9", "--seats", "3")
    assert ok(*words).stdout == ok(*words, "--threads", "1").stdout


def test_json_has_the_keys_that_programs_read() -> None:
    found = json.loads(ok("simulate", "-n", "1e2", "--seed", "1", "--seats", "2", "--format", "json").stdout)
    assert (found["deals"], found["seed"]) == (100, 1)
    for key in ("seconds", "deals_per_second", "mean_deal_seconds", "actions_per_deal"):
        assert found[key] > 0
    assert set(found["ended"]) == {"called", "stuck", "time_limit"}
    for record in found["seats"]:
        assert record["score_ci"][0] < record["mean_score"] < record["score_ci"][1]
        assert record["win_rate_ci"][0] <= record["win_rate"] <= record["win_rate_ci"][1]
        assert 0 <= record["call_rate"] <= 1


def test_json_of_one_deal_is_json() -> None:
    found = json.loads(ok("simulate", "-n", "1", "--format", "json").stdout)
    assert found["seats"][0]["score_ci"] == [None, None]


def test_csv_has_a_row_a_seat() -> None:
    rows = list(csv.DictReader(io.StringIO(ok("simulate", "-n", "100", "--seats", "3", "--format", "csv").stdout)))
    assert [row["seat"] for row in rows] == ["0", "1", "2"]
    assert {"bot", "mean_score", "score_ci_low", "score_ci_high", "win_rate"} <= rows[0].keys()


def test_rules_come_from_preset_file_and_options(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(ok("rules", "standard").stdout.replace("penalty = 2", "penalty = 1"))
    out = tmp_path / "run"
    ok("simulate", "--rules", str(file), "--seats", "2", "--set", "draw=1", "-n", "20", "-o", str(out))
    rules = nertsim.load(out).rules
    assert (rules.penalty, rules.seats, rules.draw) == (1, 2, 1)


def test_a_folder_keeps_the_rows(tmp_path: Path) -> None:
    result = ok("simulate", "-n", "50", "--seed", "4", "-o", str(tmp_path / "run"))
    assert f"kept rows a seat and a deal in {tmp_path / 'run'}" in result.stderr
    assert len(nertsim.load(tmp_path / "run").seats) == 200
    again = call("simulate", "-n", "50", "-o", str(tmp_path / "run"))
    assert again.exit_code == 2
    assert "exists and is not empty" in again.stderr


def test_keep_without_a_folder_is_wrong_use() -> None:
    result = call("simulate", "-n", "50", "--keep", "seats")
    assert result.exit_code == 2
    assert "-o DIR" in result.stderr


def test_a_drawn_seed_is_told_and_gives_the_run_again() -> None:
    first = ok("simulate", "-n", "50")
    seed = first.stderr.split("seed ")[1].split()[0]
    assert "(drawn)" in first.stderr
    assert ok("simulate", "-n", "50", "--seed", seed).stdout == first.stdout


# The presets


@pytest.mark.parametrize(("command", "name"), [("bots", "greedy"), ("rules", "standard"), ("tempos", "expert")])
def test_presets_are_listed_and_shown(command: str, name: str) -> None:
    assert name in ok(command).stdout
    presets = json.loads(ok(command, "--format", "json").stdout)["presets"]
    assert name in [preset["name"] for preset in presets]
    assert all(preset["description"] for preset in presets)
    rows = list(csv.DictReader(io.StringIO(ok(command, "--format", "csv").stdout)))
    assert [row["name"] for row in rows] == [preset["name"] for preset in presets]
    assert tomllib.loads(ok(command, name).stdout)
    shown = json.loads(ok(command, name, "--format", "json").stdout)
    assert shown == next(preset for preset in presets if preset["name"] == name)
    row = list(csv.DictReader(io.StringIO(ok(command, name, "--format", "csv").stdout)))
    assert row == [one for one in rows if one["name"] == name]
    wrong = call(command, name[:-1])
    assert wrong.exit_code == 2
    assert f"did you mean '{name}'?" in wrong.stderr


def test_a_tempo_can_be_edited_and_given_back(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(ok("tempos", "expert").stdout)
    ok("simulate", "-n", "20", "--bot", f"greedy,tempo={file},speed=1.1")
    assert tomllib.loads(ok("tempos", str(file)).stdout) == tomllib.loads(file.read_text())


# replay


def test_a_deal_is_replayed_as_text() -> None:
    text = ok("replay", "--bot", "greedy", "--seats", "2", "--seed", "1", "--deal", "3").stdout
    assert len(text.splitlines()) > 20


def test_a_range_of_deals_goes_into_one_trace(tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl"
    words = ("replay", "--bot", "greedy", "--seats", "2", "--seed", "1", "--deal", "2:5")
    ok(*words, "--jsonl", str(file))
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert [line["deal"] for line in lines if line["type"] == "deal"] == [2, 3, 4]
    assert [line["type"] for line in lines].count("score") == 3
    assert ok(*words, "--jsonl", "-").stdout == file.read_text()


def test_a_trace_ends_as_the_batch_says(tmp_path: Path) -> None:
    rows = nertsim.simulate("greedy", seats=2, deals=5, seed=1).deals
    trace = ok("replay", "--seats", "2", "--seed", "1", "--deal", "0:5", "--jsonl", "-").stdout
    scores = [json.loads(line) for line in trace.splitlines() if '"type":"score"' in line.replace(" ", "")]
    assert [score["ended"] for score in scores] == rows["ended"].tolist()
    assert [score["t"] for score in scores] == rows["duration_us"].tolist()


def test_warmup_says_that_it_is_ready() -> None:
    assert "ready after" in ok("warmup").stdout


# Signals and pipes, in processes of their own


def test_a_closed_pipe_is_quiet() -> None:
    nertsim.simulate("greedy", deals=1)  # compiled before, so that nothing is told about it below
    words = " ".join(NERTSIM)
    done = subprocess.run(
        ["bash", "-c", f"{words} replay --seed 1 --seats 12 --deal 0:40 --jsonl - | head -1"],
        capture_output=True,
        text=True,
    )
    assert done.stdout.count("\n") == 1
    assert done.stderr == ""


@pytest.mark.parametrize("folder", [False, True])
def test_ctrl_c_stops_at_once_and_says_how_to_run_again(tmp_path: Path, folder: bool) -> None:
    nertsim.simulate("greedy", deals=10)  # compiled before, so that the process below plays soon
    words = ["simulate", "-n", "1e9", "--bot", "greedy", "--keep", "summary"]
    words += ["-o", str(tmp_path / "a run")] if folder else []
    done = interrupt(words)
    assert done.seconds < 2
    assert done.returncode == 130
    assert done.stdout == ""
    stderr = done.stderr
    assert "Traceback" not in stderr
    assert "of 1,000,000,000 deals" in stderr
    if folder:
        assert " deals are kept in " in stderr
        assert stderr.rstrip().endswith(f"to go on: nertsim simulate --resume -o '{tmp_path / 'a run'}'")
    else:
        assert "to run it again: nertsim simulate -n 1e9" in stderr
        assert "--seed " in stderr

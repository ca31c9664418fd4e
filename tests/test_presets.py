"""The named rules: valid, told with a source, read back from their own TOML, played alike by engine and reference."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import nertsim
from nertsim.bots.spec import seat_bots
from nertsim.cli import main
from nertsim.presets import PRESETS, load_rules
from nertsim.rules import CALLING, FOUNDATIONS, GAPS, MID_AIR, ROLES, ROTATION, RUNS, TIE, Rules, parse_option

from .agreement import Table, check_deals

NAMES = list(PRESETS)


def call(*words: str) -> Result:
    return CliRunner().invoke(main, list(words))


def ok(*words: str) -> Result:
    result = call(*words)
    assert result.exit_code == 0, result.output
    return result


def header(*words: str) -> dict[str, object]:
    """The rules in the first line of a trace."""
    result = ok("replay", "--seed", "1", "--jsonl", "-", *words)
    return json.loads(result.stdout.splitlines()[0])["rules"]


def test_standard_is_what_is_played_where_nothing_is_said() -> None:
    assert NAMES[0] == "standard"
    assert PRESETS["standard"].rules == Rules()


@pytest.mark.parametrize("name", NAMES)
def test_a_preset_says_who_plays_it_and_where_that_stands(name: str) -> None:
    preset = PRESETS[name]
    assert preset.name == name
    assert preset.description.endswith(".") and preset.source.endswith(".")
    assert bool(preset.differences()) is (name != "standard")


@pytest.mark.parametrize("name", NAMES)
def test_a_preset_is_read_back_from_the_toml_that_is_shown(name: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(ok("rules", name).stdout, encoding="utf-8")
    assert load_rules(str(file)) == PRESETS[name].rules
    edited = file.read_text(encoding="utf-8").replace("penalty = ", "penalty = 1")
    file.write_text(edited, encoding="utf-8")
    assert load_rules(str(file)) == PRESETS[name].rules.replace(penalty=10 + PRESETS[name].rules.penalty)


@pytest.mark.parametrize("name", NAMES)
def test_a_preset_is_played_alike_by_engine_reference_and_referee(name: str) -> None:
    rules = PRESETS[name].rules.replace(time_limit_us=300_000_000)
    names = ["greedy", "careful", "hasty", "greedy"][: rules.seats]
    check_deals(Table(rules, seat_bots(names, rules.seats), 5), first=100, deals=3)


def test_the_presets_differ_from_each_other() -> None:
    assert len({preset.rules for preset in PRESETS.values()}) == len(PRESETS)


def test_the_list_fits_80_columns_and_names_what_differs() -> None:
    text = ok("rules").stdout
    assert all(len(line) <= 80 for line in text.splitlines())
    assert all(name in text for name in NAMES)
    assert "call_bonus 10" in text


@pytest.mark.parametrize("name", NAMES)
def test_the_toml_of_a_preset_begins_with_who_plays_it_and_the_source(name: str) -> None:
    comments = [line for line in ok("rules", name).stdout.splitlines() if line.startswith("# ")]
    text = " ".join(line[2:] for line in comments)
    assert text.startswith(f"{name}: {PRESETS[name].description} Source: {PRESETS[name].source}")


def test_presets_are_taken_by_the_python_interface() -> None:
    run = nertsim.simulate("greedy", rules="racing-demon", deals=20, seed=1)
    assert run.plan.rules == PRESETS["racing-demon"].rules


# Handicaps and hands, from the command line


@pytest.mark.parametrize(
    ("words", "nerts", "hands"),
    [
        (("--set", "nerts=[13,10,13,13]"), [13, 10, 13, 13], [1, 1, 1, 1]),
        (("--set", "hands=[2,1,2,1]"), [13, 13, 13, 13], [2, 1, 2, 1]),
        (("--hands", "2,1,2,1"), [13, 13, 13, 13], [2, 1, 2, 1]),
        (("--hands", "2", "--seats", "3", "--set", "nerts=[9, 13, 21]"), [9, 13, 21], [2, 2, 2]),
        (("--rules", "partnership", "--hands", "1"), [13, 13, 13], [1, 1, 1]),
        (("--rules", "partnership", "--seats", "2"), [13, 13], [2, 2]),
    ],
)
def test_handicaps_and_hands_are_given_on_the_command_line(
    words: tuple[str, ...], nerts: list[int], hands: list[int]
) -> None:
    rules = header(*words)
    assert (rules["nerts"], rules["hands"]) == (nerts, hands)


def test_every_choice_of_an_option_is_taken_as_a_bare_word() -> None:
    for name, choices in (
        ("roles", ROLES),
        ("calling", CALLING),
        ("mid_air", MID_AIR),
        ("tie", TIE),
        ("gaps", GAPS),
        ("runs", RUNS),
        ("rotation", ROTATION),
        ("foundations", FOUNDATIONS),
    ):
        for choice in choices:
            assert parse_option(f"{name}={choice}") == (name, choice)
            assert header("--set", f"{name}={choice}", "--seats", "1")[name] == choice
    assert parse_option("match_deals=none") == parse_option("match_deals=null") == ("match_deals", None)


def test_a_handicap_costs_and_a_second_hand_helps() -> None:
    scores = {}
    for words in ((), ("--set", "nerts=[21,13,13,13]"), ("--hands", "2,1,1,1")):
        result = ok("simulate", "--seed", "1", "-n", "300", "--format", "json", *words)
        seats = json.loads(result.stdout)["seats"]
        scores[words] = seats[0]["mean_score"] - sum(seat["mean_score"] for seat in seats[1:]) / 3
    plain, handicap, helped = scores.values()
    assert handicap < plain - 5 < plain + 2 < helped


def test_handicaps_that_do_not_fit_the_table_are_refused() -> None:
    for words, reason in (
        (("--set", "nerts=[13,10]"), "nerts has 2 values, but there are 4 seats"),
        (("--hands", "2,1"), "hands has 2 values, but there are 4 seats"),
        (("--set", "nerts=13,10,13,13"), "nerts must be one whole number, or one for each seat as [40, 1]"),
        (("--hands", "2", "--set", "hands=1"), "hands is given twice"),
    ):
        result = call("simulate", *words)
        assert result.exit_code == 2
        assert reason in result.stderr

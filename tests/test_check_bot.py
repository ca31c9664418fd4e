"""``check-bot``: what keeps the protocol passes, and what breaks it fails at the right step with the right words."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import nertsim
from nertsim.bots.builtin_names import BUILTIN
from nertsim.check import NAMES, Step, conduct
from nertsim.check.children import Child
from nertsim.check.compiled import Job, messages
from nertsim.check.sittings import SITTINGS
from nertsim.cli import main

from .bot_texts import ROOT, write_bot

BROKEN = Path(__file__).parent / "broken_bots"
EXAMPLE = ROOT / "nertsim" / "bots" / "example.py"
HEAD = """\
import numpy as np
import nertsim
from nertsim.bots.view import *

POINTS = {1: 2.0}
LIST = [1, 2]
COUNTS = np.zeros(3)
count = 0

def last(view):
    return action_count(view) - 1

@nertsim.helper
def top(view):
    return unheard_of(view)

@nertsim.strategy
def clever(view, parameters, scratch, noise):
    some = action_count(view)
"""
"""The body of a bot follows: its first line is line 20."""
TAKE = "    return np.int64({}) % some if some > 0 else wait(300_000)\n"
HIDDEN_CARD = "view.table[1633 + 12 * 72 + my_seat(view) * 64 + 3]"
"""A nerts card that nobody has seen, where the engine keeps it; a compiled bot can read it."""


def bot(folder: Path, body: str, name: str = "bot.py", head: str = HEAD) -> str:
    return str(write_bot(folder / name, head + body))


def outcome(spec: str, deals: int = 30) -> tuple[int, str]:
    """The step that fails in the compiled engine, and what is said; (0, "") where none does."""
    for message in messages(Job(spec, deals, 1, None, 1.0)):
        if message["kind"] == "step" and message["passed"] is False:
            return message["number"], message["text"]
    return 0, ""


# What the compiler and the compiled engine tell


@pytest.mark.parametrize(
    ("name", "number", "words"),
    [
        ("syntax_error", 1, "line 7: expected ':'"),
        ("wrong_arguments", 3, "must take exactly (view, parameters, scratch, noise)"),
        ("plain_helper", 2, "line 14: last is a plain Python function: put @nertsim.helper above it"),
        ("returns_float", 3, "returns a float: it must return an integer"),
        ("writes_to_view", 2, "line 9: it writes to the view or the parameters, which are read only"),
        ("raises", 4, "the bot raised ValueError: no more patience; to see the deal: nertsim replay"),
        ("out_of_range", 4, "legal actions: 0 to "),
        ("waits_zero", 4, "the shortest wait is 1000 µs; to see the deal: nertsim replay"),
    ],
)
def test_a_broken_bot_fails_at_its_step(name: str, number: int, words: str) -> None:
    failed, text = outcome(str(BROKEN / f"{name}.py"))
    assert failed == number
    assert words in text
    assert "\n" not in text
    if number == 4:
        assert text.startswith("four seats, two of them greedy: seat 0 (")
        assert ", deal 0, " in text


@pytest.mark.parametrize(
    ("body", "number", "words"),
    [
        ("    return nothing(view)\n", 2, "line 20: name 'nothing' is not defined"),
        ("    return top(view)\n", 2, "line 15: name 'unheard_of' is not defined"),
        ("    return last(view)\n", 2, "line 20: last is a plain Python function: put @nertsim.helper above it"),
        ("    return POINTS[1]\n", 2, "line 20: POINTS is of the type dict: a bot can use numbers, tuples"),
        ("    return LIST[0]\n", 2, "line 20: LIST is a list or the like"),
        ("    COUNTS[0] += 1\n    return 0\n", 2, "line 20: it writes to an array outside of it"),
        ("    global count\n    count += 1\n    return 0\n", 2, "line 21: it changes a global variable; what it wants"),
        ("    parameters[0] = 1.0\n    return 0\n", 2, "line 20: it writes to the view or the parameters"),
        ("    view.table = 1\n    return 0\n", 2, "it assigns to view.table, which is read only"),
        ("    return max(action(view, i) for i in range(some))\n", 2, "line 20: a generator, as in sum("),
        ("    return view.actions[0]\n", 2, "line 20: the view has no 'actions'"),
        ("    return len(view.facts)\n", 2, "line 20: the view has no slices, lengths or keys"),
        ("    return nerts_top(view)\n", 2, "missing a required argument: 'seat'"),
        ("    return some + 'x'\n", 2, "line 20: add cannot be done with an integer and a text"),
        ("    best = []\n    return len(best)\n", 2, "best is an empty list"),
        ("    if some > 0:\n        return 0\n    return 'x'\n", 2, "it returns an integer here and a text there"),
        ("    if some > 0:\n        return 0\n", 3, "returns nothing (None) on some path: it must return an integer"),
        ("    return 'draw'\n", 3, "returns a text: it must return an integer"),
        ("    return some > 0\n", 3, "returns True or False: it must return an integer"),
        ("    yield some\n", 3, "returns a generator (it has a yield)"),
    ],
)
def test_what_does_not_compile_is_one_line_with_its_place(tmp_path: Path, body: str, number: int, words: str) -> None:
    failed, text = outcome(bot(tmp_path, body))
    assert failed == number, text
    assert words in text
    assert "\n" not in text


@pytest.mark.parametrize(
    ("text", "number", "words"),
    [
        ("1 / 0\n", 1, "cannot be loaded, line 1: ZeroDivisionError: division by zero"),
        ("import nertsimm\n", 1, "line 1: ModuleNotFoundError: No module named 'nertsimm'"),
        ("raise SystemExit(0)\n", 1, "line 1: SystemExit"),
        ("x = 1\n", 1, "has no strategy: put @nertsim.strategy above a function"),
        ("p{i}", 3, "clever has 65 parameters; 64 are the most"),
        ("speed", 3, "a parameter cannot be called 'speed', which means something else"),
        ("range", 3, "a parameter needs finite numbers with low <= default <= high"),
    ],
)
def test_what_does_not_load_is_told_with_its_line(tmp_path: Path, text: str, number: int, words: str) -> None:
    if "\n" not in text:
        numbers = "9, 0, 2" if text == "range" else "1, 0, 2"
        text = (
            f"import nertsim\n\n@nertsim.strategy(parameters={{f'{text}': nertsim.Parameter({numbers}, '') "
            f"for i in range({65 if 'i' in text else 1})}})\n"
            "def clever(view, parameters, scratch, noise):\n    return 0\n"
        )
    failed, said = outcome(str(write_bot(tmp_path / "bot.py", text)))
    assert failed == number
    assert words in said


def test_a_parameter_out_of_its_range_fails_the_types() -> None:
    failed, said = outcome(f"{EXAMPLE},gap=99")
    assert (failed, said) == (3, "clever: gap must be from 0 to 20, not 99.0")


def test_random_numbers_of_its_own_and_memory_are_found(tmp_path: Path) -> None:
    own = bot(tmp_path, TAKE.format("np.random.randint(0, 1000)"), "own.py")
    failed, said = outcome(own)
    assert failed == 8
    assert "deal 0 of seed 1 played twice is another deal" in said
    assert "np.random" in said


def test_every_kind_of_table_is_played(tmp_path: Path) -> None:
    conditions = (
        "seat_count(view) == 12",
        "hand_count(view) == 2 and my_hand(view) == 1",
        "match_score(view, 0) == 85",
        "work_pile_count(view) == 6",
        "seat_count(view) == 1",
    )
    for number, condition in enumerate(conditions):
        body = f"    if {condition}:\n        return 999\n" + TAKE.format("0")
        failed, said = outcome(bot(tmp_path, body, f"bot{number}.py"))
        assert failed == 4, condition
        assert "the bot returned 999" in said


# What plain Python tells


def plain(specs: list[str], seconds: float) -> dict[str, dict[str, Any]]:
    """The findings for each bot, of one child process."""
    job = {"specs": specs, "seed": 1, "seconds": seconds, "thinking_seconds": 60.0}
    with Child("plain", job, jitted=False) as child:
        said = list(child.messages())
    return {one["spec"]: one for one in said if one["kind"] == "findings"}


PEEKERS = {
    "nerts": (TAKE.format(HIDDEN_CARD), "line 20 reads view.table[", "line 20 reads view.table["),
    "stock": (TAKE.format("view.own[8 + my_waste_count(view) + my_stock_count(view)]"), "reads view.own[", ""),
    "neighbour": (TAKE.format("view.own[72 + 8] + view.own[-72 + 8]"), "line 20 reads view.own[", "reads view.own["),
    "facts": (TAKE.format("view.facts[5000]"), "line 20 reads view.facts[5000]", "view.facts[5000], which has 1,280"),
    "lifted": (TAKE.format("work_card(view, 0, 0, work_length(view, 0, 0))"), "line 20 reads view.table[", ""),
    "scores": (TAKE.format("match_score(view, 13)"), "line 20 reads view.facts[29]", ""),
    "scratch": (
        "    scratch[2] = view.facts[2000]\n" + TAKE.format(0),
        "other numbers in its scratch",
        "view.facts[2000]",
    ),
}
"""Bots that look at what they may not know: what steps 6 and 7 say; nothing where step 7 is fine."""
STRAYS = {
    "negative": (TAKE.format("foundation_top(view, -2000)"), "line 20 reads view.table[-463]"),
    "foundation": (TAKE.format("0 * foundation_top(view, 96)"), "line 20 reads view.table[1633], which has 1,633"),
    "parameter": (TAKE.format("0 * parameters[0]"), "line 20 reads parameters[0], but it has 0 parameters"),
    "write": ("    scratch[64] = 1.0\n" + TAKE.format("0"), "line 20 writes to scratch[64], which has 64 numbers"),
    "half": (TAKE.format("0 * action(view, some / 2)"), "line 20 reads view.facts["),
    "array": (TAKE.format("0 * np.zeros(3)[some + 3]"), "line 20 raises IndexError"),
}
"""Bots that go astray without using what they find."""


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, dict[str, Any]]]:
    """The findings for all bots of this part, by name."""
    folder = tmp_path_factory.mktemp("plain")
    bodies = {name: one[0] for name, one in (PEEKERS | STRAYS).items()}
    bodies["divides"] = TAKE.format("10 // (some - some)")
    bodies["others"] = TAKE.format("nerts_top(view, (my_seat(view) + 1) % seat_count(view))")
    bodies["counts"] = TAKE.format("nerts_count(view, (my_seat(view) + 1) % seat_count(view))")
    specs = {bot(folder, body, f"{name}.py"): name for name, body in bodies.items()}
    found = plain([*specs, str(EXAMPLE), *BUILTIN], seconds=0.4)
    yield {specs.get(spec, spec): one for spec, one in found.items()}


@pytest.mark.parametrize("name", PEEKERS)
def test_a_bot_that_peeks_is_caught(seen: dict[str, dict[str, Any]], name: str) -> None:
    _, hidden, bounds = PEEKERS[name]
    passed, text = seen[name]["hidden"]
    assert passed is False
    assert ": seat " in text
    assert hidden in text
    passed, text = seen[name]["bounds"]
    assert passed is (bounds == "")
    assert bounds in text


@pytest.mark.parametrize("name", STRAYS)
def test_a_bot_that_looks_or_writes_outside_is_caught(seen: dict[str, dict[str, Any]], name: str) -> None:
    passed, text = seen[name]["bounds"]
    assert passed is False
    assert STRAYS[name][1] in text
    if name == "half":
        assert "which is no whole number: divide with // instead of /" in text


def test_a_division_by_zero_and_a_look_at_others_are_noted(seen: dict[str, dict[str, Any]]) -> None:
    raised = seen["divides"]["raised"]
    assert raised["division"]
    assert raised["line"] == 20
    assert seen["others"]["others"] == 20
    assert seen["others"]["hidden"][0]
    assert seen["counts"]["others"] is None


@pytest.mark.parametrize("name", [*BUILTIN, str(EXAMPLE)])
def test_a_healthy_bot_sees_nothing_hidden(seen: dict[str, dict[str, Any]], name: str) -> None:
    one = seen[name]
    assert one["hidden"][0], one["hidden"][1]
    assert one["bounds"][0], one["bounds"][1]
    assert one["raised"] is None
    assert one["decisions"] > 100
    # What it says of itself is true: otherwise it would play by what was there a moment ago.
    assert one["others"] is None or one["watches"]


@pytest.mark.slow
def test_no_built_in_bot_sees_anything_hidden_at_any_decision() -> None:
    found = plain(list(BUILTIN), seconds=15.0)
    assert found.keys() == BUILTIN.keys()
    for name, one in found.items():
        assert one["hidden"][0] and one["bounds"][0] and one["raised"] is None, (name, one)
        assert one["decisions"] > 3000


def other_hidden_cards(spec: str, deals: int) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-m", "tests.hidden_cards", spec, str(deals)]
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    return subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=600)


def test_a_deal_with_other_hidden_cards_is_the_same_until_they_are_seen(tmp_path: Path) -> None:
    done = other_hidden_cards("greedy", 1)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 1000
    peeks = other_hidden_cards(bot(tmp_path, TAKE.format(HIDDEN_CARD).replace("np.int64", "int")), 1)
    assert "AssertionError" in peeks.stderr


@pytest.mark.slow
@pytest.mark.parametrize("name", BUILTIN)
def test_deals_with_other_hidden_cards_are_the_same_for_every_built_in_bot(name: str) -> None:
    done = other_hidden_cards(name, 3)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 5000


# The whole of it


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Less patience than people have."""
    monkeypatch.setattr(conduct, "PLAIN_SECONDS", 0.3)
    monkeypatch.setattr(conduct, "LOOK_SECONDS", 0.05)


def failed_steps(report: Any) -> dict[int, str]:
    return {step.number: step.text for step in report.failed}


def test_a_healthy_bot_passes_all_steps_and_what_it_prints_is_not_shown(tmp_path: Path, quick: None) -> None:
    text = EXAMPLE.read_text(encoding="utf-8").replace("    best, most", '    print("deciding")\n    best, most', 1)
    file = write_bot(tmp_path / "mybot.py", f'print("loading")\n{text}')
    result = CliRunner().invoke(main, ["check-bot", str(file), "-n", "100", "--seed", "1"])
    assert result.exit_code == 0, result.output
    first, *steps, last = result.stdout.splitlines()
    assert first == f"{file}:clever"
    assert [line.split()[0] for line in steps] == [str(number) for number in NAMES]
    assert all(f"{name:<12}  pass " in line for name, line in zip(NAMES.values(), steps, strict=True))
    assert last == f"{file} keeps the protocol"
    assert "gap=5, tidy=3" in steps[2]
    assert f"at {len(SITTINGS)} kinds of tables" in steps[3]
    assert "deals/s" in steps[8]


def test_a_fault_has_the_line_that_only_plain_python_knows(quick: None) -> None:
    told: list[Step] = []
    report = nertsim.check_bot(str(BROKEN / "raises.py"), deals=30, seed=1, on_step=told.append)
    assert told == report.steps
    assert not report.passed
    failed = failed_steps(report)
    assert failed.keys() == {4}
    assert "the bot raised ValueError: no more patience, line 11; to see the deal: nertsim replay" in failed[4]
    assert [step.passed for step in report.steps] == [True] * 3 + [False, None, True, True, None, None]
    assert report.steps[4].text == "not done, because of step 4"


def test_a_bot_that_loops_is_stopped_and_named(quick: None) -> None:
    report = nertsim.check_bot(str(BROKEN / "loops.py"), deals=30, seed=1)
    failed = failed_steps(report)
    assert failed.keys() == {5}
    assert "may loop for ever; to see the deal: nertsim replay" in failed[5]
    assert ", deal 0, 5." in failed[5]
    assert [step.passed for step in report.steps[5:]] == [None] * 4


def test_a_bot_that_crashes_its_process_is_told_where_it_looked(tmp_path: Path, quick: None) -> None:
    report = nertsim.check_bot(bot(tmp_path, TAKE.format("view.facts[10**13] + view.facts[-(10**13)]")), deals=30)
    failed = failed_steps(report)
    assert "the process that ran it crashed (signal 11, SIGSEGV)" in failed[4]
    assert "line 20 reads view.facts[10000000000000]" in failed[7]


def test_a_division_by_zero_fails_what_is_legal(tmp_path: Path, quick: None) -> None:
    report = nertsim.check_bot(bot(tmp_path, TAKE.format("10 // (some - some)")), deals=30)
    failed = failed_steps(report)
    assert failed.keys() == {4}
    assert "line 20 divides by zero; compiled, it goes on with inf, nan or 0" in failed[4]


def test_a_file_with_several_strategies_is_checked_whole(tmp_path: Path) -> None:
    bodies = "".join(
        f"@nertsim.strategy\ndef {name}(view, parameters, scratch, noise):\n    return {value}\n\n"
        for name, value in (("one", "1.5"), ("two", "nothing"))
    )
    file = write_bot(tmp_path / "mybots.py", f"import nertsim\n\n{bodies}")
    result = CliRunner().invoke(main, ["check-bot", f"{file}", "--format", "json", "--seed", "1"])
    assert result.exit_code == 1
    report = json.loads(result.stdout)
    assert report["bot"] == str(file)
    assert report["passed"] is False
    assert report["steps"][0].keys() == {"bot", "number", "name", "passed", "text"}
    assert [step["number"] for step in report["steps"]] == [*NAMES] * 2
    failed = [(step["bot"], step["number"]) for step in report["steps"] if step["passed"] is False]
    assert failed == [(f"{file}:one", 3), (f"{file}:two", 2)]
    one = nertsim.check_bot(f"{file}:two,tempo=expert")
    assert [(step.bot, step.number) for step in one.failed] == [(f"{file}:two,tempo=expert", 2)]


def test_a_bot_of_a_roster_is_checked_with_its_values(tmp_path: Path) -> None:
    write_bot(tmp_path / "mybot.py", EXAMPLE.read_text(encoding="utf-8"))
    roster = tmp_path / "roster.toml"
    roster.write_text('[champion]\nstrategy = "mybot.py:clever"\ngap = 99\n')
    report = nertsim.check_bot(f"{roster}:champion")
    assert [step.passed for step in report.steps[:4]] == [True, None, False, None]
    assert f"{roster}: champion: clever: gap must be from 0 to 20" in report.failed[0].text


def test_what_ends_the_process_while_it_is_loaded_fails_the_import(tmp_path: Path) -> None:
    file = write_bot(tmp_path / "ends.py", "import os\nos._exit(3)\n")
    report = nertsim.check_bot(str(file))
    assert report.failed[0].text == "the process that loaded it ended with exit code 3"


def test_a_file_that_is_never_loaded_fails_the_import(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conduct, "IMPORT_SECONDS", 3.0)
    report = nertsim.check_bot(str(write_bot(tmp_path / "hangs.py", "while True:\n    pass\n")))
    assert report.failed[0].number == 1
    assert "it does not end" in report.failed[0].text


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["nobody.py"], "cannot read the bot file nobody.py: No such file or directory"),
        ([f"{EXAMPLE}:clevr"], "no strategy in "),
        ([f"{EXAMPLE},gpa=1"], "did you mean 'gap'?"),
        (["gredy"], "did you mean 'greedy'?"),
        (["nobody.toml:champion"], "cannot read the roster in nobody.toml"),
        (["greedy", "-n", "0"], "is not a whole number from 1"),
        ([], "Missing argument 'FILE[:NAME]'"),
    ],
)
def test_wrong_use_is_no_failed_step(words: list[str], told: str) -> None:
    result = CliRunner().invoke(main, ["check-bot", *words])
    assert result.exit_code == 2
    assert result.stdout == ""
    assert told in result.stderr

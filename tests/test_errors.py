"""Wrong use: one clear line that names what is wrong, exit 2, before anything is computed."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nertsim import cli
from nertsim.cli.group import describe
from nertsim.errors import BotFault, NertsimError, UsageError, nearest, unknown


def call(*words: str) -> Result:
    return CliRunner().invoke(cli.main, list(words))


@pytest.fixture
def nothing_is_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("something was computed")

    monkeypatch.setattr("nertsim.dealer.Dealer", refuse)


WRONG = [
    (["simulat"], "no command called 'simulat'; did you mean 'simulate'?"),
    (["simulate", "--sed", "1"], "did you mean '--seed'?"),
    (["simulate", "extra"], "unexpected extra argument"),
    (["simulate", "--deals", "abc"], "'abc' is not a whole number"),
    (["simulate", "-n", "-5"], "'-5' is not a whole number"),
    (["simulate", "-n", "0"], "'0' is not a whole number"),
    (["simulate", "-n", "1.5"], "'1.5' is not a whole number"),
    (["simulate", "-n"], "requires an argument"),
    (["simulate", "--seats", "0"], "seats must be a whole number from 1 to 12, not 0"),
    (["simulate", "--seats", "99"], "seats must be a whole number from 1 to 12, not 99"),
    (["simulate", "--seats", "two"], "'two' is not a whole number"),
    (["simulate", "--seats", "2.5"], "'2.5' is not a whole number, as 4"),
    (["--bot", "greedy"], "options of a command come after its name"),
    (["--verison"], "did you mean '--version'?"),
    (["simulate", "--bot", "GREEDY"], "did you mean 'greedy'?"),
    (["simulate", "--bot", "greedy,tempo=/nowhere.toml"], "cannot read the tempo in /nowhere.toml: No such file"),
    (["simulate", "--rules", ""], "no rules preset called ''"),
    (["simulate", "-o", ""], "the name of the folder of the run is empty"),
    (["replay", "--jsonl", ""], "cannot write '': No such file"),
    (["tempos", "/nowhere.toml"], "cannot read the tempo in /nowhere.toml"),
    (["simulate", "--hands", "3"], "'3' is neither 1 or 2"),
    (["simulate", "--hands", "1,2"], "hands has 2 values, but there are 4 seats"),
    (["simulate", "--bot", "gredy"], "no bot called 'gredy'; did you mean 'greedy'?"),
    (["simulate", "--bot", "greedy,sped=1"], "did you mean 'speed'?"),
    (["simulate", "--bot", "greedy,speed=fast"], "speed must be a number, not 'fast'"),
    (["simulate", "--bot", "greedy", "--bot", "hasty"], "2 bots for 4 seats"),
    (["simulate", "--bot", "my.py:clever"], "cannot read the bot file my.py"),
    (["simulate", "--rules", "standart"], "did you mean 'standard'?"),
    (["simulate", "--rules", "/nowhere.toml"], "cannot read the rules in /nowhere.toml"),
    (["simulate", "--set", "drow=1"], "no rule called 'drow'; did you mean 'draw'?"),
    (["simulate", "--set", "draw"], "'draw' is not of the form rule=value"),
    (["simulate", "--set", "draw=9"], "draw must be a whole number from 1 to 5, not 9"),
    (["simulate", "--set", "tie=maybe"], "tie must be one of both, first"),
    (["simulate", "--seats", "2", "--set", "seats=3"], "seats is given twice, as 2 and as 3"),
    (["simulate", "--seed", "-1"], "'-1' is not a whole number from 0 to"),
    (["simulate", "--seed", "x"], "'x' is not a whole number from 0 to"),
    (["simulate", "--threads", "0"], "'0' is not a whole number from 1 to 1024"),
    (["simulate", "--format", "xml"], "'xml' is not one of"),
    (["simulate", "--keep", "all"], "'all' is not one of"),
    (["simulate", "-o", "/proc/run"], "cannot write to the folder /proc/run"),
    (["replay", "--deal", "5:1"], "'5:1' is neither the number of a deal"),
    (["replay", "--bot", "gredy"], "did you mean 'greedy'?"),
    (["replay", "--jsonl", "/nowhere/t.jsonl"], "cannot write '/nowhere/t.jsonl'"),
    (["bots", "gredy"], "did you mean 'greedy'?"),
    (["tempos", "exprt"], "did you mean 'expert'?"),
    (["rules", "standart"], "did you mean 'standard'?"),
]


@pytest.mark.parametrize(("words", "line"), WRONG, ids=lambda value: " ".join(value) if isinstance(value, list) else "")
def test_wrong_use_is_one_line_and_exit_2(nothing_is_computed: None, words: list[str], line: str) -> None:
    result = call(*words)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("Error: ")
    assert result.stderr.count("\n") == 1
    assert line in result.stderr


def test_a_folder_that_exists_is_refused_before_anything_is_computed(nothing_is_computed: None, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("x")
    result = call("simulate", "-o", str(tmp_path))
    assert result.exit_code == 2
    assert result.stderr == f"Error: the folder {tmp_path} exists and is not empty; give a new one\n"


def test_a_rules_file_that_is_wrong_is_named(nothing_is_computed: None, tmp_path: Path) -> None:
    file = tmp_path / "r.toml"
    for text, line in [("draw = = 1", "is not TOML"), ("drow = 1", "did you mean 'draw'"), ("draw = 7", "not 7")]:
        file.write_text(text)
        result = call("simulate", "--rules", str(file))
        assert result.exit_code == 2
        assert str(file) in result.stderr
        assert line in result.stderr
    file.write_bytes(b"\xff\xff")
    assert call("simulate", "--rules", str(file)).exit_code == 2


def test_a_bot_that_breaks_the_protocol_is_one_line_and_exit_1(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise BotFault("seat 2 (greedy), deal 17,\n 3.2 s: the bot returned 9")

    monkeypatch.setattr("nertsim.dealer.Dealer", fail)
    result = call("simulate", "-n", "10", "--seed", "1")
    assert result.exit_code == 1
    assert result.stderr == "Error: seat 2 (greedy), deal 17, 3.2 s: the bot returned 9\n"


def test_the_unexpected_is_one_line_and_a_traceback_only_with_debug(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("a mistake")

    monkeypatch.setattr("nertsim.dealer.Dealer", fail)
    result = call("simulate", "-n", "10", "--seed", "1")
    assert result.exit_code == 1
    assert result.stderr == "Error: unexpected ZeroDivisionError: a mistake (run again with --debug to see where)\n"
    for words in (("simulate", "-n", "10", "--debug"), ("--debug", "simulate", "-n", "10")):
        assert isinstance(call(*words).exception, ZeroDivisionError)


def test_wrong_use_has_no_traceback_even_with_debug() -> None:
    assert call("simulate", "--deals", "abc", "--debug").stderr.startswith("Error: ")


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.one_of(
            st.sampled_from(["simulate", "replay", "bots", "rules", "tempos", "--bot", "--set", "--rules", "--seats"]),
            st.sampled_from(["-n", "--seed", "--format", "json", "greedy", "greedy,speed=2", "draw=1", "--keep", "-h"]),
            st.text(st.characters(codec="utf-8", exclude_characters="/\x00"), max_size=8),
        ),
        max_size=6,
    )
)
def test_no_input_gives_a_traceback(nothing_is_computed: None, words: list[str]) -> None:
    result = call(*words)
    if isinstance(result.exception, AssertionError) or "something was computed" in result.stderr:
        return  # right use; nothing is played here
    assert result.exit_code in (0, 2), result.stderr
    assert result.exception is None or isinstance(result.exception, SystemExit)
    if result.exit_code == 2:
        assert result.stderr.rstrip("\n").count("Error: ") >= 1


def test_a_full_disk_is_one_line() -> None:
    line, code = describe(OSError(28, "No space left on device"))
    assert (line, code) == ("No space left on device", 1)


def test_the_nearest_spelling_is_offered_only_where_there_is_one() -> None:
    assert nearest("gredy", ["greedy", "hasty"]) == "; did you mean 'greedy'?"
    assert nearest("zzz", ["greedy", "hasty"]) == ""
    assert unknown("bot", "zzz", ["greedy", "hasty"]) == "no bot called 'zzz' (there are: greedy, hasty)"


def test_errors_carry_their_exit_code() -> None:
    assert describe(NertsimError("it failed"))[1] == 1
    assert describe(UsageError("it is wrong"))[1] == 2
    assert isinstance(UsageError("x"), ValueError)

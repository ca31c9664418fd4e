"""Rosters: bots in TOML files, and how a bot, its rules and its tempo are written so that they are read back."""

from __future__ import annotations

import csv
import io
import json
import tomllib
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result
from hypothesis import example, given
from hypothesis import strategies as st

import nertsim
from nertsim.bots.builtin_names import BUILTIN
from nertsim.bots.roster_text import roster_text
from nertsim.bots.spec import parse_bot
from nertsim.cli import main
from nertsim.cli.options import read_bots, read_rules, table_options
from nertsim.commands import table_words
from nertsim.rules import CALLING, FOUNDATIONS, GAPS, MID_AIR, ROLES, ROTATION, RUNS, TIE, Rules, parse_option
from nertsim.tempo import RANGES, TEMPOS, Tempo

from .bot_texts import BOT, write_bot


def call(*words: str) -> Result:
    return CliRunner().invoke(main, list(words))


def ok(*words: str) -> str:
    result = call(*words)
    assert result.exit_code == 0, result.output
    return result.stdout


def roster(folder: Path, text: str, name: str = "roster.toml") -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


# Read


def test_every_key_of_a_bot(tmp_path: Path) -> None:
    write_bot(tmp_path / "mybot.py")
    file = roster(
        tmp_path,
        """
        [champion]
        strategy = "mybot.py:clever"
        description = "what came of an evening"
        tempo = "expert"
        oversight = 0.2
        hold = 3
        second.tempo = "beginner"
        second.speed = 0.9
        provenance = { seed = 1, deals = [1, 2] }
        """,
    )
    bot = parse_bot(f"{file}:champion")
    assert bot.values == {"hold": 3}
    assert bot.tempo == TEMPOS["expert"].tempo.replace(oversight=0.2)
    assert bot.second == TEMPOS["beginner"].tempo.replace(speed=0.9)
    assert bot.label == f"{file}:champion"
    assert bot.strategy.spec == f"{tmp_path}/mybot.py:clever"
    assert parse_bot(str(file)).strategy == bot.strategy


def test_words_after_the_comma_come_last(tmp_path: Path) -> None:
    write_bot(tmp_path / "mybot.py")
    file = roster(tmp_path, '[b]\nstrategy = "mybot.py"\nhold = 3\nspeed = 2\nsecond.speed = 3\n')
    assert parse_bot(f"{file}:b,hold=4").vector() == [4.0]
    assert parse_bot(f"{file}:b,oversight=0.2").tempo == Tempo(speed=2, oversight=0.2)
    assert parse_bot(f"{file}:b,oversight=0.2").second == Tempo(speed=3)
    assert parse_bot(f"{file}:b,tempo=expert").tempo == TEMPOS["expert"].tempo
    assert parse_bot(f"{file}:b,second.oversight=0.3").second == Tempo(speed=3, oversight=0.3)


def test_files_are_looked_for_from_the_folder_of_the_roster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_bot(tmp_path / "bots" / "mybot.py")
    roster(tmp_path / "bots", "speed = 1.5\n", "quick.toml")
    roster(
        tmp_path / "bots",
        '[a]\nstrategy = "mybot.py:clever"\ntempo = "quick.toml"\nsecond.tempo = "quick.toml"\nsecond.call = 1\n',
    )
    monkeypatch.chdir(tmp_path)
    bot = parse_bot("bots/roster.toml:a")
    assert bot.tempo == Tempo(speed=1.5)
    assert bot.second == Tempo(speed=1.5, call=1)
    assert bot.spec() == "bots/mybot.py:clever,speed=1.5,second.call=1.0"
    assert parse_bot(bot.spec()).strategy == bot.strategy


WRONG = {
    "unknown name": ('[one]\nstrategy = "greedy"\n', ":on", "no bot in .* called 'on'; did you mean 'one'"),
    "none": ("", "", "has 0 bots; name one of them"),
    "several": ('[a]\nstrategy = "greedy"\n[b]\nstrategy = "hasty"\n', "", r"has 2 bots; name one of them, .*\(a, b\)"),
    "no table": ('strategy = "greedy"\n', "", "is not a roster: strategy stands outside a table such as"),
    "not TOML": ("[a\n", "", r"roster\.toml is not TOML: .*line 1"),
    "no strategy": ("[a]\nspeed = 2\n", "", "a: strategy must be a name in quotes"),
    "strategy": ("[a]\nstrategy = 3\n", "", "a: strategy must be a name in quotes"),
    "unknown strategy": ('[a]\nstrategy = "gredy"\n', "", "a: no bot called 'gredy'; did you mean 'greedy'"),
    "no file": ('[a]\nstrategy = "no.py:x"\n', "", r"a: cannot read the bot file .*no\.py"),
    "roster": (
        '[a]\nstrategy = "roster.toml:a"\n',
        "",
        "a: strategy must be the name of a strategy or one in a Python",
    ),
    "unknown key": ('[a]\nstrategy = "greedy"\nsped = 2\n', "", "a: no value of a bot that plays greedy .*'speed'"),
    "text": ('[a]\nstrategy = "mybot.py"\nhold = "3"\n', "", "a: hold must be a number, not '3'"),
    "true": ('[a]\nstrategy = "mybot.py"\nhold = true\n', "", "a: hold must be a number, not True"),
    "range": ('[a]\nstrategy = "mybot.py"\nhold = 99\n', "", "a: clever: hold must be from 0 to 9, not 99"),
    "tempo": ('[a]\nstrategy = "greedy"\ntempo = 3\n', "", "a: tempo must be a name or a TOML file in quotes, not 3"),
    "unknown tempo": ('[a]\nstrategy = "greedy"\ntempo = "exprt"\n', "", "a: no tempo .*did you mean 'expert'"),
    "no tempo file": ('[a]\nstrategy = "greedy"\ntempo = "no.toml"\n', "", r"a: cannot read the tempo in .*no\.toml"),
    "tempo value": ('[a]\nstrategy = "greedy"\nspeed = 0\n', "", "a: speed must be a number from 0.01 to 100, not 0"),
    "tempo text": ('[a]\nstrategy = "greedy"\nspeed = "2"\n', "", "a: speed must be a number from .*, not '2'"),
    "second": ('[a]\nstrategy = "greedy"\nsecond = "beginner"\n', "", "a: second must have the keys of a tempo"),
    "second key": ('[a]\nstrategy = "greedy"\nsecond.sped = 2\n', "", "a: no tempo value called 'sped'"),
    "after": (
        '[a]\nstrategy = "greedy"\n',
        ":a,sped=2",
        "no value of the bot .*:a called 'sped'; did you mean 'speed'",
    ),
}


@pytest.mark.parametrize(("text", "after", "words"), WRONG.values(), ids=WRONG)
def test_a_wrong_roster_is_one_line(tmp_path: Path, text: str, after: str, words: str) -> None:
    write_bot(tmp_path / "mybot.py")
    file = roster(tmp_path, text)
    with pytest.raises(nertsim.UsageError, match=words) as caught:
        parse_bot(f"{file}{after}")
    assert str(file) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_roster_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(nertsim.BotError, match=r"cannot read the roster in .*no\.toml: No such file"):
        parse_bot(f"{tmp_path}/no.toml:a")
    (tmp_path / "bad.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(nertsim.BotError, match="cannot read the roster in"):
        parse_bot(f"{tmp_path}/bad.toml:a")


# Written, and read back

numbers = {name: st.floats(low, high) for name, (low, high) in RANGES.items()}
tempos = st.one_of(
    st.sampled_from([preset.tempo for preset in TEMPOS.values()]),
    st.builds(
        lambda preset, changes: preset.tempo.replace(**changes),
        st.sampled_from(list(TEMPOS.values())),
        st.fixed_dictionaries({}, optional=numbers),
    ),
)


@pytest.fixture(scope="module")
def bot_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    text = BOT.format(answer=0).replace(
        '"hold":', '"wide": nertsim.Parameter(0.0, -1e9, 1e9, "how wide, 50 % of \\"it\\""), "hold":'
    )
    return write_bot(tmp_path_factory.mktemp("bots") / "mein größter bot.py", text)


@st.composite
def bots(draw: Any, file: Path) -> nertsim.Bot:
    strategy = draw(st.sampled_from([BUILTIN["greedy"], BUILTIN["careful"], parse_bot(str(file)).strategy]))
    values: dict[str, float] = {}
    for name, one in strategy.parameters.items():
        if draw(st.booleans()):
            values[name] = draw(st.floats(one.low, one.high))
    return nertsim.Bot(strategy, draw(tempos), values, second=draw(st.none() | tempos))


def same(one: nertsim.Bot, other: nertsim.Bot) -> bool:
    return (one.strategy, one.vector(), one.tempo, one.second) == (
        other.strategy,
        other.vector(),
        other.tempo,
        other.second,
    )


@given(st.data())
def test_what_names_a_bot_is_read_as_the_same_bot(bot_file: Path, data: st.DataObject) -> None:
    bot = data.draw(bots(bot_file))
    assert same(parse_bot(bot.spec()), bot)
    assert parse_bot(bot.spec()).values == bot.values


@given(st.data())
def test_a_bot_as_a_roster_is_read_as_the_same_bot(bot_file: Path, data: st.DataObject) -> None:
    bot = data.draw(bots(bot_file))
    text = roster_text("my champion", bot)
    assert all(len(line) <= 80 for line in text.splitlines() if "strategy" not in line)
    file = roster(bot_file.parent, text)
    assert same(parse_bot(f"{file}:my champion"), bot)


def test_a_label_tells_bots_apart_that_differ_a_little() -> None:
    one, two = (nertsim.Bot(BUILTIN["greedy"], Tempo(speed=speed)) for speed in (1.1, 1.1000001))
    assert (one.label, two.label) == ("greedy,speed=1.1", "greedy,speed=1.1000001")


def test_a_tempo_is_named_in_the_fewest_words() -> None:
    bot = parse_bot("greedy,tempo=expert,oversight=0.05,second.oversight=0.1")
    assert bot.spec() == "greedy,tempo=expert,oversight=0.05,second.oversight=0.1"
    assert parse_bot("greedy,second.tempo=average").second is None


def sized(one: Any, seats: int) -> Any:
    return st.one_of(one, st.lists(one, min_size=seats, max_size=seats).map(tuple))


@st.composite
def rules(draw: Any) -> Rules:
    seats = draw(st.integers(1, 12))
    options = {
        "hands": sized(st.integers(1, 2), seats),
        "nerts": sized(st.integers(1, 30), seats),
        "roles": st.sampled_from(ROLES),
        "work_piles": st.integers(1, 7),
        "draw": st.integers(1, 5),
        "leftover": st.booleans(),
        "penalty": st.integers(0, 100),
        "call_bonus": st.integers(0, 1000),
        "king_bonus": st.integers(0, 1000),
        "calling": st.sampled_from(CALLING),
        "mid_air": st.sampled_from(MID_AIR),
        "tie": st.sampled_from(TIE),
        "tie_window_us": st.integers(0, 10**11),
        "gaps": st.sampled_from(GAPS),
        "runs": st.sampled_from(RUNS),
        "slide": st.booleans(),
        "rotation": st.sampled_from(ROTATION),
        "foundations": st.sampled_from(FOUNDATIONS),
        "jokers": st.integers(0, 4),
        "joker_unfix": st.booleans(),
        "time_limit_us": st.integers(1, 10**11),
        "target": st.integers(1, 10**6),
        "match_deals": st.none() | st.integers(1, 10**6),
        "winner_handicap": st.integers(0, 10),
    }
    return Rules(seats=seats, **draw(st.fixed_dictionaries({}, optional=options)))


@given(rules())
@example(Rules(nerts=(13, 12, 11, 10), hands=(1, 2, 1, 2)))
@example(Rules(rotation="none"))
def test_options_of_rules_are_read_back(one: Rules) -> None:
    pairs = [parse_option(f"{name}={value}") for name, value in one.to_options().items()]
    assert Rules.from_dict(dict(pairs)) == one
    read = table_of(table_words(one, [parse_bot("greedy")]))
    assert read == (one, ["greedy"])


@click.command()
@table_options
def table(**options: Any) -> tuple[Rules, list[str]]:
    """What a command reads of its table options."""
    return (
        read_rules(options["rules_name"], options["settings"], options["seats"], options["hands"]),
        read_bots(options["bots"]),
    )


def table_of(words: list[str]) -> tuple[Rules, list[str]]:
    read: tuple[Rules, list[str]] = table.main(words, standalone_mode=False)
    return read


# nertsim bots


def test_the_bots_of_a_file_and_of_a_roster_are_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_bot(tmp_path / "mybot.py")
    roster(
        tmp_path, '[a]\nstrategy = "greedy"\ndescription = "slow and steady"\nspeed = 0.5\n[b]\nstrategy = "hasty"\n'
    )
    assert ok("bots", "mybot.py").splitlines()[2].split()[0] == "mybot.py:clever"
    listed = list(csv.DictReader(io.StringIO(ok("bots", "roster.toml", "--format", "csv"))))
    assert listed == [
        {"name": "roster.toml:a", "description": "slow and steady"},
        {"name": "roster.toml:b", "description": "plays the first thing it sees, never plans"},
    ]
    presets = json.loads(ok("bots", "mybot.py", "--format", "json"))["presets"]
    assert presets[0]["strategy"] == "mybot.py:clever"
    assert presets[0]["parameters"]["hold"] | {"meaning": ""} == {
        "value": 2.0,
        "default": 2.0,
        "low": 0.0,
        "high": 9.0,
        "meaning": "",
    }


@pytest.mark.parametrize(
    "spec",
    [
        "greedy",
        "careful,tempo=expert,second.speed=0.9",
        "mybot.py",
        "mybot.py:clever,hold=3.25,oversight=0.2",
        "roster.toml:a",
        "roster.toml:a,hold=1,tempo=beginner",
    ],
)
def test_a_bot_is_shown_as_a_roster_that_is_accepted_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spec: str
) -> None:
    monkeypatch.chdir(tmp_path)
    write_bot(tmp_path / "mybot.py")
    roster(tmp_path, '[a]\nstrategy = "mybot.py:clever"\nspeed = 0.5\nhold = 7\n')
    # A bare file is a list; its only bot is shown by its name.
    shown = ok("bots", "mybot.py:clever" if spec == "mybot.py" else spec)
    assert all(len(line) <= 80 for line in shown.splitlines())
    (name,) = tomllib.loads(shown)
    assert name == {"g": "greedy", "c": "careful", "m": "clever", "r": "a"}[spec[0]]
    roster(tmp_path, shown, "shown.toml")
    assert same(parse_bot("shown.toml"), parse_bot(spec))
    assert ok("bots", f"shown.toml:{name}") == shown


def test_parameters_are_shown_with_range_meaning_and_what_is_usual(tmp_path: Path) -> None:
    file = write_bot(tmp_path / "b.py")
    lines = ok("bots", f"{file}:clever,hold=3.5").splitlines()
    assert "hold = 3.5                  # 0 to 9, usually 2: how long it holds a card back" in lines
    assert 'tempo = "average"           # also: beginner, expert, or a TOML file' in lines
    assert f'strategy = "{file}:clever"' in lines


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["--example", "greedy"], "--example stands alone"),
        (["--example", "--format", "json"], "--example stands alone"),
        (["no.py"], "cannot read the bot file no.py"),
        (["no.toml"], "cannot read the roster in no.toml"),
        (["no.py:x"], "cannot read the bot file no.py"),
        (["greedy,sped=1"], "did you mean 'speed'"),
    ],
)
def test_wrong_words_are_one_line(words: list[str], line: str) -> None:
    result = call("bots", *words)
    assert result.exit_code == 2
    assert result.stderr.startswith("Error: ") and result.stderr.count("\n") == 1
    assert line in result.stderr

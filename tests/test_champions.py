"""The shipped champions: they are played by name, say how they were made, and are better than what they began as."""

from __future__ import annotations

import shlex
from importlib.resources import files

import pytest
from click.testing import CliRunner

import nertsim
from nertsim.bots.champions import CHAMPIONS, champions
from nertsim.bots.spec import parse_bot
from nertsim.cli import main
from nertsim.presets import load_rules
from nertsim.rules import Rules

TABLES = {"2 seats": Rules(seats=2), "4 seats": Rules(), "6 seats": Rules(seats=6), "nna": load_rules("nna")}


@pytest.mark.parametrize("name", CHAMPIONS)
def test_a_champion_is_played_by_its_name(name: str) -> None:
    bot = parse_bot(name)
    assert bot.label == name
    assert dict(zip(bot.strategy.parameters, bot.vector(), strict=True)) != {
        key: one.default for key, one in bot.strategy.parameters.items()
    }
    assert parse_bot(f"{name},speed=1.2,hurries=3").tempo.speed == 1.2
    assert nertsim.simulate(name, seats=2, deals=10, seed=1).summary["deals"] == 10


def test_a_champion_that_is_not_there_is_one_line() -> None:
    with pytest.raises(nertsim.BotError, match=r"no bot called 'champoin'; did you mean 'champion'"):
        parse_bot("champoin")
    assert set(champions()) == set(CHAMPIONS)


def test_champions_are_listed_with_what_they_are_for() -> None:
    listed = CliRunner().invoke(main, ["bots"]).stdout
    for name, table in champions().items():
        assert name in listed and table["description"]


@pytest.mark.parametrize("name", CHAMPIONS)
def test_a_champion_says_how_it_was_made_and_proved(name: str) -> None:
    provenance = champions()[name]["provenance"]
    assert provenance["verdict"] == "better than the start"
    assert provenance["difference_ci"][0] > 0
    program, sub, *words = shlex.split(provenance["command"])
    assert (program, sub) == ("nertsim", "tune")
    # Every option is one that there is, and can have this value: but for the budget.
    words[words.index("-n") + 1] = "100"
    result = CliRunner().invoke(main, ["tune", *words])
    assert result.exit_code == 2 and "a budget of 100 deals is too small here" in result.output


def test_the_roster_is_in_the_package() -> None:
    assert (files("nertsim.bots") / "champions.toml").is_file()


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("rival", ["greedy", "careful", "weighted"])
def test_the_champion_is_better_than_the_built_in_bots(table: str, rival: str) -> None:
    run = nertsim.compare("champion", rival, rules=TABLES[table], smallest_effect=0.05, seed=99, deals=6_000_000)
    assert run.verdict == "A better"

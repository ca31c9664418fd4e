"""The bot file to start from, and what a bot in a file costs."""

from __future__ import annotations

import statistics
from pathlib import Path

import pytest
from click.testing import CliRunner

import nertsim
from nertsim.bots import builtin, example, view
from nertsim.bots.spec import parse_bot
from nertsim.cards import HIDDEN, NONE, card_of
from nertsim.cli import main
from nertsim.codes import Action, Pile
from nertsim.presets import PRESETS

from .bot_texts import shell


@pytest.fixture
def mybot(tmp_path: Path) -> Path:
    file = tmp_path / "mybot.py"
    result = CliRunner().invoke(main, ["bots", "--example"])
    assert result.exit_code == 0
    file.write_text(result.stdout, encoding="utf-8")
    return file


def test_the_example_is_shipped_short_and_what_is_printed(mybot: Path) -> None:
    text = mybot.read_text(encoding="utf-8")
    assert text == Path(example.__file__).read_text(encoding="utf-8")
    assert sum(bool(line.strip()) for line in text.splitlines()) <= 60
    assert example.clever.parameters.keys() == parse_bot(str(mybot)).strategy.parameters.keys() == {"gap", "tidy"}


def test_the_example_beats_hasty(mybot: Path) -> None:
    table = nertsim.simulate([str(mybot), "hasty"], seats=2, deals=2000, seed=1).by_seat
    assert table.loc[0, "score_ci_low"] > table.loc[1, "score_ci_high"]
    assert table.loc[0, "win_rate_ci_low"] > 0.5


def test_the_parameters_of_the_example_matter(mybot: Path) -> None:
    table = nertsim.simulate([f"{mybot},gap=0", f"{mybot},tidy=0", str(mybot)], seats=3, deals=1000, seed=1).by_seat
    assert table["mean_score"].idxmax() == 2


@pytest.mark.parametrize("preset", PRESETS)
def test_the_example_plays_by_all_rules(mybot: Path, preset: str) -> None:
    for hands, jokers in ((1, 0), (2, 2)):
        rules = PRESETS[preset].rules.replace(seats=3, hands=hands, jokers=jokers, nerts=10)
        assert nertsim.simulate(str(mybot), rules=rules, deals=60, seed=1).totals.deals == 60


def test_the_example_plays_un_jitted_as_it_plays_jitted(mybot: Path) -> None:
    words = ["replay", "--bot", "mybot.py", "--bot", "greedy", "--seats", "2", "--seed", "1", "--jsonl", "-"]
    jitted, plain = shell(words, mybot.parent), shell(words, mybot.parent, NUMBA_DISABLE_JIT="1")
    assert jitted.returncode == plain.returncode == 0
    assert len(jitted.stdout.splitlines()) > 100
    assert plain.stdout == jitted.stdout


def test_the_words_for_actions_piles_and_cards_are_plain_numbers() -> None:
    for kind in Action:
        if kind is not Action.WAIT:
            assert getattr(view, kind.name) == kind and type(getattr(view, kind.name)) is int
    for pile in Pile:
        assert getattr(view, pile.name) == pile and type(getattr(view, pile.name)) is int
    assert (view.NONE, view.HIDDEN) == (NONE, HIDDEN)
    assert card_of(view.KING, view.SPADES) == 51 and card_of(view.ACE, view.CLUBS) == 0
    assert view.rank(card_of(view.QUEEN, view.HEARTS)) == 11 and view.suit(card_of(view.JACK, view.DIAMONDS)) == 1


def test_every_word_is_listed_and_there() -> None:
    assert sorted(view.__all__) == sorted(set(view.__all__))
    for name in view.__all__:
        assert hasattr(view, name)
    for name, value in vars(view).items():
        if hasattr(value, "py_func") and value.py_func.__module__ == view.__name__:
            assert name in view.__all__


@pytest.mark.slow
def test_a_copy_of_greedy_in_a_file_is_as_fast_unless_it_watches_others(tmp_path: Path) -> None:
    copy = tmp_path / "copy.py"
    strategies = (
        "\nimport nertsim\nsame = nertsim.strategy(watches=False)(greedy)\nwatching = nertsim.strategy(greedy)\n"
    )
    copy.write_text(Path(builtin.__file__).read_text(encoding="utf-8") + strategies, encoding="utf-8")
    bots = ["greedy", f"{copy}:same", f"{copy}:watching"]
    rows = [nertsim.simulate(bot, deals=500, seed=1).seats.drop(columns="bot") for bot in bots]
    assert rows[0].equals(rows[1]) and rows[0].equals(rows[2])
    measured: dict[str, list[float]] = {bot: [] for bot in bots}
    for _ in range(7):
        for bot, rates in measured.items():
            run = nertsim.simulate(bot, deals=30_000, seed=1, threads=1, keep="summary")
            rates.append(run.summary["deals_per_second"])
    own, same, watching = (statistics.median(rates) for rates in measured.values())
    assert same >= 0.85 * own, f"{same:.0f} against {own:.0f} deals/s"
    assert watching >= 0.6 * own, f"{watching:.0f} against {own:.0f} deals/s"

"""What the built-in bots do with jokers: hand-made situations, played by the reference with the compiled bots."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from nertsim.bots.builtin_names import BUILTIN
from nertsim.bots.strategy import Bot

from .reference import compiled_bot
from .reference.scenario import run, told

REST = {"stock": "KC KD KH KS"}
FULL = {"work1": "KC", "work2": "KD", "work3": "KS"}
BOTS = ["greedy", "careful", "weighted"]


def first(bot: str, table: dict[str, str], common: tuple[str, ...] = (), seed: int = 1, **options: int) -> str:
    """The first action of a bot, without the time."""
    strategy = BUILTIN[bot]
    decide, remembered, vector = (
        compiled_bot(strategy.decide),
        np.zeros(strategy.scratch),
        np.array(Bot(strategy).vector()),
    )

    def script(view: Any, parameters: Any, scratch: Any, noise: Any) -> int:
        return decide(view, vector, remembered, noise)

    lines = run([table | REST], [script], common, seed=seed, **{"jokers": 2, "time_limit_us": 2_000_000} | options)
    return told(lines)[0].partition(" ")[2]


@pytest.mark.parametrize("bot", BOTS)
def test_a_joker_becomes_the_card_that_the_nerts_card_follows(bot: str) -> None:
    table = {"nerts": "9C 6H", "work0": "JK1"} | FULL
    hearts, clubs = "AH 2H 3H 4H", "AC 2C"
    assert first(bot, table, (clubs, hearts)) == "0.0 play JK1 work0>foundation1 =5H ok"


@pytest.mark.parametrize("bot", BOTS)
def test_a_joker_becomes_no_ace_where_a_foundation_is_open(bot: str) -> None:
    table = {"nerts": "9C", "waste": "JK1", "work0": "5H"} | FULL
    assert first(bot, table, ("AC 2C",)) == "0.0 play JK1 waste>foundation0 =3C ok"


@pytest.mark.parametrize("bot", BOTS)
def test_a_joker_becomes_an_ace_where_no_foundation_is_open(bot: str) -> None:
    table = {"nerts": "2D", "work0": "JK1"} | FULL
    assert first(bot, table) == "0.0 play JK1 work0>foundation0 =AD ok"


@pytest.mark.parametrize("bot", BOTS)
def test_a_joker_becomes_a_king_where_kings_have_a_bonus(bot: str) -> None:
    table = {"nerts": "9C", "work0": "JK1"} | FULL
    queens = "AH 2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH"
    assert first(bot, table, ("AC", queens), king_bonus=5) == "0.0 play JK1 work0>foundation1 =KH ok"


@pytest.mark.parametrize("bot", BOTS)
def test_an_open_joker_is_played_rather_than_covered(bot: str) -> None:
    table = {"nerts": "9C 4C", "work0": "JK1"} | FULL
    assert first(bot, table, ("AC",)) == "0.0 play JK1 work0>foundation0 =2C ok"


@pytest.mark.parametrize("bot", ["greedy", "careful"])
def test_a_nerts_card_goes_where_no_joker_is_covered(bot: str) -> None:
    table = {"nerts": "9C QC", "work0": "JK1"} | FULL
    assert first(bot, table, ("AC",)) == "0.0 build QC nerts>work2 ok"


@pytest.mark.parametrize("bot", BOTS)
def test_a_joker_on_the_nerts_pile_is_played_at_once(bot: str) -> None:
    table = {"nerts": "9C JK1", "work0": "5H", "work1": "KC", "work2": "KS", "work3": "KH"}
    assert first(bot, table, ("AC 2C",)) == "0.0 play JK1 nerts>foundation0 =3C ok"


def test_hasty_does_anything_with_a_joker_but_declares_it_well() -> None:
    table = {"nerts": "9C 6H", "work0": "JK1"} | FULL
    found = {first("hasty", table, ("AC 2C", "AH 2H 3H 4H"), seed) for seed in range(20)}
    assert {action for action in found if " play " in action} == {"0.0 play JK1 work0>foundation1 =5H ok"}
    assert len(found) > 1

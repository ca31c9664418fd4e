"""One deal again: what `nertsim.replay` takes and gives, and its text."""

from __future__ import annotations

import json
import time
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nertsim
from nertsim.replay.text import WIDTH

from .agreement import random_table


def text_of(bots: str = "greedy", **keywords: object) -> str:
    return nertsim.replay(bots, seed=1, **keywords).text()  # type: ignore[arg-type]


def test_a_text_is_readable_from_the_layout_to_the_score() -> None:
    lines = text_of(deal=3, seats=2).splitlines()
    assert lines[0] == "Deal 3 of seed 1: 2 seats, standard rules"
    assert lines[2] == "seat 0  greedy  nerts  JC (13)  work  7H  6D  2S  KD  stock 35"
    assert lines[5] == "   0.997 s  0   greedy  draws 3, waste shows KS"
    assert any(line.startswith("The deal ended at ") for line in lines)
    assert lines[-3].split() == ["seat", "bot", "foundation", "kings", "nerts", "left", "score"]


@settings(max_examples=40)
@given(st.integers(0, 2**64).map(Random))
def test_a_text_fits_into_80_columns_and_tells_every_action(random: Random) -> None:
    table = random_table(random, 12)
    replay = nertsim.replay(table.bots, table.rules, table.seed, 5)
    text = replay.text()
    assert max(map(len, text.splitlines())) <= WIDTH
    told = sum(line[8:11] == " s " for line in text.splitlines())
    assert told == sum(record["action"] != "wait" for record in replay.records[1:-1])


def test_what_a_text_says_is_on_top_is_what_is_played_from_there() -> None:
    replay = nertsim.replay("greedy", seed=2, deal=9, seats=3)
    shown: dict[tuple[str, str], str] = {}
    for line in replay.text().splitlines():
        words = line.split()
        if line[8:11] != " s " or "gives up" in line:
            continue
        seat = words[2]
        if " from waste " in line and "too late" not in line:
            assert shown.get((seat, "waste"), words[4]) == words[4]
            shown.pop((seat, "waste"), None)
        if "waste shows" in line:
            shown[seat, "waste"] = words[-1]


def test_a_replay_takes_what_simulate_takes() -> None:
    one = nertsim.replay("greedy", nertsim.Rules(seats=3), 7, 2)
    other = nertsim.replay(["greedy"] * 3, seats=3, seed=7, deal=2)
    assert one.lines() == other.lines()
    assert one.score["ended"] in ("called", "stuck", "time_limit")
    assert len(nertsim.replay(seats=1).lines()) > 2


def test_the_deals_of_a_dealer_do_not_get_mixed_up() -> None:
    first = nertsim.replay("greedy", seed=7, seats=2).lines()
    assert nertsim.replay("hasty", seed=7, seats=2).lines() != first
    assert nertsim.replay("greedy,speed=2", seed=7, seats=2).lines() != first
    assert nertsim.replay("greedy", seed=7, seats=2).lines() == first


@pytest.mark.parametrize(
    "keywords", [{"seed": -1}, {"deal": -1}, {"bots": "gredy"}, {"rules": "nothing"}, {"bots": ["greedy"] * 3}]
)
def test_what_cannot_be_accepted_is_told(keywords: dict[str, object]) -> None:
    with pytest.raises(nertsim.UsageError):
        nertsim.replay(**keywords)  # type: ignore[arg-type]


def test_lines_are_compact_json() -> None:
    line = nertsim.replay("greedy", seed=1, seats=1).lines()[1]
    assert line == json.dumps(json.loads(line), separators=(",", ":"))


@pytest.mark.slow
def test_a_range_of_deals_is_replayed_in_seconds() -> None:
    nertsim.replay("greedy", seed=1)
    start = time.perf_counter()
    for deal in range(500):
        nertsim.replay("greedy", seed=1, deal=deal).lines()
    assert time.perf_counter() - start < 10

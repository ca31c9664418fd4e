"""The engine against the reference: the same trace, line by line, on random tables; and what follows from a trace.

The slow lanes play 2,000 deals of each kind; NERTSIM_DEALS=50000 makes them as long as wanted.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import nertsim
from nertsim.dealer import Dealer
from nertsim.rules import Rules

from .agreement import Table, check_deals, engine_records, random_table, reference_records, standard_table

FAST, SLOW = 300, int(os.environ.get("NERTSIM_DEALS", "2000"))
DEALS_A_TABLE = 3

relaxed = settings(max_examples=FAST // DEALS_A_TABLE, suppress_health_check=[HealthCheck.too_slow])
seats = st.sampled_from((1, 2, 2, 3, 3, 4, 4, 4, 5, 6, 8))
first_deal = st.integers(0, 10**9)
# What hypothesis draws number by number shrinks well, but tends to small numbers.
randoms = st.one_of(st.randoms(use_true_random=False), st.integers(0, 2**64).map(Random))


@relaxed
@given(randoms, seats, first_deal)
def test_standard_deals_agree(random: Random, most_seats: int, first: int) -> None:
    check_deals(standard_table(random, most_seats), first, DEALS_A_TABLE)


@relaxed
@given(randoms, seats, first_deal)
def test_deals_by_random_rules_agree(random: Random, most_seats: int, first: int) -> None:
    check_deals(random_table(random, most_seats), first, DEALS_A_TABLE)


LANES = 20


@pytest.mark.slow
@pytest.mark.parametrize("lane", range(LANES))
@pytest.mark.parametrize("kind", ["standard", "random"])
def test_many_deals_agree(kind: str, lane: int) -> None:
    draw = standard_table if kind == "standard" else random_table
    for number in range(lane, SLOW, LANES):
        random = Random(f"{kind} {number}")
        check_deals(draw(random, 12), random.randrange(10**9))


@pytest.mark.parametrize("hands", [1, 2])
def test_the_reference_keeps_its_invariants_where_it_agrees(hands: int) -> None:
    for number in range(5):
        random = Random(f"invariants {number}")
        table = random_table(random)
        table = table._replace(rules=table.rules.replace(hands=hands, jokers=2 if hands == 2 else 0))
        records, _ = engine_records(table, Dealer(*table), number)
        assert records == reference_records(table, number, check_invariants=True)


def plain_tables() -> list[Table]:
    """A handful of tables for engines that are slow: one of each kind of state, jokers and partners among them."""
    tables = [random_table(Random(f"plain {number}"), 3) for number in range(6)]
    rules = Rules(seats=2, time_limit_us=40_000_000)
    return [Table(rules, table.bots[:1] * 2, table.seed) for table in tables[:2]] + tables


def rows_of_plain_tables() -> list[list[int]]:
    """All numbers that the engine reports of the plain tables."""
    rows = []
    for table in plain_tables():
        dealer = Dealer(*table)
        chunk = dealer.play(0, 1)
        log, _ = dealer.log(0)
        rows.append([*chunk.seats.ravel().tolist(), *chunk.deals.ravel().tolist(), *log.ravel().tolist()])
    return rows


def test_the_engine_plays_the_same_without_being_compiled() -> None:
    code = "import json; from tests.test_engine_against_reference import *; print(json.dumps(rows_of_plain_tables()))"
    environment = dict(os.environ) | {"NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == rows_of_plain_tables()


def test_a_replay_is_the_trace_of_the_reference() -> None:
    table = standard_table(Random("replay"), 4)
    replay = nertsim.replay(table.bots, table.rules, table.seed, 17)
    assert [json.loads(line) for line in replay.lines()] == reference_records(table, 17)
    assert replay.score == {name: value for name, value in replay.records[-1].items() if name != "type"}

"""The same seed gives identical rows: for any threads, chunks and first deal, on another day, and un-jitted."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import nertsim
from nertsim.rules import Rules

SEED = 17
BOTS = ["greedy", "random,speed=1.5", "hasty,tempo=expert", "careful,tempo=beginner"]
TABLES: dict[str, dict[str, Any]] = {
    "standard": {"bots": BOTS},
    "alone": {"bots": "greedy", "rules": Rules(seats=1)},
    "twelve seats": {"bots": "greedy", "rules": Rules(seats=12)},
    "two hands and jokers": {"bots": BOTS[:2], "rules": Rules(seats=2, hands=2, jokers=2, rotation="shuffle")},
}


def rows(table: str, **keywords: Any) -> tuple[pd.DataFrame, pd.DataFrame]:
    run = nertsim.simulate(**({"seed": SEED, "threads": 1} | TABLES[table] | keywords))
    return run.seats, run.deals


def assert_same(one: tuple[pd.DataFrame, pd.DataFrame], two: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    for left, right in zip(one, two, strict=True):
        pd.testing.assert_frame_equal(left.reset_index(drop=True), right.reset_index(drop=True), check_exact=True)


def part(whole: tuple[pd.DataFrame, pd.DataFrame], first: int, deals: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    seats, games = (frame[frame["deal"].between(first, first + deals - 1)] for frame in whole)
    return seats, games


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("chunk", [1, 37, 300])
def test_rows_do_not_depend_on_threads_and_chunks(table: str, threads: int, chunk: int) -> None:
    assert_same(rows(table, deals=150, threads=threads, chunk=chunk), rows(table, deals=150, chunk=50))


@pytest.mark.parametrize("table", TABLES)
def test_a_deal_is_the_same_whichever_deal_came_before(table: str) -> None:
    whole = rows(table, deals=60)
    assert_same(rows(table, first_deal=23, deals=20), part(whole, 23, 20))
    for deal in (0, 1, 59):
        assert_same(rows(table, first_deal=deal, deals=1), part(whole, deal, 1))


def test_deals_far_out_are_deals_like_others() -> None:
    far = 10**12 - 50
    assert_same(rows("standard", first_deal=far, deals=40), rows("standard", first_deal=far, deals=40, chunk=3))
    assert len(set(rows("standard", first_deal=far, deals=40)[1]["duration_us"])) == 40


def test_a_summary_is_the_same_for_any_threads_and_chunks() -> None:
    one = nertsim.simulate(BOTS, deals=3000, seed=SEED, threads=1, chunk=3000, keep="summary")
    two = nertsim.simulate(BOTS, deals=3000, seed=SEED, threads=2, chunk=17, keep="summary")
    assert one.totals == two.totals


FROZEN = {
    "greedy": [
        (56268843, 3, 177, [-1, 13, -4, 11]),
        (83015181, 3, 257, [4, -2, 0, 19]),
        (49942679, 0, 152, [10, -3, -15, -1]),
        (117932298, 2, 357, [1, 16, 16, 18]),
        (28341490, 3, 89, [-17, -18, -23, 6]),
    ],
}
"""Duration in µs, caller, actions and scores of the first deals of seed 1 with four seats."""


@pytest.mark.parametrize("bot", FROZEN)
def test_the_deals_of_seed_1_are_what_they_always_were(bot: str) -> None:
    """Where the model, a bot or a tempo is changed on purpose, these change; where they change, say so in the notes."""
    run = nertsim.simulate(bot, seats=4, deals=len(FROZEN[bot]), seed=1)
    scores = run.seats["score"].to_numpy().reshape(-1, 4).tolist()
    columns = [run.deals[name].tolist() for name in ("duration_us", "caller", "actions")]
    assert list(zip(*columns, scores, strict=True)) == FROZEN[bot]


PRINT_ROWS = """
import sys
from tests.test_reproducible import TABLES, digest, rows
for table in TABLES:
    print(table, digest(rows(table, deals=int(sys.argv[1]))), sep=": ")
"""


def digest(frames: tuple[pd.DataFrame, pd.DataFrame]) -> str:
    """A hash of every value of the rows."""
    text = "".join(frame.to_csv(index=False) for frame in frames)
    return hashlib.sha256(text.encode()).hexdigest()


def digests(deals: int, **environment: str) -> dict[str, str]:
    """The hashes of all tables' rows, from a process of their own."""
    done = subprocess.run(
        [sys.executable, "-c", PRINT_ROWS, str(deals)],
        cwd=Path(__file__).parent.parent,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return dict(line.split(": ") for line in done.stdout.splitlines())


def test_un_jitted_and_in_another_process_the_rows_are_the_same() -> None:
    expected = {table: digest(rows(table, deals=4)) for table in TABLES}
    assert digests(4) == expected
    assert digests(4, NUMBA_DISABLE_JIT="1") == expected


@pytest.mark.slow
def test_un_jitted_the_rows_are_the_same_in_more_deals() -> None:
    assert digests(40, NUMBA_DISABLE_JIT="1") == {table: digest(rows(table, deals=40)) for table in TABLES}

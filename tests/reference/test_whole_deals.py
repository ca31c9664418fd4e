"""Whole deals under all options, with the invariants checked after every event."""

from __future__ import annotations

import numpy as np
import pytest

from nertsim.engine import layout
from nertsim.rules import CALLING, FOUNDATIONS, GAPS, MID_AIR, ROLES, ROTATION, RUNS, TIE, Rules
from nertsim.tempo import Tempo

from . import SeatSetup, play_reference
from .legal import legal_actions, still_possible
from .pieces import Hand, Table
from .scenario import exact_tempo


class Careless:
    """A bot that takes any action, waits sometimes, and checks that the list is sound."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)

    def __call__(self, view, parameters, scratch, noise):
        count = int(view.facts[layout.ACTION_COUNT])
        actions = view.facts[layout.ACTIONS : layout.ACTIONS + count].tolist()
        assert actions == sorted(set(actions))
        if count == 0 or self.random.random() < 0.1:
            return -int(self.random.integers(1000, 3_000_000))
        return int(self.random.integers(count))


def some_rules(random):
    """Rules at random, every option with every value."""
    pick = random.choice
    seats = int(random.integers(1, 6))
    return Rules(
        seats=seats, hands=tuple(int(pick([1, 2])) for _ in range(seats)), roles=str(pick(ROLES)),
        nerts=tuple(int(pick([1, 7, 13, 21])) for _ in range(seats)), work_piles=int(random.integers(1, 8)),
        draw=int(random.integers(1, 6)), leftover=bool(pick([0, 1])), penalty=int(pick([0, 1, 2])),
        call_bonus=int(pick([0, 10])), king_bonus=int(pick([0, 5])), calling=str(pick(CALLING)),
        mid_air=str(pick(MID_AIR)), tie=str(pick(TIE)), tie_window_us=int(pick([0, 30_000, 500_000])),
        gaps=str(pick(GAPS)), runs=str(pick(RUNS)), slide=bool(pick([0, 1])), rotation=str(pick(ROTATION)),
        foundations=str(pick(FOUNDATIONS)), jokers=int(random.integers(0, 5)), joker_unfix=bool(pick([0, 1])),
        time_limit_us=int(pick([60_000_000, 300_000_000])),
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(40))
def test_whole_deals_under_any_rules_keep_the_invariants(seed):
    rules = some_rules(np.random.default_rng(seed))
    tempo = Tempo(oversight=0.1).to_kernel()
    setups = [
        SeatSetup("careless", Careless(seed + n), [], 0, [tempo] * hands) for n, hands in enumerate(rules.hands_list)
    ]
    lines = play_reference(rules, setups, seed, 0, check_invariants=True)
    assert lines[0]["rules"] == rules.to_dict() and [line["type"] for line in lines[1:-1]] == ["action"] * (
        len(lines) - 2
    )
    times = [line["t"] for line in lines[1:-1]]
    assert times == sorted(times) and lines[-1]["ended"] in ("called", "stuck", "time_limit")


def test_every_listed_action_is_still_possible():
    """The list of a free hand and the look at the lift agree."""
    seen: list[Hand] = []

    def watch(table: Table) -> None:
        for seat in table.seats:
            seen.extend(seat.hands)
            for hand in seat.hands:
                assert all(still_possible(table, hand, action) for action in legal_actions(table, hand))

    setups = [SeatSetup("w", lambda *_: -(10**7), [], 0, [exact_tempo()] * 2)] * 4
    for deal in range(20):
        play_reference(Rules(jokers=4, hands=2, time_limit_us=1), setups, 5, deal, arrange=watch)
    assert len(seen) == 160

"""Section 5: what a bot sees, and that it is nothing else."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from nertsim.bots import view as words
from nertsim.cards import HIDDEN
from nertsim.codes import Action as Kind
from nertsim.engine import layout
from nertsim.rules import Rules

from . import SeatSetup, callable_bot, play_reference
from .pieces import Table
from .scenario import Script, exact_tempo, run

REST = {"stock": "KC KD KH KS"}


def test_hidden_cards_leave_every_view_unchanged():
    """Section 5: other orders under the nerts tops and in the unseen stock show nothing."""
    views = []
    for order in (1, -1):
        script = Script("draw", "wait 1000000")

        def swap(table: Table, order=order) -> None:
            for seat in table.seats:
                seat.nerts[:-1] = seat.nerts[:-1][::order]
                seat.stock[:-3] = seat.stock[:-3][::order]

        setups = [SeatSetup("script", script, [], 0, [exact_tempo()])] * 1
        play_reference(Rules(seats=1, time_limit_us=2_000_000), setups, 1, 1, arrange=swap)
        views.append(script.views)
    assert len(views[0]) == len(views[1]) > 2
    for first, second in zip(*views, strict=True):
        assert all((one == other).all() for one, other in zip(first, second, strict=True))


def test_facts_of_a_deal_and_of_a_match():
    script = Script()
    rules = Rules(seats=3, draw=2, work_piles=5, penalty=1, call_bonus=5, king_bonus=3, target=77, time_limit_us=1)
    setups = [SeatSetup("s", script, [], 0, [exact_tempo()])] * 3
    play_reference(rules, setups, 1, 1)
    play_reference(rules, setups, 1, 1, scores=[10, -20, 30])
    single, match = script.views[0].facts, script.views[3].facts
    constant = [layout.SEATS, layout.DRAW_COUNT, layout.WORK_PILES, layout.PENALTY, layout.CALL_BONUS]
    assert list(single[constant]) == [3, 2, 5, 1, 5] and single[layout.KING_BONUS] == 3 and single[layout.HANDS] == 1
    assert single[layout.TARGET] == 0 and list(single[layout.SCORES : layout.SCORES + 3]) == [0, 0, 0]
    assert match[layout.TARGET] == 77 and list(match[layout.SCORES : layout.SCORES + 3]) == [10, -20, 30]
    assert sorted(int(view.facts[layout.SEAT]) for view in script.views[:3]) == [0, 1, 2]


def test_views_are_read_only_and_scratch_is_shared_by_the_hands_of_a_seat():
    notes = []

    def bot(view, parameters, scratch, noise):
        for array in (*view, parameters):
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 1
        notes.append((scratch[:1].tolist(), parameters.tolist(), type(noise)))
        scratch[0] += 1
        return -50_000_000

    setups = [SeatSetup("s", bot, [0.5, 2], 1, [exact_tempo()] * 2)]
    play_reference(Rules(seats=1, hands=2, time_limit_us=100), setups, 1, 1)
    assert notes == [([0.0], [0.5, 2.0], np.uint64), ([1.0], [0.5, 2.0], np.uint64)]


def test_oversight_never_hides_stock_actions_and_calls():
    script = Script(*["wait 100000"] * 200)
    table = {"nerts": "", "waste": "AS", "work0": "2H", "work1": "3S"} | REST
    run([table], [script], (), [[exact_tempo(oversight=16384)]])
    lists = [set(actions) for _, _, actions in script.seen]
    assert all({"call", "draw stock waste x3"} <= actions for actions in lists)
    share = sum("play waste foundation0 AS" in actions for actions in lists) / len(lists)
    assert 0.4 < share < 0.6


@numba.njit
def first_card(view, parameters, scratch, noise):
    """A compiled bot in the words of `nertsim.bots.view`."""
    if words.action_count(view) == 0 or words.nerts_top(view, words.my_seat(view)) == HIDDEN:
        return words.wait(100_000)
    scratch[0] += words.uniform(noise, 0)
    return np.int64(0)


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")
def test_a_compiled_bot_plays_as_well():
    def plain(view, parameters, scratch, noise):
        return 0 if view.facts[layout.ACTION_COUNT] else -100_000

    traces = []
    for bot in (callable_bot(first_card), plain):
        setups = [SeatSetup("s", bot, [], 1, [exact_tempo()])] * 2
        traces.append(play_reference(Rules(seats=2, time_limit_us=60_000_000), setups, 1, 1))
    assert traces[0] == traces[1] and any(line.get("action") == Kind.DRAW.name.lower() for line in traces[0])

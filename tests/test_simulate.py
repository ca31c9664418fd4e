"""`nertsim.simulate`: the same rows however they are played, and every wrong request told at once."""

from __future__ import annotations

import ctypes
import itertools
import signal
import sys
import threading
import time
from typing import Any

import pandas as pd
import pytest

import nertsim
from nertsim import BotError, BotFault, RulesError, Tempo, UsageError, batch
from nertsim.bots.builtin_names import BUILTIN
from nertsim.bots.spec import bot_from_dict, parse_bot, seat_bots
from nertsim.executors import WAITING, in_order
from nertsim.experiments.match import make_match_plan
from nertsim.rules import Rules
from nertsim.simulate import make_plan
from tests.fakes import FakeDealer

DEALS = 200


def play(**keywords: Any) -> nertsim.Run:
    return nertsim.simulate(**({"bots": "greedy", "deals": DEALS, "seed": 5} | keywords))


@pytest.fixture(scope="module")
def run() -> nertsim.Run:
    return play(threads=1, chunk=DEALS)


@pytest.mark.parametrize(("threads", "chunk"), [(1, 7), (2, 64), (2, None), (5, 1)])
def test_rows_do_not_depend_on_threads_and_chunks(run: nertsim.Run, threads: int, chunk: int | None) -> None:
    other = play(threads=threads, chunk=chunk)
    pd.testing.assert_frame_equal(run.seats, other.seats)
    pd.testing.assert_frame_equal(run.deals, other.deals)
    assert run.totals == other.totals


def test_a_later_first_deal_gives_the_same_deals(run: nertsim.Run) -> None:
    later = play(first_deal=120, deals=50)
    expected = run.seats[run.seats["deal"].between(120, 169)].reset_index(drop=True)
    pd.testing.assert_frame_equal(later.seats, expected)
    assert later.summary["first_deal"] == 120


def test_another_seed_gives_other_deals(run: nertsim.Run) -> None:
    assert not run.deals["duration_us"].equals(play(seed=6).deals["duration_us"])


def test_a_seed_is_drawn_and_recorded() -> None:
    one = play(seed=None, deals=5)
    again = play(seed=one.seed, deals=5)
    assert 0 <= one.seed < 2**63
    assert one.seed != play(seed=None, deals=5).seed
    pd.testing.assert_frame_equal(one.seats, again.seats)


def test_what_is_kept_is_what_was_asked_for() -> None:
    deals = play(keep="deals")
    assert len(deals.deals) == DEALS
    with pytest.raises(UsageError, match="rows a seat of this run were not kept"):
        _ = deals.seats
    with pytest.raises(UsageError, match="rows a deal of this run were not kept"):
        _ = play(keep="summary").deals


def test_ten_million_rows_are_kept_and_not_more() -> None:
    assert make_plan("greedy", None, 4, 2_500_000, 1, 0, None).keep == "seats"
    assert make_plan("greedy", None, 4, 2_500_001, 1, 0, None).keep == "summary"


def test_the_summary_has_the_keys_that_programs_read(run: nertsim.Run) -> None:
    keys = {"deals", "seed", "seconds", "deals_per_second", "ended", "mean_deal_seconds", "actions_per_deal", "seats"}
    assert keys <= run.summary.keys()
    assert set(run.summary["ended"]) == {"called", "stuck", "time_limit"}
    assert sum(run.summary["ended"].values()) == pytest.approx(1)
    seat_keys = [
        "seat",
        "bot",
        "mean_score",
        "score_ci",
        "win_rate",
        "win_rate_ci",
        "call_rate",
        "foundation",
        "nerts_left",
    ]
    for record in run.summary["seats"]:
        assert set(seat_keys) <= record.keys()
    assert sum(record["win_rate"] for record in run.summary["seats"]) == pytest.approx(1)
    assert "200 deals" in repr(run)


def test_summary_tables_have_a_row_a_seat_and_a_row_a_bot() -> None:
    run = play(bots=["greedy", "greedy,speed=1.5", "greedy"], seats=3)
    assert list(run.by_seat.index) == [0, 1, 2]
    assert list(run.by_bot.index) == ["greedy", "greedy,speed=1.5"]
    assert run.by_bot.loc["greedy", "mean_score"] == pytest.approx(run.by_seat.loc[[0, 2], "mean_score"].mean())
    assert {"score_ci_low", "score_ci_high", "win_rate_ci_low"} <= set(run.by_seat.columns)


def test_a_faster_hand_scores_more() -> None:
    run = play(bots=["greedy,speed=1.5", "greedy"], seats=2, deals=500)
    assert run.by_seat.loc[0, "score_ci_low"] > run.by_seat.loc[1, "score_ci_high"]


def test_progress_is_told_after_each_chunk() -> None:
    told: list[tuple[int, int]] = []
    play(chunk=64, progress=lambda played, deals: told.append((played, deals)))
    assert told == [(64, 200), (128, 200), (192, 200), (200, 200)]


@pytest.mark.parametrize(
    ("wrong", "error", "words"),
    [
        ({"deals": 0}, UsageError, "deals must be a whole number from 1 to"),
        ({"deals": -5}, UsageError, "not -5"),
        ({"deals": 1.5}, UsageError, "not 1.5"),
        ({"deals": True}, UsageError, "not True"),
        ({"deals": "many"}, UsageError, "not 'many'"),
        ({"seed": -1}, UsageError, "seed must be"),
        ({"seed": 2**63}, UsageError, "seed must be"),
        ({"threads": 0}, UsageError, "threads must be"),
        ({"chunk": 0}, UsageError, "chunk must be"),
        ({"first_deal": -1}, UsageError, "first_deal must be"),
        ({"keep": "seat"}, UsageError, "did you mean 'seats'?"),
        ({"seats": 0}, RulesError, "seats must be a whole number from 1 to 12"),
        ({"rules": "standrad"}, RulesError, "did you mean 'standard'?"),
        ({"rules": "/nowhere/rules.toml"}, RulesError, "cannot read the rules in /nowhere/rules.toml"),
        ({"bots": "gredy"}, BotError, "did you mean 'greedy'?"),
        ({"bots": ["greedy"] * 3}, BotError, "3 bots for 4 seats"),
        ({"bots": []}, BotError, "0 bots for 4 seats"),
    ],
)
def test_a_wrong_request_is_refused(wrong: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error) as caught:
        play(**wrong)
    assert words in str(caught.value)
    assert isinstance(caught.value, ValueError)


def test_a_whole_float_is_a_number_of_deals() -> None:
    assert play(deals=1e1).totals.deals == 10


# How a bot is written


def test_a_bot_line_names_strategy_tempo_and_values() -> None:
    bot = parse_bot("greedy, oversight=0.1, tempo=expert,speed=2")
    assert bot.strategy is BUILTIN["greedy"]
    assert bot.tempo == nertsim.Tempo(
        **(parse_bot("greedy,tempo=expert").tempo.to_dict() | {"oversight": 0.1, "speed": 2})
    )
    assert bot.label == "greedy,oversight=0.1,tempo=expert,speed=2"
    assert bot_from_dict(bot.to_dict()) == bot


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no bot called ''"),
        ("gready", "did you mean 'greedy'?"),
        ("greedy,sped=2", "did you mean 'speed'?"),
        ("greedy,speed", "'speed' in the bot 'greedy,speed' is not of the form key=value"),
        ("greedy,speed=", "is not of the form key=value"),
        ("greedy,speed=fast", "speed must be a number, not 'fast'"),
        ("greedy,speed=0", "speed must be a number from 0.01 to 100"),
        ("greedy,speed=nan", "speed must be a number from 0.01 to 100"),
        ("greedy,speed=1,speed=2", "speed stands twice"),
        ("greedy,tempo=exprt", "did you mean 'expert'?"),
        ("greedy,tempo=/nowhere/t.toml", "cannot read the tempo in /nowhere/t.toml"),
        ("mybot.py:clever", "cannot read the bot file mybot.py"),
    ],
)
def test_a_wrong_bot_line_is_refused(text: str, words: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_bot(text)
    assert words in str(caught.value)


def test_a_tempo_file_is_read(tmp_path: Any) -> None:
    file = tmp_path / "slow.toml"
    file.write_text("speed = 0.5 # half\n")
    assert parse_bot(f"greedy,tempo={file}").tempo == Tempo(speed=0.5)
    file.write_text("sped = 0.5\n")
    with pytest.raises(UsageError, match=r"slow\.toml: no tempo value called 'sped'; did you mean 'speed'"):
        parse_bot(f"greedy,tempo={file}")
    file.write_text("speed = = 2")
    with pytest.raises(UsageError, match="is not TOML"):
        parse_bot(f"greedy,tempo={file}")


def test_the_second_hand_has_the_tempo_of_the_first_but_for_what_is_said() -> None:
    assert parse_bot("greedy,speed=2").second is None
    bot = parse_bot("greedy, second.oversight=0.2,speed=2,second.speed=0.9,tempo=expert")
    assert bot.second == bot.tempo.replace(oversight=0.2, speed=0.9)
    assert bot.label == "greedy,second.oversight=0.2,speed=2,second.speed=0.9,tempo=expert"
    assert parse_bot("greedy,speed=2,second.tempo=beginner").second == parse_bot("greedy,tempo=beginner").tempo
    for text in ("greedy", "greedy,tempo=expert,second.speed=0.9", "greedy,second.tempo=beginner"):
        bot = parse_bot(text)
        assert bot_from_dict(bot.to_dict()) == bot
        named = nertsim.Bot(bot.strategy, bot.tempo, bot.values, second=bot.second)
        assert named.label == text
        assert parse_bot(named.label) == bot


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("greedy,second.sped=2", "did you mean 'second.speed'?"),
        ("greedy,second.speed=fast", "second.speed must be a number, not 'fast'"),
        ("greedy,second.speed=0", "second.speed must be a number from 0.01 to 100"),
        ("greedy,second.tempo=exprt", "did you mean 'expert'?"),
        ("greedy,second.speed=1,second.speed=2", "second.speed stands twice"),
        ("greedy,second.=2", "no value of the bot greedy called 'second.'"),
    ],
)
def test_a_wrong_second_tempo_is_refused(text: str, words: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_bot(text)
    assert words in str(caught.value)


def test_a_second_tempo_wants_a_second_hand() -> None:
    bots = ["greedy", "greedy,second.speed=0.9"]
    words = "'greedy,second.speed=0.9' has a tempo for a second hand, but seat 1 has one hand"
    for ask in (nertsim.simulate, nertsim.replay, nertsim.match):
        with pytest.raises(BotError, match=words):
            ask(bots, seats=2)
    with pytest.raises(BotError, match="seat 1 has one hand"):
        seat_bots(bots, 2, (2, 1))
    assert len(seat_bots(bots, 2, (1, 2))) == 2


def test_a_slow_second_hand_costs_points() -> None:
    bots = ["greedy", "greedy,second.speed=0.5"]
    run = play(bots=bots, rules=Rules(seats=2, hands=2), deals=400)
    assert run.by_seat.loc[0, "score_ci_low"] > run.by_seat.loc[1, "score_ci_high"]
    first, last = (nertsim.replay([bots[0], one], Rules(seats=2, hands=2), 1).lines() for one in bots)
    assert first != last


def test_bots_made_in_python_are_named_by_what_differs() -> None:
    greedy = BUILTIN["greedy"]
    assert nertsim.Bot(greedy).label == "greedy"
    assert nertsim.Bot(greedy, Tempo(speed=1.5)).label == "greedy,speed=1.5"
    assert nertsim.Bot(greedy, parse_bot("greedy,tempo=expert").tempo).label == "greedy,tempo=expert"
    assert nertsim.Bot(greedy, label="mine").label == "mine"


def test_parameters_are_checked_by_name_and_range() -> None:
    known = {"hold": nertsim.Parameter(1.0, 0.0, 4.0, "how long"), "wide": nertsim.Parameter(2.0, 0.0, 9.0, "how wide")}
    strategy = nertsim.Strategy("mine", None, "for a test", known)
    assert nertsim.Bot(strategy, values={"wide": 3}).vector() == [1.0, 3.0]
    assert nertsim.Bot(strategy, values={"wide": 3}).label == "mine,wide=3"
    with pytest.raises(BotError, match="did you mean 'hold'"):
        nertsim.Bot(strategy, values={"holt": 1})
    with pytest.raises(BotError, match="hold must be from 0 to 4"):
        nertsim.Bot(strategy, values={"hold": 5})


def test_one_bot_stands_for_all_seats() -> None:
    assert len(seat_bots("greedy", 5)) == 5
    assert len(seat_bots([BUILTIN and parse_bot("greedy")], 5)) == 5
    assert [bot.label for bot in seat_bots(["greedy", "hasty"], 2)] == ["greedy", "hasty"]


def test_every_builtin_strategy_has_its_function() -> None:
    for strategy in BUILTIN.values():
        assert callable(strategy.decide)
    with pytest.raises(AttributeError):
        _ = BUILTIN["greedy"].nothing


# The executor


def test_results_come_in_order_whatever_the_threads_do() -> None:
    def task(span: tuple[int, int]) -> int:
        time.sleep(0.002 * (span[0] % 3))
        return span[0]

    assert list(in_order(task, [(number, number + 1) for number in range(20)], 4)) == list(range(20))


def test_a_slow_reader_slows_the_players_down() -> None:
    begun: list[int] = []

    def task(span: tuple[int, int]) -> int:
        begun.append(span[0])
        return span[0]

    results = in_order(task, ((number, number + 1) for number in range(10**9)), 2)
    for _ in range(10):
        next(results)
        time.sleep(0.002)
    assert len(begun) <= 10 + 2 + WAITING
    results.close()
    assert threading.active_count() < 50


def test_an_error_comes_in_its_turn() -> None:
    def task(span: tuple[int, int]) -> int:
        if span[0] == 5:
            raise BotFault("seat 1")
        return span[0]

    seen = []
    with pytest.raises(BotFault):
        for result in in_order(task, [(number, number + 1) for number in range(20)], 4):
            seen.append(result)
    assert seen == [0, 1, 2, 3, 4]


def test_chunks_end_where_a_part_ends() -> None:
    plan = make_plan("greedy", None, 4, 600_000, 1, 77, "summary")
    spans = list(plan.spans(plan.first, 99_999))
    assert spans[0][0] == 77
    assert spans[-1][1] == 600_077
    assert all(one[1] == two[0] for one, two in itertools.pairwise(spans))
    assert {77 + plan.part_units, 77 + 2 * plan.part_units} <= {last for _, last in spans}


@pytest.mark.parametrize("deal_seconds", [2e-5, 2e-3, 0.03, 0.2])
def test_a_chunk_takes_under_half_a_second_however_slow_the_bots(
    monkeypatch: pytest.MonkeyPatch, deal_seconds: float
) -> None:
    """On a clock of its own, which every deal moves on."""
    now = [0.0]

    class Slow(FakeDealer):
        def play(self, first: int, last: int) -> Any:
            now[0] += 30 * 2e-5 + deal_seconds * (last - first)
            return super().play(first, last)

    monkeypatch.setattr("nertsim.plans.time.perf_counter", lambda: now[0])
    dealer: Any = Slow(4)
    deals = make_plan("greedy", None, 4, 10**6, 1, 0, "summary").fitting_chunk(dealer, 2)
    assert deal_seconds * deals < 0.5
    assert deal_seconds * deals > 0.07 or deals == 8192
    assert now[0] < 1.5, "the trial"
    now[0] = 0.0
    matches = make_match_plan("greedy", None, 4, 10**5, 1, "summary").fitting_chunk(dealer, 2)
    assert matches == 1 or 12 * deal_seconds * matches < 0.5
    assert 1 <= matches <= 256


@pytest.mark.parametrize(("seconds", "told"), [(0.0, []), (0.3, [batch.COMPILING])])
def test_the_compiling_notice_is_told_only_where_it_takes_long(
    monkeypatch: pytest.MonkeyPatch, seconds: float, told: list[str]
) -> None:
    def make(rules: Rules, bots: Any, seed: int) -> FakeDealer:
        time.sleep(seconds)
        return FakeDealer(rules.seats)

    monkeypatch.setattr("nertsim.dealer.Dealer", make)
    monkeypatch.setattr(batch, "PATIENCE_SECONDS", 0.1)
    notes: list[str] = []
    play(rules=Rules(seats=2), notice=notes.append)
    assert notes == told


def test_an_interrupt_that_llvm_would_lose_is_sent_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(rules: Rules, bots: Any, seed: int) -> FakeDealer:
        def interrupt() -> None:
            raise KeyboardInterrupt

        ctypes.CFUNCTYPE(None)(interrupt)()
        for _ in range(500):
            time.sleep(0.01)
        return FakeDealer(rules.seats)

    monkeypatch.setattr("nertsim.dealer.Dealer", lost)
    hook, start = sys.unraisablehook, time.perf_counter()
    # Tests that a shell runs in the background ignore interrupts; this one is to see them.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            play(rules=Rules(seats=2))
    finally:
        signal.signal(signal.SIGINT, before)
    assert time.perf_counter() - start < 4
    assert sys.unraisablehook is hook

"""The plain-Python reference against the model, rule by rule, in hand-made situations.

Times: a hand thinks for 0.1 s, plays in 0.8 s, moves in 0.6 s, draws in 0.7 s, recycles in 1.3 s, rotates in 0.9 s and
calls in 0.3 s. The tests beside the reference have partnerships, jokers, views and whole deals.
"""

from __future__ import annotations

import pytest

from nertsim.cards import HIDDEN, NONE, card_text, parse_card
from nertsim.engine import layout
from nertsim.rules import Rules

from .reference import ReferenceFault, SeatSetup, play_reference, randoms
from .reference.scenario import Script, cards, exact_tempo, run, told

REST = {"stock": "KC KD KH KS"}
"""A seat that has something to turn, so that the deal is not stuck while it waits."""


def alone(layout_, *steps, common=(), **options):
    """A seat alone, with one hand; its trace in texts."""
    return told(run([layout_], [Script(*steps)], common, **options))


def first_list(layout_, common=(), hand=0, **options):
    """What is legal at the start."""
    script = Script()
    run([layout_], [script], common, **options)
    return script.legal(hand)


def both(layout_, steps, partner, tempos=None, common=(), **options):
    """A partnership alone; its trace in texts."""
    options = {"hands": 2, "roles": "free"} | options
    return told(run([layout_], [Script(*steps, partner=partner)], common, tempos and [tempos], **options))


# Rules 4 and 10: foundations, races


def test_rule_4_an_ace_starts_a_pile_and_its_suit_follows():
    found = alone({"nerts": "2S AS", "waste": "AH"} | REST, "play AS", "play 2S", "play AH")
    assert found == [
        "900000 0.0 play AS nerts>foundation0 ok",
        "1800000 0.0 play 2S nerts>foundation0 ok",
        "2700000 0.0 play AH waste>foundation1 ok",
    ]


def test_rule_4_the_lowest_numbered_pile_is_aimed_at_and_a_king_closes_it():
    hearts = "AH 2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH"
    assert "play nerts foundation1 KH" in first_list({"nerts": "KH"} | REST, ["AS", hearts, hearts])
    assert first_list({"nerts": "AH"} | REST, [hearts + " KH"])[0] == "play nerts foundation1 AH"


@pytest.mark.parametrize(
    ("rule", "pile", "taken"),
    [("suit", "AS 2S", "3S"), ("colour", "AS 2H", "3C 3S"), ("any", "AS 2S", "3C 3D 3H 3S")],
)
def test_option_foundations(rule, pile, taken):
    found = {
        card
        for card in ("3C", "3D", "3H", "3S", "4S", "2S")
        if f"play nerts foundation0 {card}" in first_list({"nerts": card} | REST, [pile], foundations=rule)
    }
    assert found == set(taken.split())


def race(gap, common=("AS",), card="2S", **options):
    """Two seats play the same card, the second `gap` µs later."""
    tempos = [[exact_tempo()], [exact_tempo(play=800_000 + gap)]]
    layouts = [{"nerts": card} | REST, {"nerts": card} | REST]
    steps = ["play"], ["play", "wait 1000"]
    lines = run(layouts, [Script(*step) for step in steps], common, tempos, **options)
    return told(lines)[1], lines


def test_rule_10_a_tie_is_inclusive_at_the_window():
    text, lines = race(30_000)
    assert text == "930000 1.0 play 2S nerts>foundation0 tie"
    assert [seat["foundation"] for seat in lines[-1]["seats"]] == [1, 2]
    assert [seat["nerts_left"] for seat in lines[-1]["seats"]] == [0, 0]


def test_rule_10_later_is_rejected_and_goes_back_in_the_motion_time():
    text, lines = race(30_001)
    assert text == "930001 1.0 play 2S nerts>foundation0 rejected"
    assert lines[-1]["seats"][1] == {"seat": 1, "foundation": 1, "kings": 0, "nerts_left": 1, "score": -1}
    wait = next(line for line in lines if line.get("action") == "wait" and line["seat"] == 1)
    assert wait["decided"] == 930_001 + 830_001


def test_rule_10_options_tie_and_tie_window():
    assert race(1, tie="first")[0].endswith("rejected")
    assert race(200, tie_window_us=199)[0].endswith("rejected")
    assert race(200, tie_window_us=200)[0].endswith("tie")


def test_rule_10_a_tie_also_where_the_king_took_the_pile_away():
    text, lines = race(5, ("AS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS",), "KS", king_bonus=5)
    assert text.endswith("play KS nerts>foundation0 tie")
    assert lines[-1]["seats"][0] == {"seat": 0, "foundation": 1, "kings": 1, "nerts_left": 0, "score": 6}


def test_rule_10_the_lowest_numbered_pile_that_takes_it_comes_before_a_tie():
    assert race(5, ("AH", "AS", "AS"))[0] == "900005 1.0 play 2S nerts>foundation2 ok"


def test_rule_10_two_aces_never_race():
    assert race(5, (), "AS")[0] == "900005 1.0 play AS nerts>foundation1 ok"


def test_equal_instants_do_not_favour_a_seat():
    winners = set()
    for seed in range(12):
        lines = run([{"nerts": "2S"} | REST] * 2, [Script("play"), Script("play")], ["AS"], seed=seed)
        winners.add(lines[1]["seat"])
        assert lines[1]["t"] == lines[2]["t"] == 900_000 and lines[2]["result"] == "tie"
    assert winners == {0, 1}


# Rules 5 and 6: work piles, gaps, slides


def test_rule_5_down_in_alternating_colour():
    found = first_list({"nerts": "9H", "waste": "9C", "work0": "10S", "work1": "10D", "work2": "8H", "work3": "10H"})
    assert found == [
        "build nerts work0 9H",
        "build waste work1 9C",
        "build waste work3 9C",
        "recycle waste stock",
    ]


def test_rule_5_part_of_a_run_moves_and_gaps_take_anything_but_whole_piles():
    table = {"nerts": "KS", "waste": "2D", "work0": "10S 9H 8C", "work1": "10C", "work2": "9D"}
    assert first_list(table) == [
        "fill nerts work3 KS",
        "fill waste work3 2D",
        "move work0 work1 9H x2",
        "move work0 work2 8C x1",
        "move work0 work3 8C x1",
        "move work0 work3 9H x2",
        "move work2 work1 9D x1",
        "recycle waste stock",
    ]
    assert alone(table, "move x2 work1") == ["700000 0.0 move 9H work0>work1 x2 ok"]


def test_option_runs_whole():
    table = {"nerts": "KS", "work0": "10S 9H", "work1": "10C", "work2": "9D"}
    moves = [text for text in first_list(table, runs="whole") if text.startswith("move")]
    assert moves == ["move work2 work1 9D x1"]


def test_rule_6_slide_under_while_there_is_a_gap():
    table = {"nerts": "10S", "waste": "10D", "work0": "9H 8C", "work1": "9S", "work2": "KC"}
    slides = [text for text in first_list(table) if text.startswith("slide")]
    assert slides == ["slide nerts work0 10S", "slide waste work1 10D"]
    found = alone({"nerts": "JH 10S", "work0": "9H 8C", "work1": "KC"}, "slide 10S", "slide JH")
    assert found == ["700000 0.0 slide 10S nerts>work0 ok", "1400000 0.0 slide JH nerts>work0 ok"]
    assert not any("slide" in text for text in first_list(table | {"work3": "4C"}))
    assert not any("slide" in text for text in first_list(table, slide=False))


def test_option_gaps_at_once_leaves_nothing_else():
    table = {"nerts": "2C KS", "waste": "AD", "work0": "10S 9H"} | REST
    assert first_list(table, gaps="nerts_at_once") == ["fill nerts work1 KS"]
    assert "play waste foundation0 AD" in first_list(table | {"nerts": ""}, gaps="nerts_at_once")
    split = {"gaps": "nerts_at_once", "hands": 2}
    assert first_list(table, hand=0, **split) == ["fill nerts work1 KS"]
    assert first_list(table, hand=1, **split)[:2] == ["play waste foundation0 AD", "fill waste work1 AD"]


def test_option_gaps_at_once_with_free_roles_binds_the_partner_too():
    script = Script("fill", partner=["wait 150000"])
    table = {"nerts": "2C KS", "work0": "10S", "work1": "3D", "work2": "4H"} | REST
    run([table], [script], gaps="nerts_at_once", hands=2, roles="free")
    assert script.legal(1, 0) == ["fill nerts work3 KS"] and script.legal(1, 1) == []


# Rule 7: stock and waste


def waste_of(script, decision=-1):
    """The own waste and stock of a decision, as texts."""
    own = script.views[decision].own
    waste, stock = int(own[layout.OWN_WASTE]), int(own[layout.OWN_STOCK])
    found = [int(card) for card in own[layout.OWN_CARDS : layout.OWN_CARDS + waste + stock]]
    texts = ["?" if card == HIDDEN else card_text(card) for card in found]
    return " ".join(texts[:waste]), " ".join(texts[waste:])


def test_rule_7_triples_a_short_draw_and_the_order_kept():
    script = Script("draw x3", "draw x2", "recycle", "draw x3")
    lines = run([{"nerts": "KS", "stock": "2C 3D 4H 5S 6C"}], [script], time_limit_us=5_000_000)
    assert told(lines) == [
        "800000 0.0 draw stock>waste x3 ok",
        "1600000 0.0 draw stock>waste x2 ok",
        "3000000 0.0 recycle waste>stock ok",
        "3800000 0.0 draw stock>waste x3 ok",
    ]
    assert [waste_of(script, decision) for decision in range(5)] == [
        ("", "? ? ? ? ?"),
        ("2C 3D 4H", "? ?"),
        ("2C 3D 4H 5S 6C", ""),
        ("", "2C 3D 4H 5S 6C"),
        ("2C 3D 4H", "5S 6C"),
    ]


def test_option_leftover_false_turns_all_over():
    script = Script("draw x3", "recycle")
    run([{"nerts": "KS", "stock": "2C 3D 4H 5S 6C"}], [script], leftover=False, time_limit_us=9_000_000)
    assert script.legal(decision=1)[-1] == "recycle waste stock" and "draw" not in " ".join(script.legal(decision=1))
    assert waste_of(script, 2) == ("", "2C 3D 4H 5S 6C")


def test_option_leftover_false_turns_fewer_than_a_draw_all_the_same():
    table = {"nerts": "KS", "work0": "2H", "work1": "3H", "work2": "4H", "work3": "5H"}
    assert first_list(table | {"stock": "2C 3D"}, leftover=False) == ["draw stock waste x2"]
    assert first_list(table | {"waste": "7H", "stock": "9C"}, leftover=False) == ["draw stock waste x1"]
    assert first_list(table | {"waste": "7H 9D", "stock": "9C"}, leftover=False) == ["recycle waste stock"]
    assert first_list(table | {"waste": "7H"}, leftover=False) == ["recycle waste stock"]


# Rule 8 and section 4: rotation, exhaustion, stuck

BARREN = {"nerts": "KS", "work0": "2H", "work1": "5H", "work2": "8H", "work3": "JH", "stock": "7H 9H 10H 4H"}


def test_rule_8_rotation_after_a_fruitless_pass_until_the_next_draw_lifts():
    script = Script("draw", "draw", "recycle", "rotate", "draw")
    lines = run([BARREN], [script], time_limit_us=6_000_000)
    assert told(lines)[3] == "4000000 0.0 rotate stock>stock ok"
    assert waste_of(script, 4) == ("", "9H 10H 4H 7H")
    assert [any("rotate" in text for text in script.legal(decision=n)) for n in range(6)] == [
        False, False, False, True, False, False,
    ]  # fmt: skip


def test_option_rotation_none_and_shuffle():
    script = Script("draw", "draw", "recycle", "rotate", "draw")
    lines = run([BARREN], [script], rotation="shuffle", time_limit_us=6_000_000)
    rotate = lines[4]
    assert sorted(rotate["stock"]) == sorted(["7H", "9H", "10H", "4H"]) and list(rotate)[-2:] == ["stock", "result"]
    assert waste_of(script, 4) == ("", "? ? ? ?")
    assert waste_of(script, 5) == (" ".join(rotate["stock"][:3]), "?")
    script = Script("draw", "draw", "recycle")
    run([BARREN], [script], rotation="none", time_limit_us=6_000_000)
    assert script.legal(decision=3) == ["draw stock waste x3"]


def test_stuck_after_as_many_fruitless_passes_as_cards_are_drawn():
    lines = run([BARREN], [Script(*["draw", "draw", "recycle"] * 3)])
    assert told(lines)[-1] == "9000000 0.0 recycle waste>stock ok"
    score = {"seat": 0, "foundation": 0, "kings": 0, "nerts_left": 1, "score": -2}
    assert lines[-1] == {"type": "score", "ended": "stuck", "t": 9_000_000, "caller": None, "seats": [score]}


def test_stuck_needs_every_seat_and_any_growth_makes_fresh():
    pass_ = ["draw", "draw", "recycle"]
    helper = Script("wait 7000000", "play", *pass_ * 4)
    lines = run([BARREN, BARREN | {"nerts": "KD AD"}], [Script(*pass_ * 6), helper])
    # seat 1 plays at 7.9 s: in the third pass of seat 0, whose passes end at 12, 15 and 18 s then, and in its own first
    # one, which ends at 10.9 s; the three behind that end at 19.9 s
    assert lines[-1]["ended"] == "stuck" and lines[-1]["t"] == 19_900_000


def test_stuck_a_seat_without_stock_and_waste_waits():
    table = BARREN | {"stock": ""}
    lines = run([table | {"nerts": "KS"}, table], [Script("wait 500000"), Script("wait 200000")])
    assert (lines[-1]["ended"], lines[-1]["t"], len(lines)) == ("stuck", 0, 2)
    lines = run([table, table | {"nerts": "AS"}], [Script("wait 300000"), Script("play", "wait 1000000")])
    # growth at 0.9 s: seat 0 counts only once it has waited again
    assert (lines[-1]["ended"], lines[-1]["t"]) == ("stuck", 10_300_000)


def test_stuck_finishes_motions_and_drops_a_call():
    first, second = BARREN | {"nerts": "KS AH", "stock": "7H"}, BARREN | {"nerts": "", "stock": "7H"}
    scripts = [Script("play", partner=["draw", "recycle"]), Script("call", partner=["draw", "recycle"])]
    tempos = [[exact_tempo(play=3_000_000, call=4_000_000), exact_tempo()]] * 2
    lines = run([first, second], scripts, (), tempos, hands=2, roles="free", draw=1)
    assert told(lines)[-1] == "3100000 0.0 play AH nerts>foundation0 ok"
    assert (lines[-1]["ended"], lines[-1]["t"], lines[-1]["caller"]) == ("stuck", 2_200_000, None)
    scripts = [Script("play", partner=["draw", "recycle"]), Script("call", partner=["draw", "recycle"])]
    lines = run([first, second], scripts, (), tempos, hands=2, roles="free", draw=1, mid_air="return")
    assert told(lines)[-1].startswith("2200000") and lines[-1]["seats"][0]["nerts_left"] == 2


# Section 4: lift, abandoned, landing


def test_lift_abandons_what_is_no_longer_possible_and_decides_afresh():
    slow = [[exact_tempo(play=100_000)], [exact_tempo(think=500_000)]]
    lines = run([{"nerts": "2S"} | REST, {"nerts": "2S"} | REST], [Script("play"), Script("play", "wait 1000")],
                ["AS"], slow)  # fmt: skip
    assert lines[2] == {
        "type": "action", "t": 500_000, "decided": 0, "lifted": 500_000, "seat": 1, "hand": 0, "action": "play",
        "card": "2S", "from": "nerts", "to": "foundation0", "result": "abandoned",
    }  # fmt: skip
    assert lines[3]["action"] == "wait" and lines[3]["decided"] == 500_000


def test_lift_a_play_stays_possible_while_any_foundation_takes_it():
    tempos = [[exact_tempo(play=100_000)], [exact_tempo(think=500_000)]]
    lines = run([{"nerts": "2S"} | REST] * 2, [Script("play"), Script("play")], ["AS", "AS"], tempos)
    assert told(lines)[1] == "1300000 1.0 play 2S nerts>foundation1 ok"


def test_view_of_the_table_while_a_card_is_in_mid_air():
    looker = Script("wait 500000", "wait 500000")
    lines = run([{"nerts": "9C 2S", "work0": "KH"} | REST, REST], [Script("play"), looker], ["AS"])
    assert told(lines)[0].startswith("900000 0.0 play")
    before, during, after = (view.table for view in looker.views[:3])
    assert [int(view[layout.NERTS_TOP]) for view in (before, during, after)] == [
        parse_card("2S"), NONE, parse_card("9C"),
    ]  # fmt: skip
    assert [int(view[layout.NERTS_COUNT]) for view in (before, during, after)] == [2, 2, 1]
    assert [int(view[layout.FOUNDATION_TOP]) for view in (before, during, after)] == cards("AS AS 2S")


# Rules 9 and 11: calls and scores


def test_rule_9_a_call_ends_the_deal_and_motions_finish():
    tempos = [[exact_tempo()], [exact_tempo(play=2_000_000)], [exact_tempo(think=3_000_000)]]
    layouts = [{"nerts": ""} | REST, {"nerts": "2S"} | REST, {"nerts": "2S"} | REST]
    scripts = [Script("call"), Script("play"), Script("play")]
    lines = run(layouts, scripts, ["AS"], tempos, call_bonus=10, penalty=1)
    assert told(lines) == ["400000 0.0 call ok", "2100000 1.0 play 2S nerts>foundation0 ok"]
    assert lines[1] == {"type": "action", "t": 400_000, "decided": 0, "lifted": 100_000, "seat": 0, "hand": 0,
                        "action": "call", "result": "ok"}  # fmt: skip
    assert (lines[-1]["ended"], lines[-1]["t"], lines[-1]["caller"]) == ("called", 400_000, 0)
    assert [seat["score"] for seat in lines[-1]["seats"]] == [10, 1, 1 - 1]
    scripts = [Script("call"), Script("play"), Script("play")]
    lines = run(layouts, scripts, ["AS"], tempos, mid_air="return")
    assert told(lines) == ["400000 0.0 call ok"] and lines[-1]["seats"][1]["nerts_left"] == 1


def test_rule_9_a_lift_at_the_instant_of_the_call_happens_and_a_second_call_is_dropped():
    tempos = [[exact_tempo()], [exact_tempo(think=400_000)], [exact_tempo(think=400_001)], [exact_tempo(call=300_001)]]
    layouts = [{"nerts": ""} | REST, {"nerts": "AS"} | REST, {"nerts": "AS"} | REST, {"nerts": ""} | REST]
    lines = run(layouts, [Script("call"), Script("play"), Script("play"), Script("call")], (), tempos)
    assert told(lines) == ["400000 0.0 call ok", "1200000 1.0 play AS nerts>foundation0 ok"]


def test_rule_9_who_may_call_may_play_on():
    found = alone({"nerts": "AS", "waste": "2S"} | REST, "play AS", "play 2S", "call")
    assert [text.split()[2] for text in found] == ["play", "play", "call"]
    assert "call" in first_list({"nerts": ""} | REST) and "call" not in first_list({"nerts": "AS"} | REST)


def test_option_calling_automatic():
    lines = run([{"nerts": "9H", "work0": "10S"} | REST], [Script("build")], calling="automatic")
    assert told(lines) == ["700000 0.0 build 9H nerts>work0 ok", "700000 0.0 call ok"]
    assert lines[2]["decided"] == lines[2]["lifted"] == 700_000 and lines[-1]["caller"] == 0
    assert "call" not in first_list({"nerts": ""} | REST, calling="automatic")


def test_time_limit_returns_what_would_land_after_it():
    lines = run([{"nerts": "AS"} | REST], [Script("play")], time_limit_us=899_999)
    assert told(lines) == [] and lines[-1]["ended"] == "time_limit" and lines[-1]["t"] == 899_999
    assert lines[-1]["seats"][0]["nerts_left"] == 1
    lines = run([{"nerts": "AS"} | REST], [Script("play")], time_limit_us=900_000)
    assert len(told(lines)) == 1 and lines[-1]["seats"][0] == {
        "seat": 0, "foundation": 1, "kings": 0, "nerts_left": 0, "score": 1,
    }  # fmt: skip


def test_a_wait_is_a_line_and_a_fault_is_an_exception():
    lines = run([{"nerts": "AS"} | REST], [Script("wait 1000", "play")])
    assert lines[1] == {"type": "action", "t": 1000, "decided": 0, "lifted": 1000, "seat": 0, "hand": 0,
                        "action": "wait", "result": "ok"}  # fmt: skip
    for answer in (-999, 2):
        with pytest.raises(ReferenceFault):
            run([{"nerts": "AS"} | REST], [lambda *_, answer=answer: answer])


# Section 6


def test_section_6_random_numbers():
    assert randoms.mix(0x9E3779B97F4A7C15) == 0xE220A8397B1DCDAF  # SplitMix64's first number from seed 0
    decks = {tuple(randoms.shuffled(list(range(52)), key)) for key in range(50)}
    assert len(decks) == 50 and all(sorted(deck) == list(range(52)) for deck in decks)


def test_section_6_the_shuffle_does_not_depend_on_who_plays_and_how_many():
    def decks(seats):
        setups = [SeatSetup("w", lambda *_: -(10**7), [], 0, [exact_tempo()])] * seats
        return [seat["deck"] for seat in play_reference(Rules(seats=seats, time_limit_us=1), setups, 3, 4)[0]["seats"]]

    assert decks(4)[:2] == decks(2)

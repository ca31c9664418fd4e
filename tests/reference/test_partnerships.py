"""Two hands at a seat: roles, closed piles, gaps, and what a quicker partner does to a landing (section 4)."""

from __future__ import annotations

from nertsim.engine import layout

from .scenario import Script, exact_tempo, run, told

REST = {"stock": "KC KD KH KS"}
FAR = [exact_tempo(), exact_tempo()]


def both(table, steps, partner, tempos=FAR, common=(), **options):
    """A partnership alone: its script and its trace in texts."""
    script = Script(*steps, partner=partner)
    lines = run([table], [script], common, [tempos], **{"hands": 2, "roles": "free"} | options)
    return script, told(lines)


def kinds(actions):
    return {" ".join(action.split()[:2]) for action in actions}


def test_option_roles_split():
    table = {"nerts": "2S", "waste": "2D", "work0": "3H", "work1": "3S", "work2": "3C 2H"} | REST
    script, _ = both(table, [], [], common=["AS", "AH"], roles="split")
    assert kinds(script.legal(0)) == {"play nerts", "play work2", "build nerts", "fill nerts", "move work2"}
    assert kinds(script.legal(1)) == {"build waste", "fill waste", "draw stock"}
    script, _ = both(table | {"work1": "AC"}, [], [], roles="split")
    assert "slide waste work1 2D" in script.legal(1) and not any("waste" in action for action in script.legal(0))


def test_option_roles_either_may_call():
    script, found = both({"nerts": ""} | REST, [], ["call"], roles="split")
    assert "call" in script.legal(0) and found[-1].endswith("call ok")


def test_option_roles_free_gives_both_everything():
    table = {"nerts": "2S", "waste": "2D", "work0": "3H"} | REST
    script, _ = both(table, [], [])
    assert script.legal(0) == script.legal(1)


def test_a_pile_in_mid_air_is_closed_as_source_and_target():
    table = {"nerts": "5C 2S", "work0": "3H", "work1": "6D", "work2": "7C 6H", "work3": "7S"} | REST
    script, _ = both(table, ["play nerts", "move 6H"], ["wait 200000", "wait 750000", "wait 200000"], common=["AS"])
    assert "build nerts work0 2S" in script.legal(1, 0)
    assert not any("nerts" in action for action in script.legal(1, 1))
    assert "build nerts work2 5C" in script.legal(1, 2) and "move work1 work3 6D x1" in script.legal(1, 2)
    assert "build nerts work1 5C" in script.legal(1, 3)
    assert not any("work2" in action for action in script.legal(1, 3))


def test_a_pile_becomes_a_gap_only_at_the_landing():
    table = {"nerts": "9C", "work0": "3H", "work1": "4S", "work2": "7D", "work3": "JC"} | REST
    script, found = both(table, ["move work0 work1"], ["wait 300000", "wait 350000", "wait 60000", "fill nerts work0"])
    assert "fill nerts work0 9C" not in script.legal(1, 1) and "fill nerts work0 9C" not in script.legal(1, 2)
    assert found == ["700000 0.0 move 3H work0>work1 x1 ok", "1410000 0.1 fill 9C nerts>work0 ok"]


def test_a_draw_closes_stock_and_waste_and_needs_both_open():
    table = {"nerts": "9C", "waste": "5D", "work0": "3H", "work1": "4S", "work2": "7D", "work3": "JC"} | REST
    script, _ = both(table, ["draw"], ["wait 200000"])
    assert script.legal(1, 1) == ["move work0 work1 3H x1"]
    table = table | {"waste": "AD"}
    script, _ = both(table, ["play AD"], ["wait 200000"])
    assert "draw stock waste x3" in script.legal(1, 0) and not any("draw" in action for action in script.legal(1, 1))


def test_a_draw_in_motion_takes_the_cards_off_the_stock():
    table = {"nerts": "9C", "work0": "3H", "work1": "5S", "work2": "7D", "work3": "JC"} | REST
    script, _ = both(table, ["draw"], ["wait 200000", "wait 700000"])
    stocks = [
        (now, int(view.own[layout.OWN_STOCK])) for (now, _, _), view in zip(script.seen, script.views, strict=True)
    ]
    assert stocks[:4] == [(0, 4), (0, 4), (200_000, 1), (800_000, 1)]


def test_a_quicker_partner_makes_a_build_rejected_and_the_way_back_keeps_the_pile_closed():
    table = {"nerts": "2C 9H", "waste": "9D", "work0": "10S", "work1": "4S", "work2": "7D", "work3": "JC"} | REST
    tempos = [exact_tempo(build=700_000), exact_tempo()]
    script, found = both(table, ["build nerts"], ["build waste", "wait 50000", "wait 450000"], tempos)
    assert found[:2] == ["700000 0.1 build 9D waste>work0 ok", "800000 0.0 build 9H nerts>work0 rejected"]
    partner = [actions for now, hand, actions in script.seen if hand == 1 and now in (700_000, 750_000, 1_200_000)]
    assert len(partner) == 3
    assert not any("nerts" in action for actions in partner for action in actions)
    assert [now for now, hand, _ in script.seen if hand == 0][1] == 800_000 + 700_000


def test_the_first_in_a_gap_keeps_it():
    table = {"nerts": "9H", "waste": "2D", "work0": "10S", "work1": "4S", "work2": "7D"} | REST
    _, found = both(table, ["fill nerts"], ["fill waste"], [exact_tempo(), exact_tempo(fill=599_999)])
    assert found == ["699999 0.1 fill 2D waste>work3 ok", "700000 0.0 fill 9H nerts>work3 rejected"]


def test_a_slide_needs_the_gap_still_at_its_landing():
    table = {"nerts": "JH", "waste": "2D", "work0": "10S", "work1": "4S", "work2": "7D"} | REST
    _, found = both(table, ["slide nerts"], ["fill waste"], [exact_tempo(), exact_tempo(fill=599_999)])
    assert found[1] == "700000 0.0 slide JH nerts>work0 rejected"


def test_a_nerts_card_on_its_way_back_counts_so_the_partner_cannot_call():
    layouts = [{"nerts": "2S"} | REST, {"nerts": "2S"} | REST]
    script = Script("play", partner=["wait 1000000", "wait 800000"])
    tempos = [FAR, [exact_tempo(play=100_000)] * 2]
    lines = run(layouts, [script, Script("play")], ["AS"], tempos, hands=2, roles="free", time_limit_us=4_000_000)
    assert told(lines)[-1] == "900000 0.0 play 2S nerts>foundation0 rejected"
    assert not any("call" in actions for _, _, actions in script.seen)


def test_a_move_is_abandoned_when_the_partner_has_laid_a_card_on_the_run():
    table = {"nerts": "2C 8S", "work0": "10S 9H", "work1": "10C", "work2": "4D", "work3": "KH"} | REST
    tempos = [exact_tempo(think=900_000), exact_tempo()]
    _, found = both(table, ["move x1 work1", "move x2 work1"], ["build nerts"], tempos)
    assert found[:2] == ["700000 0.1 build 8S nerts>work0 ok", "900000 0.0 move 9H work0>work1 x1 abandoned"]
    assert found[2] == "2400000 0.0 move 9H work0>work1 x2 ok"


def test_motions_finish_after_a_call_in_order_of_landing_with_the_way_back_closing():
    table = {"nerts": "", "waste": "9D", "work0": "10S", "work1": "4S", "work2": "9H", "work3": "10C"} | REST
    tempos = [exact_tempo(move=2_000_000), exact_tempo(build=1_000_000)]
    caller = Script("wait 100000", "call")
    layouts = [table | {"nerts": "5C"}, {"nerts": ""} | REST]
    scripts = [Script("move work2 work0", partner=["build waste work0"]), caller]
    lines = run(layouts, scripts, (), [tempos, FAR], hands=(2, 1), roles="free")
    assert told(lines) == [
        "500000 1.0 call ok",
        "1100000 0.1 build 9D waste>work0 ok",
        "2100000 0.0 move 9H work2>work0 x1 rejected",
    ]


def test_a_build_lands_where_the_joker_it_was_to_fix_is_covered_by_a_card_that_takes_it():
    table = {
        "nerts": "4C",
        "waste": "8H",
        "work0": "JK1",
        "work1": "9C",
        "work2": "KC",
        "work3": "KD",
        "work4": "QC",
    } | REST
    tempos = [exact_tempo(), exact_tempo(build=700_000)]
    _, found = both(table, ["move 9C =10H"], ["build waste work0 =9C"], tempos, jokers=1, work_piles=5)
    assert found == ["700000 0.0 move 9C work1>work0 x1 =10H ok", "800000 0.1 build 8H waste>work0 ok"]


def test_a_build_that_did_not_say_how_to_fix_a_joker_does_not_land_on_one():
    table = {"nerts": "JK1", "waste": "JK2", "work0": "9C", "work1": "9C", "work2": "KC", "work3": "KD"} | REST
    tempos = [exact_tempo(), exact_tempo(build=700_000)]
    _, found = both(table, ["build nerts work0"], ["build waste work0"], tempos, jokers=2)
    assert found[1] == "800000 0.1 build JK2 waste>work0 rejected"


def test_a_move_lands_in_what_has_become_a_gap_but_not_a_whole_pile():
    table = {"nerts": "4C", "work0": "3S", "work1": "3C 2H", "work2": "KC", "work3": "KD"} | REST
    tempos = [exact_tempo(move=2_000_000), exact_tempo()]
    steps = ["move 2H work0"], ["wait 150000", "play 3S"]
    _, found = both(table, *steps, tempos, ["AS 2S"])
    assert found == ["1050000 0.1 play 3S work0>foundation0 ok", "2100000 0.0 move 2H work1>work0 x1 ok"]
    _, found = both(table | {"work1": "2H"}, *steps, tempos, ["AS 2S"])
    assert found[1] == "2100000 0.0 move 2H work1>work0 x1 rejected"

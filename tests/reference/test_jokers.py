"""Rule 12: jokers."""

from __future__ import annotations

import pytest

from nertsim.cards import parse_card
from nertsim.engine import layout

from .scenario import Script, exact_tempo, run, told

REST = {"stock": "KC KD KH KS"}
FULL = {"work2": "KC", "work3": "KD"}


def legal(table, kind, common=(), **options):
    """The legal actions of a kind at the start."""
    script = Script()
    run([table], [script], common, jokers=4, **options)
    return [action for action in script.legal() if action.startswith(kind)]


def alone(table, *steps, common=(), **options):
    """A seat alone: its script and its trace in texts."""
    script = Script(*steps)
    return script, told(run([table], [script], common, jokers=4, **options))


def test_a_joker_is_declared_to_be_played():
    table = {"nerts": "JK1", "work0": "5C", "work1": "7C"} | FULL | REST
    aces = [f"play nerts foundation2 JK1 =A{suit}" for suit in "CDHS"]
    assert legal(table, "play", ["AS 2S", "AS"]) == [
        "play nerts foundation0 JK1 =3S",
        "play nerts foundation1 JK1 =2S",
        *aces,
    ]
    _, found = alone(table, "play =3S", common=["AS 2S"])
    assert found == ["900000 0.0 play JK1 nerts>foundation0 =3S ok"]


def test_a_declared_joker_counts_for_who_played_it_also_as_a_king():
    lines = run([{"nerts": "JK2"} | REST], [Script("play =KS")], ["AS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS"], jokers=4)
    assert lines[-1]["seats"][0]["kings"] == 1 and lines[-1]["seats"][0]["foundation"] == 13


def test_a_rejected_joker_is_undeclared_again():
    scripts = [Script("play 2S"), Script("play =2S", "play =AH")]
    tempos = [[exact_tempo(play=100_000)], [exact_tempo()]]
    lines = run([{"nerts": "2S"} | REST, {"nerts": "JK1"} | REST], scripts, ["AS"], tempos, jokers=4)
    assert told(lines)[1:] == [
        "900000 1.0 play JK1 nerts>foundation0 =2S rejected",
        "2600000 1.0 play JK1 nerts>foundation1 =AH ok",
    ]


def test_a_joker_in_a_work_pile_is_not_declared_and_never_on_an_ace():
    table = {"nerts": "JK1", "work0": "5C", "work1": "AC"} | FULL | REST
    assert legal(table, "build") == [f"build nerts work{pile} JK1" for pile in (0, 2, 3)]
    script, found = alone(table, "build work0")
    assert found == ["700000 0.0 build JK1 nerts>work0 ok"]
    first = layout.WORK_CARDS
    assert list(script.views[1].table[first : first + 2]) == [parse_card("5C"), parse_card("JK1")]
    assert "play work0 foundation0 JK1 =AH" in script.legal(decision=1)
    assert "move work0 work3 JK1 x1" in script.legal(decision=1)


def test_covering_fixes_a_joker_and_the_player_chooses_where_two_suits_are_possible():
    table = {"nerts": "3C", "work0": "5C JK1", "work1": "7C"} | FULL | REST
    assert legal(table, "build") == ["build nerts work0 3C =4D", "build nerts work0 3C =4H"]
    assert legal(table | {"nerts": "3D"}, "build") == []
    assert legal(table | {"nerts": "JK2"}, "build nerts work0") == [
        "build nerts work0 JK2 =4D",
        "build nerts work0 JK2 =4H",
    ]
    script, found = alone(table | {"nerts": "AH 2H 3C"}, "build =4H", "build 2H", "play AH")
    assert found[0] == "700000 0.0 build 3C nerts>work0 =4H ok" and found[1] == "1400000 0.0 build 2H nerts>work0 ok"
    first = layout.WORK_CARDS
    assert int(script.views[1].table[first + 1]) == parse_card("4H") | 1 << 6


def test_a_lone_joker_may_become_anything_that_takes_the_card_but_no_ace():
    table = {"nerts": "3C", "work0": "JK1", "work1": "7C"} | FULL | REST
    assert legal(table, "build") == ["build nerts work0 3C =4D", "build nerts work0 3C =4H"]
    assert len(legal(table | {"nerts": "JK2"}, "build nerts work0")) == 48
    assert legal(table | {"nerts": "KH"}, "build") == []


def test_a_joker_slid_under_is_fixed_and_one_slid_over_is_not():
    table = {"nerts": "JK1", "work0": "5C", "work1": "KC", "work2": "JK2"} | REST
    slides = legal(table, "slide")
    assert slides[:2] == ["slide nerts work0 JK1 =6D", "slide nerts work0 JK1 =6H"]
    assert len(slides) == 2 + 48 and not any("work1" in action for action in slides)
    assert legal(table | {"nerts": "9H"}, "slide") == ["slide nerts work2 9H"]
    assert legal(table | {"nerts": "AH"}, "slide") == []
    _, found = alone(table | {"nerts": "7S JK1"}, "slide =6D", "slide 7S")
    assert found == ["700000 0.0 slide JK1 nerts>work0 =6D ok", "1400000 0.0 slide 7S nerts>work0 ok"]


@pytest.mark.parametrize("unfix", [False, True])
def test_option_joker_unfix_from_the_landing_of_the_cover_elsewhere(unfix):
    table = {"nerts": "9S", "work0": "JK1=5H 4C", "work1": "5D", "work2": "6C", "work3": "KC"} | REST
    script, _ = alone(table, "move 4C work1", joker_unfix=unfix)
    after = [action for action in script.legal(decision=1) if "work0" in action]
    assert ("play work0 foundation0 JK1 =AH" in after) is unfix
    assert "move work0 work2 JK1 x1" in after
    assert ("move work0 work3 JK1 x1" in after) is unfix
    assert script.legal(decision=1)[0].startswith("play") is unfix


def test_a_fixed_joker_is_played_as_what_it_is():
    table = {"nerts": "9S", "work0": "JK1=5H", "work1": "5D", "work2": "6D", "work3": "KC"} | REST
    assert legal(table, "play", ["AH 2H 3H 4H", "AS"]) == ["play work0 foundation0 JK1 =5H"]

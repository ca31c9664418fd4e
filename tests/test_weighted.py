"""The strategy `weighted`: its features, its weights, and that it plays legally whatever they are."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from nertsim.bots import features, weighted
from nertsim.bots.builtin_names import BUILTIN
from nertsim.bots.features import Others, Seen
from nertsim.bots.strategy import Bot
from nertsim.bots.weights import INDEX, RANGE, WEIGHTS
from nertsim.cards import NONE
from nertsim.codes import DealColumn, Ended
from nertsim.dealer import Chunk, Dealer
from nertsim.engine.layout import View
from nertsim.rules import Rules
from nertsim.tempo import Tempo

from .agreement import Table, check_deals, random_table, same_rows
from .reference import compiled_bot
from .reference.scenario import Script, cards, run, told

WEIGHTED = BUILTIN["weighted"]
GREEDY = BUILTIN["greedy"]
ZERO = dict.fromkeys(WEIGHTS, 0.0)


def card(text: str) -> int:
    """A card by its text; NONE for ``-``."""
    return NONE if text == "-" else cards(text)[0]


def mask(text: str) -> Any:
    """The mask of cards by their texts."""
    return np.int64(sum(1 << one for one in cards(text)))


def seen(**values: Any) -> Seen:
    """What lies open: nothing but what is said."""
    return Seen(**dict.fromkeys(Seen._fields, np.int64(0)) | values)


def view_of(table: dict[str, str], common: tuple[str, ...] = (), others: tuple[dict[str, str], ...] = ()) -> View:
    """What the first seat sees in a situation."""
    script = Script()
    layouts = [one | {"stock": one.get("stock", "KC")} for one in (table, *others)]
    run(layouts, [script, *(Script() for _ in others)], common, time_limit_us=100_000)
    return script.views[0]


# The table of weights


def test_a_weight_stands_where_the_vector_has_it() -> None:
    assert Bot(WEIGHTED, values={"buries": 7.0}).vector()[INDEX["buries"]] == 7.0
    assert [INDEX[name] for name in WEIGHTS] == list(range(len(WEIGHTS)))
    assert list(WEIGHTED.parameters) == list(WEIGHTS)


def test_the_strategy_has_each_weight_at_its_index() -> None:
    assert {name: getattr(weighted, name.upper()) for name in WEIGHTS} == INDEX


def test_every_weight_matters() -> None:
    usual = deals({})
    for name, one in WEIGHTS.items():
        if name != "rotate_stock":
            changed = deals({name: -RANGE if one.default >= 0 else RANGE})
            assert not same_rows(usual, changed), name
    without_stock = {"play_waste": -RANGE, "build_waste": -RANGE, "fill_waste": -RANGE}
    assert not same_rows(deals(without_stock), deals(without_stock | {"rotate_stock": -RANGE}))


# The features


@pytest.mark.parametrize(
    ("feature", "lies_open", "about", "expected"),
    [
        ("brings_nerts", {"nerts": mask("6H")}, "5H", 1),
        ("brings_nerts", {"nerts": mask("6D")}, "5H", 0),
        ("brings_nerts", {"nerts": mask("")}, "KH", 0),
        ("brings_own", {"tops": mask("9C 6H")}, "5H", 1),
        ("brings_own", {"tops": mask("5H 7H")}, "5H", 0),
        ("gives_place", {"places": mask("7C 7S")}, "7S", 1),
        ("gives_place", {"places": mask("7C 7S")}, "7H", 0),
        ("takes_place", {"places": mask("7C 7S")}, "7S", 1),
        ("takes_place", {"places": mask("7C 7S")}, "8S", 0),
        ("makes_gap", {"nerts_left": 2}, "-", 1),
        ("makes_gap", {"nerts_left": 2}, "2C", 0),
        ("makes_gap", {"nerts_left": 0}, "-", 0),
        ("joins_piles", {"bases": mask("QH 3C")}, "KC", 1),
        ("joins_piles", {"bases": mask("QC 3C")}, "KC", 0),
        ("joins_piles", {"bases": mask("QH")}, "AC", 0),
        ("blocks_join", {"bases": mask("3C 9D")}, "4D", 1),
        ("blocks_join", {"bases": mask("3H 9D")}, "4D", 0),
        ("blocks_join", {"bases": mask("3H 9D")}, "-", 0),
        ("uncovers_soon", {"wanted": mask("5C")}, "6C", 1),
        ("uncovers_soon", {"wanted": mask("5C")}, "5C", 0),
        ("uncovers_soon", {"wanted": mask("KC")}, "-", 0),
        ("buries", {"wanted": mask("5C")}, "5C", 1),
        ("buries", {"wanted": mask("5C")}, "6C", 1),
        ("buries", {"wanted": mask("5C")}, "7C", 0),
        ("buries", {"wanted": mask("5C")}, "5S", 0),
    ],
)
def test_a_feature_of_what_lies_open(feature: str, lies_open: dict[str, Any], about: str, expected: float) -> None:
    assert getattr(features, feature)(seen(**lies_open), np.int64(card(about))) == expected


def test_features_of_others() -> None:
    others = Others(nerts=mask("5H"), tops=mask("9C AD"), least=np.int64(1))
    assert [features.contested(others, card(text)) for text in ("5H", "9C", "5D")] == [1, 1, 0]
    assert [features.helps_nerts(others, card(text)) for text in ("4H", "8C", "5H", "KD")] == [1, 0, 0, 0]
    assert [features.helps_others(others, card(text)) for text in ("4H", "8C", "9C", "KD")] == [0, 1, 0, 0]
    assert [features.hurries(others._replace(least=left)) for left in range(5)] == [1, 0.75, 0.5, 0.25, 0]


def test_features_that_need_little() -> None:
    assert [features.uncovers(mask("5H 9C"), card(text)) for text in ("9C", "5D", "-")] == [1, 0, 0]
    assert [features.extreme_in_gap(card(text)) for text in ("AS", "2S", "3S", "QS", "KS")] == [1, 1, 0, 0, 1]
    assert [features.dumps(seen(gaps=gaps, nerts_left=2)) for gaps in (1, 2, 3)] == [0, 1, 1]


def test_what_lies_open() -> None:
    table = {"nerts": "9C 6H", "waste": "3C 4C", "work0": "QD JS", "work1": "7S", "work3": "5D"}
    found = features.look(view_of(table, ("AC 2C", "AH")))
    assert found._asdict() == {
        "seat": 0,
        "nerts_left": 2,
        "nerts": mask("6H"),
        "places": mask("7C 7S"),
        "tops": mask("4C JS 7S 5D"),
        "bases": mask("QD 7S 5D"),
        "gaps": 1,
        "wanted": mask("AC AD AH AS 3C 2H"),
    }


def test_what_others_show() -> None:
    others = (
        {"nerts": "2C 3C 4S", "waste": "9D 8D", "work0": "QD JS", "work2": "5D"},
        {"nerts": "7S 9H", "work1": "2H"},
    )
    view = view_of({"nerts": "AC 6H", "waste": "3C", "work0": "QC"}, others=others)
    assert features.look_at_others(view, 0) == Others(mask("4S 9H"), mask("8D JS 5D 2H"), 2)
    assert features.look_at_others(view_of({"nerts": "AC"}), 0) == Others(0, 0, features.NEAR_CALL)


def test_features_of_the_stock() -> None:
    view = view_of({"nerts": "AC", "waste": "3C 4D 9S", "stock": "KC"})
    assert features.shifts_triples(view) == 0.25
    assert features.uncovered_waste(view) == card("4D")
    assert features.uncovered_waste(view_of({"nerts": "AC", "waste": "3C"})) == NONE


def test_a_call_leads_by_the_points_ahead_of_the_best_of_the_others() -> None:
    others = ({"nerts": "2D 4S"}, {"nerts": "7S 9H 8H", "work1": "2H"})
    view = view_of({"work0": "QC"}, ("AC 2C 3C 4C", "AH 2H"), others)
    # Four of the six cards are not its own: two for each of the others, and two or three nerts cards left.
    assert features.leads(view, seen(), 2.0) == 2 - (2 - 2 * 2)
    assert features.leads(view_of({"work0": "QC"}), seen(), 2.0) == 2 - 0 + 2 * 0 + 2


# What it does


def first(
    table: dict[str, str], common: tuple[str, ...] = (), others: tuple[dict[str, str], ...] = (), **values: float
) -> str:
    """Its first action with these weights (the others are 0), without the time; "" where it waits."""
    decide, scratch = compiled_bot(WEIGHTED.decide), np.zeros(WEIGHTED.scratch)
    vector = np.array(Bot(WEIGHTED, values=ZERO | values).vector())

    def script(view: Any, parameters: Any, memory: Any, noise: Any) -> int:
        return decide(view, vector, scratch, noise)

    layouts = [{"stock": "KC KD KH KS"} | one for one in (table, *others)]
    lines = told(run(layouts, [script, *(Script() for _ in others)], common, time_limit_us=2_000_000))
    return lines[0].partition(" 0.0 ")[2] if lines else ""


KINGS = {"work1": "KC", "work2": "KS", "work3": "KD"}
FULL = {"work0": "4C"} | KINGS
HEARTS = ("AH 2H 3H 4H",)
TAKING = {"nerts": "9C", "waste": "5H"} | FULL
"""A waste card that goes to the hearts and nowhere else."""

SITUATIONS = {
    "play_nerts": ({"nerts": "9C 5H"} | FULL, HEARTS, (), "play 5H nerts"),
    "play_waste": (TAKING, HEARTS, (), "play 5H waste"),
    "play_work": ({"nerts": "9C", "work0": "5H"} | KINGS, HEARTS, (), "play 5H work0"),
    "build_nerts": ({"nerts": "9C QD"} | FULL, (), (), "build QD nerts>work1"),
    "build_waste": ({"nerts": "9C", "waste": "QD"} | FULL, (), (), "build QD waste>work1"),
    "fill_nerts": ({"nerts": "9C"} | KINGS, (), (), "fill 9C nerts>work0"),
    "fill_waste": ({"nerts": "9C", "waste": "9D"} | KINGS, (), (), "fill 9D waste>work0"),
    "slide_nerts": ({"nerts": "9C 10D", "work1": "9S", "work2": "KS", "work3": "KD"}, (), (), "slide 10D nerts>work1"),
    "slide_waste": ({"nerts": "2C", "waste": "10D", "work1": "9S", "work2": "KS"}, (), (), "slide 10D waste>work1"),
    "move_piles": ({"nerts": "9C", "work0": "QH"} | KINGS, (), (), "move QH work0>work1"),
    "call_nerts": ({"work0": "4C"} | KINGS, (), (), "call"),
    "leads": ({"work0": "4C"} | KINGS, (), ({"nerts": "2C 2D"},), "call"),
    "brings_nerts": ({"nerts": "9C 6H", "waste": "5H"} | FULL, HEARTS, (), "play 5H waste"),
    "brings_own": ({"nerts": "9C", "waste": "5H", "work0": "6H"} | KINGS, HEARTS, (), "play 5H waste"),
    "gives_place": ({"nerts": "2C JC", "waste": "QD"} | FULL, (), (), "build QD waste>work1"),
    "makes_gap": ({"nerts": "9C", "work0": "QH"} | KINGS, (), (), "move QH work0>work1"),
    "uncovers": ({"nerts": "9C", "waste": "AC 5H"} | FULL, HEARTS, (), "play 5H waste"),
    "uncovers_soon": (
        {"nerts": "9C", "work0": "4H 3S", "work1": "4D", "work2": "KS", "work3": "KD"},
        ("AH 2H",),
        (),
        "move 3S work0>work1",
    ),
    "joins_piles": ({"nerts": "9C", "waste": "QD", "work0": "JS"} | KINGS, (), (), "build QD waste>work1"),
    "dumps": ({"nerts": "9C"} | KINGS, (), (), "fill 9C nerts>work0"),
    "shifts_triples": (TAKING, HEARTS, (), "play 5H waste"),
    "contested": (TAKING, HEARTS, ({"nerts": "2C", "work0": "5H"},), "play 5H waste"),
    "hurries": (TAKING, HEARTS, ({"nerts": "2C"},), "play 5H waste"),
    "takes_place": ({"nerts": "9C 4S", "work0": "5H"} | KINGS, HEARTS, (), "play 5H work0"),
    "buries": ({"nerts": "9C", "waste": "3D"} | FULL, ("AC 2C",), (), "build 3D waste>work0"),
    "blocks_join": ({"nerts": "9C", "waste": "3D", "work0": "4C", "work1": "3H"}, (), (), "build 3D waste>work0"),
    "extreme_in_gap": ({"nerts": "9C KH"} | KINGS, (), (), "fill KH nerts>work0"),
    "uses_gap": ({"nerts": "9C", "work1": "KC QD", "work2": "KS", "work3": "KD"}, (), (), "move QD work1>work0"),
    "helps_nerts": (TAKING, HEARTS, ({"nerts": "2C 6H"},), "play 5H waste"),
    "helps_others": (TAKING, HEARTS, ({"nerts": "2C", "waste": "6H"},), "play 5H waste"),
}
"""For each weight: own layout, foundations, other layouts, and the action that it is about."""


def test_there_is_a_situation_for_every_weight() -> None:
    # Rotating takes a pass of the stock: see `test_every_weight_matters`.
    assert [*SITUATIONS, "rotate_stock"] == sorted(WEIGHTS, key=[*SITUATIONS, "rotate_stock"].index)


@pytest.mark.parametrize("weight", SITUATIONS)
def test_a_weight_makes_it_do_or_leave_an_action(weight: str) -> None:
    table, common, others, action = SITUATIONS[weight]
    assert first(table, common, others, **{weight: 1.0}).startswith(action)
    assert not first(table, common, others, **{weight: -1.0}).startswith(action)


def test_without_weights_it_does_the_first_thing_in_the_list() -> None:
    assert first({"nerts": "9C 5H", "waste": "3D"} | FULL, HEARTS).startswith("play 5H nerts")
    assert first({"nerts": "9C 6H", "waste": "3D"} | FULL, HEARTS).startswith("build 3D waste>work0")


def test_what_has_less_than_no_points_is_never_done() -> None:
    table = {"work0": "5H", "stock": ""} | KINGS
    assert first(table, HEARTS, play_work=-1.0, call_nerts=-1.0) == ""
    assert first(table, HEARTS, play_work=-1.0, call_nerts=1.0) == "call ok"


# It plays legally, and ends, whatever the weights


def deals(values: dict[str, float], **options: Any) -> Chunk:
    """200 deals of its own with these weights, at other tables than the standard one where options say so."""
    rules = Rules(**{"seats": 4} | options)
    return Dealer(rules, [Bot(WEIGHTED, values=values), *[Bot(WEIGHTED)] * (rules.seats - 1)], 5).play(0, 200)


FREE = {"seats": 2, "hands": 2, "roles": "free"}


def any_weights(random: Random) -> dict[str, float]:
    """Weights from everywhere in their range, many of them 0."""
    return {name: random.choice((0.0, random.uniform(-RANGE, RANGE), random.uniform(-9, 9))) for name in WEIGHTS}


@pytest.mark.parametrize("options", [{}, {"seats": 1}, {"seats": 2, "hands": 2}, {"seats": 3, "jokers": 2}, FREE])
def test_deals_end_whatever_the_weights(options: dict[str, Any]) -> None:
    rules = Rules(**{"seats": 4} | options)
    random = Random(1)
    for values in (ZERO, dict.fromkeys(WEIGHTS, RANGE), *(any_weights(random) for _ in range(10))):
        rows = Dealer(rules, [Bot(WEIGHTED, values=values)] * rules.seats, 6).play(0, 50).deals
        assert (rows[:, DealColumn.ENDED] != Ended.TIME_LIMIT).all(), values


def test_engine_and_reference_agree_whatever_the_weights() -> None:
    for number in range(25):
        random = Random(f"weighted {number}")
        table = random_table(random, 4)
        values = [{}, ZERO, any_weights(random)]
        bots = tuple(Bot(WEIGHTED, bot.tempo, random.choice(values)) for bot in table.bots)
        check_deals(table._replace(bots=bots), number)


@pytest.mark.parametrize("options", [{"seats": 4}, {"seats": 2, "hands": 2}, {"seats": 2, "jokers": 2}])
def test_engine_and_reference_agree_at_usual_tables(options: dict[str, Any]) -> None:
    rules = Rules(**options)
    check_deals(Table(rules, (Bot(WEIGHTED), *[Bot(GREEDY)] * (rules.seats - 1)), 3), 0, 2)
    check_deals(Table(rules, (Bot(WEIGHTED, Tempo(oversight=0.2)),) * rules.seats, 4), 0, 2)

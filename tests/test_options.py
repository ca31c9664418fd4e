"""Each option of section 3 of the model: a situation on the engine that shows what each of its values does.

Every deal here is also played by the reference, which must agree (`situations.play`). The options of matches are
tested with the matches.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

import nertsim
from nertsim.cards import JOKER_SHIFT, card_text, joker
from nertsim.errors import RulesError
from nertsim.rules import FOUNDATIONS, Rules

from .situations import SEED, Dealt, Played, deal_where, fits, play, rank, scripted

SECONDS_20 = 20_000_000


def alone(**options: Any) -> Rules:
    return Rules(**{"seats": 1, "time_limit_us": SECONDS_20} | options)


def pair(**options: Any) -> Rules:
    return Rules(**{"seats": 2, "time_limit_us": SECONDS_20} | options)


def greedy(rules: Rules, deal: int = 0) -> Played:
    from nertsim.bots.spec import parse_bot

    return play(rules, [parse_bot("greedy")] * rules.seats, deal)


def ace_first(seat: Dealt) -> bool:
    """An ace lies on work pile 0 and the nerts card has no other place than the gap it leaves."""
    return rank(seat.work[0]) == 0 and rank(seat.nerts) > 4 and not any(fits(seat.nerts, one) for one in seat.work)


# Who plays


@pytest.mark.parametrize("seats", [1, 2, 12])
def test_option_seats(seats: int) -> None:
    played = greedy(Rules(seats=seats))
    assert len(played.seats) == seats
    assert {record["seat"] for record in played.records[1:-1]} == set(range(seats))


def test_option_hands() -> None:
    deal = deal_where(alone(), lambda seat: rank(seat.work[0]) == 0)
    bot = scripted("play work0", partner=["draw"])
    assert play(alone(), [bot], deal).did == ["play work0>foundation0 ok"]
    assert play(alone(hands=2), [bot], deal).actions == [
        "800000 0.1 draw stock>waste x3 ok",
        f"900000 0.0 play {card_text(dealt(alone(), deal).work[0])} work0>foundation0 ok",
    ]
    assert [seat["hands"] for seat in greedy(Rules(seats=3, hands=(1, 2, 1))).records[0]["seats"]] == [1, 2, 1]


def dealt(rules: Rules, deal: int) -> Dealt:
    """The layout of seat 0."""
    found: list[Dealt] = []
    deal_where(rules, lambda *seats: found.append(seats[0]) or len(found) > deal)  # type: ignore[func-returns-value]
    return found[-1]


@pytest.mark.parametrize(
    ("roles", "own"), [("split", []), ("free", ["draw stock>waste ok", "play work0>foundation0 ok"])]
)
def test_option_roles(roles: str, own: list[str]) -> None:
    rules = alone(hands=2, roles=roles)
    deal = deal_where(rules, lambda seat: rank(seat.work[0]) == 0)
    assert play(rules, [scripted("draw", partner=["play work0"])], deal).did == own
    others = play(rules, [scripted("play work0", partner=["draw"])], deal).did
    assert others == ["draw stock>waste ok", "play work0>foundation0 ok"]


def test_option_roles_split_gives_the_waste_to_hand_1_and_the_call_to_both() -> None:
    rules = alone(hands=2, nerts=1)
    deal = deal_where(rules, lambda seat: rank(seat.nerts) == 0 and rank(seat.stock[2]) == 0)
    bot = scripted("play nerts", "wait 2000000", "play waste", partner=["draw", "play waste", "call"])
    played = play(rules, [bot], deal)
    assert played.did == [
        "draw stock>waste ok",
        "play nerts>foundation0 ok",
        "play waste>foundation1 ok",
        "call ok",
    ]
    assert [record["hand"] for record in played.records[1:-1] if record["action"] != "wait"] == [1, 0, 1, 1]


# The layout


@pytest.mark.parametrize("nerts", [7, 9, 10, 11, 12, 13, 21])
def test_option_nerts(nerts: int) -> None:
    rules = alone(nerts=nerts)
    deal = deal_where(rules, lambda seat: rank(seat.nerts) == 0)
    played = play(rules, [scripted("play nerts")], deal)
    assert played.seats[0] == {"seat": 0, "foundation": 1, "kings": 0, "nerts_left": nerts - 1, "score": 3 - 2 * nerts}


def test_option_nerts_for_each_seat() -> None:
    rules = Rules(nerts=(13, 10, 7, 21), time_limit_us=1)
    assert [seat["nerts_left"] for seat in greedy(rules).seats] == [13, 10, 7, 21]


@pytest.mark.parametrize("piles", [4, 5, 6, 7])
def test_option_work_piles(piles: int) -> None:
    deal = deal_where(alone(work_piles=7), lambda seat: all(rank(card) == 0 for card in seat.work[4:6]))
    played = play(alone(work_piles=piles), [scripted("play work4", "play work5")], deal)
    assert played.seats[0]["foundation"] == min(2, piles - 4)


@pytest.mark.parametrize("draw", [1, 2, 3])
def test_option_draw(draw: int) -> None:
    rules = alone(draw=draw)
    deal = deal_where(rules, lambda seat: rank(seat.stock[draw - 1]) == 0)
    ace = card_text(dealt(rules, deal).stock[draw - 1])
    assert play(rules, [scripted("draw", "play waste")], deal).actions == [
        f"800000 0.0 draw stock>waste x{draw} ok",
        f"1700000 0.0 play {ace} waste>foundation0 ok",
    ]


SMALL_STOCK = {"nerts": 40, "work_piles": 4}  # 8 cards: two triples and two left over


@pytest.mark.parametrize(("leftover", "counts"), [(True, [3, 3, 2, 0, 3]), (False, [3, 3, 0, 3, 3])])
def test_option_leftover(leftover: bool, counts: list[int]) -> None:
    rules = alone(leftover=leftover, **SMALL_STOCK)
    steps = ["draw" if count else "recycle" for count in counts]
    played = play(rules, [scripted(*steps)], 0)
    assert [record.get("count", 0) for record in played.records[1:-1]][:5] == counts
    # Two of the cards that a recycle turned over were left in the stock: they are the last of the new one.
    again = play(rules, [scripted("draw", "draw", "recycle", "draw", "draw", "draw")], 0).did
    assert again.count("draw stock>waste ok") == (3 if leftover else 4)


def test_option_leftover_turns_a_rest_that_would_never_be_enough() -> None:
    rules = alone(leftover=False, nerts=40, work_piles=7, draw=5)
    deal = deal_where(rules, lambda seat: rank(seat.stock[4]) == 0)
    played = play(rules, [scripted("draw", "play waste", "recycle", "draw")], deal)
    assert [record["count"] for record in played.records if record.get("action") == "draw"] == [5, 4]


# Scoring


@pytest.mark.parametrize("penalty", [2, 1, 0])
def test_option_penalty(penalty: int) -> None:
    score = greedy(Rules(penalty=penalty), 4).score
    assert any(seat["nerts_left"] > 0 for seat in score["seats"])
    for seat in score["seats"]:
        assert seat["score"] == seat["foundation"] - penalty * seat["nerts_left"]


@pytest.mark.parametrize("bonus", [0, 5, 10, 25])
def test_option_call_bonus(bonus: int) -> None:
    score = greedy(Rules(call_bonus=bonus), 4).score
    plain = greedy(Rules(), 4).score
    more = [one["score"] - other["score"] for one, other in zip(score["seats"], plain["seats"], strict=True)]
    assert more == [bonus if seat == score["caller"] else 0 for seat in range(4)]


@pytest.mark.parametrize("bonus", [0, 3, 5, 10])
def test_option_king_bonus(bonus: int) -> None:
    run = nertsim.simulate("greedy", seats=6, deals=50, seed=SEED)
    deal = int(run.seats.query("kings > 0").deal.iloc[0])
    score = greedy(Rules(king_bonus=bonus, seats=6), deal).score
    plain = greedy(Rules(seats=6), deal).score
    assert sum(seat["kings"] for seat in plain["seats"]) > 0
    for seat, other in zip(score["seats"], plain["seats"], strict=True):
        assert seat["score"] == other["score"] + bonus * other["kings"]


def test_option_king_bonus_counts_jokers_and_ties() -> None:
    """Where every landing of an equal card is a tie: all kings that stay are counted, whatever they are."""
    rules = Rules(seats=3, jokers=4, king_bonus=5, tie_window_us=10**10, foundations="any")
    jokers = ties = 0
    for deal in range(40):
        replay = nertsim.replay("random", rules.replace(time_limit_us=150_000_000), SEED, deal)
        kings = [0] * 3
        for record in replay.records[1:-1]:
            stays = record["action"] == "play" and record["result"] in ("ok", "tie")
            if stays and record.get("as", record["card"]).startswith("K"):
                kings[record["seat"]] += 1
                jokers += "as" in record
                ties += record["result"] == "tie"
        for seat, count in zip(replay.score["seats"], kings, strict=True):
            assert seat["kings"] == count
            assert seat["score"] == seat["foundation"] + 5 * count - 2 * seat["nerts_left"]
    assert jokers > 0
    assert ties > 0


# The end


def empties(seat: Dealt) -> bool:
    return rank(seat.nerts) == 0


@pytest.mark.parametrize("calling", ["optional", "automatic"])
def test_option_calling(calling: str) -> None:
    rules = alone(nerts=1, calling=calling)
    played = play(rules, [scripted("play nerts", "wait 3000000", "draw", "call")], deal_where(rules, empties))
    calls = {record["action"]: record for record in played.records[1:-1]}
    if calling == "optional":
        assert played.did == ["play nerts>foundation0 ok", "draw stock>waste ok", "call ok"]
        assert (calls["call"]["decided"], calls["call"]["t"]) == (4_700_000, 5_100_000)
    else:
        assert played.did == ["play nerts>foundation0 ok", "call ok"]
        assert calls["call"]["decided"] == calls["call"]["lifted"] == calls["call"]["t"] == 900_000
    assert played.score["ended"] == "called"


@pytest.mark.parametrize(("mid_air", "cards"), [("count", 1), ("return", 0)])
def test_option_mid_air(mid_air: str, cards: int) -> None:
    rules = pair(nerts=1, mid_air=mid_air)
    deal = deal_where(rules, lambda one, other: empties(one) and rank(other.work[0]) == 0)
    # The call lands at 1.3 s; the other's ace is lifted at 1.2 s and would land at 2 s.
    played = play(rules, [scripted("play nerts", "call"), scripted("wait 1100000", "play work0")], deal)
    assert played.score["t"] == 1_300_000
    assert played.seats[1]["foundation"] == cards
    assert ("play work0>foundation1 ok" in played.did) is bool(cards)


def test_option_time_limit_us() -> None:
    deal = deal_where(alone(), lambda seat: rank(seat.work[0]) == rank(seat.work[1]) == 0)
    bot = scripted("play work0", "play work1")
    for limit, cards in ((1_800_000, 2), (1_799_999, 1)):  # they land at 0.9 and 1.8 s
        played = play(alone(time_limit_us=limit), [bot], deal)
        assert (played.score["ended"], played.score["t"]) == ("time_limit", limit)
        assert played.seats[0]["foundation"] == cards


# Races


def ace_and_twos(one: Dealt, other: Dealt) -> tuple[int, int, int] | None:
    """Work piles of seat 0 with an ace and its two, and of seat 1 with the same two."""
    for ace in filter(lambda card: rank(card) == 0, one.work):
        if ace + 4 in one.work and ace + 4 in other.work:
            return one.work.index(ace), one.work.index(ace + 4), other.work.index(ace + 4)
    return None


def tie(apart: int, **options: Any) -> str:
    """What becomes of the two of seat 1 that lands so many µs after that of seat 0."""
    rules = pair(**options)
    piles: list[Any] = []
    deal = deal_where(rules, lambda *seats: piles.append(ace_and_twos(*seats)) or piles[-1])  # type: ignore[func-returns-value]
    ace, two, other = piles[-1]
    bots = [
        scripted(f"play work{ace}", f"play work{two}"),
        scripted(f"wait {900_000 + apart}", f"play work{other}"),
    ]
    played = play(rules, bots, deal)
    assert played.did[1] == f"play work{two}>foundation0 ok"
    kind, pile, result = played.did[2].split()
    assert (kind, pile) == ("play", f"work{other}>foundation0")
    assert [seat["foundation"] for seat in played.seats] == [2, 1 if result == "tie" else 0]
    return result


def test_option_tie() -> None:
    assert tie(20_000, tie="both") == "tie"
    assert tie(20_000, tie="first") == "rejected"


@pytest.mark.parametrize("window", [0, 10_000, 30_000])
def test_option_tie_window_us(window: int) -> None:
    assert tie(window + 1, tie_window_us=window) == "rejected"
    if window:
        assert tie(window, tie_window_us=window) == "tie"


# Work piles


def test_option_gaps() -> None:
    deal = deal_where(alone(), ace_first)
    steps = ("play work0", "draw", "fill nerts", "draw")
    free = play(alone(), [scripted(*steps)], deal).did
    assert free[1:] == ["draw stock>waste ok", "fill nerts>work0 ok", "draw stock>waste ok"]
    bound = play(alone(gaps="nerts_at_once"), [scripted(*steps)], deal).did
    assert bound[1:] == ["fill nerts>work0 ok", "draw stock>waste ok"]


def test_option_gaps_binds_only_hand_0_of_split_roles() -> None:
    deal = deal_where(alone(), ace_first)
    bot = scripted("play work0", partner=["wait 2000000", "draw"])
    for roles, draws in (("split", 1), ("free", 0)):
        played = play(alone(gaps="nerts_at_once", hands=2, roles=roles), [bot], deal)
        assert played.did.count("draw stock>waste ok") == draws


def test_option_runs() -> None:
    """A card laid on one pile could as well lie on another: part of a run moves, or only the whole."""
    rules = alone()
    deal = deal_where(
        rules,
        lambda seat: (
            fits(seat.nerts, seat.work[0]) and fits(seat.nerts, seat.work[1]) and fits(seat.work[0], seat.work[2])
        ),
    )
    steps = ("build nerts work0", "move work0 work1 x1", "move work0 work2")
    part = ["build nerts>work0 ok", "move work0>work1 ok", "move work0>work2 ok"]
    assert play(rules, [scripted(*steps)], deal).did == part
    whole = play(rules.replace(runs="whole"), [scripted(*steps)], deal)
    assert whole.did == ["build nerts>work0 ok", "move work0>work2 ok"]
    assert [record["count"] for record in whole.records if record.get("action") == "move"] == [2]


def test_option_runs_whole_moves_nothing_into_a_gap() -> None:
    rules = alone()
    deal = deal_where(rules, lambda seat: rank(seat.work[1]) == 0 and fits(seat.nerts, seat.work[0]))
    steps = ("build nerts work0", "play work1", "move work0 work1 x1")
    assert play(rules, [scripted(*steps)], deal).did[2:] == ["move work0>work1 ok"]
    assert play(rules.replace(runs="whole"), [scripted(*steps)], deal).did[2:] == []


@pytest.mark.parametrize("slide", [True, False])
def test_option_slide(slide: bool) -> None:
    rules = alone(slide=slide)
    deal = deal_where(rules, lambda seat: rank(seat.work[0]) == 0 and fits(seat.work[1], seat.nerts))
    played = play(rules, [scripted("slide nerts work1", "play work0", "slide nerts work1")], deal)
    assert played.did == ["play work0>foundation0 ok"] + ["slide nerts>work1 ok"] * slide


# Being stuck


def round_of_stock(rotation: str) -> Played:
    """A stock of 8 gone through in vain, a rotation where it is allowed, and the stock gone through again."""
    rules = alone(rotation=rotation, **SMALL_STOCK)
    steps = ["draw"] * 3 + ["recycle", "rotate"] + ["draw"] * 3 + ["recycle"]
    return play(rules, [scripted(*steps)], 0)


def test_option_rotation() -> None:
    none, one, shuffled = (round_of_stock(rotation) for rotation in ("none", "one", "shuffle"))
    turn = ["draw stock>waste ok"] * 3 + ["recycle waste>stock ok"]
    assert none.did == turn + turn
    assert one.did == shuffled.did == [*turn, "rotate stock>stock ok", *turn]
    stock = dealt(alone(**SMALL_STOCK), 0).stock
    rotated = next(record for record in shuffled.records if record.get("action") == "rotate")
    assert sorted(rotated["stock"]) == sorted(map(card_text, stock))
    assert rotated["stock"] != [card_text(card) for card in stock]
    assert not any("stock" in record for record in one.records if record.get("action") == "rotate")


def test_option_rotation_one_brings_the_next_cards_of_the_triples_to_the_top() -> None:
    rules = alone(**SMALL_STOCK)
    deal = deal_where(rules, lambda seat: rank(seat.stock[3]) == 0)
    steps = ["draw"] * 3 + ["recycle", "rotate", "draw", "play waste"]
    assert "play waste>foundation0 ok" in play(rules, [scripted(*steps)], deal).did
    assert "play waste>foundation0 ok" not in play(rules.replace(rotation="none"), [scripted(*steps)], deal).did


@pytest.mark.parametrize("rotation", ["one", "none", "shuffle"])
@pytest.mark.parametrize("draw", [1, 3])
def test_option_rotation_leaves_as_many_fruitless_passes_before_the_end(rotation: str, draw: int) -> None:
    rules = alone(rotation=rotation, draw=draw, nerts=40, work_piles=7, time_limit_us=60_000_000)
    draws = ["draw"] * (5 if draw == 1 else 2)
    steps = ([*draws, "recycle", "rotate"] * 3)[: 14 if draw == 3 else 7]
    played = play(rules, [scripted(*steps)], deal_where(rules, lambda seat: True))
    assert played.did.count("recycle waste>stock ok") == draw
    assert played.score["ended"] == "stuck"


# Foundations and jokers


@pytest.mark.parametrize("foundations", FOUNDATIONS)
@pytest.mark.parametrize("suits", ["same suit", "same colour", "other colour"])
def test_option_foundations(foundations: str, suits: str) -> None:
    def red(card: int) -> bool:
        return card & 3 in (1, 2)

    def condition(seat: Dealt) -> bool:
        ace, two = seat.work[:2]
        kind = "other colour" if red(ace) != red(two) else "same suit" if ace & 3 == two & 3 else "same colour"
        return rank(ace) == 0 and rank(two) == 1 and kind == suits

    rules = alone(foundations=foundations)
    played = play(rules, [scripted("play work0", "play work1")], deal_where(rules, condition))
    taken = {"suit": ["same suit"], "colour": ["other colour"], "any": ["same suit", "same colour", "other colour"]}
    assert played.seats[0]["foundation"] == 1 + (suits in taken[foundations])


@pytest.mark.parametrize("jokers", [0, 1, 2, 3, 4])
def test_option_jokers(jokers: int) -> None:
    deck = greedy(Rules(seats=2, jokers=jokers)).records[0]["seats"][0]["deck"]
    assert sorted(card for card in deck if card.startswith("JK")) == [f"JK{number + 1}" for number in range(jokers)]
    assert len(deck) == len(set(deck)) == 52 + jokers


def test_option_jokers_are_declared_on_a_foundation() -> None:
    rules = alone(jokers=2)
    deal = deal_where(rules, lambda seat: rank(seat.work[0]) == 0 and seat.work[1] == joker(1) and seat.work[2] < 4)
    ace = dealt(rules, deal).work[0]
    following = card_text(ace + 4)
    played = play(rules, [scripted("play work0", "play work2", f"play work1 ={following}")], deal)
    assert played.did == [f"play work{pile}>foundation{number} ok" for pile, number in ((0, 0), (2, 1), (1, 0))]
    declared = [record for record in played.records[1:-1] if record["action"] == "play"][-1]
    assert (declared["card"], declared["as"]) == ("JK1", following)


def test_option_jokers_are_fixed_when_covered() -> None:
    """A card laid on an undeclared joker says what the joker is; the next card must fit."""
    rules = alone(jokers=4)
    deal = deal_where(rules, lambda seat: seat.work[0] == joker(2) and seat.nerts < 48)
    top = dealt(rules, deal).nerts
    above = [card for card in range(52) if fits(top, card)]
    assert len(above) == 2
    for identity in map(card_text, above):
        played = play(rules, [scripted(f"build nerts work0 ={identity}")], deal)
        assert played.records[1]["as"] == identity
    wrong = card_text(above[0] ^ 3 if above[0] & 3 in (0, 1) else above[0] - 4)
    for other in (card_text(top), wrong):
        if other not in map(card_text, above):
            assert play(rules, [scripted(f"build nerts work0 ={other}")], deal).did == []


@pytest.mark.parametrize("unfix", [False, True])
def test_option_joker_unfix(unfix: bool) -> None:
    """A joker that was covered and is open again: what it was fixed as, or any card once more."""
    rules = alone(jokers=4, joker_unfix=unfix)
    deal = deal_where(
        rules, lambda seat: seat.work[0] >> JOKER_SHIFT > 0 and seat.nerts > 3 and fits(seat.nerts, seat.work[1])
    )
    steps = ("build nerts work0", "move work0 work1 x1", "play work0 =AS")
    played = play(rules, [scripted(*steps)], deal)
    assert played.did[:2] == ["build nerts>work0 ok", "move work0>work1 ok"]
    assert played.did[2:] == ["play work0>foundation0 ok"] * unfix


# What cannot be played


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"nerts": (13, 10)}, "nerts has 2 values, but there are 4 seats"),
        ({"hands": (2,)}, "hands has 1 values, but there are 4 seats"),
        ({"hands": ()}, "hands has 0 values, but there are 4 seats"),
        ({"nerts": (13, 13, 13, 41)}, "nerts[3] must be a whole number from 1 to 40, not 41"),
        ({"hands": (1, 2, 3, 1)}, "hands[2] must be a whole number from 1 to 2, not 3"),
        ({"hands": 3}, "hands must be a whole number from 1 to 2, not 3"),
        ({"nerts": 0}, "nerts must be a whole number from 1 to 40, not 0"),
        ({"nerts": "13,10"}, "nerts must be one whole number, or one for each seat as [40, 1], not '13,10'"),
        ({"nerts": 40, "work_piles": 7, "winner_handicap": 6}, "a nerts pile of 40, 6 more for the winner and 7 work"),
        ({"winner_handicap": 11}, "winner_handicap must be a whole number from 0 to 10, not 11"),
        ({"seats": 13}, "seats must be a whole number from 1 to 12, not 13"),
        ({"draw": 0}, "draw must be a whole number from 1 to 5, not 0"),
        ({"jokers": 5}, "jokers must be a whole number from 0 to 4, not 5"),
        ({"rotation": "two"}, "rotation must be one of one, none, shuffle, not 'two'"),
        ({"slide": 1}, "slide must be true or false, not 1"),
        ({"seats": True}, "seats must be a whole number from 1 to 12, not True"),
    ],
)
def test_what_cannot_work_is_refused_with_the_reason(options: dict[str, Any], reason: str) -> None:
    with pytest.raises(RulesError, match=re.escape(reason)):
        Rules(**options)


def test_the_largest_piles_that_the_deck_holds_are_played() -> None:
    for options in ({"nerts": 40, "work_piles": 7, "jokers": 0, "draw": 5}, {"nerts": (40, 1), "work_piles": 1}):
        greedy(Rules(seats=2, time_limit_us=200_000_000, **options))
    Rules(nerts=40, work_piles=7, winner_handicap=5)
    Rules(nerts=40, work_piles=7, winner_handicap=9, jokers=4)

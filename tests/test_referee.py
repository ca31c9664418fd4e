"""The referee on small hand-written traces: right ones, and ones that are each broken in one way."""

from __future__ import annotations

import json

import pytest

from tests.referee import check_trace, main
from tests.referee.cards import full_deck

STANDARD = {
    "seats": 1,
    "hands": 1,
    "roles": "split",
    "nerts": 1,
    "work_piles": 4,
    "draw": 3,
    "leftover": True,
    "penalty": 2,
    "call_bonus": 0,
    "king_bonus": 0,
    "calling": "optional",
    "mid_air": "count",
    "tie": "both",
    "tie_window_us": 30_000,
    "gaps": "any",
    "runs": "any",
    "slide": True,
    "rotation": "one",
    "foundations": "suit",
    "jokers": 0,
    "joker_unfix": False,
    "time_limit_us": 1_800_000_000,
    "target": 100,
    "match_deals": None,
    "winner_handicap": 0,
}
#: action: (from, to) where they are always the same
ALWAYS = {"draw": ("stock", "waste"), "recycle": ("waste", "stock"), "rotate": ("stock", "stock")}


def deck(cards: str, jokers: int = 0) -> list[str]:
    """A deck that begins with these cards (nerts pile, work piles, stock), the others after them."""
    first = cards.split()
    return first + [card for card in full_deck(jokers) if card not in first]


class Trace:
    """Builds the lines of one deal. Times are in ms; every action thinks 10 and moves 10 unless told."""

    def __init__(self, *decks: str, **options: object):
        rules = STANDARD | {"seats": len(decks)} | options
        for name in ("hands", "nerts"):
            if isinstance(rules[name], int):
                rules[name] = [rules[name]] * len(decks)
        seats = [
            {"seat": n, "bot": "test", "hands": rules["hands"][n], "deck": deck(cards, rules["jokers"])}
            for n, cards in enumerate(decks)
        ]
        self.header = {"type": "deal", "format": "nertsim-trace/1", "seed": 7, "deal": 0, "rules": rules}
        self.header["seats"] = seats
        self.actions: list[dict] = []
        self.free: dict[tuple[int, int], int] = {}
        self.score: dict = {}

    def do(self, text: str, seat: int = 0, hand: int = 0, think: int = 10, motion: int = 10, **more: object) -> Trace:
        """One action: ``play AS nerts foundation0``, ``move 5H 2 work0 work1``, ``draw 3``, ``wait``."""
        kind, *words = text.split()
        result = more.pop("result", "ok")
        decided = self.free.get((seat, hand), 0)
        lifted = decided + think * 1000
        t = lifted if kind == "wait" or result == "abandoned" else lifted + motion * 1000
        line = {"type": "action", "t": t, "decided": decided, "lifted": lifted, "seat": seat, "hand": hand}
        line |= {"action": kind, "result": result}
        if kind == "draw":
            line["count"] = int(words[0])
        elif words:
            line["card"], line["from"], line["to"] = words[0], *words[-2:]
            if len(words) == 4:
                line["count"] = int(words[1])
        if kind in ALWAYS:
            line["from"], line["to"] = ALWAYS[kind]
        self.actions.append(line | more)
        self.free[seat, hand] = 2 * t - lifted if result == "rejected" else t
        return self

    def end(self, ended: str, t: int, *seats: tuple[int, int, int, int], caller: int | None = None) -> Trace:
        """The score line; a seat is (foundation, kings, nerts_left, score)."""
        names = ("foundation", "kings", "nerts_left", "score")
        rows = [{"seat": n} | dict(zip(names, row, strict=True)) for n, row in enumerate(seats)]
        self.score = {"type": "score", "ended": ended, "t": t * 1000, "caller": caller, "seats": rows}
        return self

    def lines(self) -> list[str]:
        """The file, lines in order of t (and of `do` where equal)."""
        ordered = sorted(self.actions, key=lambda line: line["t"])
        return [json.dumps(line) for line in (self.header, *ordered, self.score)]

    def check(self) -> list[str]:
        return check_trace(self.lines())


def limit(trace: Trace, *seats: tuple[int, int, int, int]) -> list[str]:
    """Problems of a deal that the time limit (1,800 s) ends."""
    return trace.end("time_limit", 1_800_000, *seats).check()


def right(problems: list[str]) -> None:
    assert problems == []


def wrong(problems: list[str], text: str) -> None:
    assert any(text in problem for problem in problems), problems


LEFT = (0, 0, 1, -2)  # nothing played, one nerts card left
OUT = (0, 0, 0, 0)  # the nerts card laid in the own layout
# nerts 2S | work AS 5H 6C KD | stock 3S 9C 8D, 4S …
ONE = "2S AS 5H 6C KD 3S 9C 8D 4S"


def called() -> Trace:
    """A whole deal of one seat: two plays, a move, a draw, a call."""
    trace = Trace(ONE).do("play AS work0 foundation0").do("move 5H 1 work1 work2").do("play 2S nerts foundation0")
    return trace.do("draw 3").do("wait").do("call").end("called", 110, (2, 0, 0, 2), caller=0)


# ----------------------------------------------------------------- format


def test_right_deal():
    right(called().check())


def test_several_deals_and_parsed_lines():
    right(check_trace([*called().lines(), *called().lines()]))
    right(check_trace([json.loads(line) for line in called().lines()]))


def test_main(tmp_path, capsys):
    path = tmp_path / "deal.jsonl"
    path.write_text("\n".join(called().lines()) + "\n")
    assert main([str(path)]) == 0
    path.write_text("\n".join(called().lines()[:-1]))
    assert main([str(path)]) == 1
    assert "last line" in capsys.readouterr().out


def change_rules(name: str, value: object):
    def change(trace: Trace) -> None:
        trace.header["rules"][name] = value

    return change


FORMAT = {
    "format": (lambda t: t.header.update(format="nertsim-trace/2"), "unknown format"),
    "extra header field": (lambda t: t.header.update(date=1), "'date' does not belong"),
    "missing option": (lambda t: t.header["rules"].pop("slide"), "'slide' is missing"),
    "extra option": (change_rules("tempo", 1), "'tempo' does not belong"),
    "nerts no list": (change_rules("nerts", 13), "nerts cannot be 13"),
    "bool as number": (change_rules("draw", True), "draw cannot be True"),
    "unknown word": (change_rules("tie", "all"), "tie cannot be 'all'"),
    "no permutation": (lambda t: t.header["seats"][0]["deck"].__setitem__(0, "3S"), "no permutation"),
    "hands differ": (lambda t: t.header["seats"][0].update(hands=2), "hands differ"),
    "null field": (lambda t: t.actions[0].update({"as": None}), "'as' is no card"),
    "as of a plain card": (lambda t: t.actions[0].update({"as": "AS"}), "only for one"),
    "card of a draw": (lambda t: t.actions[3].update(card="8D"), "'card' does not belong"),
    "count of a wait": (lambda t: t.actions[4].update(count=1), "'count' does not belong"),
    "no count of a move": (lambda t: t.actions[1].pop("count"), "'count' is missing"),
    "no result": (lambda t: t.actions[0].pop("result"), "'result' is missing"),
    "float time": (lambda t: t.actions[0].update(t=20000.0), "t is no time"),
    "from of a draw": (lambda t: t.actions[3].update({"from": "waste"}), "cannot have 'from'"),
    "no such pile": (lambda t: t.actions[1].update(to="work4"), "there is no work4"),
    "no such seat": (lambda t: t.actions[1].update(seat=1), "no seat 1"),
    "no such hand": (lambda t: t.actions[1].update(hand=1), "no hand 1"),
    "rejected call": (lambda t: t.actions[5].update(result="rejected"), "cannot be 'rejected'"),
    "score field": (lambda t: t.score.pop("caller"), "'caller' is missing"),
    "score seats": (lambda t: t.score["seats"].clear(), "one entry a seat"),
}


@pytest.mark.parametrize("name", FORMAT)
def test_format(name):
    change, text = FORMAT[name]
    trace = called()
    change(trace)
    wrong(trace.check(), text)


def test_format_of_lines():
    lines = called().lines()
    wrong(check_trace([]), "is empty")
    wrong(check_trace(["{", *lines]), "line 1")
    wrong(check_trace(['{"type":"deal","type":"deal"}']), "occurs twice")
    wrong(check_trace(lines[1:]), "must begin with its header")
    wrong(check_trace([*lines, lines[1]]), "must be the score")
    wrong(check_trace([*lines[:2], lines[-1], *lines[2:]]), "only the last line")


# ----------------------------------------------------------------- timing

TIMING = {
    "idle": (0, {"decided": 1000}, "hand was free at 0"),
    "lift before decision": (1, {"lifted": 19_000}, "not in order"),
    "wait with a lift": (4, {"lifted": 85_000}, "lifted must equal t"),
}


@pytest.mark.parametrize("name", TIMING)
def test_timing(name):
    number, fields, text = TIMING[name]
    trace = called()
    trace.actions[number].update(fields)
    wrong(trace.check(), text)


def test_order_of_lines():
    lines = called().lines()
    wrong(check_trace([lines[0], lines[2], lines[1], *lines[3:]]), "before the line above")


def test_rejected_hand_is_busy_for_the_way_back():
    def deal(free: int) -> list[str]:
        trace = race().do("play 2S work0 foundation0", seat=1, think=15, motion=15, result="rejected")
        trace.free[1, 0] = free * 1000
        trace.do("wait", seat=1)
        return limit(trace, (2, 0, 0, 2), LEFT)

    right(deal(50 + 15))
    wrong(deal(50), "hand was free at 65000")


# ----------------------------------------------------------------- foundations and races


def race(**options: object) -> Trace:
    """Two seats: seat 0 plays AS (t 20) and 2S (t 40); seat 1 has 2S too and waits until 40 − 20 = 20."""
    options = {"tie_window_us": 5000} | options
    trace = Trace("2S AS 5H 6C KD", "9H 2S 5H 6C KD", **options)
    trace.do("play AS work0 foundation0").do("play 2S nerts foundation0")
    return trace.do("wait", seat=1, think=20)


BEST = (2, 0, 0, 2)


def test_race_by_a_hair_is_a_tie():
    right(limit(race().do("play 2S work0 foundation0", seat=1, motion=15, result="tie"), BEST, (1, 0, 1, -1)))
    wrong(limit(race().do("play 2S work0 foundation0", seat=1, motion=15, result="rejected"), BEST, LEFT), "be 'tie'")
    wrong(limit(race().do("play 2S work0 foundation0", seat=1, motion=15), BEST, (1, 0, 1, -1)), "be 'tie'")


def test_tie_window_is_inclusive():
    late = race(tie_window_us=4999).do("play 2S work0 foundation0", seat=1, motion=15, result="tie")
    wrong(limit(late, BEST, (1, 0, 1, -1)), "be 'rejected'")


def test_tie_first():
    lost = race(tie="first").do("play 2S work0 foundation0", seat=1, motion=15, result="rejected")
    right(limit(lost, BEST, LEFT))
    shared = race(tie="first").do("play 2S work0 foundation0", seat=1, motion=15, result="tie")
    wrong(limit(shared, BEST, (1, 0, 1, -1)), "be 'rejected'")


def test_abandoned_only_when_the_foundation_is_gone():
    gone = race().do("play 2S work0 foundation0", seat=1, think=21, result="abandoned")
    right(limit(gone, BEST, LEFT))
    lifted = race().do("play 2S work0 foundation0", seat=1, think=21, result="rejected")
    wrong(limit(lifted, BEST, LEFT), "to be abandoned")
    early = race().do("play 2S work0 foundation0", seat=1, think=19, result="abandoned")
    wrong(limit(early, BEST, LEFT), "still possible")


def test_lift_and_landing_at_the_same_microsecond():
    """The lift may have come first, or not; for the abandoned one the file says."""
    right(limit(race().do("play 2S work0 foundation0", seat=1, think=20, result="rejected"), BEST, LEFT))
    right(limit(race().do("play 2S work0 foundation0", seat=1, think=20, result="abandoned"), BEST, LEFT))
    early = Trace("2S AS 5H 6C KD", "9H 2S 5H 6C KD").do("wait", seat=1, think=20).do("play AS work0 foundation0")
    early.do("play 2S work0 foundation0", seat=1, think=20, result="abandoned").do("play 2S nerts foundation0")
    wrong(limit(early, BEST, LEFT), "still possible")


def test_play_decided_before_it_was_possible():
    early = Trace("9H AS 5H 6C KD", "9H 2S 5H 6C KD").do("play AS work0 foundation0")
    early.do("play 2S work0 foundation0", seat=1, think=30)
    wrong(limit(early, (1, 0, 1, -1), (1, 0, 1, -1)), "decided although no foundation took 2S")


def two_aces() -> Trace:
    """Foundations 0 and 1 both have AS at 20; seat 1 decides on 2S then, seat 0 too."""
    trace = Trace("9H AS 2S 6C KD", "9H AS 2S 6C KD").do("play AS work0 foundation0")
    return trace.do("play AS work0 foundation1", seat=1)


TWO = (2, 0, 1, 0)


def test_aim():
    right(limit(two_aces().do("play 2S work1 foundation0").do("play 2S work1 foundation1", seat=1), TWO, TWO))
    right(limit(two_aces().do("play 2S work1 foundation1").do("play 2S work1 foundation0", seat=1), TWO, TWO))
    high = two_aces().do("play 2S work1 foundation2")
    wrong(limit(high, TWO, (1, 0, 1, -1)), "had to go to foundation [0, 1]")


def test_ace_starts_the_next_pile():
    skipped = Trace("9H AS 2S 6C KD").do("play AS work0 foundation1")
    wrong(limit(skipped, (1, 0, 1, -1)), "had to go to foundation [0]")


@pytest.mark.parametrize("mode, right_cards", [("suit", "2S"), ("colour", "2H"), ("any", "2S 2C 2H")])
def test_foundation_modes(mode, right_cards):
    for card in ("2S", "2C", "2H"):
        trace = Trace("9D AS 2S 2C 2H", foundations=mode).do("play AS work0 foundation0")
        trace.do(f"play {card} work{1 + ['2S', '2C', '2H'].index(card)} foundation0")
        problems = limit(trace, TWO)
        assert (problems == []) == (card in right_cards.split()), card


def spades(last: str, **options: object) -> Trace:
    """A run of spades from the ace to the king, from work piles of one card each."""
    ranks = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q"]
    trace = Trace("9H " + " ".join(f"{rank}S" for rank in [*ranks, "K"]), work_piles=13, **options)
    for number, rank in enumerate(ranks):
        trace.do(f"play {rank}S work{number} foundation0")
    return trace.do(f"play {last} work12 foundation0")


def test_kings_score():
    right(limit(spades("KS"), (13, 1, 1, 11)))
    right(limit(spades("KS", king_bonus=5), (13, 1, 1, 16)))
    wrong(limit(spades("KS"), (13, 0, 1, 11)), "kings is 0, must be 1")


# ----------------------------------------------------------------- the own layout


def test_top_cards_only():
    wrong(limit(Trace("2S 3S AS 5H 6C KD", nerts=2).do("play 2S nerts foundation0"), (1, 0, 1, -1)), "not on top")
    trace = Trace("9H AS 5H 6C KD").do("move 5H 1 work1 work2").do("build 9H nerts work0")
    wrong(limit(trace, OUT), "9H does not fit work0")


def test_build_and_fill():
    trace = Trace("4C AS 5H 6C KD").do("move 5H 1 work1 work2").do("build 4C nerts work2")
    right(limit(trace, OUT))
    right(limit(Trace("4C AS 5H 6C KD").do("play AS work0 foundation0").do("fill 4C nerts work0"), (1, 0, 0, 1)))
    wrong(limit(Trace("4C AS 5H 6C KD").do("fill 4C nerts work0"), OUT), "was no gap")
    gap = Trace("4C AS 5H 6C KD").do("play AS work0 foundation0").do("build 4C nerts work0")
    wrong(limit(gap, (1, 0, 0, 1)), "had no card")
    wrong(limit(Trace("4C AS 5S 6C KD").do("build 4C nerts work1"), OUT), "does not fit")


def run_of_two(**options: object) -> Trace:
    """work0 a gap; work2 6C 5H; work3 7D."""
    return Trace("9H AS 5H 6C 7D", **options).do("play AS work0 foundation0").do("move 5H 1 work1 work2")


ACE = (1, 0, 1, -1)


def test_moves():
    right(limit(run_of_two().do("move 6C 2 work2 work3"), ACE))
    right(limit(run_of_two().do("move 5H 1 work2 work0"), ACE))
    right(limit(run_of_two(runs="whole").do("move 6C 2 work2 work3"), ACE))
    wrong(limit(run_of_two(runs="whole").do("move 5H 1 work2 work0"), ACE), "only whole piles")
    wrong(limit(run_of_two().do("move 6C 2 work2 work0"), ACE), "whole pile may not move into a gap")
    wrong(limit(run_of_two().do("move 6C 1 work2 work3"), ACE), "has 2 cards, not 1")
    wrong(limit(run_of_two().do("move 5H 1 work2 work3"), ACE), "does not fit")


def test_slide():
    right(limit(Trace("7H AS 5H 6C KD").do("play AS work0 foundation0").do("slide 7H nerts work2"), (1, 0, 0, 1)))
    wrong(limit(Trace("7H AS 5H 6C KD").do("slide 7H nerts work2"), OUT), "no gap")
    colour = Trace("7S AS 5H 6C KD").do("play AS work0 foundation0").do("slide 7S nerts work2")
    wrong(limit(colour, (1, 0, 0, 1)), "does not fit")
    off = Trace("7H AS 5H 6C KD", slide=False).do("play AS work0 foundation0").do("slide 7H nerts work2")
    wrong(limit(off, (1, 0, 0, 1)), "no sliding")
    below = Trace("7H AS 5H 6C KD").do("play AS work0 foundation0").do("slide 7H nerts work2")
    wrong(limit(below.do("move 7H 1 work2 work3"), (1, 0, 0, 1)), "has 2 cards")


def test_nerts_at_once():
    def deal() -> Trace:
        return Trace("4C AS 5H 6C KD", gaps="nerts_at_once").do("play AS work0 foundation0")

    right(limit(deal().do("wait").do("fill 4C nerts work0").do("draw 3"), (1, 0, 0, 1)))
    wrong(limit(deal().do("draw 3"), ACE), "had to be filled")
    wrong(limit(deal().do("build 4C nerts work1"), (1, 0, 0, 1)), "had to be filled")


def test_nothing_in_the_own_layout_is_given_up_by_one_hand():
    wrong(limit(Trace(ONE).do("move 5H 1 work1 work2", result="abandoned"), LEFT), "still possible")
    wrong(limit(Trace(ONE).do("move 5H 1 work1 work2", result="rejected"), LEFT), "although it was legal")


# ----------------------------------------------------------------- stock


def stock_of(cards: str, **options: object) -> Trace:
    """A seat whose stock is only these cards; the rest is in a large nerts pile."""
    work = ["5H", "6C", "9D", "KD"]
    stock = cards.split()
    nerts = [card for card in full_deck(0) if card not in work + stock]
    return Trace(" ".join(nerts + work + stock), nerts=len(nerts), **options)


FULL = (0, 0, 43, -86)  # a stock of five


def test_draw_keeps_the_order():
    trace = stock_of("2S 4C JH 8D QH").do("draw 3").do("draw 2").do("recycle").do("draw 3")
    trace.do("build JH waste work0")
    wrong(limit(trace, FULL), "JH does not fit work0")
    trace = stock_of("2S QS 4C 8D QH").do("draw 3").do("draw 2").do("recycle").do("draw 3").do("build 4C waste work0")
    right(limit(trace.do("build QS waste work3"), FULL))


def test_leftover_true():
    wrong(limit(stock_of("2S 4C JH 8D QH").do("draw 3").do("draw 1"), FULL), "the draw is of 2 cards")
    wrong(limit(stock_of("2S 4C JH 8D QH").do("draw 3").do("recycle"), FULL), "can still be drawn")
    wrong(limit(stock_of("2S 4C JH 8D QH").do("draw 3").do("draw 2").do("draw 1"), FULL), "too few cards")


def test_leftover_false():
    trace = stock_of("2S 4C JH 8D QH", leftover=False).do("draw 3").do("recycle").do("draw 3")
    right(limit(trace, FULL))
    wrong(limit(stock_of("2S 4C JH 8D QH", leftover=False).do("draw 3").do("draw 2"), FULL), "too few cards")
    few = stock_of("2S 4C", leftover=False).do("draw 2").do("recycle")
    right(limit(few, (0, 0, 46, -92)))
    wrong(limit(stock_of("2S 4C", leftover=False).do("recycle"), (0, 0, 46, -92)), "can still be drawn")


def test_rotation():
    def passed(**options: object) -> Trace:
        return stock_of("2S 4C JH 8D QH", **options).do("draw 3").do("draw 2").do("recycle")

    right(limit(passed().do("rotate").do("draw 3"), FULL))
    order = passed().do("rotate").do("draw 3").do("build 8D waste work0")
    wrong(limit(order, FULL), "8D does not fit")  # on top, but does not fit
    wrong(limit(passed().do("draw 3").do("rotate"), FULL), "no fruitless pass")
    wrong(limit(passed().do("rotate").do("rotate"), FULL), "no fruitless pass")
    wrong(limit(passed(rotation="none").do("rotate"), FULL), "there is no rotation")
    right(limit(passed(rotation="shuffle").do("rotate", stock=["JH", "QH", "2S", "4C", "8D"]), FULL))
    wrong(limit(passed(rotation="shuffle").do("rotate", stock=["JH", "QH", "2S", "4C"]), FULL), "in another order")
    wrong(limit(passed(rotation="shuffle").do("rotate"), FULL), "needs 'stock'")
    fruitful = stock_of("2S 4C JH 8D QH").do("draw 3").do("draw 2").do("move 5H 1 work0 work1").do("recycle")
    wrong(limit(fruitful.do("rotate"), FULL), "no fruitless pass")


# ----------------------------------------------------------------- stuck


def fruitless(passes: int, **options: object) -> Trace:
    """Passes of 60 ms each (two draws and a recycle)."""
    trace = stock_of("2S 4C JH 8D QH", **options)
    for _ in range(passes):
        trace.do("draw 3").do("draw 2").do("recycle")
    return trace


def test_stuck_after_draw_fruitless_passes():
    right(fruitless(3).end("stuck", 180, FULL).check())
    wrong(fruitless(2).end("stuck", 120, FULL).check(), "not every seat was exhausted")
    wrong(fruitless(4).end("stuck", 240, FULL).check(), "the deal went on")
    wrong(limit(fruitless(3), FULL), "the deal went on")
    right(limit(fruitless(2), FULL))


def test_a_move_makes_fresh():
    trace = fruitless(2).do("move 5H 1 work0 work1").do("draw 3").do("draw 2").do("recycle")
    wrong(trace.end("stuck", 200, FULL).check(), "not every seat was exhausted")


def test_growth_makes_all_fresh():
    """A stock of one card, drawn one at a time: a pass takes 40 ms, and one fruitless pass exhausts a seat."""
    work = ["AS", "6C", "9D", "KD"]
    nerts = [card for card in full_deck(0) if card not in [*work, "2S"]]
    cards = " ".join([*nerts, *work, "2S"])
    alone = (0, 0, 47, -94)

    def deal() -> Trace:
        return Trace(cards, cards, nerts=47, draw=1).do("draw 1", seat=1).do("recycle", seat=1)

    right(deal().do("draw 1", think=20).do("recycle").end("stuck", 50, alone, alone).check())
    grown = deal().do("play AS work0 foundation0", think=40)
    for _ in range(2):
        grown.do("draw 1").do("recycle")
    right(limit(grown, (1, 0, 47, -93), alone))
    wrong(grown.end("stuck", 130, (1, 0, 47, -93), alone).check(), "not every seat was exhausted")


def no_stock(**options: object) -> Trace:
    """One seat without a stock: nerts of 48."""
    return stock_of("", **options)


NONE = (0, 0, 48, -96)


def test_stuck_without_stock():
    right(no_stock().end("stuck", 0, NONE).check())  # the wait that the end cuts off is not written
    wrong(no_stock().do("wait").end("stuck", 10, NONE).check(), "the deal went on")
    right(no_stock().do("move 5H 1 work0 work1").end("stuck", 20, NONE).check())
    wrong(no_stock().do("move 5H 1 work0 work1").end("stuck", 25, NONE).check(), "at an instant")
    wrong(no_stock().do("move 5H 1 work0 work1").end("stuck", 0, NONE).check(), "not every seat was exhausted")

    two = no_stock(hands=2, roles="free").do("wait", hand=1, think=15).do("move 5H 1 work0 work1")
    right(two.end("stuck", 20, NONE).check())
    two.do("wait", hand=1, think=15).do("draw 1", hand=0)  # hand 1 decided again at 15, hand 0 at 20
    wrong(limit(two, NONE), "too few cards")
    over = no_stock(hands=2, roles="free").do("wait", hand=1, think=50).do("move 5H 1 work0 work1").do("wait")
    wrong(limit(over, NONE), "every seat was exhausted at 20000")


# ----------------------------------------------------------------- two hands

PAIR = {"hands": 2, "tie_window_us": 0}


def pair(**options: object) -> Trace:
    """nerts 4C; work 5H 6C 10D KD; stock 9S 4S 9C, 8D …"""
    return Trace("4C 5H 6C 10D KD 9S 4S 9C 8D", **(PAIR | options))


def test_roles():
    right(limit(pair().do("draw 3", hand=1).do("build 9C waste work2", hand=1), LEFT))
    wrong(limit(pair().do("draw 3", hand=0), LEFT), "partner's role")
    wrong(limit(pair().do("build 4C nerts work0", hand=1), OUT), "partner's role")
    right(limit(pair(roles="free").do("draw 3", hand=0), LEFT))


def test_quicker_partner():
    """Hand 1 goes for 5H with 4S (from 40); hand 0 lays 4C on it first, at 50."""

    def deal(result: str, think: int = 5) -> list[str]:
        trace = pair().do("draw 3", hand=1).do("build 9C waste work2", hand=1)
        trace.do("build 4C nerts work0", think=40)
        return limit(trace.do("build 4S waste work0", hand=1, think=think, motion=20, result=result), OUT)

    right(deal("rejected"))
    wrong(deal("ok"), "4S does not fit work0")
    right(deal("abandoned", think=11))
    wrong(deal("abandoned", think=9), "still possible")
    right(deal("abandoned", think=10))  # at the same microsecond, in file order
    right(deal("rejected", think=10))


def test_closed_to_the_partner():
    """Hand 0 has 5H of work0 in mid-air from 10 to 60; hand 1 wants to lay 4S on work0."""
    trace = pair().do("move 5H 1 work0 work1", motion=50)
    trace.do("draw 3", hand=1).do("build 9C waste work2", hand=1, motion=5)
    trace.do("build 4S waste work0", hand=1)
    wrong(limit(trace, LEFT), "work0 was closed by the partner")


def test_waste_is_closed_while_it_is_drawn_to():
    trace = pair(roles="free").do("draw 3", hand=1)
    trace.do("draw 3", hand=1, motion=100).do("wait", hand=0, think=50).do("build 9C waste work2", hand=0)
    wrong(limit(trace, LEFT), "waste was closed")


def test_gap_only_when_landed():
    trace = pair(roles="free").do("move 5H 1 work0 work1", think=0, motion=50)
    trace.do("wait", hand=1, think=30).do("fill 4C nerts work0", hand=1)
    wrong(limit(trace, OUT), "work0 was closed by the partner")


def test_cut_motion_of_the_partner_excuses():
    """At the time limit hand 0 may hold what the file does not show."""
    trace = pair(roles="free", time_limit_us=20_000).do("build 4C nerts work0", hand=1, result="abandoned")
    right(trace.end("time_limit", 20, LEFT).check())


# ----------------------------------------------------------------- jokers

JOKER = {"jokers": 1}


def test_joker_to_a_foundation():
    trace = Trace("JK1 AS 5H 6C KD", **JOKER).do("play AS work0 foundation0")
    right(limit(trace.do("play JK1 nerts foundation0", **{"as": "2S"}), (2, 0, 0, 2)))
    trace.actions[-1]["as"] = "2H"
    wrong(limit(trace, (2, 0, 0, 2)), "decided although no foundation took 2H")
    trace.actions[-1].pop("as")
    wrong(limit(trace, (2, 0, 0, 2)), "needs 'as'")


def test_joker_in_a_work_pile():
    def deal(under: str = "work1", jokers: dict | None = None) -> Trace:
        """JK1 on a pile, then 4S of the stock on it."""
        trace = Trace("JK1 AS 6H KC KD 4S", draw=1, **(JOKER | (jokers or {}))).do(f"build JK1 nerts {under}")
        return trace.do("draw 1")

    right(limit(deal("work1"), OUT))
    wrong(limit(deal("work0"), OUT), "JK1 does not fit work0")  # never on an ace
    wrong(limit(deal("work1").do("build 4S waste work1", **{"as": "5C"}), OUT), "does not fit")  # would be a black 5


def fixed_joker(identity: str | None, **options: object) -> Trace:
    """JK1 on 6C, 4S on it, then 4S away onto 5D."""
    trace = Trace("JK1 AS 6C 5D KD 4S", draw=1, **(JOKER | options)).do("build JK1 nerts work1").do("draw 1")
    more = {"as": identity} if identity else {}
    return trace.do("build 4S waste work1", **more).do("move 4S 1 work1 work2")


def test_joker_is_fixed_when_covered():
    right(limit(fixed_joker("5H"), OUT))
    right(limit(fixed_joker("5D"), OUT))
    wrong(limit(fixed_joker("5S"), OUT), "the joker cannot be 5S")
    wrong(limit(fixed_joker(None), OUT), "'as' is missing")
    again = fixed_joker("5H").do("play JK1 work1 foundation0", **{"as": "AH"})
    wrong(limit(again, (1, 0, 0, 1)), "the joker is fixed as 5H")
    unfixed = fixed_joker("5H", joker_unfix=True).do("play JK1 work1 foundation0", **{"as": "AH"})
    right(limit(unfixed, (1, 0, 0, 1)))


def test_joker_slides():
    def deal(**more: object) -> list[str]:
        trace = Trace("JK1 AS 6C 5D KD", **JOKER).do("play AS work0 foundation0")
        return limit(trace.do("slide JK1 nerts work1", **more), (1, 0, 0, 1))

    right(deal(**{"as": "7H"}))
    wrong(deal(**{"as": "7S"}), "the joker cannot be 7S")
    wrong(deal(), "'as' is missing")


def test_as_only_where_a_joker_is_fixed():
    wrong(limit(Trace(ONE).do("move 5H 1 work1 work2", **{"as": "5H"}), LEFT), "no joker is fixed")


# ----------------------------------------------------------------- the end


def test_call_needs_an_empty_nerts_pile():
    wrong(Trace(ONE).do("call").end("called", 20, LEFT, caller=0).check(), "nerts pile is not empty")
    right(Trace("4C AS 5H 6C KD").do("build 4C nerts work1").do("call").end("called", 40, OUT, caller=0).check())


def test_call_with_the_last_card_in_mid_air():
    trace = pair().do("build 4C nerts work0", motion=100).do("wait", hand=1, think=50).do("call", hand=1)
    wrong(trace.end("called", 70, OUT, caller=0).check(), "a nerts card is in mid-air")


def second_seat(lift: int, motion: int = 50, **options: object) -> Trace:
    """Seat 0 calls at 40; seat 1 plays AS, lifted at `lift`."""
    trace = Trace("4C AS 5H 6C KD", "9H AS 5H 6C KD", **options).do("build 4C nerts work1").do("call")
    return trace.do("play AS work0 foundation0", seat=1, think=lift, motion=motion)


def test_mid_air_at_the_call():
    right(second_seat(40).end("called", 40, OUT, ACE, caller=0).check())
    wrong(second_seat(41).end("called", 40, OUT, ACE, caller=0).check(), "lifted after the end")
    wrong(second_seat(30, mid_air="return").end("called", 40, OUT, ACE, caller=0).check(), "had to return")
    right(second_seat(20, 15, mid_air="return").end("called", 40, OUT, ACE, caller=0).check())
    waits = Trace("4C AS 5H 6C KD", "9H AS 5H 6C KD").do("build 4C nerts work1").do("call").do("wait", 1, think=41)
    wrong(waits.end("called", 40, OUT, LEFT, caller=0).check(), "after the end")


def test_automatic_call():
    def deal(think: int = 0) -> Trace:
        trace = Trace("4C AS 5H 6C KD", calling="automatic").do("build 4C nerts work1")
        return trace.do("call", think=think, motion=0)

    right(deal().end("called", 20, OUT, caller=0).check())
    wrong(deal(1).end("called", 21, OUT, caller=0).check(), "no automatic call follows")
    missing = Trace("4C AS 5H 6C KD", calling="automatic").do("build 4C nerts work1")
    wrong(limit(missing, OUT), "no automatic call follows")


def test_time_limit():
    def deal(end: int) -> list[str]:
        trace = Trace(ONE, time_limit_us=30_000).do("play AS work0 foundation0").do("draw 3")
        return trace.end("time_limit", end, ACE).check()

    wrong(deal(30), "after the time limit")
    wrong(deal(29), "with the limit at 30000")


SCORES = {
    "foundation": ({"foundation": 3}, "foundation is 3, must be 2"),
    "nerts": ({"nerts_left": 1}, "nerts_left is 1, must be 0"),
    "score": ({"score": 3}, "score is 3, must be 2"),
}


@pytest.mark.parametrize("name", SCORES)
def test_score(name):
    fields, text = SCORES[name]
    trace = called()
    trace.score["seats"][0].update(fields)
    wrong(trace.check(), text)


def test_call_bonus_penalty_and_caller():
    trace = called()
    trace.header["rules"].update(call_bonus=10, penalty=1)
    trace.score["seats"][0]["score"] = 12
    right(trace.check())
    trace.score["caller"] = None
    wrong(trace.check(), "has the caller None")


def test_called_needs_a_call():
    wrong(Trace(ONE).end("called", 20, LEFT, caller=0).check(), "there is no call")
    trace = called()
    trace.score.update(ended="stuck", caller=None)
    wrong(trace.check(), "a call in a deal that ended as stuck")

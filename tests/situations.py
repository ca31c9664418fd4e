"""Situations for the engine: deals that happen to have the layout that is wanted, and hands that follow a script.

What the engine plays is compared, line by line, with what the reference plays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from nertsim.bots.strategy import Bot, Parameter, Strategy
from nertsim.bots.view import action, action_count, my_hand, wait
from nertsim.cards import NONE, parse_card
from nertsim.codes import Action, Pile
from nertsim.dealer import Dealer
from nertsim.engine import layout
from nertsim.replay.decks import dealt_deck
from nertsim.rules import Rules
from nertsim.tempo import Tempo

from .agreement import Table, check_lines, engine_records, reference_records
from .reference.scenario import told

SEED = 20
STEPS = 16
EXACT = Tempo(
    think=0.1,
    think_per_bit=0.0,
    near=0.6,
    far=0.8,
    draw=0.7,
    recycle=1.3,
    rotate=0.9,
    call=0.3,
    think_variation=0.0,
    motion_variation=0.0,
    oversight=0.0,
)
"""A tempo without variation."""

Record = dict[str, Any]


def follow(view, parameters, scratch, noise):
    """Takes the first action that agrees with the step on what the step names; a step that is not legal is left out."""
    hand = my_hand(view)
    place = hand * 2 * STEPS + 2 * int(scratch[hand])
    mask, value = int(parameters[place]), int(parameters[place + 1])
    if mask == 0 and value == 0:
        return wait(10_000_000)
    scratch[hand] += 1.0
    if mask == 0:
        return wait(value)
    for position in range(action_count(view)):
        if action(view, position) & mask == value:
            return position
    return wait(1000)


FOLLOW = Strategy(
    "follow",
    follow,
    "does what it is told",
    {f"p{number}": Parameter(0.0, 0.0, 1e12, "half a step") for number in range(4 * STEPS)},
    scratch=2,
)


def _step(text: str) -> tuple[int, int]:
    """(mask, value) of ``play nerts``, ``move work0 work1 x1``, ``build nerts work2 =5H``, ``wait 5000``."""
    kind, *words = text.split()
    if kind == "wait":
        return 0, int(words[0])
    mask, value = 15 << layout.KIND_BITS, Action[kind.upper()] << layout.KIND_BITS
    fields = [(15, layout.SOURCE_BITS), (255, layout.TARGET_BITS)]
    for word in words:
        if word.startswith("x"):
            bits, shift, number = 15, layout.COUNT_BITS, int(word[1:])
        elif word.startswith("="):
            bits, shift, number = 63, layout.IDENTITY_BITS, parse_card(word[1:])
        else:
            bits, shift = fields.pop(0)
            number = Pile.WORK + int(word[4:]) if word.startswith("work") else Pile[word.upper()]
        mask, value = mask | bits << shift, value | number << shift
    return mask, value


def scripted(*steps: str, partner: Sequence[str] = (), tempo: Tempo = EXACT) -> Bot:
    """A bot that takes these steps, and its second hand those of the partner; then it waits for ever."""
    values = {}
    for hand, texts in enumerate((steps, partner)):
        assert len(texts) < STEPS
        for number, text in enumerate(texts):
            mask, value = _step(text)
            values[f"p{hand * 2 * STEPS + 2 * number}"] = float(mask)
            values[f"p{hand * 2 * STEPS + 2 * number + 1}"] = float(value)
    return Bot(FOLLOW, tempo, values, label="follow")


class Dealt(NamedTuple):
    """What lies before a seat: cards as in `nertsim.cards`."""

    nerts: int
    """The top one."""
    work: list[int]
    stock: list[int]
    """From its top."""


def deal_where(rules: Rules, condition: Callable[..., bool]) -> int:
    """The first deal of SEED in which the layouts of all seats meet the condition."""
    for deal in range(100_000):
        seats = []
        for seat, nerts in enumerate(rules.nerts_list):
            deck = dealt_deck(SEED, deal, seat, rules.jokers)
            behind = nerts + rules.work_piles
            seats.append(Dealt(deck[nerts - 1], deck[nerts:behind], deck[behind:]))
        if condition(*seats):
            return deal
    raise AssertionError("no such deal")


class Played(NamedTuple):
    """What became of a deal."""

    actions: list[str]
    """Without waits, as ``"900000 0.0 play AS nerts>foundation0 ok"``."""
    score: Record
    records: list[Record]

    @property
    def did(self) -> list[str]:
        """The actions without times, hands and cards: ``play nerts>foundation0 ok``."""
        found = []
        for record in self.records[1:-1]:
            if record["action"] != "wait":
                piles = f" {record['from']}>{record['to']}" if "from" in record else ""
                found.append(f"{record['action']}{piles} {record['result']}")
        return found

    @property
    def seats(self) -> list[Record]:
        """What each seat scored."""
        return self.score["seats"]


def play(rules: Rules, bots: Sequence[Bot], deal: int) -> Played:
    """The deal as the engine plays it; AssertionError where the reference plays it otherwise."""
    table = Table(rules, tuple(bots), SEED)
    records, _ = engine_records(table, Dealer(*table), deal)
    check_lines(table, deal, records, reference_records(table, deal))
    return Played(told(records), records[-1], records)


def rank(card: int) -> int:
    """0 ace … 12 king; 15 for a joker."""
    return (card & NONE) >> 2


def fits(card: int, under: int) -> bool:
    """Whether an ordinary card goes on another in a work pile."""
    red, other = (one & 3 in (1, 2) for one in (card, under))
    return max(card, under) < 52 and rank(card) + 1 == rank(under) and red != other

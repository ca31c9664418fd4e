"""Hand-made situations for tests: layouts in card texts, scripted bots, exact tempos, actions as short texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from nertsim.cards import NONE, card_text, identity_text, parse_card
from nertsim.codes import Action as Kind
from nertsim.codes import pile_text
from nertsim.engine import layout
from nertsim.engine.layout import View
from nertsim.rules import Rules
from nertsim.tempo import KernelTempo

from .deal import play_reference
from .pieces import SeatSetup, Table, declared

THINK, PLAY, NEAR, DRAW, RECYCLE, ROTATE, CALL = 100_000, 800_000, 600_000, 700_000, 1_300_000, 900_000, 300_000
LONG = 10_000_000
"""What a script waits when it has nothing more to do."""

Layout = Mapping[str, str]
"""``{"nerts": "2C 9S", "waste": "KD", "stock": "4H 5H", "work0": "QS JD"}``: top card last, but of the stock first."""


def exact_tempo(think: int = THINK, oversight: int = 0, **motions: int) -> KernelTempo:
    """A tempo without variation; `motions` by the name of an action."""
    times = dict.fromkeys(("build", "fill", "move", "slide"), NEAR)
    times |= {"play": PLAY, "draw": DRAW, "recycle": RECYCLE, "rotate": ROTATE, "call": CALL} | motions
    motion = [1, *(times.get(kind.name.lower(), 1) for kind in Kind)]
    return KernelTempo([think] * 64, motion, [1 << 16] * 1024, [1 << 16] * 1024, oversight)


def words(action: int) -> list[str]:
    """An action that a bot sees, as words: ``["build", "nerts", "work1", "5H"]``, then ``x2`` and ``=6S`` where due."""
    kind, count = Kind(action >> layout.KIND_BITS), action >> layout.COUNT_BITS & 15
    source, target = action >> layout.SOURCE_BITS & 15, action >> layout.TARGET_BITS & 255
    card, identity = action >> layout.CARD_BITS & 511, action >> layout.IDENTITY_BITS & 63
    found = [kind.name.lower()]
    if kind != Kind.CALL:
        found += [pile_text(source), pile_text(target)]
    if card != NONE:
        found.append(card_text(card))
    if kind in (Kind.MOVE, Kind.DRAW):
        found.append(f"x{count}")
    if identity != NONE:
        found.append("=" + identity_text(identity))
    return found


class Script:
    """A bot that takes the steps it is given: words of an action, or ``wait 5000``. Then it waits for ever."""

    def __init__(self, *steps: str, partner: Sequence[str] = ()) -> None:
        self.steps = (list(steps), list(partner))
        self.seen: list[tuple[int, int, list[str]]] = []
        """(time, hand, legal actions) at each decision."""
        self.views: list[View] = []
        """A copy of the view at each decision."""

    def __call__(self, view: View, parameters: np.ndarray, scratch: np.ndarray, noise: np.uint64) -> int:
        facts = view.facts
        now, hand, count = int(facts[layout.NOW]), int(facts[layout.HAND]), int(facts[layout.ACTION_COUNT])
        actions = [words(int(action)) for action in facts[layout.ACTIONS : layout.ACTIONS + count]]
        self.seen.append((now, hand, [" ".join(action) for action in actions]))
        self.views.append(View(view.table.copy(), view.own.copy(), facts.copy()))
        if not self.steps[hand]:
            return -LONG
        step = self.steps[hand].pop(0).split()
        if step[0] == "wait":
            return -int(step[1])
        fitting = [number for number, action in enumerate(actions) if set(step) <= set(action)]
        assert fitting, f"{step} at {now} is none of {actions}"
        return fitting[0]

    def legal(self, hand: int = 0, decision: int = 0) -> list[str]:
        """What was legal at a decision of a hand."""
        return [actions for _, deciding, actions in self.seen if deciding == hand][decision]


def cards(text: str) -> list[int]:
    """Cards by their texts; ``JK1=5H`` is a joker that is fixed."""
    found = []
    for word in text.split():
        card, _, identity = word.partition("=")
        found.append(declared(parse_card(card), parse_card(identity)) if identity else parse_card(card))
    return found


def arranger(layouts: Sequence[Layout], common: Sequence[str]) -> Callable[[Table], None]:
    """What puts the cards of the layouts on the table; the foundations in common are the last seat's."""

    def arrange(table: Table) -> None:
        for seat, wanted in zip(table.seats, layouts, strict=True):
            for code, pile in enumerate(seat.piles):
                pile[:] = cards(wanted.get(pile_text(code), ""))
            seat.stock.reverse()
            seat.deck = [parse_card(word.partition("=")[0]) for text in wanted.values() for word in text.split()]
        owner = table.seats[-1]
        for text in common:
            number = len(table.foundations)
            for card in cards(text):
                table.grow(number, card, owner.number, -LONG)
                owner.deck.append(card)
        for seat in table.seats:
            seat.fruitful = False

    return arrange


def run(
    layouts: Sequence[Layout],
    scripts: Sequence[Callable[..., int]],
    common: Sequence[str] = (),
    tempos: Sequence[Sequence[KernelTempo]] | None = None,
    seed: int = 1,
    **options: Any,
) -> list[dict[str, Any]]:
    """Plays a situation, with invariants checked, and returns its trace; `tempos` are lists of hands for each seat."""
    options = {"seats": len(layouts), "nerts": 1, "time_limit_us": 60_000_000} | options
    rules = Rules(**options)
    tempos = tempos or [[exact_tempo()] * 2] * len(layouts)
    setups = [SeatSetup("script", script, [], 0, tempo) for script, tempo in zip(scripts, tempos, strict=True)]
    decks = [[0] * (1 + rules.work_piles)] * len(layouts)
    arrange = arranger(layouts, common)
    return play_reference(rules, setups, seed, 0, check_invariants=True, decks=decks, arrange=arrange)


def told(lines: Sequence[dict[str, Any]], waits: bool = False) -> list[str]:
    """The actions of a trace as texts: ``"900000 0.0 play AS nerts>foundation0 ok"``."""
    return [_tell(line) for line in lines[1:-1] if waits or line["action"] != "wait"]


def _tell(line: Mapping[str, Any]) -> str:
    found = [str(line["t"]), f"{line['seat']}.{line['hand']}", line["action"]]
    if "card" in line:
        found.append(line["card"])
    if "from" in line:
        found.append(f"{line['from']}>{line['to']}")
    if "count" in line:
        found.append(f"x{line['count']}")
    if "as" in line:
        found.append("=" + line["as"])
    if "stock" in line:
        found.append("[" + " ".join(line["stock"]) + "]")
    return " ".join([*found, line["result"]])

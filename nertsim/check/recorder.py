"""A bot under observation: it plays un-jitted, and at every decision it is asked twice.

Once it is asked with the table as it is, and once with another one (`nertsim.check.worlds`) that agrees with it in all
that the bot may know. It has to answer, and to remember, the same.
"""

from __future__ import annotations

import dataclasses
import random
import time
import traceback
from typing import Any, NamedTuple

import numpy as np

from nertsim.bots.strategy import Strategy
from nertsim.check.worlds import (
    OtherWorlds,
    Outside,
    OwnCells,
    ScratchCells,
    Witness,
    peeked_view,
    view_of,
    with_one_replaced,
)
from nertsim.engine.layout import NOW, SEAT
from nertsim.engine.memory import DEAL

MOST_PEEKS = 100
DIVISIONS = (ZeroDivisionError, FloatingPointError)


class Enough(BaseException):
    """Nothing more is to be learned in this deal. Not an `Exception`, lest the dealer takes it for the bot's."""


class Raised(NamedTuple):
    """What the bot raised."""

    kind: str
    text: str
    line: int
    division: bool
    """A division by zero, which compiled code does not raise."""
    is_index: bool
    """An index beyond an array, which compiled code does not raise."""


class Peek(NamedTuple):
    """What a bot looked at and may not know."""

    name: str
    """``view.table`` …"""
    position: int
    line: int
    """Of the bot's file; 0 where it is not in it."""


class Ask(NamedTuple):
    """What a bot is asked with."""

    cards: np.ndarray
    """The engine's, or others."""
    memory: np.ndarray
    parameters: np.ndarray
    scratch: np.ndarray
    """As it was before."""
    noise: Any


class Place(NamedTuple):
    """Where the game stood."""

    sitting: str
    seat: int
    deal: int
    seconds: float

    def __str__(self) -> str:
        return f"{self.sitting}: seat {self.seat}, deal {self.deal}, {self.seconds:.3f} s"


@dataclasses.dataclass
class Findings:
    """What was seen of a bot, the first of each kind; None where nothing is wrong."""

    decisions: int = 0
    sees: tuple[Place, str, Peek | None] | None = None
    """It answers differently where only hidden things differ: how, and what it looked at."""
    unsteady: Place | None = None
    """It answers differently where nothing differs."""
    outside: tuple[Place, Outside] | None = None
    raised: tuple[Place, Raised] | None = None
    others: int | None = None
    """The line that looks at layouts of other seats."""

    @property
    def is_all_known(self) -> bool:
        """True where playing on would tell nothing more."""
        return self.outside is not None and (self.sees is not None or self.unsteady is not None)


class Recorder:
    """The function of a strategy that is put in its place at the table."""

    def __init__(self, strategy: Strategy, asks_twice: bool = True) -> None:
        self._decide = strategy.decide
        self.file = self._decide.__code__.co_filename
        self._parameters = len(strategy.parameters)
        self._scratch = strategy.scratch
        self._twice = asks_twice
        self._worlds = OtherWorlds()
        self.findings = Findings()
        self.witness = Witness(self.file)
        self.until = float("inf")
        """When (`time.monotonic`) it has been watched long enough."""
        self.sitting = ""
        """The table that it sits at."""
        self.left = 0
        """How many decisions of this deal are watched before it is enough."""
        self.asked_at: tuple[float, Place] | None = None
        """Since when it has been thinking about what; None while it is not asked."""

    def __call__(self, view: Any, parameters: Any, scratch: Any, noise: Any) -> Any:
        """Decides, as the engine wants it."""
        if self.left <= 0 or time.monotonic() > self.until:
            raise Enough
        self.left -= 1
        ask = Ask(view.table, view.facts, parameters, scratch.copy(), noise)
        place = Place(self.sitting, int(view.facts[SEAT]), int(view.facts[DEAL]), int(view.facts[NOW]) / 1e6)
        self.asked_at = time.monotonic(), place
        try:
            return self._watched(ask, scratch, place)
        finally:
            self.asked_at = None

    def _watched(self, ask: Ask, scratch: Any, place: Place) -> Any:
        answer = self._ask(ask, scratch)
        self._note(answer, place)
        findings = self.findings
        if self._twice and findings.sees is None and findings.unsteady is None:
            self._ask_elsewhere(ask, answer, scratch, place)
        findings.decisions += 1
        return answer

    def _ask_elsewhere(self, ask: Ask, answer: Any, kept: np.ndarray, place: Place) -> None:
        """Asks again where nothing is the same but what the bot may know."""
        other = ask.scratch.copy()
        cards, memory = self._worlds.replace(ask.cards, ask.memory)
        elsewhere = self._ask(ask._replace(cards=cards, memory=memory), other)
        if same(answer, kept, elsewhere, other):
            return
        again = ask.scratch.copy()
        if same(answer, kept, self._ask(ask, again), again):
            self.findings.sees = place, difference(answer, elsewhere), self._peek(ask)
        else:
            self.findings.unsteady = place

    def _note(self, answer: Any, place: Place) -> None:
        findings = self.findings
        if self.witness.outside and findings.outside is None:
            findings.outside = place, self.witness.outside[0]
        findings.others = self.witness.others
        if isinstance(answer, Raised):
            findings.raised = findings.raised or (place, answer)
            raise Enough

    def _ask(self, ask: Ask, scratch: np.ndarray) -> Any:
        """Its answer, or what it raised."""
        self.witness.own_seat = int(ask.memory[SEAT])
        return self._answer(view_of(ask.cards, ask.memory, self.witness), ask, scratch, self.witness)

    def _answer(self, view: Any, ask: Ask, scratch: np.ndarray, witness: Witness) -> Any:
        values = OwnCells("parameters", ask.parameters, self._parameters, witness)
        kept = ScratchCells("scratch", scratch, self._scratch, witness)
        # Random numbers of its own are no hidden cards; they are found elsewhere.
        np.random.seed(1)
        random.seed(1)
        try:
            with np.errstate(divide="raise", invalid="raise"):
                return self._decide(view, values, kept, ask.noise)
        except Exception as error:
            return self._raised(error)

    def _raised(self, error: Exception) -> Raised:
        lines = [one.lineno for one in traceback.extract_tb(error.__traceback__) if one.filename == self.file]
        return Raised(
            type(error).__name__,
            str(error),
            (lines[-1] or 0) if lines else 0,
            isinstance(error, DIVISIONS),
            isinstance(error, IndexError),
        )

    def _peek(self, ask: Ask) -> Peek | None:
        """What it looks at that changes its answer; None where that cannot be told."""
        witness = Witness(self.file)
        kept = ask.scratch.copy()
        answer = self._answer(peeked_view(ask.cards, ask.memory, witness), ask, kept, Witness(self.file))
        for (name, index), line in list(witness.peeks.items())[:MOST_PEEKS]:
            cards, memory = with_one_replaced(ask.cards, ask.memory, self._worlds.others(), name, index)
            other = ask.scratch.copy()
            elsewhere = self._answer(view_of(cards, memory, Witness(self.file)), ask, other, Witness(self.file))
            if not same(answer, kept, elsewhere, other):
                return Peek(name, index, line)
        return None


def same(answer: Any, kept: np.ndarray, other: Any, other_kept: np.ndarray) -> bool:
    """True when answers and what is kept in scratch are the same."""
    if isinstance(answer, Raised) or isinstance(other, Raised):
        return isinstance(answer, Raised) and isinstance(other, Raised) and answer.kind == other.kind
    return bool(answer == other) and np.array_equal(kept, other_kept, equal_nan=True)


def difference(answer: Any, other: Any) -> str:
    """How two answers differ, in words."""
    where = "where only hidden cards and unused numbers differ"
    if isinstance(other, Raised):
        return f"it returns {answer}, and raises {other.kind} {where}"
    if answer == other:
        return f"it keeps other numbers in its scratch {where}"
    return f"it returns {answer}, and {other} {where}"

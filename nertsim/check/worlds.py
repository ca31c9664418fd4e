"""What a bot is given at a decision as plain Python sees it, and the same with everything else replaced.

A view that is compiled is three bare addresses. Here it is three `Cells`, which know how long they are and note what is
read beyond. What lies there is what a compiled bot would find: so a bot that looks can be told by what it then does.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from nertsim.engine.layout import (
    ACTION_COUNT,
    ACTIONS,
    DECISION,
    FACTS_SIZE,
    FOUNDATION_COUNT,
    FOUNDATION_TOP,
    HAND,
    MAX_PARAMETERS,
    NERTS_COUNT,
    NERTS_TOP,
    NOW,
    OWN_CARDS,
    OWN_SIZE,
    OWN_STOCK,
    OWN_WASTE,
    SCORES,
    SEAT,
    SEAT_STRIDE,
    SEATS,
    TABLE_SIZE,
    TARGET,
    WASTE_TOP,
    WORK_CARDS,
    WORK_LENGTH,
    WORK_PILES,
    WORK_STRIDE,
    View,
)
from nertsim.engine.memory import CARDS_SIZE, MEMORY_SIZE, own_cell

POOL = 16
"""How many arrays of other numbers there are to replace things with."""


class Outside(NamedTuple):
    """A number that the bot was not given, and used."""

    name: str
    """``view.table``, ``scratch`` …"""
    position: float
    size: int
    """How many numbers it was given."""
    written: bool
    line: int
    """Of the bot's file; 0 where it is not in it."""


class Witness:
    """What is noted while a bot looks at its cells."""

    def __init__(self, file: str) -> None:
        self._file = file
        self.outside: list[Outside] = []
        self.others: int | None = None
        """A line that looks at the layout of another seat; 0 where it is not in the bot's file."""
        self.own_seat = 0
        self.peeks: dict[tuple[str, int], int] = {}
        """What was read that nobody may know, and the line."""

    def note_outside(self, name: str, index: float, size: int, written: bool) -> None:
        """A number beyond what was given, or at a place that is none, was read or written."""
        if not self.outside:
            self.outside.append(Outside(name, index, size, written, self._line()))

    def note_peek(self, name: str, index: int) -> None:
        """A number that is there but that nobody may know was read."""
        self.peeks.setdefault((name, index), self._line())

    def note_table(self, index: int) -> None:
        """A number of the table was read."""
        if self.others is None and index < FOUNDATION_COUNT and index // SEAT_STRIDE != self.own_seat:
            # A nerts count is always up to date.
            self.others = None if index % SEAT_STRIDE == NERTS_COUNT else self._line()

    def _line(self) -> int:
        frame = sys._getframe(1)
        while frame is not None and frame.f_code.co_filename != self._file:
            frame = frame.f_back  # type: ignore[assignment]
        return frame.f_lineno if frame is not None else 0


class Cells:
    """Numbers that are read; those from `size` on are there, but were not given."""

    def __init__(self, name: str, values: np.ndarray, size: int, witness: Witness) -> None:
        self._name = name
        self._values = values
        self._size = size
        self._witness = witness

    def __getitem__(self, index: Any) -> Any:
        if 0 <= index < self._size:
            try:
                return self._values[index]
            except IndexError:  # compiled, it is cut to a whole number
                self._witness.note_outside(self._name, float(index), self._size, written=False)
                return self._values[int(index)]
        return self._beyond(signed(index))

    def _beyond(self, index: int) -> Any:
        self._witness.note_outside(self._name, index, self._size, written=False)
        # What is before them is not theirs either, and beyond the engine's arrays a compiled bot would crash.
        return self._values[index] if 0 <= index < len(self._values) else self._values.dtype.type(0)


class TableCells(Cells):
    """The table: also notes who looks at other seats."""

    def __getitem__(self, index: Any) -> Any:
        if self._witness.others is None:
            self._witness.note_table(signed(index))
        return super().__getitem__(index)


class PeekedCells(Cells):
    """Notes everything that is read and not known."""

    def __init__(self, name: str, values: np.ndarray, known: np.ndarray, witness: Witness) -> None:
        super().__init__(name, values, len(values), witness)
        self._known = known

    def __getitem__(self, index: Any) -> Any:
        index = signed(index)
        if 0 <= index < len(self._known) and not self._known[index]:
            self._witness.note_peek(self._name, index)
        return super().__getitem__(index)


class OwnCells(Cells):
    """A bot's own vector of MAX_PARAMETERS numbers, of which it has `size`; compiled, an index wraps around."""

    def _beyond(self, index: int) -> Any:
        self._witness.note_outside(self._name, index, self._size, written=False)
        return self._values[index % MAX_PARAMETERS]


class ScratchCells(OwnCells):
    """Its scratch, which it may write to."""

    def __setitem__(self, index: Any, value: Any) -> None:
        index = signed(index)
        if not 0 <= index < self._size:
            self._witness.note_outside(self._name, index, self._size, written=True)
        self._values[index % MAX_PARAMETERS] = value


def signed(index: Any) -> int:
    """The index as it was meant: `at` makes a large one of a negative one."""
    index = int(index)
    return index - (1 << 64) if index >= 1 << 63 else index


def view_of(cards: np.ndarray, memory: np.ndarray, witness: Witness) -> View:
    """What the bot that decides is given, in the arrays of the engine or in others."""
    own = cards[own_cell(int(memory[SEAT]), 0) :]
    return View(
        TableCells("view.table", cards, TABLE_SIZE, witness),
        Cells("view.own", own, OWN_SIZE, witness),
        Cells("view.facts", memory, FACTS_SIZE, witness),
    )


def peeked_view(cards: np.ndarray, memory: np.ndarray, witness: Witness) -> View:
    """The same for a bot that is found out: everything that it looks at and may not know is noted."""
    known, known_memory = np.zeros(len(cards), bool), np.zeros(len(memory), bool)
    for part in known_cards(cards, memory):
        known[part] = True
    for part in known_facts(memory):
        known_memory[part] = True
    own = own_cell(int(memory[SEAT]), 0)
    return View(
        PeekedCells("view.table", cards, known, witness),
        PeekedCells("view.own", cards[own:], known[own:], witness),
        PeekedCells("view.facts", memory, known_memory, witness),
    )


def with_one_replaced(
    cards: np.ndarray, memory: np.ndarray, others: tuple[np.ndarray, np.ndarray], name: str, index: int
) -> tuple[np.ndarray, np.ndarray]:
    """The same arrays with one number from others."""
    cards, memory = cards.copy(), memory.copy()
    if name == "view.facts":
        memory[index] = others[1][index]
    else:
        index += own_cell(int(memory[SEAT]), 0) if name == "view.own" else 0
        cards[index] = others[0][index]
    return cards, memory


class OtherWorlds:
    """Makes arrays that agree with the engine's in all that a bot may know, and in nothing else."""

    def __init__(self) -> None:
        random = np.random.default_rng(1)
        self._cards = random.integers(0, 52, (POOL, CARDS_SIZE)).astype(np.uint16)
        self._memory = random.integers(0, 1 << 34, (POOL, MEMORY_SIZE))
        self._next = 0

    def others(self) -> tuple[np.ndarray, np.ndarray]:
        """The arrays that `replace` took last, with nothing of the engine's in them."""
        return self._cards[self._next], self._memory[self._next]

    def replace(self, cards: np.ndarray, memory: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Other arrays for the decision that these show."""
        self._next = (self._next + 1) % POOL
        other_cards, other_memory = self._cards[self._next].copy(), self._memory[self._next].copy()
        for part in known_cards(cards, memory):
            other_cards[part] = cards[part]
        for part in known_facts(memory):
            other_memory[part] = memory[part]
        return other_cards, other_memory


def known_cards(cards: np.ndarray, memory: np.ndarray) -> Iterator[slice]:
    """The parts of the engine's cards that mean something to the bot that decides (section 5 of the model)."""
    piles = int(memory[WORK_PILES])
    for block in range(0, int(memory[SEATS]) * SEAT_STRIDE, SEAT_STRIDE):
        for one in (NERTS_TOP, NERTS_COUNT, WASTE_TOP):
            yield slice(block + one, block + one + 1)
        yield slice(block + WORK_LENGTH, block + WORK_LENGTH + piles)
        for pile in range(piles):
            first = block + WORK_CARDS + pile * WORK_STRIDE
            yield slice(first, first + int(cards[block + WORK_LENGTH + pile]))
    yield slice(FOUNDATION_COUNT, FOUNDATION_TOP + int(cards[FOUNDATION_COUNT]))
    own = own_cell(int(memory[SEAT]), 0)
    yield slice(own + OWN_WASTE, own + OWN_STOCK + 1)
    yield slice(own + OWN_CARDS, own + OWN_CARDS + int(cards[own + OWN_WASTE]) + int(cards[own + OWN_STOCK]))


def known_facts(memory: np.ndarray) -> Iterator[slice]:
    """The parts of the engine's memory that mean something to the bot that decides."""
    for one in (NOW, SEAT, HAND, DECISION, ACTION_COUNT):
        yield slice(one, one + 1)
    yield slice(SEATS, TARGET + 1)
    yield slice(SCORES, SCORES + int(memory[SEATS]))
    yield slice(ACTIONS, ACTIONS + int(memory[ACTION_COUNT]))

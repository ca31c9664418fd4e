"""The numbers that kernels use for piles, actions, results, ends and faults, as enums with their texts."""

from __future__ import annotations

from enum import IntEnum


class Pile(IntEnum):
    """Where a card can lie. Work pile p is WORK + p; foundation f is FOUNDATION + f."""

    NERTS = 0
    WASTE = 1
    STOCK = 2
    WORK = 3
    FOUNDATION = 10


class Action(IntEnum):
    """What a hand can do (section 7 of the model). The order is the order of the list of legal actions."""

    PLAY = 1
    BUILD = 2
    FILL = 3
    MOVE = 4
    SLIDE = 5
    DRAW = 6
    RECYCLE = 7
    ROTATE = 8
    CALL = 9
    WAIT = 10


class Result(IntEnum):
    """How an action ended."""

    OK = 0
    TIE = 1
    REJECTED = 2
    ABANDONED = 3


class Ended(IntEnum):
    """How a deal ended."""

    CALLED = 0
    STUCK = 1
    TIME_LIMIT = 2


class Status(IntEnum):
    """What a kernel returns. Only the shell turns these into exceptions, with the text of `fault_text`."""

    OK = 0
    LOG_FULL = 1
    BAD_ACTION = 2
    BAD_WAIT = 3


class SeatColumn(IntEnum):
    """What the kernels count for each seat of a deal; `nertsim.tables` says what each means."""

    SCORE = 0
    FOUNDATION = 1
    KINGS = 2
    NERTS_LEFT = 3
    CALLED = 4
    WON = 5
    PLAY_NERTS = 6
    PLAY_WASTE = 7
    PLAY_WORK = 8
    BUILD_NERTS = 9
    BUILD_WASTE = 10
    FILL_NERTS = 11
    FILL_WASTE = 12
    MOVES = 13
    SLIDE_NERTS = 14
    SLIDE_WASTE = 15
    DRAWS = 16
    PASSES = 17
    ROTATIONS = 18
    WAITS = 19
    RACES_WON = 20
    RACES_TIED = 21
    RACES_LOST = 22
    BLOCKED = 23
    ABANDONED = 24
    LAST_PLAY_US = 25


class DealColumn(IntEnum):
    """What the kernels report of each deal."""

    ENDED = 0
    CALLER = 1
    DURATION_US = 2
    ACTIONS = 3


BEHAVIOUR = 1
"""Counts the changes after which the same seed gives other deals or other play. A run goes on only with its own."""

WON_WHOLE = 27720
"""A won deal in the WON column: divisible by 1 … 12, so that a shared top score is a whole number too."""

MINIMUM_WAIT_US = 1000
"""The shortest wait that a bot may state, so that a bot cannot stop the clock by waiting."""

STATUS_TEXT = {
    Status.OK: "fine",
    Status.LOG_FULL: "the event log was too small",
    Status.BAD_ACTION: "the bot returned {value}, but there {were}",
    Status.BAD_WAIT: f"the bot asked to wait {{value}} µs{{less}}; the shortest wait is {MINIMUM_WAIT_US} µs",
}


def fault_text(status: int, value: int, count: int) -> str:
    """What a bot did wrong that returned `value` where there were `count` legal actions."""
    were = {
        0: "was no legal action: all it could do was to wait(microseconds)",
        1: "was one legal action: 0, or wait(microseconds)",
    }.get(count, f"were {count} legal actions: 0 to {count - 1}, or wait(microseconds)")
    # `wait` makes 1 of 0 and less.
    return STATUS_TEXT[Status(status)].format(value=value, were=were, less=" or less" if value <= 1 else "")


def pile_text(pile: int) -> str:
    """``nerts``, ``waste``, ``stock``, ``work0`` …, ``foundation0`` …, as the trace writes them."""
    if pile >= Pile.FOUNDATION:
        return f"foundation{pile - Pile.FOUNDATION}"
    if pile >= Pile.WORK:
        return f"work{pile - Pile.WORK}"
    return Pile(pile).name.lower()

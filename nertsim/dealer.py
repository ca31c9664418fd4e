"""The dealer: makes a table ready for the kernels once, and then has them play any deals of it.

The one place where rules, bots and tempos become arrays.
"""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from nertsim._jit import JIT_DISABLED
from nertsim.bots.compile import compile_strategy
from nertsim.bots.strategy import Bot
from nertsim.codes import DealColumn, SeatColumn, Status, fault_text
from nertsim.commands import replay_command
from nertsim.engine.batch import compile_batch
from nertsim.engine.layout import (
    CALL_BONUS,
    DECISION,
    DRAW_COUNT,
    HANDS,
    KING_BONUS,
    MAX_PARAMETERS,
    MAX_SCRATCH,
    NOW,
    PENALTY,
    SCORES,
    SEAT,
    SEATS,
    TARGET,
    WORK_PILES,
)
from nertsim.engine.memory import (
    CARDS_SIZE,
    DEAL,
    FAULT_COUNT,
    FAULT_SEAT,
    FAULT_TIME,
    FAULT_VALUE,
    LOG_COLUMNS,
    LOG_LENGTH,
    MAX_SEATS,
    MEMORY_SIZE,
    SEAT_HANDS,
    SEAT_NERTS,
    SEAT_SCRATCH,
    SEAT_STRATEGY,
    SEAT_WATCHES,
    TIMES,
    TIMES_FACTORS,
    TIMES_MOTION,
    TIMES_OVERSIGHT,
    TIMES_STRIDE,
    FullState,
    Hands,
    State,
)
from nertsim.errors import BotFault
from nertsim.guard import LOOK_SECONDS, STUCK_LOOKS, Stuck, guarded
from nertsim.rules import Rules
from nertsim.tempo import QUANTILES

LOOPS = "the bot has been at one decision for {seconds} s and may loop for ever"
_LOG_ROWS = 4096
_NO_NUMBERS = np.empty(0, np.int64)
_NO_STARTS = np.empty((0, 0), np.int64)
_NO_TRIALS = np.empty((0, 0))


@dataclasses.dataclass(frozen=True)
class Chunk:
    """The rows of consecutive deals."""

    first: int
    """Number of the first deal."""
    seats: np.ndarray
    """int64 (deals, seats, columns of `SeatColumn`)."""
    deals: np.ndarray
    """int64 (deals, columns of `DealColumn`)."""


_compiled: dict[bool, Any] = {}
_compile_lock = threading.Lock()


def _compiled_batch(full: bool) -> Any:
    with _compile_lock:
        if full not in _compiled:
            _compiled[full] = compile_batch(full)
        return _compiled[full]


class _Wanted(NamedTuple):
    """Deals that are asked for: the arguments of `nertsim.engine.batch.play_deals`."""

    first: int
    deals: int
    numbers: np.ndarray = _NO_NUMBERS
    starts: np.ndarray = _NO_STARTS
    trial_seat: int = 0
    trials: np.ndarray = _NO_TRIALS

    @classmethod
    def of(cls, numbers: np.ndarray, **others: Any) -> _Wanted:
        """The deals with these numbers."""
        return cls(int(numbers[0]), len(numbers), np.ascontiguousarray(numbers, np.int64), **others)


class Dealer:
    """Rules, bots and a seed: plays any of their deals, on any number of threads at once.

    Compiles what it needs, or loads it from the cache. Raises `BotFault` when a bot breaks the protocol.
    """

    def __init__(self, rules: Rules, bots: Sequence[Bot], seed: int) -> None:
        self.rules = rules
        self.bots = tuple(bots)
        self.seed = seed
        full = rules.jokers > 0 or max(rules.hands_list) > 1
        self._state_type = FullState if full else State
        decide = [compile_strategy(bot.strategy) for bot in self.bots]
        different = tuple(dict.fromkeys(decide))
        self._functions = different + (different[-1],) * (MAX_SEATS - len(different))
        self._memory, self._factors = _fresh_memory(rules, self.bots, [different.index(one) for one in decide])
        self._play = _compiled_batch(full)
        self._thread = threading.local()

    def play(self, first: int, last: int) -> Chunk:
        """Plays the deals first … last - 1. Thread-safe; the GIL is released."""
        return self._play_rows("deals", _Wanted(first, last - first))

    def play_in_matches(self, numbers: np.ndarray, scores: np.ndarray, nerts: np.ndarray) -> Chunk:
        """Plays deals of matches under way; thread-safe.

        numbers: int64 (deals,); scores so far and nerts pile sizes: int64 (deals, seats).
        """
        starts = np.hstack([scores, nerts]).astype(np.int64)
        # A workspace of their own: they leave their scores and nerts pile sizes there.
        return self._play_rows("matches", _Wanted.of(numbers, starts=starts))

    def play_trials(self, seat: int, numbers: np.ndarray, values: np.ndarray) -> Chunk:
        """Plays deals in each of which the bot at a seat has parameters of its own; thread-safe.

        numbers: int64 (deals,); values: float64 (deals, parameters of its strategy), in the strategy's order.
        """
        trials = np.ascontiguousarray(values, np.float64)
        # A workspace of their own: they leave their parameters there.
        return self._play_rows(f"trials of {seat}", _Wanted.of(numbers, trial_seat=seat, trials=trials))

    def log(
        self, deal: int, scores: Sequence[int] | None = None, nerts: Sequence[int] | None = None
    ) -> tuple[np.ndarray, Chunk]:
        """Plays one deal and keeps its log of events (`nertsim.engine.log`): (log rows, the deal's rows).

        `scores` (and `nerts` pile sizes) are those at the start of the deal, where it belongs to a match.
        """
        wanted = _Wanted(deal, 1)
        if scores is not None:
            wanted = wanted._replace(starts=np.array([[*scores, *(nerts or self.rules.nerts_list)]], np.int64))
        rows = _LOG_ROWS
        while True:
            workspace = self._workspace(np.zeros((rows, LOG_COLUMNS), np.int64))
            status, chunk = self._call(workspace, wanted)
            state = workspace[0]
            length = int(state.memory[LOG_LENGTH])
            if status != Status.LOG_FULL:
                return state.log[:length], chunk
            rows = length

    def _play_rows(self, name: str, wanted: _Wanted) -> Chunk:
        workspaces = self._thread.__dict__
        # What goes wrong may leave a kernel at work on it: it is put back when all went well.
        workspace = workspaces.pop(name, None) or self._workspace(np.empty((0, LOG_COLUMNS), np.int64))
        _, chunk = self._call(workspace, wanted)
        workspaces[name] = workspace
        return chunk

    def _call(self, workspace: tuple[Any, Any], wanted: _Wanted) -> tuple[int, Chunk]:
        """Plays the deals: OK, or LOG_FULL, and their rows. Raises `BotFault` for all else that stops it."""
        state, hands = workspace
        memory = state.memory
        to_target = len(wanted.starts) > 0 and self.rules.match_deals is None
        memory[TARGET] = self.rules.target if to_target else 0
        chunk = Chunk(
            wanted.first,
            np.empty((wanted.deals, self.rules.seats, len(SeatColumn)), np.int64),
            np.empty((wanted.deals, len(DealColumn)), np.int64),
        )
        seed = np.uint64(self.seed) if JIT_DISABLED else self.seed
        _, _, *others = wanted
        try:
            status, _ = self._run((state, hands, seed, wanted.first, *others, chunk.seats, chunk.deals))
        except Stuck:
            seconds = round(LOOK_SECONDS * STUCK_LOOKS)
            raise self._fault(workspace, wanted, SEAT, NOW, LOOPS.format(seconds=seconds)) from None
        except Exception as error:
            what = f"the bot raised {type(error).__name__}: {error}"
            raise self._fault(workspace, wanted, SEAT, NOW, what) from error
        if status not in (Status.OK, Status.LOG_FULL):
            what = fault_text(status, int(memory[FAULT_VALUE]), int(memory[FAULT_COUNT]))
            raise self._fault(workspace, wanted, FAULT_SEAT, FAULT_TIME, what)
        return status, chunk

    def _run(self, arguments: tuple[Any, ...]) -> tuple[int, int]:
        if JIT_DISABLED:
            return self._play(*arguments)
        memory = arguments[0].memory
        return guarded(lambda: self._play(*arguments), lambda: memory[[DEAL, NOW, SEAT, DECISION]].tolist())

    def _fault(self, workspace: tuple[Any, Any], wanted: _Wanted, seat_at: int, time_at: int, what: str) -> BotFault:
        state, hands = workspace
        memory = state.memory
        seat, deal, seconds = int(memory[seat_at]), int(memory[DEAL]), int(memory[time_at]) / 1e6
        rules, scores, bots = self.rules, [], list(self.bots)
        if len(wanted.starts):
            scores = memory[SCORES : SCORES + rules.seats].tolist()
            rules = _with_nerts(rules, memory[SEAT_NERTS : SEAT_NERTS + rules.seats].tolist())
        if len(wanted.trials):
            first = wanted.trial_seat * MAX_PARAMETERS
            bots[wanted.trial_seat] = _with_vector(bots[wanted.trial_seat], hands.parameters[first:])
        again = replay_command(rules, bots, self.seed, deal, scores)
        return BotFault(
            f"seat {seat} ({bots[seat].label}), deal {deal}, {seconds:.3f} s: {what}; to see the deal: {again}"
        )

    def _workspace(self, log: np.ndarray) -> tuple[Any, Any]:
        """A state and hands of its own for one thread."""
        memory = self._memory.copy()
        state = self._state_type(np.zeros(CARDS_SIZE, np.uint16), memory, log, self.rules.to_kernel())
        parameters = np.zeros((MAX_SEATS, MAX_PARAMETERS))
        for seat, bot in enumerate(self.bots):
            vector = bot.vector()
            parameters[seat, : len(vector)] = vector
        return state, Hands(self._functions, parameters.ravel(), np.zeros(MAX_SEATS * MAX_SCRATCH), self._factors)


def _with_vector(bot: Bot, vector: np.ndarray) -> Bot:
    """The same bot with these parameters."""
    values = dict(zip(bot.strategy.parameters, vector.tolist(), strict=False))
    return dataclasses.replace(bot, values=values, label="")


def _with_nerts(rules: Rules, nerts: Sequence[int]) -> Rules:
    """The rules of a deal alone that began with these nerts piles, handicaps of the match included."""
    if tuple(nerts) == rules.nerts_list:
        return rules
    return rules.replace(nerts=tuple(nerts), winner_handicap=0)


def _fresh_memory(rules: Rules, bots: Sequence[Bot], strategies: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """The array `memory` with all that does not change from deal to deal, and the array `factors`."""
    memory = np.zeros(MEMORY_SIZE, np.int64)
    for offset, value in (
        (SEATS, rules.seats),
        (HANDS, 1),
        (DRAW_COUNT, rules.draw),
        (WORK_PILES, rules.work_piles),
        (PENALTY, rules.penalty),
        (CALL_BONUS, rules.call_bonus),
        (KING_BONUS, rules.king_bonus),
    ):
        memory[offset] = value
    factors: dict[tuple[float, float], list[int]] = {}
    for seat, bot in enumerate(bots):
        memory[SEAT_HANDS + seat] = rules.hands_list[seat]
        memory[SEAT_NERTS + seat] = rules.nerts_list[seat]
        memory[SEAT_STRATEGY + seat] = strategies[seat]
        memory[SEAT_SCRATCH + seat] = bot.strategy.scratch
        memory[SEAT_WATCHES + seat] = bot.strategy.watches
        for hand, tempo in enumerate((bot.tempo, bot.second_tempo)):
            tables = tempo.to_kernel()
            variations = (tempo.think_variation, tempo.motion_variation)
            factors.setdefault(variations, tables.think_factor + tables.motion_factor)
            first = TIMES + (seat * 2 + hand) * TIMES_STRIDE
            memory[first : first + len(tables.think_us)] = tables.think_us
            memory[first + TIMES_MOTION : first + TIMES_MOTION + len(tables.motion_us)] = tables.motion_us
            memory[first + TIMES_OVERSIGHT] = tables.oversight
            memory[first + TIMES_FACTORS] = list(factors).index(variations) * 2 * QUANTILES
    return memory, np.array(list(factors.values()), np.int32).ravel()

"""What a batch is asked to play, whatever it is that it plays: deals, matches, …

A plan decides every number of its batch. How it is played (threads, chunks, machines, in one go or with breaks) changes
nothing but the time.
"""

from __future__ import annotations

import abc
import dataclasses
import hashlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from threading import Event
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar

from nertsim.bots.spec import bot_from_dict
from nertsim.bots.strategy import Bot
from nertsim.codes import BEHAVIOUR
from nertsim.executors import Span
from nertsim.rules import Rules
from nertsim.tables import ENDED_NAMES, Column, Rows
from nertsim.totals import sides_of

if TYPE_CHECKING:
    from nertsim.dealer import Dealer

SAMPLE_DEALS = 32
"""Deals that tell whether a batch would go on as it was begun."""
MAX_CHUNK = 8192
MIN_CHUNK = 16
"""No less, unless these take too long: a call costs something too."""
TRIAL_DEALS = 64
TRIAL_SECONDS = 0.05
"""No longer, where deals are slow."""
FEW_DEALS = 8
CHUNK_SECONDS = 0.15
"""What a chunk should take: long beside the overhead of a chunk, short beside a person who presses Ctrl-C."""
Self = TypeVar("Self", bound="BatchPlan")


class Piece(NamedTuple):
    """What a span of a batch came to."""

    rows: dict[str, Rows]
    """The rows of each kind that is kept."""
    totals: Any
    """Exact sums; pieces are added up in any order."""


@dataclasses.dataclass(frozen=True)
class BatchPlan(abc.ABC):
    """What decides every number of a batch, and what is kept of it."""

    rules: Rules
    bots: tuple[Bot, ...]
    """One a seat."""
    seed: int
    count: int
    """How many units are played, at most."""
    first: int = 0
    """Number of the first unit."""
    keep: str = "summary"

    KIND: ClassVar[str]
    """The command that plays it."""
    UNIT: ClassVar[str]
    """What is counted: "deals", "matches"."""

    @property
    def last(self) -> int:
        """The unit after the last."""
        return self.first + self.count

    @property
    def labels(self) -> tuple[str, ...]:
        """The label of the bot at each seat."""
        return tuple(bot.label for bot in self.bots)

    @property
    def bot_names(self) -> list[str]:
        """The labels, each once, in the order of their first seat."""
        return list(sides_of(self.labels))

    @property
    def sides(self) -> list[list[int]]:
        """The seats of each bot, in the order of `bot_names`."""
        return list(sides_of(self.labels).values())

    @property
    def categories(self) -> dict[str, Sequence[str]]:
        """Names by code, for the columns that hold codes."""
        return {"bot": self.bot_names, "ended": ENDED_NAMES}

    @property
    @abc.abstractmethod
    def tables(self) -> dict[str, tuple[Column, ...]]:
        """The kinds of rows that are kept, with their columns."""

    @property
    @abc.abstractmethod
    def part_units(self) -> int:
        """Units in a part of a run folder. It depends on the plan alone, so that the files do not depend on chunks."""

    @abc.abstractmethod
    def empty(self) -> Any:
        """The totals of nothing."""

    @abc.abstractmethod
    def totals_from(self, values: dict[str, Any]) -> Any:
        """The totals that their `to_dict` wrote; KeyError, TypeError or ValueError where it did not."""

    @abc.abstractmethod
    def played(self, totals: Any) -> int:
        """How many units stand behind these totals."""

    @abc.abstractmethod
    def player(self, dealer: Dealer, stop: Event) -> Callable[[Span], Piece]:
        """What plays a span, on any thread; it may end early, with any result, once `stop` is set."""

    def fitting_chunk(self, dealer: Dealer, threads: int) -> int:
        """Units that a thread plays at a time: what takes about CHUNK_SECONDS, measured on the first few deals; a power
        of two, and several chunks a thread.
        """
        in_time = CHUNK_SECONDS / self.deal_seconds(dealer)
        deals = min(in_time, max(MIN_CHUNK, min(self.count / (4 * threads), MAX_CHUNK)))
        return 1 << max(0, int(deals).bit_length() - 1)

    def deal_seconds(self, dealer: Dealer) -> float:
        """What a deal takes on one thread, measured on the first few."""
        dealer.play(self.first, self.first + 1)  # fetches code and memory
        call = _seconds(dealer, self.first, 1)
        trial = min(self.count, TRIAL_DEALS, int(TRIAL_SECONDS / call))
        if trial < FEW_DEALS:
            return call
        # A call alone costs as much as some thirty quick deals, and is not what a deal takes.
        call = min(call, *(_seconds(dealer, self.first, 1) for _ in range(2)))
        return max(_seconds(dealer, self.first, trial) - call, 1e-6 * trial) / trial

    def spans(self, start: int, size: int) -> Iterator[Span]:
        """Chunks of `size` units from `start` on, cut where a part ends, and where it is looked whether to stop."""
        while start < self.last:
            done = start - self.first
            end_of_part = (done // self.part_units + 1) * self.part_units
            end = min(done + size, self.count, end_of_part, self.next_look(done) or self.count)
            yield start, self.first + end
            start = self.first + end

    def next_look(self, done: int) -> int | None:
        """After how many units it is looked next whether to stop; None where all are played. It depends on the plan
        alone, so that a batch ends at the same unit whatever the chunks.
        """
        return None

    def expected(self, totals: Any) -> int:
        """At a look: how many units the batch will have, as far as one can say; no more than were played where it is to
        stop.
        """
        return self.count

    @property
    def expected_beforehand(self) -> int:
        """The same before the first look."""
        return self.count

    def ends(self, totals: Any) -> bool:
        """True where it is looked whether to stop, and it is to."""
        played = self.played(totals)
        return played > 0 and self.next_look(played - 1) == played and self.expected(totals) <= played

    def sample(self, dealer: Dealer) -> str:
        """Fingerprint of what the first few deals come to: equal for two batches that would go on alike."""
        chunk = dealer.play(self.first, self.first + SAMPLE_DEALS)
        digest = hashlib.sha256()
        for rows in (chunk.seats, chunk.deals):
            digest.update(rows.astype("<i8").tobytes())
        return digest.hexdigest()

    def to_dict(self) -> dict[str, Any]:
        """Everything that decides the numbers, in plain values (the manifest of a run)."""
        return {
            "kind": self.KIND,
            "behaviour": BEHAVIOUR,
            "rules": self.rules.to_dict(),
            "bots": [bot.to_dict() for bot in self.bots],
            "seed": self.seed,
            "unit": self.UNIT,
            "first": self.first,
            "count": self.count,
            "keep": self.keep,
        }

    def without_stopping(self) -> dict[str, Any]:
        """The changes that make it a plan that plays all its units."""
        return {}

    @classmethod
    def more_from(cls, values: Mapping[str, Any]) -> dict[str, Any]:
        """What a kind of plan has beside all others, from what its `to_dict` wrote."""
        return {}

    @classmethod
    def from_dict(cls: type[Self], values: Mapping[str, Any]) -> Self:
        """The plan that `to_dict` wrote; KeyError, TypeError or ValueError (`UsageError` is one) where it did not."""
        return cls(
            rules=recorded_rules(values["rules"]),
            bots=tuple(bot_from_dict(bot) for bot in values["bots"]),
            seed=values["seed"],
            count=values["count"],
            first=values["first"],
            keep=values["keep"],
            **cls.more_from(values),
        )


def recorded_rules(values: Mapping[str, Any]) -> Rules:
    """The rules that `Rules.to_dict` wrote; RulesError where it did not."""
    return Rules.from_dict({name: _collapse(value) for name, value in values.items()})


def _collapse(value: Any) -> Any:
    """One number for a list of equal ones, as `nerts = 13` for all seats."""
    return value[0] if isinstance(value, list) and len(set(value)) == 1 else value


def _seconds(dealer: Dealer, first: int, deals: int) -> float:
    start = time.perf_counter()
    dealer.play(first, first + deals)
    return time.perf_counter() - start

"""A batch, whatever its plan: chunks are played by an executor, added up in order, handed to a sink."""

from __future__ import annotations

import _thread
import dataclasses
import os
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

from nertsim.bots.strategy import Bot
from nertsim.errors import UsageError, unknown
from nertsim.executors import Span, in_order, usable_cores
from nertsim.plans import BatchPlan, Piece
from nertsim.rules import Rules
from nertsim.sinks import FolderSink, MemorySink, Sink, new_folder
from nertsim.store import RunFolder
from nertsim.values import whole_number

if TYPE_CHECKING:
    from nertsim.dealer import Dealer

MAX_THREADS = 1024
MAX_CHUNK = 10**9
EXECUTORS = ("threads", "dask")
PATIENCE_SECONDS = 1.5
"""What is not ready by then is being compiled, and the person is told."""
COMPILING = "compiling: the engine, about half a minute, or a bot, a second or two; once, later runs start at once"

Progress = Callable[[int, int], None]
Notice = Callable[[str], None]


@dataclasses.dataclass(frozen=True)
class Settings:
    """How a batch is played: what changes the time it takes and nothing else.

    Raises `UsageError` for what cannot be accepted.
    """

    threads: int | None = None
    """Default: all cores; of a cluster elsewhere, all its workers."""
    chunk: int | None = None
    """Units that a thread plays at a time; default: what takes about 0.15 s."""
    executor: str = "threads"
    scheduler: str | None = None
    """Address of a Dask scheduler; default: a cluster on this computer, for this batch."""
    command: Sequence[str] = ()
    """Recorded in the folder."""
    progress: Progress | None = None
    """Called with (units played, units in all) after each chunk."""
    notice: Notice | None = None
    """Called with a line worth showing."""

    def __post_init__(self) -> None:
        if self.threads is not None:
            object.__setattr__(self, "threads", whole_number("threads", self.threads, 1, MAX_THREADS))
        if self.chunk is not None:
            object.__setattr__(self, "chunk", whole_number("chunk", self.chunk, 1, MAX_CHUNK))
        if self.executor not in EXECUTORS:
            raise UsageError(unknown("executor", self.executor, EXECUTORS))
        if self.scheduler is not None and self.executor != "dask":
            raise UsageError("a scheduler is one of Dask: it needs executor='dask' (--executor dask)")

    @property
    def workers(self) -> int:
        """Threads, or as many as there are cores."""
        return usable_cores() if self.threads is None else self.threads


def make_sink(plan: BatchPlan, out: str | os.PathLike[str] | None, settings: Settings, go_on: bool) -> Sink:
    """The sink for what the plan keeps; UsageError or StoreError where the folder `out` cannot be used.

    With `go_on`, that of a run that is gone on with.
    """
    if out is None:
        return MemorySink(plan) if plan.tables else Sink(plan)
    session = {"command": list(settings.command), "executor": settings.executor, "threads": settings.workers}
    return FolderSink(plan, RunFolder(Path(out)) if go_on else new_folder(Path(out), plan), session)


def play_batch(plan: BatchPlan, sink: Sink, settings: Settings) -> tuple[Any, float]:
    """Plays what the sink does not have yet: the totals of everything, and the seconds it took.

    Where it stops on the way, the sink keeps what it can.
    """
    try:
        dealer = make_dealer(plan.rules, plan.bots, plan.seed, settings.notice)
        size = settings.chunk or plan.fitting_chunk(dealer, settings.workers)
        sample = plan.sample(dealer)
        sink.begin(size, sample)
        return _play(plan, dealer, sample, size, sink, settings)
    except BaseException as error:
        sink.stop("interrupted" if isinstance(error, KeyboardInterrupt) else "failed")
        raise


def _play(plan: BatchPlan, dealer: Dealer, sample: str, size: int, sink: Sink, settings: Settings) -> tuple[Any, float]:
    totals, seconds, start = sink.totals, sink.seconds, time.perf_counter()
    # One that was stopped right where it is looked whether to stop may have ended there.
    spans = iter(()) if plan.ends(totals) else plan.spans(plan.first + plan.played(totals), size)
    expected, look = plan.expected_beforehand, plan.next_look(plan.played(totals))
    with closing(_pieces(plan, dealer, sample, spans, settings)) as pieces:
        for piece in pieces:
            totals = totals + piece.totals
            seconds = sink.seconds + time.perf_counter() - start
            sink.add(piece, totals, seconds)
            played = plan.played(totals)
            is_look = played == look
            if is_look:
                expected, look = plan.expected(totals), plan.next_look(played)
            if settings.progress:
                settings.progress(played, max(played, expected))
            if is_look and expected <= played:
                break
    sink.finish(totals, seconds)
    return totals, seconds


def _pieces(
    plan: BatchPlan, dealer: Dealer, sample: str, spans: Iterable[Span], settings: Settings
) -> Generator[Piece]:
    if settings.executor == "dask":
        from nertsim.cluster import dask_in_order

        return dask_in_order(plan, sample, spans, settings.scheduler, settings.workers)
    stop = Event()
    return in_order(plan.player(dealer, stop), spans, settings.workers, stop)


def make_dealer(rules: Rules, bots: Sequence[Bot], seed: int, notice: Notice | None = None) -> Dealer:
    """A dealer, with a notice where it has to be compiled first."""
    from nertsim import dealer

    with announcing(notice):
        return dealer.Dealer(rules, bots, seed)


@contextmanager
def announcing(notice: Notice | None) -> Iterator[None]:
    """Says why it takes its time, where what is done meanwhile has to be compiled: to load it takes a fraction of
    PATIENCE_SECONDS. Ctrl-C gets through.
    """
    timer = threading.Timer(PATIENCE_SECONDS, notice or _say_nothing, [COMPILING])
    timer.daemon = True
    timer.start()
    previous = sys.unraisablehook
    sys.unraisablehook = lambda unraisable: _interrupt_again(unraisable, previous)
    try:
        yield
    finally:
        sys.unraisablehook = previous
        timer.cancel()


def _say_nothing(_: str) -> None:
    pass


def _interrupt_again(unraisable: Any, otherwise: Callable[[Any], Any]) -> None:
    """LLVM calls Python back, and an interrupt that arrives there would be lost: it is sent again a little later."""
    if not issubclass(unraisable.exc_type, KeyboardInterrupt):
        otherwise(unraisable)
        return
    again = threading.Timer(0.05, _thread.interrupt_main)
    again.daemon = True
    again.start()

"""A batch of deals: the request is checked, chunks are played on threads, and added up in order."""

from __future__ import annotations

import _thread
import os
import secrets
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nertsim.bots.builtin_names import BUILTIN, DEFAULT_BOT
from nertsim.bots.spec import seat_bots
from nertsim.bots.strategy import Bot
from nertsim.errors import UsageError, unknown
from nertsim.executors import Span, in_order, usable_cores
from nertsim.presets import load_rules
from nertsim.rules import Rules
from nertsim.run import KEEP, Plan, Run
from nertsim.sinks import Sink, make_sink, part_deals

if TYPE_CHECKING:
    from nertsim.dealer import Chunk, Dealer
    from nertsim.totals import Totals

DEFAULT_DEALS = 10_000
MAX_DEALS = 10**12
MAX_SEED = 2**63 - 1
MAX_THREADS = 1024
MAX_CHUNK = 8192
MIN_CHUNK = 16
TRIAL_DEALS = 64
CHUNK_SECONDS = 0.15
"""What a chunk should take: long beside the overhead of a chunk, short beside a person who presses Ctrl-C."""
ROWS_BY_DEFAULT = 10_000_000
"""Rows a seat are kept up to this number, unless `keep` says otherwise."""
PATIENCE_SECONDS = 1.5
"""What is not ready by then is being compiled, and the person is told."""
COMPILING = "compiling the engine: once, for about half a minute; later runs start at once"

Progress = Callable[[int, int], None]
Notice = Callable[[str], None]


def simulate(
    bots: str | Bot | Sequence[str | Bot] = DEFAULT_BOT,
    *,
    rules: Rules | str | None = None,
    seats: int | None = None,
    deals: int = DEFAULT_DEALS,
    seed: int | None = None,
    first_deal: int = 0,
    threads: int | None = None,
    chunk: int | None = None,
    out: str | os.PathLike[str] | None = None,
    keep: str | None = None,
    command: Sequence[str] | None = None,
    progress: Progress | None = None,
    notice: Notice | None = None,
) -> Run:
    """Plays `deals` deals between `bots` and returns the run.

    `bots` is one bot for all seats or one for each, as text (``"greedy,speed=1.1"``) or `Bot`; `rules` a `Rules`, the
    name of a preset or a TOML file; `seats` replaces theirs. `seed` is drawn where it is None, and recorded. Deals are
    numbered from `first_deal`. What is played depends on these alone: `threads` (default: all cores) and `chunk` (deals
    that a thread plays at a time; default: what takes about 0.15 s) change the time it takes and nothing else.

    `keep` is "seats" (rows a seat and a deal), "deals" (rows a deal) or "summary"; default: "seats" up to ten million
    rows, else "summary". `out` is a new folder that gets them as Parquet files; without it they stay in memory.
    `progress` is called with (deals played, deals in all) after each chunk, `notice` with a line worth showing;
    `command` is recorded in the folder.

    Everything is checked before anything is compiled or played: `UsageError` (a ValueError) for what cannot be
    accepted.
    Raises `BotFault` for a bot that breaks the protocol and `StoreError` for a folder that fails on the way.
    """
    plan = make_plan(bots, rules, seats, deals, seed, first_deal, keep)
    threads = whole_number("threads", usable_cores() if threads is None else threads, 1, MAX_THREADS)
    if chunk is not None:
        chunk = whole_number("chunk", chunk, 1, MAX_DEALS)
    sink = make_sink(plan, out, command, threads)
    try:
        dealer = make_dealer(plan.rules, plan.bots, plan.seed, notice)
        size = chunk or _fitting_chunk(dealer, plan, threads)
        sink.begin(size)
        return _play(plan, dealer, size, threads, sink, progress)
    except BaseException as error:
        sink.stop("interrupted" if isinstance(error, KeyboardInterrupt) else "failed")
        raise


def make_plan(
    bots: str | Bot | Sequence[str | Bot],
    rules: Rules | str | None,
    seats: int | None,
    deals: int,
    seed: int | None,
    first_deal: int,
    keep: str | None,
) -> Plan:
    """The request, checked and completed; UsageError for what cannot be accepted."""
    table = make_rules(rules, seats)
    deals = whole_number("deals", deals, 1, MAX_DEALS)
    if keep is None:
        keep = default_keep(deals * table.seats)
    if keep not in KEEP:
        raise UsageError(unknown("choice for keep", keep, KEEP))
    return Plan(
        rules=table,
        bots=seat_bots(bots, table.seats, table.hands_list),
        seed=draw_seed() if seed is None else whole_number("seed", seed, 0, MAX_SEED),
        deals=deals,
        first_deal=whole_number("first_deal", first_deal, 0, MAX_DEALS),
        keep=keep,
    )


def make_rules(rules: Rules | str | None, seats: int | None = None) -> Rules:
    """The rules, by name or file where a text is given, with the number of seats that is asked for."""
    if rules is None:
        rules = Rules()
    elif isinstance(rules, str):
        rules = load_rules(rules)
    return rules if seats is None else rules.replace(seats=seats)


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


def warmup(notice: Notice | None = None) -> tuple[float, Path]:
    """Compiles the engine and all built-in bots, or loads them: for tables of all kinds. The seconds it took, and where
    compiled code is kept.
    """
    from nertsim._jit import CACHE_FOLDER

    start = time.perf_counter()
    with announcing(notice):
        for name in BUILTIN:
            make_dealer(Rules(seats=1), seat_bots(name, 1), 0).play(0, 1)
        # Tables with two hands a seat, or with jokers, have kernels of their own.
        make_dealer(Rules(seats=1, hands=2), seat_bots(DEFAULT_BOT, 1), 0).play(0, 1)
    return time.perf_counter() - start, CACHE_FOLDER


def draw_seed() -> int:
    """A seed from the system's randomness, 0 … 2**63 - 1."""
    return secrets.randbits(63)


def default_keep(rows: int) -> str:
    """What is kept of so many rows a seat where nothing is said."""
    return "seats" if rows <= ROWS_BY_DEFAULT else "summary"


def _play(plan: Plan, dealer: Dealer, size: int, threads: int, sink: Sink, progress: Progress | None) -> Run:
    from nertsim.totals import Totals, sides_of

    sides = list(sides_of(plan.labels).values())

    def task(span: Span) -> tuple[Chunk, Totals]:
        chunk = dealer.play(*span)
        return chunk, Totals.of_chunk(chunk, sides)

    totals = Totals.empty(plan.rules.seats, len(sides))
    start = time.perf_counter()
    with closing(in_order(task, _spans(plan, size), threads)) as results:
        for chunk, added in results:
            totals += added
            sink.add(chunk, totals, time.perf_counter() - start)
            if progress:
                progress(totals.deals, plan.deals)
    seconds = time.perf_counter() - start
    sink.finish(totals, seconds)
    return Run(plan, totals, seconds, sink.read_rows, sink.path)


def _spans(plan: Plan, size: int) -> Iterator[Span]:
    """Chunks of `size` deals, cut where a part of a run folder ends, whether there is one or not."""
    part = part_deals(plan.rules.seats)
    first = plan.first_deal
    while first < plan.last_deal:
        end_of_part = plan.first_deal + ((first - plan.first_deal) // part + 1) * part
        last = min(first + size, end_of_part, plan.last_deal)
        yield first, last
        first = last


def _fitting_chunk(dealer: Dealer, plan: Plan, threads: int) -> int:
    """Deals that take about CHUNK_SECONDS, measured on the first few; a power of two, and several chunks a thread."""
    trial = min(plan.deals, TRIAL_DEALS)
    dealer.play(plan.first_deal, plan.first_deal + trial)  # fetches code and memory
    # A call alone costs as much as some thirty deals, and is not what a deal takes.
    call = min(_seconds(dealer, plan.first_deal, 1) for _ in range(3))
    seconds = max(_seconds(dealer, plan.first_deal, trial) - call, 1e-6 * trial) / trial
    deals = min(CHUNK_SECONDS / seconds, plan.deals / (4 * threads), MAX_CHUNK)
    return max(MIN_CHUNK, 1 << max(0, int(deals).bit_length() - 1))


def _seconds(dealer: Dealer, first: int, deals: int) -> float:
    start = time.perf_counter()
    dealer.play(first, first + deals)
    return time.perf_counter() - start


def whole_number(name: str, value: Any, low: int, high: int) -> int:
    """`value` as an int; UsageError where it is not a whole number from `low` to `high`."""
    whole = isinstance(value, Integral) or (isinstance(value, float) and value.is_integer())
    if isinstance(value, bool) or not whole or not low <= value <= high:
        raise UsageError(f"{name} must be a whole number from {low} to {high}, not {value!r}")
    return int(value)

"""Where chunks are played: a task over many spans, its results in the order of the spans."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from threading import Event
from typing import TypeVar

Span = tuple[int, int]
"""First deal, and the deal after the last."""
Result = TypeVar("Result")

WAITING = 2
"""Chunks in flight beside those that are being played: enough that no thread idles, few enough that memory stays
flat.
"""


def usable_cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def in_order(
    task: Callable[[Span], Result], spans: Iterable[Span], threads: int, stop: Event | None = None
) -> Generator[Result]:
    """The results of `task` for each span, in order, played by `threads` threads.

    No more than `threads + WAITING` spans are in flight, so a slow reader slows the players down. Where a task fails,
    its exception comes in its turn, after the results before it. When the reader stops (Ctrl-C too), spans not yet
    begun are dropped; `stop` is set, so that a long task may look at it and end.
    """
    pool = ThreadPoolExecutor(max_workers=threads, thread_name_prefix="nertsim")
    todo = iter(spans)
    flying: deque[Future[Result]] = deque()
    try:
        while True:
            for span in islice(todo, threads + WAITING - len(flying)):
                flying.append(pool.submit(task, span))
            if not flying:
                return
            yield flying.popleft().result()
    finally:
        if stop is not None:
            stop.set()
        pool.shutdown(wait=True, cancel_futures=True)

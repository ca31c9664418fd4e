"""Calls of kernels that cannot hang: whoever calls can be interrupted, and notices when nothing moves any more.

A kernel runs without the GIL and cannot be stopped from outside. So it runs on a thread of its own, which the process
does not wait for when it ends.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

Result = TypeVar("Result")

LOOK_SECONDS = 1.0
"""How often a call is looked at."""
STUCK_LOOKS = 10
"""A call that has not moved for so many looks is stuck. Looks are counted, not time: a computer may sleep."""


class Stuck(Exception):
    """A call that does not end."""


class _Worker:
    def __init__(self) -> None:
        self.calls: SimpleQueue[Callable[[], Any]] = SimpleQueue()
        self.results: SimpleQueue[tuple[Any, BaseException | None]] = SimpleQueue()
        arguments = (self.calls, self.results)
        threading.Thread(target=_work, args=arguments, name="nertsim kernel", daemon=True).start()


def _work(calls: SimpleQueue[Callable[[], Any]], results: SimpleQueue[tuple[Any, BaseException | None]]) -> None:
    while True:
        call = calls.get()
        try:
            results.put((call(), None))
        except BaseException as error:
            results.put((None, error))
        del call  # and what it holds, while nobody calls


_idle: deque[_Worker] = deque()


def guarded(call: Callable[[], Result], position: Callable[[], Any]) -> Result:
    """What `call` returns or raises; `position` tells where it is, and has to change while it goes on.

    Raises `Stuck` where it does not. After that, and after Ctrl-C, the call may go on for ever on its thread: what it
    writes to must not be used again.
    """
    try:
        worker = _idle.pop()
    except IndexError:
        worker = _Worker()
    worker.calls.put(call)
    result, error = _wait(worker, position)
    _idle.append(worker)
    if error is not None:
        raise error
    return result


def _wait(worker: _Worker, position: Callable[[], Any]) -> tuple[Any, BaseException | None]:
    before, looks = None, 0
    while True:
        try:
            return worker.results.get(timeout=LOOK_SECONDS)
        except Empty:
            now = position()
            looks = looks + 1 if now == before else 0
            before = now
        if looks >= STUCK_LOOKS:
            raise Stuck

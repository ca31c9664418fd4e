"""A limit for how long something may take in this process, whatever it waits for."""

from __future__ import annotations

import _thread
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager


class Late(Exception):
    """The time is over."""


@contextmanager
def at_most(seconds: float | None) -> Iterator[None]:
    """Raises `Late` in the main thread, which has to be the one that asks, after so many seconds."""
    if seconds is None:
        yield
        return
    rung = threading.Event()
    timer = threading.Timer(max(0.0, seconds), _ring, [rung])
    timer.daemon = True
    timer.start()
    try:
        yield
        timer.cancel()
        if rung.is_set():
            time.sleep(1.0)  # the interrupt is on its way: it must not arrive later
    except KeyboardInterrupt:
        if not rung.is_set():
            raise
        raise Late from None
    finally:
        timer.cancel()


def _ring(rung: threading.Event) -> None:
    rung.set()
    _thread.interrupt_main()

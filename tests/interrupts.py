"""A nertsim command in a process of its own, interrupted as by Ctrl-C."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import NamedTuple


class Interrupted(NamedTuple):
    """How a command ended, and how long after the interrupt."""

    returncode: int
    stdout: str
    stderr: str
    seconds: float


def interrupt(words: list[str], after: float = 4.0, when: Callable[[], bool] | None = None) -> Interrupted:
    """Starts ``nertsim WORDS…``, interrupts it after so many seconds, or once `when`; nothing of it is left running."""
    process = subprocess.Popen(
        [sys.executable, "-m", "nertsim", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A shell that runs the tests in the background has them ignore interrupts, and what they start as well.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    try:
        if when is None:
            time.sleep(after)
        else:
            _wait_until(when)
        start = time.perf_counter()
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=20)
        return Interrupted(process.returncode, stdout, stderr, time.perf_counter() - start)
    finally:
        process.kill()


def _wait_until(when: Callable[[], bool], seconds: float = 30.0) -> None:
    end = time.monotonic() + seconds
    while not when() and time.monotonic() < end:
        time.sleep(0.01)
    time.sleep(0.4)

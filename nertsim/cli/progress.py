"""The progress bar: on stderr, only where that is a terminal, and only for what takes longer than a glance."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any

PATIENCE_SECONDS = 2.0
"""Runs that end sooner show no bar."""
FIRST_LOOK_SECONDS = 0.5


class ProgressBar:
    """Called with (deals played, deals in all), or of another `unit`; shows both, and the time that is left. A context
    manager.
    """

    def __init__(self, unit: str = "deals") -> None:
        self._unit = unit
        self.played = self.wanted = 0
        self._start: float | None = None
        self._first = 0
        self._bar: Any = None
        self._task: Any = None
        self._wanted = sys.stderr.isatty()

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, played: int, deals: int) -> None:
        self.played, self.wanted = played, deals
        if not self._wanted:
            return
        now = time.monotonic()
        if self._start is None:
            # A run that is gone on with has played some before.
            self._start, self._first = now, played
        if self._bar is None and self._is_long(now - self._start, played - self._first, deals - self._first):
            self._show(deals)
        if self._bar is not None:
            self._bar.update(self._task, completed=played, total=deals)

    @staticmethod
    def _is_long(seconds: float, played: int, deals: int) -> bool:
        return seconds > FIRST_LOOK_SECONDS and seconds * deals > PATIENCE_SECONDS * played

    def _show(self, deals: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        self._bar = Progress(
            TextColumn(f"{{task.completed:,.0f}} of {{task.total:,.0f}} {self._unit}"),
            BarColumn(),
            TextColumn("{task.percentage:.0f} %"),
            TimeRemainingColumn(elapsed_when_finished=True),
            console=Console(stderr=True),
            transient=True,
            refresh_per_second=5,
        )
        self._bar.start()
        self._task = self._bar.add_task(self._unit, total=deals)

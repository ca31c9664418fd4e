"""Child processes, in which bots are played: one that crashes, hangs or prints harms nobody."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import Any

START = """\
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from nertsim.check.{module} import main
main()
"""
FLAG = "NUMBA_DISABLE_JIT"
Message = dict[str, Any]


class Died(Exception):
    """The child ended before it was done; the text says how."""


class Silent(Exception):
    """The child said nothing for too long."""


class Child:
    """A process with the engine in it, compiled or as plain Python; a context manager, which ends it."""

    def __init__(self, module: str, job: Mapping[str, Any], jitted: bool, debug: bool = False) -> None:
        # As in this process, where they are found: the folder of the bot must not come first.
        command = [sys.executable, "-P", "-c", START.format(module=module), json.dumps(sys.path)]
        environment = {name: value for name, value in os.environ.items() if name != FLAG}
        self._errors: Any = None if debug else tempfile.TemporaryFile()  # noqa: SIM115 (closed with the child)
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env=environment if jitted else environment | {FLAG: "1"},
            text=True,
            encoding="utf-8",
        )
        self.patience_seconds = 60.0
        """How long it may say nothing."""
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.send(job)

    def __enter__(self) -> Child:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()
        self._reader.join()
        for pipe in (self._process.stdin, self._process.stdout, self._errors):
            if pipe is not None:
                with contextlib.suppress(OSError):  # what was not read any more
                    pipe.close()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put("")

    def send(self, message: Mapping[str, Any]) -> None:
        """Sends a message; a child that is dead will be noticed when it says nothing."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.write(json.dumps(message) + "\n")
            self._process.stdin.flush()

    def messages(self) -> Iterator[Message]:
        """What it says, until it says that it is done.

        Raises `Died`, and `Silent` where it says nothing for `patience_seconds`.
        """
        while True:
            try:
                line = self._lines.get(timeout=self.patience_seconds)
            except queue.Empty:
                raise Silent from None
            if not line:
                self._lines.put("")  # it stays dead, whoever asks
                raise Died(self._how_it_ended())
            message = json.loads(line)
            if message["kind"] == "done":
                return
            yield message

    def _how_it_ended(self) -> str:
        code = self._process.wait()
        if code < 0:
            name = signal.Signals(-code).name
            return f"crashed (signal {-code}, {name})"
        said = self._last_words()
        return f"ended with exit code {code}{f': {said}' if said else ''}"

    def _last_words(self) -> str:
        if self._errors is None:
            return ""
        self._errors.seek(0)
        lines = self._errors.read().decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else ""

"""How a child process talks to the one that checks: a job comes in, messages go out, each a line of JSON.

The child keeps the pipes to itself: whatever the bot prints or reads does not get between.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from typing import Any


class Channel:
    """The pipes of a child process."""

    def __init__(self) -> None:
        self._out = os.fdopen(os.dup(1), "w", encoding="utf-8")
        self._in = os.fdopen(os.dup(0), encoding="utf-8")
        self._lock = threading.Lock()
        nowhere = os.open(os.devnull, os.O_RDWR)
        os.dup2(nowhere, 0)
        os.dup2(nowhere, 1)
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115 (until the process ends)
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115

    def receive(self) -> dict[str, Any]:
        """The next message; nothing in it where there will be no more."""
        line = self._in.readline()
        return json.loads(line) if line else {}

    def send(self, kind: str, **values: Any) -> None:
        """Sends a message at once: whatever happens next, it was said."""
        with self._lock:
            self._out.write(json.dumps({"kind": kind} | values) + "\n")
            self._out.flush()

    def leave(self) -> None:
        """Ends the process at once, whatever its threads are doing."""
        self._out.close()
        os._exit(0)

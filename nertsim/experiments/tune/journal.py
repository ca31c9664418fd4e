"""The journal of a search on disk: a line for each task that was played, never changed afterwards.

Each line is JSON and ends with a checksum over itself and the one before it, so that a line that was changed, left out
or added is noticed. A process that is killed may leave half a line, which is cut off.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
import zlib
from pathlib import Path
from typing import Any

from nertsim.errors import StoreError, reason

JOURNAL = "journal.jsonl"
SYNC_SECONDS = 1.0
"""What is older than this is on disk, even if the power fails."""
_KEY = "check"


def read_journal(path: Path) -> tuple[list[dict[str, Any]], int]:
    """The lines of a journal, and how many bytes of it are whole lines; StoreError where it was changed.

    No file is a journal without lines.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return [], 0
    except OSError as error:
        raise StoreError(f"cannot read {path}: {reason(error)}") from None
    whole = data.rfind(b"\n") + 1
    check, records = 0, []
    for number, line in enumerate(data[:whole].splitlines(), 1):
        record, check = _decoded(line, check, f"{path}, line {number}")
        records.append(record)
    return records, whole


def _decoded(line: bytes, before: int, where: str) -> tuple[dict[str, Any], int]:
    try:
        record = json.loads(line)
        found = record.pop(_KEY)
    except (ValueError, RecursionError, AttributeError, KeyError, TypeError):
        raise StoreError(f"{where} is damaged: it is not a line of a journal") from None
    check = _check(record, before)
    if found != check:
        raise StoreError(f"{where} was changed after it was written, or one before it: its checksum does not fit")
    return record, check


def _check(record: dict[str, Any], before: int) -> int:
    return zlib.crc32(json.dumps(record, sort_keys=True).encode(), before)


class Journal:
    """The journal of a run folder, to be gone on with; without a folder nothing is kept."""

    def __init__(self, folder: Path | None) -> None:
        """Opens it; `records` are those that are there. StoreError where it cannot be read, written or trusted."""
        self.records: list[dict[str, Any]] = []
        self._file: Any = None
        self._check = 0
        self._synced = time.monotonic()
        if folder is None:
            return
        self._path = folder / JOURNAL
        self.records, length = read_journal(self._path)
        for record in self.records:
            self._check = _check(record, self._check)
        try:
            self._file = self._path.open("ab")
            self._file.truncate(length)
        except OSError as error:
            raise StoreError(f"cannot write {self._path}: {reason(error)}") from None

    def add(self, record: dict[str, Any]) -> None:
        """Writes a line; StoreError where that does not work, and then the journal is as it was before."""
        if self._file is None:
            return
        check = _check(record, self._check)
        before = self._file.tell()
        try:
            self._file.write(json.dumps({**record, _KEY: check}, separators=(",", ":")).encode() + b"\n")
            self._file.flush()
            if time.monotonic() > self._synced + SYNC_SECONDS:
                self.sync()
        except OSError as error:
            with contextlib.suppress(OSError):
                os.ftruncate(self._file.fileno(), before)
            raise StoreError(f"cannot write {self._path}: {reason(error)}") from None
        self._check = check

    def sync(self) -> None:
        """Has all lines on disk; OSError where that does not work."""
        os.fsync(self._file.fileno())
        self._synced = time.monotonic()

    def close(self) -> None:
        """Ends writing."""
        if self._file is not None:
            with contextlib.suppress(OSError, ValueError):
                self.sync()
            with contextlib.suppress(OSError):
                self._file.close()
            self._file = None

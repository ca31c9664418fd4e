"""Where the pieces of a batch go: nowhere, into memory, or into a run folder."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from nertsim.errors import StoreError
from nertsim.plans import BatchPlan, Piece
from nertsim.store import RunFolder, about, explaining_manifest, read_parts
from nertsim.tables import Rows, chosen, join

SAVE_SECONDS = 30.0
"""A run that is killed loses no more than it played in this time, or since its last part."""

MANY_PIECES = 1000


class Sink:
    """Takes the pieces of a batch in order. This one keeps nothing."""

    path: Path | None = None

    def __init__(self, plan: BatchPlan) -> None:
        self.plan = plan
        self.totals = plan.empty()
        """What was there before, from a batch that is gone on with."""
        self.seconds = 0.0

    def begin(self, chunk: int, sample: str) -> None:
        """Pieces of so many units will come, of a batch with that sample; StoreError where it is another's."""

    def add(self, piece: Piece, totals: Any, seconds: float) -> None:
        """Takes the next piece; `totals` and `seconds` are those of all units up to its end."""

    def finish(self, totals: Any, seconds: float) -> None:
        """All pieces were taken."""

    def stop(self, state: str) -> None:
        """No more pieces will come: the run was "interrupted", or "failed"."""

    def read_rows(self, kind: str, names: Collection[str] | None = None) -> Iterator[Rows]:
        """The rows of a kind that were kept, part by part; all columns, or those with these names."""
        return iter(())


class MemorySink(Sink):
    """Keeps the rows as narrow arrays."""

    def __init__(self, plan: BatchPlan) -> None:
        super().__init__(plan)
        self._rows: dict[str, list[Rows]] = {kind: [] for kind in plan.tables}

    def add(self, piece: Piece, totals: Any, seconds: float) -> None:
        for kind, rows in self._rows.items():
            rows.append(piece.rows[kind])

    def read_rows(self, kind: str, names: Collection[str] | None = None) -> Iterator[Rows]:
        return iter(self._rows[kind])


class _Pending(NamedTuple):
    """A piece of a part that is not whole yet, and the totals and seconds of all units up to its end."""

    rows: Mapping[str, Rows]
    totals: Any
    seconds: float


class FolderSink(Sink):
    """Writes a run folder: a part whenever enough units are there, the manifest after each.

    One part is written while the next is collected; where the disk is slower than the players, they wait for it. Every
    SAVE_SECONDS, and when the run stops, what there is of a part is written too, as a shorter one that is to grow.
    """

    def __init__(self, plan: BatchPlan, folder: RunFolder, session: Mapping[str, Any]) -> None:
        super().__init__(plan)
        self.path = folder.path
        self._folder = folder
        self._begun = self._stopped = False
        self._saved = time.monotonic()
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="nertsim writer")
        self._writing: Future[None] | None = None
        self._session = about() | dict(session)
        try:
            with explaining_manifest(folder.path):
                self.totals = plan.totals_from(folder.manifest["totals"])
                self.seconds = float(folder.manifest["seconds"])
                self._start = plan.first + plan.played(self.totals) // plan.part_units * plan.part_units
                self._part = [_Pending(self._short_part(), self.totals, self.seconds)]
        except BaseException:
            self._end()
            raise

    def _short_part(self) -> dict[str, Rows]:
        """The rows of a last part that is to grow."""
        found = {}
        for kind, columns in self.plan.tables.items():
            short = [one for one in self._folder.manifest["parts"][kind] if one["first"] == self._start]
            for rows in read_parts(self._folder.path, short, columns, self.plan.categories):
                found[kind] = rows
        return found

    def begin(self, chunk: int, sample: str) -> None:
        if self._folder.manifest.get("sample") not in (None, sample):
            raise StoreError(
                f"{self.path} cannot be gone on with: its first deals are played otherwise here than they were when it "
                "was begun (a bot or a library has changed); play it anew into another folder"
            )
        sessions = [*self._folder.manifest.get("sessions", ()), self._session | {"chunk": chunk}]
        self._folder.commit(self.plan.to_dict() | {"state": "running", "sample": sample, "sessions": sessions})
        self._begun = True

    def add(self, piece: Piece, totals: Any, seconds: float) -> None:
        self._part.append(_Pending(piece.rows, totals, seconds))
        due = time.monotonic() > self._saved + SAVE_SECONDS and not self._is_writing()
        if self.plan.played(totals) % self.plan.part_units == 0:
            self._end_part()
        elif due or len(self._part) > MANY_PIECES:
            self._part = [self._joined()]
            if due:
                self._save("running")

    def finish(self, totals: Any, seconds: float) -> None:
        self._part.append(_Pending({}, totals, seconds))
        self._save("done")
        self._wait()
        self._end()

    def stop(self, state: str) -> None:
        if self._stopped:
            return
        try:
            # The error that stopped the run is the one to tell.
            with contextlib.suppress(OSError, StoreError):
                self._save_last(state)
        finally:
            self._end()

    def _save_last(self, state: str) -> None:
        self._writer.shutdown()  # what is being written is there afterwards, or has failed
        manifest, first = self._folder.manifest, self.plan.first
        if self._begun and first + manifest["played"] >= self._start:  # else a part before this one has failed
            self._write(self._start, self._part, state)
        elif self._begun or self._folder.is_new:
            self._folder.commit({"state": state})
        if state == "failed" and self._folder.is_new and self._folder.manifest["played"] == 0:
            self._folder.remove()

    def read_rows(self, kind: str, names: Collection[str] | None = None) -> Iterator[Rows]:
        entries, columns = self._folder.manifest["parts"][kind], chosen(self.plan.tables[kind], names)
        return read_parts(self._folder.path, entries, columns, self.plan.categories)

    def _end_part(self) -> None:
        self._save("running")
        last = self._part[-1].totals
        self._part, self._start = [], self.plan.first + self.plan.played(last)

    def _save(self, state: str) -> None:
        self._wait()
        self._writing = self._writer.submit(self._write, self._start, list(self._part), state)
        self._saved = time.monotonic()

    def _write(self, first: int, pieces: Sequence[_Pending], state: str) -> None:
        """Writes the part that begins with the unit `first`, as far as it goes, and the manifest."""
        if not pieces:
            self._folder.commit({"state": state})
            return
        totals = pieces[-1].totals
        played, categories, entries = self.plan.played(totals), self.plan.categories, {}
        for kind, columns in self.plan.tables.items():
            rows = [one.rows[kind] for one in pieces if kind in one.rows]
            if rows:
                last = self.plan.first + played
                entries[kind] = self._folder.write_part(kind, first, last, rows, columns, categories)
        self._folder.commit(
            {"state": state, "played": played, "seconds": pieces[-1].seconds, "totals": totals.to_dict()}
            | ({"count": played} if state == "done" else {}),
            entries,
        )

    def _joined(self) -> _Pending:
        """All pieces of the part as one, which takes less memory than many small ones."""
        joined = {}
        for kind, columns in self.plan.tables.items():
            rows = [one.rows[kind] for one in self._part if kind in one.rows]
            joined[kind] = join(rows, sum(len(one[columns[0].name]) for one in rows), columns)
        return self._part[-1]._replace(rows=joined)

    def _is_writing(self) -> bool:
        return self._writing is not None and not self._writing.done()

    def _wait(self) -> None:
        if self._writing is not None:
            writing, self._writing = self._writing, None
            writing.result()

    def _end(self) -> None:
        self._stopped = True
        self._writer.shutdown()
        self._folder.close()


def new_folder(path: Path, plan: BatchPlan) -> RunFolder:
    """A new run folder for a plan, with nothing played yet; UsageError where it cannot be used."""
    header = plan.to_dict() | {
        "state": "running",
        "part_units": plan.part_units,
        "played": 0,
        "seconds": 0.0,
        "totals": plan.empty().to_dict(),
    }
    return RunFolder.create(path, list(plan.tables), header)

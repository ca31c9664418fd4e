"""Where the pieces of a batch go: nowhere, into memory, or into a run folder."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

from nertsim.errors import StoreError
from nertsim.plans import BatchPlan, Piece
from nertsim.store import RunFolder, about, explaining_manifest, read_parts
from nertsim.tables import Rows


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

    def read_rows(self, kind: str) -> Iterator[Rows]:
        """The rows of a kind that were kept, part by part."""
        return iter(())


class MemorySink(Sink):
    """Keeps the rows as narrow arrays."""

    def __init__(self, plan: BatchPlan) -> None:
        super().__init__(plan)
        self._rows: dict[str, list[Rows]] = {kind: [] for kind in plan.tables}

    def add(self, piece: Piece, totals: Any, seconds: float) -> None:
        for kind, rows in self._rows.items():
            rows.append(piece.rows[kind])

    def read_rows(self, kind: str) -> Iterator[Rows]:
        return iter(self._rows[kind])


class FolderSink(Sink):
    """Writes a run folder: a part whenever enough units are there, the manifest after each.

    One part is written while the next is collected; where the disk is slower than the players, they wait for it.
    """

    def __init__(self, plan: BatchPlan, folder: RunFolder, session: Mapping[str, Any]) -> None:
        super().__init__(plan)
        self.path = folder.path
        self._folder = folder
        self._stopped = False
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="nertsim writer")
        self._writing: Future[None] | None = None
        self._session = about() | dict(session)
        self._pending: dict[str, list[Rows]] = {kind: [] for kind in plan.tables}
        with explaining_manifest(folder.path):
            self.totals = plan.totals_from(folder.manifest["totals"])
            self.seconds = float(folder.manifest["seconds"])
            self._start = plan.first + plan.played(self.totals) // plan.part_units * plan.part_units
            self._fetch_short_part()

    def _fetch_short_part(self) -> None:
        """The rows of a last part that is to grow."""
        for kind, rows in self._pending.items():
            short = [one for one in self._folder.manifest["parts"][kind] if one["first"] == self._start]
            rows += read_parts(self._folder.path, short, self.plan.tables[kind], self.plan.categories)

    def begin(self, chunk: int, sample: str) -> None:
        if self._folder.manifest.get("sample") not in (None, sample):
            raise StoreError(
                f"{self.path} cannot be gone on with: its first deals are played otherwise here than they were when it "
                "was begun (a bot or a library has changed); play it anew into another folder"
            )
        sessions = [*self._folder.manifest.get("sessions", ()), self._session | {"chunk": chunk}]
        self._folder.commit(self.plan.to_dict() | {"state": "running", "sample": sample, "sessions": sessions})

    def add(self, piece: Piece, totals: Any, seconds: float) -> None:
        for kind, rows in self._pending.items():
            rows.append(piece.rows[kind])
        if self.plan.played(totals) % self.plan.part_units == 0:
            self._end_part(totals, seconds, "running")

    def finish(self, totals: Any, seconds: float) -> None:
        self._end_part(totals, seconds, "done")
        self._wait()
        self._end()

    def stop(self, state: str) -> None:
        if self._stopped:
            return
        # The error that stopped the run is the one to tell.
        with contextlib.suppress(StoreError):
            self._wait()
        with contextlib.suppress(OSError, StoreError):
            if state == "failed" and self.plan.played(self.plan.totals_from(self._folder.manifest["totals"])) == 0:
                self._folder.remove()
            else:
                self._folder.commit({"state": state})
        self._end()

    def read_rows(self, kind: str) -> Iterator[Rows]:
        entries = self._folder.manifest["parts"][kind]
        return read_parts(self._folder.path, entries, self.plan.tables[kind], self.plan.categories)

    def _end_part(self, totals: Any, seconds: float, state: str) -> None:
        self._wait()
        rows, self._pending = self._pending, {kind: [] for kind in self._pending}
        first, self._start = self._start, self.plan.first + self.plan.played(totals)
        self._writing = self._writer.submit(self._write, first, self._start, rows, totals, seconds, state)

    def _write(
        self, first: int, last: int, rows: Mapping[str, Sequence[Rows]], totals: Any, seconds: float, state: str
    ) -> None:
        columns, categories = self.plan.tables, self.plan.categories
        entries = {
            kind: self._folder.write_part(kind, first, last, some, columns[kind], categories)
            for kind, some in rows.items()
            if some
        }
        played = self.plan.played(totals)
        self._folder.commit(
            {"state": state, "played": played, "seconds": seconds, "totals": totals.to_dict()}
            | ({"count": played} if state == "done" else {}),
            entries,
        )

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

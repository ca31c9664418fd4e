"""Where the chunks of a batch go: nowhere, into memory, or into a run folder."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from nertsim.errors import UsageError
from nertsim.run import SEATS, Plan
from nertsim.tables import Rows, deal_rows, seat_rows

if TYPE_CHECKING:
    from nertsim.dealer import Chunk
    from nertsim.totals import Totals

PART_ROWS = 1_000_000
"""Rows a seat in a part of a run folder; no chunk crosses the end of a part."""


def part_deals(seats: int) -> int:
    """Deals in a part of a run folder. It depends on the seats alone, so that the files do not depend on chunks."""
    return max(1, PART_ROWS // seats)


class Sink:
    """Takes the chunks of a batch in the order of deals. This one keeps nothing."""

    path: Path | None = None

    def begin(self, chunk: int) -> None:
        """Chunks of that many deals will come."""

    def add(self, chunk: Chunk, totals: Totals, seconds: float) -> None:
        """Takes the next chunk; `totals` and `seconds` are those of all deals up to its end."""

    def finish(self, totals: Totals, seconds: float) -> None:
        """All chunks were taken."""

    def stop(self, state: str) -> None:
        """No more chunks will come: the run was "interrupted", or "failed"."""

    def read_rows(self, kind: str) -> Iterator[Rows]:
        """The rows of a kind that were kept, part by part."""
        return iter(())


class MemorySink(Sink):
    """Keeps the rows as narrow arrays."""

    def __init__(self, plan: Plan) -> None:
        self._codes = bot_codes(plan)
        self._rows: dict[str, list[Rows]] = {kind: [] for kind in plan.kinds}

    def add(self, chunk: Chunk, totals: Totals, seconds: float) -> None:
        for kind, parts in self._rows.items():
            parts.append(chunk_rows(kind, chunk, self._codes))

    def read_rows(self, kind: str) -> Iterator[Rows]:
        return iter(self._rows[kind])


class FolderSink(Sink):
    """Writes a run folder: a part whenever enough deals are there, the manifest after each."""

    def __init__(self, plan: Plan, path: Path, command: Sequence[str], threads: int) -> None:
        from nertsim.store import RunWriter

        self.path = path
        self._kinds = plan.kinds
        self._codes = bot_codes(plan)
        self._part = part_deals(plan.rules.seats)
        self._writer = RunWriter(path, plan, {"command": list(command), "threads": threads, "part_deals": self._part})

    def begin(self, chunk: int) -> None:
        self._writer.record["chunk"] = chunk

    def add(self, chunk: Chunk, totals: Totals, seconds: float) -> None:
        for kind in self._kinds:
            self._writer.add(kind, chunk_rows(kind, chunk, self._codes))
        if totals.deals % self._part == 0:
            self._writer.end_part(totals, seconds)

    def finish(self, totals: Totals, seconds: float) -> None:
        self._writer.end_part(totals, seconds, state="done")

    def stop(self, state: str) -> None:
        self._writer.stop(state)

    def read_rows(self, kind: str) -> Iterator[Rows]:
        return self._writer.read_rows(kind)


def make_sink(plan: Plan, out: str | os.PathLike[str] | None, command: Sequence[str] | None, threads: int) -> Sink:
    """The sink for what the plan keeps; UsageError where the folder `out` cannot be used."""
    if out is not None:
        if not os.fspath(out):
            raise UsageError("the name of the folder to keep the rows in is empty; give a new folder")
        return FolderSink(plan, Path(out), command or (), threads)
    return MemorySink(plan) if plan.kinds else Sink()


def bot_codes(plan: Plan) -> list[int]:
    """For each seat, the position of its bot among `plan.bot_names`."""
    names = plan.bot_names
    return [names.index(label) for label in plan.labels]


def chunk_rows(kind: str, chunk: Chunk, codes: Sequence[int]) -> Rows:
    """The rows of a chunk, a seat ("seats") or a deal ("deals")."""
    return seat_rows(chunk, codes) if kind == SEATS else deal_rows(chunk)

"""Two bots on the same deal: that it is the same deal, and the moment where they part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nertsim.errors import UsageError

Record = Mapping[str, Any]


def check_same_deal(one: Sequence[Record], other: Sequence[Record]) -> None:
    """UsageError where two traces are not of the same deal by the same rules, whoever plays it."""
    if _dealt(one[0]) != _dealt(other[0]):
        raise UsageError("the two replays are not of the same deal: seed, deal and rules have to be equal")


def _dealt(header: Record) -> tuple[Any, ...]:
    return header["seed"], header["deal"], header["rules"], [seat["deck"] for seat in header["seats"]]


def parting(one: Sequence[Record], other: Sequence[Record]) -> dict[str, int] | None:
    """The first decision that was made in one of two traces of a deal alone: its instant `t` in µs, and its `seat`.

    None where all decisions are the same. What became of a decision is not compared, since the other deal may differ
    there only because somebody else has parted before. Nor are waits: one that the end of a deal cuts off is in no
    trace, and after one that was of another length the decisions differ.
    """
    differing = _decisions(one) ^ _decisions(other)
    if not differing:
        return None
    decided, seat, *_ = min(differing)
    return {"t": decided, "seat": seat}


def _decisions(records: Sequence[Record]) -> set[tuple[Any, ...]]:
    return {_decision(record) for record in records[1:-1] if record["action"] != "wait"}


def _decision(record: Record) -> tuple[Any, ...]:
    """What was decided. Where a play lands is not: it may be another pile than the one it was aimed at."""
    kind = record["action"]
    to = "" if kind == "play" else record.get("to", "")
    what = (kind, record.get("card", ""), record.get("from", ""), to)
    return record["decided"], record["seat"], record["hand"], record["lifted"], *what

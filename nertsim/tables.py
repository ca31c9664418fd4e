"""The columns of a run, and its DataFrames: one row a seat of a deal, one row a deal, and the summaries by seat and by
bot.

Rows are kept as plain numpy arrays of narrow types, one a column; pandas is imported when a DataFrame is asked for.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from nertsim.codes import WON_WHOLE, DealColumn, Ended, SeatColumn
from nertsim.errors import NertsimError

if TYPE_CHECKING:
    from pandas import DataFrame as DataFrame

    from nertsim.dealer import Chunk

Rows = dict[str, np.ndarray]
"""Column name -> one-dimensional array; all of the same length; categories as int8 codes."""


@dataclasses.dataclass(frozen=True)
class Column:
    """A column of a run: its numpy type while it is kept, its unit, its meaning, and where kernels count it."""

    name: str
    dtype: str
    unit: str
    meaning: str
    source: SeatColumn | DealColumn | None = None


def _seat(source: SeatColumn, dtype: str, unit: str, meaning: str) -> Column:
    return Column(source.name.lower(), dtype, unit, meaning, source)


SEAT_COLUMNS: tuple[Column, ...] = (
    Column("deal", "int64", "", "number of the deal; `replay --deal` plays it again"),
    Column("seat", "int8", "", "number of the seat, from 0"),
    Column("bot", "int8", "category", "label of the bot at the seat"),
    _seat(SeatColumn.SCORE, "int16", "points", "score of the deal"),
    _seat(SeatColumn.FOUNDATION, "int8", "cards", "own cards on the foundations at the end"),
    _seat(SeatColumn.KINGS, "int8", "cards", "of these, cards that stand for a king"),
    _seat(SeatColumn.NERTS_LEFT, "int8", "cards", "cards left in the nerts pile"),
    _seat(SeatColumn.CALLED, "bool", "", "this seat called"),
    _seat(SeatColumn.WON, "float64", "share", "1 for the top score alone, 1/k where k seats share it, else 0"),
    _seat(SeatColumn.PLAY_NERTS, "int16", "actions", "nerts cards played to foundations"),
    _seat(SeatColumn.PLAY_WASTE, "int16", "actions", "waste cards played to foundations"),
    _seat(SeatColumn.PLAY_WORK, "int16", "actions", "work pile cards played to foundations"),
    _seat(SeatColumn.BUILD_NERTS, "int16", "actions", "nerts cards laid on work piles"),
    _seat(SeatColumn.BUILD_WASTE, "int16", "actions", "waste cards laid on work piles"),
    _seat(SeatColumn.FILL_NERTS, "int16", "actions", "nerts cards put into gaps"),
    _seat(SeatColumn.FILL_WASTE, "int16", "actions", "waste cards put into gaps"),
    _seat(SeatColumn.MOVES, "int32", "actions", "runs moved between work piles"),
    _seat(SeatColumn.SLIDE_NERTS, "int16", "actions", "nerts cards slid under work piles"),
    _seat(SeatColumn.SLIDE_WASTE, "int16", "actions", "waste cards slid under work piles"),
    _seat(SeatColumn.DRAWS, "int32", "actions", "draws from the stock"),
    _seat(SeatColumn.PASSES, "int32", "actions", "times the waste was turned over"),
    _seat(SeatColumn.ROTATIONS, "int32", "actions", "rotations of a stuck stock"),
    _seat(SeatColumn.WAITS, "int32", "actions", "waits"),
    _seat(SeatColumn.RACES_WON, "int32", "races", "plays of others rejected where this seat had landed before"),
    _seat(SeatColumn.RACES_TIED, "int32", "races", "races in which both cards stayed"),
    _seat(SeatColumn.RACES_LOST, "int32", "races", "own plays rejected at a foundation"),
    _seat(SeatColumn.BLOCKED, "int32", "actions", "actions in the own layout rejected, since a partner was quicker"),
    _seat(SeatColumn.ABANDONED, "int32", "actions", "actions given up at the lift, no longer possible"),
    _seat(SeatColumn.LAST_PLAY_US, "int64", "µs", "time of the last play to a foundation; 0 for none"),
)

DEAL_COLUMNS: tuple[Column, ...] = (
    Column("deal", "int64", "", "number of the deal; `replay --deal` plays it again"),
    Column("ended", "int8", "category", "how the deal ended: called, stuck, time_limit", DealColumn.ENDED),
    Column("caller", "int8", "", "the seat that called; missing where none did", DealColumn.CALLER),
    Column("duration_us", "int64", "µs", "simulated time from the deal to its end", DealColumn.DURATION_US),
    Column("actions", "int32", "actions", "actions of all seats", DealColumn.ACTIONS),
)


def match_columns(seats: int) -> tuple[Column, ...]:
    """The columns of matches between so many seats."""
    each = range(seats)
    return (
        Column("match", "int64", "", "number of the match; its first deal is 4096 times as much"),
        Column("deals", "int16", "deals", "deals played"),
        Column("winner", "int8", "", "the seat that won; missing where the win is shared"),
        *(Column(f"points_{seat}", "int32", "points", f"points of seat {seat} at the end") for seat in each),
        *(Column(f"won_{seat}", "float64", "share", f"1 for the win of seat {seat}, 1/k as one of k") for seat in each),
        Column("margin", "int32", "points", "points between the best seat and the next; missing for one seat alone"),
        Column("duration_us", "int64", "µs", "simulated time of all its deals"),
        Column("capped", "bool", "", "not decided after 4096 deals, and ended as it stood"),
    )


ENDED_NAMES: tuple[str, ...] = tuple(ended.name.lower() for ended in Ended)


def seat_rows(chunk: Chunk, bot_codes: Sequence[int]) -> Rows:
    """The chunk as rows, one a seat of a deal, in the order of deals, then seats; `bot_codes` holds each seat's bot."""
    deals, seats, _ = chunk.seats.shape
    rows: Rows = {
        "deal": np.repeat(np.arange(chunk.first, chunk.first + deals, dtype=np.int64), seats),
        "seat": np.tile(np.arange(seats, dtype=np.int8), deals),
        "bot": np.tile(np.asarray(bot_codes, dtype=np.int8), deals),
    }
    flat = chunk.seats.reshape(deals * seats, chunk.seats.shape[2])
    for column in SEAT_COLUMNS[3:]:
        rows[column.name] = _narrow(flat[:, column.source], column)
    return rows


def deal_rows(chunk: Chunk) -> Rows:
    """The chunk as rows, one a deal."""
    rows: Rows = {"deal": np.arange(chunk.first, chunk.first + len(chunk.deals), dtype=np.int64)}
    for column in DEAL_COLUMNS[1:]:
        rows[column.name] = _narrow(chunk.deals[:, column.source], column)
    return rows


def _narrow(values: np.ndarray, column: Column) -> np.ndarray:
    if column.source is SeatColumn.WON:
        return values / WON_WHOLE
    if column.dtype == "bool":
        return values != 0
    limits = np.iinfo(column.dtype)
    if values.size and (values.min() < limits.min or values.max() > limits.max):
        raise NertsimError(f"column {column.name} does not fit into {column.dtype}; please report this")
    return values.astype(column.dtype)


def chosen(columns: Sequence[Column], names: Collection[str] | None) -> Sequence[Column]:
    """The columns with these names; all, where none are given."""
    return columns if names is None else [column for column in columns if column.name in names]


def join(parts: Iterable[Rows], count: int, columns: Sequence[Column]) -> Rows:
    """All parts as one, `count` rows; parts are read one after another, so no more than one lies beside the whole."""
    whole = {column.name: np.empty(count, dtype=column.dtype) for column in columns}
    start = 0
    for part in parts:
        stop = start + len(next(iter(part.values())))
        for name, target in whole.items():
            target[start:stop] = part[name]
        start = stop
    if start != count:
        raise NertsimError(f"{start} rows were found where there should be {count}")
    return whole


def seats_frame(rows: Rows, labels: Sequence[str]) -> DataFrame:
    """DataFrame with a row a seat of a deal (`SEAT_COLUMNS`); `labels` are the bots' by code."""
    return _frame(rows | {"bot": _categorical(rows["bot"], labels)})


def deals_frame(rows: Rows) -> DataFrame:
    """DataFrame with a row a deal (`DEAL_COLUMNS`); `caller` is missing where nobody called."""
    columns = {
        "ended": _categorical(rows["ended"], ENDED_NAMES),
        "caller": _missing_where_negative(rows["caller"]),
    }
    return _frame(rows | columns)


def matches_frame(rows: Rows) -> DataFrame:
    """DataFrame with a row a match (`match_columns`); `winner` and `margin` are missing where there is none."""
    return _frame(rows | {name: _missing_where_negative(rows[name]) for name in ("winner", "margin")})


def _missing_where_negative(values: np.ndarray) -> Any:
    import pandas as pd

    return pd.arrays.IntegerArray(np.maximum(values, 0), values < 0)


def _categorical(codes: np.ndarray, names: Sequence[str]) -> Any:
    import pandas as pd

    whole: np.ndarray[Any, np.dtype[np.int8]] = codes
    return pd.Categorical.from_codes(whole, categories=pd.Index(list(names)), validate=False)


def _frame(columns: Mapping[str, Any]) -> DataFrame:
    import pandas as pd

    # Without a copy the columns stay apart: half the memory, and no time at all.
    return pd.DataFrame(dict(columns), copy=False)


def summary_frame(records: Sequence[Mapping[str, Any]], index: str) -> DataFrame:
    """DataFrame of the records of a summary, each interval in two columns ``…_low`` and ``…_high``."""
    import pandas as pd

    return pd.DataFrame([flat_record(record) for record in records]).set_index(index)


def flat_record(record: Mapping[str, Any]) -> dict[str, Any]:
    """The record with each interval as two values, ``…_low`` and ``…_high``."""
    flat: dict[str, Any] = {}
    for name, value in record.items():
        if name.endswith("_ci"):
            flat[name + "_low"], flat[name + "_high"] = value
        else:
            flat[name] = value
    return flat


def columns_frame(columns: Sequence[Column]) -> DataFrame:
    """The column dictionary as a DataFrame: name, dtype, unit, meaning."""
    import pandas as pd

    return pd.DataFrame([(one.name, one.dtype, one.unit, one.meaning) for one in columns], columns=_COLUMN_FIELDS)


_COLUMN_FIELDS = ["name", "dtype", "unit", "meaning"]

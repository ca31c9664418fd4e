"""Rows as Parquet bytes and back. The bytes depend on the rows alone, not on the chunks that brought them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet

from nertsim.errors import StoreError
from nertsim.run import DEALS, SEATS
from nertsim.tables import DEAL_COLUMNS, ENDED_NAMES, SEAT_COLUMNS, Column, Rows, join

COLUMNS: dict[str, tuple[Column, ...]] = {SEATS: SEAT_COLUMNS, DEALS: DEAL_COLUMNS}
INCREASING = ("deal",)
"""Columns stored as differences: they take no room at all."""
SCATTERED = ("duration_us", "last_play_us")
"""Columns of values that hardly repeat: a dictionary of them would only cost time."""


def encode_part(kind: str, parts: Sequence[Rows], bot_names: Sequence[str]) -> tuple[bytes, int]:
    """The rows of a kind ("seats" or "deals") as one Parquet file, and how many they are."""
    count = sum(len(rows["deal"]) for rows in parts)
    columns = COLUMNS[kind]
    rows = join(parts, count, columns)
    names = _categories(bot_names)
    table = pa.table({one.name: _to_arrow(rows[one.name], names.get(one.name), one) for one in columns})
    plain = [one.name for one in columns if one.name not in INCREASING + SCATTERED]
    sink = pa.BufferOutputStream()
    parquet.write_table(
        table,
        sink,
        row_group_size=max(1, count),
        compression="zstd",
        compression_level=1,
        use_dictionary=plain,
        column_encoding=dict.fromkeys(INCREASING, "DELTA_BINARY_PACKED"),
    )
    return sink.getvalue().to_pybytes(), count


def decode_part(kind: str, data: bytes, bot_names: Sequence[str]) -> Rows:
    """The rows in a Parquet file that `encode_part` made; StoreError where they are not what they should be."""
    names = _categories(bot_names)
    try:
        table = parquet.read_table(pa.BufferReader(data))
        return {one.name: _from_arrow(table[one.name], names.get(one.name), one) for one in COLUMNS[kind]}
    except (pa.ArrowException, KeyError, ValueError) as error:
        raise StoreError(f"a part of the run cannot be read: {error}") from None


def _categories(bot_names: Sequence[str]) -> dict[str, Sequence[str]]:
    return {"bot": bot_names, "ended": ENDED_NAMES}


def _to_arrow(values: np.ndarray, names: Sequence[str] | None, column: Column) -> pa.Array:
    if names is not None:
        return pa.DictionaryArray.from_arrays(pa.array(values), pa.array(list(names), pa.string()))
    if column.name == "caller":
        return pa.array(values, mask=values < 0)
    return pa.array(values)


def _from_arrow(values: pa.ChunkedArray, names: Sequence[str] | None, column: Column) -> np.ndarray:
    array = values.combine_chunks()
    if names is None:
        if column.name == "caller":
            array = array.fill_null(-1)
        return array.to_numpy(zero_copy_only=False)
    if not pa.types.is_dictionary(array.type):
        array = array.dictionary_encode()
    # Parquet may have put the names in another order.
    order = np.array([names.index(name) for name in array.dictionary.to_pylist()], dtype=np.int8)
    return order[array.indices.to_numpy(zero_copy_only=False)]

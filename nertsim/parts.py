"""Rows as Parquet bytes and back. The bytes depend on the rows alone, not on the chunks that brought them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet

from nertsim.errors import StoreError
from nertsim.tables import Column, Rows, join

Categories = Mapping[str, Sequence[str]]
"""The names that the codes of a column stand for."""

INCREASING = ("deal", "match")
"""Columns stored as differences: they take no room at all."""
SCATTERED = ("duration_us", "last_play_us")
"""Columns of values that hardly repeat: a dictionary of them would only cost time."""
NEGATIVE_IS_NONE = ("caller", "winner", "margin")
"""Columns in which a negative number stands for none."""


def encode_part(columns: Sequence[Column], parts: Sequence[Rows], categories: Categories) -> tuple[bytes, int]:
    """The rows of all parts as one Parquet file, and how many they are."""
    count = sum(len(rows[columns[0].name]) for rows in parts)
    rows = join(parts, count, columns)
    table = pa.table({one.name: _to_arrow(rows[one.name], categories.get(one.name), one) for one in columns})
    plain = [one.name for one in columns if one.name not in INCREASING + SCATTERED]
    sink = pa.BufferOutputStream()
    parquet.write_table(
        table,
        sink,
        row_group_size=max(1, count),
        compression="zstd",
        compression_level=1,
        use_dictionary=plain,
        column_encoding={one.name: "DELTA_BINARY_PACKED" for one in columns if one.name in INCREASING},
    )
    return sink.getvalue().to_pybytes(), count


def decode_part(columns: Sequence[Column], data: bytes, categories: Categories) -> Rows:
    """The rows in a Parquet file that `encode_part` made; StoreError where they are not what they should be."""
    try:
        table = parquet.read_table(pa.BufferReader(data), columns=[one.name for one in columns])
        return {one.name: _from_arrow(table[one.name], categories.get(one.name), one) for one in columns}
    except (pa.ArrowException, KeyError, ValueError) as error:
        raise StoreError(f"a part of the run cannot be read: {error}") from None


def _to_arrow(values: np.ndarray, names: Sequence[str] | None, column: Column) -> pa.Array:
    if names is not None:
        return pa.DictionaryArray.from_arrays(pa.array(values), pa.array(list(names), pa.string()))
    if column.name in NEGATIVE_IS_NONE:
        return pa.array(values, mask=values < 0)
    return pa.array(values)


def _from_arrow(values: pa.ChunkedArray, names: Sequence[str] | None, column: Column) -> np.ndarray:
    array = values.combine_chunks()
    if names is None:
        if column.name in NEGATIVE_IS_NONE:
            array = array.fill_null(-1)
        return array.to_numpy(zero_copy_only=False)
    if not pa.types.is_dictionary(array.type):
        array = array.dictionary_encode()
    # Parquet may have put the names in another order.
    order = np.array([names.index(name) for name in array.dictionary.to_pylist()], dtype=np.int8)
    return order[array.indices.to_numpy(zero_copy_only=False)]

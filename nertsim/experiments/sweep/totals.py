"""The exact sums over blocks, added up while they are played: the same for any chunks, threads and order."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np

from nertsim.totals import exact_squares, plus


@dataclasses.dataclass
class SweepTotals:
    """Sums over blocks, all whole numbers, by combination and figure (`figures.position`)."""

    blocks: int
    sums: list[list[int]]
    squares: list[list[int]]
    """Of what was counted, squared."""
    with_base: list[list[int]]
    """Of the sum with what was counted for the base, squared."""
    table_sums: list[list[list[int]]]
    """By combination, table and figure."""
    table_squares: list[list[list[int]]]

    @classmethod
    def empty(cls, tables: Sequence[int], figures: int) -> SweepTotals:
        """The totals of nothing; `tables` holds their number for each combination."""

        def of_combinations() -> list[list[int]]:
            return [[0] * figures for _ in tables]

        def of_tables() -> list[list[list[int]]]:
            return [[[0] * figures for _ in range(count)] for count in tables]

        return cls(0, of_combinations(), of_combinations(), of_combinations(), of_tables(), of_tables())

    @classmethod
    def of_figures(cls, counted: Sequence[np.ndarray], base: int) -> SweepTotals:
        """The totals of int64 (blocks, tables, figures) for each combination; `base` is the number of one."""
        blocks = [one.sum(axis=1) for one in counted]
        return cls(
            blocks=len(blocks[0]),
            sums=[one.sum(axis=0).tolist() for one in blocks],
            squares=exact_squares(np.stack(blocks, axis=1)),
            with_base=exact_squares(np.stack([one + blocks[base] for one in blocks], axis=1)),
            table_sums=[one.sum(axis=0).tolist() for one in counted],
            table_squares=[exact_squares(one) for one in counted],
        )

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> SweepTotals:
        """What `to_dict` wrote; TypeError where keys are missing or foreign."""
        return cls(**values)

    def to_dict(self) -> dict[str, Any]:
        """All sums as JSON can hold them."""
        return dict(vars(self))

    def __add__(self, other: SweepTotals) -> SweepTotals:
        return SweepTotals(**{name: plus(value, getattr(other, name)) for name, value in vars(self).items()})

"""The rows of the blocks of a comparison: how the answer came about, how blocks differ, and which are worth seeing."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from nertsim.experiments.compare.plan import BLOCKS
from nertsim.experiments.compare.totals import FINE
from nertsim.stats.intervals import Interval
from nertsim.totals import exact_squares

if TYPE_CHECKING:
    from nertsim.experiments.compare.run import CompareRun

POINTS = 80
SHOWN = 3
MOST_BINS = 50
SAMPLE = 200_000


@dataclasses.dataclass
class BlockData:
    """What the rows say. `blocks`, `means` and `intervals` are the course of the comparison."""

    blocks: list[int]
    means: list[float]
    intervals: list[Interval]
    differences: np.ndarray
    """float64 (n,): as played, of the first blocks."""
    for_a: list[tuple[int, float]]
    """Block and difference, where A was furthest ahead."""
    for_b: list[tuple[int, float]]

    def to_dict(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return {name: getattr(self, name) for name in ("blocks", "means", "intervals", "for_a", "for_b")}


def read_blocks(run: CompareRun, step: Callable[[int], None]) -> BlockData | None:
    """Reads the rows once; None where none were kept."""
    if BLOCKS not in run.plan.tables:
        return None
    test, total, squares, done = run.plan.test, 0, 0, 0
    data = BlockData([], [], [], np.empty(0), [], [])
    looks = _looks(test.fewest, run.totals.blocks)
    for rows in run.read_rows(BLOCKS):
        scores, end = np.rint(rows["adjusted"] * FINE).astype(np.int64), done + len(rows["block"])
        _keep_extremes(data, rows)
        room = SAMPLE - len(data.differences)
        data.differences = np.concatenate([data.differences, rows["difference"][: max(0, room)]])
        cuts = [look for look in looks if done < look < end] + [end]
        first = done
        for cut in cuts:
            part = scores[first - done : cut - done]
            total += int(part.sum())
            squares += exact_squares(part[:, None, None])[0][0]
            first = cut
            if cut in looks:
                data.blocks.append(cut)
                data.means.append(total / cut / FINE)
                data.intervals.append(test.interval(cut, total, squares, 1 / FINE))
        done = end
        step(len(scores))
    return data


def _looks(first: int, last: int) -> list[int]:
    """After so many blocks, in about equal ratios, the last included."""
    if last <= first:
        return [last]
    return sorted({int(one) for one in np.geomspace(first, last, POINTS)} | {last})


def _keep_extremes(data: BlockData, rows: dict[str, np.ndarray]) -> None:
    order = np.argsort(rows["difference"], kind="stable")
    pairs = [
        (int(rows["block"][place]), float(rows["difference"][place])) for place in [*order[:SHOWN], *order[-SHOWN:]]
    ]
    data.for_a = sorted(set(data.for_a + pairs), key=lambda one: (-one[1], one[0]))[:SHOWN]
    data.for_b = sorted(set(data.for_b + pairs), key=lambda one: (one[1], one[0]))[:SHOWN]

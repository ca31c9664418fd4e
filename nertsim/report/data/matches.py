"""The rows of matches, read part by part, and how matches go: a sample is played again, deal by deal."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from nertsim.experiments.match import MATCHES
from nertsim.report.data.counts import Counts
from nertsim.report.data.unfold import Curve
from nertsim.stats.intervals import FixedIntervals

if TYPE_CHECKING:
    from nertsim.experiments.match import MatchRun

SHOWN = 3
MOST_MINUTES = 2000
SAMPLE_MATCHES = 300
KINDS = ("lopsided", "closest", "longest")


@dataclasses.dataclass(frozen=True, order=True)
class Match:
    """A match worth seeing; those with the least `rank` are shown."""

    rank: float
    match: int
    deals: int
    margin: int
    points: tuple[int, ...]


@dataclasses.dataclass
class MatchData:
    """What the rows say."""

    minutes: Counts
    """Simulated length of a match, in whole minutes."""
    found: dict[str, list[Match]]

    def to_dict(self) -> dict[str, Any]:
        """As JSON can hold it."""
        notable = {name: [dataclasses.asdict(one) for one in found] for name, found in self.found.items()}
        return {"minutes": self.minutes.to_dict(), "notable": notable}


def read_matches(run: MatchRun, step: Callable[[int], None]) -> MatchData | None:
    """Reads the rows once; None where none were kept."""
    if MATCHES not in run.plan.tables:
        return None
    data = MatchData(Counts(0, MOST_MINUTES), {name: [] for name in KINDS})
    for rows in run.read_rows(MATCHES):
        data.minutes.add(rows["duration_us"] // 60_000_000)
        points = np.stack([rows[f"points_{seat}"] for seat in range(run.rules.seats)], axis=1)
        margin = rows["margin"].astype(float)
        ranks = {"lopsided": -margin, "closest": margin, "longest": -rows["deals"].astype(float)}
        for name, rank in ranks.items():
            order = np.argsort(rank, kind="stable")[:SHOWN].tolist()
            new = [
                Match(
                    float(rank[place]),
                    int(rows["match"][place]),
                    int(rows["deals"][place]),
                    int(rows["margin"][place]),
                    tuple(points[place].tolist()),
                )
                for place in order
            ]
            data.found[name] = sorted(data.found[name] + new)[:SHOWN]
        step(len(rows["match"]))
    return data


@dataclasses.dataclass(frozen=True)
class Course:
    """Points after each deal, means a seat by bot over a sample of matches; and the share that still goes on."""

    matches: int
    deals: list[int]
    points: list[Curve]
    going: list[float]

    def to_dict(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return dataclasses.asdict(self)


def course_of(run: MatchRun, step: Callable[[int], None]) -> Course:
    """Plays the first matches again; one that is over keeps its points."""
    from nertsim.batch import make_dealer
    from nertsim.experiments.match_play import rounds

    count = min(run.totals.matches, SAMPLE_MATCHES)
    most = max(deals for deals in run.totals.deals)
    now = np.zeros((count, run.rules.seats), np.int64)
    after, going = [now.copy()], [count]
    for one in rounds(make_dealer(run.rules, run.bots, run.seed), 0, count):
        now[one.matches] = one.after
        after.append(now.copy())
        going.append(int((~one.over).sum()))
        step(len(one.matches) // 20)
        if going[-1] < count / 50 or one.deal > most:
            break
    points = []
    for members in run.plan.sides:
        sums = [found[:, members].sum(axis=1) for found in after]
        unit = 1 / len(members)
        points.append(
            Curve(
                [float(values.mean()) * unit for values in sums],
                [FixedIntervals.mean(count, int(one.sum()), int((one**2).sum()), unit) for one in sums],
            )
        )
    return Course(count, list(range(len(after))), points, [one / count for one in going])

"""The course of a tuning: which task comes next, and what the results so far say.

It is fed with the records of played tasks, one after another, and follows from them and the plan alone. So it is the
same whether a record comes from the engine or from the journal, and a tuning that is gone on with ends as it would have
ended in one go.
"""

from __future__ import annotations

import dataclasses
import zlib
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from nertsim.experiments.tune.plan import CHECK, PROFILE, SEARCH, TIME, VALIDATION, TunePlan
from nertsim.experiments.tune.profile import Moments, profile_points
from nertsim.stats.intervals import Interval, mean_interval, variance
from nertsim.stats.sequential import VERDICTS

RUNNING, A_BETTER = VERDICTS[0], VERDICTS[1]
LOOKS_A_DOUBLING = 16
"""The validation is looked at after every 256 blocks, and later sixteen times while their number doubles."""


class Task(NamedTuple):
    """What is to be played next."""

    stage: str
    number: int
    """In its stage."""
    vectors: np.ndarray
    """float64 (groups, points, parameters): the bots; those of a group are played by the same decks."""
    first: int
    """Number of the first block, in the decks of the stage; each group has the next ones."""
    blocks: int
    """Of each point."""
    spread: bool
    """Whether sums of squares are wanted too."""

    @property
    def fingerprint(self) -> int:
        """Of the bots, to six digits: another computer may differ in the last ones."""
        return zlib.crc32((np.round(self.vectors, 6) + 0.0).astype("<f8").tobytes())

    @property
    def trials(self) -> int:
        """Blocks of all points."""
        return self.vectors.shape[0] * self.vectors.shape[1] * self.blocks


class Check(NamedTuple):
    """The estimate on the way, against the start, on fresh decks."""

    step: int
    deals: int
    """Played by then, in all."""
    difference: float
    """How much better it is, in units of the metric."""
    difference_ci: Interval
    """Its 95 % interval, by itself."""


@dataclasses.dataclass
class Sums:
    """Exact sums over blocks of a stage, whole numbers in units of the plan; by point."""

    blocks: int = 0
    values: Any = 0
    """Σ of the results."""
    squares: Any = 0
    """Σ of squared differences from the first point."""
    between: Any = 0
    """Σ of squared differences from the point before."""

    def add(self, blocks: int, record: Mapping[str, Any]) -> None:
        """Adds a record with one group."""
        self.blocks += blocks
        for name in ("values", "squares", "between"):
            (more,) = record[name]
            setattr(self, name, getattr(self, name) + np.array(more, object))

    @property
    def differences(self) -> np.ndarray:
        """Σ of the differences from the first point."""
        return self.values - self.values[0]


class Course:
    """Where a tuning is; `task` is what comes next, None when it is done."""

    def __init__(self, plan: TunePlan) -> None:
        self.plan = plan
        self.deals = 0
        self.steps = 0
        self.checks: list[Check] = []
        self.profile = Sums()
        self.validation = Sums()
        self.verdict = RUNNING
        """What the validation says so far: one of `sequential.VERDICTS`, A being the estimate and B the start. Once it
        says something it stays: what is played afterwards makes the interval narrower.
        """
        self.path: list[np.ndarray] = []
        """The estimate at each check."""
        self._method = plan.make_method()
        self._dither = plan.random("whole numbers")
        self._checked = self._profiled = self._searched = 0
        self._cut: set[str] = set()
        self._final: np.ndarray | None = None
        self.task: Task | None = self._search()

    @property
    def estimate(self) -> np.ndarray:
        """float64 (axes,): the point that is the estimate now."""
        return self._method.estimate if self._final is None else self._final

    @property
    def values(self) -> list[float]:
        """The values of the estimate, as they are written down, played and validated."""
        return self.plan.space.rounded(self.estimate)

    @property
    def validation_ci(self) -> Interval:
        """The interval of what the estimate is better by, which holds at every moment."""
        return self.plan.test.interval(*self._validated())

    def take(self, record: Mapping[str, Any]) -> None:
        """Goes on by a record; KeyError, TypeError or ValueError for one that is not of the task that comes next."""
        task = self.task
        if record["stage"] == TIME:
            self._cut.add(record["of"])
        elif task is None or (record["stage"], record["number"]) != (task.stage, task.number):
            raise ValueError(f"a record of {record['stage']} {record['number']} where another one belongs")
        else:
            self._count(task, record)
        self.task = self._next()

    def _count(self, task: Task, record: Mapping[str, Any]) -> None:
        if record["bots"] != task.fingerprint:
            raise ValueError("other bots were played there than would be here; a library may have changed since")
        shape = np.shape(record["values"])
        if shape != task.vectors.shape[:2]:
            raise ValueError(f"results {shape} of {task.vectors.shape[:2]} points")
        self.deals += task.trials * len(self.plan.tables)
        if task.stage == SEARCH:
            means = np.array(record["values"], float) / task.blocks * self.plan.unit
            self._method.tell(means, self._errors(task, record) if task.spread else None)
            self.steps += 1
            self._searched += len(task.vectors) * task.blocks
        elif task.stage == CHECK:
            sums = Sums()
            sums.add(task.blocks, record)
            ci = mean_interval(sums.blocks, int(sums.differences[1]), int(sums.squares[1]), self.plan.unit)
            self.checks.append(Check(self.steps, self.deals, (ci.low + ci.high) / 2, ci))
            self.path.append(self.estimate)
            self._checked = self.steps
        elif task.stage == PROFILE:
            self.profile.add(task.blocks, record)
            self._profiled += 1
        else:
            self.validation.add(task.blocks, record)
            if self.verdict == RUNNING:
                self.verdict = self.plan.test.verdict(*self._validated())

    def _next(self) -> Task | None:
        plan = self.plan
        if self._final is None:
            ended = self._method.done or SEARCH in self._cut
            if self.steps > self._checked and (ended or self.steps % plan.shares.check_every == 0):
                return self._check()
            if not ended:
                return self._search()
            self._final = plan.space.point(plan.space.rounded(self._method.estimate))
        if self._profiled < plan.shares.profile_tasks and PROFILE not in self._cut:
            return self._profile()
        return None if self._is_sure or VALIDATION in self._cut else self._validate()

    def _validated(self) -> tuple[int, int, int, float]:
        sums = self.validation
        return sums.blocks, int(sums.differences[1]), int(sums.squares[1]), self.plan.unit

    @property
    def _is_sure(self) -> bool:
        """True where the validation says something, to within its smallest effect, or nothing is left to play."""
        if self.validation.blocks >= (self.plan.test.maximum or 0):
            return True
        low, high = self.validation_ci if self.validation.blocks else (0.0, 0.0)
        return self.verdict != RUNNING and high - low <= 2 * self.plan.test.smallest_effect

    def _search(self) -> Task:
        space, trials = self.plan.space, self._method.ask()
        # The same draw for the points of a group: what they differ in is what is tuned.
        shift = self._dither.random_sample((len(trials.points), 1, len(space)))
        vectors = self.plan.vectors(space.played(trials.points, shift))
        return Task(SEARCH, self.steps, vectors, self._searched, trials.blocks, trials.spread)

    def _errors(self, task: Task, record: Mapping[str, Any]) -> np.ndarray:
        """float64 (groups, points): standard errors of the differences from the first point of the group."""
        values, squares = np.array(record["values"], float), np.array(record["squares"], float)
        means = (values - values[:, :1]) / task.blocks
        return np.sqrt(np.maximum(squares / task.blocks - means**2, 0.0) / task.blocks) * self.plan.unit

    def _check(self) -> Task:
        blocks, number = self.plan.shares.check_blocks, len(self.checks)
        return Task(CHECK, number, self._against_start(self.estimate), number * blocks, blocks, True)

    def _profile(self) -> Task:
        shares, space = self.plan.shares, self.plan.space
        values = space.played(profile_points(space, self.estimate))
        first = self._profiled * shares.profile_blocks
        return Task(PROFILE, self._profiled, self.plan.vectors(values)[None], first, shares.profile_blocks, True)

    def _validate(self) -> Task:
        done = self.validation.blocks
        step = max(self.plan.test.look, (1 << done.bit_length()) // (2 * LOOKS_A_DOUBLING))
        most = self.plan.test.maximum or step
        last = min((done // step + 1) * step, most)
        return Task(VALIDATION, done, self._against_start(self.estimate), done, last - done, True)

    def _against_start(self, point: np.ndarray) -> np.ndarray:
        space = self.plan.space
        values = np.stack([space.played(self.plan.start), np.array(space.rounded(point))])
        return self.plan.vectors(values)[None]

    def moments(self) -> tuple[np.ndarray, Moments]:
        """The points of the profile and what they came to, as `profile.sensitivities` takes them."""
        plan, sums, unit = self.plan, self.profile, self.plan.unit
        count = sums.blocks
        means = np.array([float(one) / count * unit for one in sums.differences])
        steps = np.diff(sums.values, prepend=sums.values[:1])
        points = profile_points(plan.space, self.estimate)
        return points, Moments(
            count,
            means,
            np.array([variance(count, *map(int, one)) for one in zip(sums.differences, sums.squares, strict=True)])
            * unit**2,
            np.array([variance(count, *map(int, one)) for one in zip(steps, sums.between, strict=True)]) * unit**2,
        )

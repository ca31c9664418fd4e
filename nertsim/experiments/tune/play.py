"""Plays the tasks of a tuning, one after another, and writes each down before it counts."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from nertsim.batch import Settings, announcing
from nertsim.experiments.tune.arena import Arena
from nertsim.experiments.tune.course import Course, Task
from nertsim.experiments.tune.journal import Journal
from nertsim.experiments.tune.plan import CHECK, PROFILE, SEARCH, TIME, VALIDATION, TunePlan
from nertsim.experiments.tune.shares import CHECKS as CHECKS_SHARE
from nertsim.experiments.tune.shares import PROFILE as PROFILE_SHARE
from nertsim.experiments.tune.shares import SEARCH as SEARCH_SHARE

MOST_TRIALS = 4096
"""Played at a time, or Ctrl-C and progress would wait."""
ENDS_BY = {SEARCH: SEARCH_SHARE + CHECKS_SHARE, PROFILE: SEARCH_SHARE + CHECKS_SHARE + PROFILE_SHARE, VALIDATION: 1.0}
"""Where the budget is a time: the share of it after which a stage ends, with `SLACK` more."""
SLACK = 0.03


class Player:
    """Plays the tasks of a plan, on so many threads. A context manager."""

    def __init__(self, plan: TunePlan, settings: Settings) -> None:
        self._plan = plan
        self._settings = settings
        self._threads = settings.workers
        self._pool = ThreadPoolExecutor(self._threads, thread_name_prefix="nertsim")
        self._arenas: dict[str, Arena] = {}

    def __enter__(self) -> Player:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)

    def play(self, task: Task) -> dict[str, Any]:
        """The record of a task: stage, number, and sums by group and point, whole numbers."""
        sums = [self._group(task, number) for number in range(len(task.vectors))] if task.spread else self._all(task)
        names = ("values", "squares", "between") if task.spread else ("values",)
        about = {"stage": task.stage, "number": task.number, "bots": task.fingerprint}
        return about | {name: [one[name] for one in sums] for name in names}

    def _all(self, task: Task) -> list[dict[str, Any]]:
        """The sums of all groups at once."""
        groups, points, _ = task.vectors.shape
        numbers = task.first + np.arange(groups * task.blocks).reshape(groups, 1, task.blocks)
        results = self._play(task, task.vectors, np.repeat(numbers, points, axis=1))
        return [{"values": values} for values in results.sum(axis=2).tolist()]

    def _group(self, task: Task, group: int) -> dict[str, Any]:
        """The sums of a group with those of squared differences."""
        points = task.vectors[group : group + 1]
        first, size = task.first + group * task.blocks, max(1, MOST_TRIALS // points.shape[1])
        sums: dict[str, Any] = {}
        for begin in range(0, task.blocks, size):
            numbers = first + np.arange(begin, min(begin + size, task.blocks))
            results = self._play(task, points, np.tile(numbers, (1, points.shape[1], 1)))[0]
            more = {
                "values": results.sum(axis=1),
                "squares": ((results - results[0]) ** 2).sum(axis=1),
                "between": (np.diff(results, axis=0, prepend=results[:1]) ** 2).sum(axis=1),
            }
            sums = {name: sums.get(name, 0) + value.astype(object) for name, value in more.items()}
        return {name: value.tolist() for name, value in sums.items()}

    def _play(self, task: Task, vectors: np.ndarray, numbers: np.ndarray) -> np.ndarray:
        """int64, like `numbers` (groups, points, blocks): what each bot came to in each block."""
        values = np.repeat(vectors, numbers.shape[2], axis=1).reshape(numbers.size, -1)
        return self._arena(task.stage).play(values, numbers.ravel()).reshape(numbers.shape)

    def _arena(self, stage: str) -> Arena:
        if stage not in self._arenas:
            plan = self._plan
            with announcing(self._settings.notice):
                arena = Arena(plan.rules, plan.tables, plan.metric, plan.stage_seed(stage), self._pool, self._threads)
            self._arenas[stage] = arena
        return self._arenas[stage]

    def measure(self, stage: str, task: Task) -> tuple[float, float]:
        """Variance of the difference between the two points of a task in a block, in units of the metric, and the
        seconds that a trial takes.
        """
        self._arena(stage)
        self._group(task, 0)  # fetches code and memory
        start = time.perf_counter()
        record = self._group(task, 0)
        seconds = (time.perf_counter() - start) / task.trials
        values, squares = record["values"], record["squares"]
        mean = (values[1] - values[0]) / task.blocks
        return (squares[1] / task.blocks - mean**2) * self._plan.unit**2, seconds


def play_course(
    course: Course,
    journal: Journal,
    player: Player,
    settings: Settings,
    seconds: float,
    told: Callable[[Course], None] | None,
    clock: list[float],
) -> None:
    """Plays what is left of a tuning; `seconds` were spent on it before. `told` is called after each check.

    The last of `clock` is kept at the seconds in all, wherever it stops.
    """
    start = time.perf_counter()
    while (task := course.task) is not None:
        record = player.play(task)
        clock[-1] = seconds + time.perf_counter() - start
        _write(course, journal, record)
        if told and task.stage == CHECK:
            told(course)
        if settings.progress:
            settings.progress(course.deals, max(course.deals, expected(course)))
        _mind_the_clock(course, journal, clock[-1])


def _write(course: Course, journal: Journal, record: dict[str, Any]) -> None:
    journal.add(record)
    course.take(record)


def _mind_the_clock(course: Course, journal: Journal, spent: float) -> None:
    plan, task = course.plan, course.task
    if plan.minutes is None or task is None or task.stage not in ENDS_BY:
        return
    if spent > 60 * plan.minutes * (ENDS_BY[task.stage] + SLACK):
        _write(course, journal, {"stage": TIME, "of": task.stage})


def expected(course: Course) -> int:
    """Deals that the tuning takes in all, at most, as it looks now."""
    plan, task = course.plan, course.task
    if task is None:
        return course.deals
    if task.stage != VALIDATION:
        return plan.deals
    left = plan.shares.validation_blocks - course.validation.blocks
    return course.deals + 2 * left * len(plan.tables)

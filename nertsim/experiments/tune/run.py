"""A tuning that was played, and what it says."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nertsim.bots.strategy import Bot
from nertsim.errors import StoreError
from nertsim.experiments.tune.course import A_BETTER, RUNNING, Course
from nertsim.experiments.tune.journal import JOURNAL, read_journal
from nertsim.experiments.tune.plan import VALIDATION, TunePlan
from nertsim.experiments.tune.profile import Sensitivity, sensitivities
from nertsim.stats.intervals import exact_mean

if TYPE_CHECKING:
    from nertsim.tables import DataFrame

UNKNOWN = (math.nan, math.nan)


@dataclasses.dataclass(frozen=True)
class TuneRun:
    """A tuning, in memory or in a folder (`path`), finished or not.

    `summary` is what it says, `bot` what came of it: the tuned bot where it is proved better, else the start.
    `seconds` is the time spent playing, without compiling.
    """

    plan: TunePlan
    course: Course = dataclasses.field(repr=False)
    seconds: float
    path: Path | None = None

    @property
    def accepted(self) -> bool:
        """True where the tuned bot is better than the start, proved on fresh deals."""
        return self.verdict == A_BETTER

    @property
    def verdict(self) -> str:
        """ "A better" (the tuned bot), "B better" (the start), "equivalent", or "undecided" where nothing is proved."""
        verdict = self.course.verdict
        return "undecided" if verdict == RUNNING else verdict

    @property
    def start(self) -> dict[str, float]:
        """All parameters of the bot that was tuned."""
        bot = self.plan.bot
        return dict(zip(bot.strategy.parameters, bot.vector(), strict=True))

    @property
    def estimate(self) -> dict[str, float]:
        """All parameters at the estimate of the optimum, proved better or not."""
        return self.start | dict(zip(self.plan.space.names, self.course.values, strict=True))

    @property
    def best(self) -> dict[str, float]:
        """All parameters of the better bot, as far as is proved: the estimate, or the start."""
        return self.estimate if self.accepted else self.start

    @property
    def bot(self) -> Bot:
        """The bot that came of it: the tuned one where it is proved better, else the start."""
        if not self.accepted:
            return self.plan.bot
        changed = {name: value for name, value in self.estimate.items() if value != self._usual(name)}
        return dataclasses.replace(self.plan.bot, values=changed, label="")

    def _usual(self, name: str) -> float:
        return self.plan.bot.strategy.parameters[name].default

    @cached_property
    def summary(self) -> dict[str, Any]:
        """What `nertsim tune --format json` prints, as a dict; intervals as [low, high], nan where unknown.

        Differences are in units of the metric: how much better the tuned bot does against the others than the start.
        """
        plan, course = self.plan, self.course
        return {
            "start": self.start,
            "best": self.best,
            "estimate": self.estimate,
            "accepted": self.accepted,
            "validation": self._validation(),
            "parameters": self._parameters(),
            "checks": [one._asdict() | {"difference_ci": list(one.difference_ci)} for one in course.checks],
            "bot": plan.bot.label,
            "against": [bot.label for bot in plan.against],
            "metric": plan.metric,
            "method": plan.method,
            "goal": plan.goal,
            "steps": course.steps,
            "deals": course.deals,
            "budget": plan.deals,
            "seed": plan.seed,
            "seats": plan.rules.seats,
            "seconds": self.seconds,
            "deals_per_second": course.deals / self.seconds if self.seconds > 0 else math.nan,
            "done": course.task is None,
        }

    def _validation(self) -> dict[str, Any]:
        course, plan = self.course, self.plan
        blocks = course.validation.blocks
        known = blocks > 0
        return {
            "verdict": self.verdict,
            "difference": self._difference() if known else math.nan,
            "ci": list(course.validation_ci) if known else list(UNKNOWN),
            "deals": 2 * blocks * len(plan.tables),
            "blocks": blocks,
            "seed": plan.stage_seed(VALIDATION),
            "alpha": plan.test.alpha,
            "smallest_effect": plan.test.smallest_effect,
        }

    def _difference(self) -> float:
        sums = self.course.validation
        return exact_mean(int(sums.differences[1]), sums.blocks) * self.plan.unit

    def _parameters(self) -> list[dict[str, Any]]:
        found: list[Sensitivity | None] = [None] * len(self.plan.space)
        if self.course.profile.blocks > 1:
            found = list(sensitivities(self.plan.space, *self.course.moments()))
        rows = []
        for name, one in zip(self.plan.space.names, found, strict=True):
            low, high = one.optimum_ci if one else UNKNOWN
            rows.append(
                {
                    "parameter": name,
                    "start": self.start[name],
                    "estimate": self.estimate[name],
                    "optimum_ci": [low, high],
                    "step": one.step if one else math.nan,
                    "cost": one.cost if one else math.nan,
                    "cost_ci": list(one.cost_ci if one else UNKNOWN),
                }
            )
        return rows

    @property
    def by_parameter(self) -> DataFrame:
        """A row a parameter: start, estimate, the interval of its optimum, and what moving it by `step` costs."""
        from nertsim.tables import summary_frame

        return summary_frame(self.summary["parameters"], "parameter")

    @property
    def checks(self) -> DataFrame:
        """A row for each check on the way: how much better than the start it was by then."""
        from nertsim.tables import summary_frame

        return summary_frame(self.summary["checks"], "step")

    def to_toml(self, name: str = "tuned", folder: Path | None = None) -> str:
        """The bot that came of it as a table of a roster in `folder` (default: the working folder), with its
        provenance; see `nertsim.bots.roster`.
        """
        from nertsim.experiments.tune.roster import tuned_text

        return tuned_text(name, self, folder)

    def __repr__(self) -> str:
        plan, course = self.plan, self.course
        what = f"{plan.bot.label}, {plan.rules.seats} seats, {course.deals:,} deals, seed {plan.seed}: {self.verdict}"
        return f"<{type(self).__name__} of {what}>"


def feed(course: Course, records: list[dict[str, Any]], where: Path | str) -> None:
    """Has a course take the records of a journal; StoreError for one that does not belong to it."""
    for number, record in enumerate(records, 1):
        try:
            course.take(record)
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise StoreError(f"{where}, line {number} does not belong to this tuning: {error}") from None


def open_run(folder: Path, manifest: Mapping[str, Any]) -> TuneRun:
    """The tuning that a folder holds, as far as it came (see `nertsim.load`)."""
    plan = TunePlan.from_dict(manifest)
    course = Course(plan)
    records, _ = read_journal(folder / JOURNAL)
    feed(course, records, folder / JOURNAL)
    return TuneRun(plan, course, float(manifest["seconds"]), folder)

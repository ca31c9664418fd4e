"""What a tuning is asked to do: everything that decides its result."""

from __future__ import annotations

import dataclasses
import hashlib
import math
from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from nertsim.bots.spec import bot_from_dict
from nertsim.bots.strategy import Bot, Parameter
from nertsim.codes import BEHAVIOUR
from nertsim.experiments.tune.arena import Table, block_unit, make_tables
from nertsim.experiments.tune.evolution import Evolution
from nertsim.experiments.tune.shares import Shares, share_out
from nertsim.experiments.tune.space import Axis, Space
from nertsim.experiments.tune.spsa import Moves, Spsa, fitting_moves
from nertsim.plans import recorded_rules
from nertsim.rules import Rules
from nertsim.stats.sequential import SequentialTest

SEARCH, CHECK, PROFILE, VALIDATION, TIME = "search", "check", "profile", "validation", "time"
"""The stages: each has decks of its own. TIME ends one of them early."""
FIRST_LOOK = 256
VISIBLE = 3.6
"""Standard errors at the end of the validation: z(0.975) + z(0.95), what a test sees in 19 of 20 cases."""


@dataclasses.dataclass(frozen=True)
class TunePlan:
    """A bot, what is tuned of it, against whom, for what, how, and how long."""

    KIND: ClassVar[str] = "tune"
    UNIT: ClassVar[str] = "deals"

    rules: Rules
    bot: Bot
    """The start."""
    against: tuple[Bot, ...]
    space: Space
    metric: str
    method: str
    goal: float
    """The least improvement worth having, in units of the metric."""
    seed: int
    deals: int
    """The budget."""
    minutes: float | None = None
    """Where the budget is a time: the search is stopped by the clock too."""
    noise: float = 1.0
    """Variance of the difference between two bots in one block, measured beforehand."""

    @property
    def bots(self) -> tuple[Bot, ...]:
        """The bots, as a run is compared with what is asked for: the start, then the others."""
        return (self.bot, *self.against)

    @property
    def count(self) -> int:
        """The budget, as other plans call it."""
        return self.deals

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        """Who sits where in the deals of a block."""
        return make_tables(self.bot, self.against, self.rules)

    @cached_property
    def shares(self) -> Shares:
        """How the budget is shared out."""
        return share_out(self.deals, len(self.tables), len(self.space), self.method)

    @property
    def unit(self) -> float:
        """What 1 in a result is worth, in units of the metric."""
        return block_unit(self.metric, self.rules.seats, len(self.tables))

    @property
    def start(self) -> np.ndarray:
        """float64 (axes,): the point where the search begins."""
        values = dict(zip(self.bot.strategy.parameters, self.bot.vector(), strict=True))
        return self.space.point([values[name] for name in self.space.names])

    @property
    def moves(self) -> Moves:
        """How far from the estimate bots are played, and how many parameters are moved at a time."""
        return fitting_moves(len(self.space), self.shares.pairs, self.goal, self.noise)

    def make_method(self) -> Spsa | Evolution:
        """The search, at its start."""
        shares, random = self.shares, self.random("method")
        if self.method == "cmaes":
            return Evolution(self.start, shares.steps, shares.blocks, random)
        moves = (self.goal, self.moves)
        return Spsa(self.start, shares.steps, shares.groups, shares.blocks, *moves, shares.line_blocks, random)

    @property
    def test(self) -> SequentialTest:
        """The test of the tuned bot against the start, on their difference in each block.

        Its smallest effect is the goal, or, where the budget is too small to see that, what can be seen with it.
        """
        most = float(self.rules.largest_difference) if self.metric == "score" else 1.0
        visible = math.sqrt(self.noise / max(1, self.shares.validation_blocks)) * VISIBLE
        return SequentialTest(
            smallest_effect=max(self.goal, visible),
            look=FIRST_LOOK,
            fewest=FIRST_LOOK,
            maximum=max(FIRST_LOOK, self.shares.validation_blocks),
            largest=2 * most,
        )

    def random(self, purpose: str) -> np.random.RandomState:
        """A stream of random numbers for a purpose; `RandomState`, because NumPy keeps its streams as they are."""
        return np.random.RandomState(np.random.MT19937(stage_seed(self.seed, purpose)))

    def stage_seed(self, stage: str) -> int:
        """The seed of the decks of a stage; that of the search is the seed itself."""
        return self.seed if stage == SEARCH else stage_seed(self.seed, stage)

    def vectors(self, values: np.ndarray) -> np.ndarray:
        """float64 (…, parameters of the strategy): the vectors of bots with these values (…, axes)."""
        names = list(self.bot.strategy.parameters)
        vectors = np.tile(np.array(self.bot.vector()), (*values.shape[:-1], 1))
        vectors[..., [names.index(name) for name in self.space.names]] = values
        return vectors

    def to_dict(self) -> dict[str, Any]:
        """Everything that decides the result, in plain values (the manifest of the run)."""
        return {
            "kind": self.KIND,
            "behaviour": BEHAVIOUR,
            "rules": self.rules.to_dict(),
            "bots": [bot.to_dict() for bot in self.bots],
            "seed": self.seed,
            "unit": self.UNIT,
            "count": self.deals,
            "minutes": self.minutes,
            "metric": self.metric,
            "method": self.method,
            "goal": self.goal,
            "noise": self.noise,
            "axes": [dataclasses.asdict(axis) for axis in self.space.axes],
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> TunePlan:
        """The plan that `to_dict` wrote; KeyError, TypeError or ValueError (`UsageError` is one) where it did not."""
        axes = tuple(Axis(**axis) for axis in values["axes"])
        start, *against = values["bots"]
        return cls(
            rules=recorded_rules(values["rules"]),
            bot=bot_from_dict(start, {axis.name: _parameter(axis, start["parameters"]) for axis in axes}),
            against=tuple(bot_from_dict(bot) for bot in against),
            space=Space(axes),
            metric=values["metric"],
            method=values["method"],
            goal=values["goal"],
            seed=values["seed"],
            deals=values["count"],
            minutes=values["minutes"],
            noise=values["noise"],
        )


def _parameter(axis: Axis, values: Mapping[str, float]) -> Parameter:
    return Parameter(values[axis.name], axis.low, axis.high, "as it was tuned", axis.whole)


def stage_seed(seed: int, purpose: str) -> int:
    """A seed, 0 … 2**63 − 1, that follows from another one and a purpose."""
    return int.from_bytes(hashlib.sha256(f"nertsim tune {seed} {purpose}".encode()).digest()[:8], "big") >> 1


def fits(number: float) -> bool:
    """True for a finite number above 0."""
    return math.isfinite(number) and number > 0

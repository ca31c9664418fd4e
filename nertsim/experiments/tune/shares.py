"""How the budget is shared out: search, checks on the way, profile, validation."""

from __future__ import annotations

from typing import NamedTuple

from nertsim.errors import UsageError
from nertsim.experiments.tune.evolution import cloud_size
from nertsim.experiments.tune.lines import PLACES
from nertsim.experiments.tune.profile import PLACES as PROFILE_PLACES
from nertsim.experiments.tune.spsa import LINES_AT

METHODS = ("spsa", "cmaes")
SEARCH, CHECKS, PROFILE, VALIDATION = 0.65, 0.05, 0.1, 0.2
"""Shares of the budget. What a search that is stopped by the clock leaves over is not played."""
LINES = 0.4
"""Share of the search that is on lines."""
LOOKS = 10
"""Checks on the way."""
TRIALS_A_STEP = 400
"""A call of the engine costs as much as some twenty deals: enough trials at each table that this does not matter."""
MOST_STEPS = {"spsa": 3000, "cmaes": 1500}
LEAST_STEPS = 50
BLOCKS_A_DIRECTION = 16
LEAST_BLOCKS = 256
"""In a check, and in the profile: a normal interval stands on them."""
TRIALS_A_TASK = 4096


class Shares(NamedTuple):
    """What is played, in tasks and blocks; a *trial* is a block played by one point."""

    steps: int
    groups: int
    """Of a step: points of a group are played by the same decks."""
    points: int
    """In a group."""
    blocks: int
    """Of each point in a step."""
    lines: int
    """Steps in which a parameter is tried by itself; none by the method cmaes."""
    line_blocks: int
    """Of each point on a line."""
    check_every: int
    """Steps."""
    check_blocks: int
    profile_tasks: int
    profile_blocks: int
    """A task."""
    validation_blocks: int
    """At most, of each of the two bots."""

    @property
    def pairs(self) -> int:
        """Pairs of trials in all steps but those on lines."""
        return self.steps * self.groups * self.blocks * self.points // 2


def share_out(deals: int, tables: int, axes: int, method: str) -> Shares:
    """The shares of a budget of so many deals; UsageError where it is too small."""
    trials = deals / tables
    searched = SEARCH * trials
    points, lined = (2, int(LINES * searched)) if method == "spsa" else (cloud_size(axes), 0)
    lines = len(LINES_AT) * axes
    line_blocks = lined // (lines * (1 + PLACES))
    searched -= lined
    steps = int(min(MOST_STEPS[method], searched / TRIALS_A_STEP))
    looks = min(LOOKS, max(1, steps // 10))
    profiled = PROFILE * trials / (1 + PROFILE_PLACES * axes)
    check = int(CHECKS * trials / looks / 2)
    least = max(
        LEAST_STEPS * TRIALS_A_STEP / SEARCH / (1 - LINES),
        LEAST_BLOCKS * 2 * looks / CHECKS,
        LEAST_BLOCKS * (1 + PROFILE_PLACES * axes) / PROFILE,
        LEAST_BLOCKS * 4 / VALIDATION,
    )
    if trials < least:
        raise UsageError(
            f"a budget of {deals:,} deals is too small here; {_round_up(int(least * tables)):,} are the least"
        )
    in_a_step = int(searched / steps)
    blocks = min(BLOCKS_A_DIRECTION, in_a_step // points) if method == "spsa" else in_a_step // points
    tasks = max(1, round(profiled * (1 + PROFILE_PLACES * axes) / TRIALS_A_TASK))
    shares = Shares(
        steps=steps,
        groups=in_a_step // points // blocks if method == "spsa" else 1,
        points=points,
        blocks=blocks,
        lines=lines if lined else 0,
        line_blocks=line_blocks,
        check_every=-(-(steps + (lines if lined else 0)) // looks),
        check_blocks=check,
        profile_tasks=tasks,
        profile_blocks=int(profiled / tasks),
        validation_blocks=0,
    )
    used = steps * shares.groups * points * blocks + shares.lines * (1 + PLACES) * line_blocks
    used += (1 + PROFILE_PLACES * axes) * tasks * shares.profile_blocks + 2 * looks * check
    return shares._replace(validation_blocks=int(trials - used) // 2)


def _round_up(number: int) -> int:
    """To two digits."""
    unit = 10 ** max(0, len(str(number)) - 2)
    return -(-number // unit) * unit

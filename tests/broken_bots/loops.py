"""Counts up to a number that it never reaches."""

import nertsim
from nertsim.bots.view import action_count, now, wait


@nertsim.strategy
def clever(view, parameters, scratch, noise):
    """Forgets the time."""
    while now(view) > 5_000_000 and scratch[0] >= 0.0:
        scratch[0] += 1.0
    return action_count(view) - 1 if action_count(view) > 0 else wait(300_000)

"""Stops when it has seen ten decisions."""

import nertsim
from nertsim.bots.view import action_count, decision_number, wait


@nertsim.strategy
def clever(view, parameters, scratch, noise):
    """Loses its patience."""
    if decision_number(view) == 10:
        raise ValueError("no more patience")
    return action_count(view) - 1 if action_count(view) > 0 else wait(300_000)

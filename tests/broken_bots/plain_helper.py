"""Calls a function without @nertsim.helper."""

import nertsim
from nertsim.bots.view import action_count


def last(view):
    return action_count(view) - 1


@nertsim.strategy
def clever(view, parameters, scratch, noise):
    """Takes the last action."""
    return last(view)

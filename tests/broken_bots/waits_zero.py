"""Wants to decide again at the same instant."""

import nertsim
from nertsim.bots.view import wait


@nertsim.strategy
def clever(view, parameters, scratch, noise):
    """Waits for nothing."""
    return wait(0)

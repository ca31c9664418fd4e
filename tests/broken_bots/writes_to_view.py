"""Gives itself the card that it wants."""

import nertsim


@nertsim.strategy
def clever(view, parameters, scratch, noise):
    """Cheats."""
    view.table[0] = 0
    return 0

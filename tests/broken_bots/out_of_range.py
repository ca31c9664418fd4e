"""Returns the number of actions, which is one too many."""

import nertsim
from nertsim.bots.view import action_count


@nertsim.strategy
def clever(view, parameters, scratch, noise):
    """Takes the action after the last."""
    return action_count(view)

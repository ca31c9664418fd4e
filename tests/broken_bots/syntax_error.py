"""A colon is missing."""

import nertsim


@nertsim.strategy
def clever(view, parameters, scratch, noise)
    return 0

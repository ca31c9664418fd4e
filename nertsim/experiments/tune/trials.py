"""What a method of tuning asks to be played."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Trials(NamedTuple):
    """Points that are to be played."""

    points: np.ndarray
    """float64 (groups, points, axes), each 0 … 1; those of a group are played by the same decks."""
    blocks: int
    """That each point is played on."""
    spread: bool = False
    """Whether the standard errors of differences from the first point are wanted too."""

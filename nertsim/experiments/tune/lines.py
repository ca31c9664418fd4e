"""Each parameter by itself, over its whole range: what slopes cannot see lies behind plateaus."""

from __future__ import annotations

import numpy as np

from nertsim.experiments.tune.trials import Trials

FAR, NEAR = 4, 4
"""Places that are tried on each line: spread over the whole range, and around where it is."""
PLACES = FAR + NEAR
SURE = 2.5
"""Standard errors that the best place must be ahead: of eight that are no better, one is in 20 lines or so."""


class Lines:
    """A line for each of so many axes, in random order; where another place is surely better it is taken at once.

    The near places are `spread` and three times as much away, as shares of the range.
    """

    def __init__(self, axes: int, blocks: int, spread: float, random: np.random.RandomState) -> None:
        self._blocks, self._spread, self._random = blocks, spread, random
        self._order = random.permutation(axes).tolist() if blocks > 0 else []
        self._best: np.ndarray | None = None
        self._asked: np.ndarray = np.empty((0, 0))

    @property
    def done(self) -> bool:
        """True after the last line."""
        return not self._order

    def ask(self, point: np.ndarray) -> Trials:
        """The next line, through `point` or, once one has led away from there, through the best place so far."""
        middle = point if self._best is None else self._best
        axis = self._order[0]
        far = (np.arange(FAR) + self._random.random_sample()) / FAR
        near = middle[axis] + self._spread * np.array([-3.0, -1.0, 1.0, 3.0])
        self._asked = np.tile(middle, (1 + PLACES, 1))
        self._asked[1:, axis] = np.clip(np.concatenate([far, near]), 0.0, 1.0)
        return Trials(self._asked[None], self._blocks, spread=True)

    def tell(self, means: np.ndarray, errors: np.ndarray) -> np.ndarray | None:
        """What the points came to, and the standard errors of their differences from the first, float64 (points,): the
        place that is surely better, or None.
        """
        self._order.pop(0)
        ahead = means - means[0]
        best = int(np.argmax(ahead - SURE * errors))
        if ahead[best] <= SURE * errors[best]:
            return None
        self._best = self._asked[best]
        return self._best

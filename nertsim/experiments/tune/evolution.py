"""CMA-ES: a cloud of bots is played, and moves and stretches towards the better ones.

The library `cmaes`, with the adaptation of the learning rate to the noise by Nomura, Akimoto & Ono, "CMA-ES with
learning rate adaptation" (2023). The estimate is the mean of the cloud, averaged over the second half of the search:
never the best bot that was played, which was lucky.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nertsim.errors import UsageError
from nertsim.experiments.tune.spsa import SPREAD, averaged

TAIL = 0.5
"""The estimate is the mean over this share of the steps, the last."""


def cloud_size(axes: int) -> int:
    """Bots in the cloud: the usual number of CMA-ES, made even."""
    return 4 + 2 * int(1.5 * np.log(axes))


def check_cmaes() -> None:
    """UsageError where the library is missing."""
    try:
        import cmaes  # noqa: F401
    except ImportError:
        raise UsageError("the method cmaes needs a library: pip install 'nertsim[tune]'") from None


class Evolution:
    """A search by CMA-ES. It begins with a cloud as wide as a sixth of each range."""

    def __init__(self, start: np.ndarray, steps: int, random: np.random.RandomState):
        from cmaes import CMA

        self.steps = steps
        self._start = np.array(start, float)
        self._alone = len(start) == 1
        # The library wants two dimensions; of a single parameter the second changes nothing.
        first = np.append(self._start, 0.5) if self._alone else self._start
        self._cloud: Any = CMA(
            mean=first,
            sigma=SPREAD,
            bounds=np.tile([0.0, 1.0], (len(first), 1)),
            population_size=cloud_size(len(first)),
            seed=int(random.randint(2**31 - 1)),
            lr_adapt=True,
        )
        self._asked: list[np.ndarray] = []
        self._path: list[np.ndarray] = []

    @property
    def done(self) -> bool:
        """True after the last step."""
        return len(self._path) >= self.steps

    @property
    def estimate(self) -> np.ndarray:
        """float64 (axes,): where the optimum is, as far as one knows."""
        return averaged(self._path, TAIL, self._start)

    def ask(self) -> np.ndarray:
        """Points to be played, float64 (1, cloud, axes), by the same decks."""
        self._asked = [self._cloud.ask() for _ in range(self._cloud.population_size)]
        return np.array(self._asked)[None, :, : len(self._start)]

    def tell(self, results: np.ndarray) -> None:
        """What these points came to on average, float64 (1, cloud)."""
        self._cloud.tell(list(zip(self._asked, (-results[0]).tolist(), strict=True)))
        self._path.append(np.clip(self._cloud.mean[: len(self._start)], 0.0, 1.0))

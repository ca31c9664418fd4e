"""CMA-ES: a cloud of bots is played, and moves and stretches towards the better ones.

The library `cmaes`, with the adaptation of the learning rate to the noise by Nomura, Akimoto & Ono, "CMA-ES with
learning rate adaptation" (2023). The estimate is the mean of the cloud, averaged over the second half of the search:
never the best bot that was played, which was lucky.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nertsim.errors import UsageError
from nertsim.experiments.tune.spsa import SPREAD
from nertsim.experiments.tune.trials import Trials

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

    def __init__(self, start: np.ndarray, steps: int, blocks: int, random: np.random.RandomState) -> None:
        from cmaes import CMA

        self._steps, self._blocks = steps, blocks
        self._start = np.array(start, float)
        self._cloud: Any = CMA(
            mean=self._start,
            sigma=SPREAD,
            bounds=np.tile([0.0, 1.0], (len(start), 1)),
            population_size=cloud_size(len(start)),
            seed=int(random.randint(2**31 - 1)),
            lr_adapt=True,
        )
        self._asked: list[np.ndarray] = []
        self._path: list[np.ndarray] = []

    @property
    def done(self) -> bool:
        """True after the last step."""
        return len(self._path) >= self._steps

    @property
    def estimate(self) -> np.ndarray:
        """float64 (axes,): where the optimum is, as far as one knows."""
        half = self._path[int(len(self._path) * (1 - TAIL)) :]
        return np.mean(half, axis=0) if half else self._start

    def ask(self) -> Trials:
        """What is to be played next: the bots of the cloud, by the same decks."""
        self._asked = [self._cloud.ask() for _ in range(self._cloud.population_size)]
        return Trials(np.array(self._asked)[None], self._blocks)

    def tell(self, means: np.ndarray, errors: np.ndarray | None = None) -> None:
        """What these points came to on average, float64 (1, cloud)."""
        self._cloud.tell(list(zip(self._asked, (-means[0]).tolist(), strict=True)))
        self._path.append(np.clip(self._cloud.mean, 0.0, 1.0))

"""The built-in strategies by name, with their parameters: known before numba is, so that a wrong name is told at once.

The functions lie in `nertsim.bots.builtin` and `nertsim.bots.weighted` under the same names and are imported when a
deal is to be played.
"""

from __future__ import annotations

from nertsim.bots.strategy import Strategy
from nertsim.bots.weights import WEIGHTS

DEFAULT_BOT = "greedy"


def _builtin(name: str, description: str, scratch: int = 0) -> Strategy:
    decide = f"nertsim.bots.builtin:{name}"
    return Strategy(name=name, decide=decide, description=description, scratch=scratch, watches=False)


BUILTIN: dict[str, Strategy] = {
    strategy.name: strategy
    for strategy in (
        _builtin("random", "any legal action"),
        _builtin("greedy", "nerts card first, then foundations, builds, draws"),
        _builtin("hasty", "plays the first thing it sees, never plans"),
        _builtin("careful", "what experienced players advise", scratch=1),
        Strategy(
            name="weighted",
            decide="nertsim.bots.weighted:weighted",
            description="weighs what players advise by weights that can be tuned",
            parameters=WEIGHTS,
            scratch=3,
            watches=True,
        ),
    )
}

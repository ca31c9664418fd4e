"""nertsim plays millions of deals of Nerts between bots, and says what wins.

```python
import nertsim

run = nertsim.simulate(["careful", "greedy", "greedy", "greedy"], deals=100_000, seed=1)
run.by_bot   # mean scores and win rates with intervals
run.seats    # a DataFrame with a row a seat of each deal
print(nertsim.replay("greedy", seed=1, deal=42).text())
nertsim.match(["careful", "greedy"], seats=2, matches=1000).by_seat   # who wins whole matches
```

Every name is loaded when it is first used: importing nertsim imports neither numba nor pandas.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nertsim._jit import helper
    from nertsim.bots.strategy import Bot, Parameter, Strategy, strategy
    from nertsim.check import check_bot
    from nertsim.errors import BotError, BotFault, NertsimError, RulesError, StoreError, TempoError, UsageError
    from nertsim.experiments.compare.request import compare
    from nertsim.experiments.compare.run import CompareRun
    from nertsim.experiments.match import MatchRun, match
    from nertsim.experiments.selftest import selftest
    from nertsim.experiments.sweep.request import sweep
    from nertsim.experiments.sweep.run import SweepRun
    from nertsim.experiments.tournament.request import tournament
    from nertsim.experiments.tournament.run import TournamentRun
    from nertsim.experiments.tune.request import tune
    from nertsim.experiments.tune.run import TuneRun
    from nertsim.replay import replay
    from nertsim.report import report
    from nertsim.rules import Rules
    from nertsim.run import Run
    from nertsim.simulate import simulate, warmup
    from nertsim.store import load
    from nertsim.tempo import Tempo

_WHERE = {
    "simulate": "nertsim.simulate",
    "warmup": "nertsim.simulate",
    "load": "nertsim.store",
    "match": "nertsim.experiments.match",
    "replay": "nertsim.replay",
    "report": "nertsim.report",
    "check_bot": "nertsim.check",
    "compare": "nertsim.experiments.compare.request",
    "CompareRun": "nertsim.experiments.compare.run",
    "tournament": "nertsim.experiments.tournament.request",
    "TournamentRun": "nertsim.experiments.tournament.run",
    "selftest": "nertsim.experiments.selftest",
    "sweep": "nertsim.experiments.sweep.request",
    "SweepRun": "nertsim.experiments.sweep.run",
    "tune": "nertsim.experiments.tune.request",
    "TuneRun": "nertsim.experiments.tune.run",
    "MatchRun": "nertsim.experiments.match",
    "Run": "nertsim.run",
    "Rules": "nertsim.rules",
    "Tempo": "nertsim.tempo",
    "Bot": "nertsim.bots.strategy",
    "Strategy": "nertsim.bots.strategy",
    "Parameter": "nertsim.bots.strategy",
    "strategy": "nertsim.bots.strategy",
    "helper": "nertsim._jit",
    "NertsimError": "nertsim.errors",
    "UsageError": "nertsim.errors",
    "RulesError": "nertsim.errors",
    "TempoError": "nertsim.errors",
    "BotError": "nertsim.errors",
    "BotFault": "nertsim.errors",
    "StoreError": "nertsim.errors",
}

__all__ = [
    "Bot",
    "BotError",
    "BotFault",
    "CompareRun",
    "MatchRun",
    "NertsimError",
    "Parameter",
    "Rules",
    "RulesError",
    "Run",
    "StoreError",
    "Strategy",
    "SweepRun",
    "Tempo",
    "TempoError",
    "TournamentRun",
    "TuneRun",
    "UsageError",
    "check_bot",
    "compare",
    "helper",
    "load",
    "match",
    "replay",
    "report",
    "selftest",
    "simulate",
    "strategy",
    "sweep",
    "tournament",
    "tune",
    "warmup",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("nertsim")
    if name not in _WHERE:
        raise AttributeError(f"module 'nertsim' has no attribute {name!r}")
    value = getattr(importlib.import_module(_WHERE[name]), name)
    setattr(sys.modules[__name__], name, value)
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])


class _Package(ModuleType):
    """Python binds a module to its package once it is imported; where function and module share a name
    (`nertsim.simulate`, `nertsim.replay`), the function must stay what the name means."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name in _WHERE and isinstance(value, ModuleType):
            value = getattr(value, name)
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package

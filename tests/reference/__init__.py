"""A second, independent engine: all of the model in plain Python, to compare the kernels with.

It shares with nertsim only the vocabulary (cards, codes, rules, tempo tables, the layout of a view) and none of the
engine. Its trace of a deal must be the trace of the kernels, line by line.

One module a subject: `randoms` (section 6), `pieces` (what lies where), `legal` (sections 2 and 3), `effects` (lift and
landing, section 4), `deal` (the clock, section 4), `sight` (section 5), `trace` (section 7), `invariants`.
"""

from .bots import callable_bot, compiled_bot
from .deal import ReferenceFault, play_reference
from .invariants import InvariantError
from .pieces import SeatSetup

__all__ = ["InvariantError", "ReferenceFault", "SeatSetup", "callable_bot", "compiled_bot", "play_reference"]

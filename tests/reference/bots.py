"""Compiled bots for an engine in plain Python."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numba

from nertsim._jit import helper


def callable_bot(decide: Callable[..., Any]) -> Callable[..., Any]:
    """A strategy as Python can call it; the project's jitted functions have no way in from Python of their own."""
    if not isinstance(decide, numba.core.registry.CPUDispatcher):
        return decide

    @numba.njit(error_model="numpy")
    def called(view: Any, parameters: Any, scratch: Any, noise: Any) -> Any:
        return decide(view, parameters, scratch, noise)

    return called


@lru_cache(64)
def compiled_bot(decide: Callable[..., Any]) -> Callable[..., Any]:
    """The function of a `Strategy`, compiled for the views of the reference: arrays, where the engine has addresses."""
    return callable_bot(helper(decide))

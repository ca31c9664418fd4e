"""A strategy's function compiled for the table, or one line that says why it cannot be."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

from nertsim._jit import CACHE_FOLDER, JIT_DISABLED, kernel, types
from nertsim.bots.constants import constants_of
from nertsim.bots.explain import explain, type_text
from nertsim.bots.files import fingerprint_of, read_sources
from nertsim.bots.strategy import Strategy
from nertsim.engine.batch import DECIDE_SIGNATURE
from nertsim.errors import BotError

FOREIGN = "bots"
"""Folder of the cache for code that is not nertsim's own; in it one for each fingerprint of a source and constants."""

EXPECTED = "it must return an integer, a position in the list of legal actions or wait(microseconds)"

_compiled: dict[Any, Any] = {}
_lock = threading.Lock()


def compile_strategy(strategy: Strategy) -> Any:
    """The function of a strategy, compiled for the signature that the kernels call (or loaded from the cache).

    Raises `BotError` with one line, naming file and line, where it cannot be compiled or does not return an integer.
    """
    decide = strategy.decide
    with _lock:
        if decide not in _compiled:
            _compiled[decide] = decide if JIT_DISABLED else _compile(strategy)
        return _compiled[decide]


def _compile(strategy: Strategy) -> Any:
    try:
        compiled = _kernel(strategy, DECIDE_SIGNATURE.args)
        returned = compiled.nopython_signatures[0].return_type
        if not isinstance(returned, types.Integer):
            raise BotError(f"{_place(strategy)} returns {type_text(returned)}: {EXPECTED}")
        if returned != DECIDE_SIGNATURE.return_type:
            # Another kind of integer: converted, which takes a second compilation.
            compiled = _kernel(strategy, DECIDE_SIGNATURE)
        return compiled
    except BotError:
        raise
    except Exception as error:  # not all that numba raises is an error of numba's
        file = Path(strategy.decide.__code__.co_filename)
        raise BotError(f"{_place(strategy)} cannot be compiled: {explain(str(error), file)}") from error


def _kernel(strategy: Strategy, signature: Any) -> Any:
    folder = _folder(strategy)
    keep = {"cache": False} if folder is None else {"folder": folder}
    return kernel(signature, no_cpython_wrapper=True, **keep)(strategy.decide)


def _folder(strategy: Strategy) -> Path | None:
    """Where its code is kept; None for a function that is in no file: it is compiled anew in each process."""
    if strategy.is_built_in:
        return CACHE_FOLDER
    file = Path(strategy.decide.__code__.co_filename)
    if strategy.origin is None and not file.is_file():
        return None
    fingerprint = fingerprint_of(read_sources(file)) if strategy.origin is None else strategy.origin.sha256
    # Compiled code holds the values of constants, which the file may have read from elsewhere.
    return CACHE_FOLDER / FOREIGN / f"{fingerprint[:16]}-{constants_of(strategy.decide)[:8]}"


def _place(strategy: Strategy) -> str:
    code = strategy.decide.__code__
    return f"the bot {strategy.name} ({Path(code.co_filename).name}, line {code.co_firstlineno})"

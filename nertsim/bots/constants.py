"""The constants that a function's compiled code holds: numbers, texts, tuples and arrays outside of it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import Any

import numpy as np


def constants_of(function: FunctionType) -> str:
    """Hash of the values that a function and the helpers that it calls take from outside."""
    digest = hashlib.sha256()
    for name, value in _constants(function, set()):
        text = value.tobytes() if isinstance(value, np.ndarray) else repr(value).encode()
        digest.update(f"{name}\0{type(value).__name__}\0".encode() + text + b"\0")
    return digest.hexdigest()


def _constants(function: FunctionType, seen: set[int]) -> Iterator[tuple[str, Any]]:
    """Names and values; helpers in the order of their names. Those of nertsim have none that change."""
    if id(function) in seen or function.__module__.startswith("nertsim."):
        return
    seen.add(id(function))
    for name, value in _outside(function):
        if isinstance(value, (int, float, str, bytes, tuple, np.generic, np.ndarray)):
            yield f"{function.__qualname__}.{name}", value
        inner = getattr(value, "py_func", None)
        if isinstance(inner, FunctionType):
            yield from _constants(inner, seen)


def _outside(function: FunctionType) -> Iterator[tuple[str, Any]]:
    names = sorted(set(function.__code__.co_names))
    outside = {name: function.__globals__[name] for name in names if name in function.__globals__}
    yield from outside.items()
    for module, value in outside.items():
        if isinstance(value, ModuleType):
            yield from ((f"{module}.{name}", vars(value)[name]) for name in names if name in vars(value))
    for cell, name in zip(function.__closure__ or (), function.__code__.co_freevars, strict=True):
        yield name, cell.cell_contents

"""Strategies in people's own Python files and in packages, and what tells whether they have changed.

A file is executed once in a process, as a module whose name holds a fingerprint of its text and of what it imports
from beside it. The fingerprint names the folder of its compiled code too, so that a change anywhere in it compiles
anew, and no change compiles nothing.
"""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import hashlib
import importlib.util
import inspect
import sys
import traceback
from collections.abc import Iterator, Mapping
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

from nertsim.bots.strategy import ARGUMENTS, Origin, Strategy, strategy
from nertsim.errors import BotError, NertsimError, reason, unknown

GROUP = "nertsim.bots"
"""The group of entry points in which packages offer strategies."""
PACKAGE = Path(__file__).parent.parent
MODULE = "nertsim_bot_"
"""What the module name of a file begins with."""


def load_strategy(path: str, name: str | None) -> Strategy:
    """The strategy called `name` in a Python file, or the only one there is.

    Raises `BotError` for a file that cannot be read or executed, and where it has no such strategy.
    """
    found = load_strategies(path)
    if name is None and len(found) == 1:
        return next(iter(found.values()))
    if name is None:
        names = ", ".join(found)
        raise BotError(
            f"{path} has {len(found)} strategies; name one, as {path}:{next(iter(found))} (there are: {names})"
        )
    if name not in found:
        raise BotError(unknown(f"strategy in {path}", name, found))
    return found[name]


def load_strategies(path: str) -> dict[str, Strategy]:
    """All strategies of a Python file by name, at least one; errors as of `load_strategy`.

    These are the results of ``@nertsim.strategy``, and, where there is none, the functions of the file that take the
    arguments of a strategy under their usual names.
    """
    file = Path(path)
    sources = read_sources(file)
    fingerprint = fingerprint_of(sources)
    module = _execute(file, sources, fingerprint)
    found = {name: value for name, value in vars(module).items() if isinstance(value, Strategy)}
    found = found or {name: strategy(value) for name, value in vars(module).items() if _looks_like_one(value, module)}
    if not found:
        raise BotError(f"{path} has no strategy: put @nertsim.strategy above a function({', '.join(ARGUMENTS)})")
    resolved = str(file.resolve())
    return {
        name: dataclasses.replace(one, origin=Origin(f"{path}:{name}", resolved, fingerprint))
        for name, one in found.items()
    }


def _looks_like_one(value: Any, module: ModuleType) -> bool:
    if not inspect.isfunction(value) or value.__module__ != module.__name__:
        return False
    return tuple(inspect.signature(value).parameters) == ARGUMENTS


def offered_strategies() -> dict[str, EntryPoint]:
    """What installed packages offer, by name; nothing is loaded."""
    return {one.name: one for one in sorted(entry_points(group=GROUP), key=lambda one: one.value)}


def load_offered(name: str, entry: EntryPoint) -> Strategy:
    """The strategy that a package offers under `name`; BotError where it cannot be had."""
    with _explaining(f"the bot {name}, which a package offers as {entry.value},", ""):
        value = entry.load()
    one = value if isinstance(value, Strategy) else strategy(value)
    file = Path(sys.modules[one.decide.__module__].__file__ or "")
    origin = Origin(name, str(file), fingerprint_of(read_sources(file)))
    return dataclasses.replace(one, name=name, origin=origin)


def fingerprint_of(sources: Mapping[Path, bytes]) -> str:
    """Hash of what `read_sources` read."""
    digest = hashlib.sha256()
    for file, text in sorted(sources.items()):
        digest.update(file.name.encode() + b"\0" + text + b"\0")
    return digest.hexdigest()


def read_sources(file: Path) -> dict[Path, bytes]:
    """A Python file and all files that it imports from beside it, directly or not: their bytes.

    Raises `BotError` for a file that cannot be read.
    """
    given, file = file, file.resolve()
    found: dict[Path, bytes] = {}
    todo = [file]
    while todo:
        source = todo.pop()
        if source not in found:
            found[source] = _read(source, given if source == file else source)
            todo += _imported(source, file.parent, found[source])
    return found


def _read(file: Path, shown: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise BotError(f"cannot read the bot file {shown}: {reason(error)}") from None


def _imported(source: Path, folder: Path, text: bytes) -> Iterator[Path]:
    """Files under `folder` that a source imports; absolute names are looked for in `folder`."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return  # told when it is executed
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            places = [folder.joinpath(*alias.name.split(".")) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            start = source.parents[node.level - 1] if node.level else folder
            module = start.joinpath(*(node.module or "").split("."))
            places = [module, *(module / alias.name for alias in node.names)]
        else:
            continue
        for place in places:
            for file in (place.parent / f"{place.name}.py", place / "__init__.py"):
                if file.is_file() and file.is_relative_to(folder) and not file.is_relative_to(PACKAGE):
                    yield file


def _execute(file: Path, sources: Mapping[Path, bytes], fingerprint: str) -> ModuleType:
    name = f"{MODULE}{file.stem}_{fingerprint[:16]}"
    if name in sys.modules:
        return sys.modules[name]
    resolved = file.resolve()
    spec = importlib.util.spec_from_file_location(name, resolved)
    if spec is None or spec.loader is None:
        raise BotError(f"{file} is not a Python file (its name must end in .py)")
    for other, module in list(sys.modules.items()):
        # What it imports from beside it is read anew too: it may have changed.
        if other != "__main__" and Path(getattr(module, "__file__", None) or "/") in sources:
            del sys.modules[other]
    module = importlib.util.module_from_spec(spec)
    # Registered before it is executed: numba's cache looks its functions up there.
    sys.modules[name] = module
    sys.path.insert(0, str(resolved.parent))
    try:
        # What a bot file prints must not get between the figures.
        with contextlib.redirect_stdout(sys.stderr), _explaining(f"the bot file {file}", str(resolved)):
            spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    finally:
        sys.path.remove(str(resolved.parent))
    return module


@contextlib.contextmanager
def _explaining(what: str, file: str) -> Iterator[None]:
    """Turns whatever somebody's code raises into one line with its place in `file`."""
    try:
        yield
    except SyntaxError as error:
        raise BotError(f"{what} cannot be read: line {error.lineno}: {error.msg}") from None
    except NertsimError as error:
        raise BotError(f"{what} cannot be used{_line_in(error, file)}: {error}") from None
    except (Exception, SystemExit) as error:
        raise BotError(f"{what} cannot be loaded{_line_in(error, file)}: {type(error).__name__}: {error}") from None


def _line_in(error: BaseException, file: str) -> str:
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    return f", line {lines[-1]}" if lines else ""

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
import importlib
import inspect
import sys
import traceback
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

from nertsim.bots.strategy import ARGUMENTS, Origin, Strategy, strategy
from nertsim.errors import BotError, NertsimError, reason, unknown

GROUP = "nertsim.bots"
"""The group of entry points in which packages offer strategies."""
PACKAGE = Path(__file__).parent.parent
INSTALLED = ("site-packages", "dist-packages")
"""Folders of modules that have nothing to do with each other."""
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
    marked = {name: value for name, value in vars(module).items() if isinstance(value, Strategy)}
    # Those of another file that it imports, to change or to use them, are its own only where it has no others.
    found = {name: one for name, one in marked.items() if _is_from(one, module)} or marked
    found = found or {name: strategy(value) for name, value in vars(module).items() if _looks_like_one(value, module)}
    if not found:
        raise BotError(f"{path} has no strategy: put @nertsim.strategy above a function({', '.join(ARGUMENTS)})")
    resolved = str(file.resolve())
    return {
        name: dataclasses.replace(one, origin=Origin(f"{path}:{name}", resolved, fingerprint))
        for name, one in found.items()
    }


def _is_from(one: Strategy, module: ModuleType) -> bool:
    return getattr(vars(one).get("decide"), "__module__", None) == module.__name__


def _looks_like_one(value: Any, module: ModuleType) -> bool:
    if not inspect.isfunction(value) or value.__module__ != module.__name__:
        return False
    return tuple(inspect.signature(value).parameters) == ARGUMENTS


def offered_strategies() -> dict[str, EntryPoint]:
    """What installed packages offer, by name; nothing is loaded."""
    return {one.name: one for one in sorted(entry_points(group=GROUP), key=lambda one: one.value)}


def load_offered(name: str, entry: EntryPoint) -> Strategy:
    """The strategy that a package offers under `name`; BotError where it cannot be had."""
    with _foreign(f"the bot {name}, which a package offers as {entry.value},", ""):
        value = entry.load()
        one = value if isinstance(value, Strategy) else strategy(value)
        file = Path(inspect.getfile(one.decide))
    origin = Origin(name, str(file), fingerprint_of(read_sources(file)))
    return dataclasses.replace(one, name=name, origin=origin)


def fingerprint_of(sources: Mapping[Path, bytes]) -> str:
    """Hash of what `read_sources` read."""
    digest = hashlib.sha256()
    for file, text in sorted(sources.items()):
        digest.update(file.name.encode() + b"\0" + text + b"\0")
    return digest.hexdigest()


def read_sources(file: Path) -> dict[Path, bytes]:
    """A Python file and all files that it imports from beside it or from its package, directly or not: their bytes.

    Raises `BotError` for a file that cannot be read.
    """
    given, file = file, file.resolve()
    inside = _package(file)
    found: dict[Path, bytes] = {}
    todo = [file]
    while todo:
        source = todo.pop()
        if source not in found:
            found[source] = _read(source, given if source == file else source)
            starts = (file.parent, inside.parent)
            todo += [one for one in _imported(source, starts, found[source]) if one.is_relative_to(inside)]
    return found


def _package(file: Path) -> Path:
    """What is watched with a file: its outermost package, the folder it lies in, or itself among installed modules."""
    folder = file.parent
    if folder.name in INSTALLED:
        return file
    while (folder.parent / "__init__.py").is_file() and (folder / "__init__.py").is_file():
        folder = folder.parent
    return folder


def _read(file: Path, shown: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise BotError(f"cannot read the bot file {shown}: {reason(error)}") from None


def _imported(source: Path, starts: Sequence[Path], text: bytes) -> Iterator[Path]:
    """Files that a source may mean by its imports; absolute names are looked for in the folders `starts`."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return  # told when it is executed
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            places = [start.joinpath(*alias.name.split(".")) for alias in node.names for start in starts]
        elif isinstance(node, ast.ImportFrom):
            # A relative import cannot lead out of the file system, whatever stands there.
            roots = [source.parents[min(node.level, len(source.parents)) - 1]] if node.level else starts
            modules = [root.joinpath(*(node.module or "").split(".")) for root in roots]
            places = [*modules, *(module / alias.name for alias in node.names for module in modules)]
        else:
            continue
        for place in places:
            for file in (place.parent / f"{place.name}.py", place / "__init__.py"):
                if file.is_file() and not file.is_relative_to(PACKAGE):
                    yield file


def _execute(file: Path, sources: Mapping[Path, bytes], fingerprint: str) -> ModuleType:
    resolved = file.resolve()
    # The same text in another folder may read other data there.
    place = hashlib.sha256(str(resolved).encode("utf-8", "surrogateescape")).hexdigest()
    tag = f"_{fingerprint[:16]}_{place[:8]}"
    name = f"{MODULE}{file.stem}{tag}"
    if name in sys.modules:
        return sys.modules[name]
    module = ModuleType(name)
    module.__file__ = str(resolved)
    # Registered before it is executed: numba's cache looks its functions up there.
    sys.modules[name] = module
    try:
        with _neighbours(resolved.parent, sources, tag), _foreign(f"the bot file {file}", str(resolved)):
            exec(compile(sources[resolved], str(resolved), "exec", dont_inherit=True), vars(module))
    except BaseException:
        del sys.modules[name]
        raise
    return module


@contextlib.contextmanager
def _neighbours(folder: Path, sources: Iterable[Path], tag: str) -> Iterator[None]:
    """Lets a file import what lies beside it, read anew: it may have changed, and another folder may have modules of
    the same names. Afterwards these modules have names with the tag.
    """
    files = [file.relative_to(folder).with_suffix("") for file in sources if file.is_relative_to(folder)]
    names = {".".join(file.parts[:-1] if file.name == "__init__" else file.parts) for file in files}
    before = {name: sys.modules.pop(name) for name in names if name in sys.modules}
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    # Python takes what it has compiled for the newest where a file was changed twice in a second.
    writes, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        yield
    finally:
        sys.dont_write_bytecode = writes
        sys.path.remove(str(folder))
        for name in names & sys.modules.keys():
            _rename(sys.modules.pop(name), f"{MODULE}{name.replace('.', '_')}{tag}")
        sys.modules.update(before)


def _rename(module: ModuleType, name: str) -> None:
    """Gives a module another name, under which numba's cache will look for it and its functions."""
    for value in vars(module).values():
        function = value.decide if isinstance(value, Strategy) else getattr(value, "py_func", value)
        if inspect.isfunction(function) and function.__module__ == module.__name__:
            function.__module__ = name
    module.__name__ = name
    sys.modules[name] = module


@contextlib.contextmanager
def _foreign(what: str, file: str) -> Iterator[None]:
    """Turns whatever somebody's code raises into one line with its place in `file`; what it prints goes to stderr, lest
    it get between the figures.
    """
    try:
        with contextlib.redirect_stdout(sys.stderr):
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

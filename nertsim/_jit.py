"""The one module that imports numba's decorators: options, cache folder, warning filter.

Import this before anything else of numba: it sets the cache folder, which numba reads once. The folder's name holds a fingerprint of
everything that numba's own index of cached kernels overlooks (edits in other modules, its version, its flags), so that a
stale kernel is never loaded.
"""

from __future__ import annotations

import hashlib
import os
import platform
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).parent
KERNEL_FOLDERS = ("engine", "bots")
KERNEL_FILES = ("_jit.py", "cards.py", "codes.py", "rules.py", "tempo.py")
FLAGS = ("NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK", "NUMBA_OPT", "NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES")


def kernel_fingerprint() -> str:
    """Hash of the kernel sources, the versions and the flags that decide what is compiled."""
    from importlib.metadata import version

    digest = hashlib.sha256()
    files = [PACKAGE / name for name in KERNEL_FILES]
    for folder in KERNEL_FOLDERS:
        files += sorted((PACKAGE / folder).glob("*.py"))
    for file in files:
        digest.update(file.name.encode() + b"\0" + file.read_bytes())
    words = [version("numba"), version("numpy"), platform.machine(), sys.version, str(PACKAGE)]
    words += [f"{flag}={os.environ.get(flag, '')}" for flag in FLAGS]
    digest.update("\0".join(words).encode())
    return digest.hexdigest()[:16]


def cache_folder() -> Path:
    """Where compiled kernels are kept: $NERTSIM_CACHE, else the user's cache folder, else a temporary one."""
    given = os.environ.get("NERTSIM_CACHE")
    if given:
        candidates = [Path(given)]
    else:
        home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
        user = os.getuid() if hasattr(os, "getuid") else 0
        candidates = [Path(home) / "nertsim", Path(tempfile.gettempdir()) / f"nertsim-{user}"]
    for candidate in candidates:
        folder = candidate / kernel_fingerprint()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(folder, os.W_OK):
            return folder
    return Path(tempfile.mkdtemp(prefix="nertsim-"))


CACHE_FOLDER = cache_folder()
os.environ["NUMBA_CACHE_DIR"] = str(CACHE_FOLDER)

import numba  # noqa: E402
import numpy as np  # noqa: E402
from numba import types  # noqa: E402
from numba.core import cgutils, config  # noqa: E402
from numba.core.errors import NumbaExperimentalFeatureWarning  # noqa: E402
from numba.extending import intrinsic, overload  # noqa: E402
from numba.np.arrayobj import make_array, populate_array  # noqa: E402

config.CACHE_DIR = str(CACHE_FOLDER)
warnings.filterwarnings("ignore", category=NumbaExperimentalFeatureWarning)

JIT_DISABLED = bool(config.DISABLE_JIT)
if JIT_DISABLED:
    # Un-jitted hashes wrap around in numpy scalars, which is what they are meant to do.
    warnings.filterwarnings("ignore", message="overflow encountered", category=RuntimeWarning)

__all__ = [
    "CACHE_FOLDER",
    "JIT_DISABLED",
    "at",
    "borrow",
    "helper",
    "kernel",
    "overload",
    "part",
    "readonly_part",
    "subroutine",
    "types",
]


def kernel(signature: Any) -> Any:
    """Decorator for a function that the shell calls: compiled once for `signature`, kept on disk, without the GIL."""
    return numba.njit(signature, cache=True, nogil=True, error_model="numpy")


# What only kernels call needs no way in from Python: without wrappers it compiles in a fraction of the time.
_INNER = {"error_model": "numpy", "no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def helper(function: Any) -> Any:
    """Decorator for a small function that kernels call: always inlined by LLVM, so that it costs no call."""
    return numba.njit(function, forceinline=True, **_INNER)


@helper
def at(index):  # type: ignore[no-untyped-def]
    """The index without a sign: spares the test for a negative index at every access to an array."""
    return np.uint64(index)


def subroutine(function: Any) -> Any:
    """Decorator for a larger function that kernels call, inlined only where LLVM finds that it pays."""
    return numba.njit(function, **_INNER)


def _part_type(array: Any, readonly: bool) -> Any:
    return types.Array(array.dtype, 1, "C", readonly=readonly)


def _part_code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """A part of a vector as an array without an owner: no reference count is touched."""
    source = make_array(signature.args[0])(context, builder, arguments[0])
    part = make_array(signature.return_type)(context, builder)
    populate_array(
        part,
        data=builder.gep(source.data, [arguments[1]]),
        shape=[arguments[2]],
        strides=[source.itemsize],
        itemsize=source.itemsize,
        meminfo=None,
    )
    return part._getvalue()


@intrinsic
def _part(typing_context: Any, array: Any, first: Any, length: Any) -> Any:
    return _part_type(array, readonly=False)(array, types.intp, types.intp), _part_code


@intrinsic
def _readonly_part(typing_context: Any, array: Any, first: Any, length: Any) -> Any:
    return _part_type(array, readonly=True)(array, types.intp, types.intp), _part_code


def _borrow_code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    array_type = signature.args[0]
    source = make_array(array_type)(context, builder, arguments[0])
    borrowed = make_array(array_type)(context, builder)
    populate_array(
        borrowed,
        data=source.data,
        shape=source.shape,
        strides=source.strides,
        itemsize=source.itemsize,
        meminfo=None,
    )
    return borrowed._getvalue()


@intrinsic
def _borrow(typing_context: Any, array: Any) -> Any:
    return array(array), _borrow_code


if JIT_DISABLED:

    def borrow(array: Any) -> Any:
        """The same array; a kernel that borrows its arrays touches no reference counts when it hands them on."""
        return array

    def part(array: Any, first: Any, length: Any) -> Any:
        """The `length` numbers of a vector from `first` on, as a view."""
        return array[first : first + length]

    def readonly_part(array: Any, first: Any, length: Any) -> Any:
        """The same as a view that cannot be written to."""
        view = array[first : first + length]
        view.flags.writeable = False
        return view

else:
    borrow, part, readonly_part = _borrow, _part, _readonly_part

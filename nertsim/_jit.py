"""The one module that imports numba's decorators: options, cache folder, warning filter.

Import this before anything else of numba: it sets the cache folder, which numba reads once. The folder's name holds a
fingerprint of everything that numba's own index of cached kernels overlooks (edits in other modules, its version, its
flags), so that a stale kernel is never loaded.
"""

from __future__ import annotations

import hashlib
import operator
import os
import platform
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).parent
KERNEL_SOURCES = (
    "_jit.py",
    "cards.py",
    "codes.py",
    "rules.py",
    "tempo.py",
    "engine/*.py",
    "bots/view.py",
    "bots/builtin.py",
)
"""What is compiled, and what that reads: where one of these changes, everything is compiled again."""
FLAGS = ("NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK", "NUMBA_OPT", "NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES")


def kernel_fingerprint() -> str:
    """Hash of the kernel sources, the versions and the flags that decide what is compiled."""
    from importlib.metadata import version

    digest = hashlib.sha256()
    for file in sorted(file for pattern in KERNEL_SOURCES for file in PACKAGE.glob(pattern)):
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
from numba.core import cgutils  # noqa: E402
from numba.core import config as _config  # noqa: E402
from numba.core.errors import NumbaExperimentalFeatureWarning  # noqa: E402
from numba.extending import intrinsic, models, overload, register_model  # noqa: E402
from numba.np.arrayobj import make_array, populate_array  # noqa: E402

config: Any = _config
_intrinsic: Any = intrinsic
config.CACHE_DIR = str(CACHE_FOLDER)
warnings.filterwarnings("ignore", category=NumbaExperimentalFeatureWarning)

JIT_DISABLED = bool(config.DISABLE_JIT)
if JIT_DISABLED:
    # Un-jitted hashes wrap around in numpy scalars, which is what they are meant to do.
    warnings.filterwarnings("ignore", message="overflow encountered", category=RuntimeWarning)

__all__ = [
    "CACHE_FOLDER",
    "JIT_DISABLED",
    "Vector",
    "at",
    "borrow",
    "helper",
    "kernel",
    "lowest_bit",
    "overload",
    "readonly_vector",
    "subroutine",
    "types",
    "vector",
]


def kernel(signature: Any, **options: Any) -> Any:
    """Decorator for a function that the shell calls: compiled once for `signature`, kept on disk, without the GIL.

    `options` are numba's own. The loops of a deal are short and irregular: vectorised they are larger and about 5 %
    slower (measured).
    """

    def compile_for_signature(function: Any) -> Any:
        before = config.LOOP_VECTORIZE, config.SLP_VECTORIZE
        config.LOOP_VECTORIZE = config.SLP_VECTORIZE = 0
        try:
            return numba.njit(signature, cache=True, nogil=True, error_model="numpy", **options)(function)
        finally:
            config.LOOP_VECTORIZE, config.SLP_VECTORIZE = before

    return compile_for_signature


# What only kernels call needs no way in from Python: without wrappers it compiles in a fraction of the time.
_INNER: dict[str, Any] = {"error_model": "numpy", "no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def helper(function: Any) -> Any:
    """Decorator for a small function that kernels call: always inlined by LLVM, so that it costs no call."""
    return numba.njit(function, forceinline=True, **_INNER)


@helper
def at(index):
    """The index without a sign: spares the test for a negative index at every access to an array."""
    return np.uint64(index)


def subroutine(function: Any) -> Any:
    """Decorator for a larger function that kernels call, inlined only where LLVM finds that it pays."""
    return numba.njit(function, **_INNER)


class Vector(types.Type):
    """The address of numbers of one type: what is left of an array when a function is called a hundred million times.

    An array takes seven words to hand on, this takes one. It is indexed like an array, with an index that is not
    negative; a read-only one has no assignment, so that a function that tries does not compile.
    """

    def __init__(self, dtype: Any, readonly: bool) -> None:
        self.dtype, self.readonly = dtype, readonly
        super().__init__(name=f"Vector({dtype}, {'readonly' if readonly else 'mutable'})")


@register_model(Vector)
class _VectorModel(models.PrimitiveModel):
    def __init__(self, data_models: Any, vector: Any) -> None:
        super().__init__(data_models, vector, data_models.lookup(vector.dtype).get_data_type().as_pointer())


def _load_code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    return builder.load(builder.gep(arguments[0], [arguments[1]]))


def _store_code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    builder.store(arguments[2], builder.gep(arguments[0], [arguments[1]]))
    return context.get_dummy_value()


@_intrinsic
def _load(typing_context: Any, vector: Any, index: Any) -> Any:
    return vector.dtype(vector, types.intp), _load_code


@_intrinsic
def _store(typing_context: Any, vector: Any, index: Any, value: Any) -> Any:
    return types.void(vector, types.intp, vector.dtype), _store_code


@overload(operator.getitem)
def _get_item(vector, index):  # numba compares the bare parameters
    if isinstance(vector, Vector) and isinstance(index, types.Integer):
        return lambda vector, index: _load(vector, index)
    return None


@overload(operator.setitem)
def _set_item(vector, index, value):
    if isinstance(vector, Vector) and not vector.readonly and isinstance(index, types.Integer):
        return lambda vector, index, value: _store(vector, index, value)
    return None


def _address_code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    start = arguments[0]
    if isinstance(signature.args[0], types.Array):
        start = make_array(signature.args[0])(context, builder, start).data
    return builder.gep(start, [arguments[1]])


@_intrinsic
def _vector(typing_context: Any, array: Any, first: Any) -> Any:
    return Vector(array.dtype, readonly=False)(array, types.intp), _address_code


@_intrinsic
def _readonly_vector(typing_context: Any, array: Any, first: Any) -> Any:
    return Vector(array.dtype, readonly=True)(array, types.intp), _address_code


def _lowest_bit_code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    return builder.cttz(arguments[0], cgutils.false_bit)


@_intrinsic
def _lowest_bit(typing_context: Any, mask: Any) -> Any:
    return types.int64(types.int64), _lowest_bit_code


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


@_intrinsic
def _borrow(typing_context: Any, array: Any) -> Any:
    return array(array), _borrow_code


def _plain_vector(array: Any, first: Any) -> Any:
    return array[first:]


def _plain_readonly_vector(array: Any, first: Any) -> Any:
    view = array[first:]
    view.flags.writeable = False
    return view


def _plain_lowest_bit(mask: Any) -> Any:
    mask = int(mask)
    return np.int64((mask & -mask).bit_length() - 1)


lowest_bit: Any = _plain_lowest_bit if JIT_DISABLED else _lowest_bit
"""``lowest_bit(mask)``: the position of the lowest 1 of an int64 that is not 0."""
borrow: Any = (lambda array: array) if JIT_DISABLED else _borrow
"""``borrow(array)``: the same array without an owner; a kernel that borrows its arrays touches no reference counts when
it hands them on."""
vector: Any = _plain_vector if JIT_DISABLED else _vector
"""``vector(array, first)``: the numbers of an array from `first` on, as a `Vector`."""
readonly_vector: Any = _plain_readonly_vector if JIT_DISABLED else _readonly_vector
"""The same as a `Vector` that cannot be written to."""

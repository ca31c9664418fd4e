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
    "bots/weights.py",
    "bots/features.py",
    "bots/weighted.py",
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
from numba.core.errors import NumbaError, NumbaExperimentalFeatureWarning  # noqa: E402
from numba.core.registry import CPUDispatcher  # noqa: E402
from numba.extending import intrinsic, models, overload, register_model  # noqa: E402
from numba.np.arrayobj import make_array, populate_array  # noqa: E402

config: Any = _config
_intrinsic: Any = intrinsic
config.CACHE_DIR = str(CACHE_FOLDER)
warnings.filterwarnings("ignore", category=NumbaExperimentalFeatureWarning)

OWN_LENGTH = 64
"""Numbers in a bot's own vectors: its parameters, its scratch."""
JIT_DISABLED = bool(config.DISABLE_JIT)
if JIT_DISABLED:
    # Un-jitted hashes wrap around in numpy scalars, which is what they are meant to do.
    warnings.filterwarnings("ignore", message="overflow encountered", category=RuntimeWarning)

__all__ = [
    "CACHE_FOLDER",
    "JIT_DISABLED",
    "OWN_LENGTH",
    "NumbaError",
    "Vector",
    "at",
    "borrow",
    "helper",
    "kernel",
    "lowest_bit",
    "overload",
    "own_vector",
    "readonly_own_vector",
    "readonly_vector",
    "subroutine",
    "types",
    "vector",
]


def kernel(signature: Any, folder: Path | None = None, **options: Any) -> Any:
    """Decorator for a function that the shell calls: compiled once for `signature`, kept on disk, without the GIL.

    `signature` is one of numba's, or the types of the arguments alone. The code is kept in `folder`, by default in
    CACHE_FOLDER. `options` are numba's own. The loops of a deal are short and irregular: vectorised they are larger and
    about 5 % slower (measured).
    """

    def compile_for_signature(function: Any) -> Any:
        before = config.LOOP_VECTORIZE, config.SLP_VECTORIZE, config.CACHE_DIR
        config.LOOP_VECTORIZE = config.SLP_VECTORIZE = 0
        config.CACHE_DIR = str(folder or CACHE_FOLDER)
        keep: dict[str, Any] = {"cache": True, "nogil": True, "error_model": "numpy"} | options
        try:
            return numba.njit(signature, **keep)(function)
        finally:
            config.LOOP_VECTORIZE, config.SLP_VECTORIZE, config.CACHE_DIR = before

    return compile_for_signature


# What only kernels call needs no way in from Python: without wrappers it compiles in a fraction of the time.
_INNER: dict[str, Any] = {"error_model": "numpy", "no_cpython_wrapper": True, "no_cfunc_wrapper": True}


class _Inner(CPUDispatcher):
    """A jitted function without a way in from Python: Python calls the function as it was written."""

    def add_overload(self, compiled: Any) -> None:
        self.overloads[tuple(compiled.signature.args)] = compiled

    def _compile_for_args(self, *args: Any, **keywords: Any) -> Any:
        return self.py_func  # what numba then calls


def _inner(function: Any, **options: Any) -> Any:
    jitted = numba.njit(function, **_INNER, **options)
    if not JIT_DISABLED:
        jitted.__class__ = _Inner
    return jitted


def helper(function: Any) -> Any:
    """Decorator for a small function that kernels call: always inlined by LLVM, so that it costs no call."""
    return _inner(function, forceinline=True)


@helper
def at(index):
    """The index without a sign: spares the test for a negative index at every access to an array."""
    return np.uint64(index)


def subroutine(function: Any) -> Any:
    """Decorator for a larger function that kernels call, inlined only where LLVM finds that it pays."""
    return _inner(function)


class Vector(types.Type):
    """The address of numbers of one type: what is left of an array when a function is called a hundred million times.

    An array takes seven words to hand on, this takes one. It is indexed like an array, with an index that is not
    negative; a read-only one has no assignment, so that a function that tries does not compile. Where a `length` is
    given, a power of two, an index beyond it wraps around: whatever a stranger's function writes, it writes there.
    """

    def __init__(self, dtype: Any, readonly: bool, length: int | None = None) -> None:
        self.dtype, self.readonly, self.length = dtype, readonly, length
        words = f"{dtype}, {'readonly' if readonly else 'mutable'}{f', {length}' if length else ''}"
        super().__init__(name=f"Vector({words})")


@register_model(Vector)
class _VectorModel(models.PrimitiveModel):
    def __init__(self, data_models: Any, vector: Any) -> None:
        super().__init__(data_models, vector, data_models.lookup(vector.dtype).get_data_type().as_pointer())


def _element(builder: Any, vector: Any, address: Any, index: Any) -> Any:
    if vector.length:
        index = builder.and_(index, index.type(vector.length - 1))
    return builder.gep(address, [index])


def _load_code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    return builder.load(_element(builder, signature.args[0], *arguments))


def _store_code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    builder.store(arguments[2], _element(builder, signature.args[0], *arguments[:2]))
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


@_intrinsic
def _own_vector(typing_context: Any, array: Any, first: Any) -> Any:
    return Vector(array.dtype, readonly=False, length=OWN_LENGTH)(array, types.intp), _address_code


@_intrinsic
def _readonly_own_vector(typing_context: Any, array: Any, first: Any) -> Any:
    return Vector(array.dtype, readonly=True, length=OWN_LENGTH)(array, types.intp), _address_code


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


def _plain_own_vector(array: Any, first: Any) -> Any:
    return array[first : first + OWN_LENGTH]


def _plain_readonly_own_vector(array: Any, first: Any) -> Any:
    return _plain_readonly_vector(array, first)[:OWN_LENGTH]


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
own_vector: Any = _plain_own_vector if JIT_DISABLED else _own_vector
"""``own_vector(array, first)``: OWN_LENGTH numbers of an array from `first` on, as a `Vector` of that length."""
readonly_own_vector: Any = _plain_readonly_own_vector if JIT_DISABLED else _readonly_own_vector
"""The same as a `Vector` that cannot be written to."""

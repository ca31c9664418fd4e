"""A run folder: a manifest that says how every number came about, and Parquet parts that are never changed.

```
DIR/manifest.json                      what was asked for, by which versions, where; the exact totals; a checksum a part
DIR/seats/part-000000000000-000000250000.parquet   rows a seat of the deals 0 … 249999
DIR/deals/part-000000000000-000000250000.parquet   rows a deal
```

Files are written beside and renamed, parts before the manifest that names them: what the manifest says is there,
whenever the process ends. A part that grows, as the last one of a run that is extended, is written under its new name,
and the old one goes when the manifest has the new. pandas, DuckDB and Polars read the parts as they lie.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import json
import os
import platform
import shutil
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from nertsim.errors import NertsimError, StoreError, UsageError, reason
from nertsim.parts import Categories, decode_part, encode_part
from nertsim.tables import Column, Rows

FORMAT = "nertsim-run/2"
MANIFEST = "manifest.json"
BESIDE_MANIFEST = MANIFEST + ".part"
"""What a process that was killed may leave of it."""
LIBRARIES = ("nertsim", "numba", "numpy", "pyarrow")
OPENERS = {
    "simulate": "nertsim.simulate",
    "match": "nertsim.experiments.match",
    "compare": "nertsim.experiments.compare.run",
    "sweep": "nertsim.experiments.sweep.run",
    "tournament": "nertsim.experiments.tournament.run",
    "tune": "nertsim.experiments.tune.run",
}
"""The module for each kind of run; its function `open_run(folder, manifest)` makes the run of what a folder holds."""
DAMAGED = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError)
"""What reading a manifest raises where it does not hold what it should."""


def load(path: str | os.PathLike[str]) -> Any:
    """The run in a folder that `simulate` or `match` wrote: its plan, totals and summary; rows are read when they are
    asked for.

    Of a run that was interrupted, what is in complete parts. Raises `StoreError` for a folder that is no run, was
    written by a newer nertsim, or is damaged: parts are compared with their checksums when they are read.
    """
    folder = Path(path)
    manifest = read_manifest(folder)
    with explaining_manifest(folder):
        for entry in all_parts(manifest):
            _check_size(folder, entry)
        opener: Any = importlib.import_module(OPENERS[manifest["kind"]])
        return opener.open_run(folder, manifest)


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of a run folder; StoreError where there is none that can be read here, or it was changed."""
    file = folder / MANIFEST
    try:
        manifest = json.loads(file.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        what = "holds no manifest.json" if folder.is_dir() else "does not exist"
        raise StoreError(f"{folder} is not the folder of a run: it {what}") from None
    except OSError as error:
        raise StoreError(f"cannot read {file}: {reason(error)}") from None
    except (ValueError, RecursionError) as error:
        raise StoreError(f"{file} is damaged: it is not JSON ({error})") from None
    known = manifest.get("format") if isinstance(manifest, dict) else None
    if known != FORMAT:
        raise StoreError(f"{file} is not a manifest that this nertsim can read: its format is {known!r}{_age(known)}")
    if manifest.get("sha256") != _fingerprint(manifest):
        raise StoreError(f"{file} was changed after it was written: its own checksum does not fit")
    return manifest


def _age(known: Any) -> str:
    name, _, number = str(known).partition("/")
    if name != FORMAT.partition("/")[0] or not number.isdigit():
        return ""
    return f"; {'a newer' if int(number) > int(FORMAT.partition('/')[2]) else 'an older'} nertsim wrote it"


def _fingerprint(manifest: Mapping[str, Any]) -> str:
    rest = {name: value for name, value in manifest.items() if name != "sha256"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()


@contextlib.contextmanager
def explaining_manifest(folder: Path) -> Iterator[None]:
    """Turns what a manifest with wrong contents makes others raise into one line with its name."""
    try:
        yield
    except StoreError:
        raise
    except NertsimError as error:
        raise StoreError(f"{folder / MANIFEST} cannot be used: {error}") from None
    except DAMAGED as error:
        raise StoreError(f"{folder / MANIFEST} is damaged: {error!r}") from None


def all_parts(manifest: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The parts of all kinds."""
    return [entry for entries in manifest["parts"].values() for entry in entries]


def read_parts(
    folder: Path, entries: Sequence[Mapping[str, Any]], columns: Sequence[Column], categories: Categories
) -> Iterator[Rows]:
    """The rows of parts, one after another; StoreError where a file is not the one that was written."""
    for entry in entries:
        yield decode_part(columns, _read_checked(folder, entry), categories)


def _read_checked(folder: Path, entry: Mapping[str, Any]) -> bytes:
    file = folder / entry["file"]
    try:
        data = file.read_bytes()
    except OSError as error:
        raise StoreError(f"cannot read {file}: {reason(error)}") from None
    if hashlib.sha256(data).hexdigest() != entry["sha256"]:
        raise StoreError(f"{file} was changed after it was written: its checksum is not the one in {MANIFEST}")
    return data


def _check_size(folder: Path, entry: Mapping[str, Any]) -> None:
    file = folder / entry["file"]
    try:
        size = file.stat().st_size
    except OSError as error:
        raise StoreError(f"a part of the run is missing: {file} ({reason(error)})") from None
    if size != entry["bytes"]:
        raise StoreError(f"{file} was cut or changed: it has {size} bytes instead of {entry['bytes']}")


def write_file(path: Path, data: bytes) -> None:
    """Writes `data` beside and renames, so that the file is there as a whole or not at all, even if the power fails;
    StoreError where that does not work.
    """
    beside = path.with_name(path.name + ".part")
    try:
        with open(beside, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
        _sync_folder(path.parent)
    except OSError as error:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
        raise StoreError(f"cannot write {path}: {reason(error)}") from None


def _sync_folder(folder: Path) -> None:
    if os.name != "posix":
        return  # a folder cannot be opened there
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class RunFolder:
    """A run folder that this process writes to, and no other: it is locked until `close`.

    `manifest` is what is on disk, `is_new` whether this process began the run. Raises `StoreError` for what cannot be
    written or trusted.
    """

    def __init__(self, path: Path) -> None:
        """Opens the folder of a run to go on with it: every part is compared with its checksum, and what a run that
        was killed left half done is swept away.
        """
        self.path = path
        self.manifest = read_manifest(path)
        self._lock = _Lock(path)
        self.is_new = self._made = False
        try:
            self.manifest = read_manifest(path)  # as it is now that nobody else writes
            with explaining_manifest(path):
                for entry in all_parts(self.manifest):
                    _check_size(path, entry)
                    _read_checked(path, entry)
                self._sweep()
        except OSError as error:
            self.close()
            raise StoreError(f"cannot write to the folder {path}: {reason(error)}") from None
        except BaseException:
            self.close()
            raise

    @classmethod
    def create(cls, path: Path, kinds: Sequence[str], header: Mapping[str, Any]) -> RunFolder:
        """A new run folder for rows of these kinds; `header` is what its manifest says beside the parts.

        UsageError where the folder is not empty or cannot be written.
        """
        self = cls.__new__(cls)
        self.path = path
        self._made = _claim(path)
        self.is_new = True
        self._lock = _Lock(path)
        try:
            _claim(path)  # another process may have been quicker
        except UsageError:
            self.close()
            raise
        try:
            # The manifest comes first: where this process ends, what it leaves can be gone on with.
            self.manifest = {"format": FORMAT, **header, "parts": {kind: [] for kind in kinds}}
            self.commit({})
            for kind in kinds:
                (path / kind).mkdir()
        except (OSError, StoreError) as error:
            self.manifest = {"parts": dict.fromkeys(kinds)}
            self.remove()
            raise UsageError(f"cannot write to the folder {path}: {reason(error)}") from None
        return self

    def commit(self, changes: dict[str, Any], parts: Mapping[str, Mapping[str, Any]] | None = None) -> None:
        """Writes the manifest with these changes and a further part a kind; one that begins where an earlier one did
        takes its place.
        """
        gone = []
        lists = {kind: list(entries) for kind, entries in self.manifest["parts"].items()}
        for kind, entry in (parts or {}).items():
            if lists[kind] and lists[kind][-1]["first"] == entry["first"]:
                gone.append(lists[kind].pop())
            lists[kind].append(entry)
        manifest = self.manifest | changes | {"parts": lists}
        manifest["sha256"] = _fingerprint(manifest)
        write_file(self.path / MANIFEST, json.dumps(manifest, indent=1).encode())
        self.manifest = manifest
        for entry in gone:
            if entry["file"] not in {one["file"] for one in all_parts(manifest)}:
                with contextlib.suppress(OSError):  # the next to go on sweeps it away
                    (self.path / entry["file"]).unlink(missing_ok=True)

    def write_part(
        self,
        kind: str,
        first: int,
        last: int,
        rows: Sequence[Rows],
        columns: Sequence[Column],
        categories: Categories,
    ) -> dict[str, Any]:
        """Writes the rows of the units first … last - 1: the entry for `commit`."""
        data, count = encode_part(columns, rows, categories)
        name = f"{kind}/part-{first:012d}-{last:012d}.parquet"
        write_file(self.path / name, data)
        digest = hashlib.sha256(data).hexdigest()
        return {"file": name, "first": first, "last": last, "rows": count, "bytes": len(data), "sha256": digest}

    def close(self) -> None:
        """Lets others write to it."""
        self._lock.release()

    def remove(self) -> None:
        """Takes the run away again, and the folder if it was made for it."""
        for kind in self.manifest["parts"]:
            shutil.rmtree(self.path / kind, ignore_errors=True)
        with contextlib.suppress(OSError):
            (self.path / MANIFEST).unlink(missing_ok=True)
            if self._made:
                self.path.rmdir()
        self.close()

    def _sweep(self) -> None:
        known = {entry["file"] for entry in all_parts(self.manifest)}
        (self.path / BESIDE_MANIFEST).unlink(missing_ok=True)
        for kind in self.manifest["parts"]:
            (self.path / kind).mkdir(exist_ok=True)
            for file in (self.path / kind).glob("part-*.parquet*"):
                if f"{kind}/{file.name}" not in known:
                    file.unlink()


class _Lock:
    """Held by one process at a time; it ends with the process, however that ends."""

    def __init__(self, folder: Path) -> None:
        self._descriptor = -1
        if os.name != "posix":
            return
        import fcntl

        try:
            self._descriptor = os.open(folder, os.O_RDONLY)
        except OSError as error:
            raise StoreError(f"cannot open the folder {folder}: {reason(error)}") from None
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.release()
            raise StoreError(f"another process is writing to {folder}; wait until it ends") from None
        except OSError:
            pass  # a file system without locks

    def release(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def _claim(path: Path) -> bool:
    """Makes the folder; True where it was not there before. UsageError where it is not empty or cannot be made."""
    try:
        if path.is_dir():
            if any(file.name != BESIDE_MANIFEST for file in path.iterdir()):
                go_on = "; --resume goes on with the run in it" if (path / MANIFEST).exists() else ""
                raise UsageError(f"the folder {path} exists and is not empty; give a new one{go_on}")
            return False
        path.mkdir(parents=True)
    except FileExistsError:
        raise UsageError(f"{path} is a file, not a folder; give a new folder") from None
    except OSError as error:
        raise UsageError(f"cannot write to the folder {path}: {reason(error)}") from None
    return True


def about() -> dict[str, Any]:
    """Versions, machine and time, for the manifest."""
    return {
        "versions": {"python": platform.python_version()} | {name: _version(name) for name in LIBRARIES},
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": {"system": platform.platform(), "processor": platform.machine(), "cores": os.cpu_count()},
    }


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "unknown"

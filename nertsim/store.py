"""A run folder: a manifest that says how every number came about, and Parquet parts that are never changed.

```
DIR/manifest.json               what was asked for, by which versions, where; the exact totals; a checksum a part
DIR/seats/part-000000.parquet   rows a seat of a deal
DIR/deals/part-000000.parquet   rows a deal
```

Files are written beside and renamed, parts before the manifest that names them: what the manifest says is there,
whenever the process ends. pandas, DuckDB and Polars read the parts as they lie.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shutil
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from nertsim.bots.spec import bot_from_dict
from nertsim.errors import NertsimError, StoreError, UsageError, reason
from nertsim.parts import decode_part, encode_part
from nertsim.rules import Rules
from nertsim.run import Plan, Run
from nertsim.tables import Rows
from nertsim.totals import Totals

FORMAT = "nertsim-run/1"
MANIFEST = "manifest.json"
LIBRARIES = ("nertsim", "numba", "numpy", "pyarrow")


class RunWriter:
    """Writes a run folder. `record` holds what else the manifest tells (command, threads, chunk).

    Raises `UsageError` at once where the folder is not empty or cannot be written, `StoreError` for what fails later.
    """

    def __init__(self, path: Path, plan: Plan, record: Mapping[str, Any]) -> None:
        self.path = path
        self.record = dict(record)
        self._plan = plan
        self._pending: dict[str, list[Rows]] = {kind: [] for kind in plan.kinds}
        self._parts: dict[str, list[dict[str, Any]]] = {kind: [] for kind in plan.kinds}
        self._totals = Totals.empty(plan.rules.seats, len(plan.bot_names))
        self._seconds = 0.0
        self._state = "running"
        self._about = _about()
        self._made = _claim(path)
        try:
            for kind in plan.kinds:
                (path / kind).mkdir()
            self._write_manifest()
        except (OSError, StoreError) as error:
            self._remove()
            raise UsageError(f"cannot write to the folder {path}: {reason(error)}") from None

    def add(self, kind: str, rows: Rows) -> None:
        """Takes rows for the part that is being filled."""
        self._pending[kind].append(rows)

    def end_part(self, totals: Totals, seconds: float, state: str = "running") -> None:
        """Writes the part; `totals` are those of all deals up to its end."""
        for kind, rows in self._pending.items():
            if rows:
                self._parts[kind].append(self._write_part(kind, rows))
                rows.clear()
        self._totals, self._seconds, self._state = totals, seconds, state
        self._write_manifest()

    def stop(self, state: str) -> None:
        """Ends the run before its time: what is complete stays, and a folder without anything goes away."""
        if self._state != "running":
            return
        self._state = state
        try:
            if self._totals.deals == 0:
                self._remove()
            else:
                self._write_manifest()
        except (OSError, StoreError):
            pass  # the error that stopped the run is the one to tell

    def read_rows(self, kind: str) -> Iterator[Rows]:
        """The rows of a kind, part by part."""
        return _read_parts(self.path, kind, self._parts[kind], self._plan)

    def _write_part(self, kind: str, rows: list[Rows]) -> dict[str, Any]:
        data, count = encode_part(kind, rows, self._plan.bot_names)
        name = f"{kind}/part-{len(self._parts[kind]):06d}.parquet"
        write_file(self.path / name, data)
        return {"file": name, "rows": count, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}

    def _write_manifest(self) -> None:
        plan = self._plan
        manifest = {
            "format": FORMAT,
            "state": self._state,
            "versions": self._about["versions"],
            "rules": plan.rules.to_dict(),
            "bots": [bot.to_dict() for bot in plan.bots],
            "seed": plan.seed,
            "first_deal": plan.first_deal,
            "deals": plan.deals,
            "keep": plan.keep,
            "played": self._totals.deals,
            "seconds": self._seconds,
            **self.record,
            "started": self._about["started"],
            "machine": self._about["machine"],
            "totals": self._totals.to_dict(),
            "parts": self._parts,
        }
        write_file(self.path / MANIFEST, json.dumps(manifest, indent=1, ensure_ascii=False).encode())

    def _remove(self) -> None:
        for kind in self._plan.kinds:
            shutil.rmtree(self.path / kind, ignore_errors=True)
        (self.path / MANIFEST).unlink(missing_ok=True)
        if self._made:
            self.path.rmdir()


def load(path: str | os.PathLike[str]) -> Run:
    """The run in a folder that `simulate` wrote: its plan, totals and summary; rows are read when they are asked for.

    Of a run that was interrupted, the deals in complete parts. Raises `StoreError` for a folder that is no run, was
    written by a newer nertsim, or is damaged: parts are compared with their checksums when they are read.
    """
    folder = Path(path)
    manifest = read_manifest(folder)
    try:
        plan = _plan(manifest)
        totals = Totals.from_dict(manifest["totals"])
        parts = {kind: list(manifest["parts"][kind]) for kind in plan.kinds}
        seconds = float(manifest["seconds"])
    except NertsimError as error:
        raise StoreError(f"{folder / MANIFEST} cannot be used: {error}") from None
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise StoreError(f"{folder / MANIFEST} is damaged: {error!r}") from None
    for entry in (entry for kind in parts.values() for entry in kind):
        _check_size(folder, entry)
    return Run(plan, totals, seconds, lambda kind: _read_parts(folder, kind, parts[kind], plan), folder)


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of a run folder; StoreError where there is none that can be read here."""
    file = folder / MANIFEST
    try:
        manifest = json.loads(file.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        what = "holds no manifest.json" if folder.is_dir() else "does not exist"
        raise StoreError(f"{folder} is not the folder of a run: it {what}") from None
    except OSError as error:
        raise StoreError(f"cannot read {file}: {reason(error)}") from None
    except ValueError as error:
        raise StoreError(f"{file} is damaged: it is not JSON ({error})") from None
    known = manifest.get("format") if isinstance(manifest, dict) else None
    if known != FORMAT:
        newer = isinstance(known, str) and known.startswith("nertsim-run/")
        hint = "; a newer nertsim wrote it" if newer else ""
        raise StoreError(f"{file} is not a manifest that this nertsim can read: its format is {known!r}{hint}")
    return manifest


def write_file(path: Path, data: bytes) -> None:
    """Writes `data` beside and renames, so that the file is there as a whole or not at all; StoreError where that
    fails.
    """
    beside = path.with_name(path.name + ".part")
    try:
        with open(beside, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise StoreError(f"cannot write {path}: {reason(error)}") from None


def _plan(manifest: Mapping[str, Any]) -> Plan:
    rules = {name: _collapse(value) for name, value in manifest["rules"].items()}
    return Plan(
        rules=Rules.from_dict(rules),
        bots=tuple(bot_from_dict(bot) for bot in manifest["bots"]),
        seed=manifest["seed"],
        deals=manifest["deals"],
        first_deal=manifest["first_deal"],
        keep=manifest["keep"],
    )


def _collapse(value: Any) -> Any:
    """One number for a list of equal ones, as `nerts = 13` for all seats."""
    return value[0] if isinstance(value, list) and len(set(value)) == 1 else value


def _read_parts(folder: Path, kind: str, entries: list[dict[str, Any]], plan: Plan) -> Iterator[Rows]:
    for entry in entries:
        file = folder / entry["file"]
        try:
            data = file.read_bytes()
        except OSError as error:
            raise StoreError(f"cannot read {file}: {reason(error)}") from None
        if hashlib.sha256(data).hexdigest() != entry["sha256"]:
            raise StoreError(f"{file} was changed after it was written: its checksum is not the one in {MANIFEST}")
        yield decode_part(kind, data, plan.bot_names)


def _check_size(folder: Path, entry: Mapping[str, Any]) -> None:
    file = folder / entry["file"]
    try:
        size = file.stat().st_size
    except OSError as error:
        raise StoreError(f"a part of the run is missing: {file} ({reason(error)})") from None
    if size != entry["bytes"]:
        raise StoreError(f"{file} was cut or changed: it has {size} bytes instead of {entry['bytes']}")


def _claim(path: Path) -> bool:
    """Makes the folder; True where it was not there before. UsageError where it is not empty or cannot be made."""
    try:
        if path.is_dir():
            if any(path.iterdir()):
                raise UsageError(f"the folder {path} exists and is not empty; give a new one")
            return False
        path.mkdir(parents=True)
    except FileExistsError:
        raise UsageError(f"{path} is a file, not a folder; give a new folder") from None
    except OSError as error:
        raise UsageError(f"cannot write to the folder {path}: {reason(error)}") from None
    return True


def _about() -> dict[str, Any]:
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

"""Where a measurement was made, and with what."""

from __future__ import annotations

import json
import os
import platform
from importlib.metadata import version
from pathlib import Path
from typing import Any


def about() -> dict[str, Any]:
    """Processor, cores, load and versions."""
    return {
        "processor": _processor(),
        "system": platform.platform(),
        "cores": len(os.sched_getaffinity(0)),
        "load": [round(value, 2) for value in os.getloadavg()],
        "python": platform.python_version(),
        "versions": {name: version(name) for name in ("nertsim", "numba", "llvmlite", "numpy")},
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def write(path: str | None, measured: dict[str, Any]) -> None:
    """Writes what was measured as JSON, where a file is named."""
    if path is not None:
        Path(path).write_text(json.dumps({"machine": about(), **measured}, indent=2) + "\n", encoding="utf-8")

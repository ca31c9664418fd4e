"""The largest memory (peak resident set) of `nertsim simulate` at two numbers of deals, keeping the summary alone.

python benchmarks/memory.py --deals 100k --deals 10M
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from typing import Any

from machine import write


def peak_megabytes(words: list[str]) -> tuple[float, Any]:
    """Peak resident set of a nertsim command in MB, and the JSON it printed."""
    command = [sys.executable, "-m", "nertsim", *words]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdout is not None
    text = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"nertsim {' '.join(words)} ended with {process.returncode}")
    unit = 1 if sys.platform == "darwin" else 1024
    return usage.ru_maxrss * unit / 1e6, json.loads(text)


def main() -> None:
    """Reads the options, measures, prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", action="append", help="repeatable [default: 100k and 10M]")
    parser.add_argument("--bot", default="greedy")
    parser.add_argument("--seats", default="4")
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    table = ["--bot", options.bot, "--seats", options.seats, "--seed", "1"]
    peak_megabytes(["simulate", "-n", "100", *table, "--format", "json"])  # compiles
    found = []
    for deals in options.deals or ["100k", "10M"]:
        peak, run = peak_megabytes(["simulate", "-n", deals, *table, "--format", "json"])
        print(f"{run['deals']:>12,} deals: {peak:.1f} MB at most, {run['seconds']:.1f} s")
        found.append({"deals": run["deals"], "peak_mb": peak, "seconds": run["seconds"]})
    growth = found[-1]["peak_mb"] - found[0]["peak_mb"]
    print(f"{growth:+.1f} MB from the first to the last")
    write(options.json, {"bot": options.bot, "seats": int(options.seats), "runs": found, "growth_mb": growth})


if __name__ == "__main__":
    main()

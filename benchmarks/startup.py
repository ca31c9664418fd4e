"""Seconds until something stands on the screen: help, the first simulation ever, later ones.

python benchmarks/startup.py
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

from machine import write

SIMULATE = ["simulate", "--bot", "greedy", "--seats", "4", "-n", "100", "--seed", "1"]


def seconds(words: list[str], cache: str) -> float:
    """How long a nertsim command takes, with that folder of compiled code."""
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "nertsim", *words],
        env=os.environ | {"NERTSIM_CACHE": cache},
        check=True,
        capture_output=True,
    )
    return time.perf_counter() - start


def main() -> None:
    """Reads the options, measures, prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as cache:
        found = {
            "first simulate ever (100 deals)": seconds(SIMULATE, cache),
            "later simulate (100 deals)": statistics.median(seconds(SIMULATE, cache) for _ in range(options.rounds)),
            "nertsim --help": statistics.median(seconds(["--help"], cache) for _ in range(options.rounds)),
        }
    for name, value in found.items():
        print(f"{name:<32} {value:6.2f} s")
    write(options.json, {"seconds": found})


if __name__ == "__main__":
    main()

"""What runs that one can leave alone cost: storing rows, loading them, time and memory of a long run, and of breaks.

    python benchmarks/long_runs.py --deals 20M

1. deals/s with all rows stored against the summary alone, in turn; 2. seconds and memory to load ten million rows, each
time in a process of its own; 3. a long run that keeps its summary: time, memory, bytes on disk; 4. the same,
interrupted three times and gone on with: the figures have to be the same.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from machine import write
from memory import peak_megabytes

import nertsim

MEGABYTE = 1e6
LOAD = """
import json, resource, sys, time
import nertsim
start = time.perf_counter()
rows = len(nertsim.load(sys.argv[1]).seats)
seconds = time.perf_counter() - start
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e6
print(json.dumps({"rows": rows, "seconds": seconds, "peak_mb": peak}))
"""


PLAY = """
import json, sys, time
import nertsim
out, keep, deals, seed = sys.argv[1:]
nertsim.simulate("greedy", seats=4, deals=100, seed=1)
start = time.perf_counter()
nertsim.simulate("greedy", seats=4, deals=int(deals), seed=int(seed), keep=keep, out=out)
print(json.dumps(time.perf_counter() - start))
"""


def in_a_process(program: str, *words: object) -> Any:
    """The JSON that a program prints. Processes that this one starts begin with its memory as their peak, so it does
    nothing itself.
    """
    command = [sys.executable, "-c", program, *map(str, words)]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout)


def storing(folder: Path, deals: int, rounds: int) -> dict[str, Any]:
    """Deals/s with rows stored and with the summary alone, in turn: medians, and what storing costs."""
    speeds: dict[str, list[float]] = {"summary": [], "seats": []}
    for number in range(rounds):
        for keep, found in speeds.items():
            out = folder / f"{keep}-{number}"
            found.append(deals / in_a_process(PLAY, out, keep, deals, number))
            shutil.rmtree(out)
    medians = {keep: statistics.median(found) for keep, found in speeds.items()}
    cost = 1 - statistics.median(seats / alone for alone, seats in zip(*speeds.values(), strict=True))
    for keep, speed in medians.items():
        print(f"--keep {keep:<8} {speed:9,.0f} deals/s")
    print(f"storing all seats costs {cost:.1%}")
    return {"deals": deals, "deals_per_second": medians, "cost": cost, "rounds": speeds}


def loading(folder: Path, deals: int, rounds: int) -> dict[str, Any]:
    """Seconds and memory to load so many deals of four seats; medians of fresh processes."""
    in_a_process(PLAY, folder / "rows", "seats", deals, 1)
    found = [in_a_process(LOAD, folder / "rows") for _ in range(rounds)]
    size = size_of(folder / "rows")
    shutil.rmtree(folder / "rows")
    medians = {name: statistics.median(one[name] for one in found) for name in found[0]}
    print(
        f"{medians['rows']:,.0f} rows, {size / MEGABYTE:,.0f} MB on disk: loaded in {medians['seconds']:.2f} s, "
        f"{medians['peak_mb']:,.0f} MB at most"
    )
    return medians | {"bytes": size, "rounds": found}


def long_run(folder: Path, deals: str) -> dict[str, Any]:
    """A run that keeps its summary, and a tenth of it: time, memory, size."""
    found = {}
    for name, count in (("a tenth", nertsim_count(deals) // 10), ("whole", nertsim_count(deals))):
        peak, run = peak_megabytes(command_of(folder / name, count))
        size = size_of(folder / name)
        print(f"{run['deals']:>11,} deals: {run['seconds']:6.1f} s, {peak:.0f} MB at most, {size:,} bytes on disk")
        found[name] = {"deals": run["deals"], "seconds": run["seconds"], "peak_mb": peak, "bytes": size}
    return found


def interrupted_run(folder: Path, deals: str, seconds: float, breaks: int = 3) -> dict[str, Any]:
    """The same run, interrupted as by Ctrl-C and gone on with; ends the program where its figures are others."""
    words = command_of(folder / "interrupted", nertsim_count(deals))
    for _ in range(breaks):
        process = subprocess.Popen(
            [sys.executable, "-m", "nertsim", *words],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        time.sleep(seconds / (breaks + 1))
        process.send_signal(signal.SIGINT)
        _, told = process.communicate()
        if process.returncode != 130:
            sys.exit(f"an interrupted run ended with {process.returncode}: {told}")
        print("   " + told.strip().splitlines()[-2])
        words = ["simulate", "--resume", "-o", str(folder / "interrupted"), "--format", "json"]
    peak, run = peak_megabytes(words)
    whole, again = (nertsim.load(folder / name) for name in ("whole", "interrupted"))
    if whole.totals != again.totals:
        sys.exit("the figures of the run that was interrupted are others")
    print(f"interrupted {breaks} times: the same figures, {run['seconds']:.1f} s, {peak:.0f} MB at most")
    return {"breaks": breaks, "seconds": run["seconds"], "peak_mb": peak, "same": True}


def command_of(folder: Path, deals: int) -> list[str]:
    """The command of the long run."""
    words = ["simulate", "--bot", "greedy", "--seats", "4", "-n", str(deals), "--seed", "1", "--keep", "summary"]
    return [*words, "-o", str(folder), "--format", "json"]


def nertsim_count(text: str) -> int:
    """20M as a number."""
    from nertsim.cli.options import parse_count

    return parse_count(text)


def size_of(folder: Path) -> int:
    """Bytes of all files in a folder."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def main() -> None:
    """Reads the options, measures, prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", default="20M", help="of the long run; 0 leaves it out [default: 20M]")
    parser.add_argument("--stored", type=int, default=1_000_000, help="deals of a run with rows stored")
    parser.add_argument("--loaded", type=int, default=2_500_000, help="deals whose rows are loaded")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--folder", help="where the runs go for a while [default: a temporary folder]")
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    print(f"load {os.getloadavg()[0]:.2f}")
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = Path(name)
        in_a_process(PLAY, folder / "first", "summary", 1000, 1)  # compiles
        measured: dict[str, Any] = {"storing": storing(folder, options.stored, options.rounds)}
        measured["loading"] = loading(folder, options.loaded, options.rounds)
        if options.deals != "0":
            measured["long_run"] = long_run(folder, options.deals)
            seconds = measured["long_run"]["whole"]["seconds"]
            measured["interrupted"] = interrupted_run(folder, options.deals, seconds)
    write(options.json, measured)


if __name__ == "__main__":
    main()

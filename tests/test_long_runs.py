"""Runs in processes of their own that are killed, or have no room: what was reported as kept is kept, and all ends the
same.
"""

from __future__ import annotations

import os
import random
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import nertsim
from tests.bot_texts import ROOT
from tests.runs import contents, manifest

KILLS = 50
PART_ROWS = 40_000
SMALL_PARTS = f"""
import nertsim.run, nertsim.sinks
nertsim.run.PART_ROWS = {PART_ROWS}
nertsim.sinks.SAVE_SECONDS = 0.1
from nertsim.cli import main
main()
"""


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of 10,000 deals, here as in the processes."""
    monkeypatch.setattr("nertsim.run.PART_ROWS", PART_ROWS)


def begin(*words: str) -> subprocess.Popen[str]:
    """``nertsim WORDS…`` with small parts, saved often."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", SMALL_PARTS, *words]
    return subprocess.Popen(command, env=environment, text=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def sessions(folder: Path) -> int:
    return len(manifest(folder).get("sessions", ())) if (folder / "manifest.json").exists() else -1


def kill_at_random(process: subprocess.Popen[str], folder: Path, chance: random.Random) -> bool:
    """Kills it while it starts, or while it plays; False where it was done before."""
    before, start = sessions(folder), time.monotonic()
    if chance.random() < 0.8:
        while sessions(folder) == before and process.poll() is None and time.monotonic() < start + 30:
            time.sleep(0.005)
    time.sleep(chance.uniform(0.0, 0.7))
    was_running = process.poll() is None
    reported = manifest(folder)["played"] if sessions(folder) >= 0 else 0
    process.send_signal(signal.SIGKILL)
    process.communicate()
    if reported:
        assert nertsim.load(folder).totals.deals >= reported
    return was_running


@pytest.mark.slow
def test_killed_at_fifty_random_moments_it_is_as_if_nothing_had_happened(tmp_path: Path) -> None:
    nertsim.simulate("greedy", deals=10)  # compiled before
    folder, chance, kills, finished = tmp_path / "run", random.Random(20), 0, 0
    words = ["simulate", "--bot", "greedy", "-n", "60k", "--seed", "9", "--keep", "seats", "-o", str(folder)]
    while kills < KILLS:
        ended = sessions(folder) >= 0 and manifest(folder)["state"] == "done"
        how = ["--resume"] if not ended else ["--extend", "-n", "60k"]
        again = ["simulate", *how, "-o", str(folder)] if sessions(folder) >= 0 else [*words, "--resume"]
        if kill_at_random(begin(*again), folder, chance):
            kills += 1
        else:
            finished += 1
    _, told = (last := begin("simulate", "--resume", "-o", str(folder))).communicate()
    assert last.returncode == 0, told
    count = manifest(folder)["count"]
    print(f"{KILLS} kills, {finished} ends, {sessions(folder)} sessions, {count:,} deals")
    nertsim.simulate("greedy", deals=count, seed=9, keep="seats", out=tmp_path / "whole")
    assert contents(folder) == contents(tmp_path / "whole")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 2 MB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)], capture_output=True)
    if mounted.returncode != 0:
        pytest.skip("only root can make a small file system")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.slow
def test_a_disk_that_is_full_gets_room_and_the_run_goes_on(tmp_path: Path, small_disk: Path) -> None:
    folder = small_disk / "run"
    process = begin("simulate", "--bot", "greedy", "-n", "150k", "--seed", "9", "--keep", "seats", "-o", str(folder))
    _, told = process.communicate()
    lines = told.strip().splitlines()
    assert process.returncode == 1
    assert lines[-1].startswith(f"Error: cannot write {folder}")
    assert lines[-1].endswith("No space left on device")
    kept = nertsim.load(folder)
    assert f"{kept.totals.deals:,} deals are kept in {folder}" in lines
    assert len(kept.seats) == 4 * kept.totals.deals
    subprocess.run(["mount", "-o", "remount,size=100m", str(small_disk)], check=True)
    going_on = shlex.split(next(line for line in lines if line.startswith("to go on: ")).removeprefix("to go on: "))
    _, told = (again := begin(*going_on[1:])).communicate()
    assert again.returncode == 0, told
    nertsim.simulate("greedy", deals=150_000, seed=9, keep="seats", out=tmp_path / "whole")
    assert contents(folder) == contents(tmp_path / "whole")


@pytest.mark.slow
def test_a_read_only_disk_is_one_line(small_disk: Path) -> None:
    nertsim.simulate("greedy", seats=2, deals=50, seed=9, out=small_disk / "run")
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    for words in (["--extend", "-n", "50", "-o", "run"], ["-n", "50", "-o", "new"], ["--resume", "-o", "run"]):
        process = begin("simulate", *words[:-1], str(small_disk / words[-1]))
        _, told = process.communicate()
        assert process.returncode in (1, 2)
        assert told.strip().splitlines()[-1].endswith("Read-only file system"), told
        assert "Traceback" not in told
    assert nertsim.load(small_disk / "run").totals.deals == 50

"""Runs that are stopped in every way and gone on with, for tests of what is then in their folders."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nertsim

IGNORED = ("sessions", "seconds", "sha256")
"""What two runs of the same plan differ in: when and where they were played."""


def manifest(folder: Path) -> dict[str, Any]:
    """The manifest as it lies there."""
    return json.loads((folder / "manifest.json").read_text())


def contents(folder: Path) -> dict[str, Any]:
    """All that is in a run folder, byte for byte, but for when and where it was played."""
    files = {str(file.relative_to(folder)): file for file in sorted(folder.rglob("*")) if file.is_file()}
    found: dict[str, Any] = {name: file.read_bytes() for name, file in files.items() if name != "manifest.json"}
    return found | {name: value for name, value in manifest(folder).items() if name not in IGNORED}


def play_deals(out: Path | None, **keywords: Any) -> Any:
    """A run of 930 deals."""
    return nertsim.simulate(**({"bots": "greedy", "deals": 930, "seed": 3, "chunk": 32, "out": out} | keywords))


def play_matches(out: Path | None, **keywords: Any) -> Any:
    """A run of 93 short matches."""
    count = {"matches": keywords.pop("deals", 93)}
    asked = {"bots": "greedy", "rules": nertsim.Rules(seats=2, target=25), "seed": 3, "chunk": 4, "out": out}
    return nertsim.match(**(asked | count | keywords))


def interrupting(after: int) -> Callable[[int, int], None]:
    """Progress that is interrupted, as by Ctrl-C, after so many chunks."""
    told = []

    def progress(played: int, expected: int) -> None:
        told.append(played)
        if len(told) >= after:
            raise KeyboardInterrupt

    return progress


def play_with_breaks(play: Callable[..., Any], out: Path, chance: random.Random, **keywords: Any) -> int:
    """Plays a run in pieces of random length, with random chunks and threads: how often it was interrupted."""
    breaks, go_on = 0, {}
    while True:
        settings = {"chunk": chance.choice([1, 3, 7, 32, 100, 1000]), "threads": chance.choice([1, 2])}
        try:
            play(out, **keywords, **settings, **go_on, progress=interrupting(chance.randint(1, 12)))
            return breaks
        except KeyboardInterrupt:
            breaks, go_on = breaks + 1, {"resume": True}

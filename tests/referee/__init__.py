"""An outside reader of trace files: replays them from the model alone and says what is wrong.

It shares no code with nertsim. The order of work for each deal of a file:

=============  ==================================================================================
`format`       header, action lines and score line have the fields, types and values of section 7
`timing`       line order, decide <= lift <= land, every hand decides as soon as it is free
`foundations`  each play against the foundations: aim, landing pile, ties, rejections
`passes`       fruitless passes, exhaustion, and when a deal must end as stuck
`layout`       each seat's own piles: who may take and lay what, when it is decided, lifted, landed
`ending`       the call, what happens after the end, the score line
=============  ==================================================================================

A deal whose format or timing is wrong is not replayed further.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable

from .deal import Deal
from .ending import check_ending
from .format import read_deals
from .foundations import check_foundations
from .layout import check_layouts
from .passes import check_passes
from .timing import check_timing

MOST = 25  # problems shown for one deal: what comes after the first is often its consequence


def check_deal(deal: Deal) -> list[str]:
    """Problems of one deal whose format is right."""
    problems = check_timing(deal)
    if not problems:
        problems = check_foundations(deal) + check_passes(deal) + check_layouts(deal) + check_ending(deal)
    return problems


def check_trace(lines: Iterable[str | dict]) -> list[str]:
    """Problems of a trace file, given as its lines (text or parsed); empty when all is right."""
    found = []
    for name, deal, problems in read_deals(lines):
        problems = problems or (check_deal(deal) if deal else [])
        found += [f"{name}: {problem}" for problem in problems[:MOST]]
        if len(problems) > MOST:
            found.append(f"{name}: and {len(problems) - MOST} more")
    return found


def main(paths: list[str]) -> int:
    """Check the files and print what is wrong; 0 when nothing is."""
    if not paths:
        print("usage: python tests/referee.py FILE.jsonl …")
        return 2
    wrong = 0
    for path in paths:
        with open(path, encoding="utf-8") as file:
            problems = check_trace(file)
        wrong += len(problems)
        print("\n".join(f"{path}: {problem}" for problem in problems) or f"{path}: right")
    return 1 if wrong else 0


def run() -> None:
    """Entry of ``python -m tests.referee``."""
    sys.exit(main(sys.argv[1:]))

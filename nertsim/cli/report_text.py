"""The essentials of a run on a terminal: what was run, the tables and sentences of its command, and how to see more."""

from __future__ import annotations

import importlib
import shlex
from typing import Any

from nertsim.cli.output import duration
from nertsim.report.about import Record, rules_text
from nertsim.report.again import again


def parts_of(record: Record) -> list[Any]:
    """Lines and tables, for `print_tables`."""
    run = record.run
    plan = run.plan
    state = "" if record.state == "done" else f", {record.state}"
    versions = record.sessions[0].get("versions", {})
    head = [
        f"{record.name}: {plan.KIND}, {record.count:,} {plan.UNIT}{state}",
        f"{rules_text(plan.rules)}; seed {plan.seed}",
        f"played with nertsim {versions.get('nertsim', 'unknown')} in {duration(run.seconds)}",
    ]
    repeat = again(run)
    foot = [f"To play it again: {repeat}"] if repeat else []
    if run.path is not None:
        page = shlex.join(["nertsim", "report", str(run.path), "-o", "report.html"])
        foot.append(f"With distributions, plots and deals worth seeing: {page}")
    return [*head, "", *_figures(run), "", *foot]


def _figures(run: Any) -> list[Any]:
    """What the command of the run prints itself."""
    if run.plan.KIND == "sweep":
        from nertsim.cli.sweep_text import parts

        return parts(run, run.figure)
    module: Any = importlib.import_module(f"nertsim.cli.{run.plan.KIND}")
    return module.parts(run.summary)

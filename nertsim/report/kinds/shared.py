"""What the pages of several kinds have alike."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from nertsim.commands import replay_command
from nertsim.report.about import Record
from nertsim.report.again import again
from nertsim.report.data.notable import Deal, Notable
from nertsim.report.data.unfold import SAMPLE, Table, Unfolding, unfold
from nertsim.report.document import Cell, Command, Figure, Missing, Part, Section, Text, share_cell
from nertsim.report.document import Table as TableOf
from nertsim.report.figures import unfolding as figures
from nertsim.report.words.numbers import number
from nertsim.totals import sides_of

if TYPE_CHECKING:
    from nertsim.report.work import Work

PERCENT = "95 % intervals"
SHOWN = {"lopsided": 5, "typical": 5, "longest": 3, "stuck": 3, "time_limit": 3}
"""Deals of each kind that are shown; all that were found are among the data."""
ALWAYS = "95 % intervals that hold at every moment of the run"


def at_the_table(labels: Sequence[str]) -> str:
    """``greedy,speed=1.1 and 3 × greedy``."""
    sides = sides_of(labels)
    names = [name if len(seats) == 1 else f"{len(seats)} × {name}" for name, seats in sides.items()]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def paragraphs(lines: Sequence[str]) -> list[str]:
    """Lines as paragraphs; those that are set in belong to the one before."""
    found: list[str] = []
    for line in lines:
        if line.startswith("  "):
            found[-1] += (" " if found[-1].endswith(":") else "; ") + line.strip()
        else:
            found.append(line)
    return found


def seat_names(labels: Sequence[str]) -> list[str]:
    """``seat 0 greedy``."""
    return [f"{seat}  {label}" for seat, label in enumerate(labels)]


def missing_rows(record: Record, what: str, keep: str) -> Missing:
    """That a section needs rows, and the command that keeps them."""
    kept = "the summary alone" if record.run.plan.keep == "summary" else f"rows ({record.run.plan.keep})"
    command = again(record.run)
    text = f"{what} needs what --keep {keep} keeps; this run kept {kept}."
    if command is None:
        return Missing(f"{text} Play it again with keep='{keep}' and a new folder (out=…).")
    folder = "NEW" if record.run.path is None else f"{record.run.path}-{keep}"
    return Missing(f"{text} To play it again with them:", f"{command} --keep {keep} -o {shlex.quote(folder)}")


def replay_of(record: Record, bots: Any, deal: int, scores: Sequence[int] = (), rules: Any = None) -> str:
    """The command that shows a deal of the run."""
    return replay_command(rules or record.run.rules, bots, record.run.seed, deal, scores)


def notable_parts(record: Record, notable: Notable, names: Sequence[str]) -> list[Part]:
    """Deals of these kinds, with the commands that replay them."""
    parts: list[Part] = []
    for name in names:
        for place, deal in enumerate(notable.found[name][: SHOWN[name]]):
            label = f"{Notable.TITLES[name]}, {place + 1}"
            key = f"found.deals.notable.{name}.{place}"
            command = replay_of(record, record.run.bots, deal.deal)
            parts.append(Command(label, command, _figures(deal, key)))
    return parts


def _figures(deal: Deal, key: str) -> list[Cell]:
    cells = [Cell(f"deal {deal.deal:,}", deal.deal, f"{key}.deal")]
    if deal.scores:
        scores = ", ".join(map(str, deal.scores)).replace("-", "−")
        cells.append(Cell(f"scores {scores}"))
        if len(deal.scores) > 1:
            cells.append(Cell(f"{deal.margin} points ahead of the next" if deal.margin else "a shared top score"))
    return [
        *cells,
        Cell(f"{number(deal.seconds, 1)} s", deal.seconds, f"{key}.seconds"),
        Cell(deal.ended.replace("_", " ")),
    ]


def unfolding_section(
    record: Record,
    tables: Sequence[Table],
    numbers: Sequence[Sequence[int]],
    names: Sequence[str],
    work: Work,
    unit: str = "deals",
) -> tuple[Section, Unfolding | None]:
    """How deals unfold, from a sample that is replayed; a unit is a list of deals, one at each table."""
    title = "How a deal unfolds"
    reason = record.cannot_replay
    if reason:
        return Section("unfolding", title, [Missing(f"Deals of this run cannot be replayed: {reason}.")]), None
    found = unfold(tables, record.run.seed, numbers, work.replayed)
    sample = (
        f"the first {found.units:,} {unit} of the run" if found.units < record.count else f"all {found.units:,} {unit}"
    )
    if unit != "deals":
        sample += f" ({found.deals:,} deals)"
    stands = f"{sample}, replayed; bands: {PERCENT}"
    make: Callable[..., Any] = figures.cards
    parts: list[Part] = [
        Text(
            f"Means a seat over {sample}, which were replayed for this. A deal that has ended stays as it ended. A "
            "card in mid-air is where it came from."
        ),
        Figure(
            "foundation-over-time",
            "Cards on the foundations",
            stands,
            lambda: make(found, found.foundation, names, "own foundation cards (a seat)"),
        ),
        Figure(
            "nerts-over-time",
            "Cards left in the nerts pile",
            stands,
            lambda: make(found, found.nerts, names, "nerts cards left (a seat)"),
        ),
    ]
    return Section("unfolding", title, parts), found


def sample_units(record: Record, deals_a_unit: int = 1) -> int:
    """Units that are replayed, so that their deals are about SAMPLE."""
    return min(record.count, max(16, SAMPLE // deals_a_unit))


def endings_table(shares: Mapping[str, float], deals: int) -> TableOf:
    """Shares of deals by how they ended, of a summary."""
    rows: list[list[Cell | str]] = [
        [name.replace("_", " "), share_cell(share, f"summary.ended.{name}", 2)] for name, share in shares.items()
    ]
    return TableOf(["ended", "%"], rows, f"How deals end, of {deals:,}", frozenset({1}))

"""The page of a sweep."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from nertsim.experiments.sweep.figures import MEANS, WORDINGS
from nertsim.experiments.sweep.plan import BLOCKS
from nertsim.experiments.sweep.values import value_text
from nertsim.report.about import Record, about_section
from nertsim.report.data.unfold import Table as Seated
from nertsim.report.data.unfold import Unfolding
from nertsim.report.document import (
    Cell,
    Command,
    Figure,
    Page,
    Part,
    Section,
    Table,
    Text,
    count_cell,
    mean_cell,
    number_cell,
    text_of,
)
from nertsim.report.figures import sweep as figures
from nertsim.report.kinds.shared import PERCENT, missing_rows, replay_of, sample_units, unfolding_section
from nertsim.report.plots import SIZE, WIDE
from nertsim.report.words.sweep import sentences
from nertsim.tables import ENDED_NAMES

if TYPE_CHECKING:
    from nertsim.report.work import Work

SHOWN = 3
MOST_ROWS = 200
"""Combinations of values in a table; all are among the data."""
OTHERS = "the others"


def page(record: Record, work: Work) -> Page:
    """Everything about a sweep."""
    run: Any = record.run
    apart = _far_apart(record, work)
    unfolding, unfolded = _unfolding(record, work)
    sections = [
        about_section(record, run.bots),
        _values(record),
        _tables(record),
        unfolding,
        _endings(record),
        _notable(record, apart),
    ]
    found = {"apart": apart, "unfolding": None if unfolded is None else unfolded.to_dict()}
    summary = run.summary
    names = " and ".join(axis.key for axis in run.plan.axes)
    subtitle = f"{summary['deals']:,} deals in {record.count:,} blocks, {run.rules.seats} seats, seed {run.seed}"
    return Page("sweep", f"{names} of {run.plan.layout.sides[0]}", subtitle, _answers(run), sections, found)


def ends(run: Any) -> tuple[int, int]:
    """The combinations with the lowest and the highest value of the figure that is looked at first."""
    values = [value for value, _ in run.values_of(run.figure)]
    known = [place for place, value in enumerate(values) if value == value]
    return min(known, key=values.__getitem__), max(known, key=values.__getitem__)


def _text(run: Any, place: int) -> str:
    values = zip(run.plan.axes, run.plan.points[place].values, strict=True)
    return ", ".join(f"{axis.key}={value_text(value)}" for axis, value in values)


def _answers(run: Any) -> list[tuple[str, Cell, str]]:
    wording, summary = WORDINGS[run.figure], run.summary
    answers = []
    for name, place in zip(("Lowest", "Highest"), ends(run), strict=True):
        one, key = summary["values"][place], MEANS.get(run.figure, run.figure)
        cell = mean_cell(
            one[key], one[f"{run.figure}_ci"], f"summary.values.{place}.{key}", wording.digits, wording.scale
        )
        answers.append((f"{name} {wording.name}", cell, f"{wording.unit}, at {_text(run, place)}"))
    known = Cell(f"{sum(run.certain(run.figure))} of {len(run.plan.points) - 1}")
    answers.append(("Values that differ", known, f"from {run.plan.base_text}, beyond doubt"))
    return [*answers, ("Deals", count_cell(summary["deals"], "summary.deals"), "played")]


def _values(record: Record) -> Section:
    """The curves or maps, and what they say."""
    run: Any = record.run
    fewest, most = (kind(run.totals.blocks * point.tables for point in run.plan.points) for kind in (min, max))
    deals = f"{most:,}" if fewest == most else f"{fewest:,} to {most:,}"
    stands = f"{deals} deals a point, the same cards for all; {PERCENT}"
    parts: list[Part] = [Text(line) for line in sentences(run, run.figure)]
    two = len(run.plan.axes) == 2
    shown = ["score"] if run.is_alike else ["win_rate", "score", "lead"]
    for figure in [*shown, "deal_seconds", "actions"]:
        wording = WORDINGS[figure]
        name = figure.replace("_", "-")
        title = wording.name[0].upper() + wording.name[1:]
        draw = partial(figures.grid if two else figures.values, run, figure, size=WIDE if two else SIZE)
        parts.append(Figure(name, title, stands, draw, wide=two))
        if figure == run.figure and not two:
            changes = partial(figures.differences, run, figure, size=SIZE)
            parts.append(Figure(f"{name}-difference", f"{title}, difference to {run.plan.base_text}", stands, changes))
    return Section("values", "What happens as it varies", parts)


def _tables(record: Record) -> Section:
    """All values of all figures, with their differences to the base."""
    run: Any = record.run
    figures_shown = [one for one in ("win_rate", "score", "lead", "call_rate", "deal_seconds") if _has(run, one)]
    keys = [axis.key for axis in run.plan.axes]
    rows, changes = [], []
    for place, one in enumerate(run.summary["values"][:MOST_ROWS]):
        start: list[Cell | str] = [value_text(value) for value in run.plan.points[place].values]
        key = f"summary.values.{place}"
        rows.append([*start, *(_cell(one, figure, key, "") for figure in figures_shown)])
        if place != run.plan.base:
            differs = "yes" if one["differs"] else "–"
            found = [_cell(one, figure, key, "_difference") for figure in figures_shown]
            changes.append(
                [*start, *found, differs, number_cell(one["variance_reduction"], f"{key}.variance_reduction", 1)]
            )
    heads = [f"{WORDINGS[figure].name} ({WORDINGS[figure].unit})" for figure in figures_shown]
    whose = "" if run.is_alike else f" of {run.plan.layout.sides[0]}"
    base = run.plan.base_text
    parts: list[Part] = [
        Table([*keys, *heads], rows, f"Figures{whose}, ± half of a 95 % interval", frozenset(range(len(keys + heads)))),
        Table(
            [*keys, *heads, "differs", "a deal is worth"],
            changes,
            f"Differences to {base}, from the same deals, ± half of a 95 % interval",
            frozenset(range(len(keys + heads) + 2)),
        ),
    ]
    if len(run.plan.points) > MOST_ROWS:
        parts.insert(0, Text(f"The first {MOST_ROWS} of {len(run.plan.points):,} combinations; --format json has all."))
    return Section("tables", "All values", parts)


def _has(run: Any, figure: str) -> bool:
    return figure != "lead" or not run.is_alike


def _cell(one: dict[str, Any], figure: str, key: str, what: str) -> Cell:
    wording = WORDINGS[figure]
    name = f"{figure}{what}" if what else MEANS.get(figure, figure)
    return mean_cell(one[name], one[f"{figure}{what}_ci"], f"{key}.{name}", wording.digits, wording.scale)


def _unfolding(record: Record, work: Work) -> tuple[Section, Unfolding | None]:
    """At the base and at both ends: the bot that is looked at, and the others all together."""
    run: Any = record.run
    plan, tables, places = run.plan, [], list(dict.fromkeys([*ends(run), run.plan.base]))
    for side, place in enumerate(places):
        point = plan.points[place]
        for seating, sides in zip(point.seating.tolist(), point.sides.tolist(), strict=True):
            mine = tuple(side if one == 0 else len(places) for one in sides)
            tables.append(Seated(point.rules, plan.seated(seating), mine))
    numbers = [[plan.first + unit] * len(tables) for unit in range(sample_units(record, len(tables)))]
    names = [_text(run, place) for place in places] + ([] if run.is_alike else [OTHERS])
    return unfolding_section(record, tables, numbers, names, work, "blocks")


def _endings(record: Record) -> Section:
    run: Any = record.run
    keys = [axis.key for axis in run.plan.axes]
    rows: list[list[Cell | str]] = []
    for place, one in enumerate(run.summary["values"][:MOST_ROWS]):
        start: list[Cell | str] = [value_text(value) for value in run.plan.points[place].values]
        rows.append([*start, *(_cell(one, name, f"summary.values.{place}", "") for name in ENDED_NAMES)])
    heads = [f"{WORDINGS[name].name} (%)" for name in ENDED_NAMES]
    table = Table(
        [*keys, *heads], rows, "How deals end, ± half of a 95 % interval", frozenset(range(len(keys + heads)))
    )
    return Section("endings", "Stuck deals", [table])


def _far_apart(record: Record, work: Work) -> list[dict[str, Any]] | None:
    """The blocks in which the scores at both ends are furthest apart; None where no rows were kept."""
    run: Any = record.run
    if BLOCKS not in run.plan.tables:
        return None
    low, high = ends(run)
    found: list[dict[str, Any]] = []
    for rows in run.read_rows(BLOCKS, ("block", "combination", "bot", "score")):
        mine = rows["bot"] == 0
        one, two = (mine & (rows["combination"] == place) for place in (low, high))
        apart = rows["score"][two] - rows["score"][one]
        for place in np.argsort(-np.abs(apart), kind="stable")[:SHOWN].tolist():
            block, points = int(rows["block"][one][place]), float(apart[place])
            if points == points:
                found.append({"block": block, "points": points})
        work.read(len(apart))
    return sorted(found, key=lambda one: (-abs(one["points"]), one["block"]))[:SHOWN]


def _notable(record: Record, apart: list[dict[str, Any]] | None) -> Section:
    title, run = "Deals worth seeing", record.run
    plan: Any = run.plan
    if apart is None:
        return Section("deals", title, [missing_rows(record, "Which blocks differ most from value to value", "blocks")])
    parts: list[Part] = [
        Text(
            "Blocks in which the first bot's scores at both ends differ most, and the first deal of each at both ends."
        )
    ]
    for number, one in enumerate(apart):
        told = [
            Cell(f"block {one['block']:,}", one["block"], f"found.apart.{number}.block"),
            Cell(f"{text_of(one['points'], 2)} points a seat more", one["points"], f"found.apart.{number}.points"),
        ]
        for place, cells in zip(ends(run), ([], told), strict=True):
            point = plan.points[place]
            command = replay_of(record, plan.seated(point.seating[0].tolist()), one["block"], (), point.rules)
            parts.append(Command(f"{number + 1}, {_text(run, place)}", command, cells))
    return Section("deals", title, parts)

"""The page of a tuning."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from nertsim.commands import replay_command, spec_of
from nertsim.report.about import Record, about_section
from nertsim.report.document import (
    Cell,
    Command,
    Figure,
    Missing,
    Page,
    Part,
    Section,
    Table,
    Text,
    count_cell,
    mean_cell,
    number_cell,
    range_cell,
)
from nertsim.report.figures import tune as figures
from nertsim.report.figures.drawing import points_by_row, rows_size
from nertsim.report.words.numbers import percent
from nertsim.report.words.tune import UNITS, sentences

if TYPE_CHECKING:
    from nertsim.report.work import Work

SIGNIFICANT = 4
"""Digits of a parameter's value."""


def page(record: Record, work: Work) -> Page:
    """Everything about a tuning."""
    run: Any = record.run
    plan, summary = run.plan, run.summary
    sections = [
        about_section(record, plan.bots),
        _verdict(record),
        _parameters(record),
        _way(record),
        _notable(record),
    ]
    path = [point.tolist() for point in run.course.path]
    subtitle = f"{record.count:,} deals, {plan.rules.seats} seats, against {', '.join(summary['against'])}"
    title = f"Tuning of {plan.bot.label}"
    return Page("tune", title, f"{subtitle}, seed {plan.seed}", _answers(summary), sections, {"path": path})


def _answers(summary: dict[str, Any]) -> list[tuple[str, Cell, str]]:
    unit, scale, digits = UNITS[summary["metric"]]
    validation = summary["validation"]
    said = {"A better": "better, and taken", "B better": "worse: start kept"}.get(validation["verdict"])
    ahead = mean_cell(validation["difference"], validation["ci"], "summary.validation.difference", digits, scale)
    return [
        ("The tuned bot is", Cell(said or f"{validation['verdict']}: start kept"), "on fresh deals"),
        ("Ahead of the start by", ahead, unit),
        ("Parameters", Cell(str(len(summary["parameters"]))), f"tuned by {summary['method']}"),
        ("Deals", count_cell(summary["deals"], "summary.deals"), f"of a budget of {summary['budget']:,}"),
    ]


def _verdict(record: Record) -> Section:
    summary: Any = record.run.summary
    unit, scale, digits = UNITS[summary["metric"]]
    validation, level = summary["validation"], percent(1 - summary["validation"]["alpha"], 0)
    key, ends = "summary.validation", validation["ci"]
    rows: list[list[Cell | str]] = [
        ["difference", number_cell(validation["difference"], f"{key}.difference", digits, scale, ends), unit],
        [f"its interval ({level}, at every moment)", range_cell(ends, f"{key}.ci", digits, scale), unit],
        ["smallest effect", number_cell(validation["smallest_effect"], f"{key}.smallest_effect", digits, scale), unit],
        ["deals of the validation", count_cell(validation["deals"], f"{key}.deals"), "deals"],
        ["blocks of the validation", count_cell(validation["blocks"], f"{key}.blocks"), "blocks"],
    ]
    parts: list[Part] = [Text(line) for line in sentences(summary)[1:]]  # the first is about the table
    parts.append(
        Table(["figure", "value", "unit"], rows, "The tuned bot less the start, on fresh deals", frozenset({1}))
    )
    return Section("verdict", "Is it better?", parts)


def _parameters(record: Record) -> Section:
    summary: Any = record.run.summary
    unit, scale, digits = UNITS[summary["metric"]]
    rows: list[list[Cell | str]] = []
    for place, one in enumerate(summary["parameters"]):
        key = f"summary.parameters.{place}"
        low, high = one["optimum_ci"]
        optimum = "–" if low != low else f"{_value(low)} to {_value(high)}"
        rows.append(
            [
                one["parameter"],
                Cell(_value(one["start"]), one["start"], f"{key}.start"),
                Cell(_value(one["estimate"]), one["estimate"], f"{key}.estimate"),
                Cell(optimum, low, f"{key}.optimum_ci.0"),
                Cell(_value(one["step"]), one["step"], f"{key}.step"),
                mean_cell(one["cost"], one["cost_ci"], f"{key}.cost", digits, scale),
            ]
        )
    columns = ["parameter", "start", "tuned", "its optimum (95 %)", "moved by", f"costs ({unit})"]
    parts: list[Part] = [
        Text(
            "Optimum: where it lies while the other parameters stay; the whole range where that cannot be told. "
            "Costs: what it costs to move the parameter from its tuned value to either side."
        ),
        Table(columns, rows, "Parameters", frozenset(range(1, 6))),
    ]
    known = [one for one in summary["parameters"] if one["cost"] == one["cost"]]
    if known:
        blocks = record.run.course.profile.blocks
        names, costs = [one["parameter"] for one in known], [scale * one["cost"] for one in known]
        ends = [[scale * end for end in one["cost_ci"]] for one in known]
        parts.append(
            Figure(
                "costs",
                "What moving a parameter costs",
                f"{blocks:,} blocks of {len(record.run.plan.tables)} deals for each value; bars: 95 % intervals",
                lambda: points_by_row(
                    names,
                    costs,
                    ends,
                    f"cost of moving it ({unit})",
                    reference=(0, "none"),
                    colours=[0] * len(names),
                    size=rows_size(len(names)),
                ),
            )
        )
    return Section("parameters", "What each parameter is worth", parts)


def _value(value: float) -> str:
    return "–" if value != value else f"{value:.{SIGNIFICANT}g}".replace("-", "−")


def _way(record: Record) -> Section:
    title, run = "On the way", record.run
    summary: Any = run.summary
    unit, scale, digits = UNITS[summary["metric"]]
    if not summary["checks"]:
        return Section("way", title, [Missing("The tuning has not come to its first check yet.")])
    rows: list[list[Cell | str]] = [
        [
            count_cell(one["step"], f"summary.checks.{place}.step"),
            count_cell(one["deals"], f"summary.checks.{place}.deals"),
            mean_cell(one["difference"], one["difference_ci"], f"summary.checks.{place}.difference", digits, scale),
        ]
        for place, one in enumerate(summary["checks"])
    ]
    deals, path = [one["deals"] for one in summary["checks"]], [point.tolist() for point in run.course.path]
    blocks = run.plan.shares.check_blocks
    names = list(run.plan.space.names)
    parts: list[Part] = [
        Figure(
            "checks",
            "Ahead of the start, on the way",
            f"{blocks:,} blocks of {len(run.plan.tables)} fresh deals a check; bars: 95 % intervals, each by itself",
            lambda: figures.checks(summary["checks"], f"ahead of the start ({unit})", scale),
        ),
        Figure(
            "path",
            "Where the estimate was",
            f"{summary['deals']:,} deals in all; an estimate has no interval before the end",
            lambda: figures.paths(deals, names, path),
        ),
        Table(["step", "deals", f"ahead by ({unit})"], rows, "Checks, ± half of a 95 % interval", frozenset({0, 1, 2})),
    ]
    return Section("way", title, parts)


def _notable(record: Record) -> Section:
    """The start at the table, and the tuned bot in its place."""
    plan, table = record.run.plan, record.run.plan.tables[0]
    command = replay_command(plan.rules, table.bots, plan.seed, 0)
    text = f"The bot sits at seat {table.seat}."
    parts: list[Part] = [Text(text), Command("The start, in the first deal of the search", command)]
    if record.run.accepted:
        both = f"{command} --follow {table.seat} --versus {shlex.quote(spec_of(record.run.bot))} --html deal.html"
        parts.append(Command("The same deal, with the tuned bot beside it, as a page to watch", both))
    return Section("deals", "Deals worth seeing", parts)

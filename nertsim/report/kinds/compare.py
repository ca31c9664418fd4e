"""The page of a comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nertsim.experiments.compare.design import A, B
from nertsim.report.about import Record, about_section
from nertsim.report.data.blocks import BlockData, read_blocks
from nertsim.report.data.unfold import Table as Seated
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
    text_of,
)
from nertsim.report.figures import compare as figures
from nertsim.report.kinds.shared import endings_table, missing_rows, replay_of, sample_units, unfolding_section
from nertsim.report.words.compare import UNITS, sentences
from nertsim.report.words.numbers import percent

if TYPE_CHECKING:
    from nertsim.report.work import Work


def page(record: Record, work: Work) -> Page:
    """Everything about a comparison."""
    run: Any = record.run
    plan, data = run.plan, read_blocks(run, work.read)
    sections = [about_section(record, plan.rivals), _verdict(record), _course(record, data)]
    unfolded = None
    if plan.metric != "match":
        side_of = plan.design.tables.tolist()
        tables = [Seated(plan.rules, plan.seated(table), tuple(side_of[table])) for table in range(plan.design.size)]
        numbers = [[plan.first + unit] * len(tables) for unit in range(sample_units(record, len(tables)))]
        section, unfolded = unfolding_section(record, tables, numbers, plan.labels_of_rivals, work, "blocks")
        sections.append(section)
    sections += [_endings(record), _notable(record, data)]
    a, b = plan.labels_of_rivals[:2]
    field = f", {run.summary['field']} at the other seats" if run.summary["field"] else ""
    found = {
        "blocks": None if data is None else data.to_dict(),
        "unfolding": None if unfolded is None else unfolded.to_dict(),
    }
    subtitle = (
        f"{run.summary['deals']:,} deals in {record.count:,} blocks, {run.rules.seats} seats{field}, seed {run.seed}"
    )
    return Page("compare", f"{a} against {b}", subtitle, _answers(run.summary), sections, found)


def _answers(summary: dict[str, Any]) -> list[tuple[str, Cell, str]]:
    unit, scale, digits = UNITS[summary["metric"]]
    verdict = {"A better": summary["bots"][A]["bot"], "B better": summary["bots"][B]["bot"]}
    said = summary["verdict"]
    text = f"{verdict[said]} is better" if said in verdict else said
    difference = mean_cell(summary["difference"], summary["ci"], "summary.difference", digits, scale)
    return [
        ("Verdict", Cell(text), f"at α {percent(summary['alpha'], 0)}, β {percent(summary['beta'], 0)}"),
        (f"{summary['bots'][A]['bot']} is ahead by", difference, unit),
        ("Deals", count_cell(summary["deals"], "summary.deals"), "played"),
        ("A deal is worth", number_cell(summary["variance_reduction"], "summary.variance_reduction", 2), "others"),
    ]


def _verdict(record: Record) -> Section:
    summary: Any = record.run.summary
    unit, scale, digits = UNITS[summary["metric"]]
    bots = [
        [
            one["bot"],
            number_cell(one["mean_score"], f"summary.bots.{side}.mean_score", 2),
            number_cell(one["win_rate"], f"summary.bots.{side}.win_rate", 1, 100),
        ]
        for side, one in enumerate(summary["bots"])
    ]

    def row(text: str, name: str, *interval: Any) -> list[Cell | str]:
        return [text, number_cell(summary[name], f"summary.{name}", digits, scale, *interval), unit]

    level = percent(1 - summary["alpha"], 0)
    rows: list[list[Cell | str]] = [
        row("difference", "difference", summary["ci"]),
        [f"its interval ({level})", range_cell(summary["ci"], "summary.ci", digits, scale), unit],
        row("without the bias of having stopped", "estimate"),
        row("as played, without control variates", "raw_difference"),
        row("smallest effect worth knowing", "smallest_effect"),
    ]
    parts: list[Part] = [
        *(Text(line) for line in sentences(summary)),
        Table(["bot", "mean score", "win %"], bots, "The two bots, a seat", frozenset({1, 2})),
        Table(["figure", "value", "unit"], rows, "The first less the second", frozenset({1})),
    ]
    return Section("verdict", "Verdict", parts)


def _course(record: Record, data: BlockData | None) -> Section:
    title = "How the answer came about"
    if data is None:
        return Section("course", title, [missing_rows(record, "How the answer came about", "blocks")])
    summary: Any = record.run.summary
    unit, scale, _ = UNITS[summary["metric"]]
    level = percent(1 - summary["alpha"], 0)
    what = "% points" if unit.startswith("%") else unit
    parts: list[Part] = [
        Figure(
            "course",
            "The difference as blocks were added",
            f"{record.count:,} blocks; band: {level} interval, which holds at every moment; dotted: smallest effect",
            lambda: figures.course(data, f"difference ({what})", scale, summary["smallest_effect"]),
        ),
        Figure(
            "differences",
            "Differences of blocks",
            f"{len(data.differences):,} blocks, as played; the line is their mean",
            lambda: figures.differences(data, f"difference of a block ({what})", scale),
        ),
    ]
    return Section("course", title, parts)


def _endings(record: Record) -> Section:
    summary: Any = record.run.summary
    return Section("endings", "Stuck deals", [endings_table(summary["ended"], summary["deals"])])


def _notable(record: Record, data: BlockData | None) -> Section:
    title, run = "Deals worth seeing", record.run
    if data is None:
        return Section("deals", title, [missing_rows(record, "Which blocks are the most lop-sided", "blocks")])
    plan: Any = run.plan
    if plan.metric == "match":
        return Section(
            "deals", title, [Missing("A block holds whole matches here; nertsim match plays and shows these.")]
        )
    unit, scale, digits = UNITS[plan.metric]
    parts: list[Part] = [Text("Blocks in which one bot was furthest ahead; shown is the first deal of each.")]
    for name, label in (("for_a", plan.labels_of_rivals[A]), ("for_b", plan.labels_of_rivals[B])):
        for place, (block, difference) in enumerate(getattr(data, name)):
            told = [
                Cell(f"block {block:,}", block, f"found.blocks.{name}.{place}.0"),
                Cell(f"{text_of(scale * difference, digits)} {unit}", difference, f"found.blocks.{name}.{place}.1"),
            ]
            command = replay_of(record, plan.seated(0), block)
            parts.append(Command(f"Furthest for {label}, {place + 1}", command, told))
    return Section("deals", title, parts)

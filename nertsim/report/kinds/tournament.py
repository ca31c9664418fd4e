"""The page of a tournament."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from nertsim.experiments.tournament.plan import BLOCKS, DECKS_APART
from nertsim.report.about import Record, about_section
from nertsim.report.data.unfold import Table as Seated
from nertsim.report.data.unfold import Unfolding
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
from nertsim.report.figures import tournament as figures
from nertsim.report.figures.drawing import points_by_row, rows_size
from nertsim.report.kinds.shared import (
    endings_table,
    missing_rows,
    paragraphs,
    replay_of,
    sample_units,
    unfolding_section,
)
from nertsim.report.plots import WIDE
from nertsim.report.words.numbers import percent
from nertsim.report.words.tournament import METRIC, sentences

if TYPE_CHECKING:
    from nertsim.report.work import Work

MOST_TABLES = 60
"""Tables up to which all of them are replayed, so that every bot meets every other."""
MOST_PAIRS = 28
SHOWN = 4


def page(record: Record, work: Work) -> Page:
    """Everything about a tournament."""
    run: Any = record.run
    summary = run.summary
    apart = _far_apart(record, work)
    unfolding, unfolded = _unfolding(record, work)
    sections = [
        about_section(record, run.plan.entrants),
        _ranking(record),
        _pairs(record),
        unfolding,
        Section("endings", "Stuck deals", [endings_table(summary["ended"], summary["deals"])]),
        _notable(record, apart),
    ]
    found = {"apart": apart, "unfolding": None if unfolded is None else unfolded.to_dict()}
    subtitle = f"{summary['deals']:,} deals in {record.count:,} blocks, {run.rules.seats} seats, seed {run.seed}"
    title = f"Tournament of {len(run.plan.entrants)} bots"
    return Page("tournament", title, subtitle, _answers(summary), sections, found)


def _answers(summary: dict[str, Any]) -> list[tuple[str, Cell, str]]:
    first, pairs = summary["ratings"][0], summary["pairs"]
    known = sum(pair["verdict"] != "open" for pair in pairs)
    rating = "no ratings" if math.isnan(first["rating"]) else f"rated {first['rating']:.3f} ± {first['se']:.3f} (error)"
    return [
        ("First", Cell(first["bot"]), rating),
        ("Pairs known", Cell(f"{known} of {len(pairs)}"), f"beyond doubt, at α {percent(summary['alpha'], 0)}"),
        ("Deals", count_cell(summary["deals"], "summary.deals"), "played"),
        ("A deal is worth", number_cell(summary["variance_reduction"], "summary.variance_reduction", 2), "others"),
    ]


def _ranking(record: Record) -> Section:
    summary: Any = record.run.summary
    rows: list[list[Cell | str]] = []
    for place, one in enumerate(summary["ratings"]):
        key = f"summary.ratings.{place}"
        low, high = one["rank_ci"]
        rows.append(
            [
                count_cell(one["rank"], f"{key}.rank"),
                Cell(str(low) if low == high else f"{low} to {high}", low, f"{key}.rank_ci.0"),
                one["bot"],
                number_cell(one["rating"], f"{key}.rating", 3),
                number_cell(one["se"], f"{key}.se", 3),
                number_cell(one["elo"], f"{key}.elo", 0),
                number_cell(one["mean_score"], f"{key}.mean_score", 2),
                number_cell(one["win_rate"], f"{key}.win_rate", 1, 100),
                count_cell(one["beats"], f"{key}.beats"),
                count_cell(one["beaten_by"], f"{key}.beaten_by"),
            ]
        )
    columns = ["rank", "sure", "bot", "rating", "± error", "Elo", "score", "win %", "beats", "beaten by"]
    numbers = frozenset({0, 1, *range(3, len(columns))})
    parts: list[Part] = [Text(line) for line in paragraphs(sentences(summary))]
    parts.append(Table(columns, rows, "Sure: the ranks that are not excluded beyond doubt", numbers))
    rated = [one for one in summary["ratings"] if not math.isnan(one["rating"])]
    if rated:
        names, means = [one["bot"] for one in rated], [one["rating"] for one in rated]
        ends = [[one["rating"] - one["se"], one["rating"] + one["se"]] for one in rated]
        parts.append(
            Figure(
                "ratings",
                "Ratings",
                f"{summary['deals']:,} deals in {record.count:,} blocks; bars: ± one standard error over blocks",
                lambda: points_by_row(names, means, ends, "rating (log-odds)", size=rows_size(len(names))),
            )
        )
    return Section("ranking", "Ranking", parts)


def _pairs(record: Record) -> Section:
    summary: Any = record.run.summary
    unit, scale, digits = METRIC[summary["metric"]]
    level, matrix = percent(1 - summary["alpha"], 0), summary["win_matrix"]
    rows: list[list[Cell | str]] = []
    for place, one in enumerate(summary["pairs"]):
        key = f"summary.pairs.{place}"
        rows.append(
            [
                one["bot"],
                one["other"],
                {"better": "better", "equal": "equal", "open": "not known yet"}[one["verdict"]],
                mean_cell(one["difference"], one["difference_ci"], f"{key}.difference", digits, scale),
                range_cell(one["difference_ci"], f"{key}.difference_ci", digits, scale),
                number_cell(one["ahead"], f"{key}.ahead", 1, 100),
                count_cell(one["meetings"], f"{key}.meetings"),
            ]
        )
    columns = ["bot", "against", "verdict", f"ahead by ({unit})", level, "ahead in %", "meetings"]
    stands = f"{summary['deals']:,} deals in {record.count:,} blocks"
    size = (WIDE[0], 1.4 + 0.45 * max(4, len(matrix["bots"])))
    parts: list[Part] = [
        Figure(
            "matrix",
            "Who is ahead of whom",
            f"{stands}; *: better beyond doubt, all pairs together at α {percent(summary['alpha'], 0)}",
            lambda: figures.matrix(matrix["bots"], matrix["share"], matrix["beats"], size=size),
            wide=True,
        )
    ]
    if len(summary["pairs"]) <= MOST_PAIRS:
        pairs = summary["pairs"]
        names = [f"{one['bot'][:14]} – {one['other'][:14]}" for one in pairs]
        means = [scale * one["difference"] for one in pairs]
        ends = [[scale * end for end in one["difference_ci"]] for one in pairs]
        parts.append(
            Figure(
                "differences",
                "Differences of pairs",
                f"{stands}; bars: {level} intervals, each by itself, which hold at every moment",
                lambda: points_by_row(
                    names,
                    means,
                    ends,
                    f"the first less the second ({unit})",
                    reference=(0, "even"),
                    colours=[0] * len(names),
                    size=rows_size(len(names)),
                ),
            )
        )
    parts.append(Table(columns, rows, "All pairs", frozenset({3, 4, 5, 6})))
    return Section("pairs", "Who beats whom", parts)


def _unfolding(record: Record, work: Work) -> tuple[Section, Unfolding | None]:
    plan: Any = record.run.plan
    design = plan.stages[0].design
    if design.size > MOST_TABLES:
        text = f"A block has {design.size:,} tables, which are too many to replay a sample of."
        return Section("unfolding", "How a deal unfolds", [Missing(text)]), None
    tables = [
        Seated(plan.rules, plan.seated(design, table), tuple(design.tables[table].tolist()))
        for table in range(design.size)
    ]
    units = min(sample_units(record, design.size), plan.stages[1].first if len(plan.stages) > 1 else record.count)
    numbers = [[unit + int(deck) * DECKS_APART for deck in design.decks] for unit in range(units)]
    return unfolding_section(record, tables, numbers, plan.entrant_labels, work, "blocks")


def _far_apart(record: Record, work: Work) -> list[dict[str, Any]] | None:
    """The blocks in which two bots were furthest apart; None where no rows were kept."""
    plan: Any = record.run.plan
    if BLOCKS not in plan.tables:
        return None
    found: list[dict[str, Any]] = []
    for rows in record.run.read_rows(BLOCKS):
        blocks, place = np.unique(rows["block"], return_inverse=True)
        scores = np.full((len(blocks), len(plan.entrants)), np.nan)
        scores[place, rows["bot"]] = rows["score"]
        best, worst = np.nanargmax(scores, axis=1), np.nanargmin(scores, axis=1)
        apart = np.nanmax(scores, axis=1) - np.nanmin(scores, axis=1)
        for one in np.argsort(-apart, kind="stable")[:SHOWN].tolist():
            pair = {"best": int(best[one]), "worst": int(worst[one]), "points": float(apart[one])}
            found.append({"block": int(blocks[one]), **pair})
        work.read(len(blocks))
    return sorted(found, key=lambda one: (-one["points"], one["block"]))[:SHOWN]


def _notable(record: Record, apart: list[dict[str, Any]] | None) -> Section:
    title, plan = "Deals worth seeing", record.run.plan
    if apart is None:
        return Section("deals", title, [missing_rows(record, "Which blocks are the most lop-sided", "blocks")])
    parts: list[Part] = [Text("Blocks in which two bots were furthest apart, and a deal of each where both sit.")]
    for place, one in enumerate(apart):
        stage = [stage for stage in plan.stages if stage.first <= one["block"]][-1]
        both = (stage.design.tables == one["best"]).any(axis=1) & (stage.design.tables == one["worst"]).any(axis=1)
        table = int(np.flatnonzero(both)[0]) if both.any() else 0
        deal = one["block"] + int(stage.design.decks[table]) * DECKS_APART
        best, worst = plan.entrant_labels[one["best"]], plan.entrant_labels[one["worst"]]
        told = [
            Cell(f"block {one['block']:,}", one["block"], f"found.apart.{place}.block"),
            Cell(f"{text_of(one['points'], 2)} points a seat", one["points"], f"found.apart.{place}.points"),
        ]
        parts.append(
            Command(f"{best} far ahead of {worst}", replay_of(record, plan.seated(stage.design, table), deal), told)
        )
    return Section("deals", title, parts)

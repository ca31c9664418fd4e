"""The page of a batch of deals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nertsim.report.about import Record, about_section
from nertsim.report.data.deals import read_deals
from nertsim.report.data.luck import luck_of
from nertsim.report.data.unfold import Table
from nertsim.report.document import Cell, Page, Section, count_cell, mean_cell, number_cell, share_cell
from nertsim.report.kinds.shared import at_the_table, sample_units, unfolding_section
from nertsim.report.kinds.simulate_rows import distributions, luck_section, notable_section
from nertsim.report.kinds.simulate_sums import Sums, endings, races, results, sources

if TYPE_CHECKING:
    from nertsim.report.work import Work


def page(record: Record, work: Work) -> Page:
    """Everything about a batch of deals."""
    run: Any = record.run
    sums, data = Sums(run), read_deals(run, work.read)
    luck = None if data is None or not data.with_seats else luck_of(run, data)
    side_of = tuple(run.plan.bot_names.index(label) for label in run.plan.labels)
    numbers = [[run.plan.first + unit] for unit in range(sample_units(record))]
    tables = [Table(run.rules, run.bots, side_of)]
    unfolding, unfolded = unfolding_section(record, tables, numbers, run.plan.bot_names, work)
    sections: list[Section] = [
        about_section(record, run.bots),
        results(record),
        distributions(record, data),
        sources(record, sums),
        races(record, sums),
        endings(record, sums, data),
        unfolding,
        luck_section(record, data, luck),
        notable_section(record, data),
    ]
    found = {
        "sums": sums.to_dict(),
        "deals": None if data is None else data.to_dict(),
        "luck": None if luck is None else luck.to_dict(),
        "unfolding": None if unfolded is None else unfolded.to_dict(),
    }
    title = at_the_table(run.plan.labels)
    subtitle = f"{record.count:,} deals, {run.rules.seats} seats, seed {run.seed}"
    return Page("simulate", title, subtitle, _answers(run.summary), sections, found)


def _answers(summary: dict[str, Any]) -> list[tuple[str, Cell, str]]:
    bots = summary["bots"]
    answers = [("Deals", count_cell(summary["deals"], "summary.deals"), "played")]
    if len(bots) > 1:
        order = sorted(range(len(bots)), key=lambda place: -bots[place]["win_rate"])
        for place in order[:2]:
            one = bots[place]
            cell = mean_cell(one["win_rate"], one["win_rate_ci"], f"summary.bots.{place}.win_rate", 1, 100)
            answers.append((f"Wins of {one['bot']}", cell, "% of the deals a seat"))
    else:
        cell = mean_cell(bots[0]["mean_score"], bots[0]["score_ci"], "summary.bots.0.mean_score")
        answers.append(("Mean score", cell, "points a seat"))
    answers.append(
        ("A deal lasts", number_cell(summary["mean_deal_seconds"], "summary.mean_deal_seconds"), "simulated seconds")
    )
    called = share_cell(summary["ended"]["called"], "summary.ended.called")
    return [*answers, ("Ended by a call", called, "% of the deals")]

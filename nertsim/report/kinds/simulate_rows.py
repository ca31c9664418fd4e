"""What the rows of a batch of deals say, where they were kept."""

from __future__ import annotations

from typing import Any

from nertsim.report.about import Record
from nertsim.report.data.counts import Counts
from nertsim.report.data.deals import DealData
from nertsim.report.data.luck import FEWEST_DEALS, LuckData
from nertsim.report.document import Cell, Figure, Missing, Part, Section, Table, Text, number_cell, range_cell, text_of
from nertsim.report.figures import distributions as figures
from nertsim.report.figures import luck as luck_figures
from nertsim.report.kinds.shared import ALWAYS, PERCENT, missing_rows, notable_parts
from nertsim.report.words.numbers import percent
from nertsim.stats.intervals import FixedIntervals
from nertsim.tables import ENDED_NAMES

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


def distributions(record: Record, data: DealData | None) -> Section:
    """Scores, margins and lengths."""
    title = "Distributions of score and length"
    if data is None:
        return Section("distributions", title, [missing_rows(record, "A distribution", "seats")])
    run: Any = record.run
    intervals: Any = run.plan.until or FixedIntervals()
    stands = f"{data.deals:,} deals; bands: {PERCENT if run.plan.until is None else ALWAYS}"
    names = run.plan.bot_names
    parts: list[Part] = []
    rows: list[list[Cell | str]] = []
    if data.with_seats:
        rows += [_quantiles(f"score of {name} (points)", one) for name, one in zip(names, data.scores, strict=True)]
        if run.rules.seats > 1:
            rows.append(_quantiles("lead of the best over the next (points)", data.margins))
    rows.append(_quantiles("length of a deal (s, simulated)", data.all_seconds))
    columns = ["", *(f"{100 * share:g}\N{NO-BREAK SPACE}%" for share in QUANTILES)]
    parts.append(Table(columns, rows, "Quantiles: so many of the deals have no more", frozenset(range(1, 6))))
    if not data.with_seats:
        parts.append(missing_rows(record, "The distribution of scores", "seats"))
    else:
        parts.append(
            Figure(
                "scores",
                "Scores of a seat",
                stands,
                lambda: figures.values(data.scores, names, "score (points)", "% of the seats' scores", intervals),
            )
        )
        if run.rules.seats > 1:
            parts.append(
                Figure(
                    "margins",
                    "Lead of the best seat over the next",
                    stands,
                    lambda: figures.values(
                        [data.margins], ["lead"], "points ahead of the next", "% of the deals", intervals
                    ),
                )
            )
    often = [one for one in data.seconds if one.units > data.deals / 1000]
    ended = [name.replace("_", " ") for name, one in zip(ENDED_NAMES, data.seconds, strict=True) if one in often]
    parts.append(
        Figure(
            "lengths",
            "Length of a deal" + (" by how it ended" if len(often) > 1 else ""),
            f"{', '.join(f'{one.units:,} {name}' for one, name in zip(often, ended, strict=True))}; "
            f"{stands.partition('; ')[2]}; the last bin holds longer ones too",
            lambda: figures.in_bins(often, ended, "simulated length (s)", "% of the deals", "s", intervals),
        )
    )
    return Section("distributions", title, parts)


def _quantiles(name: str, counts: Counts) -> list[Cell | str]:
    return [name, *(text_of(counts.quantile(share), 0) for share in QUANTILES)]


def luck_section(record: Record, data: DealData | None, luck: LuckData | None) -> Section:
    """The luck of the deal against the result."""
    title, run = "The luck of the deal", record.run
    if run.rules.seats < 2:
        return Section("luck", title, [Missing("There is nobody to be luckier than at a table of one seat.")])
    if data is None or not data.with_seats:
        return Section("luck", title, [missing_rows(record, "The luck of the deal against the result", "seats")])
    if luck is None:
        return Section(
            "luck", title, [Missing(f"This takes {FEWEST_DEALS} deals at least; the run has {data.deals:,}.")]
        )
    names = run.plan.bot_names
    stands = f"{luck.deals:,} deals, in tenths by luck; bars: {PERCENT if run.plan.until is None else ALWAYS}"
    parts: list[Part] = [
        Text(
            "Luck is what lies in a seat's cards before anybody plays: low cards in the nerts pile and how deep they "
            "lie in it, its ranks, low cards on the work piles and in the first pass of the stock, all less what the "
            "others have. Weighed by what each is worth (weights from as many other deals), it is the number of points "
            "by which the cards alone foretell that a seat finishes ahead. It explains "
            f"{percent(luck.explained)} of the variance of the lead; the rest is play, timing, and cards that this "
            "does not look at."
        ),
        Figure("luck-lead", "Lead by luck", stands, lambda: luck_figures.leads(luck.bins, names)),
        Figure("luck-wins", "Win rate by luck", stands, lambda: luck_figures.wins(luck.bins, names, run.rules.seats)),
        _luck_table(luck, names),
    ]
    return Section("luck", title, parts)


def _luck_table(luck: LuckData, names: list[str]) -> Table:
    rows: list[list[Cell | str]] = []
    for side, name in enumerate(names):
        for place in (0, len(luck.bins[side]) - 1):
            one, key = luck.bins[side][place], f"found.luck.bins.{side}.{place}"
            rows.append(
                [
                    name,
                    "unluckiest tenth" if place == 0 else "luckiest tenth",
                    number_cell(one.luck, f"{key}.luck", 1),
                    number_cell(one.lead, f"{key}.lead", 2, 1, one.lead_interval),
                    range_cell(one.lead_interval, f"{key}.lead_interval", 2, 1),
                    number_cell(one.win_rate, f"{key}.win_rate", 1, 100),
                    range_cell(one.win_interval, f"{key}.win_interval"),
                ]
            )
    columns = ["bot", "deals", "foretold", "lead", "95 %", "win %", "95 %"]
    return Table(columns, rows, "The ends of the scale", frozenset(range(2, 7)))


def notable_section(record: Record, data: DealData | None) -> Section:
    """Deals worth seeing, with the commands that replay them."""
    title = "Deals worth seeing"
    if data is None:
        return Section("deals", title, [missing_rows(record, "Which deals are worth seeing", "seats")])
    names = ["lopsided", "typical", "longest"] if data.with_seats else ["typical", "longest"]
    about = [
        "Typical: length, actions and the scores, put in order, are all near their means.",
        "Each command shows the deal as a text; with --html FILE, as a page to watch.",
    ]
    parts: list[Part] = [Text(" ".join(about)), *notable_parts(record, data.notable, names)]
    if record.cannot_replay:
        parts.insert(0, Missing(f"The commands may show other deals: {record.cannot_replay}."))
    if not data.with_seats:
        parts.append(missing_rows(record, "Which deals are lop-sided", "seats"))
    return Section("deals", title, parts)

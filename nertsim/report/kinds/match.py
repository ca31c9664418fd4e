"""The page of whole matches."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from nertsim.report.about import Record, about_section
from nertsim.report.data.counts import of_counter
from nertsim.report.data.matches import Course, Match, MatchData, course_of, read_matches
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
    share_cell,
)
from nertsim.report.figures import distributions as histograms
from nertsim.report.figures import matches as figures
from nertsim.report.figures.drawing import points_by_row, rows_size
from nertsim.report.kinds.shared import PERCENT, at_the_table, endings_table, missing_rows, replay_of, seat_names
from nertsim.report.words.match import sentences
from nertsim.stats.intervals import FixedIntervals

if TYPE_CHECKING:
    from nertsim.report.work import Work

TITLES = {"lopsided": "Most lop-sided", "closest": "Closest", "longest": "Longest"}


def page(record: Record, work: Work) -> Page:
    """Everything about matches."""
    run: Any = record.run
    data = read_matches(run, work.read)
    course = None if record.cannot_replay else course_of(run, work.replayed)
    sections = [
        about_section(record, run.bots),
        _results(record),
        _lengths(record, data),
        _course_section(record, course),
        _endings(record),
        _notable(record, data),
    ]
    found = {
        "matches": None if data is None else data.to_dict(),
        "course": None if course is None else course.to_dict(),
    }
    subtitle = f"{record.count:,} matches, {run.rules.seats} seats, seed {run.seed}"
    return Page("match", at_the_table(run.plan.labels), subtitle, _answers(run.summary), sections, found)


def _answers(summary: dict[str, Any]) -> list[tuple[str, Cell, str]]:
    answers = [("Matches", count_cell(summary["matches"], "summary.matches"), "played")]
    bots = summary["bots"]
    if len(bots) > 1:
        for place in sorted(range(len(bots)), key=lambda place: -bots[place]["win_rate"])[:2]:
            one = bots[place]
            cell = mean_cell(one["win_rate"], one["win_rate_ci"], f"summary.bots.{place}.win_rate", 1, 100)
            answers.append((f"Wins of {one['bot']}", cell, "% of the matches a seat"))
    deals = mean_cell(summary["mean_deals"], summary["mean_deals_ci"], "summary.mean_deals", 1)
    return [*answers, ("A match takes", deals, "deals")]


def _results(record: Record) -> Section:
    summary: Any = record.run.summary
    seats, bots, alone = summary["seats"], summary["bots"], len(summary["seats"]) == 1
    columns = ["seat", "bot", "win %", "95 %", "points", *([] if alone else ["ahead of the best other"])]
    rows = []
    for place, one in enumerate(seats):
        key = f"summary.seats.{place}"
        row: list[Cell | str] = [str(place), one["bot"], *_wins(one, key)]
        row.append(mean_cell(one["mean_points"], one["points_ci"], f"{key}.mean_points", 1))
        if not alone:
            row.append(mean_cell(one["mean_margin"], one["margin_ci"], f"{key}.mean_margin", 1))
        rows.append(row)
    parts: list[Part] = [Text(" ".join(sentences(summary)))]
    if len(bots) > 1:
        by_bot = [
            [one["bot"], *_wins(one, key), number_cell(one["mean_points"], f"{key}.mean_points", 1)]
            for one, key in ((one, f"summary.bots.{place}") for place, one in enumerate(bots))
        ]
        parts.append(Table(["bot", "win %", "95 %", "points"], by_bot, "By bot, a seat", frozenset({1, 2, 3})))
    parts.append(Table(columns, rows, "By seat", frozenset({0, *range(2, len(columns))})))
    names = seat_names([one["bot"] for one in seats])
    colours = [record.run.plan.bot_names.index(one["bot"]) for one in seats]
    stands, size = f"{record.count:,} matches; bars: {PERCENT}", rows_size(len(seats))
    for name, title, label, key, ends, scale in (
        ("win-rates", "Win rates by seat", "win rate (% of the matches)", "win_rate", "win_rate_ci", 100),
        ("points", "Points at the end by seat", "points at the end", "mean_points", "points_ci", 1),
    ):
        means = [scale * one[key] for one in seats]
        intervals = [[scale * end for end in one[ends]] for one in seats]
        parts.append(
            Figure(
                name,
                title,
                stands,
                partial(points_by_row, names, means, intervals, label, colours=colours, size=size),
            )
        )
    return Section("results", "Who wins", parts)


def _wins(one: dict[str, Any], key: str) -> list[Cell]:
    rate = number_cell(one["win_rate"], f"{key}.win_rate", 1, 100, one["win_rate_ci"])
    return [rate, range_cell(one["win_rate_ci"], f"{key}.win_rate_ci")]


def _lengths(record: Record, data: MatchData | None) -> Section:
    run: Any = record.run
    summary, stands = run.summary, f"{record.count:,} matches; bands: {PERCENT}"
    shares = list(summary["deals_quantiles"])
    rows: list[list[Cell | str]] = []
    for name, text in (("deals", "deals of a match"), ("margin", "lead of the best over the next (points)")):
        found = summary[f"{name}_quantiles"]
        rows.append([text, *(number_cell(found[share], f"summary.{name}_quantiles.{share}", 0) for share in shares)])
    parts: list[Part] = [
        Table(
            ["", *(f"{100 * float(share):g}\N{NO-BREAK SPACE}%" for share in shares)],
            rows,
            "Quantiles: so many of the matches have no more",
            frozenset(range(1, 1 + len(shares))),
        ),
        Figure(
            "deals",
            "Deals of a match",
            stands,
            lambda: histograms.values(
                [of_counter(run.totals.deals)], ["deals"], "deals", "% of the matches", FixedIntervals
            ),
        ),
    ]
    if run.totals.margins:
        parts.append(
            Figure(
                "margins",
                "Lead of the best seat over the next",
                stands,
                lambda: histograms.in_bins(
                    [of_counter(run.totals.margins)], ["lead"], "points", "% of the matches", "points", FixedIntervals
                ),
            )
        )
    if data is None:
        parts.append(missing_rows(record, "The distribution of simulated lengths", "matches"))
    else:
        minutes = data.minutes
        parts.append(
            Figure(
                "minutes",
                "Length of a match",
                stands,
                lambda: histograms.in_bins(
                    [minutes], ["length"], "simulated length (min)", "% of the matches", "min", FixedIntervals
                ),
            )
        )
    return Section("lengths", "How long matches are, and how close", parts)


def _course_section(record: Record, course: Course | None) -> Section:
    title = "How a match unfolds"
    if course is None:
        return Section("course", title, [Missing(f"Its matches cannot be played again: {record.cannot_replay}.")])
    rules = record.run.rules
    target = rules.target if rules.match_deals is None else None
    sample = "all" if course.matches == record.count else "the first"
    parts: list[Part] = [
        Text("Points of a seat after each deal. A match that is over keeps its points."),
        Figure(
            "course",
            "Points after each deal",
            f"{sample} {course.matches:,} matches, played again; bars: {PERCENT}",
            lambda: figures.course(course, record.run.plan.bot_names, target),
        ),
    ]
    return Section("course", title, parts)


def _endings(record: Record) -> Section:
    summary: Any = record.run.summary
    rows: list[list[Cell | str]] = [
        ["ended in a tie", share_cell(summary["shared"], "summary.shared", 2)],
        ["cut after 4,096 deals, undecided", share_cell(summary["capped"], "summary.capped", 2)],
    ]
    matches = Table(["matches that", "%"], rows, f"Of {record.count:,} matches", frozenset({1}))
    return Section("endings", "Stuck deals", [endings_table(summary["ended"], summary["deals"]), matches])


def _notable(record: Record, data: MatchData | None) -> Section:
    title = "Matches worth seeing"
    if data is None:
        return Section("matches", title, [missing_rows(record, "Which matches are worth seeing", "matches")])
    if record.cannot_replay:
        return Section("matches", title, [Missing(f"Its matches cannot be played again: {record.cannot_replay}.")])
    parts: list[Part] = [Text("Each command shows the deal that decided the match, with the points at its start.")]
    for name, text in TITLES.items():
        for place, one in enumerate(data.found[name]):
            parts.append(_command(record, one, f"{text}, {place + 1}", f"found.matches.notable.{name}.{place}"))
    return Section("matches", title, parts)


def _command(record: Record, one: Match, label: str, key: str) -> Command:
    run: Any = record.run
    last = run.deals(one.match).iloc[-1]
    seats = range(run.rules.seats)
    scores, nerts = ([int(last[f"{name}_{seat}"]) for seat in seats] for name in ("points", "nerts"))
    rules = run.rules
    if tuple(nerts) != rules.nerts_list:
        rules = rules.replace(nerts=tuple(nerts), winner_handicap=0)
    told = [
        Cell(f"match {one.match:,}", one.match, f"{key}.match"),
        Cell(f"{one.deals} deals", one.deals, f"{key}.deals"),
    ]
    told.append(Cell("ended " + ", ".join(map(str, one.points)).replace("-", "−")))
    return Command(label, replay_of(record, run.bots, int(last["deal"]), scores, rules), told)

"""What the exact sums of a batch of deals say: they are there whatever was kept."""

from __future__ import annotations

from typing import Any

from nertsim.codes import SeatColumn
from nertsim.report.about import Record
from nertsim.report.data.deals import DealData
from nertsim.report.document import (
    Cell,
    Figure,
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
from nertsim.report.figures import sources as source_figures
from nertsim.report.figures.drawing import points_by_row, rows_size
from nertsim.report.kinds.shared import ALWAYS, PERCENT, missing_rows, notable_parts, seat_names
from nertsim.report.plots import SIZE
from nertsim.report.words.numbers import number
from nertsim.report.words.simulate import sentences
from nertsim.stats.intervals import FixedIntervals, Interval, exact_mean

PLAYED = {
    "nerts": (SeatColumn.PLAY_NERTS, "from the nerts pile"),
    "waste": (SeatColumn.PLAY_WASTE, "from the waste"),
    "work": (SeatColumn.PLAY_WORK, "from work piles"),
}
RACES = {
    "won": (SeatColumn.RACES_WON, "plays of others that came too late after this seat's"),
    "tied": (SeatColumn.RACES_TIED, "both cards stayed"),
    "lost": (SeatColumn.RACES_LOST, "own plays that came too late"),
    "abandoned": (SeatColumn.ABANDONED, "actions given up on the way, no longer possible"),
}


class Sums:
    """Means a seat with intervals, of the columns that a report shows; intervals are of the run's own kind."""

    def __init__(self, run: Any) -> None:
        self.run, self.totals = run, run.totals
        self.intervals: Any = run.plan.until or FixedIntervals()
        rules = run.rules
        self.labels = {name: f"cards {text}" for name, (_, text) in PLAYED.items()}
        self.columns: dict[str, tuple[SeatColumn, int]] = {name: (column, 1) for name, (column, _) in PLAYED.items()}
        if rules.king_bonus:
            self.columns["kings"], self.labels["kings"] = (SeatColumn.KINGS, rules.king_bonus), "bonus for kings"
        if rules.call_bonus:
            self.columns["calls"], self.labels["calls"] = (SeatColumn.CALLED, rules.call_bonus), "bonus for calling"
        self.columns["left"] = SeatColumn.NERTS_LEFT, -rules.penalty
        self.labels["left"] = "nerts cards left"
        seats = range(rules.seats)
        self.sources = [
            {name: self._mean(seat, column, worth) for name, (column, worth) in self.columns.items()} for seat in seats
        ]
        self.races = [{name: self._mean(seat, column) for name, (column, _) in RACES.items()} for seat in seats]
        ended = [(code.name.lower(), self.totals.ended[code]) for code in _ended()]
        self.ended = {
            name: {"deals": count, "share_ci": list(self.intervals.share(self.totals.deals, count, count, 1))}
            for name, count in ended
        }

    def _mean(self, seat: int, column: SeatColumn, worth: int = 1) -> dict[str, Any]:
        total, squares = self.totals.seat_sums[seat][column], self.totals.seat_squares[seat][column]
        interval = self.intervals.mean(self.totals.deals, total * worth, squares * worth * worth)
        return {"mean": exact_mean(total * worth, self.totals.deals), "ci": list(interval)}

    def to_dict(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return {"sources": self.sources, "races": self.races, "ended": self.ended}


def _ended() -> Any:
    from nertsim.codes import Ended

    return Ended


def bot_numbers(record: Record) -> list[int]:
    """The number of the bot at each seat."""
    return [record.run.plan.bot_names.index(label) for label in record.run.plan.labels]


def stands_on(record: Record) -> str:
    """What stands behind figures of all deals."""
    until = record.run.plan.until
    return f"{record.count:,} deals; bars: {PERCENT if until is None else ALWAYS}"


def results(record: Record) -> Section:
    """Win rates and scores, by seat and by bot."""
    summary: Any = record.run.summary
    seats, bots = summary["seats"], summary["bots"]
    parts: list[Part] = [Text(" ".join(sentences(summary)))]
    if len(bots) > 1:
        parts.append(_table(bots, "bot", "By bot, a seat"))
    parts.append(_table(seats, "seat", "By seat"))
    names, even = seat_names([one["bot"] for one in seats]), 100 / len(seats)
    size, common = rows_size(len(seats)), {"colours": bot_numbers(record)}
    wins, win_ends = [100 * one["win_rate"] for one in seats], [[100 * x for x in one["win_rate_ci"]] for one in seats]
    scores, score_ends = [one["mean_score"] for one in seats], [one["score_ci"] for one in seats]
    if len(seats) > 1:
        parts.append(
            Figure(
                "win-rates",
                "Win rates by seat",
                stands_on(record),
                lambda: points_by_row(
                    names, wins, win_ends, "win rate (% of the deals)", reference=(even, "even"), size=size, **common
                ),
            )
        )
    parts.append(
        Figure(
            "mean-scores",
            "Mean scores by seat",
            stands_on(record),
            lambda: points_by_row(names, scores, score_ends, "mean score (points a deal)", size=size, **common),
        )
    )
    return Section("results", "Win rates and scores", parts)


def _table(records: list[dict[str, Any]], by: str, caption: str) -> Table:
    columns = ["seat", "bot"] if by == "seat" else ["bot", "seats"]
    columns += ["score", "95 %", "win %", "95 %", "calls %", "foundation", "nerts left"]
    rows = []
    for place, one in enumerate(records):
        key = f"summary.{by}s.{place}"
        first = [str(one["seat"]), one["bot"]] if by == "seat" else [one["bot"], ", ".join(map(str, one["seats"]))]
        rows.append(
            [
                *first,
                number_cell(one["mean_score"], f"{key}.mean_score", 2, 1, one["score_ci"]),
                range_cell(one["score_ci"], f"{key}.score_ci", 2, 1),
                number_cell(one["win_rate"], f"{key}.win_rate", 1, 100, one["win_rate_ci"]),
                range_cell(one["win_rate_ci"], f"{key}.win_rate_ci"),
                number_cell(one["call_rate"], f"{key}.call_rate", 1, 100),
                number_cell(one["foundation"], f"{key}.foundation"),
                number_cell(one["nerts_left"], f"{key}.nerts_left"),
            ]
        )
    return Table(columns, rows, caption, frozenset(range(2, 9)) | ({0} if by == "seat" else set()))


def sources(record: Record, sums: Sums) -> Section:
    """Where points come from, by seat."""
    summary: Any = record.run.summary
    rows = []
    for seat, one in enumerate(sums.sources):
        cells: list[Cell | str] = [str(seat), record.run.plan.labels[seat]]
        cells += [
            mean_cell(found["mean"], found["ci"], f"found.sums.sources.{seat}.{name}.mean")
            for name, found in one.items()
        ]
        score = summary["seats"][seat]
        rows.append([*cells, mean_cell(score["mean_score"], score["score_ci"], f"summary.seats.{seat}.mean_score")])
    columns = ["seat", "bot", *(sums.labels[name] for name in sums.columns), "score"]
    names = seat_names(record.run.plan.labels)
    means = [{name: found["mean"] for name, found in one.items()} for one in sums.sources]
    scores, ends = [one["mean_score"] for one in summary["seats"]], [one["score_ci"] for one in summary["seats"]]
    parts: list[Part] = [
        Text(
            "Points a deal, by where the cards that brought them lay, less what the cards left in the nerts pile cost."
        ),
        Table(
            columns, rows, "Points a deal by seat, ± half of a 95 % interval", frozenset({0, *range(2, len(columns))})
        ),
        Figure(
            "sources",
            "Where points come from",
            f"{record.count:,} deals; the interval of the score is drawn on its mark",
            lambda: source_figures.parts(
                names, means, scores, ends, sums.labels, size=(SIZE[0], rows_size(len(names))[1] + 0.7)
            ),
        ),
    ]
    return Section("sources", "Where points come from", parts)


def races(record: Record, sums: Sums) -> Section:
    """Races for the foundations, by seat."""
    rows: list[list[Cell | str]] = []
    for seat, one in enumerate(sums.races):
        cells = [
            mean_cell(found["mean"], found["ci"], f"found.sums.races.{seat}.{name}.mean", 3)
            for name, found in one.items()
        ]
        rows.append([str(seat), record.run.plan.labels[seat], *cells])
    told = "; ".join(f"{name}: {text}" for name, (_, text) in RACES.items())
    columns = ["seat", "bot", *RACES]
    names, lost = seat_names(record.run.plan.labels), [one["lost"] for one in sums.races]
    parts: list[Part] = [
        Text(f"Two hands go for the same place, and the first to land keeps it. Each a deal: {told}."),
        Table(
            columns, rows, "Races a deal by seat, ± half of a 95 % interval", frozenset({0, *range(2, len(columns))})
        ),
    ]
    if len(names) > 1:
        parts.append(
            Figure(
                "races-lost",
                "Plays that came too late",
                stands_on(record),
                lambda: points_by_row(
                    names,
                    [one["mean"] for one in lost],
                    [Interval(*one["ci"]) for one in lost],
                    "races lost (a deal)",
                    size=rows_size(len(names)),
                    colours=bot_numbers(record),
                ),
            )
        )
    return Section("races", "Races", parts)


def endings(record: Record, sums: Sums, data: DealData | None) -> Section:
    """How deals end, and those that were stuck."""
    rows = []
    for code, (name, one) in enumerate(sums.ended.items()):
        cells: list[Cell | str] = [
            name.replace("_", " "),
            count_cell(one["deals"], f"found.sums.ended.{name}.deals"),
            share_cell(record.run.summary["ended"][name], f"summary.ended.{name}", 2),
            range_cell(one["share_ci"], f"found.sums.ended.{name}.share_ci", 2),
        ]
        if data is not None:
            counts = data.seconds[code]
            middle = "–" if counts.units == 0 else number(counts.quantile(0.5), 0)
            cells.append(middle)
        rows.append(cells)
    columns = ["ended", "deals", "%", "95 %", *([] if data is None else ["median length (s)"])]
    parts: list[Part] = [Table(columns, rows, "How deals end", frozenset(range(1, len(columns))))]
    if data is None:
        parts.append(missing_rows(record, "Which deals were stuck", "deals"))
    elif sums.ended["stuck"]["deals"] or sums.ended["time_limit"]["deals"]:
        parts.append(Text("The first that did not end by a call:"))
        parts += notable_parts(record, data.notable, ["stuck", "time_limit"])
    return Section("endings", "Stuck deals", parts)

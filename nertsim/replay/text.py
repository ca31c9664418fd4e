"""A deal as text that a player can read from the layout to the score: what happened, and nothing else."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nertsim.replay.table import Layout, Table
from nertsim.rules import Rules

WIDTH = 80
LONGEST_LABEL = 12

Record = Mapping[str, Any]


def deal_text(records: Sequence[Record], scores: Sequence[int] | None = None) -> str:
    """The text of a deal, from the lines of its trace; `scores` are the points of each seat at its start."""
    header, actions, score = records[0], records[1:-1], records[-1]
    table = Table(header)
    parts = [
        *_wrapped(deal_title(header, scores), "  "),
        "",
        *_starting_layout(header, table),
        "",
        *_story(header, actions, table),
    ]
    return "\n".join([*parts, "", *_score(header, score)]) + "\n"


def deal_title(header: Record, scores: Sequence[int] | None = None) -> str:
    """Which deal it is, by which rules, and the points at its start, in one line."""
    rules = header["rules"]
    seats = "1 seat" if rules["seats"] == 1 else f"{rules['seats']} seats"
    standard = Rules(seats=rules["seats"]).to_dict()
    changed = [f"{name} {_value(value)}" for name, value in rules.items() if value != standard[name]]
    words = ", ".join(changed) if changed else "standard rules"
    points = f", at {' / '.join(map(str, scores))} points" if scores is not None else ""
    return f"Deal {header['deal']} of seed {header['seed']}: {seats}, {words}{points}"


def _value(value: Any) -> str:
    if isinstance(value, list):
        return str(value[0]) if len(set(value)) == 1 else "/".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def _starting_layout(header: Record, table: Table) -> Iterator[str]:
    """Who sits where, and what lies open before each seat."""
    labels = [f"{seat['bot']}{', two hands' if seat['hands'] == 2 else ''}" for seat in header["seats"]]
    longest = min(24, max(map(len, labels)))
    for number, (label, seat) in enumerate(zip(labels, table.seats, strict=True)):
        work = " ".join(f"{seat.top(pile) or '':>3}" for pile in seat.work)
        front = f"seat {number:<2} {label:<{longest}}"
        piles = f"  nerts {seat.top('nerts') or '':>3} ({len(seat.piles['nerts'])})  work {work}"
        yield from _fitting(front, f"{piles}  stock {len(seat.piles['stock'])}")


def _fitting(front: str, rest: str) -> list[str]:
    """One line, or two where it is too wide."""
    if len(front) + len(rest) <= WIDTH:
        return [front + rest]
    return [*_wrapped(front, "  "), "     " + rest]


def _story(header: Record, actions: Sequence[Record], table: Table) -> Iterator[str]:
    """A line or two for each action."""
    labels = [_short(seat["bot"]) for seat in header["seats"]]
    longest = max(map(len, labels))
    for record, sentence in sentences(actions, table):
        front = f"{record['t'] / 1e6:8.3f} s  {who(header, record):<3} {labels[record['seat']]:<{longest}}  "
        yield from _wrapped(front + sentence, " " * len(front))


def sentences(actions: Sequence[Record], table: Table) -> Iterator[tuple[Record, str]]:
    """Each action but the waits, and what happened in words; `table` is as dealt, and changed by them."""
    for record in actions:
        if record["action"] != "wait":
            yield record, _sentence(record, table)


def who(header: Record, record: Record) -> str:
    """The seat of an action, and which of its hands where it has two: ``3``, ``0b``."""
    hand = "ab"[record["hand"]] if header["seats"][record["seat"]]["hands"] == 2 else ""
    return f"{record['seat']}{hand}"


def _short(label: str) -> str:
    name = label.split(",")[0]
    return name if len(name) <= LONGEST_LABEL else name[: LONGEST_LABEL - 1] + "…"


def _sentence(record: Record, table: Table) -> str:
    """What happened; the table is changed by it."""
    result = record["result"]
    words = _words(record, table)
    if result == "abandoned":
        return f"gives up: {words}"
    if result == "rejected":
        return f"{words}: too late, goes back"
    table.happen(record)
    if result == "tie":
        words += ": a tie, both stay"
    return words + _turned_up(record, table.seats[record["seat"]])


def _words(record: Record, table: Table) -> str:
    kind, seat = record["action"], record["seat"]
    if kind == "call":
        return "calls Nerts!"
    if kind == "draw":
        return f"draws {record['count']}"
    if kind == "recycle":
        return "turns the waste over"
    if kind == "rotate":
        return "shuffles the stock" if table.shuffles else "moves the top card of the stock to its bottom"
    card = table.name(seat, record["card"])
    return _card_words(record, table, card)


def _card_words(record: Record, table: Table, card: str) -> str:
    kind, source, target = record["action"], _pile(record["from"]), _pile(record["to"])
    layout = table.seats[record["seat"]]
    if kind == "play":
        declared = f" as {record['as']}" if "as" in record and card == record["card"] else ""
        top = table.foundations.get(record["to"])
        on = "" if record["result"] != "ok" else f" on {top}" if top else " (new)"
        return f"{card}{declared} from {source} to {target}{on}"
    if kind == "fill":
        return f"{card} from {source} into the gap at {target}"
    if kind == "move":
        more = f" and {record['count'] - 1} more" if record["count"] > 1 else ""
        return f"{card}{more} from {source} to {target}{_on(record, table, layout)}"
    if kind == "slide":
        base = layout.piles[record["to"]][:1] if record["result"] == "ok" else []
        under = f"{table.name(record['seat'], base[0])} at {target}" if base else target
        fixed = f" as {record['as']}" if "as" in record else ""
        return f"{card}{fixed} from {source} under {under}"
    return f"{card} from {source} to {target}{_on(record, table, layout)}"


def _on(record: Record, table: Table, layout: Layout) -> str:
    """What a build or move is laid on."""
    top = layout.top(record["to"])
    if record["result"] != "ok":
        return ""
    if top is None:
        return ", a gap" if record["action"] == "move" else ""
    fixed = f", now {record['as']}" if "as" in record else ""
    return f" on {table.name(record['seat'], top)}{fixed}"


def _pile(name: str) -> str:
    for start in ("work", "foundation"):
        if name.startswith(start):
            return f"{start} {name[len(start) :]}"
    return name


def _turned_up(record: Record, layout: Layout) -> str:
    """What an action brought to light."""
    if record["action"] == "draw":
        return f", waste shows {layout.top('waste')}"
    if record["action"] == "recycle":
        return f": {len(layout.piles['stock'])} cards in the stock"
    if record.get("from") == "nerts":
        left = len(layout.piles["nerts"])
        return f"; nerts shows {layout.top('nerts')} ({left})" if left else "; nerts is empty"
    return ""


def _score(header: Record, score: Record) -> Iterator[str]:
    seconds = f"{score['t'] / 1e6:.3f} s"
    how = {
        "called": f"seat {score['caller']} called Nerts",
        "stuck": "all seats were stuck",
        "time_limit": "the time limit was reached",
    }
    yield f"The deal ended at {seconds}: {how[score['ended']]}."
    labels = [seat["bot"] for seat in header["seats"]]
    longest = min(36, max(3, *map(len, labels)))
    yield f"seat  {'bot':<{longest}}  foundation  kings  nerts left  score"
    for label, seat in zip(labels, score["seats"], strict=True):
        name = label if len(label) <= longest else label[: longest - 1] + "…"
        counts = f"{seat['foundation']:>10}  {seat['kings']:>5}  {seat['nerts_left']:>10}  {seat['score']:>5}"
        yield f"{seat['seat']:>4}  {name:<{longest}}  {counts}"


def _wrapped(text: str, indent: str) -> list[str]:
    """Lines of at most WIDTH columns; a text that fits is left as it is."""
    if len(text) <= WIDTH:
        return [text]
    return textwrap.wrap(text, WIDTH, subsequent_indent=indent, drop_whitespace=True)

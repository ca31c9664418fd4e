"""A deal as a page to watch: one HTML file with everything in it, which asks no network for anything.

The folder `viewer` beside has the template, the style and the scripts; this module puts them together with what
happened in the deal. The words of the events come from `nertsim.replay.text`.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import html
import json
import os
import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from nertsim.errors import UsageError, reason
from nertsim.replay.table import Table
from nertsim.replay.text import deal_title, sentences
from nertsim.replay.versus import check_same_deal, parting

SCRIPTS = tuple(
    f"{name}.js" for name in ("cards", "deal", "layout", "elements", "flights", "stage", "side", "player", "main")
)
"""In this order: each uses names of those before it."""
FIELDS = ("t", "motion", "seat", "hand", "action", "result", "card", "from", "to", "count", "as", "stock", "words")
"""Of an action in the page: as in the trace, but for `motion`, µs from lift to landing, and `words`, the sentence."""

Record = Mapping[str, Any]


def deal_page(
    records: Sequence[Record],
    scores: Sequence[int] | None = None,
    versus: Sequence[Record] | None = None,
    follow: int | None = None,
) -> str:
    """The page of a deal, from the lines of its trace; with `versus`, a trace of the same deal, of both side by side.

    `scores` are the points of each seat at the start, `follow` the seat that is followed at first. UsageError for
    traces of two deals, and for a seat that does not exist.
    """
    if follow is not None and not 0 <= follow < len(records[0]["seats"]):
        raise UsageError(f"there is no seat {follow} to follow: seats are 0 to {len(records[0]['seats']) - 1}")
    traces = [records]
    if versus is not None:
        check_same_deal(records, versus)
        traces.append(versus)
    title = deal_title(records[0], scores)
    data = {
        "title": title,
        "rules": records[0]["rules"],
        "decks": [seat["deck"] for seat in records[0]["seats"]],
        "points": scores,
        "fields": FIELDS,
        "deals": [_deal(trace) for trace in traces],
        "part": None if versus is None else parting(records, versus),
        "follow": follow,
    }
    style = _file("viewer.css")
    script = "\n".join(map(_file, SCRIPTS))
    parts = {
        "title": html.escape(title),
        "policy": f"default-src 'none'; img-src data:; style-src '{_hash(style)}'; script-src '{_hash(script)}'",
        "style": style,
        "data": script_json(data),
        "script": script,
    }
    # In one pass, so that nothing that was put in is looked at again.
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], _file("page.html"))


def _deal(records: Sequence[Record]) -> dict[str, Any]:
    """What the page has to know of one trace."""
    header = records[0]
    rows = []
    for record, words in sentences(records[1:-1], Table(header)):
        values = {**record, "motion": record["t"] - record["lifted"], "words": words}
        rows.append([values.get(field) for field in FIELDS])
    seats = [{"bot": seat["bot"], "hands": seat["hands"]} for seat in header["seats"]]
    return {"seats": seats, "actions": rows, "score": records[-1]}


def script_json(value: Any) -> str:
    """JSON that can stand inside a script element: ASCII, and without a character that HTML takes for its own."""
    text = json.dumps(value, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _file(name: str) -> str:
    return (files("nertsim.replay") / "viewer" / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """What a content security policy calls an inline style or script that it lets in."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def write_page(path: str | os.PathLike[str], page: str) -> None:
    """Writes a page beside and renames it, so that it is there as a whole or not at all; UsageError where that fails.

    What is no ordinary file, as /dev/stdout, is written to.
    """
    try:
        target = Path(os.path.realpath(path))
        if target.exists() and not target.is_file():
            target.write_text(page, encoding="utf-8")
        else:
            _write_beside(target, page)
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot write '{os.fspath(path)}': {reason(error)}") from None


def _write_beside(target: Path, page: str) -> None:
    beside = target.with_name(target.name + ".part")
    try:
        beside.write_text(page, encoding="utf-8")
        os.replace(beside, target)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
        raise

"""How results are printed: tables for people, CSV and JSON for programs. Data go to stdout, all else to stderr."""

from __future__ import annotations

import csv
import io
import json
import math
import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from nertsim.report.words.numbers import duration as duration
from nertsim.report.words.numbers import number as number
from nertsim.report.words.numbers import percent as percent

if TYPE_CHECKING:
    from rich.table import Table

WIDTH = 80
"""Columns of a table where stdout is no terminal."""
COMMENT_WIDTH = 100
LABEL_WIDTH = 16


def note(text: str) -> None:
    """A line for the person, on stderr."""
    click.echo(text, err=True)


def print_json(value: Any) -> None:
    """JSON on stdout; what is not a number is null."""
    click.echo(json.dumps(_finite(value), indent=2, ensure_ascii=False))


def print_csv(records: Sequence[Mapping[str, Any]]) -> None:
    """CSV on stdout, a header first; what is not a number is left empty."""
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=list(records[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows([_finite(dict(record)) for record in records])
    click.echo(text.getvalue(), nl=False)


def print_records(records: Sequence[Mapping[str, Any]], form: str, key: str) -> None:
    """Records as a table, CSV, or JSON under one key."""
    if form == "json":
        print_json({key: list(records)})
    elif form == "csv":
        print_csv(records)
    else:
        table = make_table(list(records[0]))
        for record in records:
            table.add_row(*[str(value) for value in record.values()])
        print_tables(table)


def print_summary(summary: Mapping[str, Any], form: str, parts: Callable[[Mapping[str, Any]], Sequence[Any]]) -> None:
    """A summary as JSON, its seats as CSV, or the tables and lines that `parts` makes of it."""
    if form == "json":
        print_json(summary)
    elif form == "csv":
        from nertsim.tables import flat_record

        print_csv([flat_record(record) for record in summary["seats"]])
    else:
        print_tables(*parts(summary))


def make_table(columns: Sequence[str], numbers: Sequence[str] = (), title: str | None = None) -> Table:
    """An empty table; the columns in `numbers` are set to the right and never broken."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(title) if title else None, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    table.padding = (0, 1, 0, 0)
    for name in columns:
        number = name in numbers
        table.add_column(Text(name), justify="right" if number else "left", no_wrap=number, overflow="fold")
    return table


def bot_cell(label: str) -> str:
    """The label of a bot in lines that a table has room for: broken after commas, and before them nowhere."""
    lines = [""]
    for word in re.findall(r"[^,]*,?", label):
        if lines[-1] and len(lines[-1]) + len(word) > LABEL_WIDTH:
            lines.append("")
        lines[-1] += word
    return "\n".join(lines)


def print_tables(*parts: Any) -> None:
    """Tables and lines on stdout, as wide as the terminal."""
    import sys

    from rich.console import Console

    # Into a text first: rich would swallow a closed pipe, which the group has to see.
    terminal = sys.stdout.isatty()
    console = Console(file=sys.stdout, width=None if terminal else WIDTH, highlight=False, markup=False, emoji=False)
    with console.capture() as captured:
        for part in parts:
            console.print(part)
    lines = "\n".join(line.rstrip() for line in captured.get().splitlines())
    click.echo(re.sub("\n{3,}", "\n\n", lines).strip("\n"))


def toml_comment(text: str) -> str:
    """A sentence as a comment above TOML, in lines of a readable width."""
    return "".join(f"# {line}\n" for line in textwrap.wrap(text, COMMENT_WIDTH, break_on_hyphens=False))


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {name: _finite(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value]
    return value

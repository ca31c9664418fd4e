"""``nertsim selftest``: the tool's own error rates, beside what it states."""

from __future__ import annotations

from typing import Any

import click

from nertsim.cli.options import COUNT, debug_option, format_option, seed_option
from nertsim.cli.output import make_table, note, number, print_csv, print_json, print_tables


@click.command("selftest", short_help="The tool's own error rates, simulated.")
@click.option(
    "-n", "--comparisons", type=COUNT, default="2k", show_default=True, metavar="N", help="Comparisons a method."
)
@seed_option
@format_option()
@debug_option
def command(comparisons: int, seed: int | None, form: str) -> None:
    """Simulate thousands of comparisons whose truth is known, and say how often each method is wrong.

    Ends with code 1 if a rate is off what is stated, by more than half a percentage point and chance.

    \b
    Example:
      nertsim selftest --seed 1
    """
    from nertsim.experiments.selftest import selftest
    from nertsim.simulate import draw_seed

    drawn = draw_seed() if seed is None else seed
    records = selftest(comparisons, seed=drawn, report=_told, notice=note)
    if form == "json":
        print_json({"seed": drawn, "methods": records})
    elif form == "csv":
        print_csv(records)
    else:
        numbers = ["stated", "observed"]
        table = make_table(["method", "figure", *numbers, ""], numbers=numbers)
        for record in records:
            table.add_row(record["method"], record["figure"], *_rates(record), "" if record["passed"] else "off")
        print_tables(
            table, f"{comparisons:,} comparisons a method; a rate within 0.005 of what is stated, and chance, passes."
        )
    note(f"seed {drawn}{' (drawn)' if seed is None else ''}")
    if not all(record["passed"] for record in records):
        click.get_current_context().exit(1)


def _told(record: dict[str, Any]) -> None:
    stated, observed = _rates(record)
    note(f"{record['method']}: {record['figure']} {observed} (stated {stated})")


def _rates(record: dict[str, Any]) -> tuple[str, str]:
    sign = "≥" if record["limit"] < record["stated"] else "≤"
    return f"{sign} {number(record['stated'], 2)}", number(record["observed"], 4)

"""What was found about a bot as plain Python, in words."""

from __future__ import annotations

from typing import Any

from nertsim.check.recorder import Findings, Peek, Raised
from nertsim.check.words import at_line
from nertsim.check.worlds import Outside


def words_of(findings: Findings) -> dict[str, Any]:
    """The findings as a message: verdicts and texts for the steps, and what the bot raised."""
    raised = findings.raised
    return {
        "decisions": findings.decisions,
        "hidden": _hidden(findings),
        "bounds": _bounds(findings),
        "raised": None if raised is None else {"place": str(raised[0])} | raised[1]._asdict(),
        "others": findings.others,
    }


def _hidden(findings: Findings) -> tuple[bool | None, str]:
    if findings.sees is not None:
        place, difference, peek = findings.sees
        return False, (
            f"{place}: {difference}{_peek(peek)}; look only with the words of nertsim.bots.view, and only at what the "
            "counts and lengths say is there"
        )
    if findings.unsteady is not None:
        return None, f"cannot be told: asked the same again it answers otherwise ({findings.unsteady}), see step 8"
    if findings.decisions == 0:
        return None, "cannot be told: it made no decision"
    return True, f"{findings.decisions:,} decisions are the same with all that it may not know replaced"


def _peek(peek: Peek | None) -> str:
    return "" if peek is None else f": {at_line(peek.line)}reads {peek.name}[{peek.position}]"


def _bounds(findings: Findings) -> tuple[bool | None, str]:
    raised = findings.raised
    if findings.outside is not None:
        place, outside = findings.outside
        return False, f"{place}: {_outside(outside)}"
    if raised is not None and raised[1].is_index:
        return False, f"{raised[0]}: {error_text(raised[1])}; compiled, it goes on with whatever lies there"
    if findings.decisions == 0:
        return None, "cannot be told: it made no decision"
    return True, f"in {findings.decisions:,} decisions nothing beyond its view, parameters and scratch"


def _outside(outside: Outside) -> str:
    did = "writes to" if outside.written else "reads"
    has = f"{at_line(outside.line)}{did} {outside.name}[{outside.position}]"
    if isinstance(outside.position, float):
        return f"{has}, which is no whole number: divide with // instead of /"
    if outside.name == "parameters":
        return f"{has}, but it has {outside.size} parameters{_up_to(outside.size)}"
    if outside.name == "scratch":
        return f"{has}, which has {outside.size} numbers{_up_to(outside.size)}"
    return f"{has}, which has {outside.size:,} numbers: a seat, pile, position or number that is too large or below 0"


def _up_to(size: int) -> str:
    return f" (0 to {size - 1})" if size else ""


def error_text(raised: Raised) -> str:
    """What was raised, with its line."""
    return f"{at_line(raised.line)}raises {raised.kind}: {raised.text}"

"""Words that both the process that checks and its children use."""

from __future__ import annotations


def at_line(line: int) -> str:
    """``"line 12 "``; nothing where the line is not known."""
    return f"line {line} " if line else ""

"""numba's errors in one line, for people who write bots."""

from __future__ import annotations

import re
from collections.abc import Callable

LINE = re.compile(r'File "([^"]*)", line (\d+)')
BOILERPLATE = re.compile(r"Failed in \w+ mode pipeline|During: |File |There are \d+ candidate|- Of which|>>> |\s*$")

HINTS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (
        re.compile(r"(?:setitem|inplace\w*)[^\n]*\n(?:[^\n]*\n){0,4}?[^\n]*Vector\(\w+, readonly"),
        lambda _: "it writes to the view or the parameters, which are read only (scratch is for what it wants to keep)",
    ),
    (
        re.compile(r"Untyped global name '(\w+)':[^\n]*\n?[^\n]*<class 'function'>"),
        lambda found: f"{found[1]} is a plain Python function: put @nertsim.helper above it",
    ),
    (
        re.compile(r"Untyped global name '(\w+)':[^\n]*type of ([^\n]*)"),
        lambda found: (
            f"{found[1]} is {found[2].strip()}: a bot can use numbers, tuples of numbers and numpy arrays only"
        ),
    ),
    (re.compile(r"NameError: (name '\w+' is not defined)"), lambda found: found[1]),
)
"""What a message is recognised by, and what it is called here."""


def explain(message: str, file: str) -> str:
    """The line of `file` that a message of numba's points to, and what is wrong there."""
    lines = [int(number) for name, number in LINE.findall(message) if name.endswith(file)]
    where = f"line {lines[-1]}: " if lines else ""
    return where + _what(message)


def _what(message: str) -> str:
    for pattern, text in HINTS:
        found = pattern.search(message)
        if found:
            return text(found)
    said = [line.strip() for line in message.splitlines() if not BOILERPLATE.match(line.strip())]
    return said[0] if said else message.strip().splitlines()[0]

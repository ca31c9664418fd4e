"""numba's errors in one line, for people who write bots."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

LINE = re.compile(r'File "([^"]*)", line (\d+)|(?:Raised from|raised from|at) (\S+) \((\d+)\)')
BOILERPLATE = re.compile(
    r"Failed in \w+ mode pipeline|During: |File |There are \d+ candidate|- Of which|>>> |Raised from None|\s*$"
)
UNKNOWN = re.compile(r"name '(\w+)' is not defined|has no attribute '(\w+)'")
COPYABLE = "a bot can use numbers, tuples of numbers and numpy arrays only"
CLASS = re.compile(r"<class '(?:.*[.])?([^.']+)'>")
KEPT = "what it wants to keep goes into scratch"
WORDS = "look with the words of nertsim.bots.view, as in action(view, 0)"
LOOP = "write a for loop"

TYPES: tuple[tuple[str, str], ...] = (
    (r".*\bgenerator\(.*", "a generator (it has a yield)"),
    (r"Literal\[int\]\(.*?\)", "an integer"),
    (r"u?int\d+", "an integer"),
    (r"float\d+", "a float"),
    (r"Literal\[str\]\(.*?\)", "a text"),
    (r"unicode_type", "a text"),
    (r"(?:Literal\[)?bool(?:ean)?.*", "True or False"),
    (r"none|NoneType", "nothing (None)"),
    (r"(?:omitted|OptionalType|Optional)\(.*\)", "nothing (None) on some path"),
    (r"(?:reflected )?[Ll]ist.*", "a list"),
    (r"(?:reflected )?[Ss]et.*", "a set"),
    (r"DictType.*", "a dict"),
    (r"(?:Uni)?Tuple\(.*", "a tuple"),
    (r"(?:readonly )?array\(.*", "an array"),
    (r"View\(.*", "the view"),
    (r"Vector\(.*", "a part of the view or a vector"),
)
"""What numba calls a type, and what it is called here."""


def type_text(name: Any) -> str:
    """A type of numba's in words."""
    for pattern, text in TYPES:
        if re.fullmatch(pattern, str(name).strip(), re.DOTALL):
            return text
    return f"a value of type {name}"


def _says(text: str) -> Callable[[re.Match[str]], str]:
    return lambda found: text.format(*(one or "" for one in found.groups()))


def _global(found: re.Match[str]) -> str:
    name, kind = found[1], found[2].strip()
    if "'function'" in kind:
        return f"{name} is a plain Python function: put @nertsim.helper above it"
    if "builtin" in kind or "'type'" in kind:
        return f"{name} cannot be used in compiled code"
    return f"{name} is of the type {CLASS.sub(lambda one: one[1], kind)}: {COPYABLE}"


def _binding(found: re.Match[str]) -> str:
    return f"a function that takes {found[1]} is called with other arguments: {found[2]}"


def _unified(found: re.Match[str]) -> str:
    return f"{found[3]} is {type_text(found[1])} in one place and {type_text(found[2])} in another"


def _returned(found: re.Match[str]) -> str:
    kinds = dict.fromkeys(type_text(one) for one in re.split(r", (?=[A-Za-z ]+(?:\[|\(|\d|$))", found[1]))
    return f"it returns {' here and '.join(kinds)} there: it must return an integer everywhere"


def _operation(found: re.Match[str]) -> str:
    operands = [type_text(one) for one in re.split(r", (?![^(\[<]*[)\]>])", found[2])]
    return f"{found[1]} cannot be done with {' and '.join(operands)}"


HINTS: tuple[tuple[str, Callable[[re.Match[str]], str]], ...] = (
    (
        r"(?:setitem|inplace\w*)[^\n]*\n(?:[^\n]*\n){0,4}?[^\n]*Vector\(\w+, readonly",
        _says("it writes to the view or the parameters, which are read only (scratch is for what it wants to keep)"),
    ),
    (
        r"No definition for lowering View\(.*\)\.(\w+) =",
        _says("it assigns to view.{0}, which is read only (scratch is for what it wants to keep)"),
    ),
    (r"Cannot modify readonly array", _says(f"it writes to an array outside of it, which is a constant; {KEPT}")),
    (r"STORE_GLOBAL|DELETE_GLOBAL", _says(f"it changes a global variable; {KEPT}")),
    (r"IMPORT_NAME|IMPORT_FROM", _says("it imports inside of the function: import at the top of the file")),
    (r"Use of unsupported opcode \((\w+)\)", _says("it does what compiled code cannot ({0})")),
    (r"(The '[^']*' construct) is not supported", _says("{0} cannot be used in compiled code")),
    (r"Untyped global name '(\w+)':[^\n]*type of ([^\n]*)", _global),
    (r"Untyped global name '(\w+)':[^\n]*\n?[^\n]*(<class '\w+'>)", _global),
    (r"assigned to variable '(\w+)' in globals", _says(f"{{0}} is a list or the like: {COPYABLE}")),
    (r"(name '\w+' is not defined)", _says("{0}")),
    (r"(local variable '\w+') referenced before", _says("{0} is used before it has a value")),
    (r"(module '[\w.]+' has no attribute '\w+')", _says("{0}")),
    (r"Unknown attribute '(\w+)' of type View", _says(f"the view has no '{{0}}': {WORDS}")),
    (
        r"Unknown attribute '(\w+)' of type Module\(<module '([\w.]+)'",
        _says("{1}.{0} is unknown to compiled code"),
    ),
    (r"Unknown attribute '(\w+)' of type ([^\n]*)", lambda found: f"{type_text(found[2])} has no '{found[1]}'"),
    (r"Cannot bind '.*?' to signature '(\([^']*\))' due to \"\w+: ([^\n]*)\"", _binding),
    (r"[Cc]an(?:not|'t) unify return type from the following types: ([^\n]*)", _returned),
    (r"Cannot unify ([^\n]*) and ([^\n]*) for '(\w+)[.\d]*'", _unified),
    (
        r"Cannot infer the type of variable '(\w+)[.\d]*', have imprecise type: (\w+)",
        _says("{0} is an empty {1}, and nothing says of what: use numbers, or np.zeros(length)"),
    ),
    (
        r"[Uu]se of yield in a closure",
        _says(f"a generator, as in sum(… for …) or max(… for …), cannot be compiled: {LOOP}"),
    ),
    (
        r"Cannot capture the non-constant value associated with variable '(\w+)'",
        _says(f"a function inside of the function, or a lambda, uses {{0}}: {LOOP}, or a helper above"),
    ),
    (
        r"Exception matching is limited",
        _says("except can name nothing but Exception in compiled code: look before instead, as in if count > 0"),
    ),
    (
        r">>> getitem\(Vector\(float64",
        _says("parameters and scratch go by position, not by name: parameters[0] is the first one"),
    ),
    (r">>> (?:getitem|len)\((?:Vector|View)\(", _says(f"the view has no slices, lengths or keys: {WORDS}")),
    (r">>> (\w+)\(([^\n]*)\)\s*\n", _operation),
)
"""What a message is recognised by, and what it is called here; the first that is found counts."""


def explain(message: str, file: Path) -> str:
    """The line of `file` that a message of numba's points to, and what is wrong there."""
    line = _line(message, file)
    return f"{f'line {line}: ' if line else ''}{_what(message)}"


def _line(message: str, file: Path) -> int | None:
    """The first line that has the name that is unknown, or else the innermost line that is named."""
    unknown = UNKNOWN.search(message)
    used = None if unknown is None else _first_use(unknown[1] or unknown[2], file)
    if used is not None:
        return used  # of these numba names at best the call of the helper that has it
    for match in LINE.finditer(message):
        name, number = match[1] or match[3], match[2] or match[4]
        if Path(name).name == file.name:
            return int(number)
    return None


def _first_use(name: str, file: Path) -> int | None:
    try:
        tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return None
    names = [
        node.lineno
        for node in ast.walk(tree)
        if (isinstance(node, ast.Name) and node.id == name) or (isinstance(node, ast.Attribute) and node.attr == name)
    ]
    return min(names, default=None)


def _what(message: str) -> str:
    for pattern, text in HINTS:
        found = re.search(pattern, message)
        if found:
            return text(found)
    said = [line.strip() for line in message.splitlines() if not BOILERPLATE.match(line.strip())]
    return said[0] if said else (message.strip().splitlines() or ["numba does not say why"])[0]

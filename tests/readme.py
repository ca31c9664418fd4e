"""The examples of README.md: found, run, and (``python -m tests.readme``) written back with their output.

A ``console`` block holds commands after ``$`` with the stdout of each below it; a lone ``…`` stands for lines left out.
A ``python`` block is run as it stands; its stdout is the ``text`` block right below it. All run in one folder, in
order.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
LEFT_OUT = "…"
HEAD, TAIL = 16, 9
"""Lines that stay of an output with lines left out."""

_BLOCK = re.compile(r"^```(console|python)\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)


@dataclass
class Example:
    """A command (or a Python program) and the lines that it prints by the README."""

    language: str
    code: str
    shown: list[str] = field(default_factory=list)

    def run(self, folder: Path, change: Callable[[str], str] = str) -> subprocess.CompletedProcess[str]:
        """Runs it in a folder; `change` may change the code before."""
        environment = os.environ | {"PYTHONPATH": str(ROOT), "COLUMNS": "80"}
        environment["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        start = [sys.executable, "-c"] if self.language == "python" else ["bash", "-o", "pipefail", "-c"]
        words = [*start, change(self.code)]
        return subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True)

    def is_shown(self, output: str) -> bool:
        """Whether the README shows this output."""
        lines = output.splitlines()
        if LEFT_OUT not in self.shown:
            return self.shown == lines
        gap = self.shown.index(LEFT_OUT)
        head, tail = self.shown[:gap], self.shown[gap + 1 :]
        return lines[: len(head)] == head and lines[len(lines) - len(tail) :] == tail

    def show(self, output: str) -> None:
        """Takes over an output, with lines left out where they were left out before."""
        lines = output.splitlines()
        self.shown = [*lines[:HEAD], LEFT_OUT, *lines[-TAIL:]] if LEFT_OUT in self.shown else lines


def examples(text: str) -> list[list[Example]]:
    """The examples of each block."""
    return [_read(*match.groups()) for match in _BLOCK.finditer(text)]


def _read(language: str, body: str, output: str | None) -> list[Example]:
    if language == "python":
        return [Example(language, body, (output or "").splitlines())]
    found: list[Example] = []
    for line in body.splitlines():
        if line.startswith("$ "):
            found.append(Example(language, line[2:]))
        else:
            found[-1].shown.append(line)
    return found


def _write(block: list[Example]) -> str:
    if block[0].language == "python":
        output = "".join(f"{line}\n" for line in block[0].shown)
        return f"```python\n{block[0].code}```\n" + (f"\n```text\n{output}```\n" if output else "")
    lines = [line for example in block for line in (f"$ {example.code}", *example.shown)]
    return "```console\n" + "".join(f"{line}\n" for line in lines) + "```\n"


def renew() -> None:
    """Runs all examples and writes their output into the README."""
    text = README.read_text(encoding="utf-8")
    blocks = examples(text)
    with tempfile.TemporaryDirectory() as folder:
        for example in (example for block in blocks for example in block):
            done = example.run(Path(folder))
            if done.returncode:
                sys.exit(f"{example.code}\nfailed: {done.stderr}")
            example.show(done.stdout)
    written: Iterator[str] = map(_write, blocks)
    README.write_text(_BLOCK.sub(lambda match: next(written), text), encoding="utf-8")


if __name__ == "__main__":
    renew()

"""The examples of README.md and BOTS.md: found, run, and (``python -m tests.readme``) written back with their output.

A ``console`` block holds commands after ``$`` with the stdout of each below it; a lone ``…`` stands for lines left out,
and a last line that begins with ``Error:`` for a command that is to fail so. A ``python`` block is run as it stands;
its stdout is the ``text`` block right below it. A block below ``<!-- file: NAME -->`` is written into that file. All of
a page run in one folder, in order.
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
PAGES = (README, ROOT / "BOTS.md")
LEFT_OUT = "…"
HEAD, TAIL = 16, 9
"""Lines that stay of an output with lines left out."""

_BLOCK = re.compile(
    r"^(?:<!-- file: (\S+) -->\n)?```(console|python|toml)\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?",
    re.MULTILINE | re.DOTALL,
)


@dataclass
class Example:
    """A command, a Python program or a file, and the lines that it prints by the page."""

    language: str
    code: str
    shown: list[str] = field(default_factory=list)
    file: str | None = None

    @property
    def fails(self) -> bool:
        """True where the page shows that it is refused."""
        return bool(self.shown) and self.shown[-1].startswith("Error: ")

    def run(self, folder: Path, change: Callable[[str], str] = str) -> subprocess.CompletedProcess[str]:
        """Runs it in a folder; `change` may change the code before. What is to fail shows its stderr."""
        environment = os.environ | {"PYTHONPATH": str(ROOT), "COLUMNS": "80"}
        environment["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        if self.file is not None:
            (folder / self.file).write_text(self.code, encoding="utf-8")
            return subprocess.CompletedProcess([], 0, "", "")
        start = [sys.executable, "-c"] if self.language == "python" else ["bash", "-o", "pipefail", "-c"]
        words = [*start, change(self.code)]
        done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True)
        if self.fails and done.returncode in (1, 2):
            return subprocess.CompletedProcess(words, 0, done.stderr, "")
        return done

    def is_shown(self, output: str) -> bool:
        """Whether the page shows this output."""
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


def _read(file: str | None, language: str, body: str, output: str | None) -> list[Example]:
    if file is not None or language == "toml":
        return [Example(language, body, file=file or "unnamed.toml")]
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
    output = "".join(f"{line}\n" for line in block[0].shown)
    return f"```python\n{block[0].code}```\n" + (f"\n```text\n{output}```\n" if output else "")


def _write_commands(block: list[Example]) -> str:
    lines = [line for example in block for line in (f"$ {example.code}", *example.shown)]
    return "```console\n" + "".join(f"{line}\n" for line in lines) + "```\n"


def renew(page: Path) -> None:
    """Runs all examples of a page and writes their output into it."""
    text = page.read_text(encoding="utf-8")
    blocks = examples(text)
    with tempfile.TemporaryDirectory() as folder:
        for example in (example for block in blocks for example in block):
            done = example.run(Path(folder))
            if done.returncode:
                sys.exit(f"{example.code}\nfailed: {done.stderr}")
            example.show(done.stdout)
    waiting: Iterator[list[Example]] = iter(blocks)
    page.write_text(_BLOCK.sub(lambda match: _renewed(match[0], next(waiting)), text), encoding="utf-8")


def _renewed(text: str, block: list[Example]) -> str:
    if block[0].file is not None:
        return text
    return _write(block) if block[0].language == "python" else _write_commands(block)


if __name__ == "__main__":
    for one in PAGES:
        renew(one)

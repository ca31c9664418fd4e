"""README.md: its commands work, its output is real, what it links to is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .readme import README, ROOT, Example, examples

TEXT = README.read_text(encoding="utf-8")


def all_examples() -> list[Example]:
    return [example for block in examples(TEXT) for example in block]


def fewer_deals(code: str) -> str:
    return re.sub(r"(-n |deals=)(100k|10k|10_000)\b", r"\g<1>2000", code).replace("0:200", "0:5")


def test_the_examples_are_found() -> None:
    found = all_examples()
    assert sum(example.code.startswith("nertsim simulate") for example in found) >= 4
    assert sum(example.language == "python" for example in found) >= 2
    shown = {example.code.split()[1] for example in found if example.language == "console"}
    assert {"simulate", "replay", "bots", "rules", "tempos"} <= shown


def test_every_example_runs(tmp_path: Path) -> None:
    for example in all_examples():
        done = example.run(tmp_path, fewer_deals)
        assert done.returncode == 0, f"{example.code}\n{done.stderr}"
        assert "Error" not in done.stderr
        assert bool(done.stdout) == bool(example.shown), example.code


@pytest.mark.slow
def test_every_example_prints_what_the_readme_shows(tmp_path: Path) -> None:
    for example in all_examples():
        done = example.run(tmp_path)
        assert done.returncode == 0, f"{example.code}\n{done.stderr}"
        assert example.is_shown(done.stdout), f"{example.code}\n{done.stdout}\npython -m tests.readme renews the README"


def test_links_lead_to_files() -> None:
    for link in re.findall(r"\]\(([^)#:]+)\)", TEXT):
        assert (ROOT / link).exists(), link


def test_the_first_command_is_the_example_below_it() -> None:
    setup, testing = re.findall(r"^python3 -m venv .*", TEXT, re.MULTILINE)
    command = setup.rpartition("/")[2]
    assert command in [example.code for example in all_examples()]
    # CI sets up and tests by the second one, in a virtual environment of its own.
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    for words in testing.replace(".venv/bin/", "$bin/").split(" && ")[1:]:
        assert words in ci, f"{words} is not in .ci/run"

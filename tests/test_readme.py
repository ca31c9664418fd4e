"""README.md and BOTS.md: their commands work, their output is real, what they link to is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from nertsim.bots import view

from .readme import PAGES, README, ROOT, Example, examples

TEXT = README.read_text(encoding="utf-8")
NAMES = [page.name for page in PAGES]
pages = pytest.mark.parametrize("page", PAGES, ids=NAMES)


def all_examples(page: Path = README) -> list[Example]:
    return [example for block in examples(page.read_text(encoding="utf-8")) for example in block]


def fewer_deals(code: str) -> str:
    return re.sub(r"(-n |deals=)(2M|100k|10k|10_000)\b", r"\g<1>2000", code).replace("0:200", "0:5")


def test_the_examples_are_found() -> None:
    found = all_examples()
    assert sum(example.code.startswith("nertsim simulate") for example in found) >= 4
    assert sum(example.language == "python" for example in found) >= 2
    shown = {example.code.split()[1] for example in found if example.language == "console"}
    assert {"simulate", "replay", "bots", "rules", "tempos"} <= shown
    assert sum(example.file is not None for example in all_examples(ROOT / "BOTS.md")) >= 3
    assert sum(example.fails for example in all_examples(ROOT / "BOTS.md")) >= 2


@pages
def test_every_example_runs(tmp_path: Path, page: Path) -> None:
    for example in all_examples(page):
        done = example.run(tmp_path, fewer_deals)
        assert done.returncode == 0, f"{example.code}\n{done.stderr}"
        assert "Error" not in done.stderr
        assert bool(done.stdout) == bool(example.shown), example.code


@pytest.mark.slow
@pages
def test_every_example_prints_what_the_page_shows(tmp_path: Path, page: Path) -> None:
    for example in all_examples(page):
        done = example.run(tmp_path)
        assert done.returncode == 0, f"{example.code}\n{done.stderr}"
        assert example.is_shown(done.stdout), f"{example.code}\n{done.stdout}\npython -m tests.readme renews the page"


@pages
def test_links_lead_to_files(page: Path) -> None:
    for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
        assert (ROOT / link).exists(), link


def test_every_word_of_the_view_is_explained() -> None:
    text = (ROOT / "BOTS.md").read_text(encoding="utf-8")
    assert [name for name in view.__all__ if not re.search(rf"`{name}\b", text)] == []


def test_the_first_command_is_the_example_below_it() -> None:
    setup, testing = re.findall(r"^python3 -m venv .*", TEXT, re.MULTILINE)
    command = setup.rpartition("/")[2]
    assert command in [example.code for example in all_examples()]
    # CI sets up and tests by the second one, in a virtual environment of its own.
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    for words in testing.replace(".venv/bin/", "$bin/").split(" && ")[1:]:
        assert words in ci, f"{words} is not in .ci/run"

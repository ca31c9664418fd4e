"""The notebooks: they run from top to bottom, and what they show is what they print today."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest

from .notebooks import NOTEBOOKS, code_cells, executed, read, shown

MOST_BYTES = 500_000
RENEW = "`python -m tests.notebooks` renews the notebooks"
VOLATILE = re.compile(r"made_by|\bseconds?\b|deals_per_second")
"""Lines that may differ: times, speeds, versions."""

notebooks = pytest.mark.parametrize("file", NOTEBOOKS, ids=[file.stem for file in NOTEBOOKS])


def test_the_notebooks_are_found() -> None:
    assert [file.stem for file in NOTEBOOKS] == ["tune_a_bot", "what_wins"]


@notebooks
def test_a_notebook_is_valid_and_was_run_from_top_to_bottom(file: Path) -> None:
    book = read(file)
    nbformat.validate(book)
    cells = code_cells(book)
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1)), RENEW
    outputs = [output for cell in cells for output in cell.outputs]
    assert any("image/png" in output.get("data", {}) for output in outputs), RENEW
    assert [output for output in outputs if output.output_type == "error"] == []
    # Warnings and what the library tells on stderr have no place in it.
    assert [output.text for output in outputs if output.get("name") == "stderr"] == []
    for cell in cells:
        assert cell.outputs or not prints(cell.source), f"{cell.source}\n{RENEW}"


@notebooks
def test_a_notebook_holds_nothing_of_the_computer_it_was_run_on(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert len(text) <= MOST_BYTES
    assert re.findall(r"/(?:home|root|tmp|Users|work|private|var)/\w*", text) == []
    assert "iopub" not in text  # times of execution


@notebooks
def test_every_code_cell_is_told_about(file: Path) -> None:
    book = read(file)
    assert book.cells[0].cell_type == "markdown"
    assert book.cells[-1].cell_type == "markdown"
    # At most what computes and what draws it stand together.
    kinds = "".join(cell.cell_type[0] for cell in book.cells)
    assert "cccc" not in kinds


@pytest.mark.slow
@notebooks
def test_a_notebook_runs_and_shows_what_it_showed(file: Path, tmp_path: Path) -> None:
    fresh, kept = code_cells(executed(file, tmp_path)), code_cells(read(file))
    for now, before in zip(fresh, kept, strict=True):
        assert steady(shown(now)) == steady(shown(before)), f"{before.source}\n{RENEW}"


def prints(source: str) -> bool:
    """True for a cell that shows something: it prints, draws, or ends with a value."""
    last = source.rstrip().splitlines()[-1]
    value = re.match(r"^(?:[\w.\[\]]+|\(.*\)\.[\w.]+\(.*\))$", last)
    return "print(" in source or "plt.show()" in source or value is not None


def steady(lines: list[str]) -> list[str]:
    """The lines that do not change from run to run."""
    return [line for line in lines if not VOLATILE.search(line)]

"""The notebooks: executed, compared, and (``python -m tests.notebooks``) written back with their output.

They run in a new folder, so that nothing they write stays. Times and other things that change from run to run are left
out of what is saved.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
NOTEBOOKS = tuple(sorted((ROOT / "notebooks").glob("*.ipynb")))
CELL_SECONDS = 300
"""The most that a cell may take."""


def read(file: Path) -> Any:
    """The notebook in a file."""
    import nbformat

    return nbformat.read(file, as_version=4)


def executed(file: Path, folder: Path) -> Any:
    """A copy of the notebook, run in a folder; nbclient's `CellExecutionError` for a cell that fails."""
    from nbclient import NotebookClient

    book = read(file)
    for cell in code_cells(book):
        cell.outputs, cell.execution_count = [], None
    client = NotebookClient(
        book,
        timeout=CELL_SECONDS,
        kernel_name="python3",
        record_timing=False,
        extra_arguments=["--log-level=40"],  # that it listens on this computer is nothing to be warned of
        resources={"metadata": {"path": str(folder)}},
    )
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST")}
    paths = [str(ROOT), *filter(None, [environment.get("PYTHONPATH")])]
    client.execute(env=environment | {"PYTHONPATH": os.pathsep.join(paths), "MPLBACKEND": INLINE})
    # What a computer has, and does not matter.
    book.metadata.pop("widgets", None)
    book.metadata.language_info = {"name": "python"}
    return book


INLINE = "module://matplotlib_inline.backend_inline"


def code_cells(book: Any) -> list[Any]:
    """The cells that are run."""
    return [cell for cell in book.cells if cell.cell_type == "code"]


def shown(cell: Any) -> list[str]:
    """The text that a cell printed or showed, by line; of a table its text, of a figure that there is one."""
    texts = list(_texts(cell))
    return [line.rstrip() for text in texts for line in text.splitlines()]


def _texts(cell: Any) -> Iterator[str]:
    printed = ""
    for output in cell.outputs:
        if output.output_type == "stream":
            printed += output.text
        elif "image/png" in output.data:
            yield "(a figure)"
        else:
            yield output.data.get("text/plain", "")
    yield printed


def renew(file: Path) -> None:
    """Runs a notebook and writes it back with what it shows."""
    import nbformat

    with tempfile.TemporaryDirectory() as folder:
        book = executed(file, Path(folder))
    nbformat.write(book, file)


if __name__ == "__main__":
    chosen = [file for file in NOTEBOOKS if not sys.argv[1:] or file.stem in sys.argv[1:]]
    for one in chosen:
        renew(one)

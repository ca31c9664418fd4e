"""Bot files for tests: small ones, put where a test wants them, and shells to play them in."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import nertsim

ROOT = Path(__file__).parent.parent

BOT = """\
import nertsim
from nertsim.bots.view import action_count, wait

ANSWER = {answer}

@nertsim.strategy(parameters={{"hold": nertsim.Parameter(2.0, 0.0, 9.0, "how long it holds a card back")}})
def clever(view, parameters, scratch, noise):
    \"\"\"Answers with one number, and otherwise takes the last action.\"\"\"
    if ANSWER > 0:
        return ANSWER
    return action_count(view) - 1 if action_count(view) > 0 else wait(300_000)
"""
"""A bot that plays, or that answers with a number that is no action: the fault then says which file was played."""


def write_bot(file: Path, text: str = BOT, answer: int = 0) -> Path:
    """Writes a bot file; `answer` is what it returns, if not 0."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text.format(answer=answer) if text is BOT else text, encoding="utf-8")
    return file


def fault_of(bots: str | nertsim.Bot | list[str | nertsim.Bot], **keywords: object) -> str:
    """What is told when these bots play; a text where nothing is wrong."""
    try:
        nertsim.simulate(bots, **({"seats": 1, "deals": 1, "seed": 1} | keywords))  # type: ignore[arg-type]
    except nertsim.NertsimError as error:
        return str(error)
    return "nothing is wrong"


def shell(
    words: list[str], folder: Path, python: Path | None = None, **variables: str
) -> subprocess.CompletedProcess[str]:
    """``nertsim WORDS…`` in a process of its own, in a folder; `python` is searched for modules first."""
    path = os.pathsep.join(str(one) for one in (python, ROOT) if one)
    environment = os.environ | {"PYTHONPATH": path} | variables
    command = [sys.executable, "-m", "nertsim", *words]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120)

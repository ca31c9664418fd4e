"""``python -m tests.referee FILE.jsonl``."""

from . import run

run()

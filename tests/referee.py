"""``python tests/referee.py FILE.jsonl``: check trace files against the model; the checker is the package beside."""

import sys

from referee import main  # the package tests/referee/, which comes before this file on the import path

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""``python -m nertsim``, the same as ``nertsim``."""

from nertsim.cli import main

if __name__ == "__main__":
    main(prog_name="nertsim")

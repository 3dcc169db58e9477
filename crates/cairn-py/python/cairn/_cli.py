"""The program `cairn` as a console script."""

import sys

from ._cairn import main


def run() -> int:
    """Runs the command line of this process."""
    return main(["cairn", *sys.argv[1:]])

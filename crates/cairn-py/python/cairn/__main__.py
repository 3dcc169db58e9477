"""`python -m cairn`: the program."""

from ._cli import run

if __name__ == "__main__":
    raise SystemExit(run())

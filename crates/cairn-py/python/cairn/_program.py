"""The program `cairn` in a process of its own, for what it does with files: runs into folders, pictures, films, pages.

A process of its own hears Ctrl-C by itself, and what it says can be passed on as an exception.
"""

from __future__ import annotations

import subprocess
import sys
from typing import Any

from .errors import CairnError

#: The run has ended, but not within the accuracy that it promises; its results say so.
BROKEN_CONTRACT = 3


def program(*arguments: str, error: type[CairnError] = CairnError, allowed: tuple[int, ...] = (0,)) -> None:
    """Runs the program; raises what it says if it ends with another code than those `allowed`."""
    done = subprocess.run([sys.executable, "-m", "cairn", *arguments], capture_output=True, text=True, encoding="utf-8", check=False)
    if done.returncode not in allowed:
        raise error(done.stderr.strip() or f"cairn {arguments[0]} ended with code {done.returncode}")


def options(given: dict[str, Any]) -> list[str]:
    """Keyword arguments as options: `at=0.5, thrust=True` is `--at 0.5 --thrust`."""
    words: list[str] = []
    for name, value in given.items():
        if value is None or value is False:
            continue
        words.append("--" + name.rstrip("_").replace("_", "-"))
        if value is not True:
            parts = value if isinstance(value, (list, tuple)) else [value]
            words[-1] += "=" + ",".join(str(part) for part in parts)
    return words

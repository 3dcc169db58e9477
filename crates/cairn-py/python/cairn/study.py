"""Studies: a function of parameters over a grid of them, in processes; and the limit of a yes-or-no question."""

from __future__ import annotations

import itertools
import json
import multiprocessing
import sys
import traceback
from collections.abc import Callable, Iterable
from multiprocessing.pool import ThreadPool
from pathlib import Path
from typing import Any


def study(
    function: Callable[..., dict[str, Any]],
    *,
    processes: int | None = None,
    folder: str | Path | None = None,
    progress: bool = True,
    **parameters: Iterable[Any],
) -> Any:
    """Calls `function` with each combination of the parameters; a pandas DataFrame (without pandas: a list of dictionaries) of the
    parameters and of what it gave. A case that raises is a row with its `error`. With a `folder` each case is kept as JSON, and a
    study that was killed goes on where it was.

    Cases are spread over `processes` (by default as many as there are cores). A function that other processes cannot import, such
    as one of a notebook, is called in as many threads instead: simulations with `threads=1` run side by side there as well."""
    names = list(parameters)
    cases = [dict(zip(names, values)) for values in itertools.product(*parameters.values())]
    kept = Path(folder) if folder is not None else None
    if kept is not None:
        kept.mkdir(parents=True, exist_ok=True)
    jobs = [(function, case, str(kept / f"case-{k}.json") if kept is not None else None) for k, case in enumerate(cases)]
    rows: list[dict[str, Any]] = []
    if processes == 1:
        for k, job in enumerate(jobs):
            rows.append(_one(job))
            _tell(progress, k + 1, len(jobs))
    else:
        # Started afresh, not forked: threads of this process would not be there.
        pool = multiprocessing.get_context("spawn").Pool(processes) if _can_be_imported(function) else ThreadPool(processes)
        with pool:
            for k, row in enumerate(pool.imap(_one, jobs)):
                rows.append(row)
                _tell(progress, k + 1, len(jobs))
    try:
        import pandas
    except ImportError:
        return rows
    return pandas.DataFrame(rows)


def _can_be_imported(function: Callable[..., Any]) -> bool:
    """Will a process that is started afresh find the function by its name?"""
    has_file = function.__module__ != "__main__" or hasattr(sys.modules["__main__"], "__file__")
    return has_file and "<" not in function.__qualname__


def _tell(progress: bool, done: int, all_: int) -> None:
    if progress and sys.stderr.isatty():
        sys.stderr.write(f"\r{done} of {all_} cases" + ("\n" if done == all_ else ""))
        sys.stderr.flush()


def _one(job: tuple[Callable[..., dict[str, Any]], dict[str, Any], str | None]) -> dict[str, Any]:
    function, case, file = job
    path = Path(file) if file is not None else None
    if path is not None and path.exists():
        known: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if known.get("case") == json.loads(json.dumps(case, default=str)):
            return dict(case) | dict(known["row"])
    try:
        row = dict(function(**case)) | {"error": None}
    except Exception as error:  # noqa: BLE001  a case may fail in any way; the others go on
        row = {"error": f"{type(error).__name__}: {error}", "traceback": traceback.format_exc()}
    if path is not None and row["error"] is None:
        path.write_text(json.dumps({"case": case, "row": row}, default=str), encoding="utf-8")
    return dict(case) | row


def limit(question: Callable[[float], bool], *, low: float, high: float, tolerance: float) -> float:
    """The value between `low` and `high` at which the answer changes, by bisection, to `tolerance`."""
    at_low, at_high = question(low), question(high)
    if at_low == at_high:
        raise ValueError(f"the answer is {at_low} at both {low} and {high}: there is no limit between them")
    while high - low > tolerance:
        middle = 0.5 * (low + high)
        if question(middle) == at_low:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)

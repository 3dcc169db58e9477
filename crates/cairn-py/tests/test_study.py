"""Studies and limits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cairn
import pytest


def half(x: float, seed: int) -> dict[str, Any]:
    if x > 2:
        raise ValueError("too much")
    return {"half": 0.5 * x + seed}


def test_a_case_that_fails_is_a_row_and_a_killed_study_goes_on(tmp_path: Path) -> None:
    table = cairn.study(half, x=[1.0, 2.0, 3.0], seed=[0, 1], processes=1, folder=tmp_path, progress=False)
    rows = table if isinstance(table, list) else table.to_dict("records")
    assert len(rows) == 6 and rows[1]["half"] == 1.5
    assert "too much" in rows[4]["error"]
    assert len(list(tmp_path.glob("case-*.json"))) == 4
    again = cairn.study(half, x=[1.0, 2.0, 3.0], seed=[0, 1], processes=2, folder=tmp_path, progress=False)
    assert len(again) == 6


def test_the_limit_of_a_question() -> None:
    assert cairn.limit(lambda x: x > 0.3, low=0.0, high=1.0, tolerance=1e-6) == pytest.approx(0.3, abs=1e-6)
    with pytest.raises(ValueError, match="no limit"):
        cairn.limit(lambda x: True, low=0.0, high=1.0, tolerance=1e-3)


def test_a_function_that_cannot_be_imported_is_called_in_threads() -> None:
    seen: list[float] = []

    def noted(x: float) -> dict[str, float]:
        seen.append(x)
        return {"twice": 2 * x}

    table = cairn.study(noted, x=[1.0, 2.0, 3.0], processes=2, progress=False)
    rows = table if isinstance(table, list) else table.to_dict("records")
    assert [row["twice"] for row in rows] == [2.0, 4.0, 6.0] and sorted(seen) == [1.0, 2.0, 3.0]

"""Notebooks among the examples: run from top to bottom, types checked, kept without outputs."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"
ROOT = EXAMPLES.parent.parent.parent
NOTEBOOKS = sorted(EXAMPLES.glob("*.ipynb"))
NAMES = [path.stem for path in NOTEBOOKS]
# What a notebook needs besides NumPy and what runs it.
NEEDS = {"first_arch": ["matplotlib"], "study": ["matplotlib", "pandas"], "results": ["matplotlib", "pandas", "h5py", "pyvista"]}


def code(path: Path) -> list[dict[str, Any]]:
    return [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=NAMES)
def test_a_notebook_is_kept_without_outputs(path: Path) -> None:
    for cell in code(path):
        assert cell["outputs"] == [] and cell["execution_count"] is None, f"clear the outputs of {path.name}"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=NAMES)
def test_a_notebook_runs_and_shows_pictures(path: Path, tmp_path: Path) -> None:
    for package in ("nbclient", "ipykernel", *NEEDS[path.stem]):
        pytest.importorskip(package)
    import nbclient
    import nbformat

    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    pictures = [output for output in outputs if "image/png" in output.get("data", {})]
    assert len(pictures) >= (1 if path.stem == "study" else 4)


def test_notebooks_pass_a_strict_check_of_types(tmp_path: Path) -> None:
    if importlib.util.find_spec("mypy") is None:
        pytest.skip("mypy is not installed")
    for path in NOTEBOOKS:
        # The last line of a cell may be an expression that is shown; the checker takes it as it is.
        lines = "\n\n".join("".join(cell["source"]) for cell in code(path))
        (tmp_path / f"{path.stem}_notebook.py").write_text(lines, encoding="utf-8")
    files = [str(path) for path in tmp_path.glob("*_notebook.py")]
    command = [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml"), *files]
    paths = os.environ | {"MYPYPATH": str(EXAMPLES.parent / "python")}
    done = subprocess.run(command, cwd=ROOT, env=paths, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr

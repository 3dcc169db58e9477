"""The reference of the module: as the sources are, and complete."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import cairn


def generator() -> ModuleType:
    path = Path(__file__).parent.parent / "generate_api.py"
    spec = importlib.util.spec_from_file_location("generate_api", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_reference_is_that_of_the_sources() -> None:
    made = generator()
    assert made.TARGET.read_text(encoding="utf-8") == made.page(), "run generate_api.py"


def test_everything_public_is_in_the_reference() -> None:
    page = generator().page()
    modules = {"convert", "friction", "generate", "joint", "mesh", "results", "shape"}
    for name in set(cairn.__all__) - modules - {"__version__"}:
        assert f"### `{name}`" in page or f"| `cairn.{name}` |" in page, name
    for name in cairn.generate.__all__:
        assert f"| `cairn.generate.{name}` |" in page, name


def test_everything_public_says_what_it_is() -> None:
    lines = generator().page().split("\n")
    for heading, text in zip(lines, lines[1:]):
        assert not heading.endswith("**  ") or text.strip(), heading
    assert [name for name in cairn.__all__ if not (getattr(cairn, name).__doc__ or "").strip()] == []

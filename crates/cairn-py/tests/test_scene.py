"""Scenes: keys, text and back, errors."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import cairn
import numpy as np
import pytest


def arch(**more: Any) -> cairn.Scene:
    scene = cairn.Scene(dimension=2, gravity=(0, -9.81), time=cairn.Time(step=2e-3, end=0.1), **more)
    scene.materials["stone"] = cairn.Material(density=2500)
    scene.add(cairn.contact("stone", friction=0.7))
    scene.add(cairn.generate.arch(name="arch", material="stone", voussoirs=21, radius=1.0, thickness=0.15))
    return scene


def test_text_and_back_is_the_same_scene(tmp_path: Path) -> None:
    scene = arch(title="Arch")
    again = cairn.Scene.from_toml(scene.to_toml())
    assert again == scene and again.to_dict() == scene.to_dict()
    scene.write(tmp_path / "arch.toml")
    assert cairn.Scene.read(tmp_path / "arch.toml") == scene


def test_bodies_keep_the_order_in_which_they_are_added() -> None:
    scene = arch()
    scene.add(cairn.Body(name="first", material="stone", shape=cairn.shape.disk(radius=0.1), position=(0, 3)))
    scene.add(cairn.generate.arch(name="second", material="stone", voussoirs=5, radius=1.0, thickness=0.2, position=(5, 0)))
    again = cairn.Scene.from_toml(scene.to_toml())
    assert again == scene
    assert again.simulate().names == scene.simulate().names
    assert again.to_toml() == scene.to_toml()


def test_a_misspelt_key_is_refused_with_a_suggestion() -> None:
    with pytest.raises(cairn.SceneError, match="did you mean `friction`"):
        cairn.Contact(between="any", fricton=0.5)  # type: ignore[call-arg]
    contact = cairn.Contact(between="any", friction=0.5)
    with pytest.raises(cairn.SceneError, match="did you mean `friction`"):
        contact.fricton = 0.6  # type: ignore[attr-defined]
    with pytest.raises(cairn.SceneError, match="did you mean `gravity`"):
        cairn.Scene(dimension=2, gravty=(0, -9.81))


def test_all_that_is_wrong_is_told_at_once() -> None:
    scene = arch(solver=cairn.Solver(tolerance=-1.0))
    scene.time = cairn.Time(step=-1e-3, end=1.0)
    with pytest.raises(cairn.SceneError) as raised:
        scene.simulate()
    paths = {problem.path for problem in raised.value.problems}
    assert {"time.step", "solver.tolerance"} <= paths
    assert all(problem.message for problem in raised.value.problems)


def test_balls_from_arrays() -> None:
    scene = cairn.Scene(dimension=2, gravity=(0, -9.81), time=cairn.Time(step=1e-3, end=0.1))
    scene.materials["sand"] = cairn.Material(density=2600)
    scene.add(cairn.contact(friction=0.5))
    at = np.stack(np.meshgrid(np.arange(10.0), np.arange(1.0, 5.0)), -1).reshape(-1, 2)
    scene.add_balls(at, 0.4, material="sand", name="grains")
    simulation = scene.simulate()
    assert np.array_equal(simulation.positions, at)


def test_the_classes_are_those_of_the_program() -> None:
    path = Path(__file__).parent.parent / "generate_keys.py"
    spec = importlib.util.spec_from_file_location("generate_keys", path)
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    schema = json.loads(cairn.schema())
    written = made.TARGET.read_text(encoding="utf-8")
    assert written == made.source(schema), "run generate_keys.py"
    for name, text in made.modules(schema).items():
        assert made.TARGET.with_name(name).read_text(encoding="utf-8") == text, "run generate_keys.py"

"""Arrays that are given: any layout and any kind of real numbers does, all else is an exception that says what is wrong."""

from __future__ import annotations

from typing import Any

import cairn
import numpy as np
import pytest


def scene(dimension: int = 2) -> cairn.Scene:
    made = cairn.Scene(dimension=dimension, gravity=[0.0] * (dimension - 1) + [-9.81], time=cairn.Time(step=1e-3, end=0.1))
    made.materials["sand"] = cairn.Material(density=2600)
    made.add(cairn.contact(friction=0.5))
    return made


def one_ball(dimension: int = 2) -> cairn.Simulation:
    made = scene(dimension)
    made.add_balls(np.zeros((1, dimension)), 1.0, material="sand", name="ball")
    return made.simulate(threads=1)


LATTICE = np.stack(np.meshgrid(np.arange(10.0), np.arange(1.0, 5.0)), -1).reshape(-1, 2)


@pytest.mark.parametrize(
    "at",
    [
        LATTICE,
        LATTICE.tolist(),
        LATTICE.astype(np.float32),
        LATTICE.astype(np.int16),
        LATTICE.astype(">f8"),
        np.asfortranarray(LATTICE),
        np.repeat(LATTICE, 2, axis=0)[::2],
        LATTICE[::-1][::-1],
        np.concatenate([LATTICE, LATTICE], axis=1)[:, 2:],
    ],
    ids=["doubles", "lists", "singles", "integers", "big-endian", "Fortran", "strided", "reversed", "columns"],
)
def test_balls_from_arrays_of_any_layout(at: Any) -> None:
    made = scene()
    made.add_balls(at, np.float32(0.25), material="sand", name="grains")
    assert np.array_equal(made.simulate().positions, LATTICE)


@pytest.mark.parametrize(
    ("at", "radii", "message"),
    [
        ([[0.0, 0.0, 0.0]], 1.0, r"shape \(1, 3\)"),
        ([0.0, 0.0], 1.0, r"shape \(2,\)"),
        (np.zeros((0, 2)), 1.0, "at least 1"),
        ([[0.0, 1.0], [2.0]], 1.0, "rows of equal length"),
        ([["a", "b"]], 1.0, "real numbers"),
        ([[0.0, 1j]], 1.0, "complex"),
        (np.array([["2020-01-01", "2020-01-02"]], dtype="M8[D]"), 1.0, "datetime"),
        (np.ma.array([[0.0, 1.0]], mask=[[True, False]]), 1.0, "masked"),
        ([[0.0, None]], 1.0, "row 0 is not finite"),
        ([[0.0, 0.0], [0.0, np.nan]], 1.0, "row 1 is not finite"),
        ([[0.0, 0.0], [3.0, 0.0]], [1.0, np.inf], "radii: row 1 is not finite"),
        ([[0.0, 0.0], [3.0, 0.0]], [1.0, -1.0], "radius of row 1 is -1.0"),
        ([[0.0, 0.0], [3.0, 0.0]], [1.0, 0.0], "radius of row 1 is 0.0"),
        ([[0.0, 0.0], [3.0, 0.0]], [1.0, 1.0, 1.0], "2 positions"),
        ([[0.0, 0.0], [3.0, 0.0]], [[1.0], [1.0]], "2 positions"),
    ],
)
def test_bad_balls_are_clear_errors(at: Any, radii: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        scene().add_balls(at, radii, material="sand", name="grains")


@pytest.mark.parametrize(
    ("vertices", "message"),
    [
        ([[0, 0], [1, 0], [np.nan, 1]], "finite number"),
        ([[0, 0, 0], [1, 0, 0], [0, 1, 0]], "expected 2 numbers, found 3"),
        ([0.0, 1.0, 2.0], "must be 2 numbers"),
        ([[0, 0], [1, 1]], "at least 3 points"),
    ],
)
def test_bad_vertices_are_clear_errors(vertices: Any, message: str) -> None:
    made = scene()
    made.add(cairn.Body(name="block", material="sand", shape=cairn.shape.polygon(vertices=np.array(vertices))))
    with pytest.raises(cairn.SceneError, match=message) as raised:
        made.simulate()
    assert raised.value.problems[0].path.startswith("bodies[0].shape.vertices")


@pytest.mark.parametrize(
    ("dimension", "velocity", "spin", "message"),
    [
        (2, [1.0, 2.0, 3.0], 0.0, r"velocity: the shape is \(3,\)"),
        (3, [1.0, 2.0], 0.0, r"\(3,\) is wanted"),
        (2, [[1.0, 2.0]], 0.0, r"\(1, 2\)"),
        (2, [np.nan, 0.0], 0.0, "velocity: row 0 is not finite"),
        (3, [0.0, 0.0, 0.0], [1.0, 2.0], r"spin: the shape is \(2,\)"),
        (2, [0.0, 0.0], [1.0, 2.0, 3.0], r"spin: the shape is \(3,\)"),
        (2, [0.0, 0.0], np.inf, "spin: row 0 is not finite"),
    ],
)
def test_bad_velocities_are_clear_errors(dimension: int, velocity: Any, spin: Any, message: str) -> None:
    simulation = one_ball(dimension)
    with pytest.raises(ValueError, match=message):
        simulation.set_velocity("ball", velocity, spin)
    assert not simulation.velocities.any()


def test_velocities_and_spins_arrive() -> None:
    flat, solid = one_ball(2), one_ball(3)
    flat.set_velocity("ball", [1.0, 2.0], 3.0)
    assert flat.velocities.tolist() == [[1.0, 2.0]] and flat.spins.ravel().tolist() == [3.0]
    solid.set_velocity(0, np.array([1, 2, 3]), [4.0, 5.0, 6.0])
    assert solid.velocities.tolist() == [[1.0, 2.0, 3.0]] and solid.spins.tolist() == [[4.0, 5.0, 6.0]]
    solid.set_velocity(0, [0, 0, 0], 7.0)
    assert solid.spins.tolist() == [[0.0, 0.0, 7.0]]


def test_numbers_of_bodies_and_ends_that_make_no_sense() -> None:
    simulation = one_ball()
    for number in (1, -1):
        with pytest.raises(cairn.ControlError, match="none of them"):
            simulation.set_velocity(number, [0.0, 0.0])
        with pytest.raises(cairn.ControlError, match="none of them"):
            simulation.resultant([0, number])
    with pytest.raises(ValueError, match="nan"):
        simulation.run(float("nan"))
    with pytest.raises(ValueError, match="every 0"):
        simulation.run(every=0)
    with pytest.raises(ValueError, match="-1 threads"):
        scene().simulate(threads=-1)
    with pytest.raises(cairn.CairnError, match="not a saved simulation"):
        cairn.Simulation.restore(b"anything")

"""Friction problems given as matrices."""

from __future__ import annotations

from pathlib import Path

import cairn
import numpy as np
import pytest
from cairn import friction


def test_one_contact_with_a_closed_answer() -> None:
    # A mass of 2 kg that comes down with 1 m/s and slides with 3 m/s: it slips, and friction takes μ times the normal impulse.
    answer = friction.solve(np.eye(2) / 2.0, np.array([[-1.0, 3.0]]), 0.5)
    assert answer.converged
    assert answer.r == pytest.approx(np.array([[2.0, -1.0]]))
    assert answer.u == pytest.approx(np.array([[0.0, 2.5]]))


def test_sparse_and_dense_agree_by_every_method() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    rng = np.random.default_rng(3)
    a = rng.normal(size=(30, 30))
    w = a @ a.T + np.eye(30)
    q = rng.normal(size=(10, 3)) - [1.0, 0.0, 0.0]
    reference = cairn.solve(w, q, 0.3)
    assert reference.converged and reference.residual_max < 1e-8
    for solver in ("auto", "nlgs", "newton", "admm"):
        answer = cairn.solve(sparse.csr_matrix(w), q, np.full(10, 0.3), solver=solver)
        assert answer.r == pytest.approx(reference.r, abs=1e-6), solver


@pytest.mark.parametrize(
    ("w", "q", "mu", "message"),
    [
        (np.eye(3), np.zeros((1, 2)), 0.3, "shape"),
        (np.eye(2), np.zeros(2), 0.3, "one coefficient"),
        (np.eye(2), np.array([[np.inf, 0.0]]), 0.3, "q: row 0 is not finite"),
        (np.array([[1.0, 0.0], [np.nan, 1.0]]), np.zeros((1, 2)), 0.3, "W: row 1 is not finite"),
        (np.eye(2) * 1j, np.zeros((1, 2)), 0.3, "complex"),
        (np.ones(4), np.zeros((1, 2)), 0.3, r"W has the shape \(4,\)"),
        (np.eye(4), np.zeros((2, 2)), [0.1, 0.2, 0.3], "2 contacts"),
        (np.eye(4), np.zeros((1, 2, 2)), [0.1], r"q has the shape \(1, 2, 2\)"),
        (np.zeros((0, 0)), np.zeros((0, 3)), [], "q has the shape"),
        (np.eye(2), np.zeros((1, 2)), np.nan, "mu: row 0 is not finite"),
        (np.eye(2), np.zeros((1, 2)), -0.3, "negative"),
        (np.eye(4), np.zeros((1, 4)), 0.3, "numbers a contact"),
    ],
)
def test_misfits_are_clear_errors(w: np.ndarray, q: np.ndarray, mu: float, message: str) -> None:
    with pytest.raises(cairn.FrictionError, match=message):
        friction.solve(w, q, mu)


def test_an_unknown_solver_is_told() -> None:
    with pytest.raises(cairn.FrictionError, match="nlgs"):
        friction.solve(np.eye(2), np.zeros((1, 2)), 0.3, solver="nglsx")


def test_the_problem_of_a_step_is_solved_by_what_the_step_found(tmp_path: Path) -> None:
    scene = cairn.Scene(dimension=2, gravity=(0, -10.0), time=cairn.Time(step=1e-3, end=0.02, theta=1.0))
    scene.materials["stone"] = cairn.Material(density=1000)
    scene.add(cairn.contact(friction=0.5))
    scene.add(cairn.Body(name="ground", material="stone", fixed=True, shape=cairn.shape.half_plane(normal=(0, 1))))
    scene.add(cairn.Body(name="block", material="stone", shape=cairn.shape.rectangle(size=(1, 1)), position=(0, 0.5), velocity=(1, 0)))
    simulation = scene.simulate()
    with pytest.raises(cairn.ControlError, match="no step"):
        simulation.problem()
    simulation.run()
    problem = simulation.problem()
    assert problem.q.shape == (2, 2) and problem.mu.tolist() == [0.5, 0.5] and problem.r is not None and problem.u is not None
    # Weight times step, and friction against the way it slides.
    assert np.abs(problem.r.sum(axis=0)) == pytest.approx([10.0, 5.0], rel=1e-6)
    # Each corner: 1/m + d²/I for both components, with arms of ½ and I = m/6.
    dense = problem.W.toarray() if hasattr(problem.W, "toarray") else problem.W
    assert np.diag(dense) == pytest.approx(np.full(4, 2.5e-3), rel=1e-4)
    assert dense @ problem.r.ravel() + problem.q.ravel() == pytest.approx(problem.u.ravel(), abs=1e-12)
    answer = problem.solve()
    assert answer.converged and answer.r.sum(axis=0) == pytest.approx(problem.r.sum(axis=0), rel=1e-6)
    pytest.importorskip("h5py")
    problem.write(tmp_path / "step.hdf5", "A block that slides")
    assert friction.solve_path(tmp_path / "step.hdf5").r == pytest.approx(answer.r)
    assert cairn.Problem is friction.Problem
    again = cairn.Problem.read(tmp_path / "step.hdf5")
    assert np.array_equal(again.q, problem.q) and again.u is not None and np.array_equal(again.u, problem.u)
    recorded = scene.record(tmp_path / "block.results").problem(20)
    assert np.array_equal(recorded.q, problem.q) and recorded.r is not None and np.array_equal(recorded.r, problem.r)


def test_what_matrices_do_not_say_is_refused() -> None:
    scene = cairn.Scene(dimension=2, gravity=(0, -10.0), time=cairn.Time(step=1e-3, end=0.02))
    scene.materials["stone"] = cairn.Material(density=1000)
    scene.add(cairn.contact(friction=0.5, rolling_resistance=0.01))
    scene.add(cairn.Body(name="ground", material="stone", fixed=True, shape=cairn.shape.half_plane(normal=(0, 1))))
    scene.add(cairn.Body(name="ball", material="stone", shape=cairn.shape.disk(radius=1), position=(0, 1)))
    simulation = scene.run(progress=False)
    with pytest.raises(cairn.ControlError, match="rolling resistance"):
        simulation.problem()

"""Friction problems given as matrices or in files: u = W r + q with Signorini's and Coulomb's laws."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from ._arrays import numbers
from ._cairn import solve_file, solve_local
from ._cairn import solvers as _solvers
from .errors import FrictionError

__all__ = ["Answer", "Problem", "solve", "solve_path", "solvers"]

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Answer:
    """What came out, judged apart from the solver."""

    #: Impulses, (contacts, 2 or 3), normal first [N·s].
    r: Array
    #: Relative velocities, likewise [m/s].
    u: Array
    #: Are both residuals at most the tolerance?
    converged: bool
    #: Natural map relative to ‖q‖.
    residual_q: float
    #: Natural map relative to the largest of ‖q‖, ‖r‖, ‖u‖.
    residual_max: float
    #: Iterations, or sweeps, of the method.
    iterations: int
    #: Processor time [s].
    seconds: float
    #: What the method says of its way.
    story: str


@dataclass(frozen=True, eq=False)
class Problem:
    """A problem u = W r + q of n contacts with d = 2 or 3 components, normal first; `Simulation.problem` gives that of a step."""

    #: W, (n·d, n·d), scipy.sparse where scipy is installed, else dense [1/kg].
    W: Any
    #: q, (n, d), with the bias of the contact laws [m/s].
    q: Array
    #: Coefficients of friction, (n,).
    mu: Array
    #: Impulses that were found, (n, d) [N·s]; None if there are none yet.
    r: Array | None = None
    #: Relative velocities that were found, likewise [m/s].
    u: Array | None = None

    def solve(self, *, solver: str = "auto", tolerance: float = 1e-8, max_iterations: int | None = None) -> Answer:
        """Solves it: see `cairn.solve`."""
        return solve(self.W, self.q, self.mu, solver=solver, tolerance=tolerance, max_iterations=max_iterations)

    @classmethod
    def of_columns(cls, starts: Any, rows: Any, values: Any, *, q: Any, mu: Any, r: Any = None, u: Any = None) -> Problem:
        """From W by columns: where they start, rows, values."""
        size, count = len(q), len(mu)
        matrix: Any
        try:
            from scipy.sparse import csc_matrix

            matrix = csc_matrix((values, rows, starts), shape=(size, size))
        except ImportError:
            matrix = np.zeros((size, size))
            matrix[rows, np.repeat(np.arange(size), np.diff(starts))] = values
        shaped = [None if vector is None else np.asarray(vector, dtype=np.float64).reshape(count, -1) for vector in (q, r, u)]
        return cls(matrix, cast(Array, shaped[0]), np.asarray(mu, dtype=np.float64), shaped[1], shaped[2])

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Problem:
        """From a local problem in an FCLIB file (with h5py); `solve_path` takes the other kinds as well."""
        with _hdf5(path, "r") as file:
            if "fclib_local" not in file:
                raise FrictionError(f"{path} has no local problem, but {', '.join(file)}")
            local, solution = file["fclib_local"], file.get("solution", {})
            vectors, matrix = local["vectors"], local["W"]
            found = {name: np.asarray(solution[name]) for name in ("r", "u") if name in solution}
            columns = [np.asarray(matrix[name]) for name in ("p", "i", "x")]
            return cls.of_columns(*columns, q=np.asarray(vectors["q"]), mu=np.asarray(vectors["mu"]), **found)

    def write(self, path: str | os.PathLike[str], title: str = "") -> None:
        """Writes an FCLIB file (with h5py), with the solution if there is one."""
        rows, columns, values = (np.asarray(part) for part in _entries(self.W, self.q.size))
        order = np.lexsort((rows, columns))
        starts = np.searchsorted(columns[order], np.arange(self.q.size + 1))
        with _hdf5(path, "w") as file:
            local = file.create_group("fclib_local")
            local["spacedim"] = np.array([self.q.shape[1]], dtype=np.int32)
            local.create_group("info").attrs["title"] = title
            sizes = {"m": self.q.size, "n": self.q.size, "nzmax": len(values), "nz": -1}
            for name, number in sizes.items():
                local[f"W/{name}"] = np.array([number], dtype=np.int32)
            local["W/p"], local["W/i"], local["W/x"] = starts.astype(np.int32), rows[order].astype(np.int32), values[order]
            local["vectors/q"], local["vectors/mu"] = self.q.ravel(), self.mu
            if self.r is not None and self.u is not None:
                file["solution/r"], file["solution/u"] = self.r.ravel(), self.u.ravel()

    def __repr__(self) -> str:
        return f"<cairn.friction.Problem of {len(self.mu)} contacts in {self.q.shape[1]}D>"


def _hdf5(path: str | os.PathLike[str], mode: str) -> Any:
    try:
        import h5py
    except ImportError as error:
        raise FrictionError("FCLIB files are read and written with h5py: pip install h5py") from error
    try:
        return h5py.File(path, mode)
    except OSError as error:
        raise FrictionError(f"{os.fspath(path)}: {error}") from error


def solve(
    W: Any,
    q: npt.ArrayLike,
    mu: npt.ArrayLike,
    *,
    solver: str = "auto",
    tolerance: float = 1e-8,
    max_iterations: int | None = None,
) -> Answer:
    """Solves a problem of n contacts: W (n·d, n·d) dense or scipy.sparse, q (n·d,) or (n, d) with d = 2 or 3, normal first; mu a
    coefficient for each contact, or one for all."""
    free, coefficients = _real("q", q), _real("mu", mu)
    if free.ndim not in (1, 2) or not free.size:
        raise FrictionError(f"q has the shape {free.shape}: (contacts, 2) or (contacts, 3) is wanted, or the same in one row")
    if free.ndim == 2:
        if coefficients.shape not in ((), free.shape[:1]):
            raise FrictionError(f"mu has the shape {coefficients.shape}: q has {free.shape[0]} contacts")
        coefficients = np.broadcast_to(coefficients, (free.shape[0],))
    free = free.reshape(-1)
    if coefficients.ndim != 1:
        raise FrictionError("with one coefficient for all contacts, q has the shape (contacts, 2) or (contacts, 3)")
    if (coefficients < 0).any():
        raise FrictionError("coefficients of friction cannot be negative")
    if not tolerance > 0:
        raise FrictionError(f"the tolerance is {tolerance}: it has to be positive")
    rows, columns, values = _entries(W, len(free))
    said = solve_local((rows, columns, values), free.tolist(), coefficients.tolist(), solver, tolerance, max_iterations)
    return _answer(said)


def solve_path(
    path: str | os.PathLike[str], *, solver: str = "auto", tolerance: float = 1e-8, max_iterations: int | None = None
) -> Answer:
    """Solves a problem from a file: FCLIB (HDF5) or Siconos (.dat)."""
    return _answer(solve_file(os.fspath(path), solver, tolerance, max_iterations))


def solvers() -> list[str]:
    """Names of the methods."""
    return _solvers()


def _entries(W: Any, size: int) -> tuple[list[int], list[int], list[float]]:
    coo = W.tocoo() if hasattr(W, "tocoo") else None
    dense = _real("W", W) if coo is None else np.zeros((0, 0))
    shape = tuple(dense.shape if coo is None else coo.shape)
    if shape != (size, size):
        raise FrictionError(f"W has the shape {shape}, q has {size} numbers: ({size}, {size}) is wanted")
    if coo is not None:
        return coo.row.tolist(), coo.col.tolist(), _real("W", coo.data).tolist()
    rows, columns = np.nonzero(dense)
    return rows.tolist(), columns.tolist(), dense[rows, columns].tolist()


def _real(what: str, given: npt.ArrayLike) -> Array:
    try:
        return numbers(what, given)
    except ValueError as error:
        raise FrictionError(str(error)) from error


def _answer(said: dict[str, Any]) -> Answer:
    contacts = said.pop("contacts")
    r, u = said.pop("r"), said.pop("u")
    return Answer(r=r.reshape(contacts, -1), u=u.reshape(contacts, -1), **said)

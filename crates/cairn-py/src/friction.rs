//! Friction problems given as matrices, or in files.

use crate::errors::raise;
use cairn_solvers::answer::{self, Answer, Wanted};
use cairn_solvers::csc::Csc;
use cairn_solvers::discrete::{AnyProblem, Problem};
use cairn_solvers::format;
use cairn_solvers::solver::Solver;
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;

/// W as rows, columns and values of its entries.
type Entries = (Vec<usize>, Vec<usize>, Vec<f64>);

/// Names of the methods.
#[pyfunction]
pub fn solvers() -> Vec<&'static str> {
    Solver::NAMES.to_vec()
}

/// Solves u = W r + q with friction: impulses and velocities, contact by contact, normal first.
#[pyfunction]
#[pyo3(signature = (entries, q, friction, solver, tolerance, iterations))]
pub fn solve_local<'py>(
    py: Python<'py>,
    entries: Entries,
    q: Vec<f64>,
    friction: Vec<f64>,
    solver: &str,
    tolerance: f64,
    iterations: Option<usize>,
) -> PyResult<Bound<'py, PyDict>> {
    let misfit = |what: &str| raise(py, "FrictionError", what);
    let contacts = friction.len();
    if contacts == 0 || !q.len().is_multiple_of(contacts) {
        return Err(misfit("q must have two or three numbers for each coefficient of friction"));
    }
    let triplets: Vec<(usize, usize, f64)> =
        entries.0.into_iter().zip(entries.1).zip(entries.2).map(|((i, j), x)| (i, j, x)).collect();
    let w = Csc::from_triplets(q.len(), q.len(), &triplets).ok_or_else(|| misfit("W does not have the size of q"))?;
    let problem = match q.len() / contacts {
        2 => Problem::<2>::new(&w, &q, friction).map(AnyProblem::Plane),
        3 => Problem::<3>::new(&w, &q, friction).map(AnyProblem::Solid),
        n => return Err(misfit(&format!("{n} numbers a contact: there are two in the plane, three in space"))),
    };
    let problem = problem.ok_or_else(|| misfit("the sizes of W, q and the coefficients do not fit together"))?;
    solved(py, &problem, solver, tolerance, iterations)
}

/// Solves a problem from a file: FCLIB (HDF5) or Siconos (.dat).
#[pyfunction]
#[pyo3(signature = (path, solver, tolerance, iterations))]
pub fn solve_file<'py>(
    py: Python<'py>,
    path: PathBuf,
    solver: &str,
    tolerance: f64,
    iterations: Option<usize>,
) -> PyResult<Bound<'py, PyDict>> {
    let problem = format::read(&path).map_err(|error| raise(py, "FrictionError", error))?;
    solved(py, &problem, solver, tolerance, iterations)
}

fn solved<'py>(
    py: Python<'py>,
    problem: &AnyProblem,
    solver: &str,
    tolerance: f64,
    iterations: Option<usize>,
) -> PyResult<Bound<'py, PyDict>> {
    let named = Solver::named(solver).ok_or_else(|| {
        raise(py, "FrictionError", format!("there is no solver {solver:?}: {}", Solver::NAMES.join(", ")))
    })?;
    let mut wanted = Wanted::to(tolerance);
    wanted.iterations = iterations.unwrap_or(wanted.iterations);
    let answer = py.detach(|| answer::solve(problem, named, wanted));
    let Answer { r, u, verdict, iterations, seconds, story } =
        answer.map_err(|error| raise(py, "FrictionError", error))?;
    let said = PyDict::new(py);
    said.set_item("contacts", problem.contacts())?;
    said.set_item("r", PyArray1::from_vec(py, r))?;
    said.set_item("u", PyArray1::from_vec(py, u))?;
    said.set_item("converged", verdict.accepts(tolerance))?;
    said.set_item("residual_q", verdict.residual_q)?;
    said.set_item("residual_max", verdict.residual_max)?;
    said.set_item("iterations", iterations)?;
    said.set_item("seconds", seconds)?;
    said.set_item("story", story)?;
    Ok(said)
}

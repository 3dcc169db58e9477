//! The contact problem of the last step of a simulation, as matrices.

use crate::errors::raise;
use cairn::simulation::Simulation;
use cairn::space::{Ambient, Space};
use cairn_solvers::discrete::{self, Problem, flat};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// W by columns (where they start, rows, values), q with the bias of the laws, μ, and the impulses and velocities that were found.
pub fn of_step<'py, const D: usize>(py: Python<'py>, simulation: &Simulation<D>) -> PyResult<Bound<'py, PyDict>>
where
    Space<D>: Ambient<D>,
{
    let refused = |why: String| Err(raise(py, "ControlError", why));
    let (work, (_, links)) = (&simulation.work, simulation.work.problem());
    if links.is_empty() {
        return refused(
            "there is no contact problem: nothing touches, or no step was done since this simulation was made"
                .to_string(),
        );
    }
    let mut misfits = discrete::misfits(links, work.rolls());
    let rolling = work.rolls().iter().filter(|roll| D == 3 && roll.arms[0] > 0.0).count();
    if rolling > 0 {
        misfits.push(format!("rolling resistance of {rolling} contacts"));
    }
    if !misfits.is_empty() {
        return refused(format!("W, q and friction do not say all of this problem: {}", misfits.join(", ")));
    }
    let (problem, r, u) = Problem::of_stored(work.delassus(), links);
    let w = problem.w.to_csc();
    let (starts, rows, values) = w.arrays();
    let said = PyDict::new(py);
    said.set_item("starts", PyArray1::from_iter(py, starts.iter().map(|&start| start as i64)))?;
    said.set_item("rows", PyArray1::from_iter(py, rows.iter().map(|&row| i64::from(row))))?;
    said.set_item("values", PyArray1::from_slice(py, values))?;
    said.set_item("q", PyArray1::from_vec(py, flat(problem.w.free())))?;
    said.set_item("friction", PyArray1::from_vec(py, problem.friction))?;
    said.set_item("r", PyArray1::from_vec(py, flat(&r)))?;
    said.set_item("u", PyArray1::from_vec(py, flat(&u)))?;
    Ok(said)
}

//! The compiled part of the Python module `cairn`: scenes, simulations, friction problems and the command line, as thin layers over
//! the library. What can be said in Python is said there (`python/cairn`).

mod document;
mod errors;
mod friction;
mod problem;
mod signals;
mod simulation;

use pyo3::prelude::*;

/// Runs a command line, the name of the program first; the exit code.
#[pyfunction]
fn main(py: Python<'_>, arguments: Vec<String>) -> u8 {
    py.detach(|| cairn_cli::main_from(arguments))
}

/// The keys of a scene file as a JSON schema.
#[pyfunction]
fn schema() -> String {
    cairn::scene::schema().to_string()
}

/// Arrays that a simulation has: name, unit, meaning; those of bodies and contacts, and those of nodes.
#[pyfunction]
fn quantities() -> [Vec<(&'static str, &'static str, &'static str)>; 2] {
    [cairn::any::quantities(), cairn::any::nodal_quantities()]
        .map(|list| list.iter().map(|q| (q.name, q.unit, q.meaning)).collect())
}

#[pymodule]
mod _cairn {
    #[pymodule_export]
    use super::document::Document;
    #[pymodule_export]
    use super::friction::{solve_file, solve_local, solvers};
    #[pymodule_export]
    use super::simulation::Simulation;
    #[pymodule_export]
    use super::{main, quantities, schema};

    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}

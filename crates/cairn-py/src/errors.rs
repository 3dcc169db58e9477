//! Errors of the library as the exceptions of `cairn.errors`.

use cairn::scene::{Problem, SceneErrors};
use pyo3::prelude::*;
use std::fmt::Display;

/// An exception of `cairn.errors` by its name.
pub fn raise(py: Python<'_>, kind: &str, message: impl Display) -> PyErr {
    let made = || py.import("cairn.errors")?.getattr("raised")?.call1((kind, message.to_string()));
    made().map_or_else(|error| error, PyErr::from_value)
}

/// Path, message, help and place of a problem.
pub fn row(problem: &Problem) -> (String, String, String, String) {
    let help = problem.help.clone().unwrap_or_default();
    (problem.path.clone(), problem.message.clone(), help, problem.location.clone())
}

/// All that is wrong with a scene.
pub fn scene_error(py: Python<'_>, errors: &SceneErrors) -> PyErr {
    let rows: Vec<_> = errors.problems.iter().map(row).collect();
    let made = || py.import("cairn.errors")?.getattr("scene_error")?.call1((errors.plain(), rows));
    made().map_or_else(|error| error, PyErr::from_value)
}

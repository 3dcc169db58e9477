//! Solvers for problems with a stored W: one problem, one measure, many methods.

pub mod gauss_seidel;
pub mod measure;

pub use measure::Measure;

use crate::discrete::Problem;

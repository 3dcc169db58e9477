//! Solvers for problems with a stored W: one problem, one measure, many methods.

mod block_lu;
pub mod gauss_seidel;
pub mod measure;
pub mod newton;

pub use measure::Measure;
